"""Boards of running games that the bot pins, from before it does so until they are unpinned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from db.api.places import DiscordId


@dataclass(frozen=True, slots=True)
class Pin:
    """A board of a match that the bot has pinned, or (`pinned` False) is to pin."""

    match: int
    channel: DiscordId
    message: DiscordId
    pinned: bool = False


class PinStore(Protocol):
    """The pins of boards. MatchStore.show adds them, so that a stopped process leaves none out."""

    async def pins(self, match: int) -> Sequence[Pin]:
        """Return the pins of a match, the oldest board first."""

    async def unsettled_pins(self) -> Sequence[int]:
        """Return the matches, by id, with a board to pin, or to unpin since it was replaced or the match is over."""

    async def pinned(self, message: DiscordId) -> None:
        """Record that a board is pinned."""

    async def forget_pins(self, messages: Iterable[DiscordId]) -> None:
        """Forget boards that were unpinned, or that cannot be pinned."""
