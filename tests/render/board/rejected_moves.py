"""Every refusal in the tables of positions of the games: the match, who tries what, and what the referee says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from render import RejectedMove
from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match, Observation
from rules.games.alaric import Alaric
from tests.rules.games import (
    test_alaric_positions,
    test_cocomposite_positions,
    test_maze_positions,
    test_palindromes_positions,
    test_polygons,
    test_skull_positions,
    test_spaghetti,
    test_xlines_positions,
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A move that the referee refuses to `seat`."""

    match: Match
    seat: Seat
    move: str
    rule: str
    marks: tuple[str, ...]

    @property
    def seen(self) -> Observation:
        return self.match.observe(self.seat)

    @property
    def refused(self) -> RejectedMove:
        return RejectedMove(self.move, self.marks)


def cases() -> Iterator[Case]:
    """All that a seat on turn can be refused."""
    for test, played, tried in _TABLES:
        for row in _rows(test):
            match = played(row)
            seat = row.get("seat", match.to_move[0] if match.to_move else None)
            if seat is None or seat not in match.to_move:
                continue
            try:
                match.play(seat, row[tried])
            except Illegal as refusal:
                move = match.reading(seat, row[tried])
                yield Case(match, seat, move, refusal.rule, refusal.marks)


def _rows(test: Any) -> Iterator[Row]:
    """What a test is run with."""
    for mark in test.pytestmark:
        names, values = mark.args
        for value in values:
            yield dict(zip(names, getattr(value, "values", value), strict=True))


def _alaric(row: Row) -> Match:
    state = row["state"]
    return replace(Match.start(Alaric(), {"size": len(state.now.stones)}, 2), state=state)


def _polygons(row: Row) -> Match:
    match = test_polygons.placed(row["names"])
    for text in row["joins"].split():
        match = match.play(match.to_move[0], text)
    return match


_TABLES: tuple[tuple[Any, Callable[[Row], Match], str], ...] = (
    (test_alaric_positions.test_each_refusal_names_its_rule, _alaric, "move"),
    (
        test_cocomposite_positions.test_each_refusal_names_its_rule,
        lambda row: test_cocomposite_positions.played(*row["moves"]),
        "move",
    ),
    (
        test_maze_positions.test_each_refusal_names_its_rule,
        lambda row: test_maze_positions.played(*row["moves"], size=row["size"]),
        "move",
    ),
    (
        test_palindromes_positions.test_each_refusal_names_its_rule,
        lambda row: test_palindromes_positions.played(*row["moves"]),
        "text",
    ),
    (test_polygons.test_each_refusal_names_its_rule, _polygons, "move"),
    (
        test_skull_positions.test_each_refusal_names_its_rule,
        lambda row: test_skull_positions.played(*row["cells"].split()),
        "move",
    ),
    (
        test_spaghetti.test_each_refusal_names_its_rule,
        lambda row: test_spaghetti.played(row["size"], row["squares"], *row["lines"]),
        "move",
    ),
    (
        test_xlines_positions.test_each_refusal_names_its_rule,
        lambda row: test_xlines_positions.played(row["xs"], row["lines"], size=5),
        "move",
    ),
    (
        test_xlines_positions.test_what_crosses,
        lambda row: test_xlines_positions.played(row["xs"], row["lines"]),
        "line",
    ),
)
