"""Members who want to know when somebody looks for opponents."""

from dataclasses import dataclass
from datetime import date, datetime

from db.values.places import DiscordId


@dataclass(frozen=True, slots=True)
class Interest:
    """The wish of a member to be told of open challenges, and when they were told last."""

    user: DiscordId
    games: tuple[str, ...] = ()
    """Keys of games; empty means all games."""
    first_hour: int = 9
    """The hour in their time zone from which on they are told, 0 to 23."""
    end_hour: int = 22
    """The hour from which on they are not, 1 to 24. If it is not after `first_hour`, it is one of the next day."""
    zone: str = "UTC"
    """The time zone: the name of one, or an offset such as `UTC+05:30`."""
    most: int = 3
    """The most notifications of a day in their time zone."""
    guilds: tuple[DiscordId, ...] = ()
    """The servers of whose challenges they are told."""
    told_at: datetime | None = None
    told_on: date | None = None
    """The day in their time zone on which they were told last."""
    told: int = 0
    """The number of notifications on that day."""
