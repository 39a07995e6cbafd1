"""`python -m render.replay_worker THEME`: read a record and its players from standard input, write the animation.

Drawing a whole game takes seconds of a processor. The bot starts this process, so that it can answer meanwhile. A line
before the animation says after each position how many are drawn of how many.
"""

import json
import sys

import render.games  # noqa: F401 - registers every game
from render.board.players import Player
from render.replay import animate, match_of, positions

FILM_FOLLOWS = b"film\n"
"""The line before the animation."""


def main() -> int:
    order = json.load(sys.stdin)
    players = [Player(*fields) for fields in order["players"]]
    film = animate(positions(match_of(order["record"])), sys.argv[1], _tell, players)
    sys.stdout.buffer.write(FILM_FOLLOWS + film)
    return 0


def _tell(done: int, of: int) -> None:
    sys.stdout.buffer.write(b"%d %d\n" % (done, of))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
