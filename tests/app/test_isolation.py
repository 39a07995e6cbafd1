"""In every round over items, one item that fails affects only itself, and the next round completes it.

A case says how items are prepared, how one of them is broken, how a round is run, and how to see that an item is done.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import structlog
from sqlalchemy import select, update

from bot.app.bans import digest_of_member, digest_of_server
from bot.app.challenges.terms import terms_of
from bot.app.matches.positions import forget_positions
from bot.app.moments.finder import Found
from bot.app.moments.moments import REST
from bot.app.tasks.rounds import FIRST_DELAY
from bot.pencilbox import Pencilbox
from bot.ui.computers.task import ComputerTask
from bot.ui.kit.posts.outbox import Outbox, Publisher
from bot.ui.matches.clock_task import ClockTask
from db.api.administration import AdminAction, Ban
from db.api.challenges import Answer, Order, Reply
from db.api.places import Place
from db.api.posts import PostKind
from db.api.proposals import Matter
from db.api.shards import Shards
from db.api.standings.ratings import HeldSkill, Leaderboard, Rating
from db.models import MatchRow, PlyRow
from db.stores.standings.ratings.rows import write_ratings
from rules.core.match import Match
from tests.app.conftest import ADA, EMMY, GRACE, GRACE_PERIOD, HERE, Host

DAY = timedelta(days=1)
Run = Callable[[], Awaitable[object]]


class Broken(Exception):
    """The error of the item that is broken."""


@dataclass
class Scene:
    """What a case works on: a host, a folder, and items that fail when a patched method is called with them."""

    host: Host
    folder: Path
    patch: pytest.MonkeyPatch
    broken: object = None

    def fail(self, owner: object, method: str, of: Callable[..., object] = lambda it, *_: it) -> None:
        """Let a method fail for the broken item; `of` returns the item from the method's arguments."""
        work = getattr(owner, method)

        async def failing(*arguments: Any, **named: Any) -> Any:
            if of(*arguments) == self.broken:
                raise Broken
            return await work(*arguments, **named)

        self.patch.setattr(owner, method, failing)

    @asynccontextmanager
    async def without(self, item: object) -> AsyncIterator[None]:
        """Break an item while the context lasts."""
        self.broken = item
        yield
        self.broken = None


@dataclass
class Prepared:
    """The items of a round, the round, and how to see that an item is done."""

    items: Sequence[Any]
    round: Run
    done: Callable[[Any], Awaitable[bool]]
    broken: Callable[[Any], AbstractAsyncContextManager[None]]
    """Break an item while the context lasts."""
    key: Callable[[Any], str] = str
    """The name of an item for the operator."""


Case = Callable[[Scene], Awaitable[Prepared]]


# --- what several cases need


def unreadable(host: Host) -> Callable[[int], AbstractAsyncContextManager[None]]:
    """Return what makes the record of a match unreadable while a context lasts."""

    async def store_first_move(match: int, move: str) -> None:
        async with host.store._sessions.write() as session:
            changed = update(PlyRow).where(PlyRow.match_id == match, PlyRow.ply == 0)
            await session.execute(changed.values(text=move))
        host.store.forget_matches(lambda _: True)
        forget_positions()

    @asynccontextmanager
    async def broken(match: int) -> AsyncIterator[None]:
        async with host.store._sessions.read() as session:
            query = select(PlyRow.text).where(PlyRow.match_id == match, PlyRow.ply == 0)
            before = await session.scalar(query)
        assert before is not None
        await store_first_move(match, "?")
        yield
        await store_first_move(match, before)

    return broken


async def moved(host: Host, place: Place = HERE, clock: str = "") -> int:
    """Begin a game in which the first player has moved. Return its id."""
    table = await host.begin("skull", "quick", place, clock=clock)
    await host.services.matches.play(table.id, ADA, "c2")
    return table.id


def is_over(host: Host) -> Callable[[int], Awaitable[bool]]:
    async def over(match: int) -> bool:
        stored = await host.store.load(match)
        return stored is not None and stored.finished_at is not None

    return over


