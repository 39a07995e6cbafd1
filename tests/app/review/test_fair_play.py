"""No help for running rated games: the same position is found again however it was reached."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import structlog
from sqlalchemy import update

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, back_to, forget_positions
from bot.app.members.agenda import agenda
from bot.app.review.fair_play import FairPlay
from db.engine import open_store
from db.models import MatchRow
from db.values.matches import NEAR
from db.values.places import Place
from rules.core.match import Match
from rules.games import find
from rules.games.palindromes import PalindromesView
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host
from tests.app.puzzles.test_guard import size_of
from tests.db.migrated import lay
from tests.db.statements import statements
from tests.rules.images import images, orbit, walks
from tests.rules.walks import step


def played(size: int, *moves: str) -> Match:
    match = Match.start(find("alaric"), {"size": size}, 2)
    for move in moves:
        match = match.play(match.to_move[0], move)
    return match


async def rated_game(host: Host, *moves: str, rated: bool = True) -> None:
    loaded = await host.begin("alaric", "11", rated=rated)
    for ply, move in enumerate(moves):
        await host.services.matches.play(loaded.id, (ADA, GRACE)[ply % 2], move)


MOVES = ("1", "5", "3", "7", "10", "8")


FOUND = {
    "same": MOVES,
    "other order": ("3", "7", "1", "5", "10", "8"),
    "turned": ("2", "6", "4", "8", "11", "9"),
    "mirrored": ("1", "8", "10", "6", "3", "5"),
    "one further": (*MOVES, "11"),
    "two further": (*MOVES, "11", "2"),
    "one back": MOVES[:-1],
    "two back": MOVES[:-2],
}
FREE = {
    "three further": (*MOVES, "11", "2", "9"),
    "three back": MOVES[:-3],
    "another last move": (*MOVES[:-1], "6"),
    "the beginning": ("1", "5"),
}


async def test_positions_near_a_running_rated_game_are_found(host: Host) -> None:
    assert NEAR == 2
    await rated_game(host, *MOVES)
    for moves in FOUND.values():
        with pytest.raises(Refused, match="A rated game"):
            await FairPlay(host.store.positions).check(played(11, *moves))
    for moves in FREE.values():
        await FairPlay(host.store.positions).check(played(11, *moves))


async def test_other_sizes_casual_games_and_finished_games_forbid_nothing(host: Host) -> None:
    await rated_game(host, *MOVES, rated=False)
    finished = await host.begin("alaric", "11", ELSEWHERE)
    for ply, move in enumerate(MOVES):
        await host.services.matches.play(finished.id, (ADA, GRACE)[ply % 2], move)
    fair_play = FairPlay(host.store.positions)
    with pytest.raises(Refused):
        await fair_play.check(played(11, *MOVES))
    await fair_play.check(played(12, *MOVES))
    await host.services.matches.resign(finished.id, ADA)
    await fair_play.check(played(11, *MOVES))


async def test_plies_near_a_running_rated_game_are_named(host: Host) -> None:
    await rated_game(host, *MOVES[:4])
    whole = played(11, *MOVES, "11", "2")
    assert await FairPlay(host.store.positions).near(whole) == {2, 3, 4, 5, 6}


@pytest.fixture
def either_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with empty tables."""
    if kind == "sqlite":
        return f"sqlite:///{lay(tmp_path)}"
    url: str = request.getfixturevalue("migrated_url")
    return url


@pytest.fixture
async def either_host(either_url: str, tmp_path: Path) -> AsyncIterator[Host]:
    async with open_store(either_url, tmp_path, prepared=True) as store:
        host = Host(store)
        yield host


SMALL = {
    "skull": "4x3",
    "alaric": "7",
    "xlines": "3",
    "polygons": "dots=2 size=10",
    "spaghetti": "2",
    "maze": "2",
    "cocomposite": "4",
    "palindromes": "8",
}
"""By game: a board on which random games often meet."""


def by_replay(match: Match, running: Sequence[Match], key: Callable[[Match], Hashable]) -> set[int]:
    """Return the plies after which a match is near one of others, whose last positions are compared one by one."""
    recent = [[key(stage) for stage in stages(other)[: -NEAR - 2 : -1]] for other in running]
    now, lately = {keys[0] for keys in recent}, {it for keys in recent for it in keys}
    keys = [key(stage) for stage in stages(match)]
    return {
        index
        for index, it in enumerate(keys)
        if it in lately or not now.isdisjoint(keys[max(0, index - NEAR) : index])
    }


def stages(match: Match) -> list[Match]:
    return [Match.replay(match.game, match.setup, match.log[:plies]) for plies in range(len(match.log) + 1)]


def exactly(match: Match) -> Hashable:
    return match.playing, match.game.position(match.state)


async def random_game(host: Host, game: str, chance: random.Random, *, rated: bool) -> None:
    """A running game after random moves, some of which may be taken back. A quarter has been stored without keys."""
    loaded = await host.services.matches.load((await host.begin(game, SMALL[game], rated=rated)).id)
    for _ in range(chance.randrange(7)):
        after = step(loaded.match, chance)
        if after.over:
            break
        loaded = await host.services.matches.move_log.enter(loaded, after.log[-1], after)
        if len(after.log) > 2 and chance.random() < 0.1:
            entry = back_to(len(after.log) - 2)
            before = LoadedMatch.of(replace(loaded.stored, log=(*loaded.stored.log, entry)))
            loaded = await host.services.matches.move_log.enter(loaded, entry, before.match)
    if chance.random() < 0.25:
        async with host.store.sessions.write() as session:
            await session.execute(update(MatchRow).where(MatchRow.id == loaded.id).values(keyed_plies=None))


