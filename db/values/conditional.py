"""Conditional moves: answers that members enter before the others have moved."""

from dataclasses import dataclass

from db.values.places import DiscordId


@dataclass(frozen=True, slots=True)
class Variation:
    """A sequence of moves that a member foresees in a running match: moves of others, and the member's answers.

    The moves are canonical texts. The first one is to be made when the log of the match has `plies` entries.
    """

    id: int
    match: int
    user: DiscordId
    plies: int
    moves: tuple[str, ...]


class VariationsChanged(Exception):
    """The member has other variations in the match than those that were read; nothing was stored."""
