"""`python -m rules.players.games.spaghetti` solves the filled boards that are shipped and writes their files again."""

from rules.games.spaghetti import Spaghetti
from rules.players.games.spaghetti import plain_leaf
from rules.players.games.spaghetti.filled import SHIPPED, boards, path, write
from rules.players.games.spaghetti.position import SpaghettiPosition
from rules.players.games.spaghetti.solver import FAR


def main() -> None:
    for size in SHIPPED:
        margins = {}
        for key in boards(size):
            position = SpaghettiPosition(Spaghetti().start({"size": size}, 2))
            for number in range(size**2):
                if key >> number & 1:
                    position.play(position.table.count + number)
            margins[key], _ = plain_leaf(position, -FAR, FAR)
        contents = write(margins)
        path(size).parent.mkdir(exist_ok=True)
        path(size).write_bytes(contents)
        print(f"size {size}: {len(margins)} boards, {len(contents)} bytes")


if __name__ == "__main__":
    main()
