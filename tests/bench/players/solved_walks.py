"""Make the solved positions of a game: `python -m tests.bench.players.solved_walks alaric`.

Random games lead to positions that the game's player solves and in which some moves keep the value and some do not;
at most half of them are draws. They go to `positions/<game>.jsonl`.
"""

import argparse
import json
import random

from rules.core.match import Match
from rules.games import BY_KEY, find
from rules.players.choose import find_player
from rules.players.player import SearchPlayer
from tests.bench.players.regret import FOLDER
from tests.rules.walks import step

BOARDS: dict[str, tuple[dict[str, int], ...]] = {
    "skull": ({}, {"width": 7, "height": 6}),
    "alaric": ({"size": 9}, {"size": 11}, {}),
}
"""The boards that positions are taken from; other games give theirs at the standard size."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the solved positions of a game.")
    parser.add_argument("game", choices=sorted(BY_KEY))
    parser.add_argument("--number", type=int, default=90)
    parser.add_argument("--limit", type=int, default=400_000, help="positions that the solver may look at")
    wanted = parser.parse_args()
    game = find(wanted.game)
    player = find_player(game)
    assert isinstance(player, SearchPlayer)
    chance = random.Random(wanted.game)
    boards = BOARDS.get(wanted.game, ({},))
    lines: list[str] = []
    values: dict[float, int] = {}
    tries = 0
    while len(lines) < wanted.number and tries < 200 * wanted.number:
        tries += 1
        match = Match.start(game, dict(boards[tries % len(boards)]), game.seats[0])
        for _ in range(chance.randrange(1, 30)):
            after = step(match, chance)
            if after.over:
                break
            match = after
        position = player.position(match)
        moves = position.moves()
        found = player.solved(position, wanted.limit)
        if (
            found is None
            or len(found.best) == len(moves)
            or (found.value == 0.5 and values.get(0.5, 0) * 2 >= wanted.number)
        ):
            continue
        values[found.value] = values.get(found.value, 0) + 1
        lines.append(
            json.dumps(
                {
                    "game": game.key,
                    "options": dict(match.setup.options),
                    "players": match.setup.players,
                    "moves": [list(ply) for ply in match.log],
                    "value": found.value,
                    "best": sorted(player.text(position, code) for code in found.best),
                }
            )
        )
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{game.key}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} positions: {values}")


if __name__ == "__main__":
    main()
