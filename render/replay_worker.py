"""`python -m render.replay_worker THEME`: read a record from standard input, write its animation to standard output.

Drawing a whole game takes seconds of a processor. The bot starts this process, so that it can answer meanwhile.
"""

import json
import sys

import render.games  # noqa: F401 - registers every game
from render.replay import animate, positions
from rules.core.match import Match, setup_of
from rules.core.record import read_moves, read_options
from rules.games import find


def main() -> int:
    fields = json.load(sys.stdin)
    game = find(fields["game"])
    match = Match.replay(game, setup_of(game, *read_options(game, fields)), read_moves(fields))
    sys.stdout.buffer.write(animate(positions(match), sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
