"""A member who is away: the choice in `/preferences`, and what the others see of it."""

from tests.e2e.club import Club
from tests.e2e.messages import (
    choose,
    found_in,
    message_with,
    once,
    open_preferences,
    pinged,
    press,
    text_of,
    told,
    until,
    usable_buttons,
)
from tests.e2e.panels import panel_at
from tests.e2e.play import accept, by_command, by_more, offered
from tests.e2e.proposals.test_proposals import board_saying
from tests.e2e.stored_times import age_standstills


async def test_boards_and_challenges_say_who_is_away(club: Club) -> None:
    message = await open_preferences(club.grace, "Play")
    for typed, answer in (
        ("some day", "Write a date like `5 December`"),
        ("in 5 days", "You are away until <t:"),
    ):
        form = await club.grace.press(message, usable_buttons(message)["Away until…"])
        await club.grace.submit(form, until=typed)
        await told(club.grace, answer)
    message = await until(
        club.grace, message, "your clocks of a day or more stand still. You can be away for 16 more days"
    )

    asking = club.ada.command("challenge", member=club.grace.id, game="skull", clock="3d", order="last")
    made = await offered(club.ada, asking)
    assert f"<@{club.grace.id}> is away until <t:" in text_of(made)
    panel = await accept(club.grace, made["id"])
    assert f"<@{club.grace.id}>" in panel.text
    assert "and their clock stands still." in panel.text

    await club.grace.press(message, usable_buttons(message)["I am back"])
    await until(club.grace, message, "While you are away, your clocks of a day or more stand still.")
    board = await panel_at(club.ada, panel.match, 0)
    await once(club.ada, board.message, lambda now: "is away" not in text_of(now))


async def test_players_are_told_that_an_absence_or_a_pause_is_over(club: Club) -> None:
    """Grace, whose turn it is, is told of the first by a mention and of the second by a direct message."""
    message = await open_preferences(club.grace, "Play")
    form = await club.grace.press(message, usable_buttons(message)["Away until…"])
    await club.grace.submit(form, until="in 5 days")
    await told(club.grace, "You are away until <t:")
    asking = club.ada.command("challenge", member=club.grace.id, game="skull", clock="3d", order="last")
    panel = await accept(club.grace, (await offered(club.ada, asking))["id"])
    assert panel.turn == club.grace.id
    await age_standstills(club.folder)
    called = await message_with(club.ada, "Your absence is over, and it is your turn in [Amazon Skull #")
    assert pinged(called) == [club.grace.id]
    await board_saying(club.ada, panel, "your turn.", without="is away until")

    await choose(club.grace, await open_preferences(club.grace), "prefer:notice", "direct")
    await by_more(club.ada, panel.match, "pause")
    asked = await board_saying(club.grace, panel, "asks for a pause")
    await press(club.grace, asked.message, "Agree to the pause")
    await board_saying(club.ada, panel, "Paused until <t:")
    await age_standstills(club.folder)
    letters = club.grace.elsewhere((await club.grace.post("direct"))["id"])
    await message_with(letters, f"It is your turn in **Amazon Skull #{panel.match}**.")
    await board_saying(club.ada, panel, "your turn.", without="Paused until")
    # What told her is deleted with her move.
    await by_command(club.grace, panel, "c3")
    await panel_at(club.ada, panel.match, 1)
    over = "is over, and it is your turn"
    await found_in(club.ada, lambda seen: True if not any(over in text_of(it) for it in seen) else None)
