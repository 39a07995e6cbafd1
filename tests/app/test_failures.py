"""A post, a game or a background task that fails affects no other."""

import asyncio
from pathlib import Path

import pytest
import structlog
from sqlalchemy import update

from bot.app.matches.listed import complete_turns
from bot.pencilbox import Pencilbox
from bot.ui.posts.outbox import Publisher
from db.models import MatchRow
from db.values.matches import Search
from db.values.places import Place, Shards
from db.values.posts import PostKind
from db.values.proposals import Matter
from rules.core.errors import RuleError
from tests.app.conftest import ADA, GRACE, GRACE_PERIOD, HERE, Host
from tests.app.isolation_scene import Broken, moved, outbox_of, unreadable

pytestmark = pytest.mark.slow


async def test_failed_post_of_direct_messages_stops_no_other(host: Host) -> None:
    """The next interaction in the direct messages publishes the post that failed."""
    place = Place(None, 11)
    games = [(await host.begin("skull", "quick", place)).id for _ in range(3)]
    broken, published = games[1], list[int]()

    class Boards(Publisher):
        kind = PostKind.BOARD

        async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
            if subject == broken:
                raise Broken
            published.append(subject)
            await host.posted(self.kind, subject, 100 + subject, key)

    outbox = outbox_of(host)
    outbox.add(Boards(outbox))
    with structlog.testing.capture_logs() as lines:
        await outbox.deliver(place)
    assert published == [games[0], games[2]]
    failed = [
        it["error"] for it in lines if it["event"] == "post.not_published" and it["kind"] is PostKind.BOARD
    ]
    assert failed == ["Broken"]
    broken = 0
    await outbox.deliver(place)
    assert published == [games[0], games[2], games[1]]


async def test_unreadable_game_is_left_out_of_lists(host: Host) -> None:
    """The player on turn must be found out by its record, which an earlier version has stored."""
    games = [await moved(host) for _ in range(3)]
    for match in games:
        await host.services.proposals.propose(match, ADA, Matter.DRAW)
    async with host.store.sessions.write() as session:
        await session.execute(update(MatchRow).values(turns=None))
    async with unreadable(host)(games[0]):
        await complete_turns(host.store)
        assert [it.id for it in await host.services.matches.mine(GRACE)] == games[1:]
        assert [it.id for _, it in await host.services.proposals.waiting(GRACE)] == games[1:]
    await complete_turns(host.store)
    assert [it.id for it in await host.services.matches.mine(GRACE)] == games


async def test_unreadable_game_is_left_out_of_histories(host: Host) -> None:
    games = [await moved(host) for _ in range(3)]
    for match in games:
        await host.services.matches.resign(match, GRACE)
    search = Search.near(HERE, None, GRACE)
    async with unreadable(host)(games[1]):
        assert [it.id for it in (await host.services.history.page(search)).matches] == [games[2], games[0]]
        await host.services.awards.progress(GRACE, HERE)  # raises nothing


async def test_unreadable_game_keeps_nobody_in_others(host: Host) -> None:
    """The data of its player is deleted as soon as it can be read again."""
    games = [await moved(host) for _ in range(3)]
    async with unreadable(host)(games[0]):
        with pytest.raises(RuleError):
            await host.services.privacy.forget(GRACE)
        assert [it.id for it in await host.services.matches.mine(ADA)] == games[:1]
    await host.services.privacy.forget(GRACE)
    assert not await host.services.matches.mine(ADA)


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

    monkeypatch.setattr(bot.outbox_task, "publish_pending", fail)
    swept = {"administration", "challenges", "posts", "podiums", "leaderboards", "departures"}
    running = [asyncio.create_task(it.run()) for it in bot.background if it.name in swept]
    assert len(running) == len(swept)
    async with asyncio.timeout(20):
        while 1 in await host.store.servers.known() or not any(it.failures for it in bot.background):
            await asyncio.sleep(0.01)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    assert {it.name for it in bot.background if it.failures} == {"posts"}