def clock_task(scene: Scene) -> tuple[ClockTask, SimpleNamespace]:
    """Return the task of clocks, and the matches of which players were `reminded`."""
    shown = SimpleNamespace(reminded=[], decided=[])

    async def remind(table: Any, reminder: Any) -> None:
        if table.id == scene.broken:
            raise Broken
        shown.reminded.append(table.id)

    async def no_wait() -> None:
        pass

    scene.patch.setattr(scene.host.services.timekeeper, "wait", no_wait)
    clients = SimpleNamespace(connected=frozenset({0}))

    async def show(match: int) -> None:
        shown.decided.append(match)

    boards = SimpleNamespace(remind=remind, show_unreached=show, outbox=SimpleNamespace(wake=lambda: None))
    return ClockTask(cast(Any, clients), scene.host.services, cast(Any, boards)), shown


def computer_task(host: Host) -> tuple[ComputerTask, Run]:
    """Return the task of computer players, and a round that ends when all of them have moved."""

    async def show(match: int) -> None:
        pass

    posting = SimpleNamespace(reaches=lambda _: True)
    task = ComputerTask(host.services, cast(Any, posting), show)

    async def rounds() -> None:
        task.look_at_all()
        await task.round()
        while task._thinking:
            await asyncio.wait(task._thinking.values())

    return task, rounds


# --- the cases


async def clocks(scene: Scene) -> Prepared:
    """Games that are out of time are decided."""
    host = scene.host
    games = [await moved(host, clock="24h") for _ in range(3)]
    await host.pass_time(2 * DAY)
    return Prepared(games, host.services.timekeeper.round, is_over(host), unreadable(host))


async def reminders(scene: Scene) -> Prepared:
    """Players whose time is running out are reminded."""
    host = scene.host
    games = [(await host.begin("skull", "quick", clock="24h")).id for _ in range(3)]
    task, shown = clock_task(scene)
    await task.round()
    await host.pass_time(18 * timedelta(hours=1))

    async def done(match: int) -> bool:
        assert shown.reminded.count(match) <= 1, "a player was reminded twice"
        return match in shown.reminded

    return Prepared(games, task.round, done, scene.without, lambda it: f"{it}-0")


async def bans(scene: Scene) -> Prepared:
    """Games of banned servers end."""
    host = scene.host
    games = [await moved(host) for _ in range(3)]
    assert HERE.guild is not None
    now = host.clock.now()
    ban = Ban(digest_of_server(HERE.guild), None, HERE.guild, "spam", None, now)
    await host.store.ban(ban, AdminAction(now, 7, "ban"))
    await host.services.administration.refresh()
    return Prepared(games, host.services.administration.end_games, is_over(host), unreadable(host))


async def departures(scene: Scene) -> Prepared:
    """Data of servers that the bot has left is deleted."""
    host = scene.host
    servers = (1, 2, 3)
    for guild in servers:
        await host.begin("skull", "quick", Place(guild, 10 * guild))
        await host.services.departures.left(guild)
    host.clock.push(GRACE_PERIOD)
    scene.fail(host.store, "forget_server")

    async def done(guild: int) -> bool:
        return guild not in await host.store.servers()

    return Prepared(servers, lambda: host.services.departures.sweep(()), done, scene.without)


async def inactive_members(scene: Scene) -> Prepared:
    """Data of members who have not used the bot for a long time is deleted."""
    members = await long_ago(scene)
    return Prepared(
        members, scene.host.services.retention.delete_members, gone(scene), scene.without, digest_of_member
    )


async def inactive_servers(scene: Scene) -> Prepared:
    """Data of servers in which nobody has used the bot for a long time is deleted."""
    host = scene.host
    servers = (1, 2, 3)
    for guild in servers:
        await host.store.change_server(guild, threads=True)
    await host.services.retention.store_activity()
    host.clock.push(1000 * DAY)
    scene.fail(host.store, "forget_inactive_server")

    async def done(guild: int) -> bool:
        return guild not in await host.store.servers()

    return Prepared(servers, host.services.retention.delete_servers, done, scene.without)


async def accounts(scene: Scene) -> Prepared:
    """Data of deleted accounts is deleted."""
    members = await long_ago(scene)

    async def deleted(_: int) -> bool:
        return True

    def sweep() -> Awaitable[object]:
        return scene.host.services.retention.delete_accounts(deleted)

    return Prepared(members, sweep, gone(scene), scene.without, digest_of_member)


