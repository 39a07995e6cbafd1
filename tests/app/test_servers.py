"""The data of servers that removed the bot is deleted in time."""

from datetime import timedelta

import pytest

from bot.app import servers
from bot.app.errors import Refused
from bot.app.servers import NEW_SERVERS_CLOCK, Departures
from db.values.places import Place
from tests.app.conftest import ADA, Host
from tests.db.statements import statements

GRACE = timedelta(days=30)
OTHER = Place(guild=2, channel=21)


@pytest.fixture
def departures(host: Host) -> Departures:
    return Departures(host.store.servers, host.clock, GRACE, host.services.rounds)


async def test_a_server_is_forgotten_when_its_grace_is_over(host: Host, departures: Departures) -> None:
    here, there = await host.begin("skull"), await host.begin("skull", place=OTHER)
    await departures.left(1)
    host.clock.push(GRACE - timedelta(seconds=1))
    assert await departures.sweep({2}) == []
    host.clock.push(timedelta(seconds=1))
    assert await departures.sweep({2}) == [1]
    assert await departures.sweep({2}) == []
    with pytest.raises(Refused, match="There is no game"):
        await host.services.matches.load(here.id)
    assert [loaded.id for loaded in await host.services.matches.mine(ADA)] == [there.id]


async def test_coming_back_in_time_keeps_all(host: Host, departures: Departures) -> None:
    await host.begin("skull")
    await departures.left(1)
    host.clock.push(GRACE - timedelta(seconds=1))
    await departures.joined(1, threads=True)
    host.clock.push(GRACE)
    assert await departures.sweep({1}) == []
    await departures.left(1)
    host.clock.push(GRACE - timedelta(seconds=1))
    assert await departures.sweep({2}) == [], "a second departure begins anew"


async def test_games_get_threads_and_a_clock_in_new_servers_alone(host: Host, departures: Departures) -> None:
    await host.begin("skull")
    await host.store.servers.change(2, threads=False)
    for guild, threads in ((1, True), (2, True), (3, False), (4, True)):
        await departures.joined(guild, threads=threads)
    found = [await host.services.preferences.guild(guild) for guild in (1, 2, 3, 4)]
    assert [it.threads for it in found] == [False, False, False, True]
    assert [it.time_control for it in found] == [None, None, NEW_SERVERS_CLOCK, NEW_SERVERS_CLOCK]


async def test_what_changed_while_the_host_was_stopped_is_noted_at_its_start(
    host: Host, departures: Departures
) -> None:
    await host.begin("skull")
    await host.begin("skull", place=OTHER)
    await departures.left(2)
    host.clock.push(GRACE / 2)
    await departures.compare({2, 3})
    assert await host.store.servers.departed(host.clock.now()) == [1]
    host.clock.push(GRACE / 2)
    await departures.compare({2, 3})
    assert await departures.sweep({2, 3}) == [], "looking again is no new departure, and no older one"
    host.clock.push(GRACE / 2)
    assert await departures.sweep({2, 3}) == [1]


async def test_many_departures_are_few_transactions(
    host: Host, departures: Departures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A member who moves meanwhile waits for one of them at most."""
    monkeypatch.setattr(servers, "BATCH", 10)
    for guild in range(1, 21):
        await host.store.servers.change(guild, theme="paper")
    for present, departed in (set(), list(range(1, 21))), (set(range(1, 21)), []):
        with statements() as counted:
            await departures.compare(present)
        assert len(counted.beginning("BEGIN IMMEDIATE")) == 2
        assert sorted(await host.store.servers.departed(host.clock.now())) == departed
