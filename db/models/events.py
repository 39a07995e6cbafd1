"""Events: the event with the terms of its games, its entrants, stages, pairings and deeds; titles."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, false, true
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Snowflake, UserId, partial
from db.types import Options
from db.values.clocks import TimeControl
from db.values.events import Correction, Deed, Entrant, EventState, Stage, StoredDeed, TitleKind


class EventRow(Base):
    """An event. `version` is raised with every change, and when one of its matches ends."""

    __tablename__ = "events"
    __table_args__ = (
        CheckConstraint("most > 1", name="somebody_plays"),
        CheckConstraint("(state IN ('open', 'running')) = (ended_at IS NULL)", name="ends_once"),
        # Ids are in the custom ids of buttons, which outlive everything: no id may be used twice.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    guild: Mapped[GuildId] = mapped_column(index=True)
    channel: Mapped[Snowflake]
    home: Mapped[Snowflake | None]
    """The channel that `channel` belongs to if it is a thread."""
    organiser: Mapped[UserId] = mapped_column(index=True)
    game: Mapped[str]
    options: Mapped[Options]
    time_control: Mapped[TimeControl | None] = mapped_column("pace")
    rated: Mapped[bool]
    most: Mapped[int]
    computers: Mapped[int]
    state: Mapped[EventState]
    version: Mapped[int] = mapped_column(server_default="1", default=1)
    late: Mapped[bool] = mapped_column(server_default=false(), default=False)
    starts_at: Mapped[datetime | None]
    due_at: Mapped[datetime]
    """The time from which the event is to be looked at: a start, an end, or an entrant who has not moved."""
    made_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    season: Mapped[str | None]
    """The month of a league; NULL for a cup."""
    games: Mapped[int | None]
    """The number of games on each board of a match between servers; NULL for other events."""
    code: Mapped[str | None]
    """The code by which another server accepts the match; NULL once one has."""
    guests: Mapped[GuildId | None]
    guest_channel: Mapped[Snowflake | None]
    guest_home: Mapped[Snowflake | None]


class EntrantRow(Base):
    """A player of an event. A member whose data is deleted is replaced by an id below zero."""

    __tablename__ = "entrants"
    __table_args__ = (CheckConstraint("number >= 0", name="from_zero"),)

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[UserId] = mapped_column(index=True)
    left_at: Mapped[datetime | None]
    annulled: Mapped[bool] = mapped_column(server_default=false(), default=False)
    guest: Mapped[bool] = mapped_column(server_default=false(), default=False)

    def value(self) -> Entrant:
        return Entrant(self.number, self.user_id, self.left_at, self.annulled, self.guest)


class StageRow(Base):
    """A stage of an event. The primary key admits only one of two that are begun at once."""

    __tablename__ = "stages"
    __table_args__ = (
        CheckConstraint("number >= 0", name="from_zero"),
        CheckConstraint("ends_at > started_at", name="takes_time"),
    )

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    started_at: Mapped[datetime]
    ends_at: Mapped[datetime]

    def value(self) -> Stage:
        return Stage(self.number, self.started_at, self.ends_at)


class PairingRow(Base):
    """A game of a stage. Two entrants play once in each order of seats, so the primary key keeps a pairing unique.

    The result is that of the match, unless it was corrected.
    """

    __tablename__ = "pairings"
    __table_args__ = (
        ForeignKeyConstraint(["event_id", "stage"], ["stages.event_id", "stages.number"], ondelete="CASCADE"),
        ForeignKeyConstraint(["event_id", "first"], ["entrants.event_id", "entrants.number"]),
        ForeignKeyConstraint(["event_id", "second"], ["entrants.event_id", "entrants.number"]),
        CheckConstraint("first <> second", name="of_two"),
    )

    event_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    stage: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    first: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    second: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    group_number: Mapped[int]
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), unique=True)
    corrected: Mapped[Correction | None]


class DeedRow(Base):
    """Something that changed an event otherwise than by a game."""

    __tablename__ = "deeds"

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    deed: Mapped[Deed]
    at: Mapped[datetime]
    by_user: Mapped[UserId | None]
    whom: Mapped[UserId | None]
    match_id: Mapped[int | None]
    corrected: Mapped[Correction | None]

    def value(self) -> StoredDeed:
        return self.read_as(StoredDeed, by=self.by_user, match=self.match_id)


LEAGUE = EventRow.season.is_not(None)
UNFINISHED = EventRow.ended_at.is_(None)

partial("ix_events_unfinished_due_at", UNFINISHED, EventRow.due_at)
# A league has one event for each month.
partial("ix_events_league", LEAGUE, EventRow.guild, EventRow.game, EventRow.season, unique=True)
partial("ix_events_unfinished_guild", UNFINISHED, EventRow.guild)
partial("ix_events_guests", EventRow.guests.is_not(None), EventRow.guests)
partial("ix_events_code", EventRow.code.is_not(None), EventRow.code, unique=True)
partial("ix_deeds_by_user", DeedRow.by_user.is_not(None), DeedRow.by_user)
partial("ix_deeds_whom", DeedRow.whom.is_not(None), DeedRow.whom)


class TitleRow(Base):
    """A title of a member in a server.

    `role` is the role that Discord has confirmed for it. Once it is not `wanted` any more, the role is taken away, and
    the row is deleted when Discord has confirmed that.
    """

    __tablename__ = "titles"
    __table_args__ = (CheckConstraint("guild > 0", name="in_a_server"),)

    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[TitleKind] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False, index=True)
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"))
    earned_at: Mapped[datetime]
    role: Mapped[Snowflake | None]
    wanted: Mapped[bool] = mapped_column(server_default=true(), default=True)


class TitleRoleRow(Base):
    """The role that mirrors a kind of title in a server."""

    __tablename__ = "title_roles"
    __table_args__ = (CheckConstraint("guild > 0", name="in_a_server"),)

    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[TitleKind] = mapped_column(primary_key=True)
    role: Mapped[Snowflake]


partial("ix_titles_event_id", TitleRow.event_id.is_not(None), TitleRow.event_id)
GIVEN = TitleRow.role.is_not(None)
WITHOUT_ROLE = TitleRow.role.is_(None)

partial("ix_titles_given_earned_at", GIVEN, TitleRow.earned_at)
partial("ix_titles_without_role_earned_at", WITHOUT_ROLE, TitleRow.earned_at)
