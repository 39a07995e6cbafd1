"""Random playouts per second of every game at its standard size: `python -m tests.bench.playouts`.

Three ways to play in turn within one run, so that the ratios hold on any machine: the rules alone, a Match (which
reads and writes texts and keeps the log), and the plain second implementation that the tests compare the rules with.
"""

import random
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from statistics import mean

from rules.core.match import Match
from rules.games import GAMES
from tests.rules.walks import AnyGame, finish

Playout = Callable[[random.Random], int]
"""Plays one random game and answers the number of plies."""

ROUNDS = 5
SECONDS = 0.3
"""Per way and round; the best round counts, since whatever else the machine does only makes it slower."""


def by_rules(game: AnyGame) -> Playout | None:
    """The rules without a Match. Where moves are secret the rules list none to choose from."""
    options, players = game.check({}, game.seats[0]), game.seats[0]

    def playout(chance: random.Random) -> int:
        state, plies = game.start(options, players), 0
        while legal := game.legal(state):
            state = game.apply(state, game.to_move(state)[0], chance.choice(legal))
            plies += 1
        game.winners(state)  # who plays a game out wants to know how it ended
        return plies

    return None if game.secret(game.start(options, players)) else playout


def by_match(game: AnyGame) -> Playout:
    start = Match.start(game, {}, game.seats[0])
    return lambda chance: len(finish(start, chance, 100_000).log)


def by_plain(game: AnyGame) -> Playout | None:
    """The second implementation, `tests.rules.plain.<game>`, where there is one."""
    name = f"tests.rules.plain.{game.key}"
    if find_spec(name) is None:
        return None
    playout: Callable[[dict[str, int], random.Random], int] = import_module(name).playout
    options = game.check({}, game.seats[0])
    return lambda chance: playout(options, chance)


def rate(playout: Playout, seed: int) -> tuple[float, float]:
    """Playouts per second and plies per playout."""
    chance = random.Random(seed)
    games = plies = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < SECONDS:
        plies += playout(chance)
        games += 1
    return games / spent, plies / games


def main() -> None:
    print(f"{'game':<14}{'plies':>6}{'rules/s':>10}{'match/s':>10}{'plain/s':>10}{'rules : plain':>15}")
    for game in GAMES:
        ways = (by_rules(game), by_match(game), by_plain(game))
        best = [0.0, 0.0, 0.0]
        lengths: list[float] = []
        for seed in range(ROUNDS):
            for way, playout in enumerate(ways):
                if playout is not None:
                    speed, plies = rate(playout, seed)
                    best[way] = max(best[way], speed)
                    lengths.append(plies)
        rules, match, plain = best
        ratio = f"{rules / plain:.1f} : 1" if rules and plain else "-"
        print(f"{game.key:<14}{mean(lengths):>6.1f}{rules:>10.0f}{match:>10.0f}{plain:>10.0f}{ratio:>15}")


if __name__ == "__main__":
    main()
