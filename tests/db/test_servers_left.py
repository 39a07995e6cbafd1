"""The data of a server that the bot has left is deleted completely, and no other server's."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import Base
from db.models.base import HOLDS
from db.store import Store
from db.stores.servers import OUTLIVED, belongings
from db.values.administration import AdminAction, Ban
from db.values.events import EventChange, TitleKind, Versus
from db.values.matches import Award, Ending, NewEntry
from db.values.members import Interest
from db.values.places import Place
from db.values.posts import News, Occasion, PostKind
from db.values.proposals import Matter, NewProposal
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER
from db.values.votes import Invitation, Volunteer, Vote, VoteTerms
from rules.puzzles.moments import Moment
from rules.puzzles.puzzle import Puzzle
from tests.db.given import (
    ANNA,
    BERT,
    CHANNEL,
    FIRST,
    GUILD,
    LATER,
    LOST,
    NOW,
    WON,
    event_of,
    event_running,
    finished,
    new_challenge,
    new_event,
    started,
    vote_game,
)
from tests.db.ladder import assert_counted, begin_job
from tests.db.life import holding, rows

OTHER = GUILD + 1
HOST = OTHER + 1
"""The server that hosts a match of which these are the guests."""
STAYS = {
    "admin_actions",
    "bans",
    "corrected_skills",
    "puzzle_attempts",
    "puzzle_skills",
    "puzzle_solvers",
    "rated",
    "rated_seats",
    "rating_job",
    "ratings",
    "reverted_seats",
    "tallies",
}
"""Tables with rows that stay without naming the server: its games still count globally."""
HERE, THERE = Place(GUILD, CHANNEL), Place(OTHER, CHANNEL + 1)


async def lively(store: Store, place: Place) -> None:
    """Store every kind of data of a server."""
    assert place.guild is not None
    await store.servers.change(place.guild, threads=True)
    known = await store.interests.get(BERT)
    guilds = (*(() if known is None else known.guilds), place.guild)
    await store.interests.keep(Interest(BERT, guilds=guilds))
    await store.servers.exclude(place.guild, [BERT], NOW)
    await store.servers.alert(place.guild, place.channel, NOW, NOW - timedelta(days=1))
    await store.posts.add(PostKind.PUZZLE, "2026-03-01", [(place.guild, place.channel)], NOW)
    over = await finished(store, (ANNA, BERT), (WON, LOST), place=place)
    await store.direct_messages.queue([BERT], place.guild, News(Occasion.TURN, over), NOW)
    await store.achievements.award_again(over, [Award(0, "done")])
    await store.moments.keep(over, [Moment(0, 0, "a1", Puzzle("skull", (5, 6), (), ("a1",), 1.0, 3))])
    ban = Ban(f"digest of {place.channel}", None, place.guild, "rude", None, NOW)
    await store.administration.ban(ban, AdminAction(NOW, None, "ban of a server"))
    tried = Attempt(ANNA, f"skull-{place.channel}", NOW, guild=place.guild)
    await store.puzzles.keep_attempt(tried, replace(tried, moves=("d4",), solved=True, ended=NOW), NEWCOMER)
    await store.puzzle_runs.begin(ANNA, place.guild, NOW, tried.puzzle)
    running = (await started(store, (ANNA, BERT), place=place)).id
    await store.matches.append(running, 0, NewEntry(FIRST, NOW))
    proposal = await store.proposals.add(NewProposal(running, Matter.DRAW, 0, 1, NOW), 1)
    await store.proposals.agree(proposal.id, 1, NOW)
    await event_running(store, (ANNA, BERT), place)
    versus = Versus(1, f"code of {place.channel}")
    proposed = await store.events.add(replace(new_event(place=Place(HOST, 1)), versus=versus))
    known_event = await event_of(store, proposed)
    await store.events.change(known_event, EventChange(guests=place), NOW)
    voted = await vote_game(store, place)
    await store.votes.cast(voted, 0, Vote(BERT, "a1", NOW))
    await store.votes.volunteer(voted, Volunteer(BERT, 0, "arrange"), NOW)
    await store.titles.add(place.guild, TitleKind.PUZZLES, "2026-01-01", [BERT], NOW)
    await store.titles.choose(place.guild, TitleKind.PUZZLES, place.channel)
    terms = VoteTerms(timedelta(days=1), LATER, named=False)
    await store.votes.invite(Invitation(f"code of {place.channel}", place, "skull", terms, NOW))
    again = new_challenge(ANNA, BERT, place=place)
    await store.challenges.add(
        type(again)(again.terms, place, ANNA, again.participants, False, NOW, LATER, over)
    )


TABLES = Base.metadata.sorted_tables
SERVERS = {str(it): it for table in TABLES for it in table.columns if it.info.get(HOLDS) == "server"}
"""Every column that holds servers, by name."""


def test_every_table_is_deleted_with_its_server_or_declared_otherwise() -> None:
    """A new table with servers, or with references to their data, fails here until it is handled."""
    goes = [row.__tablename__ for row in belongings(GUILD)]
    outlived = {str(it.expression) for it in OUTLIVED}
    assert {column.split(".")[0] for column in SERVERS.keys() - outlived} <= set(goes)
    assert outlived <= SERVERS.keys()
    for table in TABLES:
        for key in table.foreign_keys:
            if key.ondelete is None and key.column.table.name in {*goes} - {table.name}:
                assert goes.index(table.name) < goes.index(key.column.table.name), "it would be left without"


async def test_all_data_of_one_server_is_deleted(store: Store, engine: AsyncEngine) -> None:
    await store.members.change(ANNA, theme="slate")
    await lively(store, THERE)
    before = await rows(engine)
    await lively(store, HERE)
    await begin_job(store, (ANNA, BERT), HERE)
    await store.servers.depart(NOW, GUILD)
    assert await holding(engine, GUILD) >= SERVERS.keys(), "something is not tried"
    assert await store.servers.forget(GUILD, NOW)
    assert await holding(engine, GUILD) == set()
    after = await rows(engine)
    assert {name: before[name] if name in STAYS else its for name, its in after.items()} == before
    assert not await store.servers.forget(GUILD, NOW), "there was nothing left to forget"


@pytest.mark.soak
@pytest.mark.on_postgresql
async def test_results_that_come_and_go_while_a_server_is_forgotten_leave_nothing_of_it(
    store: Store, engine: AsyncEngine
) -> None:
    elsewhere = [
        await finished(store, (ANNA, BERT), (WON, LOST), place=place, ranks=(1, 2))
        for place in (HERE, THERE) * 2
    ][1]
    running = [(await started(store, (ANNA, BERT), place=HERE)).id for _ in range(4)]
    await store.servers.depart(NOW, GUILD)
    done = await asyncio.gather(
        *(
            store.matches.append(match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), ranks=(1, 2)))
            for match in running[:2]
        ),
        store.matches.void(elsewhere, NOW, "two accounts"),
        store.servers.forget(GUILD, NOW),
        *(
            store.matches.append(match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), ranks=(1, 2)))
            for match in running[2:]
        ),
        return_exceptions=True,
    )
    assert [it for it in done if isinstance(it, BaseException) and not isinstance(it, LookupError)] == []
    assert await holding(engine, GUILD) == set()
    await assert_counted(engine)


async def test_the_servers_with_data(store: Store) -> None:
    assert await store.servers.known() == []
    await store.servers.change(5, theme="slate")
    await finished(store, (ANNA, BERT), (WON, LOST), place=Place(3, CHANNEL))
    await store.challenges.add(new_challenge(place=Place(4, CHANNEL)))
    await store.challenges.add(new_challenge(place=Place(None, CHANNEL)))
    await store.servers.alert(2, CHANNEL, NOW, NOW)
    await store.servers.depart(NOW, 1)
    assert await store.servers.known() == [2, 3, 4, 5]
    assert await store.servers.known(2, 2) == [3, 4]
    assert await store.servers.gone([1, 2]) == [1]
