"""Servers that the host has left, in the database, and what goes when one of them is forgotten."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, or_, select, union, update
from sqlalchemy.orm import InstrumentedAttribute

from db.api.places import DiscordId
from db.models import (
    AlertRow,
    AwardRow,
    Base,
    ChallengeRow,
    ConsentRow,
    DepartureRow,
    GuildRow,
    MatchRow,
    ParticipantRow,
    PlyRow,
    ProposalRow,
    RatedSeatRow,
    RatingRow,
    SeatRow,
    TallyRow,
    TidingRow,
)
from db.stores.base import Kept, upsert
from db.stores.rating import share_ratings

KNOWN: tuple[InstrumentedAttribute[int] | InstrumentedAttribute[int | None], ...] = (
    GuildRow.guild_id,
    MatchRow.guild,
    ChallengeRow.guild,
    AlertRow.guild_id,
    DepartureRow.guild_id,
)
"""Where the servers of which anything is kept are found: matches are played where there are ratings."""

OUTLIVED = (RatedSeatRow.guild,)
"""Where a server's matches still count elsewhere: that it was there is forgotten, the rest stays."""

SERVERS = (*KNOWN, RatingRow.guild, TallyRow.guild, *OUTLIVED)
"""Every column that holds servers (`GuildId` in db.models)."""


def belongings(guild: DiscordId) -> Mapping[type[Base], ColumnElement[bool]]:
    """What is a server's, by table: whatever refers to something comes before it."""
    matches = select(MatchRow.id).where(MatchRow.guild == guild)
    in_match = ChallengeRow.match_id.in_(matches) | ChallengeRow.rematch_of.in_(matches)
    offered = or_(ChallengeRow.guild == guild, in_match)
    proposals = select(ProposalRow.id).where(ProposalRow.match_id.in_(matches))
    return {
        ParticipantRow: ParticipantRow.challenge_id.in_(select(ChallengeRow.id).where(offered)),
        ChallengeRow: offered,
        ConsentRow: ConsentRow.proposal_id.in_(proposals),
        ProposalRow: ProposalRow.match_id.in_(matches),
        AwardRow: AwardRow.match_id.in_(matches),
        TidingRow: TidingRow.match_id.in_(matches),
        PlyRow: PlyRow.match_id.in_(matches),
        SeatRow: SeatRow.match_id.in_(matches),
        RatingRow: RatingRow.guild == guild,
        TallyRow: TallyRow.guild == guild,
        MatchRow: MatchRow.guild == guild,
        GuildRow: GuildRow.guild_id == guild,
        AlertRow: AlertRow.guild_id == guild,
        DepartureRow: DepartureRow.guild_id == guild,
    }


class DepartureStore(Kept):
    """Servers that the host has left."""

    async def servers(self) -> Sequence[DiscordId]:
        """Every server of which anything is kept, by id."""
        known = union(*(select(column).where(column.is_not(None)) for column in KNOWN))
        async with self._sessions.read() as session:
            return sorted(await session.scalars(known))

    async def depart(self, guild: DiscordId, at: datetime) -> None:
        """The host is not in a server any more; one that it has left before it left then."""
        async with self._sessions.write() as session:
            if await session.get(DepartureRow, guild) is None:
                await upsert(session, DepartureRow, {"guild_id": guild}, {"left_at": at})

    async def come_back(self, guild: DiscordId) -> None:
        """The host is in a server again, or has never left it."""
        gone = delete(DepartureRow).where(DepartureRow.guild_id == guild)
        async with self._sessions.write() as session:
            await session.execute(gone)

    async def departed(self, before: datetime) -> Sequence[DiscordId]:
        """The servers that the host left at `before` or earlier, the longest ago first."""
        query = (
            select(DepartureRow.guild_id)
            .where(DepartureRow.left_at <= before)
            .order_by(DepartureRow.left_at, DepartureRow.guild_id)
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def forget_server(self, guild: DiscordId, before: datetime) -> bool:
        """Delete all that is kept of a server that the host left at `before` or earlier; whether this was done here."""
        async with self._sessions.write() as session:
            row = await session.get(DepartureRow, guild, with_for_update=True)
            if row is None or row.left_at > before:
                return False
            # In the order in which results are rated and taken back: whoever does so meanwhile is done first.
            played = select(MatchRow.id).where(MatchRow.guild == guild)
            await session.execute(played.order_by(MatchRow.id).with_for_update())
            await share_ratings(session)
            for column in OUTLIVED:
                await session.execute(
                    update(column.class_).where(column.class_.match_id.in_(played)).values({column: None}),
                    execution_options={"synchronize_session": False},
                )
            for table, theirs in belongings(guild).items():
                await session.execute(
                    delete(table).where(theirs), execution_options={"synchronize_session": False}
                )
        return True
