"""The referee on a pipe: `python -m rules` reads JSON lines and writes one JSON line for each.

In: `{"game": "alaric", "options": {"size": 7}, "players": 2, "moves": [[0, "1"], [1, "3"]]}`
Out: `{"to_move": [0], "phase": "play", "legal": [...], "scores": [1, 1], "winners": null}`, with `"trace": true` one
such object for every ply from the start as `{"trace": [...]}`, and `{"error": "...", "ply": 3}` for what is wrong.
"""

import json
import sys
from collections.abc import Iterator

from rules.core.errors import BadSetup, RuleError, shown
from rules.core.match import Match
from rules.core.record import read_moves, read_options
from rules.games import find

FIELDS = ("game", "options", "players", "moves", "trace", "scores", "winners")
"""What a line may hold. Finished records carry `scores`, `winners` and a list as `trace` too; these are passed over."""


def answer(line: str) -> dict[str, object]:
    """The answer to one line; never raises."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return {"error": "This line is not JSON."}
    try:
        return _judge(fields)
    except RuleError as error:
        return {"error": str(error)}


def _judge(fields: object) -> dict[str, object]:
    if not isinstance(fields, dict) or not isinstance(fields.get("game"), str):
        raise BadSetup('A line must be an object with a game, like {"game": "alaric"}.')
    if unknown := sorted(set(fields).difference(FIELDS)):
        raise BadSetup(f"A line has no field {shown(unknown[0])}; it has {', '.join(FIELDS)}.")
    game = find(fields["game"])
    match = Match.start(game, *read_options(game, fields))
    moves = read_moves(fields)
    trace = [status(match)]
    for ply, (seat, text) in enumerate(moves):
        try:
            match = match.play(seat, text)
        except RuleError as error:
            return {"error": str(error), "ply": ply}
        if fields.get("trace") is True:
            trace.append(status(match))
    return {"trace": trace} if fields.get("trace") is True else status(match)


def status(match: Match) -> dict[str, object]:
    """Where a match stands, as the text interface says it."""
    legal = match.legal()
    return {
        "to_move": list(match.to_move),
        "phase": match.game.phase(match.state),
        "legal": None if legal is None else sorted(legal),
        "scores": match.scores,
        "winners": match.winners,
    }


def _lines() -> Iterator[str]:
    """The lines that are not blank. Undecodable bytes spoil their own line only."""
    lines = (line.decode("utf-8", errors="replace") for line in sys.stdin.buffer)
    return (line for line in lines if line.strip())


def main() -> None:
    for line in _lines():
        print(json.dumps(answer(line)), flush=True)


if __name__ == "__main__":
    main()
