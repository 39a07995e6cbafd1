"""The cost of a move: `python -m tests.bench.moves` (on Linux), or `--short` for a minute.

Moves of all games on the standard size, early, middle and late, are made by pressing buttons in a local Discord,
which runs in this process; the bot has a process of its own. After each move a bare bot, in a third process, puts the
same picture into a message at a press and stores nothing, and the same picture is encoded again: together the floor.
Every second move is traced, which tells the parts; the totals are those of the other moves. The presses that open
menus before a move are not counted. Compare ratios, and only within one run.
"""

import argparse
import asyncio

from rules.games import GAMES
from tests.bench.moves.measure import measure
from tests.bench.moves.report import write_report


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.moves", description=__doc__)
    parser.add_argument(
        "--short", action="store_true", help="one round of two moves instead of three of four"
    )
    parser.add_argument(
        "--games", nargs="+", choices=[game.key for game in GAMES], help="these games only; default: all"
    )
    parser.add_argument("--rounds", type=int, help="how many games are played of each game and stage")
    given = parser.parse_args()
    rounds = given.rounds or (1 if given.short else 3)
    games = [game for game in GAMES if not given.games or game.key in given.games]
    write_report(asyncio.run(measure(games, rounds, 2 if given.short else 4)))


if __name__ == "__main__":
    main()
