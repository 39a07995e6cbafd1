"""Every kind of post under every fault: in the end Discord shows each post once, with its newest content.

The bot runs in this process with the real discord.py. A process that was killed is imitated by a store that fails at
that step; tests/e2e/process and tests/soak kill real ones.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.app.challenges.terms import terms_of
from bot.app.tasks.rounds import TryLater
from bot.pencilbox import Pencilbox
from bot.sandbox import Fault, Sandbox, messages
from bot.ui.posts import outbox_task
from bot.ui.posts.outbox import TASK
from bot.ui.posts.posting import MAIN
from db.values.members import Notice
from db.values.places import Place
from db.values.posts import Post, PostKind
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import Json, components, text_of
from tests.e2e.standings.test_leaderboard import crowd

PATIENCE = 60.0
MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = f"{MESSAGES}/{{message_id}}"
POST, EDIT = ("POST", MESSAGES), ("PATCH", MESSAGE)
CHANNELS = tuple(kind.value for kind in PostKind)
LASTING = (PostKind.BOARD, PostKind.CARD, PostKind.PUZZLE)
"""The kinds whose content changes after they were posted."""


class Failed(Exception):
    """A step of the outbox fails, as if the process ended there."""


@dataclass
class House:
    """A bot in a server with a channel for each kind of post, and one pending post of each kind."""

    local: Sandbox
    bot: Pencilbox
    ada: Player
    folder: Path
    posts: dict[PostKind, Post] = field(default_factory=dict)

    @property
    def guild(self) -> int:
        return int(self.local.world.guild["id"])

    def channel(self, kind: PostKind) -> int:
        return int(self.local.channel(kind.value)["id"])

    async def prepare(self) -> None:
        """Store what is to be posted, without publishing anything."""
        services, store = self.bot.services, self.bot.services.store
        await crowd(self.folder, self.guild, [int(self.ada.id), 102, 103])
        await services.preferences.change(
            self.guild, results=self.channel(PostKind.RESULT), puzzle_channel=self.channel(PostKind.PUZZLE)
        )
        await services.preferences.change(self.guild, puzzle_hour=0)
        challenges, terms = services.challenges, terms_of("skull", "quick", 2, 2)
        for user in (102, 103):
            await store.members.change(user, notice=Notice.NONE)
        card = await challenges.make(Place(self.guild, self.channel(PostKind.CARD)), 102, terms, [103])
        matches = []
        for kind in (PostKind.BOARD, PostKind.RESULT, PostKind.VOID):
            # A result is announced elsewhere than in the channel of its board.
            channel = self.channel(PostKind.BOARD if kind is PostKind.RESULT else kind)
            made = await challenges.make(Place(self.guild, channel), 102, terms, [103])
            _, table = await challenges.accept(made.id, 103)
            assert table is not None
            matches.append(table.id)
        board, ended, voided = matches
        for match in (ended, voided):
            await services.matches.resign(match, 103)
        await services.matches.break_off(voided, Place(self.guild, 1), "one hand, two seats")
        await services.preferences.change(self.guild, podium=True)
        await services.daily_puzzles.add_due()
        await services.leaderboards.add_due_podiums()
        today, season = str(services.daily_puzzles.today), services.leaderboards.season_ended
        for kind, subject, key in (
            (PostKind.BOARD, board, ""),
            (PostKind.CARD, card.id, ""),
            (PostKind.RESULT, ended, ""),
            (PostKind.VOID, voided, "here"),
            (PostKind.PODIUM, self.guild, season),
            (PostKind.PUZZLE, self.guild, today),
        ):
            post = await store.posts.get(kind, subject, key)
            assert post is not None
            self.posts[kind] = post

    async def settle(self, *, but: tuple[PostKind, ...] = ()) -> None:
        """Publish until nothing is pending but posts of these kinds; what failed is tried again at once."""
        async with asyncio.timeout(PATIENCE):
            while True:
                failed = await self.bot.services.store.failed_items.listed(100)
                await self.bot.services.rounds.retry(TASK, [it.item for it in failed])
                with suppress(TryLater):  # Discord seems to be away: the round ends early.
                    await self.bot.outbox_task.publish_pending()
                left = [kind for kind in self.posts if kind not in but and await self._pending(kind)]
                if not left:
                    return
                await asyncio.sleep(0.1)

    async def _pending(self, kind: PostKind) -> bool:
        """Whether a post is to be shown; a post that never changes again is gone from the store."""
        of = self.posts[kind]
        post = await self.bot.services.store.posts.get(kind, of.subject, of.key)
        return post is not None and post.pending

    async def change(self) -> None:
        """Change the content of every post that lasts."""
        services = self.bot.services
        board, card = self.posts[PostKind.BOARD].subject, self.posts[PostKind.CARD].subject
        table = await services.matches.load(board)
        legal = table.match.legal()
        assert legal
        await services.matches.play(board, table.waiting_for[0], legal[0])
        await services.challenges.refuse(card, 103)
        daily = self.posts[PostKind.PUZZLE]
        await services.store.posts.change(daily.kind, daily.subject, datetime.now(UTC), daily.key)

    async def shown(self, kind: PostKind) -> list[Json]:
        """The messages of a post, in whatever channel."""
        found = []
        for channel in CHANNELS:
            if channel in {it.get("name") for it in self.local.world.channels.values()}:
                seen = await self.ada.messages(self.local.channel(channel)["id"])
                found += [it for it in seen if self._is(it, self.posts[kind])]
        return found

    def _is(self, message: Json, post: Post) -> bool:
        return any(part.get("id") == MAIN + post.id for part in components(message))

    async def assert_each_shown_once(self, *, but: tuple[PostKind, ...] = ()) -> None:
        for kind in self.posts:
            if kind not in but:
                assert len(await self.shown(kind)) == 1, kind

    async def assert_changed(self, *, but: tuple[PostKind, ...] = ()) -> None:
        """Every post that lasts shows its newest content."""
        texts = {kind: text_of((await self.shown(kind))[0]) for kind in LASTING if kind not in but}
        if PostKind.BOARD in texts:
            assert "<@102> ● played" in texts[PostKind.BOARD] or " played " in texts[PostKind.BOARD]
        if PostKind.CARD in texts:
            assert "declined" in texts[PostKind.CARD]


Opened = Callable[[], AbstractAsyncContextManager[House]]


@pytest.fixture
def opened(contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Opens the house; not a fixture itself, since its client may be used in one task only."""

    @asynccontextmanager
    async def house() -> AsyncIterator[House]:
        # Nobody but the test publishes.
        monkeypatch.setattr(outbox_task, "PAUSE", 3600.0)
        async with (
            Sandbox(channels=CHANNELS, observe=contract) as local,
            bot_here(local.url, tmp_path) as bot,
            players(local.url, local.world) as (ada, _, _),
        ):
            found = House(local, bot, ada, tmp_path)
            await found.prepare()
            yield found

    return house


