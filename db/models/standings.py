"""Ratings on leaderboards, tallies of scores, and the matches that have changed ratings."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, false, true
from sqlalchemy.orm import Mapped, mapped_column, relationship

from db.models.base import Base, GuildId, UserId, partial
from db.types import HeldSkills
from db.values.matches import Outcome
from db.values.standings import HeldSkill, Leaderboard, Rating, Skill


class RatingRow(Base):
    """A member on a leaderboard. `score` follows from the skill; for `week` and `was` see `HeldSkill`.

    On global leaderboards, `listed` is the member's preference, so that an index of listed rows gives a page.
    """

    __tablename__ = "ratings"
    __table_args__ = (CheckConstraint("won >= 0 AND drawn >= 0 AND lost >= 0", name="counted"),)

    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    period: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    mu: Mapped[float]
    sigma: Mapped[float]
    score: Mapped[int]
    won: Mapped[int]
    drawn: Mapped[int]
    lost: Mapped[int]
    week: Mapped[int]
    was: Mapped[int | None]
    listed: Mapped[bool] = mapped_column(default=True, server_default=true())

    @property
    def held(self) -> HeldSkill:
        return HeldSkill(Skill(self.mu, self.sigma), self.week, self.was)

    def value(self) -> Rating:
        leaderboard = Leaderboard(self.period, self.game, self.guild)
        return Rating(self.user_id, leaderboard, self.held, self.won, self.drawn, self.lost, self.listed)


class TallyRow(Base):
    """The number of listed members with one score on a leaderboard. A rank is a sum over tallies, not over members.

    On leaderboards of all time, `gained` is the change of `members` since the beginning of `week`, the week of the
    last change.
    """

    __tablename__ = "tallies"
    __table_args__ = (CheckConstraint("week >= 0", name="dated"),)

    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    period: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    score: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    members: Mapped[int]
    week: Mapped[int]
    gained: Mapped[int]


class RatedSeatRow(Base):
    """A player of a rated match, with their skill before it on each of its leaderboards (order: `leaderboards_of`).

    Columns of the match are repeated here, so that one index answers all queries about a member's matches.
    """

    __tablename__ = "rated_seats"
    __table_args__ = (CheckConstraint("rank > 0", name="from_one"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("rated.match_id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[UserId]
    at: Mapped[datetime]
    """The end of the match."""
    rank: Mapped[int]
    before: Mapped[HeldSkills]
    game: Mapped[str]
    guild: Mapped[GuildId | None]
    """The server of the match; None in direct messages, and once the data of the server was deleted."""
    everywhere: Mapped[bool]
    outcome: Mapped[Outcome]
    games: Mapped[int] = mapped_column(server_default="1")
    """2 if this is the result of a two-game match, in which the member had both seats."""


class RatedRow(Base):
    """A match that has changed ratings; of a two-game match, the second game.

    Of two matches that share a player, the one with the lower id was rated first. The row stays when the data of the
    match's server is deleted, since the match still counts globally.
    """

    __tablename__ = "rated"
    __table_args__ = (
        CheckConstraint("weight BETWEEN 0 AND 1", name="share"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(unique=True)
    game: Mapped[str]
    weight: Mapped[float]
    """The share of openskill's change that counts."""
    everywhere: Mapped[bool] = mapped_column(default=True, server_default=true())
    """True if it counted on global leaderboards: the setting of its server when it ended."""

    seats: Mapped[list[RatedSeatRow]] = relationship(order_by=RatedSeatRow.seat, lazy="raise")


class OutdatedRatingsRow(Base):
    """The only row of its table, which is there while the stored ratings follow earlier rules. A migration adds it."""

    __tablename__ = "outdated_ratings"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class RatingJobRow(Base):
    """The only row of its table, which exists while ratings are recomputed because results were reverted.

    All rated matches up to `RatedRow.id` `cursor` have been rated again.
    """

    __tablename__ = "rating_job"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cursor: Mapped[int]


class RevertedSeatRow(Base):
    """A player of a match whose result was reverted, with a copy of the player's `RatedSeatRow`.

    `rated_id` is the former `RatedRow.id` of the match. `applied` is True once the job has passed that position. When
    the job ends, the rows are deleted.
    """

    __tablename__ = "reverted_seats"
    __table_args__ = (CheckConstraint("seat >= 0", name="from_zero"),)

    rated_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[UserId]
    at: Mapped[datetime]
    before: Mapped[HeldSkills]
    game: Mapped[str]
    guild: Mapped[GuildId | None]
    everywhere: Mapped[bool]
    applied: Mapped[bool] = mapped_column(default=False, server_default=false())


class CorrectedSkillRow(Base):
    """The correct skill of a player on a leaderboard after the match at the cursor of the job.

    Without such a row, the stored ratings after the cursor are correct for that player on that leaderboard.
    """

    __tablename__ = "corrected_skills"
    __table_args__ = (CheckConstraint("week >= 0", name="dated"),)

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    period: Mapped[str] = mapped_column(primary_key=True)
    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    week: Mapped[int]
    was: Mapped[int | None]


LISTED = RatingRow.listed.is_(True)

partial(
    "ix_ratings_board",
    LISTED,
    RatingRow.guild,
    RatingRow.period,
    RatingRow.game,
    RatingRow.score,
    RatingRow.user_id,
)
# The ratings of a member in one server. The primary key is not enough: PostgreSQL uses one plan for all servers, and a
# plan for a small server would read all members of the global leaderboards.
Index("ix_ratings_user_id_guild_period", RatingRow.user_id, RatingRow.guild, RatingRow.period)
# A member's matches in the order of their ends, with all columns that profiles need.
Index(
    "ix_rated_seats_fared",
    RatedSeatRow.user_id,
    RatedSeatRow.at,
    RatedSeatRow.match_id,
    RatedSeatRow.game,
    RatedSeatRow.guild,
    RatedSeatRow.everywhere,
    RatedSeatRow.seat,
    RatedSeatRow.outcome,
    RatedSeatRow.rank,
    RatedSeatRow.games,
)
