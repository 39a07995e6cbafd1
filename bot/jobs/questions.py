"""Searches and their answers as text, for the way between the bot and its workers."""

import json
from dataclasses import asdict
from typing import Any

from bot.app.computers.thinker import NoChoice, Purpose, Thinker
from bot.app.moments.finder import Found, MomentFinder, Unsearched
from rules.core.game import Seat
from rules.core.match import Match, Setup
from rules.core.record import read_moves, read_options, write
from rules.games import find
from rules.players.levels import Budget

NOTHING = "{}"
"""The answer of a search that found nothing."""


def move_question(match: Match, seat: Seat, budget: Budget, seed: int, purpose: Purpose) -> str:
    about = {"seat": seat, "budget": asdict(budget), "seed": seed, "purpose": int(purpose)}
    return json.dumps({"record": write(match), "move": about})


def moments_question(match: Match) -> str:
    return json.dumps({"record": write(match)})


async def answer(question: str, thinker: Thinker, finder: MomentFinder) -> str:
    """Return the answer of these searches to a question, as JSON that bot.search.bestmove reads."""
    asked = json.loads(question)
    match = _match(asked["record"])
    about = asked.get("move")
    try:
        if about is None:
            return _write_moments(await finder.moments(match))
        choice = await thinker.choose(
            match, about["seat"], Budget(**about["budget"]), about["seed"], Purpose(about["purpose"])
        )
    except (NoChoice, Unsearched):
        return NOTHING
    return json.dumps(asdict(choice))


def _match(record: dict[str, Any]) -> Match:
    game = find(record["game"])
    options, players = read_options(game, record)
    return Match.replay(game, Setup(game.key, tuple(options.items()), players), read_moves(record))


def _write_moments(found: Found) -> str:
    moments = [
        {
            "ply": it.ply,
            "seat": it.seat,
            "played": it.played,
            "line": it.puzzle.line,
            "value": it.puzzle.value,
            "plies": it.puzzle.plies,
        }
        for it in found.moments
    ]
    return json.dumps({"moments": moments, "seconds": found.seconds})
