"""Reviews of finished games, and lines that a member plays on from their positions.

Every position is searched once, and what was found is kept for a while. Lines are kept in memory only.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import pairwise

import structlog

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.replay import History
from bot.app.review.fair_play import REFUSAL, FairPlay
from bot.app.searches import NoChoice, Purpose, Thinker
from bot.app.system import Clock
from db.values.matches import Search
from db.values.places import DiscordId, Place
from rules.core.game import Seat
from rules.core.match import LEAVING, Match
from rules.players.levels import STRONGEST, Budget
from rules.players.player import Choice
from rules.players.review import (
    NODES,
    SECOND,
    Judged,
    Outlook,
    doubted,
    final,
    judged,
    moments,
    opened,
    other_way,
    outlook,
    played_move,
    positions,
    remarks,
    reviewable,
    settled,
)

log = structlog.get_logger()

LONGEST = 180.0
"""Seconds after which a review is shown as far as it has come; it goes from the last position to the first."""
MOST_AT_ONCE = 2
"""Games that are reviewed at the same time; further ones wait. Each has one search at a time."""
FIRST = Budget(nodes=NODES)
"""The search of every position."""
KEPT = 100
"""Reviews that are remembered; the least recently used are forgotten first."""


@dataclass(frozen=True, slots=True)
class Review:
    """A finished match and what its moves were worth.

    `stages` are its positions from the start to the end, and `outlooks` what could be expected in each, None where it
    was not looked at. `moments` are the moves that clearly gave something away, in the order of the game. `withheld`
    is True if positions were left out because a rated game that is being played is close to them.
    """

    loaded: LoadedMatch
    stages: tuple[Match, ...]
    outlooks: tuple[Outlook | None, ...]
    moments: tuple[Judged, ...]
    withheld: bool = False

    @property
    def hidden(self) -> bool:
        """Return True if moves were hidden in the game. The review then judges the game with everything open."""
        return any(stage.legal() is None for stage in self.stages)

    @property
    def remarks(self) -> tuple[tuple[Seat, str], ...]:
        """Further remarks: seats, and what each did, as the rest of a sentence."""
        return () if self.withheld else remarks(self.loaded.match)

    @property
    def whole(self) -> bool:
        """Return True if every position was looked at."""
        return None not in self.outlooks


@dataclass(frozen=True, slots=True)
class _Found:
    stages: tuple[Match, ...]
    outlooks: tuple[Outlook | None, ...]


class _Running:
    """A review under way: `done` of `total` positions are searched."""

    def __init__(self, total: int) -> None:
        self.done, self.total = 0, total
        self.changed = asyncio.Event()
        self.task: asyncio.Task[_Found] | None = None

    def step(self) -> None:
        self.done += 1
        self.changed.set()


class Reviews:
    """The service of reviews. It reviews one finished match at a time for each member."""

    def __init__(self, matches: Matches, history: History, thinker: Thinker, fair_play: FairPlay) -> None:
        self._matches = matches
        self._history = history
        self._thinker = thinker
        self._fair_play = fair_play
        self._free = asyncio.Semaphore(MOST_AT_ONCE)
        self._found: OrderedDict[tuple[int, int], _Found] = OrderedDict()
        self._running: dict[tuple[int, int], _Running] = {}
        self._of_member: dict[DiscordId, LoadedMatch] = {}

    async def pick(self, user: DiscordId, place: Place, match: int | None) -> LoadedMatch:
        """Return the match that `user` wants to be reviewed: the one named, or the last one that they finished here.

        Raises Refused if there is none, or if it cannot be reviewed.
        """
        if match is None:
            mine = await self._history.recent(Search.near(place, None, user), 1)
            if not mine:
                raise Refused("You have finished no game here yet; `/review` looks at games that are over.")
            match = mine[0].id
        loaded = await self._matches.shown(user, place, match)
        if not loaded.match.over:
            raise Refused(f"{loaded.name} is still being played; `/review` looks at games that are over.")
        if loaded.match.void:
            raise Refused(f"{loaded.name} ended without a result; there is nothing to review.")
        if not reviewable(loaded.match):
            raise Refused(f"{loaded.match.game.sheet.title} cannot be reviewed yet.")
        return loaded

    async def progress(self, user: DiscordId, loaded: LoadedMatch) -> AsyncIterator[tuple[int, int]]:
        """Search the positions of a match unless that is done. Yields how many of how many are searched, as it goes on.

        Raises Refused. Afterwards `review` returns the result.
        """
        key = (loaded.id, len(loaded.match.log))
        if key in self._found:
            return
        other = self._of_member.get(user)
        if other is not None:
            raise Refused(f"I am still reviewing {other.name} for you; please wait until that is done.")
        self._of_member[user] = loaded
        try:
            running = self._running.get(key) or self._start(key, loaded.match)
            while running.task is not None and not running.task.done():
                yield running.done, running.total
                running.changed.clear()
                changed = asyncio.create_task(running.changed.wait())
                await asyncio.wait((changed, running.task), return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
            if running.task is not None:
                running.task.result()
        finally:
            del self._of_member[user]

    async def review(self, loaded: LoadedMatch) -> Review:
        """Return what was found, without positions close to rated games that are being played now. Raises Refused."""
        key = (loaded.id, len(loaded.match.log))
        found = self._found.get(key)
        if found is None:
            raise Refused(f"The review of {loaded.name} is no longer there; ask for it again with `/review`.")
        self._found.move_to_end(key)
        near = await self._fair_play.near(loaded.match)
        known = tuple(None if index in near else it for index, it in enumerate(found.outlooks))
        if near and all(it is None for it in known[:-1]):
            raise Refused(REFUSAL)
        every = (judged(loaded.match, ply, *around) for ply, around in enumerate(pairwise(known)))
        moves = [move for move in every if move is not None]
        chosen = moments(moves, loaded.match.setup.players)
        return Review(loaded, found.stages, known, chosen, withheld=bool(near))

    def _start(self, key: tuple[int, int], match: Match) -> _Running:
        running = self._running[key] = _Running(len(match.log))
        running.task = asyncio.create_task(self._search(key, match, running))
        return running

    async def _search(self, key: tuple[int, int], match: Match, running: _Running) -> _Found:
        try:
            stages = await asyncio.to_thread(positions, match)
            outlooks: list[Outlook | None] = [None] * len(stages)
            outlooks[-1] = final(stages[-1])
            async with self._free, asyncio.timeout(LONGEST):
                for index in range(len(stages) - 2, -1, -1):
                    outlooks[index] = await self._outlook(stages, outlooks[index + 1], index)
                    running.step()
        except TimeoutError:
            log.warning("review.timed_out", game=match.setup.game, done=running.done, of=running.total)
        finally:
            del self._running[key]
        found = self._found[key] = _Found(stages, settled(match, outlooks))
        while len(self._found) > KEPT:
            self._found.popitem(last=False)
        return found

    async def _outlook(self, stages: tuple[Match, ...], after: Outlook | None, index: int) -> Outlook | None:
        match, stage = stages[-1], stages[index]
        choice = opened(match, stage, index)
        if choice is not None:
            return outlook(stage, choice, after, None)
        played, found = played_move(match, index), None
        try:
            found = outlook(stage, await self._choose(stage, FIRST), after, played)
            other = other_way(stage, found, played)
            if found is not None and other is not None:
                found = replace(found, kept=await self._looked(other, FIRST))
            doubt = doubted(stages, index, found, after)
            if found is None or doubt is None:
                return found
            had, now = [known or await self._looked(there, SECOND) for there, known in doubt]
        except NoChoice:
            return found
        return found if had is None or now is None else replace(found, second=(had, now))

    async def _looked(self, stage: Match, budget: Budget) -> Outlook | None:
        """Return the outlook of a position by a search of its own, or its result if it is over. Raises NoChoice."""
        return final(stage) if stage.over else outlook(stage, await self._choose(stage, budget), None, None)

    async def _choose(self, stage: Match, budget: Budget) -> Choice:
        """Search a position. Raises NoChoice."""
        (seat,) = stage.to_move
        assert seat is not None
        found = await self._thinker.choose(
            stage, seat, budget, seed=int(budget is SECOND), purpose=Purpose.REVIEW
        )
        return Choice(found.move, found.value, found.exact, found.nodes, found.shares, found.visits)


LINES_KEPT = 200
"""Lines that are remembered; the least recently used are forgotten first."""


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
        while len(self._lines) > LINES_KEPT:
            self._lines.popitem(last=False)
        return line
