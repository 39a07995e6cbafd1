"""Ratings: who holds what on which board, how many stand equal there, and what each match has changed."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, true
from sqlalchemy.orm import Mapped, mapped_column, relationship

from db.api.matches import Outcome
from db.api.ratings import Held, Leaderboard, Rating, Skill
from db.models.base import Base, GuildId, UserId, partial
from db.types import Holding


class RatingRow(Base):
    """A member on a board (see `Leaderboard`). `score` follows from the skill; `week` and `was`: see `Held`.

    On boards of everywhere `listed` is what the member chose, so that a page is read off the index of those who are.
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
    def held(self) -> Held:
        return Held(Skill(self.mu, self.sigma), self.week, self.was)

    def value(self) -> Rating:
        """The rating as the store gives it."""
        leaderboard = Leaderboard(self.period, self.game, self.guild)
        return Rating(self.user_id, leaderboard, self.held, self.won, self.drawn, self.lost, self.listed)


class TallyRow(Base):
    """How many members hold a score on a board, so that a rank is a sum over scores, however many members there are.

    Only those count who are listed. On a board that never ends, `gained` is how many more they are than at the
    beginning of `week`; since then, if it is not the current one, nothing has changed here.
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
    """A player of a rated match, and what they held before on each of its boards (`db.rating_math.boards`, in order).

    What is asked of all matches of a member stands here once more: one index then answers it.
    """

    __tablename__ = "rated_seats"
    __table_args__ = (CheckConstraint("rank > 0", name="from_one"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("rated.match_id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[UserId]
    at: Mapped[datetime]
    """When the match ended."""
    rank: Mapped[int]
    before: Mapped[Holding]
    game: Mapped[str]
    guild: Mapped[GuildId | None]
    """Where it was played; None for direct messages, and once the server is forgotten."""
    everywhere: Mapped[bool]
    outcome: Mapped[Outcome]


class RatedRow(Base):
    """A match that has changed ratings. Of two that share a player, the one with the lower id did so first.

    It outlives the match, whose server may be forgotten: everywhere else it still counts.
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
    """The share of openskill's answer that counts."""
    everywhere: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Whether it counted on the boards of everywhere: what its server had set when it ended."""

    seats: Mapped[list[RatedSeatRow]] = relationship(order_by=RatedSeatRow.seat, lazy="raise")


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
# What a member holds in one place. The key would do, were it not that PostgreSQL keeps one plan for all servers: made
# for the many that are small, it goes through all members of everywhere, where they are most.
Index("ix_ratings_user_id_guild_period", RatingRow.user_id, RatingRow.guild, RatingRow.period)
# A member's matches as they ended. It holds all that profiles ask, so that they read nothing beside it.
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
)
