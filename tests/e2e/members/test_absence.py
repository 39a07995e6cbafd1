"""A member who is away: the choice in `/preferences`, and what the others see of it."""

from tests.e2e.club import Club
from tests.e2e.messages import found_in, open_preferences, text_of, told, until, usable_buttons
from tests.e2e.panels import panel_at
from tests.e2e.play import accept, offered


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
    await found_in(
        club.ada,
        lambda seen: next(
            (it for it in seen if it["id"] == board.message["id"] and "is away" not in text_of(it)), None
        ),
    )
