"""The requests to `python -m rules bestmove` and its responses, as lines of JSON."""

import json
from dataclasses import asdict
from typing import Any

from bot.app.searches import Found, NoChoice, Unsearched
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.record import write
from rules.players.choose import levels_of
from rules.players.explore import Worth
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.puzzles.moments import Moment, puzzle_at


def move_question(match: Match, seat: Seat, budget: Budget, seed: int) -> bytes:
    """Return the line that asks for a move of a seat."""
    effort = {name: amount for name, amount in asdict(budget).items() if amount is not None}
    if budget.level is not None:
        effort["level"] = min(budget.level, levels_of(match.game)[-1])
    return (
        json.dumps({**write(match), "seat": seat, **effort, "seed": seed, "detail": True}) + "\n"
    ).encode()


def worths_question(match: Match, seconds: float) -> bytes:
    """Return the line that asks for the worth of each move."""
    return (json.dumps({**write(match), "every": seconds}) + "\n").encode()


def moments_question(match: Match) -> bytes:
    """Return the line that asks for the moments of a finished match."""
    return (json.dumps({**write(match), "moments": True}) + "\n").encode()


def choice_in(answer: dict[str, object]) -> Choice:
    """Return the choice that an answer holds. Raises NoChoice for an error, whose text may quote hidden moves."""
    match answer:
        case {
            "move": str(move),
            "value": int() | float() | None as value,
            "exact": bool(exact),
            "nodes": int(nodes),
            "shares": list(shares),
            "visits": int(visits),
        }:
            known = None if value is None else float(value)
            return Choice(move, known, exact, nodes, tuple(map(float, shares)), visits)
    raise NoChoice("The search refused the position.")


def worths_in(answer: dict[str, object]) -> tuple[Worth, ...]:
    """Return the worth of each move that an answer holds. Raises NoChoice for an error."""
    match answer:
        case {"moves": list(found)}:
            return tuple(Worth(it["move"], it["value"], it["exact"], it["plies"]) for it in found)
    raise NoChoice("The search refused the position.")


def moments_in(match: Match, answer: dict[str, object]) -> Found:
    """Return the moments that an answer holds. Raises Unsearched for an error."""
    match answer:
        case {"moments": list(found), "seconds": int() | float() as seconds}:
            return Found(tuple(_moment(match, it) for it in found), float(seconds))
    raise Unsearched("The search refused the match.")


def _moment(match: Match, found: dict[str, Any]) -> Moment:
    ply, line = int(found["ply"]), tuple(found["line"])
    puzzle = puzzle_at(match, ply, line, float(found["value"]), int(found["plies"]))
    return Moment(ply, int(found["seat"]), str(found["played"]), puzzle)
