"""Look for games that prove achievements: `python -m tests.app.achievements KEY` plays random games of the quick size.

It prints lines for `games/KEY.jsonl`: of each achievement a few games that earn it, a few that earn nothing, and, where
progress is measured, the game that came nearest without earning it.

Random play seldom finds what takes skill; then play such a game by `make play`, and save it as a file.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from bot.app.achievements import OF_GAME, earned
from bot.app.achievements.achievement import Achievement, Progress, played
from rules.core import record
from rules.core.match import Match
from rules.games import BY_KEY
from tests.rules.walks import finish

GAMES = 3000
EACH = 3


def random_games(key: str) -> Iterator[Match]:
    game = BY_KEY[key]
    quick = next(iter(game.sizes.values()))
    for seed in range(GAMES):
        yield finish(Match.start(game, quick, game.seats[0]), random.Random(seed), 1000)


def progress(achievement: Achievement, match: Match) -> Progress | None:
    """Return the furthest progress of a seat; None where nothing is measured."""
    game = played(match)
    steps = achievement.measure(game) if game and achievement.measure else ()
    return max(steps, key=lambda step: Fraction(step.have, step.need), default=None)


def line(about: str, says: str, match: Match) -> str:
    """Return a line of `games/KEY.jsonl`; `says` is to be replaced by a sentence about the game."""
    due: dict[str, Any] = {str(seat): [it.key for it in own] for seat, own in earned(match).items()}
    head = {"about": about, "says": says, "earned": due}
    return json.dumps(head | record.write(match), separators=(",", ":"))


def main(key: str) -> None:
    printed: Counter[str] = Counter()
    nearest: dict[str, tuple[Progress, Match]] = {}
    for match in random_games(key):
        due = [achievement.key for own in earned(match).values() for achievement in own]
        about = next(iter(due), "")
        if printed[about] < EACH:
            printed[about] += 1
            says = f"Scores {match.scores}, winners {match.winners}"
            print(line(about or OF_GAME[key][0].key, says, match))
        for achievement in OF_GAME[key]:
            step = progress(achievement, match)
            if step is None or achievement.key in due:
                continue
            if achievement.key not in nearest or step.have > nearest[achievement.key][0].have:
                nearest[achievement.key] = step, match
    for about, (step, match) in nearest.items():
        print(line(about, f"{step.have} of {step.need}", match))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.app.achievements", description=__doc__)
    parser.add_argument("key", choices=BY_KEY, help="the key of the game")
    main(parser.parse_args().key)
