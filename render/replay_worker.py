"""`python -m render.replay_worker THEME`: read a record from standard input, write its animation to standard output.

Drawing a whole game takes seconds of a processor. The bot starts this process, so that it can answer meanwhile.
"""

import json
import sys

import render.games  # noqa: F401 - registers every game
from render.records import match_of
from render.replay import animate, positions


def main() -> int:
    match = match_of(json.load(sys.stdin))
    sys.stdout.buffer.write(animate(positions(match), sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
