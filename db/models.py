"""The tables. A match is its setup and its plies; all else is who plays, where it is shown, how it ended."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    Enum,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    MetaData,
    or_,
)
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Mapped, mapped_column, relationship

from db.types import Options, OptionsJson, UtcTime
from db.values import Answer, Challenge, Outcome, Panel, Place, StoredMatch
from rules.core.match import Ply, Setup

Snowflake = Annotated[int, mapped_column(BigInteger)]
"""A Discord id: 64 bits, of which Discord leaves the sign unused."""


def words(kind: type[StrEnum]) -> Enum:
    """One of the values of `kind`, as a word with a CHECK: easier to extend than a native enum."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=True,
        length=16,
        name=kind.__name__.lower(),
        values_callable=lambda members: [member.value for member in members],
    )


class Base(DeclarativeBase):
    # Names by rule, so that a later migration can drop what an earlier one made, on either database.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - read once by SQLAlchemy, which wants no ClassVar here
        datetime: UtcTime,
        Options: OptionsJson,
        Outcome: words(Outcome),
        Answer: words(Answer),
    }


class PlyRow(Base):
    """One entry of a match's log. The primary key lets one of two racing plies in, whatever else fails."""

    __tablename__ = "plies"
    __table_args__ = (
        ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        CheckConstraint("ply >= 0", name="from_zero"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int | None]
    """None for chance or agreement."""
    text: Mapped[str]
    played_at: Mapped[datetime]


class SeatRow(Base):
    """Who sits where. A member who wants to be forgotten is replaced by an id that is no member's."""

    __tablename__ = "seats"
    __table_args__ = (CheckConstraint("seat >= 0", name="from_zero"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[Snowflake]
    outcome: Mapped[Outcome | None]


class MatchRow(Base):
    """A match. `plies` is the length of its log, kept so that a lagging panel is found without counting."""

    __tablename__ = "matches"
    __table_args__ = (
        CheckConstraint("players > 0", name="somebody_plays"),
        CheckConstraint("panel_plies BETWEEN 0 AND plies", name="shows_what_was_played"),
        CheckConstraint(
            "(panel_message IS NULL) = (panel_channel IS NULL)"
            " AND (panel_message IS NULL) = (panel_plies IS NULL)",
            name="whole_panel",
        ),
        # Ids stand on buttons that live as long as their message: none may ever be given twice.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[Options]
    players: Mapped[int]
    version: Mapped[int]
    guild: Mapped[Snowflake | None]
    channel: Mapped[Snowflake]
    plies: Mapped[int]
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    panel_channel: Mapped[Snowflake | None]
    panel_message: Mapped[Snowflake | None]
    panel_plies: Mapped[int | None]

    seats: Mapped[list[SeatRow]] = relationship(order_by=SeatRow.seat, lazy="raise")
    log: Mapped[list[PlyRow]] = relationship(order_by=PlyRow.ply, lazy="raise", viewonly=True)

    def value(self) -> StoredMatch:
        """The match as the store gives it; `seats` and `log` must be loaded."""
        panel = None
        if self.panel_channel is not None and self.panel_message is not None and self.panel_plies is not None:
            panel = Panel(self.panel_channel, self.panel_message, self.panel_plies)
        return StoredMatch(
            id=self.id,
            setup=Setup(self.game, self.options, self.players),
            version=self.version,
            place=Place(self.guild, self.channel),
            users=tuple(seat.user_id for seat in self.seats),
            log=tuple(Ply(ply.seat, ply.text) for ply in self.log),
            started_at=self.started_at,
            finished_at=self.finished_at,
            outcomes=tuple(seat.outcome for seat in self.seats if seat.outcome is not None) or None,
            panel=panel,
        )


class ChallengeRow(Base):
    """A challenge. It is open as long as it has no `answered_at`, whatever the time."""

    __tablename__ = "challenges"
    __table_args__ = (
        CheckConstraint("players > 0", name="somebody_plays"),
        CheckConstraint("expires_at >= made_at", name="expires_later"),
        CheckConstraint("(answer = 'open') = (answered_at IS NULL)", name="answered_once"),
        CheckConstraint("(answer = 'accepted') = (match_id IS NOT NULL)", name="accepted_is_a_match"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[Options]
    players: Mapped[int]
    guild: Mapped[Snowflake | None]
    channel: Mapped[Snowflake]
    challenger: Mapped[Snowflake]
    opponent: Mapped[Snowflake]
    made_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    answer: Mapped[Answer]
    answered_at: Mapped[datetime | None]
    message: Mapped[Snowflake | None]
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), unique=True)

    def value(self) -> Challenge:
        """The challenge as the store gives it."""
        return Challenge(
            id=self.id,
            setup=Setup(self.game, self.options, self.players),
            place=Place(self.guild, self.channel),
            challenger=self.challenger,
            opponent=self.opponent,
            made_at=self.made_at,
            expires_at=self.expires_at,
            answer=self.answer,
            message=self.message,
            match=self.match_id,
        )


# What is asked often is asked of few rows: partial indexes hold those alone and stay small for ever. Their
# conditions use no parameter, since a database picks a partial index before it knows a parameter's value.
RUNNING = MatchRow.finished_at.is_(None)
FINISHED = MatchRow.finished_at.is_not(None)
UNSHOWN = or_(MatchRow.panel_plies.is_(None), MatchRow.panel_plies < MatchRow.plies)
PLAYING = SeatRow.outcome.is_(None)
OPEN = ChallengeRow.answered_at.is_(None)


def _partial(name: str, condition: ColumnElement[bool], *columns: InstrumentedAttribute[Any]) -> Index:
    return Index(name, *columns, sqlite_where=condition, postgresql_where=condition)


_partial("ix_matches_running_channel", RUNNING, MatchRow.channel)
_partial("ix_matches_running_guild", RUNNING, MatchRow.guild)
_partial("ix_matches_finished_guild_game", FINISHED, MatchRow.guild, MatchRow.game)
_partial("ix_matches_unshown", UNSHOWN, MatchRow.id)
_partial("ix_seats_playing_user_id", PLAYING, SeatRow.user_id)
_partial("ix_challenges_open_expires_at", OPEN, ChallengeRow.expires_at)
_partial("ix_challenges_open_challenger", OPEN, ChallengeRow.challenger)
_partial("ix_challenges_open_opponent", OPEN, ChallengeRow.opponent)
_partial("ix_challenges_open_channel", OPEN, ChallengeRow.channel)
