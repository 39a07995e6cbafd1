"""Look for games that prove achievements: `python -m tests.app.achievements KEY` plays random games of the quick size
and prints lines for `games/KEY.jsonl`: of each achievement a few games that earn it, and a few that earn nothing.

Random play seldom finds what takes skill; then play such a game by `make play`, and save it as a file.
"""

import json
import random
import sys
from collections import Counter

from bot.app.achievements import OF_GAME, earned
from rules.core import record
from rules.core.match import Match
from rules.games import find
from tests.rules.walks import finish

GAMES = 3000
EACH = 3


def main(key: str) -> None:
    game = find(key)
    quick = next(iter(game.sizes.values()))
    printed: Counter[str] = Counter()
    for seed in range(GAMES):
        match = finish(Match.start(game, quick, game.seats[0]), random.Random(seed), 1000)
        due = {str(seat): [achievement.key for achievement in own] for seat, own in earned(match).items()}
        about = next((name for own in due.values() for name in own), "")
        if printed[about] < EACH:
            printed[about] += 1
            says = f"Scores {match.scores}, winners {match.winners}"
            head = {"about": about or OF_GAME[key][0].key, "says": says, "earned": due}
            print(json.dumps(head | record.write(match), separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1])
