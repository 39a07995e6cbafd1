"""Finished games are searched for moments, and their puzzles are found by name."""

import asyncio
from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.moments import OLDEST, REST, Moments, MomentTask, moment_name, rest
from bot.app.searches import Found, Unsearched
from bot.app.tasks.background import BackgroundTask
from db.values.places import Place
from db.values.proposals import Matter
from rules.core.match import Match
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.waiting import wait_until

MISSED_AND_FOUND = ("c2", "c1", "c3", "d3", "d1", "e3", "e2")
"""A game of Skull on 5 by 4 cells: Grace misses a win by the fourth move, then Ada finds hers."""


async def played(host: Host, place: Place = HERE, moves: tuple[str, ...] = MISSED_AND_FOUND) -> LoadedMatch:
    loaded = await host.begin("skull", "quick", place)
    for ply, move in enumerate(moves):
        loaded = await host.services.matches.play(loaded.id, (ADA, GRACE)[ply % 2], move)
    return loaded


async def searched_games(host: Host) -> int:
    """Search what is due an hour later; the number of games."""
    await host.pass_time(REST)
    count = 0
    while await host.services.moments.search_next() is not None:
        count += 1
    return count


async def test_a_game_is_searched_an_hour_after_its_end_and_once(host: Host) -> None:
    loaded = await played(host)
    moments = host.services.moments
    assert await moments.search_next() is None
    await host.pass_time(REST)
    searched = await moments.search_next()
    assert searched is not None
    assert (searched.match, searched.moments) == (loaded.id, 2)
    assert await moments.search_next() is None
    assert HERE.guild is not None
    found, missed = await moments.newest(HERE.guild)
    assert [missed, found] == await host.store.moments.of_match(loaded.id)
    assert (missed.user, missed.ply, missed.found) == (GRACE, 3, False)
    assert (found.user, found.ply, found.found) == (ADA, 4, True)


async def test_a_moment_is_a_puzzle_with_a_name(host: Host) -> None:
    loaded = await played(host)
    await searched_games(host)
    missed = (await host.store.moments.of_match(loaded.id))[0]
    assert moment_name(missed) == f"match-{loaded.id}-3"
    puzzle = await host.services.puzzles.find(moment_name(missed))
    assert puzzle.match.log == loaded.match.log[:3]
    assert puzzle.line == ("c4", "b1", "d4")
    assert puzzle.after(2).to_move == (0,)
    assert await host.services.moments.named("skull-3fa9c1d0") is None
    assert await host.services.moments.named(moment_name(missed)) == missed
    for unknown in (f"match-{loaded.id}-5", "match-999-3"):
        with pytest.raises(Refused, match="This puzzle is gone"):
            await host.services.puzzles.find(unknown)


async def test_a_moment_of_another_server_is_gone_except_for_its_players(host: Host) -> None:
    loaded = await played(host)
    await searched_games(host)
    name = moment_name((await host.store.moments.of_match(loaded.id))[0])
    elsewhere = Place(guild=2, channel=21)
    for way in (host.services.puzzles.open, host.services.puzzles.begin_again, host.services.puzzles.ended):
        with pytest.raises(Refused, match="This puzzle is gone"):
            await way(EMMY, name, elsewhere)
    with pytest.raises(Refused, match="This puzzle is gone"):
        await host.services.puzzles.exercise(EMMY, name, elsewhere)
    for user, place in ((EMMY, HERE), (ADA, elsewhere)):
        assert (await host.services.puzzles.open(user, name, place)).puzzle.match.log == loaded.match.log[:3]


async def test_what_is_not_public_or_too_old_is_not_searched(host: Host) -> None:
    await played(host, Place(None, 11))
    await host.begin("skull", "quick")
    old = await played(host)
    await host.pass_time(OLDEST + timedelta(seconds=1))
    assert await searched_games(host) == 0
    resigned = await played(host, moves=MISSED_AND_FOUND[:2])
    await host.services.matches.resign(resigned.id, GRACE)
    assert await searched_games(host) == 1
    assert await host.store.moments.of_match(old.id) == []


async def test_a_puzzle_is_gone_when_the_result_is_taken_back(host: Host) -> None:
    loaded = await played(host)
    await searched_games(host)
    name, _ = map(moment_name, await host.store.moments.of_match(loaded.id))
    await host.services.matches.break_off(loaded.id, HERE, "two accounts")
    with pytest.raises(Refused, match="This puzzle is gone"):
        await host.services.puzzles.find(name)


async def test_a_game_on_from_a_takeback_is_searched_as_it_stands(host: Host) -> None:
    """The plies of a moment count the moves that stayed."""
    loaded = await host.begin("skull", "quick")
    plays = [*MISSED_AND_FOUND[:2], "b2"]
    for ply, move in enumerate(plays):
        loaded = await host.services.matches.play(loaded.id, (ADA, GRACE)[ply % 2], move)
    proposal = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
    await host.services.proposals.agree(proposal.id, GRACE)
    for ply, move in enumerate(MISSED_AND_FOUND[2:], 2):
        loaded = await host.services.matches.play(loaded.id, (ADA, GRACE)[ply % 2], move)
    assert len(loaded.stored.log) > len(loaded.match.log)
    await searched_games(host)
    assert [it.ply for it in await host.store.moments.of_match(loaded.id)] == [3, 4]


class Failing:
    """Searches nothing."""

    async def moments(self, match: Match) -> Found:
        raise Unsearched


async def test_a_game_that_cannot_be_searched_is_not_tried_again_and_costs_of_the_budget(host: Host) -> None:
    loaded = await played(host)
    await host.pass_time(REST)
    moments = Moments(host.store, host.clock, Failing(), host.services.rounds)
    searched = await moments.search_next()
    assert searched is not None
    assert searched.seconds > 10
    assert await moments.search_next() is None
    assert await host.store.moments.of_match(loaded.id) == []


async def test_the_loop_takes_up_what_is_left(host: Host) -> None:
    loaded = await played(host)
    await host.pass_time(REST)
    running = asyncio.create_task(
        BackgroundTask("moments", MomentTask(host.services.moments, 100).round).run()
    )
    await wait_until(lambda: host.store.moments.of_match(loaded.id))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_the_rest_keeps_to_the_budget() -> None:
    assert rest(2.0, 5) == 38.0
    assert rest(2.0, 100) == 0.0
