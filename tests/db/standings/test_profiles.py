"""Profiles: the ratings of a member in one server or everywhere, all games there, and games against another member."""

from datetime import timedelta

from db.rating_math import outcomes_of
from db.store import Store
from db.values.places import Place
from db.values.standings import Counts, Duels, PeriodKind, Profile
from rules.core.match import Setup
from tests.db.given import ANNA, BERT, CLEO, GUILD, NOW, PLACE, SKULL, finished

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
