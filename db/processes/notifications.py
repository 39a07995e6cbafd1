"""Notifications among the processes that serve one database, by PostgreSQL's NOTIFY.

A change is told in the transaction that makes it, so it arrives when it can be read. What belongs to a server is told
only by a process that does not own the server's shard: the owner itself needs no telling, and nobody else remembers it.
"""

from dataclasses import dataclass
from enum import StrEnum

from db.values.shards import DIRECT

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
    FREE = "free"
    """A shard that may be taken."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification of a change. `shard` is that of its server, if it belongs to one."""

    subject: Subject
    id: int
    shard: int = DIRECT

    def __str__(self) -> str:
        return f"{self.subject} {self.id} {self.shard}"

    @classmethod
    def read(cls, text: str) -> "Notification | None":
        """Return the notification of this text; None if it is none of a version that we know."""
        try:
            subject, number, shard = text.split(" ")
            return cls(Subject(subject), int(number), int(shard))
        except ValueError:
            return None
