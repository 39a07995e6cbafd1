"""The winners after the first skulls on the large boards, where a search from there takes too long.

`book.txt` has a line for each of six boards and each number of skulls up to seven: width, height, skulls, and a
hexadecimal number. Its bits after the first stand for the sets of skulls that can be reached, one of each symmetry
class and in ascending order; a 1 is a win for the player on turn. `python -m rules.players.games.skull` writes it.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rules.players.games.skull.solver import SkullPosition

FILE = Path(__file__).with_name("book.txt")
BOARDS = ((8, 7), (9, 6), (9, 7), (8, 8), (9, 8), (9, 9))
SKULLS = 7


def outcome(width: int, height: int, skulls: int) -> bool | None:
    """Return True if the player on turn wins, and None for what the book does not have."""
    if width < height:
        skulls = _turned(skulls, width, height)
        width, height = height, width
    if (width, height) not in BOARDS or not 0 < skulls.bit_count() <= SKULLS:
        return None
    return _read(width, height)[canonical(skulls, width, height)]


def canonical(skulls: int, width: int, height: int) -> int:
    """Return the least of the sets that reflections, and on a square board rotations, make of a set of cells."""
    across = _across(skulls, width, height)
    forms = [skulls, across, _down(skulls, width, height), _down(across, width, height)]
    if width == height:
        forms += [_turned(form, width, height) for form in forms]
    return min(forms)


def layers(width: int, height: int) -> Iterator[dict[int, SkullPosition]]:
    """Yield for each number of skulls, from one, a position of each class by its set of skulls, ascending."""
    layer = {0: SkullPosition(width, height)}
    for _ in range(SKULLS):
        found: dict[int, SkullPosition] = {}
        for position in layer.values():
            for code in position.moves():
                after = position.played(code)
                found.setdefault(canonical(after.skulls, width, height), after)
        layer = dict(sorted(found.items()))
        yield layer


@cache
def _read(width: int, height: int) -> dict[int, bool]:
    lines = (line.split() for line in FILE.read_text(encoding="ascii").splitlines())
    bits = [bin(int(line[3], 16))[3:] for line in lines if line[:2] == [str(width), str(height)]]
    found: dict[int, bool] = {}
    for layer, row in zip(layers(width, height), bits, strict=True):
        found.update(zip(layer, (bit == "1" for bit in row), strict=True))
    return found


def _rows(skulls: int, width: int, height: int) -> list[int]:
    return [skulls >> width * row & (1 << width) - 1 for row in range(height)]


def _down(skulls: int, width: int, height: int) -> int:
    return sum(row << width * place for place, row in enumerate(reversed(_rows(skulls, width, height))))


def _across(skulls: int, width: int, height: int) -> int:
    rows = _rows(skulls, width, height)
    return sum(int(f"{row:0{width}b}"[::-1], 2) << width * place for place, row in enumerate(rows))


def _turned(skulls: int, width: int, height: int) -> int:
    """Exchange columns and rows."""
    found = 0
    while skulls:
        bit = skulls & -skulls
        skulls ^= bit
        row, column = divmod(bit.bit_length() - 1, width)
        found |= 1 << column * height + row
    return found