@pytest.mark.parametrize(
    ("kind", "game", "asked_for"),
    [
        ("sqlite", "alaric", 3),
        pytest.param("sqlite", "palindromes", 3, marks=pytest.mark.soak),
        pytest.param("postgresql", "skull", 3, marks=pytest.mark.soak),
        *(pytest.param("sqlite", game, 40, marks=pytest.mark.soak) for game in SMALL),
    ],
)
async def test_checks_by_key_find_what_replays_find(either_host: Host, game: str, asked_for: int) -> None:
    """They find what the earlier comparison of all games found, and all that `orbit` calls the same."""
    host, chance, told = either_host, random.Random(game), set[bool]()
    for number in range(8):
        await random_game(host, game, chance, rated=number % 2 == 0)
    stored = await host.store.matches.running()
    same = cache(orbit)
    for _ in range(asked_for):
        asked = Match.start(find(game), dict(stored[0].setup.options), 2)
        for _ in range(chance.randrange(8)):
            asked = asked if asked.over else step(asked, chance)
        asked = chance.choice(list(images(asked)))
        for rated in (True, False):
            running = [LoadedMatch.of(it).match for it in stored if it.rated or not rated]
            found = await FairPlay(host.store.positions).near(asked, rated=rated)
            assert found == by_replay(asked, running, same)
            assert all(found >= by_replay(walk[-1], running, exactly) for walk in walks(asked))
            told |= {number in found for number in range(len(asked.log) + 1)}
    assert told == {True, False}


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
async def test_faced_cards_are_found_as_by_replay(either_host: Host) -> None:
    host, chance, told = either_host, random.Random(8), set[bool]()
    for number in range(8):
        await random_game(host, "palindromes", chance, rated=number % 4 > 0)
    running = [LoadedMatch.of(it).match for it in await host.store.matches.running() if it.rated]
    faced = [seen(it, seat) for it in running for seat in it.to_move if seat is not None]
    for number in range(12):
        asked = Match.start(find("palindromes"), {"cards": chance.choice((8, 8, 9))}, 2).play(None, "deal 4")
        for _ in range(number % 4):
            asked = step(asked, chance)
        if number % 5 == 0:
            asked = chance.choice(running)
        for seat in asked.to_move:
            assert seat is not None
            helps = any(alike(seen(asked, seat), it) for it in faced)
            told.add(helps)
            if helps:
                with pytest.raises(Refused, match="has the same cards"):
                    await FairPlay(host.store.positions).check_hidden(asked, seat)
            else:
                await FairPlay(host.store.positions).check_hidden(asked, seat)
    assert told == {True, False}


def seen(match: Match, seat: int) -> tuple[int, int] | str:
    """Return the hand of a player, or the row that they search."""
    view = match.observe(seat).board
    assert isinstance(view, PalindromesView)
    return view.hand or view.rows[1 - seat] or ""


def alike(one: tuple[int, int] | str, other: tuple[int, int] | str) -> bool:
    if isinstance(one, tuple) or isinstance(other, tuple):
        return one == other
    shorter, longer = sorted((one, other), key=len)
    return shorter in longer or shorter[::-1] in longer


@pytest.mark.soak
async def test_help_costs_the_same_with_many_running_games(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the statements nor the replayed moves grow with the games of others at today's puzzle."""
    services = host.services
    puzzle = await services.puzzles.of_day(services.daily_puzzles.today)
    costs = Counter[str]()
    play = Match.play

    def counted(match: Match, seat: int | None, text: str) -> Match:
        costs["moves"] += 1
        return play(match, seat, text)

    async def cost() -> Counter[str]:
        costs.clear()
        with statements() as sent:
            assert await services.daily_puzzles.undone(EMMY) == puzzle
            await agenda(services.matches, services.challenges, services.proposals, EMMY, HERE)
        return costs + Counter(statements=len(sent))

    await cost()
    monkeypatch.setattr(Match, "play", counted)
    alone = await cost()
    start = Match.start(puzzle.match.game, dict(puzzle.match.setup.options), 2)
    for number in range(10):
        others = await host.begin(
            puzzle.game, size_of(start), Place(guild=1, channel=1000 + number), rated=number % 2 == 0
        )
        after = step(others.match, random.Random(number))
        await services.matches.move_log.enter(others, after.log[-1], after)
    forget_positions()
    await cost()
    assert await cost() == alone
    assert alone["statements"] > 0


async def test_unreadable_game_stops_no_check(host: Host) -> None:
    """Its keys are unknown, it is logged once, and other games are found all the same."""
    broken = await host.begin("alaric", "11")
    await rated_game(host, *MOVES)
    async with host.store.sessions.write() as session:
        await session.execute(update(MatchRow).values(keyed_plies=None))
        await session.execute(
            update(MatchRow).where(MatchRow.id == broken.id).values(options=(("size", 99),))
        )
    with structlog.testing.capture_logs() as lines:
        for _ in range(2):
            with pytest.raises(Refused):
                await FairPlay(host.store.positions).check(played(11, *MOVES))
            await FairPlay(host.store.positions).check(played(12, *MOVES))
    assert [(it["event"], it["match"]) for it in lines] == [("match.replay_failed", broken.id)]
