"""What is kept of one member, and what is left once it was deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Tables = Mapping[str, Sequence[Mapping[str, object]]]
"""Rows by the name of their table, each by the names of its columns, as JSON can say them.

Discord ids are texts, as Discord itself writes them: many readers of JSON round large numbers.
"""


@dataclass(frozen=True, slots=True)
class Erased:
    """The ids of the matches and challenges, the newest first, in which a member became nobody."""

    matches: tuple[int, ...]
    challenges: tuple[int, ...]


class Entangled(Exception):
    """A member is in open challenges and running matches (their ids), so they cannot be forgotten yet."""

    def __init__(self, challenges: tuple[int, ...], matches: tuple[int, ...]) -> None:
        super().__init__(f"still in the challenges {challenges} and the matches {matches}")
        self.challenges = challenges
        self.matches = matches
