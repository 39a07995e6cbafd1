"""Random games that are kept, with all that every seat and a spectator observed at every ply.

One file of JSON lines per game. A line with "game" starts a playthrough, and has the position keys of its first
positions; each line below it is a ply: who moved, what a spectator observes, and for each seat the parts of its own
observation that differ from the spectator's. A change of the rules, or of what somebody may see, shows as a difference
here. A change of the keys needs a migration that forgets the stored keys of running matches.
`python -m tests.rules.playthroughs` writes the files again, and with `--keep` the same games as they are observed now.
"""

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path

from rules.core.match import Match, Ply
from rules.core.notation import Cell
from tests.rules.walks import AnyGame, finish

FOLDER = Path(__file__).parent
KEYED = 4
"""Plies of each playthrough after which the position keys are kept."""
BOUND = 5000
"""Plies; the laws see to it that games end long before."""


def path(game: AnyGame) -> Path:
    return FOLDER / f"{game.key}.jsonl"


def plain(value: object) -> object:
    """Return an observation as JSON has it. Raises TypeError for what a view should not hold."""
    match value:
        case None | bool() | int() | str():
            return value
        case Cell() | Fraction():
            return str(value)
        case tuple():
            return [plain(part) for part in value]
        case frozenset():
            return sorted((plain(part) for part in value), key=str)
        case Mapping():
            return {str(name): plain(part) for name, part in value.items()}
    if is_dataclass(value):
        shown = (field.name for field in fields(value) if field.name != "previous")  # the line above has it
        return {name: plain(getattr(value, name)) for name in shown}
    raise TypeError(f"A view holds a {type(value).__name__}, which is no plain value.")


def observed(match: Match) -> dict[str, object]:
    """Return one line: the last move as the record has it, and what everybody sees now."""
    spectator = plain(match.observe(None))
    assert isinstance(spectator, dict)
    seats: dict[str, object] = {}
    for seat in range(match.setup.players):
        own = plain(match.observe(seat))
        assert isinstance(own, dict)
        seats[str(seat)] = {name: part for name, part in own.items() if part != spectator[name]}
    return {"move": plain(match.log[-1]) if match.log else None, "spectator": spectator, "seats": seats}


def described(start: Match, log: Iterable[Ply]) -> Iterator[str]:
    """Yield the lines of one playthrough."""
    setup, entries = start.setup, tuple(log)
    first = [start]
    for seat, text in entries[:KEYED]:
        first.append(first[-1].play(seat, text))
    keys = [match.position_key for match in first]
    yield json.dumps(
        {"game": setup.game, "options": dict(setup.options), "players": setup.players, "keys": keys}
    )
    match = start
    yield json.dumps(observed(match), ensure_ascii=False)
    for seat, text in entries:
        match = match.play(seat, text)
        yield json.dumps(observed(match), ensure_ascii=False)


def kept(game: AnyGame) -> list[list[str]]:
    """Return the lines of each playthrough of a game."""
    found: list[list[str]] = []
    for line in path(game).read_text(encoding="utf-8").splitlines():
        if "game" in json.loads(line):
            found.append([])
        found[-1].append(line)
    return found


def again(game: AnyGame, lines: list[str]) -> tuple[Match, list[Ply]]:
    """Return the new match and the log that a playthrough holds."""
    head = json.loads(lines[0])
    plies = [Ply(*json.loads(line)["move"]) for line in lines[2:]]
    return Match.start(game, head["options"], head["players"]), plies


def played(game: AnyGame) -> Iterator[Match]:
    """Yield a game of each named size to its end, and two short ones that end by leaving and by agreement."""
    for number, (name, options) in enumerate(game.sizes.items()):
        chance = random.Random(f"{game.key} {name}")
        yield finish(Match.start(game, options, game.seats[number % 2]), chance, BOUND)
    chance = random.Random(game.key)
    begun = finish(Match.start(game, next(iter(game.sizes.values())), game.seats[1]), chance, 4)
    while begun.over:
        begun = Match.replay(game, begun.setup, begun.log[:-1])
    left = begun
    while not left.over:
        left = left.play(left.playing[0], "resign")
    yield left
    yield begun.play(None, "draw")


def text(matches: Iterable[Match]) -> str:
    """Return the file that holds these matches."""
    lines: list[str] = []
    for match in matches:
        start = Match.start(match.game, dict(match.setup.options), match.setup.players)
        lines.extend(described(start, match.log))
    return "\n".join(lines) + "\n"
