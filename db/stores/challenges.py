"""Challenges in the database."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import OPEN, ChallengeRow, MatchRow, SeatRow
from db.stores.base import Kept
from db.values import Answer, Answered, Challenge, DiscordId, NewChallenge, Place, StoredMatch


class ChallengeStore(Kept):
    """Challenges, until they become matches."""

    async def add_challenge(self, new: NewChallenge) -> Challenge:
        """Store an open challenge."""
        row = ChallengeRow(
            game=new.setup.game,
            options=new.setup.options,
            players=new.setup.players,
            guild=new.place.guild,
            channel=new.place.channel,
            challenger=new.challenger,
            opponent=new.opponent,
            made_at=new.made_at,
            expires_at=new.expires_at,
            answer=Answer.OPEN,
        )
        async with self._sessions.write() as session:
            session.add(row)
        return row.value()

    async def challenge(self, challenge: int) -> Challenge | None:
        """The challenge with this id, however it stands."""
        async with self._sessions.read() as session:
            row = await session.get(ChallengeRow, challenge)
        return None if row is None else row.value()

    async def challenges(
        self, *, user: DiscordId | None = None, place: Place | None = None
    ) -> list[Challenge]:
        """Open challenges made by or to `user`, or in the channel of `place`, oldest first; both narrow."""
        query = select(ChallengeRow).where(OPEN).order_by(ChallengeRow.made_at, ChallengeRow.id)
        if user is not None:
            query = query.where(or_(ChallengeRow.challenger == user, ChallengeRow.opponent == user))
        if place is not None:
            query = query.where(ChallengeRow.channel == place.channel)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def show_challenge(self, challenge: int, message: DiscordId) -> None:
        """Remember the message that shows a challenge."""
        async with self._sessions.write() as session:
            (await _challenge(session, challenge)).message = message

    async def accept(
        self, challenge: int, users: Sequence[DiscordId], version: int, at: datetime
    ) -> StoredMatch:
        """Turn an open challenge into a match, `users` by seat. Raises Answered."""
        async with self._sessions.write() as session:
            asked = await _open(session, challenge)
            if len(users) != asked.players:
                raise ValueError(f"{asked.players} seats cannot be given to {len(users)} users.")
            row = MatchRow(
                game=asked.game,
                options=asked.options,
                players=asked.players,
                version=version,
                guild=asked.guild,
                channel=asked.channel,
                plies=0,
                started_at=at,
                seats=[SeatRow(seat=seat, user_id=user) for seat, user in enumerate(users)],
                log=[],
            )
            session.add(row)
            await session.flush()
            asked.answer, asked.answered_at, asked.match_id = Answer.ACCEPTED, at, row.id
        return row.value()

    async def refuse(self, challenge: int, answer: Answer, at: datetime) -> Challenge:
        """Close an open challenge without a match. Raises Answered."""
        if answer in (Answer.OPEN, Answer.ACCEPTED):
            raise ValueError(f"A challenge is not refused by the answer {answer}.")
        async with self._sessions.write() as session:
            row = await _open(session, challenge)
            row.answer, row.answered_at = answer, at
        return row.value()

    async def expire(self, at: datetime) -> list[Challenge]:
        """Close every open challenge whose time is over, and answer those just closed, oldest first."""
        query = (
            select(ChallengeRow)
            .where(OPEN, ChallengeRow.expires_at <= at)
            .order_by(ChallengeRow.made_at, ChallengeRow.id)
            # One that is being answered at this moment is no longer ours to close.
            .with_for_update(skip_locked=True)
        )
        async with self._sessions.write() as session:
            rows = (await session.scalars(query)).all()
            for row in rows:
                row.answer, row.answered_at = Answer.EXPIRED, at
        return [row.value() for row in rows]


async def _challenge(session: AsyncSession, challenge: int) -> ChallengeRow:
    """The row of a challenge, locked until the transaction ends."""
    row = await session.get(ChallengeRow, challenge, with_for_update=True)
    if row is None:
        raise LookupError(f"there is no challenge {challenge}")
    return row


async def _open(session: AsyncSession, challenge: int) -> ChallengeRow:
    """The row of an open challenge, locked. Raises Answered."""
    row = await _challenge(session, challenge)
    if row.answer is not Answer.OPEN:
        raise Answered(row.value())
    return row
