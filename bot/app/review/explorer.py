"""Explorations: a member goes through positions and sees what every legal move is worth.

Explorations are kept in memory only, belong to the member who began them, and are no games: nothing of them is stored.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.review.fair_play import FairPlay
from bot.app.searches import MoveJudge, NoChoice
from bot.app.system import Clock
from db.values.places import DiscordId
from rules.core.match import LEAVING, Match, Ply, Setup
from rules.players.explore import Worth
from rules.players.review import stages

KEPT = 200
"""Explorations, and judged positions, that are remembered; the least recently used are forgotten first."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """An exploration of `user`: the positions on `path`, of which the one with the index `at` is shown.

    `name` says where the path comes from, such as "Alaric #17". `worths` are those of the moves that are legal in the
    position that is shown, the best first; empty where the game is over.
    """

    number: int
    user: DiscordId
    name: str
    path: tuple[Match, ...]
    at: int
    worths: tuple[Worth, ...] = ()

    @property
    def match(self) -> Match:
        """The position that is shown."""
        return self.path[self.at]


class Explorer:
    """The explorations of all members. Methods raise Refused or RuleError; then nothing was changed.

    `check_puzzle` raises Refused if a position would give a member the solution of an open puzzle.
    """

    def __init__(
        self,
        judge: MoveJudge,
        fair_play: FairPlay,
        check_puzzle: Callable[[DiscordId, Match], Awaitable[None]],
        clock: Clock,
    ) -> None:
        self._judge = judge
        self._fair_play = fair_play
        self._check_puzzle = check_puzzle
        self._kept: OrderedDict[int, Exploration] = OrderedDict()
        self._judged: OrderedDict[tuple[Setup, tuple[Ply, ...]], tuple[Worth, ...]] = OrderedDict()
        self._last = int(clock.now().timestamp())
        """The number of the newest exploration. The first one depends on the time, so that buttons from before a
        restart fit no later exploration."""
        self._searching: set[DiscordId] = set()

    async def begin(self, user: DiscordId, name: str, path: Sequence[Match], at: int) -> Exploration:
        """Begin an exploration at one of some positions, each of which follows the one before by a move."""
        if any(stage.legal() is None for stage in path):
            raise Refused(f"Moves are hidden in {name}, so its positions cannot be explored.")
        self._last += 1
        return await self._show(Exploration(self._last, user, name, tuple(path), min(at, len(path) - 1)))

    async def begin_in(self, user: DiscordId, loaded: LoadedMatch, at: int) -> Exploration:
        """Begin an exploration after `at` moves of a finished match."""
        if not loaded.match.over:
            raise Refused(f"{loaded.name} is still being played; explore its positions when it is over.")
        return await self.begin(user, loaded.name, stages(loaded.match), at)

    def find(self, number: int, user: DiscordId) -> Exploration:
        found = self._kept.get(number)
        if found is None:
            raise Refused(
                "This exploration is no longer available, because explorations are not stored; begin it again where you"
                " pressed **Explore**."
            )
        if found.user != user:
            raise Refused("This exploration belongs to another member; begin your own.")
        return found

    async def play(self, number: int, user: DiscordId, at: int, text: str) -> Exploration:
        """Play a move for the seat on turn in the position with the index `at`, which the member saw.

        A move that the path has anyway leads forward on it; another one leads on to a path of its own.
        """
        now = self.find(number, user)
        if at != now.at:
            raise Refused("This exploration has moved on; go on from the position that it shows now.")
        if text.strip().lower() in LEAVING:
            raise Refused("There is nothing to resign here, because you only explore.")
        after = now.match.play(now.match.to_move[0] if now.match.to_move else None, text)
        rest = now.path[at + 1 :]
        if not rest or rest[0].log[-1] != after.log[-1]:
            rest = (after,)
        return await self._show(replace(now, path=(*now.path[: at + 1], *rest), at=at + 1))

    async def go(self, number: int, user: DiscordId, at: int) -> Exploration:
        """Go to another position on the path, or the last one if it has no such position."""
        now = self.find(number, user)
        return await self._show(replace(now, at=min(at, len(now.path) - 1)))

    async def _show(self, exploration: Exploration) -> Exploration:
        """Judge the moves of the position that is to be shown, and keep the exploration."""
        found = replace(exploration, worths=await self._worths(exploration.user, exploration.match))
        self._kept[found.number] = found
        self._kept.move_to_end(found.number)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    async def _worths(self, user: DiscordId, match: Match) -> tuple[Worth, ...]:
        """Return the worths of all moves.

        No position that is close to a running rated game, or to a puzzle that is still open for `user`, is judged.
        """
        if match.over:
            return ()
        await self._fair_play.check(match)
        await self._check_puzzle(user, match)
        key = match.setup, match.log
        if key not in self._judged:
            if user in self._searching:
                raise Refused("I am still judging another position for you; one moment.")
            self._searching.add(user)
            try:
                self._judged[key] = await self._judge.worths(match)
            except NoChoice:
                raise Refused("I could not judge the moves of this position; please try again.") from None
            finally:
                self._searching.discard(user)
        self._judged.move_to_end(key)
        while len(self._judged) > KEPT:
            self._judged.popitem(last=False)
        return self._judged[key]
