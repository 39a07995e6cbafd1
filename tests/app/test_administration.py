"""The owner bans: running games end, and nothing more happens by itself in a banned server."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import bot.app.administration
import db.stores.challenges
from bot.app.administration import Administration
from bot.app.challenges.terms import terms_of
from bot.ui.components.wording import result
from db.engine import open_store
from db.values.matches import Outcome
from db.values.places import Ownership, Place, Shards
from db.values.posts import PostKind
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.db.given import second_game
from tests.db.migrated import lay

pytestmark = pytest.mark.slow

OWNER = 7
OTHER_SERVER = 2
OTHER = Place(guild=OTHER_SERVER, channel=21)
DAY = timedelta(days=1)


@pytest.fixture
async def owned(tmp_path: Path) -> AsyncIterator[Host]:
    """A host whose store knows which servers are banned, as in the bot."""
    lay(tmp_path)
    ownership = Ownership()
    async with open_store(None, tmp_path, ownership, prepared=True) as store:
        host = Host(store, ownership=ownership)
        yield host


def administration(host: Host) -> Administration:
    return host.services.administration


async def test_a_banned_member_resigns_every_running_game(owned: Host) -> None:
    endless = await owned.begin("skull", "quick")
    clocked = await owned.begin("skull", "quick", clock="24h")
    of_two = await owned.begin("alaric", "quick", games=2)
    of_three = await owned.begin("maze", "quick", others=(GRACE, EMMY))
    left = await administration(owned).ban_member(OWNER, ADA, "spam", None)
    for loaded in (endless, clocked):
        over = await owned.services.matches.load(loaded.id)
        assert over.stored.outcomes == (Outcome.LOST, Outcome.WON)
        assert all(clock is None or clock.deadline is None for clock in over.stored.clocks)
    second = await second_game(owned.store, of_two.id)
    assert (await owned.services.matches.load(second)).match.over
    going_on = await owned.services.matches.load(of_three.id)
    assert going_on.match.playing == (1, 2)
    assert set(left.matches) == {endless.id, clocked.id, of_two.id, second, of_three.id}
    # It is listed until its end, and left once.
    assert await administration(owned).end_games() == []
    assert await owned.store.ratings.of_member(GRACE) == []  # Nobody moved, so nobody's rating changes.


@pytest.mark.soak
async def test_ban_returns_games_though_a_round_runs_meanwhile(
    owned: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = {(await owned.begin("skull", "quick")).id for _ in range(3)}
    rounds: list[asyncio.Task[Any]] = []
    read = owned.store.challenges.open

    async def slow_read(**options: Any) -> Any:
        rounds.append(asyncio.create_task(administration(owned).end_games()))
        await asyncio.wait(rounds, timeout=0.3)
        return await read(**options)

    monkeypatch.setattr(owned.store.challenges, "open", slow_read)
    left = await administration(owned).ban_member(OWNER, ADA, "spam", None)
    assert set(left.matches) == games
    assert await asyncio.gather(*rounds) == [[]]


async def test_games_that_begin_before_a_process_knows_of_a_ban_end_too(owned: Host) -> None:
    await administration(owned).ban_member(OWNER, ADA, "spam", 1)
    of_member = await owned.begin("skull", "quick")
    assert await administration(owned).end_games(Shards.some(2, {1})) == []
    assert await administration(owned).end_games() == [(of_member.id, ADA)]
    owned.clock.push(DAY)
    after = await owned.begin("skull", "quick")
    assert await administration(owned).end_games() == []
    assert not (await owned.services.matches.load(after.id)).match.over


async def test_the_games_of_a_banned_server_end_without_a_result(owned: Host) -> None:
    games = [await owned.begin("alaric", "quick", OTHER, clock=clock) for clock in ("24h", "")]
    for cell in ("1", "3", "5", "7"):
        for loaded in games:
            await owned.services.matches.play(loaded.id, (ADA, GRACE)[cell in "37"], cell)
    of_two = await owned.begin("alaric", "quick", OTHER, games=2)
    elsewhere = await owned.begin("alaric", "quick")
    ended = await administration(owned).ban_server(OWNER, OTHER_SERVER, "raids", None)
    assert list(ended) == [*(it.id for it in games), of_two.id]
    for loaded in games:
        over = await owned.services.matches.load(loaded.id)
        assert over.stored.outcomes is None
        assert (
            result(over) == "This game has ended because the bot may not be used in this server. Nobody wins."
        )
        assert all(clock is None or clock.deadline is None for clock in over.stored.clocks)
    assert await owned.store.matches.second_game(of_two.id) is None
    assert await owned.store.ratings.of_member(ADA) == []
    assert not (await owned.services.matches.load(elsewhere.id)).match.over


async def test_nothing_happens_by_itself_in_a_banned_server(owned: Host) -> None:
    """Neither is time judged, nor anything posted, as long as the ban holds."""
    services, store = owned.services, owned.store
    here, there = [
        await owned.begin("skull", "quick", place, clock="24h", others=(EMMY,)) for place in (HERE, OTHER)
    ]
    for place in (HERE, OTHER):
        await store.servers.change(
            place.guild or 0, podium=True, puzzle_channel=5, puzzle_hour=0, weekly_moment=True
        )
        await services.challenges.make(place, EMMY, terms_of("skull", "", 2, 2), [GRACE])

    async def due() -> list[set[Any]]:
        at = owned.clock.now()
        return [
            {it.guild for it in await store.posts.pending(at, 100)},
            *[
                {guild for guild, _ in await store.servers.due(kind, str(at.date()), 24, 100)}
                for kind in (PostKind.PODIUM, PostKind.PUZZLE, PostKind.MOMENT)
            ],
        ]

    both = {HERE.guild, OTHER.guild}
    assert await due() == [both] * 4
    await administration(owned).ban_server(OWNER, OTHER_SERVER, "raids", 2)
    assert await due() == [{HERE.guild}] * 4
    # A game that another process has begun meanwhile.
    late = await owned.begin("skull", "quick", OTHER, clock="24h", others=(EMMY,))
    await owned.pass_time(DAY)
    assert (await services.timekeeper.round()).decided == [here.id]
    assert not (await services.matches.load(late.id)).match.over
    owned.clock.push(DAY)
    await administration(owned).refresh()
    assert await due() == [both] * 4
    assert (await services.matches.load(there.id)).stored.void is not None


@pytest.mark.soak
async def test_bans_and_challenges_are_read_in_pages(owned: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.app.administration, "PAGE", 2)
    monkeypatch.setattr(db.stores.challenges, "LISTED", 2)
    monkeypatch.setattr(bot.app.administration, "LISTED", 2)
    terms = [
        terms_of(game, "quick", 2, 2) for game in ("alaric", "palindromes", "skull", "xlines", "polygons")
    ]
    made = [(await owned.services.challenges.make(HERE, ADA, it, (GRACE,))).id for it in terms]
    left = await administration(owned).ban_member(OWNER, ADA, "spam", None)
    assert left.challenges == tuple(made)
    for user in (1000, 1001, 1002):
        await administration(owned).ban_member(OWNER, user, "spam", 1)
    assert [it.user for it in await administration(owned).bans()] == [1002, 1001, 1000, ADA]
    owned.clock.push(DAY)
    assert [it.user for it in await administration(owned).bans()] == [ADA]


async def test_a_lifted_ban_no_longer_holds(owned: Host) -> None:
    await administration(owned).ban_server(OWNER, OTHER_SERVER, "raids", None)
    assert not owned.services.ownership.shows(OTHER_SERVER)
    (ban,) = await administration(owned).bans()
    await administration(owned).unban(OWNER, ban.id)
    assert owned.services.ownership.shows(OTHER_SERVER)
    assert administration(owned).ban_of_server(OTHER_SERVER) is None
