"""Challenges in the database."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, selectinload

from db.models import (
    CONCERNED,
    OPEN,
    PLAYING,
    RUNNING,
    STANDING,
    ChallengeRow,
    MatchRow,
    MemberRow,
    ParticipantRow,
    SeatRow,
)
from db.processes.notifications import Subject
from db.stores.base import HIGHEST, StorePart, add_members, add_server, named, run_at_once
from db.stores.matches.rows import add_match, read_match
from db.stores.posts import add_post, change_post, queue_messages
from db.values.challenges import (
    Answer,
    Challenge,
    ChallengeChanged,
    NewChallenge,
    NoMoreGames,
    RematchExists,
    Reply,
)
from db.values.clocks import Clocks
from db.values.matches import Beginning, PositionKeys, StoredMatch
from db.values.places import DiscordId, Place
from db.values.posts import RESTS, News, Occasion, PostKind

LISTED = 100
"""The largest number of open challenges that one query returns."""
MADE = 500
"""The largest number of challenges of one member that count towards the limits of that member."""

WHOLE = selectinload(ChallengeRow.participants), selectinload(ChallengeRow.card)


class ChallengeStore(StorePart):
    """The challenges, until they become matches."""

    async def add(self, new: NewChallenge) -> Challenge:
        """Store an open challenge. Raises RematchExists, since a match has one rematch at most."""
        row = ChallengeRow(
            **named(new.terms, "order"),
            seating=new.terms.order,
            **named(new, "terms", "place", "participants"),
            guild=new.place.guild,
            channel=new.place.channel,
            home=new.place.parent,
            participants=[],
        )
        row.set_replies(new.participants, Answer.OPEN, new.made_at)
        async with self._sessions.write() as session:
            if new.rematch_of is not None:
                await _check_first(session, new.rematch_of)
            await add_members(session, (new.challenger, *(it.user for it in new.participants)))
            await add_server(session, new.place.guild)
            session.add(row)
            await session.flush()
            await run_at_once(session, add_post, PostKind.CARD, row.id, new.place, new.made_at)
        return row.value()

    async def get(self, challenge: int) -> Challenge | None:
        """Return the challenge with this id, open or not, or None."""
        if challenge > HIGHEST:
            return None
        return next(iter(await self._challenges(_whole().where(ChallengeRow.id == challenge))), None)

    async def rematch_of(self, match: int) -> Challenge | None:
        """Return the challenge that is a rematch of this match, open or not, or None."""
        return next(iter(await self._challenges(_whole().where(ChallengeRow.rematch_of == match))), None)

    async def open(
        self, *, user: DiscordId | None = None, place: Place | None = None, public: bool = False
    ) -> list[Challenge]:
        """Return open challenges, the oldest first: those that concern `user` and are in the channel of `place`.

        With neither, those of the shards that this process serves. With `public`, those that anybody may join. At most
        LISTED are returned.
        """
        query = _whole().where(OPEN).limit(LISTED)
        if public:
            query = query.where(ChallengeRow.public)
        if user is None and place is None:
            query = query.where(self._served(ChallengeRow.guild))
        if user is not None:
            theirs = select(ParticipantRow.challenge_id).where(ParticipantRow.user_id == user, CONCERNED)
            query = query.where(ChallengeRow.id.in_(theirs))
        if place is not None:
            query = query.where(ChallengeRow.channel == place.channel)
        return await self._challenges(query)

    async def standing(self, guild: DiscordId, user: DiscordId, limit: int) -> list[Challenge]:
        """Return standing offers of others in a server by which `user` could begin a game, the oldest first.

        Offers that have their most games, or by which `user` plays one, are left out. At most `limit` are returned.
        """
        query = _whole().where(STANDING, ChallengeRow.guild == guild, *_room_for(user))
        return await self._challenges(query.limit(limit))

    async def nearby(self, user: DiscordId, since: datetime, limit: int) -> list[Challenge]:
        """Return open challenges to everybody by others, the oldest first, and standing offers with room for `user`.

        They are in the channels of servers in which `user` plays, or has ended a game after `since`. At most `limit`.
        """
        played = (
            select(MatchRow.channel, MatchRow.home)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .where(SeatRow.user_id == user, or_(PLAYING, SeatRow.finished_at > since))
            .where(MatchRow.guild.is_not(None))
        )
        places: list[int | None]
        places = [it for row in await self._rows(played.distinct()) for it in row]
        channels = {it for it in places if it is not None}
        if not channels:
            return []
        here = ChallengeRow.channel.in_(sorted(channels)), ChallengeRow.guild.is_not(None)
        query = _whole().where(OPEN, ChallengeRow.public, *here, *_room_for(user))
        return await self._challenges(query.limit(limit))

    async def made_by(self, challenger: DiscordId, since: datetime) -> list[Challenge]:
        """Return challenges of `challenger` that are open or were closed since: the newest, at most MADE."""
        recent = or_(OPEN, ChallengeRow.answered_at >= since)
        query = _whole().where(ChallengeRow.challenger == challenger, recent)
        return await self._challenges(query.order_by(None).order_by(ChallengeRow.id.desc()).limit(MADE))

    async def accept(
        self,
        before: Challenge,
        after: Challenge,
        users: Sequence[DiscordId],
        version: int,
        at: datetime,
        clocks: Clocks = (),
        position: PositionKeys | None = None,
    ) -> StoredMatch:
        """Begin the match of a challenge, with `users` and `clocks` by seat, and store the challenge as accepted.

        `position` holds the keys of the position at which it begins; they are unknown without this.

        The members then have the replies that they have in `after`, and the game is the one in `after`. A standing
        offer stays open as it is instead, and the match gets a challenge of its own, which is accepted.
        Raises ChallengeChanged if the challenge is not open or not as in `before`, and NoMoreGames.
        """
        terms = after.terms
        if not terms.fewest <= len(users) <= terms.most:
            raise ValueError(f"{len(users)} users cannot play a game for {terms.fewest} to {terms.most}.")
        async with self._sessions.write() as session:
            asked = await _as_before(session, before)
            if asked.standing is not None:
                asked = await _game_of_offer(session, asked, after, at)
            asked.game, asked.options = terms.game, terms.options
            place = Place(asked.guild, asked.channel, asked.home)
            begun = Beginning(version, clocks, position)
            match = await add_match(
                session, terms.setup(len(users)), asked.value().terms, place, users, begun, at
            )
            await add_members(session, users)
            asked.set_replies(after.participants, Answer.ACCEPTED, at)
            asked.match_id = match
            session.add(asked)
            await session.flush()
            await self._card_changed(session, asked, at)
            return await run_at_once(session, read_match, match)

    async def change(self, before: Challenge, after: Challenge, at: datetime) -> None:
        """Store the replies, the answer, the terms and the time of `after`; it is open or closed, not accepted.

        Raises ChallengeChanged if the challenge is not open or not as in `before`.
        """
        if after.answer is Answer.ACCEPTED:
            raise ValueError("A challenge is accepted by accept(), since it needs a match.")
        async with self._sessions.write() as session:
            row = await _as_before(session, before)
            await add_members(session, (it.user for it in after.participants))
            row.set_replies(after.participants, after.answer, at)
            row.most, row.standing_terms, row.expires_at = after.terms.most, after.standing, after.expires_at
            if after.answer is not Answer.OPEN:
                await _unlink(session, row.id)
            for option, value in after.terms.by_name().items():
                setattr(row, option, value)
            await self._card_changed(session, row, at)

    async def agreed(self, limit: int) -> Sequence[int]:
        """Return the ids of at most `limit` open challenges that all named users have accepted, the oldest first."""
        asked = ParticipantRow.challenge_id == ChallengeRow.id, ParticipantRow.reply == Reply.ASKED
        query = (
            select(ChallengeRow.id)
            .where(OPEN, ChallengeRow.public.is_(False), ~exists().where(*asked))
            .where(self._served(ChallengeRow.guild))
            .order_by(ChallengeRow.made_at, ChallengeRow.id)
            .limit(limit)
        )
        return await self._scalars(query)

    async def expired(self, at: datetime, limit: int) -> Sequence[int]:
        """Return the ids of at most `limit` open challenges whose time is over, the oldest first."""
        query = (
            select(ChallengeRow.id)
            .where(OPEN, ChallengeRow.expires_at <= at, self._served(ChallengeRow.guild))
            .order_by(ChallengeRow.made_at, ChallengeRow.id)
            .limit(limit)
        )
        return await self._scalars(query)

    async def expire(self, challenge: int, at: datetime, lasts: timedelta) -> Challenge | None:
        """Close a challenge whose time is over, and return it; None if it was closed meanwhile, or stays open.

        A standing offer whose challenger was active in the time `lasts` before `at` stays open for as long again.
        """
        query = _whole().where(OPEN, ChallengeRow.id == challenge).with_for_update()
        async with self._sessions.write() as session:
            row = await session.scalar(query)
            if row is None:
                return None
            if row.standing is not None:
                member = await session.get_one(MemberRow, row.challenger)
                if member.active_on is None or member.active_on >= (at - lasts).date():
                    row.expires_at = at + lasts
                    return None
                await _unlink(session, row.id)
            row.set_replies(row.value().participants, Answer.EXPIRED, at)
            await self._card_changed(session, row, at)
            return row.value()

    async def _card_changed(self, session: AsyncSession, row: ChallengeRow, at: datetime) -> None:
        """Have the card of a challenge updated, by the process that owns its server."""
        challenge, match, guild = row.id, row.match_id, row.guild

        def tell(connection: Connection) -> None:
            change_post(connection, PostKind.CARD, challenge, at)
            self._tell(connection, Subject.CHALLENGE, challenge, guild)
            if match is not None:
                self._tell(connection, Subject.MATCH, match, guild)

        await run_at_once(session, tell)

    async def _challenges(self, query: Select[ChallengeRow]) -> list[Challenge]:
        return [row.value() for row in await self._scalars(query)]


def _whole() -> Select[ChallengeRow]:
    """Select challenges with their participants and cards, the oldest first: three queries for any number."""
    return select(ChallengeRow).options(*WHOLE).order_by(ChallengeRow.made_at, ChallengeRow.id)


async def _check_first(session: AsyncSession, match: int) -> None:
    """Lock a match and make sure that it has no rematch. Raises RematchExists."""
    await session.get_one(MatchRow, match, with_for_update=True)
    before = await session.scalar(_whole().where(ChallengeRow.rematch_of == match))
    if before is not None:
        raise RematchExists(before.value())


async def _challenge(session: AsyncSession, challenge: int) -> ChallengeRow:
    """Return the row of a challenge, locked until the transaction ends."""
    row = await session.get(ChallengeRow, challenge, options=WHOLE, with_for_update=True)
    if row is None:
        raise LookupError(f"there is no challenge {challenge}")
    return row


async def _as_before(session: AsyncSession, before: Challenge) -> ChallengeRow:
    """Return the locked row of an open challenge that has not changed. Raises ChallengeChanged."""
    row = await _challenge(session, before.id)
    now = row.value()
    if now.answer is not Answer.OPEN or _compared(now) != _compared(before):
        raise ChallengeChanged(now)
    return row


def _compared(challenge: Challenge) -> tuple[Any, ...]:
    """Return what must not have changed when somebody replies to a challenge."""
    return challenge.participants, challenge.terms, challenge.standing


_BEGUN = aliased(ChallengeRow)
"""The challenges of matches that began by a standing offer."""
_GOES_ON: ColumnElement[bool] = exists().where(
    or_(MatchRow.id == _BEGUN.match_id, MatchRow.first_game == _BEGUN.match_id), RUNNING
)
"""The condition that such a match goes on, or the second game that follows it."""


_REST = (
    update(ChallengeRow)
    .where(
        ChallengeRow.id.in_(
            select(_BEGUN.offer_id)
            .join(MatchRow, _BEGUN.match_id == func.coalesce(MatchRow.first_game, MatchRow.id))
            .where(MatchRow.id == bindparam("of"))
        ),
        ChallengeRow.challenger == bindparam("owner"),
        ChallengeRow.rests.is_(False),
        STANDING,
    )
    .values(rests=True)
    .returning(ChallengeRow.id, ChallengeRow.guild)
    .execution_options(synchronize_session=False)
)


def _room_for(user: DiscordId) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for challenges of others in which `user` could begin a game, as far as offers have room."""
    theirs = select(ParticipantRow.user_id).where(
        ParticipantRow.challenge_id == _BEGUN.id, ParticipantRow.user_id == user
    )
    begun = select(func.count()).select_from(_BEGUN).where(_BEGUN.offer_id == ChallengeRow.id, _GOES_ON)
    number = begun.correlate(ChallengeRow).scalar_subquery()
    again = exists().where(_BEGUN.offer_id == ChallengeRow.id, _GOES_ON, theirs.exists())
    return (
        ChallengeRow.challenger != user,
        ChallengeRow.rests.is_(False),
        or_(ChallengeRow.standing.is_(None), number < ChallengeRow.standing),
        ~again.correlate(ChallengeRow),
    )


