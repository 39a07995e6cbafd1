"""The post of the puzzle of the day in servers: when it is due, and what it says later. A day is one of UTC."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, timedelta

from bot.app.errors import Refused
from bot.app.puzzles.posts import PostLedger
from bot.app.puzzles.puzzles import Puzzles
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.api.places import DiscordId
from db.api.puzzle_posts import PuzzlePost
from db.api.store import Store
from rules.puzzles.puzzle import Puzzle

DAY = timedelta(days=1)
KEPT_FOR = timedelta(days=7)
"""The time for which a post is remembered."""


@dataclass(frozen=True, slots=True)
class DayBoard:
    """The results of the puzzle of a day in a server: how many members have tried it, and who has solved it.

    Only first attempts count, and only those that ended on the day or before. `solvers` come in the order in which they
    solved it; those who chose not to be listed are left out, and count in `solved`.
    """

    tried: int = 0
    solved: int = 0
    solvers: tuple[DiscordId, ...] = field(default=())


class DailyPuzzles(PostLedger):
    """The posts of the puzzle of the day."""

    def __init__(self, store: Store, clock: Clock, puzzles: Puzzles, rounds: Rounds) -> None:
        super().__init__(clock)
        self._store = store
        self._rounds = rounds
        self._puzzles = puzzles

    @property
    def today(self) -> date:
        """The day whose puzzle is the newest."""
        return self._puzzles.today

    async def puzzle(self, day: date) -> Puzzle | None:
        """The puzzle of a day; None while it would give a running game away, or if this version has it no more."""
        try:
            puzzle = await self._puzzles.of_day(day)
        except Refused:
            return None
        return None if await self._puzzles.guard.taken(puzzle) else puzzle

    async def undone(self, user: DiscordId) -> Puzzle | None:
        """The puzzle of today, if `user` has not done it and it gives no running game away."""
        puzzle = await self.puzzle(self.today)
        attempt = None if puzzle is None else await self._store.attempt(user, puzzle.name)
        return None if attempt is not None and attempt.ended is not None else puzzle

    async def shown(self, day: date) -> Puzzle:
        """The puzzle of a day that was posted. Raises Refused if this version has it no more."""
        return await self._puzzles.of_day(day)

    async def due(self) -> tuple[date, Sequence[DiscordId]]:
        """Today, and the servers whose post of today is still to be sent. Days gone by are never made up for."""
        now = self._clock.now().astimezone(UTC)
        return now.date(), await self._store.puzzle_posts_due(now.date(), now.hour)

    async def post(self, guild: DiscordId, day: date) -> PuzzlePost | None:
        return await self._store.puzzle_post(guild, day)

    async def outdated(self) -> Sequence[tuple[PuzzlePost, DayBoard]]:
        """The posts that no longer say what is true, with the results that they should show."""
        posts, boards = await self._store.open_puzzle_posts(), dict[date, Mapping[DiscordId, DayBoard]]()

        async def read(day: date) -> None:
            boards[day] = await self._boards(day)

        await self._rounds.each("daily-results", sorted({post.day for post in posts}), read)
        found = ((post, boards[post.day].get(post.guild, DayBoard())) for post in posts if post.day in boards)
        return [
            (post, board)
            for post, board in found
            if post.day < self.today or (post.tried, post.solved) != (board.tried, board.solved)
        ]

    async def _keep(self, post: PuzzlePost) -> None:
        await self._store.keep_puzzle_post(post)

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
