"""Events in the database."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.models import (
    LEAGUE,
    RUNNING,
    UNFINISHED,
    DeedRow,
    EntrantRow,
    EventRow,
    MatchRow,
    PairingRow,
    PlyRow,
    PostRow,
    SeatRow,
    ServerRow,
    StageRow,
)
from db.stores.base import HIGHEST, StorePart, add_members, add_server, named, run_at_once
from db.stores.matches.rows import add_match
from db.stores.posts import add_post, change_post
from db.stores.titles import replace_titles
from db.values.events import (
    Event,
    EventChange,
    EventChanged,
    EventState,
    NewEvent,
    Pairing,
    Summary,
    Terms,
    Versus,
)
from db.values.matches import MatchOptions
from db.values.places import DiscordId, Place
from db.values.posts import Post, PostKind
from rules.core.match import LEAVING, Setup


def _admit(others: Sequence[Summary], running: int) -> None:
    """Admit every event."""


class EventStore(StorePart):
    """The events. Results are not stored twice: those of a table are read from the matches of its pairings."""

    async def add(self, new: NewEvent, check: Callable[[Sequence[Summary], int], None] = _admit) -> int:
        """Store an event that members can join, with its message in the outbox. Return its id.

        `check` gets the unfinished events of the server and the number of running matches in the channel. Nothing is
        stored if `check` raises. Of two calls for a server at once, the second one counts the event of the first.
        """
        assert new.place.guild is not None
        place = new.place
        row = EventRow(
            guild=place.guild,
            channel=place.channel,
            home=place.parent,
            state=EventState.OPEN,
            **named(new.terms),
            **named(new, "place", "terms", "versus"),
            games=None if new.versus is None else new.versus.games,
            code=None if new.versus is None else new.versus.code,
        )
        async with self._sessions.write() as session:
            await add_members(session, [new.organiser])
            await add_server(session, place.guild)
            await session.get(ServerRow, place.guild, with_for_update=True)
            unfinished = (
                select(EventRow).where(UNFINISHED, EventRow.guild == place.guild).order_by(EventRow.id)
            )
            others = [it.read_as(Summary) for it in await session.scalars(unfinished)]
            here = select(func.count()).where(RUNNING, MatchRow.channel == place.channel)
            check(others, await session.scalar(here) or 0)
            session.add(row)
            await session.flush()
            await run_at_once(session, add_post, PostKind.EVENT, row.id, place, new.made_at)
        return row.id

    async def get(self, event: int) -> Event | None:
        return None if event > HIGHEST else await self._first(select(EventRow).where(EventRow.id == event))

    async def _events(self, query: Select[EventRow]) -> list[Event]:
        """Return the events that a query finds, in its order."""
        async with self._sessions.read() as session:
            return [await _value(session, row) for row in (await session.scalars(query)).all()]

    async def _first(self, query: Select[EventRow]) -> Event | None:
        """Return the only event that a query finds, or None."""
        return next(iter(await self._events(query)), None)

    async def of_member(self, user: DiscordId) -> Sequence[Event]:
        """Return the events that are open or running and in which a member takes part, the oldest first."""
        query = (
            select(EventRow)
            .join(EntrantRow, EntrantRow.event_id == EventRow.id)
            .where(UNFINISHED, EntrantRow.user_id == user, EntrantRow.left_at.is_(None))
            .order_by(EventRow.id)
        )
        return await self._events(query)

    async def finished_of(self, user: DiscordId, guild: DiscordId, limit: int) -> Sequence[Event]:
        """Return the last events of a server that a member played to their end, the newest first."""
        query = (
            select(EventRow)
            .join(EntrantRow, EntrantRow.event_id == EventRow.id)
            .where(EntrantRow.user_id == user, EntrantRow.annulled.is_(False))
            .where(or_(EventRow.guild == guild, EventRow.guests == guild), EventRow.state == EventState.OVER)
            .order_by(EventRow.id.desc())
            .limit(limit)
        )
        return await self._events(query)

    async def with_code(self, code: str) -> Event | None:
        """Return the match between servers that another server accepts by this code, or None."""
        return await self._first(select(EventRow).where(EventRow.code == code))

    async def guests_of(self, match: int) -> tuple[Place, frozenset[DiscordId]] | None:
        """Return the place of the guests for whose match between servers a game is, and its players from there.

        Return None if it belongs to no such match.
        """
        query = (
            select(EventRow.guests, EventRow.guest_channel, EventRow.guest_home, EntrantRow.user_id)
            .join(PairingRow, PairingRow.event_id == EventRow.id)
            .join(
                EntrantRow,
                and_(
                    EntrantRow.event_id == PairingRow.event_id,
                    EntrantRow.number.in_((PairingRow.first, PairingRow.second)),
                ),
            )
            .where(PairingRow.match_id == match, EventRow.guests.is_not(None), EntrantRow.guest)
        )
        found = await self._rows(query)
        if not found:
            return None
        guild, channel, home, _ = found[0]
        assert channel is not None
        return Place(guild, channel, home), frozenset(it.user_id for it in found)

    async def copies_for(self, user: DiscordId, matches: Collection[int]) -> dict[int, tuple[Place, Post]]:
        """Return the boards in the guests' server of those of these matches that `user` plays for the guests.

        Each is returned with its place.
        """
        query = (
            select(EventRow.guest_home, PostRow)
            .join(PairingRow, PairingRow.event_id == EventRow.id)
            .join(EntrantRow, and_(EntrantRow.event_id == EventRow.id, EntrantRow.guest))
            .join(PostRow, and_(PostRow.kind == PostKind.COPY, PostRow.subject == PairingRow.match_id))
            .where(PairingRow.match_id.in_(matches), EntrantRow.user_id == user)
            .where(EntrantRow.number.in_((PairingRow.first, PairingRow.second)))
        )
        found = [(home, row.value()) for home, row in await self._rows(query)]
        return {post.subject: (Place(post.guild, post.channel, home), post) for home, post in found}

    async def opponents(
        self, guild: DiscordId | None, reader: DiscordId, users: Collection[DiscordId]
    ) -> dict[DiscordId, DiscordId]:
        """Return those of these members who play matches for another server, each with their server.

        They play against a server or, without one, against a reader of direct messages.
        """
        query = (
            select(EntrantRow.user_id, EntrantRow.guest, EventRow.guild, EventRow.guests)
            .join(EventRow, EventRow.id == EntrantRow.event_id)
            .where(EntrantRow.user_id.in_(users), EventRow.guests.is_not(None))
        )
        if guild is None:
            own = aliased(EntrantRow)
            opposed = and_(own.event_id == EntrantRow.event_id, own.guest != EntrantRow.guest)
            query = query.join(own, opposed).where(own.user_id == reader)
        else:
            query = query.where(or_(EventRow.guild == guild, EventRow.guests == guild))
        found = {it.user_id: it.guests if it.guest else it.guild for it in await self._rows(query)}
        return {user: there for user, there in found.items() if there != guild}

    async def of_match(self, match: int) -> Event | None:
        """Return the event to which a match belongs, or None."""
        query = (
            select(EventRow)
            .join(PairingRow, PairingRow.event_id == EventRow.id)
            .where(PairingRow.match_id == match)
        )
        return await self._first(query)

    async def movers(self, event: int, stage: int) -> frozenset[int]:
        """Return the numbers of the entrants who have made a move in a game of a stage."""
        query = (
            select(PairingRow.first, PairingRow.second, PlyRow.seat)
            .join(PlyRow, PlyRow.match_id == PairingRow.match_id)
            .where(PairingRow.event_id == event, PairingRow.stage == stage)
            .where(PlyRow.seat.is_not(None), PlyRow.text.not_in(LEAVING))
            .distinct()
        )
        return frozenset(it.second if it.seat else it.first for it in await self._rows(query))

    async def season(self, guild: DiscordId, game: str, season: str) -> Event | None:
        """Return a month of a league, or None."""
        theirs = EventRow.guild == guild, EventRow.game == game, EventRow.season == season
        return await self._first(select(EventRow).where(LEAGUE, *theirs))

    async def seasons(self, guild: DiscordId, since: str) -> Sequence[Summary]:
        """Return the months of the leagues of a server from a month on."""
        row = EventRow
        query = (
            select(row).where(LEAGUE, row.guild == guild, row.season >= since).order_by(row.season, row.game)
        )
        return [it.read_as(Summary) for it in await self._scalars(query)]

    async def due(self, at: datetime, limit: int) -> Sequence[int]:
        """Return the ids of at most `limit` events of the served servers that are due, the longest due first."""
        query = (
            select(EventRow.id)
            .where(UNFINISHED, EventRow.due_at <= at, self._served(EventRow.guild))
            .order_by(EventRow.due_at, EventRow.id)
            .limit(limit)
        )
        return await self._scalars(query)

    async def change(self, before: Event, change: EventChange, at: datetime) -> Event:
        """Change an event, and begin the matches of its new pairings. Return it as it then stands.

        Raises EventChanged if anything has changed since `before` was read, such as the result of a game.
        """
        async with self._sessions.write() as session:
            row = await session.get(EventRow, before.id, with_for_update=True)
            if row is None:
                raise LookupError(f"there is no event {before.id}")
            if row.version != before.version:
                raise EventChanged(f"event {before.id} is at version {row.version}, not {before.version}")
            row.version += 1
            if change.state is not None:
                row.state = change.state
                row.ended_at = None if change.state in (EventState.OPEN, EventState.RUNNING) else at
            row.due_at = change.due_at or row.due_at
            row.late = row.late if change.late is None else change.late
            if change.guests is not None:
                await _accept(session, row, change.guests, at)
            await _change_entrants(session, before, change)
            after = replace(before, entrants=tuple(await _entrants(session, before.id)))
            await _begin_games(session, after, change, at)
            await _add_deeds(session, before.id, change)
            if change.titles is not None:
                await replace_titles(session, row, change.titles, at)
            if change.shown:
                await run_at_once(session, change_post, PostKind.EVENT, before.id, at)
            await session.flush()
            return await _value(session, row)


async def _accept(session: AsyncSession, row: EventRow, guests: Place, at: datetime) -> None:
    """Store where the guests of a match are, with the message that shows it to them in the outbox."""
    await add_server(session, guests.guild)
    row.code = None
    row.guests, row.guest_channel, row.guest_home = guests.guild, guests.channel, guests.parent
    await run_at_once(session, add_post, PostKind.EVENT, row.id, guests, at, str(guests.guild))


async def _change_entrants(session: AsyncSession, before: Event, change: EventChange) -> None:
    await add_members(session, (it.user for it in change.joined))
    if change.withdrawn:
        theirs = EntrantRow.event_id == before.id, EntrantRow.number.in_(change.withdrawn)
        await session.execute(delete(EntrantRow).where(*theirs))
    session.add_all(
        EntrantRow(event_id=before.id, number=it.number, user_id=it.user, guest=it.guest)
        for it in change.joined
    )
    for it in change.left:
        leaving = update(EntrantRow).where(EntrantRow.event_id == before.id, EntrantRow.number == it.number)
        await session.execute(leaving.values(left_at=it.left_at, annulled=it.annulled))
    await session.flush()


async def _begin_games(session: AsyncSession, event: Event, change: EventChange, at: datetime) -> None:
    """Begin the stage and the matches of a change, and store its corrections."""
    stages = event.stages
    if change.stage is not None:
        stages = (*stages, change.stage)
        stage = change.stage
        session.add(StageRow(event_id=event.id, **named(stage)))
        await session.flush()
    users = event.users
    terms = event.terms
    for it in change.pairings:
        match = await add_match(
            session,
            Setup(terms.game, terms.options, 2),
            MatchOptions(time_control=terms.time_control, rated=it.rated),
            event.place,
            (users[it.first], users[it.second]),
            it.begun,
            at,
        )
        if event.versus is not None and (there := event.versus.place) is not None:
            await run_at_once(session, add_post, PostKind.COPY, match, there, at, str(there.guild))
        pairing = {"event_id": event.id, "stage": stages[-1].number, "first": it.first, "second": it.second}
        await session.execute(insert(PairingRow).values(**pairing, group_number=it.group, match_id=match))
    for corrected in change.corrected:
        its = PairingRow.match_id == corrected.match
        await session.execute(update(PairingRow).where(its).values(corrected=corrected.corrected))


async def _add_deeds(session: AsyncSession, event: int, change: EventChange) -> None:
    if change.deeds:
        newest = select(func.max(DeedRow.number)).where(DeedRow.event_id == event)
        last = await session.scalar(newest)
        first = 0 if last is None else last + 1
        session.add_all(
            DeedRow(
                event_id=event,
                number=number,
                by_user=it.by,
                match_id=it.match,
                **named(it, "number", "by", "match"),
            )
            for number, it in enumerate(change.deeds, first)
        )


async def _entrants(session: AsyncSession, event: int) -> list[Any]:
    query = select(EntrantRow).where(EntrantRow.event_id == event).order_by(EntrantRow.number)
    found = await session.scalars(query.execution_options(populate_existing=True))
    return [it.value() for it in found]


async def _value(session: AsyncSession, row: EventRow) -> Event:
    stages = select(StageRow).where(StageRow.event_id == row.id).order_by(StageRow.number)
    deeds = select(DeedRow).where(DeedRow.event_id == row.id).order_by(DeedRow.number)
    posts = select(PostRow.key, PostRow.message).where(
        PostRow.kind == PostKind.EVENT, PostRow.subject == row.id
    )
    messages = {it.key: it.message for it in await session.execute(posts)}
    versus = None
    if row.games is not None:
        there = None
        if row.guests is not None and row.guest_channel is not None:
            there = Place(row.guests, row.guest_channel, row.guest_home)
        versus = Versus(row.games, row.code, there, messages.get(str(row.guests)))
    return row.read_as(
        Event,
        place=Place(row.guild, row.channel, row.home),
        terms=row.read_as(Terms),
        entrants=tuple(await _entrants(session, row.id)),
        stages=tuple(it.value() for it in await session.scalars(stages)),
        pairings=tuple(await _pairings(session, row.id)),
        deeds=tuple(it.value() for it in await session.scalars(deeds)),
        message=messages.get(""),
        versus=versus,
    )


async def _pairings(session: AsyncSession, event: int) -> list[Pairing]:
    """Return the pairings of an event with the results of their matches, by stage, group and match."""
    query = (
        select(PairingRow, MatchRow.finished_at, SeatRow.outcome)
        .join(MatchRow, MatchRow.id == PairingRow.match_id)
        .join(SeatRow, and_(SeatRow.match_id == PairingRow.match_id, SeatRow.seat == 0))
        .where(PairingRow.event_id == event)
        .order_by(PairingRow.stage, PairingRow.group_number, PairingRow.match_id)
        .execution_options(populate_existing=True)
    )
    return [
        it.read_as(
            Pairing, group=it.group_number, match=it.match_id, running=finished_at is None, outcome=outcome
        )
        for it, finished_at, outcome in await session.execute(query)
    ]


def note_result(connection: Connection, match: int, at: datetime) -> None:
    """Let the event of a match, if it has one, be looked at and shown again, since the match has ended or changed."""
    event = connection.scalar(select(PairingRow.event_id).where(PairingRow.match_id == match))
    if event is not None:
        noted = update(EventRow).where(EventRow.id == event)
        connection.execute(noted.values(version=EventRow.version + 1, due_at=at))
        change_post(connection, PostKind.EVENT, event, at)
