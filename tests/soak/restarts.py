"""Killing processes of the bot at random moments of running games, and what must be true after each new start."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlalchemy import select, update

from bot.app.matches.table import back
from bot.sandbox import Sandbox, messages
from db.address import FILE_NAME, address
from db.engine import make_engine, open_store
from db.models import ChallengeRow, SeatRow
from db.store import Store
from db.values.members import is_computer
from rules.core.match import LEAVING
from tests.contract.changes import PATIENCE
from tests.contract.checker import Contract
from tests.contract.player import Player, players_by_server
from tests.db.migrated import lay
from tests.e2e.bot_process import BotProcess
from tests.e2e.messages import choose, components, open_settings
from tests.e2e.panels import Panel, panel_at, panels
from tests.e2e.play import OPEN, by_button, by_command, by_modal, legal
from tests.seeds import chance_for
from tests.soak.posts import wrong_posts

LONGEST = 4.0
"""Seconds of play before a kill, at most: several moves, so that kills fall before, within and after one. On a machine
so busy that no move was made yet, each life may be longer than the one before."""
EARLIEST = 1.0
"""Seconds after a start within which every third life ends, whatever is shown by then."""
AGAIN = 0.2
"""Seconds after which a member who got no answer tries something again."""
MOST_RUNNING = 3
ALONE, OFFERS, ANSWERS, RESIGNATIONS, ENDINGS = 0.3, 0.15, 0.5, 0.05, 0.05
"""The parts of the games that are against a computer player, and of the moves before which a draw or a takeback is
offered, an offer is answered, a player resigns, and a moderator ends a game or reverts its result."""
TAKEN_OVER = 0.5
"""The part of the lives in which another process takes over the shards of the killed one before it is started again."""
PAST = timedelta(hours=1)
GAMES = [game.key for game in OPEN]


@dataclass
class MoveLog:
    """The moves that were tried and that were shown, by match: the store must agree with both."""

    tried: set[tuple[int, int, str]] = field(default_factory=set)
    """Match, plies on the board that was answered, move."""
    late: set[tuple[int, str]] = field(default_factory=set)
    """Match and move of commands without an answer: they name no position, so the bot may carry them out later."""
    shown: dict[int, int] = field(default_factory=dict)
    """By match: the most plies that any board showed."""
    moves: int = 0
    """Stored in all."""

    def see(self, boards: list[Panel]) -> None:
        for board in boards:
            self.shown[board.match] = max(self.shown.get(board.match, 0), board.plies)


@dataclass(frozen=True)
class Server:
    """Two members who play in a server, and the channel in which its results are announced."""

    members: tuple[Player, Player]
    lounge: str


class Restarts:
    """Members who play on, whatever happens to the bot.

    Several processes need PostgreSQL; there are as many shards and servers as processes, and members play in all.
    """

    def __init__(
        self, local: Sandbox, servers: Sequence[Server], data_dir: Path, url: str, seed: int
    ) -> None:
        self._local, self._servers = local, servers
        self._data_dir, self._database = data_dir, url
        self._random = chance_for(seed)
        self._running: dict[int, BotProcess] = {}
        """The processes by their number."""
        self.move_log = MoveLog()
        self.done: Counter[str] = Counter()
        """The number of times by what members and the clock did."""
        self._lives = 0

    @classmethod
    @asynccontextmanager
    async def at(
        cls, contract: Contract, data_dir: Path, url: str, seed: int, processes: int = 1
    ) -> AsyncIterator["Restarts"]:
        async with (
            Sandbox(
                channels=("general", "lounge"), servers=processes, shards=processes, observe=contract
            ) as local,
            players_by_server(local.url, local.world) as members,
        ):
            servers = [
                Server((ada, grace), lounge["id"])
                for guild, (ada, grace, _) in zip(local.world.guilds, members, strict=True)
                for lounge in local.world.channels_of(guild)
                if lounge["name"] == "lounge"
            ]
            made = cls(local, servers, data_dir, url, seed)
            try:
                yield made
            finally:
                for bot in made._running.values():
                    await bot.kill()

    async def prepare(self) -> None:
        """Have results announced in a channel of their own."""
        await self._start()
        for server in self._servers:
            ada, _ = server.members
            chosen = await open_settings(ada, "Posts in channels")
            await choose(ada, chosen, "setting:results", server.lounge)
        await self._kill()

    async def life(self) -> None:
        """One life of a process: come up, have every message shown, play on, be killed in the middle of it.

        Before every second life of a single process Discord forgets the nonces of the last one, as it does within
        minutes. Of several processes, another may take over what the killed one served. Every third life ends while
        the processes show what the last one left.
        """
        self._lives += 1
        forgotten = self._lives % 2 == 0 and len(self._servers) == 1
        await self._expire()
        with patch.object(messages, "NONCE_HOLDS", 0.0 if forgotten else messages.NONCE_HOLDS):
            if self._running and self._random.random() < TAKEN_OVER:
                self.done["shards taken over"] += 1
                await self._posts_are_shown()
            await self._start()
            if self._lives % 3:
                await self._posts_are_shown()
            else:
                await asyncio.sleep(self._random.uniform(0, EARLIEST))
        if self._lives % 3:
            playing = [asyncio.create_task(self._play_on(server)) for server in self._servers]
            longest = LONGEST if self.move_log.moves else LONGEST + self._lives
            ended, _ = await asyncio.wait(playing, timeout=self._random.uniform(0, longest))
            for task in ended:
                task.result()
            await self._kill()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        else:
            await self._kill()
        await self.check()

    async def _start(self) -> None:
        """Start the processes that do not run, and wait until all shards are connected."""
        for number in range(len(self._servers)):
            if number not in self._running:
                folder = self._data_dir if len(self._servers) == 1 else self._data_dir / str(number)
                if not self._database and not (folder / FILE_NAME).exists():
                    lay(folder)
                self._running[number] = BotProcess.fork(
                    folder, PENCILBOX_LOCAL_URL=self._local.url, DATABASE_URL=self._database
                )
        wanted = list(range(len(self._servers)))
        async with asyncio.timeout(PATIENCE):
            while sorted(self._local.services.gateway.connected) != wanted:
                for bot in self._running.values():
                    assert bot.running, bot.log
                await asyncio.sleep(0.02)

    async def _kill(self) -> None:
        """Kill any of the processes."""
        await self._running.pop(self._random.choice(list(self._running))).kill()

    async def _expire(self) -> None:
        """Let a clock and a challenge run out now and then, before a process is started again."""
        if self._lives < 2:
            return
        engine = make_engine(address(self._database or None, self._data_dir))
        clocks = select(SeatRow.match_id).where(SeatRow.deadline.is_not(None)).limit(1)
        open_ = select(ChallengeRow.id).where(ChallengeRow.answered_at.is_(None)).limit(1)
        async with engine.begin() as connection:
            match = await connection.scalar(clocks)
            if match is not None and self._random.random() < ANSWERS:
                of = update(SeatRow).where(SeatRow.match_id == match, SeatRow.deadline.is_not(None))
                await connection.execute(of.values(deadline=datetime.now(UTC) - PAST, remind_at=None))
                self.done["clocks run out"] += 1
            challenge = await connection.scalar(open_)
            if challenge is not None and self._random.random() < ANSWERS:
                late = update(ChallengeRow).where(ChallengeRow.id == challenge)
                await connection.execute(late.values(expires_at=ChallengeRow.made_at))
                self.done["challenges expired"] += 1
        await engine.dispose()

    async def check(self) -> None:
        """No shown move is lost, no move stands that nobody made, none stands twice."""
        for server in self._servers:
            self.move_log.see(await panels(server.members[0]))
        async with self._store() as store:
            loaded = [await store.matches.load(match) for match in self.move_log.shown]
        found = {stored.id: stored for stored in loaded if stored is not None}
        for match, plies in self.move_log.shown.items():
            stored = found[match]
            assert len(stored.log) >= plies, f"#{match} showed {plies} plies, {len(stored.log)} are stored"
            taken_back = 0
            for ply, (seat, text) in enumerate(stored.log):
                by_itself = seat is None or text in LEAVING or is_computer(stored.users[seat])
                tried = (
                    (match, shown, text) in self.move_log.tried for shown in range(ply - taken_back, ply + 1)
                )
                late = (match, text) in self.move_log.late
                assert by_itself or late or any(tried), (
                    f"#{match}: nobody played {text} at ply {ply}: {stored.log}, but "
                    f"{sorted(it for it in self.move_log.tried if it[0] == match)}"
                )
                if (left := back(stored.log[ply])) is not None:
                    taken_back = ply + 1 - left
        self.move_log.moves = sum(len(stored.log) for stored in found.values())

    async def last(self) -> None:
        """Let all processes come up once more and do what is left to do."""
        await self._start()
        await self._posts_are_shown()
        await self.check()

    # --- what Discord must show

    async def _posts_are_shown(self) -> None:
        """After a start Discord shows each post once, as it is stored, and no mention that does not hold."""
        wrong: list[str] = []
        try:
            async with asyncio.timeout(PATIENCE):
                while wrong := [it async for it in self._wrong()]:
                    await asyncio.sleep(0.2)
        except TimeoutError:
            raise AssertionError("\n".join(wrong)) from None

    async def _wrong(self) -> AsyncIterator[str]:
        """Yield a sentence for everything that Discord does not show as it is stored."""
        async for sentence in wrong_posts(self._local, self._database, self._data_dir):
            yield sentence
        async with self._store() as store:
            for match in self.move_log.shown:
                stored = await store.matches.load(match)
                assert stored is not None
                if stored.finished_at is not None and stored.void is None and self._results(match) != 1:
                    yield f"{self._results(match)} results of match {match} are announced"

    def _results(self, match: int) -> int:
        lounges = (self._local.world.messages.get(server.lounge, {}) for server in self._servers)
        return sum(f"#{match}](" in " ".join(it.texts()) for lounge in lounges for it in lounge.values())

    def _store(self) -> AbstractAsyncContextManager[Store]:
        return open_store(self._database or None, self._data_dir)

    # --- what members do

    async def _play_on(self, server: Server) -> None:
        ada, grace = server.members
        while True:
            boards = await panels(ada)
            running = [board for board in boards if board.turn is not None]
            offers = [offer for message in await ada.messages() if (offer := _accept_button(message))]
            if offers and self._random.random() < 1 - OFFERS:
                await self._try("challenges accepted", grace.press(*offers[-1]))
                await asyncio.sleep(0.1)
            if self._random.random() < ENDINGS and boards:
                # A game that is over loses its result, and another ends without one.
                ended = self._random.choice(boards).match
                await self._try("games ended or reverted", ada.command("end", game=ended, reason="a test"))
            if len(running) < MOST_RUNNING and not offers:
                await self._begin(server)
            if running:
                await self._move(server, self._random.choice(running))

    async def _begin(self, server: Server) -> None:
        """Begin any game, with or without a clock, against each other or against a computer player."""
        ada, grace = server.members
        terms = {"game": self._random.choice(GAMES), "size": "quick"}
        if self._random.random() < ALONE:
            alone = self._random.choice((ada, grace))
            await self._try("games against computers", alone.command("play", level=1, **terms))
            return
        clock = self._random.choice(("none", "3d", "15m+10s"))
        await self._try("challenges", ada.command("challenge", member=grace.id, clock=clock, **terms))

    async def _move(self, server: Server, board: Panel) -> None:
        player = next(member for member in server.members if member.id == board.turn)
        moves = list(board.moves)
        if not moves:
            try:
                moves = await legal(player, board)
            except KeyError:  # Nobody serves the shard now, so nothing is completed.
                await asyncio.sleep(AGAIN)
        if not moves:
            return
        if self._random.random() < OFFERS:
            matter = self._random.choice(("draw", "takeback"))
            await self._try("offers", self._random.choice(server.members).command(matter, game=board.match))
        answers = [it for it in board.buttons.values() if it.startswith(("agree:", "disagree:"))]
        if answers and self._random.random() < ANSWERS:
            custom_id = self._random.choice(answers)
            for member in server.members:  # One of them made the offer, who is refused or withdraws it.
                await self._try("offers answered", member.press(board.message, custom_id))
        if self._random.random() < RESIGNATIONS:
            await self._resign(player, board.match)
            return
        text = self._random.choice(moves)
        self.move_log.tried.add((board.match, board.plies, text))
        ways = [by_command, by_modal]
        if text in board.moves:
            ways = [by_button]
        if len(self._servers) > 1:
            ways.append(_directly)
        way = self._random.choice(ways)
        if not await self._try("moves", way(player, board, text)) and way in (by_command, _directly):
            self.move_log.late.add((board.match, text))
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await panel_at(player, board.match, board.plies + 1)

    async def _resign(self, player: Player, match: int) -> None:
        async def twice() -> None:
            asked = await player.command("resign", game=match)
            message = await player.until(
                lambda: _offering(player, asked["message"], f"really-resign:{match}")
            )
            await player.press(message, f"really-resign:{match}")

        await self._try("resignations", twice())

    async def _try(self, what: str, doing: Awaitable[object]) -> bool:
        """Let a member do something. Return False if the bot did not answer."""
        # The bot may be dead: then the answer is none, and the members try again later or in its next life.
        with suppress(AssertionError, KeyError, TimeoutError):
            async with asyncio.timeout(5):
                answer = await doing
            if not (isinstance(answer, dict) and answer["outcome"] == "failed"):
                self.done[what] += 1
                return True
        await asyncio.sleep(AGAIN)
        return False


async def _directly(player: Player, panel: Panel, text: str) -> None:
    """Move from direct messages, which reach the process of the first shard."""
    await by_command(player.elsewhere((await player.post("direct"))["id"]), panel, text)


async def _offering(player: Player, message: dict[str, Any], custom_id: str) -> dict[str, Any] | None:
    """A message once it has this button, or None."""
    now: dict[str, Any] = await player.get(f"messages/{message['id']}")
    return now if any(part.get("custom_id") == custom_id for part in components(now)) else None


def _accept_button(message: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """The message and the button's custom id, if it is an open challenge."""
    buttons = (part["custom_id"] for part in components(message) if part["type"] == 2)
    return next(((message, custom_id) for custom_id in buttons if custom_id.startswith("accept:")), None)
