"""`python -m rules bestmove`: the computer players on a pipe, one JSON line in and one out.

In: `{"game": "alaric", "options": {"size": 7}, "moves": [[0, "1"]], "level": 3}`, with `"nodes": 500`,
`"seconds": 0.5` (of CPU time) or `"level": "best"` instead; `seed` is 0 and `level` "best" if left out; `seat` is
needed if more than one is to move. Out: `{"move": "3", "value": 0.5, "exact": false, "nodes": 500}`: the canonical
text of the move, the expected share of the win for the seat that moves, True if that is proved, the positions searched.
A level plays a forced move without a search: its value is null, unless the line has `"with_value": true`.
With `"detail": true` there is also `visits`, the number of playouts of that move, and `shares`, the expected share of
each seat if there are more than two.
"""

from collections.abc import Mapping
from dataclasses import replace

from rules.core.errors import BadSetup, RuleError, figure, shown
from rules.core.match import Match
from rules.core.record import RECORD, read_line, read_moves, read_options, read_whole
from rules.games import find
from rules.players.choose import choose, levels_of
from rules.players.levels import STRONGEST, Budget

_BUDGET = ("level", "nodes", "seconds")
FIELDS = (*RECORD, "seat", *_BUDGET, "with_value", "seed", "detail")


def answer(line: str) -> dict[str, object]:
    """Return the answer to one line; never raises."""
    try:
        return _decide(read_line(line, FIELDS, '{"game": "alaric", "level": 3}'))
    except RuleError as error:
        return {"error": str(error)}


def _decide(fields: Mapping[str, object]) -> dict[str, object]:
    game = find(str(fields["game"]))
    match = Match.start(game, *read_options(game, fields))
    budget = read_budget(fields, levels_of(game))
    seat, seed = read_whole(fields, "seat"), read_whole(fields, "seed")
    for ply, (who, text) in enumerate(read_moves(fields)):
        try:
            match = match.play(who, text)
        except RuleError as error:
            return {"error": str(error), "ply": ply}
    choice = choose(match, seat, budget, seed or 0)
    found: dict[str, object] = {
        "move": choice.move,
        "value": choice.value,
        "exact": choice.exact,
        "nodes": choice.nodes,
    }
    if fields.get("detail") is not True:
        return found
    return {**found, "visits": choice.visits, "shares": choice.shares}


def read_budget(fields: Mapping[str, object], levels: range) -> Budget:
    """Return the budget of a line's JSON object; without one it is that of the strongest level. Raises BadSetup.

    `levels` are those of the game.
    """
    with_value = fields.get("with_value") is True
    given = [key for key in _BUDGET if key in fields]
    if len(given) > 1:
        raise BadSetup(f"A line has one of level, nodes and seconds, not {' and '.join(given)}.")
    level, seconds = fields.get("level", "best"), fields.get("seconds")
    if "nodes" in fields:
        nodes = read_whole(fields, "nodes")
        if nodes is None or nodes < 1:
            raise BadSetup("nodes must be a whole number from 1 up.")
        return Budget(nodes=nodes, with_value=with_value)
    if "seconds" in fields:
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not 0 < seconds < float("inf")
        ):
            raise BadSetup("seconds must be a number above 0.")
        return Budget(seconds=float(seconds), with_value=with_value)
    if level == "best":
        return replace(STRONGEST, with_value=with_value)
    if isinstance(level, bool) or not isinstance(level, int) or level not in levels:
        raise BadSetup(f'level must be from 1 to {levels[-1]} or "best", not {_said(level)}.')
    return Budget(level=level, with_value=with_value)


def _said(value: object) -> str:
    return figure(value) if isinstance(value, int) and not isinstance(value, bool) else shown(str(value))
