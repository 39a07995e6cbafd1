"""Profiles: the ratings of a member in one server or everywhere, all games there, and games against another member."""

from datetime import timedelta

from db.rating_math.leaderboards import outcomes_of
from db.store import Store
from db.values.places import Place
from db.values.standings.leaderboards import PeriodKind
from db.values.standings.profiles import Counts, Duels, Profile, Runs
from rules.core.match import Setup
from tests.db.given import ANNA, BERT, CLEO, GUILD, NOW, PLACE, SKULL, finished

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
