"""Challenges, open and answered."""

from collections.abc import Sequence
from dataclasses import astuple
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, and_, false
from sqlalchemy.orm import Mapped, foreign, mapped_column, relationship

from db.models.base import Base, GuildId, Snowflake, UserId, partial
from db.models.matches import OptionColumns
from db.models.posts import PostRow
from db.types import Options
from db.values.challenges import Answer, Challenge, Order, Participant, Reply, Standing, Terms
from db.values.places import Place
from db.values.posts import PostKind


class ParticipantRow(Base):
    """A member whom a challenge concerns, until `settled_at`: when they left it, or when it was closed."""

    __tablename__ = "participants"
    __table_args__ = (
        CheckConstraint("number >= 0", name="from_zero"),
        CheckConstraint("reply IN ('asked', 'in') OR settled_at IS NOT NULL", name="out_is_settled"),
    )

    challenge_id: Mapped[int] = mapped_column(
        ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int]
    """The position in the list, from 0."""
    reply: Mapped[Reply]
    settled_at: Mapped[datetime | None]


class ChallengeRow(OptionColumns, Base):
    """A challenge. It is open as long as it has no `answered_at`, even after `expires_at`."""

    __tablename__ = "challenges"
    __table_args__ = (
        CheckConstraint("fewest > 0 AND fewest <= most", name="somebody_plays"),
        CheckConstraint("games = 1 OR (games = 2 AND fewest = 2 AND most = 2)", name="two_games_for_two"),
        CheckConstraint("expires_at >= made_at", name="expires_later"),
        CheckConstraint("(answer = 'open') = (answered_at IS NULL)", name="answered_once"),
        CheckConstraint("(answer = 'accepted') = (match_id IS NOT NULL)", name="accepted_is_a_match"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[Options]
    fewest: Mapped[int]
    most: Mapped[int]
    seating: Mapped[Order]
    public: Mapped[bool]
    guild: Mapped[GuildId | None]
    channel: Mapped[Snowflake]
    home: Mapped[Snowflake | None]
    """The channel that `channel` belongs to if it is a thread."""
    challenger: Mapped[UserId]
    made_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    answer: Mapped[Answer]
    answered_at: Mapped[datetime | None]
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), unique=True)
    rematch_of: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), unique=True)
    call: Mapped[str] = mapped_column(server_default="")
    """The mention of the role that its message calls, or ""."""
    standing: Mapped[int | None]
    """In a standing offer: the most games that are played at once."""
    lowest: Mapped[int | None]
    highest: Mapped[int | None]
    """In a standing offer: the lowest and the highest rating of members who may accept it."""
    rests: Mapped[bool] = mapped_column(default=False, server_default=false())
    offer_id: Mapped[int | None]
    """The standing offer by which this match began, as long as the offer is open. The links of matches that are over
    are removed when the next one begins."""

    participants: Mapped[list[ParticipantRow]] = relationship(
        order_by=ParticipantRow.number, lazy="raise", cascade="all, delete-orphan"
    )

    card: Mapped[PostRow | None] = relationship(
        primaryjoin=lambda: and_(foreign(PostRow.subject) == ChallengeRow.id, PostRow.kind == PostKind.CARD),
        lazy="raise",
        uselist=False,
        viewonly=True,
    )

    def value(self) -> Challenge:
        """Return the row as a value; `participants` must be loaded, and `card` unless the challenge is new."""
        card = self.__dict__.get("card")
        return self.read_as(
            Challenge,
            terms=self.read_as(Terms, order=self.seating),
            place=Place(self.guild, self.channel, self.home),
            participants=tuple(Participant(it.user_id, it.reply) for it in self.participants),
            message=None if card is None else card.message,
            match=self.match_id,
            standing=self.standing_terms,
        )

    @property
    def standing_terms(self) -> Standing | None:
        """The further terms of a standing offer as a value."""
        if self.standing is None:
            return None
        return Standing(self.standing, self.lowest, self.highest, self.rests)

    @standing_terms.setter
    def standing_terms(self, standing: Standing | None) -> None:
        self.standing, self.lowest, self.highest, self.rests = (
            (None, None, None, False) if standing is None else astuple(standing)
        )

    def set_replies(self, participants: Sequence[Participant], answer: Answer, at: datetime) -> None:
        known = {row.user_id: row for row in self.participants}
        self.participants = [
            known.get(it.user) or ParticipantRow(user_id=it.user, settled_at=None) for it in participants
        ]
        closed = answer is not Answer.OPEN
        for number, (row, it) in enumerate(zip(self.participants, participants, strict=True)):
            row.number, row.reply = number, it.reply
            settled = closed or it.reply in (Reply.DECLINED, Reply.REMOVED)
            row.settled_at = (row.settled_at or at) if settled else None
        self.answer = answer
        if closed:
            self.answered_at = at


OPEN = ChallengeRow.answered_at.is_(None)
STANDING = and_(OPEN, ChallengeRow.standing.is_not(None))
OF_OFFER = ChallengeRow.offer_id.is_not(None)
CONCERNED = ParticipantRow.settled_at.is_(None)

partial("ix_challenges_open_expires_at", OPEN, ChallengeRow.expires_at)
partial("ix_challenges_open_channel", OPEN, ChallengeRow.channel)
partial("ix_challenges_standing_guild", STANDING, ChallengeRow.guild)
partial("ix_challenges_offer_id", OF_OFFER, ChallengeRow.offer_id)
Index("ix_challenges_challenger_answered_at", ChallengeRow.challenger, ChallengeRow.answered_at)
partial("ix_participants_concerned_user_id", CONCERNED, ParticipantRow.user_id)
