"""Privacy: all stored data about one member, exported or deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ExportedRows = Mapping[str, Sequence[Mapping[str, object]]]
"""Rows by name of their table, each by names of its columns, with values that fit into JSON.

Discord ids are strings, as Discord itself writes them: many readers of JSON round large numbers.
"""


@dataclass(frozen=True, slots=True)
class Erased:
    """The ids of the matches and challenges, the newest first, in which a member became a former member."""

    matches: tuple[int, ...]
    challenges: tuple[int, ...]


class StillNeeded(Exception):
    """The data of a member cannot be deleted yet: these open challenges and running matches need them (by id)."""

    def __init__(self, challenges: tuple[int, ...], matches: tuple[int, ...]) -> None:
        super().__init__(f"still in the challenges {challenges} and the matches {matches}")
        self.challenges = challenges
        self.matches = matches
