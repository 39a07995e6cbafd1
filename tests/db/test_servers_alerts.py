"""Alerts about channels: at most one in a period."""

import asyncio
from datetime import timedelta

import pytest

from db.store import Store
from tests.db.given import CHANNEL, GUILD, NOW

DAY = timedelta(days=1)


async def test_there_is_one_alert_in_a_period(store: Store) -> None:
    assert await store.servers.alert(GUILD, CHANNEL, NOW, NOW - DAY)
    soon = NOW + timedelta(hours=23)
    assert not await store.servers.alert(GUILD, CHANNEL, soon, soon - DAY)
    # Asking was no alert: the day counts from the one that was given.
    assert await store.servers.alert(GUILD, CHANNEL, NOW + DAY, NOW)
    assert not await store.servers.alert(GUILD, CHANNEL, NOW + DAY, NOW)


async def test_each_channel_has_its_own_alerts(store: Store) -> None:
    assert await store.servers.alert(GUILD, CHANNEL, NOW, NOW - DAY)
    assert await store.servers.alert(GUILD, CHANNEL + 1, NOW, NOW - DAY)


@pytest.mark.on_postgresql
async def test_only_one_of_concurrent_calls_gives_the_alert(store: Store) -> None:
    given = await asyncio.gather(*(store.servers.alert(GUILD, CHANNEL, NOW, NOW - DAY) for _ in range(5)))
    assert sorted(given) == [False] * 4 + [True]


async def test_alert_in_the_future_does_not_count(store: Store) -> None:
    """It was given before the clock was set back."""
    assert await store.servers.alert(GUILD, CHANNEL, NOW + 30 * DAY, NOW + 29 * DAY)
    assert await store.servers.alert(GUILD, CHANNEL, NOW, NOW - DAY)
    assert not await store.servers.alert(GUILD, CHANNEL, NOW, NOW - DAY)
