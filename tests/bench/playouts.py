"""Random playouts per second of every game at its standard size: `python -m tests.bench.playouts [--json FILE]`.

Three ways to play in turn within one run, so that the ratios hold on any machine: the rules alone, a Match (which
reads and writes texts and keeps the log), and the plain games of `tests.rules.plain`.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from rules.core.match import Match
from rules.games import GAMES
from rules.games.palindromes import Arrange, Deal, Done, Find, Palindromes, PalindromesState, palindromes
from tests.rules.plain import plain
from tests.rules.walks import AnyGame, finish

Playout = Callable[[random.Random], int]
"""Plays one random game to its result and answers the number of plies."""

ROUNDS = 9
SECONDS = 0.25
"""Of CPU, per way and round. The ratio is the median of those of the rounds."""

WAYS = ("rules", "match", "plain")


def offered(state: PalindromesState) -> Sequence[object]:
    """Return the moves that the plain game offers, too, where the referee lists none because they are secret."""
    if state.reds is None:
        return [Deal(reds) for reds in range(state.cards + 1)]
    if not state.arranged:
        reds, blacks = state.hand(0 if state.rows[0] is None else 1)
        cards = "R" * reds + "B" * blacks
        return [Arrange(cards[at:] + cards[:at]) for at in range(len(cards))]
    if state.over:
        return ()
    seat = 1 if state.done[0] else 0
    named = state.found[seat]
    return [*[Find(name) for name in palindromes(state.rows[1 - seat] or "") if name not in named], Done()]


def by_rules(game: AnyGame, options: Mapping[str, int]) -> Playout:
    """The rules without a Match."""
    players = game.seats[0]
    legal = offered if isinstance(game, Palindromes) else game.legal

    def playout(chance: random.Random) -> int:
        state, plies, pick = game.start(options, players), 0, chance.random
        while moves := legal(state):
            state = game.apply(state, game.to_move(state)[0], moves[int(pick() * len(moves))])
            plies += 1
        game.winners(state)
        return plies

    return playout


def by_match(game: AnyGame, options: Mapping[str, int]) -> Playout:
    start = Match.start(game, options, game.seats[0])
    return lambda chance: len(finish(start, chance, 100_000).log)


def by_plain(game: AnyGame, options: Mapping[str, int]) -> Playout:
    def playout(chance: random.Random) -> int:
        other, plies, pick = plain(game.key, options), 0, chance.random
        while moves := other.moves():
            other.play(moves[int(pick() * len(moves))])
            plies += 1
        other.winners()
        return plies

    return playout


def rate(playout: Playout, seed: int) -> tuple[float, float]:
    """Playouts per second of CPU, and plies per playout."""
    chance = random.Random(seed)
    games = plies = 0
    begin = time.thread_time()
    while (spent := time.thread_time() - begin) < SECONDS:
        plies += playout(chance)
        games += 1
    return games / spent, plies / games


def measure(game: AnyGame) -> dict[str, float]:
    options = game.check({}, game.seats[0])
    ways = [make(game, options) for make in (by_rules, by_match, by_plain)]
    for playout in ways:
        playout(random.Random(0))  # tables are made once
    rounds = [[rate(playout, seed) for playout in ways] for seed in range(ROUNDS)]
    found = {way: median(speeds[at][0] for speeds in rounds) for at, way in enumerate(WAYS)}
    ratio = median(speeds[0][0] / speeds[2][0] for speeds in rounds)
    return {"plies": median(speeds[0][1] for speeds in rounds), **found, "ratio": ratio}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    arguments = parser.parse_args()
    print(f"{'game':<14}{'plies':>6}{'rules/s':>10}{'match/s':>10}{'plain/s':>10}{'rules : plain':>15}")
    figures = {}
    for game in GAMES:
        figures[game.key] = found = measure(game)
        speeds = "".join(f"{found[way]:>10.0f}" for way in WAYS)
        print(f"{game.key:<14}{found['plies']:>6.1f}{speeds}{found['ratio']:>13.2f} : 1", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
