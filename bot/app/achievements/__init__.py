"""Achievements: few, about these games, each proved by the record of one finished match.

A game's achievements are in the module that is named like its key; they are found automatically.
"""

import pkgutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType

from bot.app.achievements import general
from bot.app.achievements.achievement import Achievement, Progress, played
from db.values.matches import Award
from db.values.members import is_person, level_of
from db.values.places import DiscordId
from rules.core.game import Seat
from rules.core.match import Match
from rules.games import GAMES

_MODULES = {module.name for module in pkgutil.iter_modules(__path__)}

OF_GAME: Mapping[str, tuple[Achievement, ...]] = MappingProxyType(
    {game.key: import_module(f"{__name__}.{game.key}").ACHIEVEMENTS for game in GAMES if game.key in _MODULES}
)
"""By key of the game."""

ALL: tuple[Achievement, ...] = (
    *(achievement for own in OF_GAME.values() for achievement in own),
    *general.ACHIEVEMENTS,
)
"""In the order in which they are listed."""

BY_KEY: Mapping[str, Achievement] = MappingProxyType({achievement.key: achievement for achievement in ALL})


WORTHY = 4
"""The lowest level of a computer player against which an achievement can be earned."""


def earned(match: Match) -> dict[Seat, tuple[Achievement, ...]]:
    """Return the achievements that each seat earned in a match, by its record alone. Seats without any are left out."""
    game = played(match)
    if game is None:
        return {}
    due: dict[Seat, tuple[Achievement, ...]] = {}
    for achievement in (*OF_GAME.get(match.setup.game, ()), *general.ACHIEVEMENTS):
        for seat in sorted({*achievement.earned(game)} & {*game.seats}):
            due[seat] = (*due.get(seat, ()), achievement)
    return due


def awarded(match: Match, users: Sequence[DiscordId]) -> tuple[Award, ...]:
    """Return the achievements that a match between these users proves, as they are stored.

    Computer players earn none, and a match with one of a low level proves nothing.
    """
    if not worthy(users):
        return ()
    people = {seat: due for seat, due in earned(match).items() if is_person(users[seat])}
    return tuple(Award(seat, it.key) for seat, due in people.items() for it in due)


def worthy(users: Sequence[DiscordId]) -> bool:
    """Return True if a match between these users can prove something."""
    levels = (level_of(user) for user in users)
    return all(level is None or level >= WORTHY for level in levels)


def progress(match: Match, seat: Seat) -> dict[str, Progress]:
    """Return the progress of a seat in countable achievements by key; empty if a match proves nothing."""
    game = played(match)
    if game is None:
        return {}
    return {
        achievement.key: step
        for achievement in (*OF_GAME.get(match.setup.game, ()), *general.ACHIEVEMENTS)
        if achievement.measure is not None
        for step in achievement.measure(game)
        if step.seat == seat
    }
