"""Positions of running matches: numbers and texts by which matches at the same position are found without replaying."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from db.api.matches.matches import PositionKeys, StoredMatch


@dataclass(frozen=True, slots=True)
class Standing:
    """The keys at which running matches stand now, and those at which they stood at most NEAR plies ago."""

    now: frozenset[int]
    lately: frozenset[int]


class PositionStore(Protocol):
    """Searches for running matches by their positions."""

    async def standing(self, game: str, keys: Collection[int], *, rated: bool) -> Standing | None:
        """Return which of these keys of a game are those of running matches; with `rated`, only of rated ones.

        None if the keys of a running match of the game are unknown.
        """

    async def facing(self, game: str, text: str) -> bool | None:
        """Return True if somebody on turn in a running rated match of a game faces a text that is alike.

        Two texts are alike if one contains the other, forwards or backwards. None if the keys of a running match of
        this game are unknown.
        """

    async def unkeyed(self, game: str, limit: int) -> list[StoredMatch]:
        """Return the first running matches of a game whose keys are unknown, because an earlier version stored them."""

    async def note_positions(self, noted: Collection[tuple[int, int, PositionKeys | None]]) -> None:
        """Store the keys of matches. Each match is given by its id and the number of its plies.

        A match that has another number of plies by now is left out. None stands for a match that cannot be replayed.
        """