async def long_ago(scene: Scene) -> tuple[int, ...]:
    """Return members who used the bot long ago. Deleting the broken one fails."""
    host = scene.host
    members = (ADA, GRACE, EMMY)
    for user in members:
        await host.store.change_member(user, forced=True)
    await host.services.retention.store_activity()
    host.clock.push(1000 * DAY)
    scene.fail(host.store, "erase")
    return members


def gone(scene: Scene) -> Callable[[int], Awaitable[bool]]:
    async def done(user: int) -> bool:
        return not await scene.host.store.export_member(user)

    return done


async def leaderboards(scene: Scene) -> Prepared:
    """Expired leaderboards are deleted."""
    host = scene.host
    host.clock.time = datetime(2026, 11, 20, tzinfo=UTC)
    servers = (1, 2, 3)
    boards = [Leaderboard("2026-09", guild=guild) for guild in servers]
    ratings = [Rating(ADA, it, HeldSkill(), 1, 0, 0) for it in boards]
    await host.store._sessions.write_at_once(lambda connection: write_ratings(connection, ratings))
    scene.fail(host.store, "delete_expired", lambda it, *_: it.guild)

    async def done(guild: int) -> bool:
        return guild not in {it.guild for it in await host.store.expired_leaderboards(host.clock.now())}

    sweep = host.services.leaderboard_cleanup.sweep
    return Prepared(servers, sweep, done, scene.without, lambda it: f"{it}-2026-09")


async def moments(scene: Scene) -> Prepared:
    """Finished games are searched for puzzles, one in each round."""
    host = scene.host
    games = [await moved(host) for _ in range(3)]
    for match in games:
        await host.services.matches.resign(match, GRACE)
    await host.pass_time(REST)

    class Finder:
        async def moments(self, match: Match) -> Found:
            return Found((), 0.0)

    scene.patch.setattr(host.services.moments, "_finder", Finder())

    async def rounds() -> None:
        for _ in games:
            await host.services.moments.search_next()

    async def done(match: int) -> bool:
        async with host.store._sessions.read() as session:
            return bool(await session.scalar(select(MatchRow.searched).where(MatchRow.id == match)))

    return Prepared(games, rounds, done, unreadable(host))


async def computers(scene: Scene) -> Prepared:
    """Computer players move, also after a restart."""
    host = scene.host
    games = []
    for _ in range(3):
        table = await host.services.computer_games.play(HERE, ADA, "skull", size="quick", order=Order.FIRST)
        await host.services.matches.play(table.id, ADA, "c2")
        games.append(table.id)
    _, rounds = computer_task(host)

    async def done(match: int) -> bool:
        stored = await host.store.load(match)
        return stored is not None and len(stored.log) > 1

    return Prepared(games, rounds, done, unreadable(host))


async def agreed(scene: Scene) -> Prepared:
    """Games to which all have agreed begin, also after a restart."""
    host = scene.host
    offers = []
    for _ in range(3):
        played = await host.begin("skull", "quick")
        await host.services.matches.resign(played.id, ADA)
        new = host.services.rematches._again((await host.services.matches.table(played.id)).stored, ADA, HERE)
        everybody = tuple(replace(it, reply=Reply.IN) for it in new.participants)
        offers.append((await host.store.add_challenge(replace(new, participants=everybody))).id)
    scene.fail(host.services.challenges, "begin")
    _, rounds = computer_task(host)

    async def done(challenge: int) -> bool:
        found = await host.store.challenge(challenge)
        return found is not None and found.answer is Answer.ACCEPTED

    return Prepared(offers, rounds, done, scene.without)


async def computer_answers(scene: Scene) -> Prepared:
    """Computer players answer proposals, also after a restart."""
    host = scene.host
    proposals = {}
    for _ in range(3):
        table = await host.services.computer_games.play(HERE, ADA, "skull", size="quick", order=Order.FIRST)
        await host.services.matches.play(table.id, ADA, "c2")
        proposal = await host.services.proposals.propose(table.id, ADA, Matter.TAKEBACK)
        proposals[proposal.id] = table.id
    task, _ = computer_task(host)
    scene.fail(host.services.computer_answers, "answer", lambda it: it.id)

    async def done(proposal: int) -> bool:
        found = await host.store.proposal(proposal)
        return found is not None and found.answer is not Answer.OPEN

    return Prepared(list(proposals), task._take_up, done, scene.without)


