"""Profiles: the ratings of a member in one server or everywhere, all games there, and games against another member."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby

import pytest

from db.rating_math import outcomes_of
from db.store import Store
from db.stores.standings import profiles
from db.values.matches import Outcome
from db.values.places import Place
from db.values.standings import TOGETHER, Counts, Duels, PeriodKind, Profile, Runs
from rules.core.match import Setup
from tests.db.given import ANNA, BERT, CLEO, GUILD, LOST, NOW, PLACE, SKULL, WON, finished

ALARIC = Setup("alaric", (("size", 7),), 2)
GAMES = ("skull", "alaric")
ELSEWHERE, DIRECT = Place(GUILD + 1, 77), Place(None, 5)


async def rated(
    store: Store,
    hours: int,
    users: tuple[int, ...],
    ranks: tuple[int, ...],
    place: Place = PLACE,
    setup: Setup = SKULL,
) -> int:
    """Play a rated match that ends some hours after NOW with these ranks."""
    at = NOW + timedelta(hours=hours)
    return await finished(store, users, outcomes_of(ranks), place=place, setup=setup, ranks=ranks, at=at)


def held(profile: Profile) -> dict[str, Counts]:
    return {it.leaderboard.game: (it.won, it.drawn, it.lost) for it in profile.ratings}


async def test_members_without_games_have_an_empty_profile(store: Store) -> None:
    assert await store.profiles.get(ANNA, None, GUILD, GAMES) == Profile(())


async def test_a_profile_is_of_one_place_and_one_game_or_all(store: Store) -> None:
    await rated(store, 0, (ANNA, BERT), (1, 2))
    await rated(store, 1, (CLEO, ANNA), (1, 2), setup=ALARIC)
    await rated(store, 2, (ANNA, BERT), (1, 1), place=ELSEWHERE)
    here = await store.profiles.get(ANNA, None, GUILD, GAMES)
    assert held(here) == {"": (1, 0, 1), "skull": (1, 0, 0), "alaric": (0, 0, 1)}
    assert (here.runs, here.seats) == (Runs(0, 1, 0, 1), ())
    (won_at, after_won), (lost_at, after_lost) = here.scores
    assert (won_at, lost_at) == (NOW, NOW + timedelta(hours=1))
    assert 1000 < after_won > after_lost == here.ratings[0].held.skill.score
    assert here.members == 3
    assert 1 <= here.rank <= 3
    skull = await store.profiles.get(ANNA, "skull", GUILD, GAMES)
    assert (skull.seats, len(skull.scores)) == (((0, (1, 0, 0)),), 1)
    assert (skull.rank, skull.members) == (1, 2)
    everywhere = await store.profiles.get(ANNA, None, None, GAMES)
    assert held(everywhere) == {"": (1, 1, 1), "skull": (1, 1, 0), "alaric": (0, 0, 1)}
    assert (everywhere.runs, len(everywhere.scores)) == (Runs(0, 1, 1, 1), 3)
    assert (await store.profiles.get(ANNA, "go", GUILD, (*GAMES, "go"))).rank == 0


async def test_duels_are_the_games_of_both_from_either_side(store: Store) -> None:
    await rated(store, 0, (ANNA, BERT), (1, 2))
    await rated(store, 1, (ANNA, CLEO), (1, 2))
    await rated(store, 2, (CLEO, BERT, ANNA), (1, 2, 2), setup=Setup("maze", (("size", 4),), 3))
    await rated(store, 3, (BERT, ANNA), (1, 2), place=DIRECT)
    last = NOW + timedelta(hours=3)
    of_anna = (("maze", (0, 1, 0)), ("skull", (1, 0, 1)))
    assert await store.profiles.duels(ANNA, BERT, GUILD) == Duels(of_anna, last)
    assert await store.profiles.duels(BERT, ANNA, None) == Duels(of_anna, last)
    assert await store.profiles.duels(CLEO, ANNA, None) == Duels(
        (("maze", (1, 0, 0)), ("skull", (0, 0, 1))), NOW + timedelta(hours=2)
    )
    assert await store.profiles.duels(ANNA, 999, GUILD) == Duels()


async def test_a_computer_player_is_on_the_same_scale_and_marked(store: Store) -> None:
    await rated(store, 0, (ANNA, BERT), (1, 2))

    async def board() -> dict[int, tuple[int, int, bool]]:
        found = await store.leaderboards.page("skull", GUILD, PeriodKind.ALWAYS, NOW, CLEO, 10)
        return {it.rating.user: (it.rank, it.rating.held.skill.score, it.computer) for it in found.rows}

    before = await board()
    await store.members.change(ANNA, computer=True)
    assert await board() == before | {ANNA: (*before[ANNA][:2], True)}
    told = [(await store.profiles.get(user, None, GUILD, GAMES)).computer for user in (ANNA, BERT)]
    assert told == [True, False]
    for pair in ((ANNA, BERT), (BERT, ANNA)):
        assert (await store.profiles.duels(*pair, GUILD)).computers == {ANNA}


async def test_local_games_appear_only_in_their_server(store: Store) -> None:
    await store.servers.change(GUILD, everywhere=False)
    await rated(store, 0, (ANNA, BERT), (1, 2))
    await rated(store, 1, (ANNA, BERT), (2, 1), place=ELSEWHERE)
    for guild, counts in ((GUILD, (1, 0, 1)), (GUILD + 1, (0, 0, 1)), (None, (0, 0, 1))):
        assert (await store.profiles.duels(ANNA, BERT, guild)).games == (("skull", counts),)
    assert (await store.profiles.get(ANNA, "skull", None, GAMES)).seats == ((0, (0, 0, 1)),)
    assert (await store.profiles.get(ANNA, "skull", GUILD, GAMES)).seats == ((0, (1, 0, 0)),)
    await store.servers.depart(NOW, GUILD)
    assert await store.servers.forget(GUILD, NOW)
    for guild in (GUILD, GUILD + 1, None):
        assert (await store.profiles.duels(ANNA, BERT, guild)).games == (("skull", (0, 0, 1)),)


async def test_what_was_played_in_a_server_that_is_forgotten_still_counts(store: Store) -> None:
    await rated(store, 0, (ANNA, BERT), (1, 2))
    await rated(store, 1, (ANNA, BERT), (2, 1), place=ELSEWHERE)
    before = await store.profiles.get(ANNA, "skull", None, GAMES)
    assert await store.profiles.get(ANNA, None, GUILD, GAMES) != Profile(())
    await store.servers.depart(NOW, GUILD)
    assert await store.servers.forget(GUILD, NOW)
    after = await store.profiles.get(ANNA, "skull", None, GAMES)
    assert (after.runs, after.seats, after.scores) == (before.runs, before.seats, before.scores)
    assert (await store.profiles.duels(ANNA, BERT, None)).games == (("skull", (1, 0, 1)),)
    assert await store.profiles.get(ANNA, None, GUILD, GAMES) == Profile(())


async def test_a_result_that_is_taken_back_is_no_part_of_a_run(store: Store) -> None:
    await rated(store, 0, (ANNA, BERT), (1, 2))
    lost = await rated(store, 1, (ANNA, BERT), (2, 1))
    await rated(store, 2, (ANNA, BERT), (1, 2))
    assert (await store.profiles.get(ANNA, None, GUILD, GAMES)).runs == Runs(1, 1, 1, 1)
    await store.matches.void(lost, NOW, "two accounts")
    found = await store.profiles.get(ANNA, "skull", GUILD, GAMES)
    assert (found.runs, found.seats, len(found.scores)) == (Runs(2, 2, 2, 2), ((0, (2, 0, 0)),), 2)
    assert (await store.profiles.duels(BERT, ANNA, GUILD)).games == (("skull", (0, 0, 2)),)


@dataclass
class Told:
    """A plain recount of all games, without the store's queries."""

    games: list[tuple[datetime, str, int | None, dict[int, tuple[int, int]]]] = field(default_factory=list)
    """When each ended, of which game, in which server; by member the seat and the place in the result."""
    scores: dict[tuple[int, str, int | None], list[tuple[datetime, int]]] = field(default_factory=dict)
    """By member, game ("" for all) and server (None for everywhere): the score after each game."""

    async def play(self, store: Store, number: int, chance: random.Random) -> None:
        """Play a match of two or three members."""
        users = chance.sample((ANNA, BERT, CLEO), chance.choice((2, 2, 3)))
        raw = chance.choices((1, 2, 3), k=len(users))
        ranks = tuple(1 + sum(other < rank for other in raw) for rank in raw)
        place, game = chance.choice((PLACE, PLACE, ELSEWHERE, DIRECT)), chance.choice(GAMES)
        hours = number // 2 * 7  # Two at a time end together.
        await rated(store, hours, tuple(users), ranks, place, Setup(game, (), len(users)))
        at = NOW + timedelta(hours=hours)
        seats = {user: (seat, rank) for seat, (user, rank) in enumerate(zip(users, ranks, strict=True))}
        self.games.append((at, game, place.guild, seats))
        for user in users:
            for it in await store.ratings.of_member(user):
                board = it.leaderboard
                if not board.period and board.game in ("", game) and board.guild in (0, place.guild):
                    key = (user, board.game, board.guild or None)
                    self.scores.setdefault(key, []).append((at, it.held.skill.score))

    def outcomes(self, user: int, game: str, guild: int | None) -> list[tuple[int, Outcome]]:
        """Return the seat of a member in each game, and the outcome."""
        found = []
        for _, its, where, seats in self.games:
            if user in seats and game in ("", its) and guild in (None, where):
                best = [rank for _, rank in seats.values()].count(1)
                seat, rank = seats[user]
                found.append((seat, LOST if rank > 1 else WON if best == 1 else Outcome.DRAWN))
        return found

    def against(self, one: int, other: int) -> dict[str, Counts]:
        found: dict[str, list[int]] = {}
        for _, game, _, seats in self.games:
            if one in seats and other in seats:
                mine, theirs = seats[one][1], seats[other][1]
                found.setdefault(game, [0, 0, 0])[(mine >= theirs) + (mine > theirs)] += 1
        return {game: (counts[0], counts[1], counts[2]) for game, counts in found.items()}


