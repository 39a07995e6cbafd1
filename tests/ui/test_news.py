"""What another process has changed is forgotten at once, and shown by the process that serves its server."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest

from bot.news import Hearing
from db.api.matches.matches import Panel
from db.api.places import Place
from db.api.shards import Ownership, Shards
from db.processes.news import News, Subject
from tests.app.conftest import ADA, HERE, Host

PATIENCE = 20.0
"""Seconds after which news that are not acted on fail the test."""


class Heard:
    """Takes news as a process does, and notes what it would show."""

    def __init__(self, host: Host) -> None:
        self.did: list[tuple[str, Any]] = []
        self.fails: Exception | None = None
        self.ownership = Ownership()
        display = SimpleNamespace(
            show=self._note("show"),
            refresh=self._note("refresh"),
            boards=SimpleNamespace(show_all=self._note("show all")),
        )
        services = replace(host.services, ownership=self.ownership)
        self.hearing = Hearing(services, cast(Any, None), cast(Any, display))

    def _note(self, what: str) -> Callable[[Any], Any]:
        async def note(of: Any) -> None:
            self.did.append((what, of))
            if self.fails is not None:
                raise self.fails

        return note

    async def hear(self, *news: News) -> list[tuple[str, Any]]:
        """Take news, and return what was done about them."""
        for one in news:
            self.hearing.hear(one)
        async with asyncio.timeout(PATIENCE):
            while self.hearing.showing:
                await asyncio.sleep(0.01)
        done, self.did = self.did, []
        return done


@pytest.fixture
def heard(host: Host) -> Heard:
    return Heard(host)


async def test_a_board_is_posted_where_a_move_is_not_shown_and_else_drawn_again(
    host: Host, heard: Heard
) -> None:
    match = (await host.begin("alaric")).id
    news = News(Subject.MATCH, match)
    assert await heard.hear(news) == [("show", match)]
    await host.store.show(match, Panel(HERE.channel, 77, 0))
    assert await heard.hear(news) == [("refresh", match), ("show all", [match])]
    await host.services.matches.play(match, ADA, "1")
    assert await heard.hear(news) == [("show", match)]


async def test_what_is_heard_is_read_again(host: Host, heard: Heard) -> None:
    match = (await host.begin("alaric")).id
    for news in (
        News(Subject.MATCH, match, 1),
        News(Subject.MEMBER, ADA),
        News(Subject.SERVER, HERE.guild or 0),
    ):
        await host.store.load(match)
        assert host.store.recall(match) is not None
        heard.ownership.served = Shards.some(1, ())
        await heard.hear(news)
        assert host.store.recall(match) is None
    await host.store.load(match)
    await heard.hear(News(Subject.MATCH, match + 1, 1), News(Subject.MEMBER, 1), News(Subject.FREE, 0))
    assert host.store.recall(match) is not None


async def test_only_the_process_that_serves_a_server_shows_what_others_did_there(
    host: Host, heard: Heard
) -> None:
    match = (await host.begin("alaric")).id
    heard.ownership.served = Shards.some(2, {1})
    assert await heard.hear(News(Subject.MATCH, match, 0)) == []
    assert await heard.hear(News(Subject.MATCH, match, 1)) == [("show", match)]


async def test_in_direct_messages_among_members_the_process_that_answers_has_shown_it(
    host: Host, heard: Heard
) -> None:
    match = (await host.begin("alaric", place=Place(None, 5))).id
    assert await heard.hear(News(Subject.MATCH, match)) == []


async def test_what_cannot_be_shown_now_ends_nothing(host: Host, heard: Heard) -> None:
    match = (await host.begin("alaric")).id
    for heard.fails in (aiohttp.ServerDisconnectedError(), RuntimeError("Nobody expected this.")):
        assert await heard.hear(News(Subject.MATCH, match)) == [("show", match)]
    heard.fails = None
    assert len(await heard.hear(*[News(Subject.MATCH, match)] * 3)) == 3
