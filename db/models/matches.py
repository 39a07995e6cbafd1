"""Matches: the record, the players, the place, the options, the result, its achievements, and conditional moves."""

from dataclasses import fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    and_,
    false,
    or_,
    true,
)
from sqlalchemy.orm import Mapped, MappedColumn, mapped_column, relationship

from db.models.base import Base, GuildId, Snowflake, Typed, UserId, partial, words
from db.types import Options, Words
from db.values.clocks import SeatClock, TimeControl
from db.values.matches import MatchOptions, Outcome, Turns, Variation


class PlyRow(Base):
    """An entry of a match's log. The primary key admits only one of two plies that are played at once."""

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
    """The salt that a sealed move is hashed with."""
    conditional: Mapped[bool] = mapped_column(server_default=false())
    """True if the player had entered the move before the others moved."""


class SeatRow(Base):
    """A player of a match. A member whose data is deleted is replaced by an id below zero.

    `leaver` is the member who had the seat until they left, if a computer player has taken it.

    `time_left` is None for a seat without a clock; a running clock has a `deadline`.
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
    leaver: Mapped[UserId | None]
    outcome: Mapped[Outcome | None]
    finished_at: Mapped[datetime | None]
    """Equal to the match's, repeated here so that an index finds the newest of a member's many games."""
    hinted: Mapped[bool] = mapped_column(server_default=false())
    """True if the seat took a hint, which is said on the board."""
    time_left: Mapped[timedelta | None]
    deadline: Mapped[datetime | None]
    remind_at: Mapped[datetime | None]
    faced: Mapped[str | None]
    """The facts that decide the best move of a seat on turn, in a rated match with secret moves; see `PositionKeys`."""

    @property
    def clock(self) -> SeatClock | None:
        return None if self.time_left is None else SeatClock(self.time_left, self.deadline, self.remind_at)

    @clock.setter
    def clock(self, clock: SeatClock | None) -> None:
        self.time_left, self.deadline, self.remind_at = (
            (None, None, None) if clock is None else (clock.left, clock.deadline, clock.remind_at)
        )


class OptionColumns:
    """The columns of `MatchOptions`, in the table of matches and in the table of challenges.

    Every option gets a column of its name below; only the time control is stored under another name. The options that
    queries name are also declared here, for mypy.
    """

    time_control: Mapped[TimeControl | None] = mapped_column("pace")
    if TYPE_CHECKING:
        rated: Mapped[bool]
        games: Mapped[int]
        private: Mapped[bool]


def _option_column(name: str, default: Any) -> MappedColumn[Any]:
    """Return the column of an option that is a bool, an int or a StrEnum. Raises TypeError for another type."""
    match default:
        case bool():
            return mapped_column(Boolean, nullable=False, server_default=true() if default else false())
        case int():
            return mapped_column(Integer, nullable=False, server_default=str(default))
        case StrEnum():
            return mapped_column(words(type(default)), nullable=False, server_default=default.value)
        case _:
            raise TypeError(
                f"OptionColumns must declare a column for the option {name}, as for the time control."
            )


for _option in fields(MatchOptions):
    if not hasattr(OptionColumns, _option.name):
        setattr(OptionColumns, _option.name, _option_column(_option.name, _option.default))


class MatchRow(OptionColumns, Base):
    """A match. `plies` is the length of its log."""

    __tablename__ = "matches"
    __table_args__ = (
        CheckConstraint("players > 0", name="somebody_plays"),
        CheckConstraint("games = 1 OR (games = 2 AND players = 2)", name="two_games_for_two"),
        CheckConstraint("first_game IS NULL OR games = 2", name="second_of_two"),
        # Ids are in the custom ids of buttons, which outlive everything: no id may be used twice.
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
    home: Mapped[Snowflake | None]
    """The channel of the match's thread, if the match has a thread of its own."""
    void: Mapped[Typed | None]
    """The reason why the match was broken off or its result taken back, if it was."""
    voided_at: Mapped[datetime | None]
    searched: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True if the match was searched for moments."""
    first_game: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), unique=True)
    """In the second game of a two-game match: the first."""
    paused_until: Mapped[datetime | None]
    """The end of the last pause, until which no clock runs; NULL if a player has ended the pause."""
    wakes_at: Mapped[datetime | None]
    """The end of the next pause or absence whose end is still to be shown and told; NULL if there is none."""
    turns: Mapped[Turns | None]
    """The seats that are to act, as the log says; NULL before the first entry and in matches of earlier versions."""

    newest_key: Mapped[int | None] = mapped_column(BigInteger)
    """The key of the newest position (db.values.matches.positions). The keys of finished matches are not kept up."""
    key_before: Mapped[int | None] = mapped_column(BigInteger)
    earliest_key: Mapped[int | None] = mapped_column(BigInteger)
    """The key of the position two plies before the newest one."""
    keyed_plies: Mapped[int | None]
    """The number of plies after which the keys were those of the match; they are unknown if it is not `plies`."""

    seats: Mapped[list[SeatRow]] = relationship(order_by=SeatRow.seat, lazy="raise")


class ForgottenRow(Base):
    """The last notice to the players of a match without a clock while it waited; void after its next entry."""

    __tablename__ = "forgotten"
    __table_args__ = (CheckConstraint("stage >= 0", name="from_zero"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    plies: Mapped[int | None]
    """The length of the log at that time; NULL for a match that was begun before such matches ended by themselves."""
    stage: Mapped[int]
    told_at: Mapped[datetime]


class FollowerRow(Base):
    """A member who is told of the end of a match of others, and with `moves` of its moves."""

    __tablename__ = "followers"
    __table_args__ = (CheckConstraint("user_id > 0", name="is_somebody"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False, index=True)
    moves: Mapped[bool]


RUNNING = MatchRow.finished_at.is_(None)
FINISHED = MatchRow.finished_at.is_not(None)
UNSEARCHED = and_(
    FINISHED, MatchRow.guild.is_not(None), MatchRow.void.is_(None), MatchRow.searched.is_(False)
)
DIRECT = and_(FINISHED, MatchRow.guild.is_(None))
PLAYING = SeatRow.outcome.is_(None)
PLAYED = SeatRow.finished_at.is_not(None)
UNKEYED = and_(RUNNING, or_(MatchRow.keyed_plies.is_(None), MatchRow.keyed_plies != MatchRow.plies))
FACED = SeatRow.faced.is_not(None)
TICKING = SeatRow.deadline.is_not(None)
WAKING = and_(RUNNING, MatchRow.wakes_at.is_not(None))
REMINDED = SeatRow.remind_at.is_not(None)
LEFT = SeatRow.leaver.is_not(None)

partial("ix_matches_running_channel", RUNNING, MatchRow.channel)
partial("ix_matches_running_guild", RUNNING, MatchRow.guild)
partial("ix_matches_running_game", RUNNING, MatchRow.game)
partial("ix_matches_running_newest_key", RUNNING, MatchRow.newest_key, MatchRow.rated)
partial("ix_matches_running_key_before", RUNNING, MatchRow.key_before, MatchRow.rated)
partial("ix_matches_running_earliest_key", RUNNING, MatchRow.earliest_key, MatchRow.rated)
partial("ix_matches_unkeyed_game", UNKEYED, MatchRow.game, MatchRow.finished_at, MatchRow.id)
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
partial("ix_matches_unsearched_finished_at", UNSEARCHED, MatchRow.finished_at, MatchRow.id)
partial("ix_seats_playing_user_id", PLAYING, SeatRow.user_id)
partial("ix_seats_played_user_id_finished_at", PLAYED, SeatRow.user_id, SeatRow.finished_at, SeatRow.match_id)
partial("ix_matches_waking_wakes_at", WAKING, MatchRow.wakes_at, MatchRow.id)
partial("ix_seats_left_leaver_finished_at", LEFT, SeatRow.leaver, SeatRow.finished_at, SeatRow.match_id)
partial("ix_seats_ticking_deadline", TICKING, SeatRow.deadline)
partial("ix_seats_reminded_remind_at", REMINDED, SeatRow.remind_at)
partial("ix_seats_faced", FACED, SeatRow.match_id)


class AwardRow(Base):
    """A match that proves an achievement of a member.

    All such matches are stored, not only the first: if the result of that one is taken back, the next is the first.
    `earned_at` is when the match ended, repeated here so that an index finds the first.
    """

    __tablename__ = "awards"
    __table_args__ = (CheckConstraint("user_id > 0", name="is_somebody"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(primary_key=True)
    earned_at: Mapped[datetime]


Index("ix_awards_user_id_key", AwardRow.user_id, AwardRow.key, AwardRow.earned_at, AwardRow.match_id)


class VariationRow(Base):
    """A variation. One with fewer `plies` than its match has entries is still to be compared with the log."""

    __tablename__ = "variations"
    __table_args__ = (
        CheckConstraint("plies >= 0", name="from_zero"),
        # Ids are in the custom ids of buttons: no id may be used twice.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    user_id: Mapped[UserId] = mapped_column(index=True)
    plies: Mapped[int]
    moves: Mapped[Words]

    def value(self) -> Variation:
        return Variation(self.id, self.match_id, self.user_id, self.plies, self.moves)


Index("ix_variations_match_id_plies", VariationRow.match_id, VariationRow.plies)
