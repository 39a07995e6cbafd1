"""Thirty members with habits. The habits are assumptions; what the bot does with these members is measured."""

import random
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from bot.app.clocks.dates import zone_of
from bot.app.members.digests import within_hours
from db.values.members import Notice
from db.values.places import DiscordId

ZONES = ("Europe/Berlin", "Europe/London", "America/New_York", "Asia/Tokyo")
DAY = timedelta(days=1)
NOTICES = (Notice.PING, Notice.DIRECT, Notice.NONE, Notice.DIGEST)


@dataclass(frozen=True)
class Holiday:
    """The days on which a member does not use Discord: from `first` for `days` days."""

    first: date
    days: int
    said: bool
    """True if they set **Away until ...** before they leave."""
    early: bool
    """True if they come back a day early."""

    def has(self, day: date) -> bool:
        return self.first <= day < self.first + timedelta(days=self.days - self.early)


@dataclass
class Person:
    """A member of the server: habits, and what the simulation remembers of them."""

    id: DiscordId
    zone: str
    hours: tuple[int, int]
    """The first hour of their day on Discord and the hour after the last one, in their zone."""
    weekdays: frozenset[int]
    visits: int
    """Number of visits of Discord on an active day."""
    appetite: int
    """Number of games that they like to play at once."""
    forgets: float
    """Probability with which they forget to do something that they have seen."""
    notice: Notice
    wanted: int
    """Daily maximum of notifications that somebody wants to play; 0 if they want none."""
    holidays: tuple[Holiday, ...]
    quits: date | None
    """The day from which on they never come back, without saying so."""
    offers: int
    """Number of games at once that they promise by a standing offer; 0 if they make none."""
    follows: float
    """Probability with which they follow a game of others on a visit."""
    pinged: bool = False
    """True if they were notified since their last visit."""
    seen: datetime | None = None
    absences: list[tuple[datetime, datetime]] = field(default_factory=list)
    """The beginning and the end of each absence that the bot accepted."""

    def times(self, day: date, chance: random.Random) -> list[datetime]:
        """Return the times of their visits on a day of their zone, in UTC."""
        away = any(holiday.has(day) for holiday in self.holidays)
        if away or day.weekday() not in self.weekdays or (self.quits is not None and day >= self.quits):
            return []
        hours = [hour for hour in range(24) if within_hours(hour, *self.hours)]
        midnight = datetime(day.year, day.month, day.day, tzinfo=zone_of(self.zone))
        found = (
            midnight + timedelta(hours=chance.choice(hours), minutes=chance.randrange(60))
            for _ in range(self.visits)
        )
        return sorted(found)

    def away_at(self, at: datetime) -> bool:
        """Return True if the bot had accepted that they are away at this time."""
        return any(begin <= at < end for begin, end in self.absences)


def people(users: list[DiscordId], first: date, days: int, chance: random.Random) -> list[Person]:
    """Return a member with habits for each user, for a simulation of so many days."""
    return [_person(user, number, first, days, chance) for number, user in enumerate(users)]


def _person(user: DiscordId, number: int, first: date, days: int, chance: random.Random) -> Person:
    begins = chance.choice((7, 12, 17, 18, 19))
    forgets = chance.choice((0.05, 0.1, 0.2, 0.4))
    starts = sorted(chance.sample(range(10, max(days, 12)), k=chance.choice((1, 2))))
    holidays = tuple(
        Holiday(
            first + timedelta(days=start),
            chance.choice((3, 5, 7, 9, 10, 14)),
            chance.random() >= forgets,
            chance.random() < 0.2,
        )
        for start in starts
    )
    return Person(
        user,
        chance.choice(ZONES),
        (begins, (begins + chance.choice((4, 6, 8))) % 24 or 24),
        frozenset(chance.sample(range(7), k=chance.choice((3, 5, 6, 7, 7)))),
        chance.choice((1, 1, 2, 3)),
        chance.choice((1, 2, 2, 3, 5)),
        forgets,
        chance.choices(NOTICES, (6, 2, 2, 2))[0],
        chance.choice((0, 0, 1, 3)),
        holidays,
        first + timedelta(days=chance.randrange(20, max(days, 21))) if number % 6 == 5 else None,
        # Each third member makes an offer, and each third follows games.
        (1, 2, 3)[number // 3 % 3] if number % 3 == 0 else 0,
        0.1 if number % 3 == 1 else 0.0,
    )
