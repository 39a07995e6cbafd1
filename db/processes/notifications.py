"""Notifications among the processes that serve one database, by PostgreSQL's NOTIFY.

A change is told in the transaction that makes it, so it arrives when it can be read. What belongs to a server is told
only by a process that does not own the server's shard: the owner itself needs no telling, and nobody else remembers it.
"""

from dataclasses import dataclass
from enum import StrEnum

from db.values.places import DIRECT

CHANNEL = "pencilbox"
"""The channel of all notifications, to which the processes of one database listen."""


class Subject(StrEnum):
    """The subject of a notification; its number follows."""

    MATCH = "match"
    CHALLENGE = "challenge"
    MEMBER = "member"
    SERVER = "server"
    ADMINISTRATION = "administration"
    """Bans, or what the owner announces; without a number."""
    TOUCHED = "touched"
    """A member who opens the Activity, and the match (`about`) at which they do; 0 for none."""
    FREE = "free"
    """A shard that may be taken."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification of a change. `shard` is that of its server, if it belongs to one. `about` is another number."""

    subject: Subject
    id: int
    shard: int = DIRECT
    about: int = 0

    def __str__(self) -> str:
        return f"{self.subject} {self.id} {self.shard}" + (f" {self.about}" if self.about else "")

    @classmethod
    def read(cls, text: str) -> "Notification | None":
        """Return the notification of this text; None if it is none of a version that we know."""
        try:
            subject, number, *rest = text.split(" ")
            found = cls(Subject(subject), int(number), *map(int, rest))
        except (ValueError, TypeError):
            return None
        return found if str(found) == text else None