async def _game_of_offer(
    session: AsyncSession, offer: ChallengeRow, after: Challenge, at: datetime
) -> ChallengeRow:
    """Return a new row, not yet stored, for the challenge of a match that begins by a standing offer.

    The row of the offer must be locked. The links of matches that are over are removed first. Raises NoMoreGames.
    """
    over = select(_BEGUN.id).where(_BEGUN.offer_id == offer.id, ~_GOES_ON)
    unlinking = update(ChallengeRow).where(ChallengeRow.id.in_(over)).values(offer_id=None)
    await session.execute(unlinking, execution_options={"synchronize_session": False})
    players = (
        select(ParticipantRow.user_id)
        .join(ChallengeRow, ChallengeRow.id == ParticipantRow.challenge_id)
        .where(ChallengeRow.offer_id == offer.id, ParticipantRow.user_id != offer.challenger)
    )
    playing = (await session.scalars(players)).all()
    assert offer.standing is not None
    if theirs := not {*playing}.isdisjoint(after.others):
        raise NoMoreGames(theirs=theirs)
    if len(playing) >= offer.standing:
        raise NoMoreGames(theirs=False)
    return ChallengeRow(
        fewest=offer.fewest,
        most=offer.most,
        seating=offer.seating,
        **after.terms.by_name(),
        public=True,
        guild=offer.guild,
        channel=offer.channel,
        home=offer.home,
        challenger=offer.challenger,
        participants=[],
        made_at=at,
        expires_at=at,
        offer_id=offer.id,
    )


def rest_offer(connection: Connection, match: int, forgetful: DiscordId, at: datetime) -> None:
    """Let the standing offer rest by which a match began that ended while it waited for its owner, and tell them.

    Nothing happens if there is no such offer, or if it rests already.
    """
    resting = {"of": match, "owner": forgetful}
    offer = connection.execute(_REST, resting).one_or_none()
    if offer is not None:
        change_post(connection, PostKind.CARD, offer.id, at)
        queue_messages(connection, [forgetful], offer.guild, News(Occasion.CHALLENGE, offer.id, RESTS), at)


async def _unlink(session: AsyncSession, offer: int) -> None:
    """Forget by which standing offer matches began, so that they cannot be connected once the offer is closed."""
    unlinking = update(ChallengeRow).where(ChallengeRow.offer_id == offer).values(offer_id=None)
    await session.execute(unlinking, execution_options={"synchronize_session": False})
