"""Profiles: the ratings of a member in one server or everywhere, all games there, and games against another member."""

from dataclasses import replace
from datetime import timedelta

from db.rating_math import outcomes_of
from db.store import Store
from db.values.matches import Ending, NewEntry, Outcome
from db.values.members import COMPUTER_PLAYERS
from db.values.places import Place
from db.values.standings import PeriodKind
from tests.db.given import ANNA, BERT, CLEO, FIRST, GUILD, NOW, PLACE, accept, finished, new_challenge

GAMES = ("skull", "alaric")
ELSEWHERE = Place(GUILD + 1, 77)


async def rated(store: Store, hours: int, ranks: tuple[int, int], place: Place = PLACE) -> None:
    """Play a rated match of Anna and Bert that ends some hours after NOW with these ranks."""
    at = NOW + timedelta(hours=hours)
    await finished(store, (ANNA, BERT), outcomes_of(ranks), place=place, ranks=ranks, at=at)


async def test_a_computer_player_is_on_the_same_scale_and_marked(store: Store) -> None:
    await rated(store, 0, (1, 2))

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
    await rated(store, 0, (1, 2))
    await rated(store, 1, (2, 1), ELSEWHERE)
    for guild, counts in ((GUILD, (1, 0, 1)), (GUILD + 1, (0, 0, 1)), (None, (0, 0, 1))):
        assert (await store.profiles.duels(ANNA, BERT, guild)).games == (("skull", counts),)
    assert (await store.profiles.get(ANNA, "skull", None, GAMES)).seats == ((0, (0, 0, 1)),)
    assert (await store.profiles.get(ANNA, "skull", GUILD, GAMES)).seats == ((0, (1, 0, 0)),)
    await store.servers.depart(NOW, GUILD)
    assert await store.servers.forget(GUILD, NOW)
    for guild in (GUILD, GUILD + 1, None):
        assert (await store.profiles.duels(ANNA, BERT, guild)).games == (("skull", (0, 0, 1)),)


async def casual(store: Store, users: tuple[int, int], outcomes: tuple[Outcome, ...]) -> None:
    """Play a casual match; without outcomes it goes on."""
    new = new_challenge(*users)
    terms = replace(new.terms, rated=False)
    match = await accept(store, await store.challenges.add(replace(new, terms=terms)))
    if outcomes:
        await store.matches.append(match.id, 0, NewEntry(FIRST, NOW), Ending(outcomes))


async def test_casual_games_are_counted_apart_from_rated_ones(store: Store) -> None:
    crayon, won, drawn, lost = COMPUTER_PLAYERS[0], Outcome.WON, Outcome.DRAWN, Outcome.LOST
    await rated(store, 0, (1, 2))
    assert await store.profiles.casual(ANNA, None) == {}
    await casual(store, (ANNA, BERT), (lost, won))
    await casual(store, (crayon, ANNA), (lost, won))
    await casual(store, (ANNA, crayon), (won, lost))
    await casual(store, (ANNA, crayon), (drawn, drawn))
    await casual(store, (ANNA, crayon), ())
    assert await store.profiles.casual(ANNA, None) == {False: (0, 0, 1), True: (2, 1, 0)}
    assert await store.profiles.casual(BERT, "skull") == {False: (1, 0, 0)}
    assert await store.profiles.casual(ANNA, "alaric") == {}
