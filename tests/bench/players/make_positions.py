"""Make solved positions of Uncooked Spaghetti or Maze again: `python -m tests.bench.players.make_positions maze`.

They come from random games. In each, some moves keep the value and some do not.
"""

import argparse
import json
import random

from rules.core.match import Match
from rules.games import find
from rules.players.choose import find_player
from rules.players.player import SearchPlayer
from tests.bench.players.regret import FOLDER
from tests.rules.walks import step

WANTED = 100
PHASES = {"spaghetti": "draw", "maze": "fill"}
"""The phase of each game that its solver plays exactly."""
SIZES = {"spaghetti": (5, 8), "maze": (3, 4)}
CHOICES = {"spaghetti": 45, "maze": 99}
"""So many moves may be open at most."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Write fixed solved positions.")
    parser.add_argument("game", choices=sorted(PHASES))
    key = parser.parse_args().game
    chance = random.Random(1)
    lines: list[str] = []
    while len(lines) < WANTED:
        line = _position(key, SIZES[key][len(lines) % 2], chance)
        if line is not None:
            lines.append(line)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{key}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _position(key: str, size: int, chance: random.Random) -> str | None:
    """Play a random game up to a random point of the phase, and return it as a line if it is worth keeping."""
    game = find(key)
    match, found = Match.start(game, {"size": size}, 2), []
    while not match.over:
        if game.phase(match.state) == PHASES[key] and 1 < len(match.legal() or ()) <= CHOICES[key]:
            found.append(match)
        match = step(match, chance)
    if not found:
        return None
    match = chance.choice(found)
    player = find_player(game)
    assert isinstance(player, SearchPlayer)
    position = player.position(match)
    solved = player.solved(position, 10_000_000)
    assert solved is not None
    if len(solved.best) == len(position.moves()):
        return None
    fields = {
        "game": key,
        "options": dict(match.setup.options),
        "players": 2,
        "moves": [list(ply) for ply in match.log],
        "value": solved.value,
        "best": [player.text(position, code) for code in solved.best],
    }
    return json.dumps(fields)


if __name__ == "__main__":
    main()
