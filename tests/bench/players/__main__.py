"""The yardsticks of the computer players: `make bench-players`, or `python -m tests.bench.players --games 20 alaric`.

For each game: the share of solved positions whose value each level keeps, and the strongest level's shares against
OpenSpiel's MCTS over our rules at equal CPU time and at equal simulations, and against a frozen plain UCT at equal
simulations. Everything is seeded, and budgets are nodes or CPU time.
"""

import argparse

from rules.games import find
from rules.players.choose import levels_of
from tests.bench.players.contests import Contest, hold
from tests.bench.players.regret import kept

YARDSTICKS = {
    "alaric": {"size": 11},
    "xlines": {},
    "polygons": {},
    "spaghetti": {},
    "maze": {},
    "cocomposite": {"size": 10},
}
"""The games that OpenSpiel can play, at the sizes that are compared. Skull is always won by the first player, and the
Palindromic Card Game is played in secret."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how strong the computer players are.")
    parser.add_argument(
        "games", nargs="*", default=["skull", "palindromes", *YARDSTICKS], help="keys of games"
    )
    parser.add_argument("--games", dest="number", type=int, default=40, help="games per contest")
    parser.add_argument("--seconds", type=float, default=0.25, help="CPU seconds per move at equal time")
    parser.add_argument("--simulations", type=int, default=500, help="per move at equal simulations")
    parser.add_argument("--processes", type=int, default=None)
    wanted = parser.parse_args()
    for key in wanted.games:
        for level in levels_of(find(key)):
            right, tried = kept(key, f"level:{level}")
            if tried:
                share = right / tried
                print(
                    f"{key}: level {level} keeps the value of {right} of {tried} positions ({share:.1%})",
                    flush=True,
                )
        if key in YARDSTICKS:
            _contests(key, wanted)


def _contests(key: str, wanted: argparse.Namespace) -> None:
    options = tuple(find(key).check(YARDSTICKS[key], 2).items())
    nodes, seconds = f"nodes:{wanted.simulations}", f"seconds:{wanted.seconds}"
    rows = {
        f"OpenSpiel at {wanted.seconds} CPU seconds a move": (seconds, f"spiel-{seconds}"),
        f"OpenSpiel at {wanted.simulations} simulations": (nodes, f"spiel:{wanted.simulations}"),
        f"plain UCT at {wanted.simulations} simulations": (nodes, f"uct:{wanted.simulations}"),
    }
    contests = {name: Contest(one, other, key, options) for name, (one, other) in rows.items()}
    for name, outcome in hold(contests, wanted.number, wanted.processes):
        said = " ".join(f"{option}={value}" for option, value in options)
        print(
            f"{key} {said}: {outcome.share:.1%} of {outcome.games} games against {name}"
            f" (by seat {outcome.by_seat})",
            flush=True,
        )


if __name__ == "__main__":
    main()
