"""A reminder that is sent again after a stop of the bot is the same message, and one that failed is not sent."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.app.matches.loaded import LoadedMatch
from bot.ui.posts.turn_notices import TurnNotices, running_out
from db.values.members import Notice
from db.values.posts import News, Occasion, PostKind
from tests.app.conftest import ADA, GRACE, Host


class Channel:
    """A place to post, which notes under which names messages were sent."""

    open = True

    def __init__(self) -> None:
        self.names: list[str | None] = []
        self.error: Exception | None = None

    async def send(self, *, once: str | None = None, **parts: Any) -> int:
        self.names.append(once)
        if self.error is not None:
            raise self.error
        return len(self.names)


def refusal(status: int) -> discord.HTTPException:
    response = SimpleNamespace(status=status, reason="")
    kind = discord.Forbidden if status == 403 else discord.DiscordServerError
    return kind(cast(Any, response), "")


class Reminded:
    """A game with a clock whose first player is reminded in its channel."""

    def __init__(self, host: Host, loaded: LoadedMatch) -> None:
        self.host, self.match = host, loaded.id
        self.channel = Channel()
        posting = SimpleNamespace(at=lambda place: self.channel)
        self.notices = TurnNotices(cast(Any, posting), host.services.preferences, cast(Any, None))

    async def remind(self, put_off: timedelta = timedelta()) -> int:
        """Remind the first player of a deadline that was put off. Return the number of messages."""
        await self.host.posted(PostKind.BOARD, self.match, 5)
        loaded = await self.host.services.matches.load(self.match)
        now = self.host.clock.now()
        return len(await self.notices.remind(loaded, 0, running_out(loaded, now + put_off)))


@pytest.fixture
async def reminded(host: Host) -> Reminded:
    return Reminded(host, await host.begin("skull", "quick", clock="24h"))


async def test_reminder_has_one_name_until_the_player_moves(reminded: Reminded) -> None:
    """Also if the deadline was put off, as after a stop of the bot."""
    assert await reminded.remind() == 1
    assert await reminded.remind(timedelta(hours=1)) == 1
    for user, move in ((ADA, "c2"), (GRACE, "c1")):
        await reminded.host.services.matches.play(reminded.match, user, move)
    assert await reminded.remind() == 1
    first, again, later = reminded.channel.names
    assert first == again
    assert first is not None
    assert later not in (None, first)


async def test_daily_message_is_too_late_for_a_fast_clock(host: Host) -> None:
    notices = TurnNotices(cast(Any, None), host.services.preferences, cast(Any, None))
    await host.services.digests.begin(ADA)
    for clock, notice in (("", Notice.DIGEST), ("3d", Notice.DIGEST), ("12h", Notice.PING)):
        loaded = await host.begin("skull", "quick", clock=clock or "none")
        found = await notices.by_notice([ADA], loaded)
        assert found == await notices.by_notice([ADA], time_control=loaded.stored.time_control)
        assert [it for it, users in found.items() if users] == [notice]


async def test_reminder_of_a_clock_comes_beside_the_daily_message(reminded: Reminded) -> None:
    queued: list[tuple[list[int], Occasion]] = []

    async def queue(users: list[int], guild: int, news: News) -> None:
        queued.append((users, news.occasion))

    reminded.notices = TurnNotices(
        cast(Any, SimpleNamespace(at=lambda place: reminded.channel)),
        reminded.host.services.preferences,
        cast(Any, SimpleNamespace(queue=queue)),
    )
    await reminded.host.services.digests.begin(ADA)
    assert await reminded.remind() == 0
    assert queued == [([ADA], Occasion.REMINDER)]


async def test_reminder_that_may_succeed_later_raises(reminded: Reminded) -> None:
    reminded.channel.error = refusal(503)
    with pytest.raises(discord.DiscordServerError):
        await reminded.remind()
    reminded.channel.error = refusal(403)
    assert await reminded.remind() == 0
