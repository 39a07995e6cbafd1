"""Proves the first replies of X's and Lines again, and writes them: `python -m tests.bench.players.xlines_openings`."""

from collections.abc import Iterator

from rules.players.games.xlines.compiled import solve
from rules.players.games.xlines.exact import FILE, SEARCHED
from rules.players.games.xlines.position import names

SIZES = (6, 7, 8)


def prove(size: int) -> Iterator[str]:
    """Yield the lines of the file for one size."""
    won, _, replies = solve(size)
    assert won
    for key, reply in sorted(replies.items(), key=lambda item: (item[0].bit_count(), item[0])):
        if key.bit_count() <= size - SEARCHED:
            xs = (cell for cell in range(size**2) if key >> cell & 1)
            yield " ".join([str(size), *(names(size)[cell] for cell in (*xs, reply))])


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for size in SIZES for line in prove(size)))
