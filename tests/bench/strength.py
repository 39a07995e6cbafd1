"""A measurement: do the better players come to stand higher? `python -m tests.bench.strength`.

Simulated players of known strength meet at random tables and are rated by the bot's own code. How often each wins
follows from the strengths alone: of two, the stronger one by d wins with the odds e**d : 1 (Bradley and Terry), and of
several each comes first with odds of e**strength (Plackett and Luce). Printed is Spearman's rank correlation between
strength and the score that the bot shows, beside the same for the share of all opponents that somebody has beaten.
"""

import argparse
import math
import random
from collections.abc import Sequence
from statistics import correlation, mean

from db.rating_math import rate
from db.values.standings import NEWCOMER

SPREAD = 1.0
"""The standard deviation of strengths: somebody so much above the average beats them in 73 of 100 games."""
GAMES = (5, 10, 20, 50)


def order(strengths: Sequence[float], chance: random.Random) -> list[int]:
    """The places, from 1, that a table of players of these strengths ends in."""
    luck = [strength - math.log(chance.expovariate(1.0)) for strength in strengths]
    return [1 + sum(other > it for other in luck) for it in luck]


def climbs(players: int, table: int, seed: int) -> dict[int, tuple[float, float]]:
    """The correlations with the score and with the share of opponents beaten, by games that each has played."""
    chance = random.Random(seed)
    strengths = [chance.gauss(0.0, SPREAD) for _ in range(players)]
    skills, beaten = [NEWCOMER] * players, [0] * players
    found: dict[int, tuple[float, float]] = {}
    for played in range(1, max(GAMES) + 1):
        mixed = chance.sample(range(players), players)
        for start in range(0, players, table):
            seats = mixed[start : start + table]
            places = order([strengths[it] for it in seats], chance)
            after = rate([skills[it] for it in seats], places)
            for player, place, skill in zip(seats, places, after, strict=True):
                skills[player] = skill
                beaten[player] += table - place
        if played in GAMES:
            found[played] = (spearman(strengths, [it.score for it in skills]), spearman(strengths, beaten))
    return found


def spearman(ones: Sequence[float], others: Sequence[float]) -> float:
    """The rank correlation of two series; equal numbers share the mean of their ranks."""
    return correlation(_ranks(ones), _ranks(others))


def _ranks(numbers: Sequence[float]) -> list[float]:
    in_order = sorted(numbers)
    return [in_order.index(it) + (in_order.count(it) + 1) / 2 for it in numbers]


def main() -> None:
    options = argparse.ArgumentParser(description="Rank correlation of true strength and shown score.")
    options.add_argument("--players", type=int, default=64, help="a multiple of four")
    options.add_argument("--runs", type=int, default=20)
    given = options.parse_args()
    if given.players % 4 or given.players <= 0:
        options.error("The number of players must be a multiple of four.")
    print(f"{given.players} players, {given.runs} runs: rank correlation with true strength")
    print(f"{'table of':<10}{'games each':>11}{'score':>8}{'worst run':>11}{'share beaten':>14}")
    for table in (2, 4):
        runs = [climbs(given.players, table, seed) for seed in range(given.runs)]
        for games in GAMES:
            shown, share = zip(*(run[games] for run in runs), strict=True)
            print(f"{table:<10}{games:>11}{mean(shown):>8.2f}{min(shown):>11.2f}{mean(share):>14.2f}")


if __name__ == "__main__":
    main()
