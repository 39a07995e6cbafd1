"""Write `cocomposite.jsonl`: `python -m tests.bench.players.positions.make_cocomposite`.

The positions come from games in which every fourth move is random and the others are those of the beginner.
"""

import json
import random
from pathlib import Path

from rules.core.match import Match
from rules.games import find
from rules.players.choose import choose
from rules.players.games.cocomposite.endings import solve_ending
from rules.players.games.cocomposite.position import CocompositePosition
from rules.players.levels import Budget
from tests.rules.walks import step

COUNT = 100
LIMIT = 10_000


def main() -> None:
    lines: list[str] = []
    seed = 0
    while len(lines) < COUNT:
        seed += 1
        line = _position(seed)
        if line is not None:
            lines.append(json.dumps(line) + "\n")
    Path(__file__).with_name("cocomposite.jsonl").write_text("".join(lines), encoding="utf-8")


def _position(seed: int) -> dict[str, object] | None:
    """Return a position of one game in which some moves keep the value and some do not, or None."""
    chance = random.Random(seed)
    options = {"size": chance.choice((4, 5, 6, 8))}
    match = Match.start(find("cocomposite"), options, 2)
    found = []
    while not match.over:
        position = CocompositePosition.of(match.state)
        solved = solve_ending(position, LIMIT)
        if solved is not None and len(solved.best) < len(position.moves()):
            found.append((match, solved, position))
        if chance.random() < 0.25:
            match = step(match, chance)
        else:
            match = match.play(match.to_move[0], choose(match, None, Budget(level=1), seed).move)
    if not found:
        return None
    match, solved, position = found[0] if seed % 2 else chance.choice(found)
    return {
        "game": "cocomposite",
        "options": options,
        "players": 2,
        "moves": [list(ply) for ply in match.log],
        "value": solved.value,
        "best": sorted(position.board.texts[code] for code in solved.best),
    }


if __name__ == "__main__":
    main()
