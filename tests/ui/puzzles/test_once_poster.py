"""Posts that are made once, in several servers, while Discord fails, the bot is killed and settings change at random.

Over the wire this is tested in one server: the local Discord has no more (tests/e2e/puzzles).
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest
from discord import ui

from bot.app.puzzles.posts import NONCE_HOLDS
from bot.ui.puzzles.daily_poster import KIND
from bot.ui.puzzles.once_poster import Found, OncePoster
from db.api.places import DiscordId, Place
from db.api.puzzle_posts import PuzzlePost
from tests.app.conftest import Host
from tests.seeds import chance_for

SERVERS = (1, 2, 3, 4)
DAYS = 7
UNREACHED = aiohttp.ClientConnectorError(cast(Any, SimpleNamespace(host="", port=0, ssl=True)), OSError())
# The first leads to both ways to a second post that such seeds have found.
MANY = [18, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(19, 60))]


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Posted:
    """A message in a channel."""

    id: DiscordId
    place: Place
    once: str
    at: datetime


class PretendDiscord:
    """Channels of several servers, as far as posts need them. `fault` is what the next message meets."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.now = now
        self.messages: list[Posted] = []
        self.lacking: set[DiscordId] = set()
        self.unreadable: set[DiscordId] = set()
        self.fault = ""
        self.reports = 0
        self.place = Place(None, 0)

    def poster(self, host: Host) -> OncePoster:
        """The poster of a process that begins."""
        client = cast(Any, SimpleNamespace(get_guild=lambda guild: SimpleNamespace(id=guild)))
        kit = cast(Any, SimpleNamespace(posting=self, permission_alerts=self))
        services = host.services
        return OncePoster(client, services.preferences, kit, services.daily_puzzles, KIND, self.find)

    def missing_at(self, place: Place) -> str:
        return "Send Messages" if place.channel in self.lacking else ""

    async def report(self, place: Place, **_: Any) -> str:
        self.reports += 1
        return ""

    def at(self, place: Place) -> "PretendDiscord":
        self.place = place
        return self

    async def send(self, *, once: str, view: Any, file: Any) -> DiscordId:
        fault, self.fault = self.fault, ""
        if fault == "unreached":
            raise UNREACHED
        if fault == "cut before":
            raise aiohttp.ServerDisconnectedError
        if fault == "killed before":
            raise Killed
        there = [it for it in self.messages if (it.place, it.once) == (self.place, once)]
        if there and self.now() - there[-1].at < NONCE_HOLDS:
            return there[-1].id
        self.messages.append(Posted(len(self.messages) + 1, self.place, once, self.now()))
        if fault == "cut after":
            raise aiohttp.ServerDisconnectedError
        if fault == "killed after":
            raise Killed
        return len(self.messages)

    async def find(self, server: discord.Guild, post: PuzzlePost, heading: str) -> Found:
        assert heading == KIND.heading(post.day)
        if post.channel in self.unreadable:
            return Found(known=False)
        place = Place(server.id, post.channel)
        there = [it.id for it in self.messages if it.place == place and f"{post.day}" in it.once]
        return Found(True, there[0] if there else None)

    def of(self, guild: DiscordId, day: date) -> list[Posted]:
        return [it for it in self.messages if it.once == f"puzzle {day} {guild}"]


async def content(place: Place) -> tuple[ui.LayoutView, discord.File]:
    return ui.LayoutView(), discord.File(io.BytesIO(), filename="puzzle.png")


FAULTS = ("unreached", "cut before", "cut after", "killed before", "killed after")


@pytest.mark.parametrize("seed", MANY)
async def test_each_server_has_one_post_a_day_whatever_happens(host: Host, seed: int) -> None:
    daily = host.services.daily_puzzles
    chance, pretended = chance_for(f"daily {seed}"), PretendDiscord(host.clock.now)
    for guild in SERVERS:
        hour = chance.randrange(24)
        await host.services.preferences.change(guild, puzzle_channel=10 * guild, puzzle_hour=hour)
    poster = pretended.poster(host)
    first = host.clock.now().date()
    certain: set[tuple[DiscordId, date]] = set()
    while (day := host.clock.now().date()) < first + timedelta(days=DAYS):
        for _ in range(chance.randint(1, 3)):  # rounds that follow each other closely
            await something_changes(chance, host, pretended)
            pretended.fault = chance.choice(("", "", *FAULTS))
            calm = not pretended.fault
            try:
                await poster.post_all((await daily.due())[1], day, content)
            except Killed:
                poster = pretended.poster(host)
            if calm:
                certain |= {(guild, day) for guild in await expected(host, pretended)}
            host.clock.push(timedelta(seconds=15))
        host.clock.push(timedelta(minutes=chance.choice((1, 40, 200))))
    assert len(certain) > DAYS
    for guild in SERVERS:
        for number in range(DAYS):
            posts = pretended.of(guild, first + timedelta(days=number))
            assert len(posts) <= 1
            if (guild, first + timedelta(days=number)) in certain:
                assert len(posts) == 1


async def something_changes(chance: Random, host: Host, pretended: PretendDiscord) -> None:
    """A setting or a permission changes, or nothing."""
    guild = chance.choice(SERVERS)
    channel = 10 * guild + chance.randrange(2)
    match chance.randrange(12):
        case 0:
            await host.services.preferences.change(guild, puzzle_channel=channel)
        case 1:
            await host.services.preferences.change(guild, puzzle_hour=chance.randrange(24))
        case 2:
            pretended.lacking ^= {channel}
        case 3:
            pretended.unreadable ^= {channel}


async def expected(host: Host, pretended: PretendDiscord) -> list[DiscordId]:
    """The servers whose post of today must be there, after a round in which nothing failed."""
    found = []
    for guild in SERVERS:
        settings = await host.services.preferences.guild(guild)
        allowed = settings.puzzle_channel not in pretended.lacking
        post = await host.store.puzzle_post(guild, host.clock.now().date())
        lost = post is not None and post.settled and post.message is None
        if settings.puzzle_hour <= host.clock.now().hour and allowed and not lost:
            found.append(guild)
    return found
