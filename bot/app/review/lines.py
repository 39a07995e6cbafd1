"""Lines: a member plays on from a position of a finished game against the strongest computer player.

Lines are kept in memory only, belong to the member who began them, and are no games: nothing of them is stored.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.review.fair_play import FairPlay
from bot.app.review.reviews import Review
from bot.app.searches import NoChoice, Thinker
from bot.app.system import Clock
from db.values.places import DiscordId
from rules.core.game import Seat
from rules.core.match import LEAVING, Match
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.players.review import positions

KEPT = 200
"""Lines that are remembered; the least recently used are forgotten first."""
STRONGEST = Budget(level=5, with_value=True)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of `user`, who plays `seat` in it: `match` is the finished match up to `start` plies, and the line.

    `moment` is the index of the moment in the review of the match `game` from which it begins, and `better` the better
    move there; None and "" if it begins elsewhere. `choice` is the last answer of the computer player.
    """

    number: int
    user: DiscordId
    game: int
    name: str
    moment: int | None
    seat: Seat
    start: int
    better: str
    match: Match
    choice: Choice | None = None

    @property
    def plies(self) -> int:
        """The number of moves since the line left the game."""
        return len(self.match.log) - self.start


class Lines:
    """The lines of all members. Methods raise Refused or RuleError; then nothing was changed."""

    def __init__(self, thinker: Thinker, fair_play: FairPlay, clock: Clock) -> None:
        self._thinker = thinker
        self._fair_play = fair_play
        self._lines: OrderedDict[int, Line] = OrderedDict()
        self._last = int(clock.now().timestamp())
        """The number of the newest line. The first one depends on the time, so that buttons from before a
        restart fit no later line."""
        self._thinking: set[int] = set()

    def begin(self, user: DiscordId, review: Review, moment: int) -> Line:
        """Begin a line at a moment of a review, with the seat that moved there."""
        if review.hidden:
            raise Refused(f"Moves are hidden in {review.loaded.name}, so other moves cannot be tried there.")
        judged = review.moments[moment]
        stage = review.stages[judged.ply]
        self._last += 1
        loaded = review.loaded
        seat, ply, better = judged.seat, judged.ply, judged.better
        return self._put(Line(self._last, user, loaded.id, loaded.name, moment, seat, ply, better, stage))

    async def begin_after(self, user: DiscordId, loaded: LoadedMatch, moves: int | None) -> Line:
        """Begin a line after so many moves of a finished match, with the seat that is on turn there.

        None is the last position in which somebody is on turn.
        """
        if not loaded.match.over:
            raise Refused(f"{loaded.name} is still being played; play on from its positions when it is over.")
        stages = positions(loaded.match)
        if any(stage.legal() is None and not stage.over for stage in stages):
            raise Refused(f"Moves are hidden in {loaded.name}, so nobody can play on from its positions.")
        open_stages = [stage for stage in stages if not stage.over]
        if moves is None:
            stage = open_stages[-1]
        elif moves < len(open_stages):
            stage = open_stages[moves]
        else:
            raise Refused(f"{loaded.name} is over at this move; play on from an earlier one.")
        await self._fair_play.check(stage)
        (seat,) = stage.to_move
        assert seat is not None
        self._last += 1
        start = len(stage.log)
        return self._put(Line(self._last, user, loaded.id, loaded.name, None, seat, start, "", stage))

    def find(self, number: int, user: DiscordId) -> Line:
        line = self._lines.get(number)
        if line is None:
            raise Refused("This line is no longer available, because lines are not stored; begin it again.")
        if line.user != user:
            raise Refused("This line belongs to another member; begin your own.")
        return line

    async def play(self, number: int, user: DiscordId, plies: int, text: str) -> Line:
        """Play a move of the member, who saw `plies` moves of the line; the computer answers until it is their turn."""
        line = self.find(number, user)
        if number in self._thinking:
            raise Refused("I am still thinking about my answer; one moment.")
        if plies != line.plies:
            raise Refused("This line has moved on; play on where it stands now.")
        if text.strip().lower() in LEAVING:
            raise Refused("There is nothing to resign here, because you only try out moves.")
        match, choice = line.match.play(line.seat, text), line.choice
        self._thinking.add(number)
        try:
            while not match.over and match.to_move != (line.seat,):
                await self._fair_play.check(match)
                (seat,) = match.to_move
                assert seat is not None
                choice = await self._thinker.choose(match, seat, STRONGEST)
                match = match.play(seat, choice.move)
        except NoChoice:
            raise Refused("I have found no answer; please try again.") from None
        finally:
            self._thinking.discard(number)
        return self._put(replace(line, match=match, choice=choice))

    def back(self, number: int, user: DiscordId) -> Line:
        """Take back the member's last move and everything after it."""
        line = self.find(number, user)
        own = [ply for ply in range(line.start, len(line.match.log)) if line.match.log[ply].seat == line.seat]
        if not own or number in self._thinking:
            raise Refused("There is no move of yours to take back here.")
        kept = line.match.log[: own[-1]]
        match = Match.replay(line.match.game, line.match.setup, kept)
        return self._put(replace(line, match=match, choice=None))

    def _put(self, line: Line) -> Line:
        self._lines[line.number] = line
        self._lines.move_to_end(line.number)
        while len(self._lines) > KEPT:
            self._lines.popitem(last=False)
        return line
