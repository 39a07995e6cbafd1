"""`python -m rules.players.games.alaric` solves the rings whose tables are shipped and writes their files again."""

from importlib.util import find_spec

from rules.players.games.alaric.retrograde import SHIPPED, path, solve, write


def main() -> None:
    for size in SHIPPED:
        if find_spec("numba") is not None:
            from rules.players.games.alaric import compiled

            ring = compiled.solve(size)
        else:
            ring = solve(size)
        contents = write(ring.decided)
        path(size).parent.mkdir(exist_ok=True)
        path(size).write_bytes(contents)
        print(f"{size} cells: {len(ring.decided)} of {ring.classes} classes decided, {len(contents)} bytes")


if __name__ == "__main__":
    main()
