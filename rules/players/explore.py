"""Judge every legal move of a position: won, drawn or lost where that is proved, and an estimate elsewhere.

A line of `python -m rules bestmove` with `"every": 2.0` asks for this instead of one move; the number is the CPU time
in seconds that the search may take, roughly. The answer is `{"moves": [{"move": "c4", "value": 1.0, "exact": true,
"plies": 7}, ...]}`, the best move first. `value` is the share of the win that the player on turn keeps by the move,
null where nothing is known. `plies` counts the moves from this one to the end of the game, null where it is unknown.
"""

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.errors import BadSetup, RuleError
from rules.core.match import Match
from rules.core.record import RECORD, read_line, read_match
from rules.games import find
from rules.players.choose import find_player
from rules.players.player import SearchPlayer
from rules.players.position import SearchPosition
from rules.players.uct import search

FIELDS = (*RECORD, "every")
MOST_SECONDS = 60.0
QUICK, THOROUGH = 2_000, 40_000
"""Positions that the solver of a game looks at for one move: for each move first, and for the open ones afterwards."""
PROVING, COUNTING = 0.5, 0.65
"""The shares of the time after which no further proof and no further count of moves begins."""
_FAR = 60
"""Plies after which the count of the moves to the end is given up."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A legal move: the share of the win that its player keeps, and True if that is proved under best play.

    `value` is None where nothing is known. `plies` counts the moves from this one to the end of the game, if both
    sides play well; None where that is unknown.
    """

    move: str
    value: float | None
    exact: bool
    plies: int | None = None


def worths(match: Match, seconds: float) -> tuple[Worth, ...]:
    """Judge each legal move of a position in about so many seconds of CPU time, the best move first.

    Raises BadSetup where nobody is on turn, or where moves are hidden.
    """
    if match.over or match.to_move[0] is None or match.legal() is None:
        raise BadSetup("Moves are judged where a seat is on turn and no move is hidden.")
    player = find_player(match.game)
    if not isinstance(player, SearchPlayer):
        raise BadSetup(f"The moves of {match.game.sheet.title} cannot be judged.")
    judge = _Judge(player, match, seconds)
    order = {text: number for number, text in enumerate(match.legal() or ())}
    return tuple(sorted(judge.moves(), key=lambda worth: (*_rank(worth), order[worth.move])))


def _rank(worth: Worth) -> tuple[float, float, int]:
    """Return what sorts moves, the best first: a proof before an estimate, a near win and a distant loss first."""
    if worth.value is None:
        return 1.0, 0.0, 0
    plies = worth.plies or _FAR
    return -worth.value, 0.0 if worth.exact else 1.0, plies if worth.value == 1 else -plies


class _Judge:
    """Judges the moves of one position. `seconds` of CPU time are divided between proofs, counts and estimates."""

    def __init__(self, player: SearchPlayer[Any], match: Match, seconds: float) -> None:
        self._player, self._match = player, match
        self._root: SearchPosition = player.position(match)
        self._begun, self._seconds = time.process_time(), seconds
        self._after = {code: self._root.played(code) for code in self._root.moves()}
        self._chance = random.Random(f"every {len(match.log)}")  # noqa: S311 - for play, not for secrets

    def moves(self) -> Iterator[Worth]:
        """Yield the worth of each move, in no certain order."""
        proofs = self._proofs()
        open_codes = [code for code in self._after if code not in proofs]
        plies = {code: self._plies(self._after[code]) for code in self._near_first(proofs)}
        for number, code in enumerate(open_codes):
            share = (self._seconds - self._spent) / (len(open_codes) - number)
            value, exact = self._estimate(self._after[code], max(share, 0.001))
            yield Worth(self._text(code), value, exact)
        for code, value in proofs.items():
            yield Worth(self._text(code), value, True, plies[code])

    @property
    def _spent(self) -> float:
        return time.process_time() - self._begun

    def _text(self, code: int) -> str:
        return self._player.text(self._root, code)

    def _proofs(self) -> dict[int, float]:
        """Return the values of the moves for which a value is proved, the plain proofs first."""
        mover = self._root.mover
        found = {code: it.shares()[mover] for code, it in self._after.items() if not it.moves()}
        for attempt in (self._quick, self._whole, self._thorough):
            for code, after in self._after.items():
                if code not in found and self._spent < PROVING * self._seconds:
                    value = attempt(after)
                    if value is not None:
                        found[code] = value if after.mover == mover else 1 - value
        return found

    def _quick(self, after: SearchPosition) -> float | None:
        return self._player.proved(after, QUICK)

    def _whole(self, after: SearchPosition) -> float | None:
        found = self._player.whole(after)
        return None if found is None else found.value

    def _thorough(self, after: SearchPosition) -> float | None:
        return self._player.proved(after, THOROUGH)

    def _near_first(self, proofs: Mapping[int, float]) -> list[int]:
        """Return the proved moves, those that keep most first: their lengths matter most."""
        return sorted(proofs, key=lambda code: -proofs[code])

    def _plies(self, position: SearchPosition) -> int | None:
        """Count the plies to the end by the solver's own play, the one that led to this position included."""
        plies = 1
        while position.moves():
            if plies == _FAR or self._spent > COUNTING * self._seconds:
                return None
            solved = self._player.solved(position, QUICK) or self._player.whole(position)
            if solved is None or solved.worth:
                return None
            position = position.played(solved.best[0])
            plies += 1
        return plies

    def _estimate(self, after: SearchPosition, seconds: float) -> tuple[float | None, bool]:
        """Return the share that a move keeps by a search of the position after it, and True if that is proved."""
        seats = self._match.setup.players
        tuning = self._player.tuning
        found = search(after, seats, self._chance, tuning, seconds=seconds)
        best = found.moves[0]
        if best.value is None:
            return None, False
        mover = self._root.mover
        if seats > 2:
            return (_moderate(best.shares[mover], found.nodes) if best.shares else None), False
        value = best.value if after.mover == mover else 1 - best.value
        # Only a win is the value of the position whatever the other moves are worth.
        if best.exact and best.value == 1:
            return value, True
        return _moderate(value, found.nodes), False


def _moderate(share: float, playouts: int) -> float:
    """Return a share that is nearer to a half the fewer playouts it comes from."""
    return (share * playouts + 1) / (playouts + 2)


def answer(line: str) -> dict[str, object]:
    """Return the answer to a line that asks for the worth of every move; never raises."""
    try:
        fields = read_line(line, FIELDS, '{"game": "alaric", "every": 2.0}')
        seconds = _seconds(fields["every"])
        found = worths(read_match(find(str(fields["game"])), fields), seconds)
    except RuleError as error:
        return {"error": str(error)}
    return {
        "moves": [{"move": it.move, "value": it.value, "exact": it.exact, "plies": it.plies} for it in found]
    }


def _seconds(value: object) -> float:
    """Return the seconds of a line. Raises BadSetup."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST_SECONDS:
        raise BadSetup(f"every must be a number of seconds above 0, and at most {MOST_SECONDS:.0f}.")
    return float(value)