def fail_once(monkeypatch: pytest.MonkeyPatch, house: House, method: str, times: int, *, after: bool) -> None:
    """Let the next calls of a method of the store fail, before or after they are done."""
    posts = house.bot.services.store.posts
    real: Callable[..., Awaitable[Any]] = getattr(posts, method)
    left = times

    async def failing(*of: Any, **named: Any) -> Any:
        nonlocal left
        if left:
            left -= 1
            if after:
                await real(*of, **named)
            raise Failed
        return await real(*of, **named)

    monkeypatch.setattr(posts, method, failing)


@pytest.mark.parametrize(
    ("fault", "nonces"),
    [
        *product((Fault.LOST,), (True, False)),
        (Fault.RESET, False),
        *(
            pytest.param(fault, nonces, marks=pytest.mark.soak)
            for fault, nonces in (
                *product((Fault.UNAVAILABLE, Fault.RATE_LIMITED), (True, False)),
                (Fault.RESET, True),
                # After a 502 discord.py itself repeats the request within seconds, while Discord holds nonces.
                (Fault.DONE_AND_BAD_GATEWAY, True),
            )
        ),
    ],
)
async def test_faults_of_discord_leave_one_message(
    opened: Opened, fault: Fault, nonces: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that was posted without an answer is found again, by its nonce or in the history of the channel."""
    async with opened() as house:
        if not nonces:
            monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        house.local.faults.plan(*POST, fault, times=len(house.posts))
        await house.settle()
        house.local.faults.clear()
        await house.assert_each_shown_once()
        before = {kind: (await house.shown(kind))[0]["id"] for kind in house.posts}
        await house.change()
        house.local.faults.plan(*EDIT, fault, times=len(LASTING))
        await house.settle()
        await house.assert_each_shown_once()
        await house.assert_changed()
        assert {kind: (await house.shown(kind))[0]["id"] for kind in house.posts} == before


@pytest.mark.parametrize(
    ("method", "after"),
    [
        pytest.param("note_attempt", False, marks=pytest.mark.soak),
        ("note_attempt", True),
        ("keep", False),
        pytest.param("keep", True, marks=pytest.mark.soak),
    ],
)
async def test_a_process_that_ends_at_any_step_leaves_one_message(
    opened: Opened, method: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as house:
        monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        fail_once(monkeypatch, house, method, len(house.posts), after=after)
        if method == "keep":
            fail_once(monkeypatch, house, "forget", 3, after=after)
        await house.settle()
        await house.assert_each_shown_once()
        await house.change()
        fail_once(monkeypatch, house, "keep", len(LASTING), after=after)
        await house.settle()
        await house.assert_each_shown_once()
        await house.assert_changed()


async def test_a_missing_permission_delays_the_posts_of_its_server(opened: Opened) -> None:
    async with opened() as house:
        for channel in CHANNELS:
            house.local.deny(channel, "send_messages")
        await asyncio.sleep(0.2)
        await house.bot.outbox_task.publish_pending()
        assert not [message for kind in house.posts for message in await house.shown(kind)]
        for channel in CHANNELS:
            house.local.allow(channel, "send_messages")
        async with asyncio.timeout(PATIENCE):
            while await house.bot.services.store.posts.pending(datetime.now(UTC) + timedelta(minutes=1), 100):
                await asyncio.sleep(0.05)  # The event of the permission wakes the background task.
        await house.assert_each_shown_once()


async def test_unreachable_servers_delay_no_other_posts(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are due before all others, and there are more of them than a round reads."""
    async with opened() as house:
        monkeypatch.setattr(outbox_task, "PAGE", 3)
        places = [(guild, 5) for guild in range(1000, 1007)]
        earlier = datetime.now(UTC) - timedelta(hours=1)
        store = house.bot.services.store
        await store.posts.add(PostKind.PUZZLE, str(earlier.date()), places, earlier)
        await house.settle()
        await house.assert_each_shown_once()
        assert {it.guild for it in await store.posts.pending(datetime.now(UTC), 100)} >= {1000, 1006}


async def test_messages_deleted_by_others_are_posted_again(opened: Opened) -> None:
    async with opened() as house:
        await house.settle()
        for kind in LASTING:
            (message,) = await house.shown(kind)
            channel = house.local.world.channels[message["channel_id"]]
            house.local.services.messages.remove(house.local.world.messages[channel["id"]][message["id"]])
        await house.change()
        await house.settle()
        await house.assert_each_shown_once()
        await house.assert_changed()


async def test_one_post_that_cannot_be_drawn_delays_no_other(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as house:
        publisher = house.bot.outbox._publishers[PostKind.BOARD]

        async def broken(*_: Any, **__: Any) -> None:
            raise ValueError("A picture has a fault.")

        monkeypatch.setattr(publisher, "publish", broken)
        await house.bot.outbox_task.publish_pending()
        await house.settle(but=(PostKind.BOARD, PostKind.RESULT, PostKind.VOID))
        await house.assert_each_shown_once(but=(PostKind.BOARD, PostKind.RESULT, PostKind.VOID))
        monkeypatch.undo()
        await house.settle()
        await house.assert_each_shown_once()


async def test_card_that_ended_unrecorded_is_updated(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card is posted, the process ends before recording it, and the challenge is declined before the next start."""
    async with opened() as house:
        card = house.posts[PostKind.CARD].subject
        fail_once(monkeypatch, house, "keep", 1, after=False)
        with pytest.raises(Failed):
            await house.bot.outbox.publish(PostKind.CARD, card)
        await house.bot.services.challenges.refuse(card, 103)
        await house.settle()
        (message,) = await house.shown(PostKind.CARD)
        assert "declined" in text_of(message)
