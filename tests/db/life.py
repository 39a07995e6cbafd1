"""A member with rows in every table, and a search for their id in the whole database."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import String, cast, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import Base
from db.store import Store
from db.values.administration import AdminAction, Ban
from db.values.challenges import Answer, Reply
from db.values.events import Deed, EventChange, StoredDeed, TitleKind
from db.values.matches import Award, Ending, NewEntry, Panel
from db.values.members import Digest, Interest, Notice, computer_player
from db.values.posts import Companion, News, Occasion
from db.values.proposals import Matter, NewProposal, Takeover
from db.values.puzzles import Attempt, Progress
from db.values.standings import NEWCOMER
from db.values.votes import Volunteer, Vote
from rules.core.match import VOID, Ply, Setup
from rules.puzzles.moments import Moment
from rules.puzzles.puzzle import Puzzle
from tests.db.given import (
    BERT,
    CHANNEL,
    CLEO,
    DEADLINE,
    FIRST,
    GUILD,
    IN,
    LOST,
    NOW,
    SECOND,
    WON,
    challenged,
    close,
    event_running,
    new_challenge,
    new_lobby,
    show,
    standing,
    started,
    vote_game,
)
from tests.db.ladder import begin_job

MAZE = Setup("maze", (("size", 4),), 3)
SALT = "5d" * 16


async def lived(store: Store, user: int) -> None:
    """Give `user` rows in every table that holds members. Everything is over, or they have left it."""
    await store.members.change(user, theme="slate", notice=Notice.DIRECT, away_until=DEADLINE, forced=True)
    await store.digests.keep(Digest(user, DEADLINE))
    await store.interests.keep(Interest(user, ("skull",), guilds=(GUILD,)))
    await store.servers.exclude(GUILD, [user], NOW)
    await store.lessons.keep(Progress(user, "skull", 5, ("1: d1",), done=True))
    tried = Attempt(user, "skull-3fa9c1d0", NOW)
    await store.puzzles.keep_attempt(tried, replace(tried, moves=("d4",), solved=True, ended=NOW), NEWCOMER)
    await store.puzzle_runs.begin(user, GUILD, NOW, "skull-3fa9c1d0")
    await store.members.block(user, BERT, NOW)
    await store.members.block(CLEO, user, NOW)
    match = (await started(store, (user, BERT))).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW, salt=SALT))
    await store.followers.follow(match, user, moves=True)
    proposal = await store.proposals.add(NewProposal(match, Matter.DRAW, 0, 1, NOW), 1)
    await store.proposals.close(proposal.id, Answer.WITHDRAWN, NOW)
    other = await store.proposals.add(NewProposal(match, Matter.TAKEBACK, 1, 1, NOW), 1)
    await store.proposals.agree(other.id, 0, NOW)
    await store.matches.append(
        match, 1, NewEntry(SECOND, NOW + timedelta(seconds=1)), Ending((LOST, WON), awards=[Award(0, "lost")])
    )
    await show(store, match, Panel(CHANNEL, 7, 2), Companion(CHANNEL, 8, 0, 1))
    await store.moments.keep(match, [Moment(0, 0, "a1", Puzzle("skull", (5, 6), (), ("a1",), 1.0, 3))])
    again = new_challenge(BERT, user)
    await close(store, await store.challenges.add(again), Answer.DECLINED)
    await close(store, await challenged(store, user), Answer.WITHDRAWN)
    lobby = await store.challenges.add(new_lobby(challenger=BERT))
    joined = standing(lobby, (BERT, IN), (user, Reply.REMOVED), (CLEO, IN))
    await store.challenges.change(lobby, joined, NOW)
    begun = replace(joined, answer=Answer.ACCEPTED)
    await store.challenges.accept(joined, begun, (BERT, CLEO), 1, NOW)
    await store.direct_messages.queue([user], GUILD, News(Occasion.TURN, match, 2), NOW)
    await begin_job(store, (CLEO, user))
    broken = (await started(store, (user, CLEO))).id
    await store.matches.break_off(
        broken, 0, Ply(None, VOID), NOW, f"<@{user}> and <@!{user}> ({user}) were rude to <@{CLEO}>"
    )
    ban = Ban("digest of a member", user, None, f"<@{user}> was rude", None, NOW)
    await store.administration.ban(ban, AdminAction(NOW, user, f"ban of member {user}"))
    await store.titles.add(GUILD, TitleKind.PUZZLES, "2026-01-01", [user], NOW)
    event = await event_running(store, (user, BERT))
    left = replace(event.entrants[0], left_at=NOW, annulled=True)
    gone = StoredDeed(0, Deed.REMOVED, NOW, by=user, whom=user)
    await store.events.change(event, EventChange(left=[left], deeds=[gone]), NOW)
    await store.matches.break_off(event.pairings[0].match, 0, Ply(None, VOID), NOW, "a player left")
    voted = await vote_game(store)
    for ply in (0, 1):
        await store.votes.cast(voted, ply, Vote(user, "a1", NOW))
        if not ply:
            await store.matches.append(voted, 0, NewEntry(FIRST, NOW))
    for phase in ("arrange", "search"):
        await store.votes.volunteer(voted, Volunteer(user, 0, phase), NOW)
    await store.votes.draw(voted, None, Volunteer(user, 0, "arrange"), NOW)
    maze = (await started(store, (BERT, user, CLEO), setup=MAZE)).id
    await store.variations.change(maze, user, 0, (), (), [("a1-b1", "b1-c1")])
    await store.matches.append(maze, 0, NewEntry(Ply(1, "resign"), NOW))
    await taken_over(store, (await started(store, (BERT, user, CLEO), setup=MAZE)).id, 1)


async def taken_over(store: Store, match: int, seat: int) -> None:
    """Let a player leave at the beginning of a match, and a computer player take the seat."""
    offer = NewProposal(match, Matter.SEAT, seat, 1, NOW, computer_player(1))
    await store.matches.append(match, 0, NewEntry(Ply(seat, "resign"), NOW), offer=offer)
    (proposal,) = await store.proposals.open(match)
    taking = Takeover(seat, computer_player(1))
    await store.matches.append(
        match, 1, NewEntry(Ply(None, "back to 0"), NOW), proposal=proposal.id, takeover=taking
    )


async def holding(engine: AsyncEngine, what: int) -> set[str]:
    """Return all columns that contain a number, or a text with its digits."""
    columns: set[str] = set()
    async with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            found = (cast(column, String).contains(str(what)) for column in table.columns)
            counts = await connection.execute(select(*(func.count().filter(it) for it in found)))
            columns |= {str(it) for it, count in zip(table.columns, counts.one(), strict=True) if count}
    return columns


async def rows(engine: AsyncEngine) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables."""
    async with engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in await connection.execute(table.select())), key=repr)
            for table in Base.metadata.sorted_tables
        }
