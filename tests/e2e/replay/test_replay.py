"""A game is watched again: as an animation and step by step."""

from typing import Any

from tests.e2e.club import Club
from tests.e2e.messages import components, message_with, told
from tests.e2e.panels import panel_at
from tests.e2e.play import by_command, challenge, legal


async def test_a_game_is_stepped_through(club: Club) -> None:
    """An animation of the whole game, and each position by button or by its number."""
    panel = await challenge(club.ada, club.grace, "alaric", "3")
    while panel.turn is not None:
        mover, _ = club.by_turn(panel)
        await by_command(mover, panel, (await legal(mover, panel))[0])
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    said = await club.emmy.say(f"What a game, #{panel.match}")
    await club.emmy.menu("Replay this game", said["id"], 3)
    await told(club.emmy, "This message shows no game; choose a message with one of my boards.")
    await club.emmy.menu("Replay this game", panel.message["id"], 3)
    film = await told(club.emmy, f"**Alaric #{panel.match}**, move by move")
    assert ".gif" in picture_of(film)
    for way, words in (
        ("First", "before the first move"),
        ("Forward", f"move 1 of {panel.plies}: 1"),
        ("Last", f"move {panel.plies} of {panel.plies}"),
        ("Back", f"move {panel.plies - 1} of {panel.plies}"),
    ):
        buttons = {part["label"]: part["custom_id"] for part in components(film) if part["type"] == 2}
        await club.emmy.press(film, buttons[way])
        film = await message_with(club.emmy, words)
        assert ".png" in picture_of(film)
    await club.emmy.command(
        "replay", move=2
    )  # The last game that was finished here, if none is being played.
    assert "-2.png" in picture_of(await message_with(club.emmy, f"move 2 of {panel.plies}"))
    await club.emmy.command("replay", number=panel.match, move=99)
    await told(club.emmy, f"choose a number from 0 to {panel.plies}")


def picture_of(message: dict[str, Any]) -> str:
    """The address of the only picture in a message."""
    gallery = next(part for part in components(message) if part["type"] == 12)
    return str(gallery["items"][0]["media"]["url"])
