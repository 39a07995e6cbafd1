"""Measure the levels of games against each other and write `rules/players/calibration.json`.

`python -m tests.bench.players.calibrate alaric maze` plays 200 games between neighbouring levels, seats balanced, at
each game's standard size, and level 1 against a player who always takes the largest immediate gain. The scores follow
from all shares at once by the model of Bradley and Terry, on the scale on which members are rated: level 1 has 1000,
what a newcomer is shown. With `--size quick` another size is measured, and nothing is written.
"""

import argparse
import json
from collections.abc import Mapping
from math import exp, sqrt
from pathlib import Path

from openskill.models import PlackettLuce

import rules.players
from rules.games import BY_KEY, GAMES, find
from rules.players.choose import levels_of
from tests.bench.players.contests import Contest, Outcome, hold

FILE = Path(rules.players.__file__).with_name("calibration.json")
OPENINGS: Mapping[str, int] = {"skull": 1}
"""Random plies before the levels begin, in games that their first player otherwise always wins."""
GAMES_PER_PAIR = 200
WITHOUT_GAINS = ("skull", "xlines", "polygons", "palindromes")
"""Games in which moves have no gain: they score nothing, or only from some phase on, or are hidden."""
ANCHOR = 1000.0
POINTS = 40.0
"""Points on the members' scale for one unit of openskill's."""


def scores(pairs: Mapping[str, tuple[float, int]]) -> list[int]:
    """Return each level's score by shares such as {"2-1": (0.75, 200)}: level 2 won 75% of 200 games against level 1.

    Half a game is added on either side of each pair, so that a share of 100% does not mean infinitely strong.
    """
    # Two players of certain strength, as openskill's model sees them, win by the difference of their means over this.
    spread = sqrt(2.0) * PlackettLuce().beta
    levels = 1 + len(pairs)
    strengths = [0.0] * levels
    most = max(games for _, games in pairs.values())
    for _ in range(4000):
        slopes = [0.0] * levels
        for pair, (share, games) in pairs.items():
            one, other = (int(level) - 1 for level in pair.split("-"))
            won = share * games + 0.5
            expected = (games + 1) / (1 + exp(strengths[other] - strengths[one]))
            slopes[one] += won - expected
            slopes[other] -= won - expected
        strengths = [it + slope / most for it, slope in zip(strengths, slopes, strict=True)]
    return [round(ANCHOR + POINTS * spread * (it - strengths[0])) for it in strengths]


def standard_error(share: float, games: int) -> float:
    """Return the standard error of a share of games, with half a game added on either side."""
    smoothed = (share * games + 0.5) / (games + 1)
    return sqrt(smoothed * (1 - smoothed) / games)


def main() -> None:
    parser = argparse.ArgumentParser(description="Calibrate the levels of the computer players.")
    parser.add_argument("games", nargs="*", default=[game.key for game in GAMES], help="keys of games")
    parser.add_argument("--games", dest="number", type=int, default=GAMES_PER_PAIR, help="per pair")
    parser.add_argument("--size", default="standard", help="the name of a size, for every game")
    parser.add_argument("--processes", type=int, default=None)
    wanted = parser.parse_args()
    for key in wanted.games:
        game = find(key)
        options = tuple(game.check(game.sizes[wanted.size], 2).items())
        contests = {
            f"{level}-{level - 1}": Contest(
                f"level:{level}", f"level:{level - 1}", key, options, OPENINGS.get(key, 0)
            )
            for level in levels_of(game)[1:]
        }
        pairs: dict[str, tuple[float, int]] = {}
        for pair, outcome in hold(contests, wanted.number, wanted.processes):
            pairs[pair] = (round(outcome.share, 4), outcome.games)
            _print(f"{key} {wanted.size}: level {pair}", outcome)
        found = scores(pairs)
        print(f"{key} {wanted.size}: scores {found}", flush=True)
        if wanted.size == "standard":
            _keep(key, pairs, found)
        if key not in WITHOUT_GAINS:
            greedy = {"greedy": Contest("greedy", "level:1", key, options)}
            for _, outcome in hold(greedy, wanted.number, wanted.processes):
                _print(f"{key} {wanted.size}: the largest gain against level 1", outcome)


def _print(about: str, outcome: Outcome) -> None:
    error = standard_error(outcome.share, outcome.games)
    print(
        f"{about}: {outcome.share:.1%} ± {error:.1%} of {outcome.games} games (by seat {outcome.by_seat})",
        flush=True,
    )


def _keep(key: str, pairs: Mapping[str, tuple[float, int]], found: list[int]) -> None:
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    known[key] = {"scores": found, "pairs": pairs}
    lines = [f"  {json.dumps(game)}: {json.dumps(known[game])}" for game in BY_KEY if game in known]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
