"""The post of the puzzle of the day in servers: when it is due, and what it says later. A day is one of UTC."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from bot.app.puzzles.puzzles import Puzzles
from bot.app.system import Clock
from db.api.places import DiscordId
from db.api.puzzle_posts import PuzzlePost
from db.api.store import Store
from rules.puzzles.puzzle import Puzzle

DAY = timedelta(days=1)
KEPT_FOR = timedelta(days=7)
"""The time for which a post is remembered."""
NONCE_HOLDS = timedelta(minutes=2)
"""The time for which Discord surely does not make a second message of the same name."""


@dataclass(frozen=True, slots=True)
class DayBoard:
    """The results of the puzzle of a day in a server: how many members have tried it, and who has solved it.

    Only first attempts count, and only those that ended on the day or before. `solvers` come in the order in which they
    solved it; those who chose not to be listed are left out, and count in `solved`.
    """

    tried: int = 0
    solved: int = 0
    solvers: tuple[DiscordId, ...] = field(default=())


class DailyPuzzles:
    """The posts of the puzzle of the day.

    A post is stored before it is sent, and again once Discord has said where it is. A post of which Discord said
    nothing is doubtful: it may be there.
    """

    def __init__(self, store: Store, clock: Clock, puzzles: Puzzles) -> None:
        self._store = store
        self._clock = clock
        self._puzzles = puzzles

    @property
    def today(self) -> date:
        """The day whose puzzle is the newest."""
        return self._puzzles.today

    @property
    def now(self) -> datetime:
        """The time."""
        return self._clock.now()

    async def puzzle(self, day: date) -> Puzzle | None:
        """The puzzle of a day; None while it would give a running game away."""
        puzzle = await self._puzzles.of_day(day)
        return None if await self._puzzles.guard.taken(puzzle) else puzzle

    async def undone(self, user: DiscordId) -> Puzzle | None:
        """The puzzle of today, if `user` has not done it and it gives no running game away."""
        puzzle = await self.puzzle(self.today)
        attempt = None if puzzle is None else await self._store.attempt(user, puzzle.name)
        return None if attempt is not None and attempt.ended is not None else puzzle

    async def shown(self, day: date) -> Puzzle:
        """The puzzle of a day that was posted."""
        return await self._puzzles.of_day(day)

    async def due(self) -> tuple[date, Sequence[DiscordId]]:
        """Today, and the servers whose post of today is still to be sent. Days gone by are never made up for."""
        now = self._clock.now().astimezone(UTC)
        return now.date(), await self._store.puzzle_posts_due(now.date(), now.hour)

    async def post(self, guild: DiscordId, day: date) -> PuzzlePost | None:
        """The post of a day in a server, which may not be there yet; None if none was begun."""
        return await self._store.puzzle_post(guild, day)

    def fresh(self, post: PuzzlePost) -> bool:
        """True if a doubtful post can be sent again, because Discord would not make a second message of it."""
        return post.tried_at is not None and self._clock.now() - post.tried_at < NONCE_HOLDS

    async def sending(self, guild: DiscordId, day: date, channel: DiscordId) -> PuzzlePost:
        """Note that a post is being sent to a channel. It is doubtful until one of the following is called."""
        post = PuzzlePost(guild, day, channel, tried_at=self._clock.now())
        await self._store.keep_puzzle_post(post)
        return post

    async def not_sent(self, post: PuzzlePost) -> None:
        """Note that a post is not there for certain."""
        await self._store.keep_puzzle_post(replace(post, tried_at=None))

    async def sent(self, post: PuzzlePost, message: DiscordId | None) -> None:
        """Note that a post is there. Where it is not known (`message` None), it is never changed."""
        await self._store.keep_puzzle_post(replace(post, message=message, tried_at=None, settled=True))

    async def outdated(self) -> Sequence[tuple[PuzzlePost, DayBoard]]:
        """The posts that no longer say what is true, with the results that they should show."""
        posts = await self._store.open_puzzle_posts()
        boards = {day: await self._boards(day) for day in {post.day for post in posts}}
        found = ((post, boards[post.day].get(post.guild, DayBoard())) for post in posts)
        return [
            (post, board)
            for post, board in found
            if post.day < self.today or (post.tried, post.solved) != (board.tried, board.solved)
        ]

    async def updated(self, post: PuzzlePost, board: DayBoard, *, closed: bool) -> None:
        """Note that a post shows these results; `closed` is True if its day was over, so that they stay so."""
        await self._store.keep_puzzle_post(
            replace(post, tried=board.tried, solved=board.solved, closed=closed)
        )

    async def board(self, guild: DiscordId, day: date) -> DayBoard:
        """The results of the puzzle of a day in a server."""
        return (await self._boards(day, guild)).get(guild, DayBoard())

    async def forget(self) -> None:
        """Delete what is no longer needed of the posts of earlier days."""
        await self._store.forget_puzzle_posts(self.today - KEPT_FOR)

    async def _boards(self, day: date, guild: DiscordId | None = None) -> Mapping[DiscordId, DayBoard]:
        """The results of a day by server."""
        attempts = await self._puzzles.results_of_day(day, guild=guild)
        solvers = {attempt.user for attempt in attempts if attempt.solved}
        unlisted = {it.user for it in await self._store.members(solvers) if not it.listed}
        boards: dict[DiscordId, DayBoard] = {}
        for attempt in attempts:
            if attempt.guild is None:
                continue
            board = boards.get(attempt.guild, DayBoard())
            named = (attempt.user,) if attempt.solved and attempt.user not in unlisted else ()
            boards[attempt.guild] = DayBoard(
                board.tried + 1, board.solved + bool(attempt.solved), board.solvers + named
            )
        return boards
