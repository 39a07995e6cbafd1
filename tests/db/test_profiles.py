"""How members have fared: their ratings in one place, their newest games, and those against somebody."""

from datetime import timedelta
from typing import Any

from db.store import SqlStore
from db.stores import profiles
from db.values import Outcome, Place, Profile
from rules.core.match import Setup
from tests.db.given import ANNA, BERT, CLEO, FIRST, GUILD, LOST, NOW, PLACE, SKULL, WON, started

ALARIC = Setup("alaric", (("size", 7),), 2)
GAMES = ("skull", "alaric")
ELSEWHERE = Place(GUILD + 1, 77)


async def rated(
    store: SqlStore,
    hours: int,
    users: tuple[int, ...],
    ranks: tuple[int, ...],
    place: Place = PLACE,
    setup: Setup = SKULL,
) -> int:
    """A rated match that ends so many hours after NOW; the players stand in the result at these places."""
    at = NOW + timedelta(hours=hours)
    match = await started(store, users, place=place, setup=setup, at=at)
    outcomes = [Outcome.DRAWN if len(set(ranks)) == 1 else WON if rank == 1 else LOST for rank in ranks]
    await store.append(match.id, 0, FIRST, at, outcomes, ranks=ranks)
    return match.id


def held(profile: Profile) -> dict[str, tuple[int, int, int]]:
    return {it.board.game: (it.won, it.drawn, it.lost) for it in profile.ratings}


async def test_nobody_has_fared_who_has_not_played(store: SqlStore) -> None:
    assert await store.profile(ANNA, None, GUILD, GAMES) == Profile((), (), 0, 0)


async def test_a_profile_is_of_one_place_and_one_game_or_all(store: SqlStore) -> None:
    first = await rated(store, 0, (ANNA, BERT), (1, 2))
    second = await rated(store, 1, (CLEO, ANNA), (1, 2), setup=ALARIC)
    third = await rated(store, 2, (ANNA, BERT), (1, 1), place=ELSEWHERE)
    here = await store.profile(ANNA, None, GUILD, GAMES)
    assert held(here) == {"": (1, 0, 1), "skull": (1, 0, 0), "alaric": (0, 0, 1)}
    assert [(it.match, it.game, it.seat, it.outcome) for it in here.games] == [
        (second, "alaric", 1, LOST),
        (first, "skull", 0, WON),
    ]
    assert here.games[1].before == 1000
    assert here.games[0].before > 1000
    assert here.members == 3
    assert 1 <= here.place <= 3
    skull = await store.profile(ANNA, "skull", GUILD, GAMES)
    assert [it.match for it in skull.games] == [first]
    assert (skull.place, skull.members) == (1, 2)
    everywhere = await store.profile(ANNA, None, None, GAMES)
    assert held(everywhere) == {"": (1, 1, 1), "skull": (1, 1, 0), "alaric": (0, 0, 1)}
    assert [it.match for it in everywhere.games] == [third, second, first]
    assert (await store.profile(ANNA, "go", GUILD, (*GAMES, "go"))).place == 0


async def test_the_newest_games_alone_are_looked_at(store: SqlStore, monkeypatch: Any) -> None:
    monkeypatch.setattr(profiles, "NEWEST", 3)
    matches = [await rated(store, 30 * number, (ANNA, BERT), (1, 2)) for number in range(5)]
    found = await store.profile(ANNA, None, GUILD, GAMES)
    assert [it.match for it in found.games] == matches[:1:-1]
    assert held(found)[""] == (5, 0, 0)
    assert [it.match for it in await store.duels(ANNA, BERT)] == matches[:1:-1]


async def test_duels_are_the_games_of_both(store: SqlStore) -> None:
    first = await rated(store, 0, (ANNA, BERT), (1, 2))
    await rated(store, 1, (ANNA, CLEO), (1, 2))
    three = await rated(store, 2, (CLEO, BERT, ANNA), (1, 2, 2), setup=Setup("maze", (("size", 4),), 3))
    assert [(it.match, it.game, it.ranks) for it in await store.duels(ANNA, BERT)] == [
        (three, "maze", (2, 2)),
        (first, "skull", (1, 2)),
    ]
    assert [it.ranks for it in await store.duels(BERT, ANNA)] == [(2, 2), (2, 1)]
    assert await store.duels(ANNA, 999) == ()
