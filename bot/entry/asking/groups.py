"""Many moves in groups that a select can hold, and those in groups again: by column, by number, by start."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import pairwise

from rules.core.prompt import NumberPrompt, Prompt, SegmentPrompt

FEW = 25
"""Options that a select may hold."""


@dataclass(frozen=True, slots=True)
class Group:
    """Moves that belong together, by their canonical texts in board order, and what they have in common."""

    name: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sorting:
    """How the moves of a kind of prompt fall into groups: `first` says what is to be chosen first, `key` which group
    a move belongs to, and `name` is the name of one or several groups drawn together, from their keys."""

    first: str
    key: Callable[[str], str]
    name: Callable[[Sequence[str]], str]


@singledispatch
def sorting(prompt: Prompt) -> Sorting:
    """Cells go by their columns."""
    return Sorting("First choose a column.", lambda text: text[:1], _columns)


@sorting.register
def _number(prompt: NumberPrompt) -> Sorting:
    return Sorting("First choose a range.", lambda text: str((int(text) - 1) // 10), lambda _: "")


@sorting.register
def _segment(prompt: SegmentPrompt) -> Sorting:
    return Sorting("First choose where it starts.", lambda text: text.split("-")[0], _starts)


def groups(prompt: Prompt, moves: Sequence[str]) -> tuple[Group, ...]:
    """Two to 25 groups, none empty, of more than 25 moves; one that is too long for a select can be split again."""
    sort = sorting(prompt)
    parts: dict[str, list[str]] = {}
    for move in moves:
        parts.setdefault(sort.key(move), []).append(move)
    if len(parts) <= 3 and max(map(len, parts.values())) > FEW:
        # By what they have in common they would have to be split once more; by their order they need not.
        ordered = [move for part in parts.values() for move in part]
        return tuple(Group(_span(part), part) for part in _even(ordered, min(FEW, -(-len(moves) // FEW))))
    found = []
    for keys in _even(tuple(parts), min(FEW, len(parts))):
        together = tuple(move for key in keys for move in parts[key])
        found.append(Group(sort.name(keys) or _span(together), together))
    return tuple(found)


def _even(things: Sequence[str], number: int) -> Iterable[tuple[str, ...]]:
    """So many stretches of a sequence, as long as each other give or take one."""
    bounds = [len(things) * place // number for place in range(number + 1)]
    return (tuple(things[low:high]) for low, high in pairwise(bounds))


def _span(moves: Sequence[str]) -> str:
    return moves[0] if len(moves) == 1 else f"{moves[0]} to {moves[-1]}"


def _columns(keys: Sequence[str]) -> str:
    return f"Column {keys[0]}" if len(keys) == 1 else f"Columns {' and '.join(keys)}"


def _starts(keys: Sequence[str]) -> str:
    return f"From {' or '.join(keys)}"
