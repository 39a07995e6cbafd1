"""A member with rows in every table, and a search for their id in the whole database."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import String, cast, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.api.achievements import Award
from db.api.administration import AdminAction, Ban
from db.api.challenges import Answer, Reply
from db.api.direct_messages import News, Occasion
from db.api.lessons import Progress
from db.api.matches.matches import Panel
from db.api.members.members import Notice
from db.api.posts import Companion
from db.api.proposals import Matter, NewProposal
from db.api.puzzles import Attempt
from db.api.standings.ratings import NEWCOMER
from db.models import Base
from db.store import SqlStore
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
    new_challenge,
    new_lobby,
    show,
    standing,
    started,
)
from tests.db.ladder import begin_job

MAZE = Setup("maze", (("size", 4),), 3)
SALT = "5d" * 16


async def lived(store: SqlStore, user: int) -> None:
    """Give `user` rows in every table that holds members. Everything is over, or they have left it."""
    await store.change_member(user, theme="slate", notice=Notice.DIRECT, away_until=DEADLINE, forced=True)
    await store.keep_progress(Progress(user, "skull", 5, ("1: d1",), done=True))
    tried = Attempt(user, "skull-3fa9c1d0", NOW)
    await store.keep_attempt(tried, replace(tried, moves=("d4",), solved=True, ended=NOW), NEWCOMER)
    await store.block(user, BERT, NOW)
    await store.block(CLEO, user, NOW)
    match = (await started(store, (user, BERT))).id
    await store.append(match, 0, FIRST, NOW, None, SALT)
    proposal = await store.propose(NewProposal(match, Matter.DRAW, 0, 1, NOW), 1)
    await store.settle(proposal.id, Answer.WITHDRAWN, NOW)
    other = await store.propose(NewProposal(match, Matter.TAKEBACK, 1, 1, NOW), 1)
    await store.agree(other.id, 0, NOW)
    await store.append(match, 1, SECOND, NOW + timedelta(seconds=1), (LOST, WON), awards=[Award(0, "lost")])
    await show(store, match, Panel(CHANNEL, 7, 2), Companion(CHANNEL, 8, 0, 1))
    await store.keep_moments(match, [Moment(0, 0, "a1", Puzzle("skull", (5, 6), (), ("a1",), 1.0, 3))])
    again = new_challenge(BERT, user)
    await close(store, await store.add_challenge(again), Answer.DECLINED)
    await close(store, await challenged(store, user), Answer.WITHDRAWN)
    lobby = await store.add_challenge(new_lobby(challenger=BERT))
    joined = standing(lobby, (BERT, IN), (user, Reply.REMOVED), (CLEO, IN))
    await store.change(lobby, joined, NOW)
    begun = replace(joined, answer=Answer.ACCEPTED)
    await store.accept(joined, begun, (BERT, CLEO), 1, NOW)
    await store.queue_direct_messages([user], GUILD, News(Occasion.TURN, match, 2), NOW)
    await begin_job(store, (CLEO, user))
    broken = (await started(store, (user, CLEO))).id
    await store.break_off(
        broken, 0, Ply(None, VOID), NOW, f"<@{user}> and <@!{user}> ({user}) were rude to <@{CLEO}>"
    )
    ban = Ban("digest of a member", user, None, f"<@{user}> was rude", None, NOW)
    await store.ban(ban, AdminAction(NOW, user, f"ban of member {user}"))
    maze = (await started(store, (BERT, user, CLEO), setup=MAZE)).id
    await store.append(maze, 0, Ply(1, "resign"), NOW, None)


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
