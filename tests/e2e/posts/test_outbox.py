"""Every kind of post under every fault: in the end Discord shows each post once, with its newest content.

The bot runs in this process with the real discord.py. A process that was killed is imitated by a store that fails at
that step; tests/e2e/process and tests/soak kill real ones.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bot.app.challenges.terms import terms_of
from bot.app.tasks.rounds import TryLater
from bot.pencilbox import Pencilbox
from bot.sandbox import Fault, Sandbox, messages
from bot.sandbox.world.events import ChannelGone
from bot.ui.matches import results
from bot.ui.posts import outbox_task
from bot.ui.posts.outbox import TASK, item_of
from bot.ui.posts.posting import BESIDE, MAIN
from db.models import MatchRow
from db.stores.posts import add_post
from db.values.events import Terms
from db.values.places import Place
from db.values.posts import Post, PostKind
from db.values.proposals import Matter
from rules.puzzles.moments import Moment
from rules.puzzles.puzzle import Puzzle
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.given import post_of
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import Json, components, text_of
from tests.e2e.standings.test_leaderboard import crowd
from tests.waiting import PATIENCE, wait_while

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = f"{MESSAGES}/{{message_id}}"
POST, EDIT, PIN = ("POST", MESSAGES), ("PATCH", MESSAGE), ("PUT", f"{MESSAGES}/pins/{{message_id}}")
CHANNELS = tuple(kind.value for kind in PostKind)
LASTING = (PostKind.BOARD, PostKind.COPY, PostKind.CARD, PostKind.EVENT, PostKind.PUZZLE)
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
        await services.store.servers.change(
            self.guild, results=self.channel(PostKind.RESULT), puzzle_channel=self.channel(PostKind.PUZZLE)
        )
        await services.store.servers.change(self.guild, puzzle_hour=0, pins=True)
        challenges, terms = services.challenges, terms_of("skull", "quick", 2, 2)
        open_game = terms_of("maze", "quick", 2, 6)
        card = await challenges.make(Place(self.guild, self.channel(PostKind.CARD)), 102, open_game)
        cup = Terms("skull", (("width", 4), ("height", 4)), None, rated=False, most=8)
        event = await services.events.open(Place(self.guild, self.channel(PostKind.EVENT)), 102, cup, None)
        matches = []
        for kind in (PostKind.BOARD, PostKind.RESULT, PostKind.VOID, PostKind.MOMENT):
            # A result is announced elsewhere than in the channel of its board.
            channel = self.channel(PostKind.BOARD if kind is PostKind.RESULT else kind)
            # A moment is not posted while a running game has a similar position.
            of = terms_of("alaric", "quick", 2, 2) if kind is PostKind.MOMENT else terms
            made = await challenges.make(Place(self.guild, channel), 102, of, [103])
            _, table = await challenges.accept(made.id, 103)
            assert table is not None
            matches.append(table.id)
        board, ended, voided, found = matches
        now, copied = datetime.now(UTC), self.channel(PostKind.COPY)
        await store.sessions.write_at_once(
            lambda it: add_post(it, PostKind.COPY, board, Place(self.guild, copied), now, "2")
        )
        for match in (ended, voided, found):
            await services.matches.resign(match, 103)
        await services.matches.break_off(voided, Place(self.guild, 1), "one hand, two seats")
        await services.store.servers.change(self.guild, podium=True)
        await services.daily_puzzles.add_due()
        await services.leaderboards.add_due_podiums()
        today, season = str(services.daily_puzzles.today), services.leaderboards.season_ended
        monday = str(await self._add_moment(found))
        for kind, subject, key in (
            (PostKind.BOARD, board, ""),
            (PostKind.COPY, board, "2"),
            (PostKind.CARD, card.id, ""),
            (PostKind.EVENT, event.id, ""),
            (PostKind.RESULT, ended, ""),
            (PostKind.VOID, voided, "here"),
            (PostKind.PODIUM, self.guild, season),
            (PostKind.PUZZLE, self.guild, today),
            (PostKind.MOMENT, self.guild, monday),
        ):
            post = await post_of(store, kind, subject, key)
            self.posts[kind] = post

    async def _add_moment(self, match: int) -> date:
        """Let a finished game give the moment of the last week, which is to be posted. Return its Monday."""
        store, now = self.bot.services.store, datetime.now(UTC)
        monday = self.bot.services.weekly_posts.monday
        await store.moments.keep(match, [Moment(0, 0, "1", Puzzle("alaric", (), (), ("1",), 1.0, 3))])
        async with store.sessions.write() as session:
            of_last_week = {"started_at": now - timedelta(days=9), "finished_at": now - timedelta(days=7)}
            await session.execute(update(MatchRow).where(MatchRow.id == match).values(of_last_week))
        await store.posts.add(
            PostKind.MOMENT, str(monday), [(self.guild, self.channel(PostKind.MOMENT))], now
        )
        return monday

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
        """Return True if a post is to be shown. A post that never changes again is gone from the store."""
        of = self.posts[kind]
        post = await self.bot.services.store.posts.get(kind, of.subject, of.key)
        return post is not None and post.pending

    async def change(self) -> None:
        """Change the content of every post that lasts."""
        services = self.bot.services
        board, card = self.posts[PostKind.BOARD].subject, self.posts[PostKind.CARD].subject
        await services.proposals.propose(board, await self._move(), Matter.DRAW)
        await services.challenges.accept(card, 103)
        await services.events.join(self.posts[PostKind.EVENT].subject, 103)
        daily = self.posts[PostKind.PUZZLE]
        await services.store.posts.change(daily.kind, daily.subject, datetime.now(UTC), daily.key)

    async def deleted_by_others(self) -> None:
        """Let members delete the message of every post that lasts, and let each be changed then."""
        for kind in LASTING:
            (message,) = await self.shown(kind)
            self.local.services.messages.remove(
                self.local.world.message(message["channel_id"], message["id"])
            )
            post = self.posts[kind]
            await self.bot.services.store.posts.change(kind, post.subject, datetime.now(UTC), post.key)
        await self._move()

    async def _move(self) -> int:
        """Make the first legal move on the board; return who made it."""
        table = await self.bot.services.matches.load(self.posts[PostKind.BOARD].subject)
        legal, mover = table.match.legal(), table.waiting_for[0]
        assert legal
        await self.bot.services.matches.play(table.id, mover, legal[0])
        return mover

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

    async def assert_each_shown_once(self) -> None:
        for kind in self.posts:
            assert len(await self.shown(kind)) == 1, kind

    async def beside_board(self) -> list[str]:
        """The texts of the messages that belong to the board."""
        seen = await self.ada.messages(str(self.channel(PostKind.BOARD)))
        mark = BESIDE + self.posts[PostKind.BOARD].id
        return [text_of(it) for it in seen if any(part.get("id") == mark for part in components(it))]

    async def assert_changed(self) -> None:
        """Every post that lasts shows its newest content. The board alone is pinned; each mention stands there once."""
        texts = {kind: text_of((await self.shown(kind))[0]) for kind in LASTING}
        assert " played " in texts[PostKind.BOARD]
        assert "offers a draw" in texts[PostKind.BOARD]
        assert " played " in texts[PostKind.COPY]
        assert "2 of 6 have joined" in texts[PostKind.CARD]
        assert "1 of 8 take part" in texts[PostKind.EVENT]
        beside = await self.beside_board()
        assert sum("offers a draw" in it for it in beside) == 1
        assert sum("your turn" in it for it in beside) == 1
        seen = await self.ada.messages(str(self.channel(PostKind.BOARD)))
        pinned = [it["id"] for it in seen if it["pinned"]]
        assert pinned == [it["id"] for it in await self.shown(PostKind.BOARD)]


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
        (Fault.LOST, False),
        *(
            pytest.param(fault, nonces, marks=pytest.mark.soak)
            for fault, nonces in (
                (Fault.LOST, True),
                *product((Fault.UNAVAILABLE, Fault.RATE_LIMITED), (True, False)),
                (Fault.LATE, True),
                # A request that was never done is only repeated, as after a kill before it.
                *product((Fault.RESET,), (True, False)),
                # After a 502 discord.py itself repeats the request within seconds, while Discord holds nonces.
                (Fault.DONE_AND_BAD_GATEWAY, True),
            )
        ),
    ],
)
async def test_faults_of_discord_leave_one_message(
    opened: Opened, fault: Fault, nonces: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that was posted without an answer is found again, by its nonce or in the history of the channel.

    What others have deleted is posted again.
    """
    async with opened() as house:
        if not nonces:
            monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        # Boards of finished games are posted, too.
        house.local.faults.plan(*POST, fault, times=2 * len(house.posts))
        house.local.faults.plan(*PIN, fault)
        await house.settle()
        house.local.faults.clear()
        await house.assert_each_shown_once()
        before = {kind: (await house.shown(kind))[0]["id"] for kind in house.posts}
        await house.change()
        house.local.faults.plan(*EDIT, fault, times=len(LASTING))
        house.local.faults.plan(*POST, fault, times=2)  # the mentions of a turn and of an offer
        await house.settle()
        await house.assert_each_shown_once()
        await house.assert_changed()
        assert {kind: (await house.shown(kind))[0]["id"] for kind in house.posts} == before
        await house.deleted_by_others()
        await house.settle()
        await house.assert_each_shown_once()
        assert await house.beside_board() == [], "the new board has the mention"


