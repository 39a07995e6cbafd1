"""The levels of a game against each other: `python -m tests.bench.players.round_robin alaric --games 200`."""

import argparse
import json
import time

from rules.games import BY_KEY, find
from rules.players.choose import levels_of
from tests.bench.players.contests import Contest, hold


def main() -> None:
    parser = argparse.ArgumentParser(description="Shares of the levels of a game against each other.")
    parser.add_argument("game", choices=sorted(BY_KEY))
    parser.add_argument("--games", type=int, default=40, help="per pair")
    parser.add_argument("--pairs", help="as in 2-1,3-1 (default: each level and the one below)")
    parser.add_argument("--options", type=json.loads, default={}, help='as in {"size": 9}')
    parser.add_argument(
        "--players", type=int, default=2, help="above 2 the first of a pair has a single seat"
    )
    parser.add_argument("--opening", type=int, default=0, help="random plies before the contestants begin")
    parser.add_argument("--processes", type=int, default=1)
    wanted = parser.parse_args()
    options = tuple(find(wanted.game).check(wanted.options, wanted.players).items())
    steps = ",".join(f"{level}-{level - 1}" for level in levels_of(find(wanted.game))[1:])
    contests = {}
    for pair in (wanted.pairs or steps).split(","):
        one, other = (name if ":" in name else f"level:{name}" for name in pair.split("-"))
        contests[f"{one} against {other}"] = Contest(
            one, other, wanted.game, options, wanted.opening, wanted.players
        )
    begin = time.perf_counter()
    for name, outcome in hold(contests, wanted.games, wanted.processes):
        spent = (time.perf_counter() - begin) / outcome.games
        print(
            f"{wanted.game} {name}: {outcome.share:.1%} ± {outcome.error:.1%} of {outcome.games} games"
            f" (by seat {outcome.by_seat}), {spent:.2f} s a game",
            flush=True,
        )
        begin = time.perf_counter()


if __name__ == "__main__":
    main()
