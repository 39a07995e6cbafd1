"""Make the solved positions of a game: `python -m tests.bench.players.solved_positions maze`.

They come from random games. In each, some moves keep the value and some do not; at most half of them are draws. They go
to `positions/<game>.jsonl`, which is only made again if a game changes.
"""

import argparse
import json
import random
from collections import Counter

from rules.core.match import Match
from rules.games import BY_KEY, find
from rules.players.choose import find_player
from rules.players.player import SearchPlayer
from tests.bench.players.regret import FOLDER
from tests.rules.walks import step

BOARDS: dict[str, tuple[dict[str, int], ...]] = {
    "skull": ({}, {"width": 7, "height": 6}),
    "alaric": ({"size": 9}, {"size": 11}, {}),
    "spaghetti": ({"size": 5}, {"size": 8}),
    "maze": ({"size": 3}, {"size": 4}),
}
"""The boards that positions are taken from; other games give theirs at the standard size."""
PHASES = {"spaghetti": "draw", "maze": "fill", "xlines": "draw", "polygons": "join"}
"""The phase of each game that its solver plays exactly; that of other games plays all positions."""
CHOICES = {"spaghetti": 45}
"""The most moves that may be open, where more would take too long."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the solved positions of a game.")
    parser.add_argument("game", choices=sorted(BY_KEY))
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--limit", type=int, default=400_000, help="positions that the solver may look at")
    wanted = parser.parse_args()
    game, chance = find(wanted.game), random.Random(wanted.game)
    player = find_player(game)
    assert isinstance(player, SearchPlayer)
    boards = BOARDS.get(game.key, ({},))
    lines: list[str] = []
    values: Counter[float] = Counter()
    for tries in range(200 * wanted.number):
        match = Match.start(game, dict(boards[tries % len(boards)]), 2)
        passed = []
        while not match.over:
            in_phase = game.phase(match.state) == PHASES.get(game.key, game.phase(match.state))
            if in_phase and 1 < len(match.legal() or ()) <= CHOICES.get(game.key, 99):
                passed.append(match)
            match = step(match, chance)
        if not passed:
            continue
        match = chance.choice(passed)
        position = player.position(match)
        found = player.solved(position, wanted.limit)
        if found is None or len(found.best) == len(position.moves()):
            continue
        if found.value == 0.5 and values[0.5] * 2 >= wanted.number:
            continue
        values[found.value] += 1
        record = {"game": game.key, "options": dict(match.setup.options), "players": 2}
        best = sorted(player.text(position, code) for code in found.best)
        moves = [list(ply) for ply in match.log]
        lines.append(json.dumps({**record, "moves": moves, "value": found.value, "best": best}))
        if len(lines) == wanted.number:
            break
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{game.key}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} positions: {dict(values)}")


if __name__ == "__main__":
    main()
