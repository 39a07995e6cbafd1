"""The position of a step as the only match there is, so that moves are entered and judged in it as in any match."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.app.matches.matches import IllegalMove, Matches
from bot.app.matches.table import Table
from bot.app.system import Chance, Clock
from db.api.computers import LEVELS, computer_player
from db.api.lessons import Progress
from db.api.matches.matches import StoredMatch
from db.api.places import DiscordId, Place
from db.api.store import Store
from rules.core.game import Seat
from rules.core.match import Match, Ply
from rules.lessons import Lesson, Step
from rules.lessons.steps import Verdict

NUMBER = 0
"""The number of the match of a lesson; those of stored matches count from 1."""

STRONGEST = computer_player(LEVELS[-1])

_BEGUN = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that was tried in a step: what is said about it, and the referee's refusal if it was illegal."""

    text: str
    verdict: Verdict
    refusal: IllegalMove | None = None


class Sitting(Matches):
    """The services of matches for one member in one step. Its only match is the position of the step.

    What is played changes `table` and is told in `attempts`; nothing is stored here.
    """

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, lesson: Lesson, progress: Progress
    ) -> None:
        super().__init__(store, clock, chance)
        self.lesson, self.progress = lesson, progress
        self.step: Step = lesson.steps[progress.step]
        self.start = lesson.match(self.step.scene)
        self.seat: Seat = self.step.seat(self.start)
        self.attempts: list[Attempt] = []
        self.table_now = self._table(*map(_entry, progress.moves))

    @property
    def user(self) -> DiscordId:
        return self.progress.user

    @property
    def match(self) -> Match:
        return self.table_now.match

    @property
    def moves(self) -> tuple[str, ...]:
        """Return the moves of this step as they are stored."""
        return tuple(f"{seat}: {text}" for seat, text in self.match.log[len(self.start.log) :])

    async def play(self, match: int, user: DiscordId, text: str, plies: int | None = None) -> Table:
        try:
            return await super().play(match, user, text, plies)
        except IllegalMove as refusal:
            self.attempts.append(Attempt(refusal.move, self.step.judge_refusal(refusal), refusal))
            raise

    def reply(self, text: str) -> Verdict:
        """The computer player whose turn it is plays this move. Return what is said about the position after it."""
        before, seat = self.match, self.match.to_move[0]
        self.table_now = self._table(*self._entries(), Ply(seat, text))
        return self.step.judge(self.seat, before, self.match)

    def begin_again(self) -> None:
        """Take all moves of this step back."""
        self.table_now = self._table()

    async def _load(self, match: int) -> Table:
        return self.table_now

    async def _due(self, table: Table) -> Match | None:
        return None

    async def _append(self, table: Table, after: Match) -> Table:
        verdict = self.step.judge(self.seat, table.match, after)
        self.table_now = self._table(*self._entries(), after.log[-1])
        self.attempts.append(Attempt(after.log[-1].text, verdict))
        return self.table_now

    def _entries(self) -> tuple[Ply, ...]:
        return self.match.log[len(self.start.log) :]

    def _table(self, *entries: Ply) -> Table:
        start = self.start
        users = tuple(self.user if seat == self.seat else STRONGEST for seat in range(start.setup.players))
        stored = StoredMatch(
            id=NUMBER,
            setup=start.setup,
            version=start.game.version,
            place=Place(None, 0),
            users=users,
            log=(*start.log, *entries),
            salts=(None,) * (len(start.log) + len(entries)),
            started_at=_BEGUN,
            finished_at=None,
            outcomes=None,
            panel=None,
            rated=False,
        )
        return Table.of(stored)


def _entry(stored: str) -> Ply:
    seat, _, text = stored.partition(": ")
    return Ply(int(seat), text)
