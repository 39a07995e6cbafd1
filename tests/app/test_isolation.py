"""In every round over items, one item that fails affects only itself, and the next round completes it."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import structlog
from sqlalchemy import select

from bot.app.bans import digest_of_member, digest_of_server
from bot.app.challenges.terms import terms_of
from bot.app.events.schedule import season_after, season_at
from bot.app.moments import REST
from bot.app.proposals import LONGEST_PAUSE
from bot.app.searches import Found
from bot.app.tasks.background import ROOT
from bot.app.tasks.rounds import FIRST_DELAY
from bot.ui.matches.reminder_tasks import ForgottenTask, ResumptionTask
from db.models import MatchRow
from db.stores.standings.rows import write_ratings
from db.values.administration import AdminAction, Ban
from db.values.challenges import Answer, Order, Reply
from db.values.events import Terms as EventTerms
from db.values.places import Place
from db.values.proposals import Matter
from db.values.standings import HeldSkill, Leaderboard, Rating
from db.values.votes import VoteTerms, drawn
from rules.core.match import Match
from tests.app.conftest import ADA, EMMY, GRACE, GRACE_PERIOD, HERE, LIFETIME, Host
from tests.app.foreseeing import foresee
from tests.app.isolation_posts import (
    daily_puzzles,
    direct_messages,
    emojis,
    podiums,
    posts,
    roles,
    weekly_posts,
)
from tests.app.isolation_scene import (
    DAY,
    SERVERS,
    Case,
    Prepared,
    Scene,
    Told,
    automatic_moves,
    clock_task,
    is_over,
    moved,
    unreadable,
)

pytestmark = pytest.mark.slow


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
    task, reminded, _ = clock_task(scene)
    await task.round()
    await host.pass_time(18 * timedelta(hours=1))
    return Prepared(games, task.round, reminded.once, scene.without, lambda it: f"{it}-0")


async def timeouts(scene: Scene) -> Prepared:
    """Players are told that their games were decided on time, where the bot can only answer."""
    games = [await moved(scene.host, clock="24h") for _ in range(3)]
    task, _, decided = clock_task(scene)
    await task.round()
    await scene.host.pass_time(2 * DAY)
    return Prepared(games, task.round, decided.once, scene.without)


async def forgotten_games(scene: Scene) -> Prepared:
    """Players of games without a clock are reminded."""
    host, reminded = scene.host, Told(scene)
    games = [await moved(host) for _ in range(3)]
    host.clock.push(4 * DAY)
    task = ForgottenTask(host.services, cast(Any, None), cast(Any, None))
    scene.patch.setattr(task, "_write", reminded)
    return Prepared(games, task.round, reminded.once, scene.without)


async def events(scene: Scene) -> Prepared:
    """Cups whose time has come start."""
    host, cups = scene.host, []
    terms = EventTerms("skull", (("width", 4), ("height", 4)), None, rated=False, most=2)
    for organiser in (ADA, GRACE, EMMY):
        cup = await host.services.events.open(HERE, organiser, terms, host.clock.now() + DAY)
        for user in (ADA, GRACE):
            await host.services.events.join(cup.id, user)
        cups.append(cup.id)
    host.clock.push(DAY)
    scene.fail(host.store.events, "change", lambda before, *_: before.id)

    async def done(cup: int) -> bool:
        return len((await host.services.events.load(cup)).pairings) == 2

    return Prepared(cups, host.services.events.round, done, scene.without)


async def votes(scene: Scene) -> Prepared:
    """Moves whose vote is over are played."""
    host, games = scene.host, []
    for _ in range(3):
        game = await host.services.votes.start(
            HERE, "skull", 1, VoteTerms(DAY, host.clock.now() + DAY, named=False)
        )
        await host.services.votes.cast(game.id, ADA, 1, "a1", 0)
        games.append(game.id)
    host.clock.push(DAY)
    scene.fail(host.store.votes, "get", lambda match: match)

    async def done(match: int) -> bool:
        return (await host.services.matches.load(match)).plies > 0

    return Prepared(games, host.services.votes.round, done, scene.without)


async def volunteers(scene: Scene) -> Prepared:
    """Volunteers who may no longer play are replaced."""
    host, games = scene.host, []
    for _ in range(3):
        terms = VoteTerms(DAY, host.clock.now() + DAY, named=False)
        games.append((await host.services.votes.start(HERE, "palindromes", 1, terms)).id)
        for user in (ADA, GRACE):
            await host.services.volunteers.offer(games[-1], user, 1)
    host.clock.push(DAY)
    await host.services.votes.round()
    await host.store.servers.exclude(1, [ADA], host.clock.now())
    scene.fail(host.store.votes, "get", lambda match: match)

    async def done(match: int) -> bool:
        player = drawn(await host.store.votes.volunteers(match), 0, "arrange")
        return player is not None and player.user == GRACE

    return Prepared(games, host.services.votes.replace_absent, done, scene.without)


async def resumptions(scene: Scene) -> Prepared:
    """Players of games that were paused are told of the end of the pause."""
    host, told = scene.host, Told(scene)
    games = [(await host.begin("skull", clock="3d")).id for _ in range(3)]
    for match in games:
        asked = await host.services.proposals.propose(match, ADA, Matter.PAUSE)
        await host.services.proposals.agree(asked.id, GRACE)
    host.clock.push(LONGEST_PAUSE)
    boards = SimpleNamespace(outbox=SimpleNamespace(wake=lambda: None))
    task = ResumptionTask(host.services, cast(Any, None), cast(Any, boards))
    scene.patch.setattr(task, "_write", told)
    return Prepared(games, task.round, told.once, scene.without)


async def bans(scene: Scene) -> Prepared:
    """Games of banned servers end."""
    host = scene.host
    games = [await moved(host) for _ in range(3)]
    assert HERE.guild is not None
    now = host.clock.now()
    ban = Ban(digest_of_server(HERE.guild), None, HERE.guild, "spam", None, now)
    await host.store.administration.ban(ban, AdminAction(now, 7, "ban"))
    await host.services.administration.refresh()
    return Prepared(games, host.services.administration.end_games, is_over(host), unreadable(host))


async def departures(scene: Scene) -> Prepared:
    """Data of servers that the bot has left is deleted."""
    host = scene.host
    for guild in SERVERS:
        await host.begin("skull", "quick", Place(guild, 10 * guild))
        await host.services.departures.left(guild)
    host.clock.push(GRACE_PERIOD)
    scene.fail(host.store.servers, "forget")

    async def done(guild: int) -> bool:
        return guild not in await host.store.servers.known()

    return Prepared(SERVERS, lambda: host.services.departures.sweep(()), done, scene.without)


async def presence(scene: Scene) -> Prepared:
    """Servers that the bot has left while it was offline are recorded, for each shard."""
    host = scene.host
    guilds = {shard: shard << 22 for shard in range(3)}
    for guild in guilds.values():
        await host.store.servers.change(guild + 1, threads=True)
    scene.fail(host.store.servers, "depart", lambda _, guild: guild >> 22)
    left = dict.fromkeys(guilds, ())

    async def rounds() -> None:
        for shard in await host.services.departures.compare_shards(left, len(guilds)):
            del left[shard]

    async def done(shard: int) -> bool:
        return guilds[shard] + 1 in await host.store.servers.departed(host.clock.now())

    return Prepared([*guilds], rounds, done, scene.without)


async def inactive_members(scene: Scene) -> Prepared:
    """Data of members who have not used the bot for a long time is deleted."""
    members = await long_ago(scene)
    return Prepared(
        members, scene.host.services.retention.delete_members, gone(scene), scene.without, digest_of_member
    )


async def inactive_servers(scene: Scene) -> Prepared:
    """Data of servers in which nobody has used the bot for a long time is deleted."""
    host = scene.host
    for guild in SERVERS:
        await host.store.servers.change(guild, threads=True)
    await host.services.retention.store_activity()
    host.clock.push(1000 * DAY)
    scene.fail(host.store.retention, "forget_server")

    async def done(guild: int) -> bool:
        return guild not in await host.store.servers.known()

    return Prepared(SERVERS, host.services.retention.delete_servers, done, scene.without)


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
        await host.store.members.change(user, forced=True)
    await host.services.retention.store_activity()
    host.clock.push(1000 * DAY)
    scene.fail(host.store.privacy, "erase")
    return members


def gone(scene: Scene) -> Callable[[int], Awaitable[bool]]:
    async def done(user: int) -> bool:
        return not await scene.host.store.privacy.export(user)

    return done


async def leaderboards(scene: Scene) -> Prepared:
    """Expired leaderboards are deleted."""
    host = scene.host
    host.clock.time = datetime(2026, 11, 20, tzinfo=UTC)
    boards = [Leaderboard("2026-09", guild=guild) for guild in SERVERS]
    ratings = [Rating(ADA, it, HeldSkill(), 1, 0, 0) for it in boards]
    await host.store.sessions.write_at_once(lambda connection: write_ratings(connection, ratings))
    scene.fail(host.store.leaderboards, "delete_expired", lambda it, *_: it.guild)

    async def done(guild: int) -> bool:
        return guild not in {it.guild for it in await host.store.leaderboards.expired(host.clock.now())}

    sweep = host.services.leaderboard_cleanup.sweep
    return Prepared(SERVERS, sweep, done, scene.without, lambda it: f"{it}-2026-09")


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
        async with host.store.sessions.read() as session:
            return bool(await session.scalar(select(MatchRow.searched).where(MatchRow.id == match)))

    return Prepared(games, rounds, done, unreadable(host))


async def computers(scene: Scene) -> Prepared:
    """Computer players move, also after a restart."""
    host = scene.host
    games = []
    for _ in range(3):
        loaded = await host.services.computer_games.play(HERE, ADA, "skull", size="quick", order=Order.FIRST)
        await host.services.matches.play(loaded.id, ADA, "c2")
        games.append(loaded.id)
    _, rounds = automatic_moves(host)

    async def done(match: int) -> bool:
        stored = await host.store.matches.load(match)
        return stored is not None and len(stored.log) > 1

    return Prepared(games, rounds, done, unreadable(host))


async def agreed(scene: Scene) -> Prepared:
    """Games to which all have agreed begin, also after a restart."""
    host = scene.host
    offers = []
    for _ in range(3):
        played = await host.begin("skull", "quick")
        await host.services.matches.resign(played.id, ADA)
        new = host.services.rematches._again((await host.services.matches.load(played.id)).stored, ADA, HERE)
        everybody = tuple(replace(it, reply=Reply.IN) for it in new.participants)
        offers.append((await host.store.challenges.add(replace(new, participants=everybody))).id)
    scene.fail(host.services.challenges, "begin")
    _, rounds = automatic_moves(host)

    async def done(challenge: int) -> bool:
        found = await host.store.challenges.get(challenge)
        return found is not None and found.answer is Answer.ACCEPTED

    return Prepared(offers, rounds, done, scene.without)


async def computer_answers(scene: Scene) -> Prepared:
    """Computer players answer proposals, also after a restart."""
    host = scene.host
    proposals = {}
    for _ in range(3):
        loaded = await host.services.computer_games.play(HERE, ADA, "skull", size="quick", order=Order.FIRST)
        await host.services.matches.play(loaded.id, ADA, "c2")
        proposal = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
        proposals[proposal.id] = loaded.id
    task, _ = automatic_moves(host)
    scene.fail(host.services.computer_answers, "answer", lambda it: it.id)

    async def done(proposal: int) -> bool:
        found = await host.store.proposals.get(proposal)
        return found is not None and found.answer is not Answer.OPEN

    return Prepared(list(proposals), task._take_up, done, scene.without)


async def conditional_moves(scene: Scene) -> Prepared:
    """Conditional moves are played, also after a restart."""
    host = scene.host
    games = []
    for _ in range(3):
        loaded = await host.begin("skull", "quick")
        await foresee(host, loaded.id, GRACE, "c2", "d2")
        await host.services.matches.play(loaded.id, ADA, "c2")
        games.append(loaded.id)
    _, rounds = automatic_moves(host)

    async def done(match: int) -> bool:
        stored = await host.store.matches.load(match)
        return stored is not None and stored.conditional == {1}

    return Prepared(games, rounds, done, unreadable(host))


async def challenges(scene: Scene) -> Prepared:
    """Challenges whose time is over are closed."""
    host = scene.host
    terms = terms_of("skull", "quick", 2, 2)
    offers = [(await host.services.challenges.make(HERE, it, terms, (GRACE,))).id for it in (ADA, EMMY, 17)]
    host.clock.push(LIFETIME)
    scene.fail(host.store.challenges, "expire")

    async def done(challenge: int) -> bool:
        found = await host.store.challenges.get(challenge)
        return found is not None and found.answer is Answer.EXPIRED

    return Prepared(offers, host.services.challenges.expire, done, scene.without)


async def digests(scene: Scene) -> Prepared:
    """The daily messages of members are queued."""
    host, members = scene.host, (ADA, GRACE, EMMY)
    for user in members:
        await host.services.digests.begin(user)
    host.clock.push(DAY)
    scene.fail(host.store.digests, "queue", lambda due, *_: due.user)

    async def done(user: int) -> bool:
        queued = [it.user for it in await host.store.direct_messages.due(host.clock.now(), 10)]
        assert queued.count(user) <= 1, "a message was queued twice"
        return user in queued

    return Prepared(members, host.services.digests.queue_due, done, scene.without, digest_of_member)


async def leagues(scene: Scene) -> Prepared:
    """Leagues are opened for the next month in each server."""
    host = scene.host
    for guild in SERVERS:
        await host.store.servers.change(guild, league_channel=11, leagues=("skull",))
    scene.fail(host.store.events, "seasons")
    coming = season_after(season_at(host.clock.now()))

    async def done(guild: int) -> bool:
        return await host.store.events.season(guild, "skull", coming) is not None

    return Prepared(SERVERS, host.services.leagues.round, done, scene.without)


CASES: dict[str, Case] = {
    "accounts": accounts,
    "agreed": agreed,
    "bans": bans,
    "challenges": challenges,
    "clocks": clocks,
    "computer-answers": computer_answers,
    "computers": computers,
    "conditional-moves": conditional_moves,
    "daily puzzles": daily_puzzles,
    "departures": departures,
    "digests": digests,
    "direct messages": direct_messages,
    "emojis": emojis,
    "events": events,
    "forgotten games": forgotten_games,
    "inactive-members": inactive_members,
    "inactive-servers": inactive_servers,
    "leaderboards": leaderboards,
    "leagues": leagues,
    "moments": moments,
    "podiums": podiums,
    "posts": posts,
    "presence": presence,
    "reminders": reminders,
    "resumptions": resumptions,
    "roles": roles,
    "timeouts": timeouts,
    "volunteers": volunteers,
    "votes": votes,
    "weekly posts": weekly_posts,
}
"""By the name of the task, as the operator sees it, or of the loop that adds its items."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.soak if number % 3 else []) for number, name in enumerate(CASES)],
)
async def test_failing_item_affects_only_itself(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    case = await CASES[name](Scene(host, tmp_path, monkeypatch))
    task = case.task or name
    broken = case.items[(len(case.items) - 1) // 2]  # of three, one that others precede and follow
    others = [it for it in case.items if it != broken]
    with structlog.testing.capture_logs() as lines:
        async with case.broken(broken):
            await case.round()
            assert [await case.done(it) for it in others] == [True] * len(others)
    assert not await case.done(broken)
    assert [(it.task, it.item, it.times) for it in await host.store.failed_items.listed(10)] == [
        (task, case.key(broken), 1)
    ]
    assert [(it["task"], it["item"]) for it in lines if it["event"] == "item.failed"] == [
        (task, case.key(broken))
    ]
    assert host.services.rounds.failures[task] == 1
    host.clock.push(FIRST_DELAY)
    await case.round()
    assert [await case.done(it) for it in case.items] == [True] * len(case.items)
    assert await host.store.failed_items.listed(10) == []


def test_every_round_has_a_case_and_is_explained() -> None:
    """The tasks by which operators know the rounds are those of the code."""
    told = (ROOT / "docs/operations.md").read_text().partition("| task | item |")[2].partition("\n\n")[0]
    tasks = re.findall(r"^\| `(.+?)` \|", told, re.MULTILINE)
    code = "".join(it.read_text() for it in (ROOT / "bot").rglob("*.py"))
    assert len(re.findall(r"rounds\.(?:each|attempt)\(", code)) == len(tasks)
    assert {*tasks} <= CASES.keys()
