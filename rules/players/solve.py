"""`python -m rules solve GAME --size 7`: the result of a game under best play, as one JSON line.

A game that is solved in parts, such as hands of cards, prints a line for each.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from rules.core.errors import BadSetup
from rules.core.game import Option
from rules.games import find
from rules.players.choose import find_player


def results(arguments: Sequence[str]) -> Iterator[dict[str, object]]:
    """Solve one game as the words of a command line say. Raises BadSetup or Unsolvable, and SystemExit for `--help`."""
    if not arguments or arguments[0].startswith("-"):
        raise BadSetup("Say: python -m rules solve GAME --size 7")
    game = find(arguments[0])
    player = find_player(game)
    given = _read((*game.options, *player.parted), arguments[1:])
    compiled = not given.pop("plain", False) and find_spec("numba") is not None
    part = {option.key: given.pop(option.key) for option in player.parted if option.key in given}
    for options in player.parts({**game.check(given, game.seats[0]), **part}):
        begin = time.perf_counter()
        solution = player.solve(options, compiled=compiled)
        yield {
            "game": game.key,
            "options": options,
            "winner": solution.winner,
            "margin": solution.margin,
            "end": solution.end,
            "positions": solution.positions,
            "seconds": round(time.perf_counter() - begin, 3),
        }


def _read(options: tuple[Option, ...], arguments: Sequence[str]) -> dict[str, int]:
    parser = argparse.ArgumentParser(prog="python -m rules solve GAME", allow_abbrev=False)
    for option in options:
        parser.add_argument(f"--{option.key}", type=int, help=f"{option.says}, {option.low} to {option.high}")
    parser.add_argument(
        "--plain", action="store_true", help="use no compiled code, even if numba is installed"
    )
    return {key: value for key, value in vars(parser.parse_args(arguments)).items() if value is not None}
