"""The data of members and servers that no longer use the bot, and of deleted accounts, is deleted in time."""

from datetime import UTC, datetime, timedelta

import pytest
import structlog

from bot.app.errors import Refused
from bot.app.members import privacy as module
from bot.app.members.privacy import LOOK_UP_EVERY, LOOKED_UP, START_DELAY, Retention
from bot.app.tasks.rounds import TryLater
from db.store import Store
from db.values.places import Place
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.db.given import match_of

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)
OTHER = Place(guild=2, channel=21)


@pytest.fixture
async def retention(host: Host) -> Retention:
    """The service, an hour after the start."""
    host.clock.push(START_DELAY)
    return host.services.retention


async def used(host: Host, *users: int, guild: int | None = None) -> None:
    for user in users:
        host.services.retention.note(user, guild)
    await host.services.retention.store_activity()


async def known(store: Store) -> dict[int, bool]:
    """Return of these members if anything is stored about them."""
    return {user: bool(await store.privacy.export(user)) for user in (ADA, GRACE, EMMY)}


async def test_inactive_member_is_deleted_and_others_read_former_member(
    host: Host, retention: Retention
) -> None:
    over, running = await host.begin("skull", "quick"), await host.begin("alaric", "quick")
    await host.services.matches.resign(over.id, ADA)
    await used(host)
    host.clock.time = datetime(2027, 12, 31, tzinfo=UTC)
    await used(host, GRACE)
    assert await retention.delete_members() == 0
    host.clock.time = datetime(2028, 1, 1, tzinfo=UTC)
    assert await retention.delete_members() == 0, "24 months ago is not longer ago"
    host.clock.time = datetime(2028, 1, 2, tzinfo=UTC)
    with structlog.testing.capture_logs() as lines:
        assert await retention.delete_members() == 1
    assert str(ADA) not in str(lines), "the log names no member"
    assert {"event": "members.inactive_deleted", "members": 1, "log_level": "info"} in lines
    assert (await known(host.store)) == {ADA: False, GRACE: True, EMMY: False}
    for match in (over.id, running.id):
        stored = await match_of(host.store, match)
        assert stored.finished_at is not None
        assert stored.users[0] < 0
        assert stored.users[1] == GRACE
    assert await retention.delete_members() == 0


async def test_nothing_is_deleted_in_the_first_hour(host: Host) -> None:
    """A machine may start with a wrong clock, which a time service sets soon."""
    retention = host.services.retention
    await host.begin("skull", "quick")
    await used(host)
    host.clock.jump(4000 * DAY)

    async def deleted(_: int) -> bool:
        return True

    async def rounds() -> None:
        await retention.delete_members()
        await retention.delete_servers()
        await retention.delete_accounts(deleted)

    host.clock.push(START_DELAY - timedelta(seconds=1))
    await rounds()
    assert await known(host.store) == {ADA: True, GRACE: True, EMMY: False}
    assert await host.store.servers.known() == [HERE.guild]
    host.clock.push(timedelta(seconds=1))
    await rounds()
    assert await known(host.store) == {ADA: False, GRACE: False, EMMY: False}
    assert await host.store.servers.known() == []


async def test_inactive_server_is_deleted_although_the_bot_is_in_it(host: Host, retention: Retention) -> None:
    here, there = await host.begin("skull"), await host.begin("skull", place=OTHER)
    await used(host)
    host.clock.push(400 * DAY)
    await used(host, ADA, GRACE, guild=OTHER.guild)
    host.clock.push(400 * DAY)
    await retention.delete_servers()
    assert await host.store.servers.known() == [OTHER.guild]
    with pytest.raises(Refused, match="There is no game"):
        await host.services.matches.load(here.id)
    assert (await host.services.matches.load(there.id)).id == there.id


async def test_deleted_accounts_are_deleted_and_others_looked_up_again(
    host: Host, retention: Retention
) -> None:
    await host.begin("skull", "quick")
    await used(host)
    asked: list[int] = []

    async def deleted(user: int) -> bool:
        asked.append(user)
        return user == ADA

    host.clock.push(LOOK_UP_EVERY - DAY)
    assert (await retention.delete_accounts(deleted), asked) == (0, [])
    host.clock.push(DAY)
    with structlog.testing.capture_logs() as lines:
        assert await retention.delete_accounts(deleted) == 1
    assert str(ADA) not in str(lines), "the log names no member"
    assert sorted(asked) == [ADA, GRACE]
    assert await known(host.store) == {ADA: False, GRACE: True, EMMY: False}
    assert (await retention.delete_accounts(deleted), len(asked)) == (0, 2)
    host.clock.push(LOOK_UP_EVERY)
    assert (await retention.delete_accounts(deleted), asked[2:]) == (0, [GRACE])


async def test_round_looks_up_a_limited_number_of_accounts(host: Host, retention: Retention) -> None:
    for user in range(1, 2 * LOOKED_UP):
        await host.store.members.change(user, forced=True)
    await used(host)
    host.clock.push(LOOK_UP_EVERY)
    asked: list[int] = []

    async def outage(user: int) -> bool:
        asked.append(user)
        raise TryLater from ConnectionError()

    async def there(user: int) -> bool:
        asked.append(user)
        return False

    with pytest.raises(TryLater):
        await retention.delete_accounts(outage)
    assert len(asked) == 3, "an outage ends the round"
    asked.clear()
    await retention.delete_accounts(there)
    assert len(set(asked)) == len(asked) == LOOKED_UP
    host.clock.push(timedelta(minutes=1))
    await retention.delete_accounts(there)
    assert sorted(asked) == list(range(1, 2 * LOOKED_UP))


async def test_activity_of_many_is_stored_in_batches(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 10)
    users = range(1, 22)
    for user in (1, users[-1]):
        await host.store.members.change(user, forced=True)
    await used(host)
    host.clock.push(DAY)
    await used(host, *users)
    assert await host.store.retention.inactive_members(host.clock.now().date(), 5) == []
