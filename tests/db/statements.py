"""The statements that a piece of code sends to databases."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from sqlalchemy import Engine, event


class Statements(list[tuple[str, Any]]):
    """Statements of all engines of this process, each with its parameters."""

    def beginning(self, *words: str) -> list[str]:
        """Return the texts of the statements that begin with one of these words."""
        return [text for text, _ in self if text.startswith(words)]


@contextmanager
def statements() -> Iterator[Statements]:
    """Note the statements that are sent meanwhile."""
    noted = Statements()

    def note(_c: object, _k: object, statement: str, parameters: Any, *_: object) -> None:
        noted.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield noted
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@contextmanager
def fails_at(number: int) -> Iterator[None]:
    """Raise ZeroDivisionError in place of the statement of this number, from 0, of those that are sent meanwhile."""
    numbers = count()

    def fail(*_: object) -> None:
        if next(numbers) == number:
            raise ZeroDivisionError

    event.listen(Engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", fail)
