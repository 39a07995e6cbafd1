"""The bot is killed between two of the steps that show a board: the next start leaves one board and one mention."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Sized
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from bot.sandbox import Fault, Sandbox, messages
from bot.ui.matches.boards import NEAR
from bot.ui.posts.outbox import NONCE_HOLDS, STALE
from db.engine import open_store
from db.models import PostRow
from db.store import Store
from db.values.posts import PostKind
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.given import post_of
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.matches.test_one_board import MESSAGE, Evening, say
from tests.e2e.messages import Json
from tests.e2e.page_events import PageEvents, listening
from tests.e2e.panels import boards_in, calls_in
from tests.e2e.play import by_command
from tests.e2e.stored_times import published
from tests.faults.of_discord import BOARD, OLD_BOARD
from tests.waiting import wait_until

DELETE = ("DELETE", MESSAGE)
HISTORY = ("GET", BOARD[1])
LONG = 600.0
"""Seconds for which Discord makes the bot wait before a step: it is killed before."""
whole_or_sample = pytest.mark.parametrize(
    "whole", [pytest.param(False, id="sample"), pytest.param(True, id="whole", marks=pytest.mark.soak)]
)
"""`make test` kills the bot only after Discord has posted a mention, and before that is stored.
`test_a_whole_game_leaves_one_board` does so with a board.

A bot that is killed before Discord does anything finds the same rows as one whose write fails before a step, which
`tests/e2e/posts/test_outbox.py` tries for every kind of post.
"""


@dataclass
class Killed:
    """A game whose bot is killed again and again."""

    local: Sandbox
    folder: Path
    ada: Player
    grace: Player
    store: Store
    bot: BotProcess
    game: Evening
    pages: Sequence[PageEvents]
    turns: list[str] = field(default_factory=list)
    """The players whose turn came with each move before a kill."""

    async def stored(self) -> bool:
        """Return True if the last move is stored."""
        found = await self.store.matches.load(self.game.panel.match)
        return found is not None and len(found.log) == len(self.game.texts)

    async def published(self) -> None:
        """Wait until it is stored that Discord shows the board."""
        await published(self.store, PostKind.BOARD, self.game.panel.match)

    async def struck(self) -> bool:
        """Return True if the planned fault was met."""
        return not len(self.local.faults)

    def count(self, what: Callable[[list[Json]], Sized], number: int) -> Callable[[], Awaitable[bool]]:
        """Return the step at which the channel holds so many boards or mentions; it waits for the change."""

        async def counted() -> bool | None:
            return len(what(await self.game.seen())) == number or None

        async def reached() -> bool:
            return await self.ada.until(counted)

        return reached

    async def killed(self, *reached: Callable[[], Awaitable[bool]]) -> None:
        """Enter a move, and kill the bot once these steps are reached."""
        self.turns += [it.id for it in self.game.players if it is not self.game.mover]
        await self.game.enter(by_command)
        await self.end(*reached)

    async def end(self, *reached: Callable[[], Awaitable[bool]]) -> None:
        """Kill the bot once these steps are reached."""
        for step in reached:
            await wait_until(step)
        await self.bot.kill()
        self.local.faults.clear()

    @asynccontextmanager
    async def restarted(self) -> AsyncIterator[None]:
        """Start the bot again, and wait until the channel is tidy and nothing is pending."""
        async with bot_at(self.local.url, self.folder) as self.bot:
            await self.published()
            await self.game.is_tidy()
            yield

    async def assert_each_turn_mentioned_once(self) -> None:
        received = [page.player.id for page in self.pages for _ in await page.calls()]
        assert sorted(received) == sorted(self.turns)

    async def pass_time(self, span: timedelta) -> None:
        """Make the board pending for longer, while no bot runs."""
        post = await post_of(self.store, PostKind.BOARD, self.game.panel.match)
        assert post.pending
        earlier = {"due_at": post.due_at - span}
        if post.tried_at is not None:
            earlier["tried_at"] = post.tried_at - span
        async with self.store.sessions.write() as session:
            await session.execute(update(PostRow).where(PostRow.id == post.id).values(earlier))


@asynccontextmanager
async def killed_game(contract: Contract, folder: Path) -> AsyncIterator[Killed]:
    """A game of 11 cells after one move; its bot is killed."""
    async with (
        Sandbox(observe=contract) as local,
        players(local.url, local.world) as (ada, grace, _),
        listening(local.url, ada, grace) as pages,
        AsyncExitStack() as stack,
    ):
        async with bot_at(local.url, folder) as bot:
            game = await Evening.begin(11, ada, grace)
            await game.move()
            await game.is_tidy()
            store = await stack.enter_async_context(open_store(None, folder))
            killed = Killed(local, folder, ada, grace, store, bot, game, pages)
            # The next bot would look below the board to publish it, and not look again in a short time.
            await killed.published()
            for page in pages:
                await page.forget()
        yield killed


@whole_or_sample
async def test_kills_while_a_board_is_edited_leave_one_mention(
    contract: Contract, tmp_path: Path, whole: bool
) -> None:
    """Before the edit, before the mention, after it, before the old mention is deleted, and before all is stored."""
    async with killed_game(contract, tmp_path) as it:
        board = it.game.panel.message["id"]
        for call, fault, mentions in (
            (OLD_BOARD, Fault.RATE_LIMITED, 1),
            (OLD_BOARD, Fault.LATE, 1),
            (BOARD, Fault.RATE_LIMITED, 1),
            (BOARD, Fault.LATE, 2),
            (DELETE, Fault.RATE_LIMITED, 2),
            (DELETE, Fault.LATE, 1),
        ):
            if not whole and (call, fault) != (BOARD, Fault.LATE):
                continue
            async with it.restarted():
                it.local.faults.plan(*call, fault, seconds=LONG)
                await it.killed(it.stored, it.struck, it.count(calls_in, mentions))
            # Discord still knows the nonce of the mention, which was sent so long ago that it is searched.
            await it.pass_time(STALE)
        async with it.restarted():
            assert it.game.panel.message["id"] == board
            await it.assert_each_turn_mentioned_once()


@pytest.mark.soak
async def test_mention_is_found_after_its_nonce_is_forgotten(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot is killed between a mention and noting it, and started again long after: the mention is replaced."""
    async with killed_game(contract, tmp_path) as it:
        async with it.restarted():
            it.local.faults.plan(*BOARD, Fault.LATE, seconds=LONG)
            await it.killed(it.stored, it.struck, it.count(calls_in, 2))
        monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        await it.pass_time(timedelta(minutes=10))
        async with it.restarted():
            await it.game.finish()


