"""A moderator ends a game: nobody wins, the reason is told, and what was hidden stays hidden. Ada owns the server."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.app import standings
from bot.sandbox import Sandbox
from db.stores.standings import recompute
from db.values.matches import Ending, NewEntry
from db.values.standings import NEWCOMER
from rules.core.match import Ply
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.db.given import LOST, WON
from tests.e2e.bot_in_process import bot_here
from tests.e2e.club import Club
from tests.e2e.messages import answer_saying, answered, buttons, message_with, text_of
from tests.e2e.panels import no_controls, panel_at
from tests.e2e.play import by_command, challenge, end, more
from tests.waiting import wait_while


async def test_a_moderator_ends_a_game(club: Club) -> None:
    panel = await challenge(club.grace, club.emmy, "alaric")
    mover, waiter = (club.grace, club.emmy) if panel.turn == club.grace.id else (club.emmy, club.grace)
    await by_command(mover, panel, "3")
    before = await panel_at(club.ada, panel.match, 1)
    assert f"end:{panel.match}" not in buttons(await more(club.grace, before)).values()
    await end(club.ada, panel.match, "a *rude* word,\n@everyone.")
    over = await panel_at(club.emmy, panel.match, 2)
    assert over.turn is None
    assert "A moderator ended this game: a \\*rude\\* word, @everyone. Nobody wins." in over.text
    assert not over.message["mention_everyone"]
    assert {user["id"] for user in over.message["mentions"]} == {club.grace.id, club.emmy.id}
    await no_controls(club.ada, over)
    await no_controls(club.ada, before)

    await end(club.ada, panel.match, "again")
    await message_with(club.ada, f"Alaric #{panel.match} has already ended without a result")
    await by_command(waiter, panel, "4")
    await message_with(waiter, f"Alaric #{panel.match} is over")
    await club.ada.command("leaderboard")
    await message_with(club.ada, "Nobody is listed yet")
    await answer_saying(club.ada, "o result.", "board", number=panel.match, as_text=True)


async def test_hidden_cards_stay_hidden_in_an_ended_game(club: Club) -> None:
    panel = await challenge(club.grace, club.emmy, "palindromes", "8")
    await club.grace.press(panel.message, panel.buttons["Lay my cards"])
    await message_with(club.grace, "Lay your cards")
    await end(club.ada, panel.match, "closing time")
    over = await panel_at(club.ada, panel.match, panel.plies + 1)
    assert "closing time" in over.text
    for player in (club.ada, club.emmy):
        words = text_of(await answered(player, "board", number=panel.match, as_text=True))
        assert "no result" in words.lower()
        assert "R B" not in words


@pytest.mark.soak
async def test_ratings_follow_a_result_that_is_taken_back(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moderator is told that they follow, the leaderboard says so, and the bot recomputes them by itself."""
    monkeypatch.setattr(recompute, "AT_ONCE", 0)
    monkeypatch.setattr(recompute, "COPIED", 1)
    monkeypatch.setattr(standings, "PAUSE_S", 0.2)
    monkeypatch.setattr(standings, "POLL_S", 3600.0)
    async with (
        Sandbox(observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, _),
    ):
        store, now = bot.services.store, datetime.now(UTC)
        matches = [(await challenge(ada, grace, "alaric", "quick")).match for _ in range(2)]
        for match in matches:
            await store.matches.append(
                match, 0, NewEntry(Ply(0, "resign"), now), Ending((LOST, WON), ranks=(2, 1))
            )
        await end(ada, matches[0], "two accounts")
        await message_with(ada, "Ratings that depend on its result follow shortly.")
        await ada.command("leaderboard")
        await message_with(ada, "ratings are being recomputed")
        await wait_while(store.ratings.recomputing)
        first, second = await store.ratings.changes(matches[1]) or ()
        assert first.before == second.before == NEWCOMER
        held = {
            user: {it.held.skill for it in await store.ratings.of_member(user)}
            for user in (first.user, second.user)
        }
        assert held == {first.user: {first.after}, second.user: {second.after}}
