"""Messages that hold for a while: boards that newer ones have replaced, and calls to players whose turn it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from db.api.places import DiscordId
from rules.core.game import Seat


@dataclass(frozen=True, slots=True)
class PassingMessage:
    """A message about a match that is changed or deleted once it no longer holds.

    With a `seat` it is a call to the player there, made when the match had `plies` entries. Without one it is a board
    that showed `plies` entries and was replaced by a board that shows `until`. While the newest board is posted again
    it is stored in the same way, since its replacement is not known yet.
    """

    match: int
    channel: DiscordId
    message: DiscordId
    plies: int
    until: int | None = None
    seat: Seat | None = None


class PassingMessageStore(Protocol):
    """The messages that are still to be changed or deleted. MatchStore.show adds most of them."""

    async def add_messages(self, messages: Sequence[PassingMessage]) -> None:
        """Remember messages; one that is remembered already is replaced."""

    async def passing_messages(self, match: int) -> Sequence[PassingMessage]:
        """Return those of a match, the oldest first."""

    async def passed(self) -> Sequence[int]:
        """Return the matches, by id, with replaced boards, or with calls made before the newest board or the end."""

    async def forget_messages(self, messages: Iterable[DiscordId]) -> None:
        """Forget messages that were changed or deleted."""