@pytest.mark.soak
async def test_kills_while_a_board_is_posted_again_leave_one_board(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the board is posted, after it, before the old board is deleted, and before all is stored.

    A board that was posted is found by its nonce, and by its mark once Discord has forgotten the nonce.
    """
    async with killed_game(contract, tmp_path) as it:
        for call, fault, shown, nonces in (
            (BOARD, Fault.RATE_LIMITED, 1, True),
            (BOARD, Fault.LATE, 2, True),  # `test_a_whole_game_leaves_one_board` tries this
            (BOARD, Fault.LATE, 2, False),
            (DELETE, Fault.RATE_LIMITED, 2, False),
            (DELETE, Fault.LATE, 1, False),
        ):
            async with it.restarted():
                old = it.game.panel.message["id"]
                await say(it.ada, NEAR + 1)
                it.local.faults.plan(*call, fault, seconds=LONG)
                await it.killed(it.stored, it.struck, it.count(boards_in, shown))
            with monkeypatch.context() as forgetting:
                if not nonces:
                    # Only now: before, a bot that repeats a request on a busy machine relies on its nonce.
                    forgetting.setattr(messages, "NONCE_HOLDS", 0.0)
                    await it.pass_time(2 * NONCE_HOLDS)
                async with it.restarted():
                    assert it.game.panel.message["id"] != old
        # Each time the bot was started once more, since it does not look twice in a short time what is below a board.
        async with it.restarted():
            await it.assert_each_turn_mentioned_once()
            await it.game.finish()


@pytest.mark.soak
async def test_kills_during_a_board_on_demand_leave_one_board(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/board` changes nothing that is stored of the game, and yet its message is not forgotten.

    In `make test`, `test_a_whole_game_leaves_one_board` kills a bot that has posted a board on demand.
    """
    async with killed_game(contract, tmp_path) as it:

        async def ask() -> None:
            """Ask for the board, and kill the bot when it is posted."""
            it.local.faults.plan(*BOARD, Fault.LATE, seconds=LONG)
            await it.grace.command("board")
            await it.end(it.struck, it.count(boards_in, 2))

        async with it.restarted():
            await ask()
        it.local.deny("general", "read_message_history")
        async with it.restarted():
            # The history could not be read, and Discord still knew the nonce.
            await ask()
        it.local.allow("general", "read_message_history")
        monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        async with it.restarted():
            await ask()
        it.local.faults.plan(*HISTORY, Fault.UNAVAILABLE, times=2)
        async with bot_at(it.local.url, it.folder) as it.bot:
            # A member moves on the board that the store does not know, before it is looked for.
            it.game.panel = boards_in(await it.game.seen())[-1]
            await it.game.enter()
            await it.game.is_tidy()
            await it.game.finish()
