"""A change by another process is forgotten at once, and shown by the process that serves its server."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest

from bot.app.bans import digest_of_server
from bot.notifications import NotificationListener
from db.processes.notifications import Notification, Subject
from db.values.administration import AdminAction, Announcement, Ban
from db.values.places import Place, Shards
from tests.app.conftest import ADA, HERE, Host
from tests.waiting import wait_while

PATIENCE = 20.0
"""Seconds after which a notification that is not acted on fails the test."""


class Receiver:
    """Takes notifications as a process does, and notes what it would show."""

    def __init__(self, host: Host) -> None:
        self.did: list[tuple[str, Any]] = []
        self.fails: Exception | None = None
        self.ownership = host.services.ownership
        display = SimpleNamespace(
            show=self._note("show"),
        )
        self.listener = NotificationListener(host.services, cast(Any, display))

    def _note(self, what: str) -> Callable[..., Any]:
        async def note(of: Any, *_: Any) -> None:
            self.did.append((what, of))
            if self.fails is not None:
                raise self.fails

        return note

    async def receive(self, *notifications: Notification) -> list[tuple[str, Any]]:
        """Take notifications, and return what was done about them."""
        for one in notifications:
            self.listener.receive(one)
        await wait_while(lambda: self.listener.showing)
        done, self.did = self.did, []
        return done


@pytest.fixture
def receiver(host: Host) -> Receiver:
    return Receiver(host)


async def test_a_board_is_shown(host: Host, receiver: Receiver) -> None:
    match = (await host.begin("alaric")).id
    assert await receiver.receive(Notification(Subject.MATCH, match)) == [("show", match)]


async def test_what_is_received_is_read_again(host: Host, receiver: Receiver) -> None:
    match = (await host.begin("alaric")).id
    for notification in (
        Notification(Subject.MATCH, match, 1),
        Notification(Subject.MEMBER, ADA),
        Notification(Subject.SERVER, HERE.guild or 0),
    ):
        await host.store.matches.load(match)
        assert host.store.matches.cached(match) is not None
        receiver.ownership.served = Shards.some(1, ())
        await receiver.receive(notification)
        assert host.store.matches.cached(match) is None
    await host.store.matches.load(match)
    await receiver.receive(
        Notification(Subject.MATCH, match + 1, 1),
        Notification(Subject.MEMBER, 1),
        Notification(Subject.FREE, 0),
    )
    assert host.store.matches.cached(match) is not None


async def test_only_the_process_that_serves_a_server_shows_what_others_did_there(
    host: Host, receiver: Receiver
) -> None:
    match = (await host.begin("alaric")).id
    receiver.ownership.served = Shards.some(2, {1})
    assert await receiver.receive(Notification(Subject.MATCH, match, 0)) == []
    assert await receiver.receive(Notification(Subject.MATCH, match, 1)) == [("show", match)]


async def test_in_direct_messages_among_members_the_process_that_answers_has_shown_it(
    host: Host, receiver: Receiver
) -> None:
    match = (await host.begin("alaric", place=Place(None, 5))).id
    assert await receiver.receive(Notification(Subject.MATCH, match)) == []


async def test_bans_and_announcements_of_other_processes_hold_at_once(host: Host, receiver: Receiver) -> None:
    """Earlier notifications are read first: nothing is shown any more in a server that was banned."""
    administration, now = host.services.administration, host.clock.now()
    match = (await host.begin("alaric")).id
    action = AdminAction(now, 7, "as another process")
    await host.store.administration.announce(
        Announcement("Maintenance at noon", now + timedelta(hours=1)), action
    )
    assert administration.announcement is None
    notification = Notification(Subject.ADMINISTRATION, 0)
    assert await receiver.receive(notification) == []
    assert administration.announcement is not None
    assert HERE.guild is not None
    await host.store.administration.ban(
        Ban(digest_of_server(HERE.guild), None, HERE.guild, "raids", None, now), action
    )
    assert administration.ban_of_server(HERE.guild) is None
    assert await receiver.receive(notification, notification, Notification(Subject.MATCH, match)) == []
    assert administration.ban_of_server(HERE.guild) is not None


async def test_what_cannot_be_shown_now_ends_nothing(host: Host, receiver: Receiver) -> None:
    match = (await host.begin("alaric")).id
    for receiver.fails in (aiohttp.ServerDisconnectedError(), RuntimeError("Nobody expected this.")):
        assert await receiver.receive(Notification(Subject.MATCH, match)) == [("show", match)]
    receiver.fails = None
    assert len(await receiver.receive(*[Notification(Subject.MATCH, match)] * 3)) == 3
