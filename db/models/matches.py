"""A match is its setup and its plies; all else is who plays, where it is shown, how it ended."""

from datetime import datetime, timedelta

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, and_, or_, true
from sqlalchemy.orm import Mapped, mapped_column, relationship

from db.api.clocks import SeatClock, TimeControl
from db.api.matches import Outcome, Panel, StoredMatch
from db.api.places import Place
from db.models.base import Base, GuildId, Snowflake, Typed, UserId, partial
from db.types import Options
from rules.core.match import Ply, Setup


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
    salt: Mapped[str | None]
    """What a sealed move is hashed with."""


class SeatRow(Base):
    """Who sits where. A member who wants to be forgotten is replaced by an id that is no member's.

    `time_left` is None for a seat without a clock; a clock that runs has a `deadline`.
    """

    __tablename__ = "seats"
    __table_args__ = (
        CheckConstraint("seat >= 0", name="from_zero"),
        CheckConstraint("deadline IS NULL OR time_left IS NOT NULL", name="time_runs_from_a_clock"),
        CheckConstraint("remind_at IS NULL OR deadline IS NOT NULL", name="reminded_while_it_runs"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[UserId]
    outcome: Mapped[Outcome | None]
    finished_at: Mapped[datetime | None]
    """The match's own, repeated here: among somebody's many games the newest must be found without looking at all."""
    time_left: Mapped[timedelta | None]
    deadline: Mapped[datetime | None]
    remind_at: Mapped[datetime | None]

    @property
    def clock(self) -> SeatClock | None:
        """The seat's clock as the store gives it."""
        return None if self.time_left is None else SeatClock(self.time_left, self.deadline, self.remind_at)

    @clock.setter
    def clock(self, clock: SeatClock | None) -> None:
        self.time_left, self.deadline, self.remind_at = (
            (None, None, None) if clock is None else (clock.left, clock.deadline, clock.remind_at)
        )


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
    guild: Mapped[GuildId | None]
    channel: Mapped[Snowflake]
    plies: Mapped[int]
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    panel_channel: Mapped[Snowflake | None]
    panel_message: Mapped[Snowflake | None]
    panel_plies: Mapped[int | None]
    time_control: Mapped[TimeControl | None] = mapped_column("pace")
    home: Mapped[Snowflake | None]
    """The channel that the match's thread belongs to, if it is played in one of its own."""
    void: Mapped[Typed | None]
    """Why the match was broken off, or its result taken back, if it was."""
    voided_at: Mapped[datetime | None]
    rated: Mapped[bool] = mapped_column(server_default=true())
    """Whether those who play agreed that the result counts for their ratings."""

    seats: Mapped[list[SeatRow]] = relationship(order_by=SeatRow.seat, lazy="raise")
    log: Mapped[list[PlyRow]] = relationship(order_by=PlyRow.ply, lazy="raise", viewonly=True)

    @property
    def panel(self) -> Panel | None:
        """The message that shows the match, if there is one."""
        if self.panel_channel is None or self.panel_message is None or self.panel_plies is None:
            return None
        return Panel(self.panel_channel, self.panel_message, self.panel_plies)

    def value(self) -> StoredMatch:
        """The match as the store gives it; `seats` and `log` must be loaded."""
        return StoredMatch(
            id=self.id,
            setup=Setup(self.game, self.options, self.players),
            version=self.version,
            place=Place(self.guild, self.channel, self.home),
            users=tuple(seat.user_id for seat in self.seats),
            log=tuple(Ply(ply.seat, ply.text) for ply in self.log),
            salts=tuple(ply.salt for ply in self.log),
            started_at=self.started_at,
            finished_at=self.finished_at,
            outcomes=tuple(seat.outcome for seat in self.seats if seat.outcome is not None) or None,
            panel=self.panel,
            times=tuple(ply.played_at for ply in self.log),
            time_control=self.time_control,
            clocks=() if self.time_control is None else tuple(seat.clock for seat in self.seats),
            void=self.void,
            rated=self.rated,
        )


RUNNING = MatchRow.finished_at.is_(None)
FINISHED = MatchRow.finished_at.is_not(None)
DIRECT = and_(FINISHED, MatchRow.guild.is_(None))
UNSHOWN = or_(MatchRow.panel_plies.is_(None), MatchRow.panel_plies < MatchRow.plies)
PLAYING = SeatRow.outcome.is_(None)
PLAYED = SeatRow.finished_at.is_not(None)
TICKING = SeatRow.deadline.is_not(None)
REMINDED = SeatRow.remind_at.is_not(None)

partial("ix_matches_running_channel", RUNNING, MatchRow.channel)
partial("ix_matches_running_guild", RUNNING, MatchRow.guild)
partial("ix_matches_finished_guild_finished_at", FINISHED, MatchRow.guild, MatchRow.finished_at, MatchRow.id)
partial("ix_matches_finished_direct_finished_at", DIRECT, MatchRow.channel, MatchRow.finished_at, MatchRow.id)
partial(
    "ix_matches_finished_guild_game_finished_at",
    FINISHED,
    MatchRow.guild,
    MatchRow.game,
    MatchRow.finished_at,
    MatchRow.id,
)
partial("ix_matches_unshown", UNSHOWN, MatchRow.id)
partial("ix_seats_playing_user_id", PLAYING, SeatRow.user_id)
partial("ix_seats_played_user_id_finished_at", PLAYED, SeatRow.user_id, SeatRow.finished_at, SeatRow.match_id)
partial("ix_seats_ticking_deadline", TICKING, SeatRow.deadline)
partial("ix_seats_reminded_remind_at", REMINDED, SeatRow.remind_at)