@pytest.mark.parametrize(
    ("method", "after"),
    [
        pytest.param("note_attempt", False, marks=pytest.mark.soak),
        pytest.param("note_attempt", True, marks=pytest.mark.soak),
        pytest.param("keep", False, marks=pytest.mark.soak),
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


async def test_found_board_mentions_the_player_of_a_later_move(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board was posted and not recorded, and somebody moved before it was found."""
    async with opened() as house:
        monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        fail_once(monkeypatch, house, "keep", len(house.posts), after=False)
        with suppress(TryLater):
            await house.bot.outbox_task.publish_pending()
        assert len(await house.shown(PostKind.BOARD)) == 1
        await house._move()
        await house.settle()
        assert len(await house.shown(PostKind.BOARD)) == 1
        assert [it for it in await house.beside_board() if "your turn" in it] != []


@pytest.mark.soak
async def test_a_missing_permission_delays_the_posts_of_its_server(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result waits for its board, and no more often than the board is tried again."""
    monkeypatch.setattr(results, "PROMPT", timedelta())
    async with opened() as house:
        for channel in CHANNELS:
            house.local.deny(channel, "send_messages")
        guild = house.bot.clients.get_guild(house.guild)
        assert guild is not None
        await wait_while(
            lambda: any(it.permissions_for(guild.me).send_messages for it in guild.text_channels)
        )
        await house.bot.outbox_task.publish_pending()
        assert not [message for kind in house.posts for message in await house.shown(kind)]
        failed = {it.item for it in await house.bot.services.store.failed_items.listed(100)}
        assert {item_of(house.posts[it]) for it in (PostKind.BOARD, PostKind.RESULT)} <= failed
        for channel in CHANNELS:
            house.local.allow(channel, "send_messages")
        # The event of the permission wakes the background task.
        await wait_while(
            lambda: house.bot.services.store.posts.pending(datetime.now(UTC) + timedelta(minutes=1), 100)
        )
        await house.assert_each_shown_once()


@pytest.mark.soak
async def test_posts_of_deleted_channels_are_given_up(opened: Opened) -> None:
    """They are not tried again, except where a server can choose another channel."""
    movable = PostKind.PUZZLE, PostKind.MOMENT
    async with opened() as house:
        for channel in map(house.local.channel, CHANNELS):
            house.local.world.remove_channel(channel)
            house.local.world.publish(ChannelGone(channel))
        await house.settle(but=movable)
        await house.change()
        await house.settle(but=movable)
        pending = await house.bot.services.store.posts.pending(datetime.now(UTC), 100)
        assert {it.kind for it in pending} == {*movable}


@pytest.mark.soak
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


@pytest.mark.soak
async def test_posts_of_a_channel_keep_their_order(opened: Opened) -> None:
    """A post that another task publishes holds up the later ones of its channel, and those of no other."""
    async with opened() as house:
        outbox, first = house.bot.outbox, house.posts[PostKind.BOARD]
        async with outbox.lock(first.kind, first.subject, first.key):
            await house.bot.outbox_task.publish_pending()
            pending = await house.bot.services.store.posts.pending(datetime.now(UTC), 100)
            boards = {it.subject for it in pending if it.kind is PostKind.BOARD}
            assert boards == {first.subject, house.posts[PostKind.RESULT].subject}
            assert {it.channel for it in pending} == {first.channel}
        await house.settle()
        await house.assert_each_shown_once()


@pytest.mark.soak
async def test_card_that_ended_unrecorded_is_deleted(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card is posted, the process ends before recording it, and the challenge is withdrawn before the next start."""
    async with opened() as house:
        card = house.posts[PostKind.CARD].subject
        fail_once(monkeypatch, house, "keep", 1, after=False)
        with pytest.raises(Failed):
            await house.bot.outbox.publish(PostKind.CARD, card)
        await house.bot.services.challenges.refuse(card, 102)
        await house.settle()
        assert await house.shown(PostKind.CARD) == []
