"""A game without a clock that nobody plays on, over the wire; its stored times are made older."""

from datetime import timedelta

from bot.app.matches.forgotten import REMIND, WARN
from tests.e2e.club import Club
from tests.e2e.messages import found_in, message_with, text_of
from tests.e2e.panels import panel_at
from tests.e2e.play import accept, by_command, by_more, challenge, more, offered
from tests.e2e.stored_times import age_match

DAY = timedelta(days=1)


async def test_a_forgotten_game_is_announced_and_ends(club: Club) -> None:
    made = await offered(club.ada, club.ada.command("challenge", member=club.grace.id, game="skull"))
    panel = await accept(club.grace, made["id"])
    mover, waiting = club.by_turn(panel)
    await by_command(mover, panel, "c3")
    panel = await panel_at(mover, panel.match, 1)

    await age_match(club.folder, panel.match, 4 * DAY)
    reminder = await message_with(waiting, "is waiting for your move. Your turn began ")
    assert f"<@{waiting.id}>" in text_of(reminder)
    assert "ends without a result" not in text_of(reminder)
    await age_match(club.folder, panel.match, 20 * DAY, REMIND)
    await message_with(waiting, "If you do not move, the game ends without a result")
    await age_match(club.folder, panel.match, 8 * DAY, WARN)
    end = text_of(await message_with(mover, "This game has ended because nobody played on."))
    assert "It was the turn of" in end
    assert f"<@{waiting.id}>" in end
    # Reminders of a game that is over are deleted.
    await found_in(mover, lambda seen: True if not any("has waited" in text_of(it) for it in seen) else None)


async def test_an_opponent_who_waited_ends_a_game(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "skull", "quick")
    mover, waiting = club.by_turn(panel)
    assert "End without a result" not in str(await more(waiting, panel))
    await age_match(club.folder, panel.match, 15 * DAY)
    form = await by_more(waiting, panel.match, "unanswered")
    assert form["outcome"] == "modal"
    await waiting.submit(form)
    end = text_of(await message_with(waiting, "This game has ended because nobody moved for 14 days."))
    assert f"It was the turn of <@{mover.id}>" in end
