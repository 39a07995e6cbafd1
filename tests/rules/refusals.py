"""The refused moves that the games' tables of positions hold, for all tests that show refusals.

A game's test registers its table by `@refusals_of(position)` above `@pytest.mark.parametrize`; tables are found in all
modules `tests/rules/games/test_*`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

import pytest

from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match
from tests.rules import games

Row = dict[str, Any]
Test = TypeVar("Test", bound=Callable[..., object])


@dataclass(frozen=True)
class Table:
    """The parameters of a test, by name; `position` makes the match of a row, whose `move` is refused there."""

    rows: tuple[Row, ...]
    position: Callable[[Row], Match]
    move: str


_TABLES: dict[str, list[Table]] = {}
"""By the name of the module that registered them, because the order of imports differs between test runs."""


def refusals_of(position: Callable[[Row], Match], move: str = "move") -> Callable[[Test], Test]:
    """Register the parameters of a test as refused moves; `move` names the parameter that is the move."""

    def register(test: Test) -> Test:
        rows = []
        for mark in test.pytestmark:  # type: ignore[attr-defined]  # set by parametrize
            names, values = mark.args
            rows += [dict(zip(names, getattr(value, "values", value), strict=True)) for value in values]
        _TABLES.setdefault(test.__module__, []).append(Table(tuple(rows), position, move))
        return test

    return register


def check_refusal(
    match: Match, seat: Seat | None, move: str, rule: str, marks: Sequence[str], says: str
) -> None:
    """Check that a move is refused by this rule, with these marks and by a sentence that holds these words."""
    with pytest.raises(Illegal) as refused:
        match.play(seat, move)
    assert (refused.value.rule, refused.value.marks) == (rule, marks)
    assert says in str(refused.value)
    assert move not in (match.legal() or ())


def tables() -> Iterator[Table]:
    """Yield all tables of all games, in the order of the names of their modules."""
    for found in iter_modules(games.__path__):
        if found.name.startswith("test_"):
            import_module(f"{games.__name__}.{found.name}")
    for module in sorted(_TABLES):
        yield from _TABLES[module]
