"""Explorations of positions: forward, back, other moves, and none for games that are being played."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.review import explorer as module
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER
from rules.players.review import stages
from tests.app.conftest import ADA, ELSEWHERE, EMMY, Host
from tests.app.review.test_reviews import BLUNDER, finished


async def test_member_goes_along_the_game_and_away_from_it(host: Host) -> None:
    loaded, explorer = await finished(host), host.services.explorer
    found = await explorer.begin_in(EMMY, loaded, 1)
    assert found.match.log == loaded.match.log[:1]
    by_move = {it.move: it for it in found.worths}
    assert set(by_move) == set(found.match.legal() or ())
    assert (by_move["6"].value, by_move["6"].exact) == (0, True), "the blunder of this game"
    assert (found.worths[0].value, found.worths[0].exact) == (1, True)
    # The move of the game leads along it.
    played = await explorer.play(found.number, EMMY, 1, "6")
    assert (played.at, len(played.path)) == (2, len(loaded.match.log) + 1)
    back = await explorer.go(found.number, EMMY, 1)
    assert back.match == found.match
    # Another one leaves it.
    other = await explorer.play(found.number, EMMY, 1, found.worths[0].move)
    assert (other.at, len(other.path)) == (2, 3)
    first = await explorer.go(found.number, EMMY, 0)
    assert first.match.log == ()
    last = await explorer.go(found.number, EMMY, 99)
    assert last.match == other.match
    over = await explorer.begin_in(EMMY, loaded, 99)
    assert over.match.over
    assert over.worths == ()
    assert await host.store.matches.running() == []


async def test_exploration_belongs_to_its_member_and_to_its_position(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, explorer = await finished(host), host.services.explorer
    found = await explorer.begin_in(EMMY, loaded, 1)
    with pytest.raises(Refused, match="belongs to another member"):
        await explorer.play(found.number, ADA, 1, "6")
    with pytest.raises(Refused, match="has moved on"):
        await explorer.play(found.number, EMMY, 0, "6")
    with pytest.raises(Refused, match="nothing to resign"):
        await explorer.play(found.number, EMMY, 1, "resign")
    monkeypatch.setattr(module, "KEPT", 1)
    await explorer.begin_in(EMMY, loaded, 1)
    with pytest.raises(Refused, match="no longer available"):
        await explorer.go(found.number, EMMY, 0)


async def test_no_position_close_to_a_running_rated_game_is_judged(host: Host) -> None:
    loaded, explorer = await finished(host), host.services.explorer
    found = await explorer.begin_in(EMMY, loaded, 5)
    rated = await host.begin("alaric", "7", ELSEWHERE)
    running = await host.services.matches.play(rated.id, ADA, BLUNDER[0])
    with pytest.raises(Refused, match="is still being played"):
        await explorer.begin_in(EMMY, running, 1)
    with pytest.raises(Refused, match="A rated game"):
        await explorer.begin_in(EMMY, loaded, 1)
    # What was judged before is not shown, either.
    with pytest.raises(Refused, match="A rated game"):
        await explorer.go(found.number, EMMY, 1)
    assert explorer.find(found.number, EMMY) == found
    with pytest.raises(Refused, match="A rated game"):
        await explorer.begin(EMMY, "a record", stages(running.match), 1)


async def test_open_puzzle_of_today_is_not_explored(host: Host) -> None:
    services, explorer = host.services, host.services.explorer
    puzzle = await services.puzzles.of_day(services.puzzles.today)
    after_any = puzzle.match.play(puzzle.seat, (puzzle.match.legal() or ())[-1])
    for match in (puzzle.match, puzzle.after(puzzle.only_moves - 1), after_any):
        with pytest.raises(Refused, match="gives away the puzzle of today; do that first"):
            await explorer.begin(EMMY, "a record", stages(match), len(match.log))
    # Earlier positions say nothing of the moves that are to be found.
    for earlier in stages(puzzle.match)[:-1]:
        await services.daily_puzzles.check_explored(EMMY, earlier)
    attempt = Attempt(EMMY, puzzle.name, host.clock.now())
    ended = replace(attempt, moves=("1",), solved=False, ended=host.clock.now())
    await host.store.puzzles.keep_attempt(attempt, ended, NEWCOMER)
    await services.daily_puzzles.check_explored(EMMY, puzzle.match)
    with pytest.raises(Refused, match="puzzle of today"):
        await services.daily_puzzles.check_explored(ADA, puzzle.match)
    host.clock.push(timedelta(days=1))
    await services.daily_puzzles.check_explored(ADA, puzzle.match)


async def test_hidden_moves_are_not_explored(host: Host) -> None:
    secret = await host.begin("palindromes", "8")
    over = await host.services.matches.resign(secret.id, ADA)
    with pytest.raises(Refused, match="Moves are hidden"):
        await host.services.explorer.begin_in(EMMY, over, 0)


async def test_button_from_before_a_restart_fits_no_later_exploration(host: Host) -> None:
    loaded = await finished(host)
    before = await host.services.explorer.begin_in(EMMY, loaded, 1)
    host.clock.push(timedelta(seconds=10))
    restarted = Host(host.store, host.clock)
    await restarted.services.explorer.begin_in(EMMY, loaded, 0)
    with pytest.raises(Refused, match="no longer available"):
        restarted.services.explorer.find(before.number, EMMY)
