"""Moments of finished games: positions that are puzzles, and what was played there.

A line of `python -m rules bestmove` that is a finished record with `"moments": true` asks for them. The answer is
`{"moments": [{"ply": 20, "seat": 0, "played": "c4", "line": ["c3", "d2", "d1"], "value": 1.0, "plies": 7}],
"seconds": 0.3}`, in the order of the game: after 20 moves seat 0 was to move, `line` is what a puzzle asks for
(`rules/puzzles/puzzle.py`), and the search took `seconds` of CPU time.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.core.errors import BadSetup, RuleError
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.record import RECORD, read_line, read_match
from rules.games import find
from rules.players.review import played_move, positions, reviewable
from rules.puzzles.make import FIRST
from rules.puzzles.proof import FEWEST, Prover, Unproved
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import RECIPES

PROOFS = 1_500
"""Positions whose values are proved for one game, at most: some seconds of CPU time."""
MOST = 3
"""Moments that are kept of one game: the worthiest."""

FIELDS = (*RECORD, "moments")


@dataclass(frozen=True, slots=True)
class Moment:
    """A puzzle that a game came to: `seat` was to move after `ply` moves, and played `played`."""

    ply: int
    seat: Seat
    played: str
    puzzle: Puzzle

    @property
    def found(self) -> bool:
        """True if the only move was played."""
        return self.played == self.puzzle.line[0]

    @property
    def worth(self) -> int:
        """The worth of a moment, to compare it with others: difficulty first, then that it was missed, then a win."""
        return 4 * self.puzzle.only_moves + 2 * (not self.found) + (self.puzzle.value == 1)


def puzzle_at(match: Match, ply: int, line: tuple[str, ...], value: float, plies: int) -> Puzzle:
    """Return the puzzle after `ply` moves of a match, when its line, value and plies to the end are known."""
    options = tuple(value for _, value in match.setup.options)
    moves = tuple(text for _, text in match.log[:ply])
    return Puzzle(match.setup.game, options, moves, line, value, plies)


def searchable(match: Match) -> bool:
    """Return True if a match is a finished game of two players in which positions can be proved."""
    return match.setup.game in RECIPES and match.setup.players == 2 and reviewable(match)


def moments(match: Match) -> tuple[Moment, ...]:
    """Return the moments of a finished match, in the order of the game. Raises BadSetup."""
    if not searchable(match):
        raise BadSetup("Moments are found in finished games of two players for which there are puzzles.")
    return _worthiest(reversed(tuple(_backwards(match))))


def _backwards(match: Match) -> Iterator[Moment]:
    """Yield every moment, from the end of the match to where a value cannot be proved any more."""
    draws = all(recipe.draws > 0 for recipe in RECIPES[match.setup.game])
    prover, stages = Prover(match.game, draws=draws, proofs=PROOFS), positions(match)
    for ply in range(len(match.log) - 1, FIRST - 1, -1):
        seat, played = match.log[ply].seat, played_move(match, ply)
        if seat is None or played is None or len(stages[ply].legal() or ()) < FEWEST:
            continue
        try:
            puzzle = prover.puzzle(stages[ply])
        except Unproved:
            return  # the positions before are harder still
        if puzzle is not None and puzzle.plies > 1:
            yield Moment(ply, seat, played, puzzle)


def _worthiest(found: Iterable[Moment]) -> tuple[Moment, ...]:
    """Return the moments that are kept of all that a match has; both in the order of the game.

    Where the only moves were found one after the other, the first of these moments has the others in its line.
    """
    kept: list[Moment] = []
    goes_on: set[tuple[int, Seat, float]] = set()
    for it in found:
        key = it.ply, it.seat, it.puzzle.value
        if key not in goes_on:
            kept.append(it)
        if it.found:
            goes_on.add((it.ply + 2, it.seat, it.puzzle.value))
    best = sorted(kept, key=lambda moment: (-moment.worth, moment.ply))[:MOST]
    return tuple(sorted(best, key=lambda moment: moment.ply))


def answer(line: str) -> dict[str, object]:
    """Return the answer to a line that asks for moments; never raises."""
    try:
        fields = read_line(line, FIELDS, '{"game": "alaric", "moves": [[0, "1"]], "moments": true}')
        match = read_match(find(str(fields["game"])), fields)
        begin = time.process_time()
        found = [written(it) for it in moments(match)]
    except RuleError as error:
        return {"error": str(error)}
    return {"moments": found, "seconds": round(time.process_time() - begin, 3)}


def written(moment: Moment) -> dict[str, object]:
    """Return a moment as an answer holds it."""
    puzzle = moment.puzzle
    return {
        "ply": moment.ply,
        "seat": moment.seat,
        "played": moment.played,
        "line": puzzle.line,
        "value": puzzle.value,
        "plies": puzzle.plies,
    }
