"""Makes solved positions of X's and Lines and of Polygons & Dots: `python -m tests.bench.players.solved_positions`.

They are random positions of the line phase or the joining phase in which some moves keep the value and some do not.
"""

import json
import random
from collections.abc import Iterator

from rules.core.match import Match
from rules.games import find
from rules.players.choose import find_player
from rules.players.player import SearchPlayer
from tests.bench.players.regret import FOLDER
from tests.rules.walks import step

PLENTY = 10**8
COUNT = 100


def make(key: str, phase: str) -> Iterator[dict[str, object]]:
    """Yield solved positions of the standard size."""
    game = find(key)
    player = find_player(game)
    assert isinstance(player, SearchPlayer)
    seed = found = 0
    while found < COUNT:
        seed += 1
        chance = random.Random(seed)
        match = Match.start(game, {}, 2)
        while game.phase(match.state) != phase:
            match = step(match, chance)
        for _ in range(seed % 4):
            match = step(match, chance)
        if match.over:
            continue
        position = player.position(match)
        solved = player.solved(position, PLENTY)
        assert solved is not None
        best = sorted(player.text(position, code) for code in solved.best)
        if len(best) < len(match.legal() or ()):
            found += 1
            moves = [[seat, text] for seat, text in match.log]
            record = {"game": key, "options": dict(match.setup.options), "players": 2, "moves": moves}
            yield {**record, "value": solved.value, "best": best}


if __name__ == "__main__":
    for key, phase in (("xlines", "draw"), ("polygons", "join")):
        lines = (json.dumps(record) + "\n" for record in make(key, phase))
        (FOLDER / f"{key}.jsonl").write_text("".join(lines), encoding="utf-8")