async def posts(scene: Scene) -> Prepared:
    """Messages in Discord are brought up to date, whatever their kind."""
    host = scene.host
    names = {}
    for game in ("alaric", "palindromes", "skull"):
        offer = await host.services.challenges.make(HERE, ADA, terms_of(game, "quick", 2, 2), (GRACE,))
        post = await host.store.post(PostKind.CARD, offer.id)
        assert post is not None
        names[offer.id] = f"{post.id} in {HERE.guild}"

    class Cards(Publisher):
        kind = PostKind.CARD

        async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
            if subject == scene.broken:
                raise Broken
            await host.posted(PostKind.CARD, subject, 100 + subject)

    posting = SimpleNamespace(reaches=lambda _: True)
    clients = SimpleNamespace(get_guild=lambda _: SimpleNamespace(unavailable=False))
    outbox = Outbox(cast(Any, clients), host.services, cast(Any, posting), cast(Any, None))
    outbox.add(Cards(outbox))

    async def done(challenge: int) -> bool:
        found = await host.store.challenge(challenge)
        return found is not None and found.message is not None

    return Prepared(list(names), outbox.publish_pending, done, scene.without, lambda it: names[cast(int, it)])


CASES: dict[str, Case] = {
    "accounts": accounts,
    "agreed": agreed,
    "bans": bans,
    "clocks": clocks,
    "computer-answers": computer_answers,
    "computers": computers,
    "departures": departures,
    "inactive-members": inactive_members,
    "inactive-servers": inactive_servers,
    "leaderboards": leaderboards,
    "moments": moments,
    "posts": posts,
    "reminders": reminders,
}
"""By the name of the task, as the operator sees it."""


@pytest.mark.parametrize("task", CASES)
@pytest.mark.parametrize("number", [0, 1], ids=["first", "second"])
async def test_failing_item_affects_only_itself(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str, number: int
) -> None:
    case = await CASES[task](Scene(host, tmp_path, monkeypatch))
    broken = case.items[number]
    others = [it for it in case.items if it != broken]
    with structlog.testing.capture_logs() as lines:
        async with case.broken(broken):
            await case.round()
            assert [await case.done(it) for it in others] == [True] * len(others)
    assert not await case.done(broken)
    assert [(it.task, it.item, it.times) for it in await host.store.failed_items(10)] == [
        (task, case.key(broken), 1)
    ]
    assert [(it["task"], it["item"]) for it in lines if it["event"] == "item.failed"] == [
        (task, case.key(broken))
    ]
    assert host.services.rounds.failures[task] == 1
    host.clock.push(FIRST_DELAY)
    await case.round()
    assert [await case.done(it) for it in case.items] == [True] * len(case.items)
    assert await host.store.failed_items(10) == []


async def test_unreadable_game_is_left_out_of_lists(host: Host) -> None:
    """Whose turn it is must be found out by its record, which an earlier version has stored."""
    games = [await moved(host) for _ in range(3)]
    async with host.store._sessions.write() as session:
        await session.execute(update(MatchRow).values(turns=None))
    async with unreadable(host)(games[0]):
        assert [it.id for it in await host.services.matches.mine(GRACE)] == games[1:]
    assert [it.id for it in await host.services.matches.mine(GRACE)] == games


async def test_task_that_fails_stops_no_other(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards that cannot be posted do not keep data of servers from being deleted."""
    bot = Pencilbox(host.services, tmp_path)
    host.services.ownership.owned = host.services.ownership.served = Shards()
    await host.begin("skull", "quick")
    await host.services.departures.left(1)
    host.clock.push(GRACE_PERIOD)

    async def fail() -> int:
        raise Broken

    monkeypatch.setattr(bot.outbox, "publish_pending", fail)
    swept = {"administration", "challenges", "posts", "podiums", "leaderboards", "departures"}
    running = [asyncio.create_task(it.run()) for it in bot.background if it.name in swept]
    assert len(running) == len(swept)
    async with asyncio.timeout(20):
        while 1 in await host.store.servers() or not any(it.failures for it in bot.background):
            await asyncio.sleep(0.01)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    assert {it.name for it in bot.background if it.failures} == {"posts"}