def run_lengths(outcomes: Sequence[Outcome], *kept: Outcome) -> tuple[int, int]:
    """Return the length of the run at the end and of the longest one."""
    runs = [(good, len(list(its))) for good, its in groupby(it in kept for it in outcomes)]
    return runs[-1][1] if runs[-1][0] else 0, max((length for good, length in runs if good), default=0)


@pytest.mark.both_databases
async def test_profiles_equal_a_plain_recount(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "POINTS", 5)
    told, chance = Told(), random.Random(1)
    for number in range(18):
        await told.play(store, number, chance)
    for user in (ANNA, BERT, CLEO):
        for guild in (None, GUILD, GUILD + 1):
            for game in (TOGETHER, *GAMES):
                expected = told.outcomes(user, game, guild)
                found = await store.profiles.get(user, game or None, guild, GAMES)
                if not expected:
                    assert found.scores == ()
                    continue
                outcomes = [outcome for _, outcome in expected]
                won, drawn = run_lengths(outcomes, WON), run_lengths(outcomes, WON, Outcome.DRAWN)
                assert found.runs == Runs(*won, *drawn)
                seats = {seat for seat, _ in expected}
                counts = {seat: tuple(expected.count((seat, it)) for it in Outcome) for seat in seats}
                assert dict(found.seats) == (counts if game else {})
                scores = told.scores[user, game, guild]
                every = -(-len(scores) // 5)
                thinned = (it for back, it in enumerate(scores[:0:-1]) if back % every == 0)
                assert found.scores == (scores[0], *[*thinned][::-1])
    for one, other in ((ANNA, BERT), (BERT, CLEO), (CLEO, ANNA)):
        for mine, theirs in ((one, other), (other, one)):
            assert dict((await store.profiles.duels(mine, theirs, None)).games) == told.against(mine, theirs)
