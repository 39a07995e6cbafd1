"""Frequent queries must use an index, so that they do not get slower over the years."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.engine import open_store
from db.store import Store
from db.values.challenges import Answer
from db.values.clocks import Reminder, TimeControl
from db.values.events import Correction, EventChange, TitleKind
from db.values.matches import Award, Beginning, Ending, NewEntry, Panel, PositionKeys, Search, Turns
from db.values.members import COMPUTER_PLAYERS, GUESTS, HOSTS, Digest, Member, Notice
from db.values.places import Place
from db.values.posts import News, Occasion, PostKind
from db.values.proposals import Matter, NewProposal
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER, ExpiredLeaderboards, PageTurn, PeriodKind
from db.values.votes import Invitation, Volunteer, Vote, VoteOver, VoteTerms
from rules.core.match import VOID, Ply
from rules.puzzles.moments import Moment
from rules.puzzles.puzzle import Puzzle
from tests.db.given import (
    ANNA,
    BERT,
    CHANNEL,
    CLEO,
    DEADLINE,
    FIRST,
    GUILD,
    LATER,
    LOST,
    NOW,
    PLACE,
    SECOND,
    SKULL,
    WON,
    close,
    event_of,
    event_running,
    expire,
    finished,
    new_challenge,
    offered,
    publish,
    server_match,
    show,
    started,
    taken,
    vote_game,
)
from tests.db.life import lived
from tests.db.migrated import lay
from tests.db.statements import statements
from tests.db.test_clocks import timed


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    """Only SQLite: its plans depend on the schema, PostgreSQL's on the number of rows."""
    return f"sqlite:///{lay(tmp_path)}"


async def challenges_of_all_kinds(store: Store) -> object:
    challenge = await store.challenges.add(new_challenge())
    await publish(store, PostKind.CARD, challenge.id)
    return await close(store, challenge, Answer.DECLINED)


async def daily_messages(store: Store) -> object:
    digest = Digest(CLEO, NOW)
    await store.digests.keep(digest)
    await store.members.change(CLEO, notice=Notice.DIGEST)
    found = await store.digests.get(CLEO), await store.digests.due(LATER, 5)
    await store.digests.queue(digest, replace(digest, due_at=LATER), News(Occasion.DIGEST, 1), NOW)
    return found


async def followers_of_a_match(store: Store) -> object:
    match = (await started(store)).id
    await store.followers.follow(match, CLEO, moves=True)
    found = await store.followers.count(CLEO), await store.followers.wants_moves(match, CLEO)
    await store.followers.tell_moves(match, GUILD, NOW)
    await store.followers.stop(match, CLEO)
    await store.followers.tell_end(match, GUILD, NOW)
    return found, await store.followers.matches(CLEO)


async def a_match_of_an_offer(store: Store) -> object:
    offer = await offered(store)
    match = await taken(store, offer, BERT)
    await close(store, offer, Answer.WITHDRAWN)
    return match.users


async def a_match_from_start_to_end(store: Store) -> object:
    match = (await started(store)).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    await show(store, match, Panel(CHANNEL, 5, 1))
    await store.matches.append(
        match, 1, NewEntry(SECOND, NOW), Ending((WON, LOST), awards=[Award(0, "done")], ranks=(1, 2))
    )
    return await store.matches.load(match)


async def ratings_of_all_kinds(store: Store) -> object:
    """Take back a match that is followed by another rated match."""
    match = await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    await store.ratings.changes(match)
    await store.matches.void(match, NOW, "two accounts")
    return await store.ratings.of_member(ANNA)


async def alive_again(store: Store) -> object:
    """Come back after an hour in which a clock ran."""
    await timed(store)
    await store.clocks.alive(NOW, timedelta(0))
    return await store.clocks.alive(NOW + timedelta(hours=1), timedelta(0))


async def clocks_that_stand_still(store: Store) -> object:
    """Go away in a match, pause it, and end the pause."""
    match = (await timed(store, time_control=TimeControl(timedelta(days=1)))).id
    await store.clocks.absent(Member(ANNA, absent_since=NOW, absent_until=DEADLINE), NOW)
    made = await store.proposals.add(NewProposal(match, Matter.PAUSE, 0, 0, NOW), 0)
    await store.clocks.carry_out(made, 0, NOW, until=DEADLINE)
    await store.clocks.end_pause(match, NOW)
    return await store.clocks.lasting(ANNA)


async def a_proposal_from_start_to_end(store: Store) -> object:
    match = (await started(store)).id
    made = await store.proposals.add(NewProposal(match, Matter.DRAW, 0, 0, NOW), 0)
    await store.proposals.note_told([made.id])
    await store.proposals.made_at(match, 0)
    await store.proposals.agree(made.id, 1, NOW)
    await store.proposals.close(made.id, Answer.EXPIRED, NOW)
    return await store.proposals.get(made.id)


async def conditional_moves(store: Store) -> object:
    match = (await started(store)).id
    await store.variations.change(match, BERT, 0, (), (), [("a1", "b2", "c3"), ("a2", "b1")])
    one, other = await store.variations.of_match(match)
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    await store.variations.behind(5)
    await store.variations.follow(match, 1, {one.id: one.moves[1:]}, [other.id])
    await store.variations.forget(CLEO)
    return [it.moves for it in await store.variations.of_match(match)]


async def choices_of_all_kinds(store: Store) -> object:
    await store.members.change(ANNA, forced=True, listed=False)
    await store.servers.change(GUILD, threads=True)
    await store.members.block(ANNA, BERT, NOW)
    await store.members.blockers(BERT, [ANNA])
    await store.members.blocked(ANNA)
    await store.members.unblock(ANNA, BERT)
    return await store.members.get(ANNA), await store.servers.settings(GUILD)


async def a_hint(store: Store) -> object:
    match = (await started(store)).id
    await store.matches.take_hint(match, 0, 0)
    return await store.matches.load(match)


async def a_match_broken_off(store: Store) -> object:
    match = (await started(store)).id
    await store.matches.move(match, CHANNEL + 1, CHANNEL)
    await store.matches.break_off(match, 0, Ply(None, VOID), NOW, "spam")
    return await store.matches.load(match)


async def moments_of_all_kinds(store: Store) -> object:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    assert await store.moments.to_search(("skull", "alaric"), NOW, DEADLINE, 5)
    await store.moments.keep(match, [Moment(0, 0, "a1", Puzzle("skull", (5, 6), (), ("a1",), 1.0, 3))])
    await store.moments.get(match, 0)
    await store.moments.newest(GUILD, 5)
    await store.moments.best(GUILD, NOW, DEADLINE, 5)
    return await store.moments.of_match(match)


async def direct_messages(store: Store) -> object:
    """Queue two messages, reserve a time for one of them, and send the other. Message 0 has failed."""
    for user in (ANNA, BERT):
        await store.direct_messages.queue([user], GUILD, News(Occasion.TURN, 1), NOW)
    first, second, *_ = await store.direct_messages.due(NOW, 5, [0])
    for _ in range(2):
        await store.direct_messages.change_pace(
            lambda it: replace(it, free_at=it.free_at + timedelta(days=1))
        )
    await store.direct_messages.postpone(first.id, LATER, reserved=True)
    await store.direct_messages.forget(second.id)
    return await store.direct_messages.due(LATER, 5, [0])


async def posts_of_all_kinds(store: Store) -> object:
    for kind in (PostKind.PUZZLE, PostKind.MOMENT, PostKind.PODIUM):
        await store.servers.due(kind, "2026-03-02", 9, 100)
        await store.posts.add(kind, "2026-03-02", [(GUILD, CHANNEL)], NOW)
        post = await publish(store, kind, GUILD, key="2026-03-02")
        await store.posts.close(kind, "2026-03-03", NOW)
        await store.posts.note_attempt(post.id, NOW)
        await store.posts.postpone(post.id, DEADLINE)
        await store.posts.forget_before(kind, "2026-03-02")
        await store.posts.forget(post.id)
    await store.posts.pending_in(CHANNEL)
    return await store.posts.pending(NOW, 200, [1, 2])


async def a_puzzle_of_a_day(store: Store) -> object:
    await store.puzzles.choose(NOW.date(), "skull-1")
    tried = Attempt(ANNA, "skull-1", NOW, guild=GUILD)
    await store.puzzles.keep_attempt(tried, replace(tried, moves=("d4",), solved=True, ended=NOW), NEWCOMER)
    return (
        await store.puzzles.attempt(ANNA, "skull-1"),
        await store.puzzles.results("skull-1", DEADLINE, GUILD, 5),
        await store.puzzles.skills(["skull-1", "skull-2"]),
    )


async def puzzle_runs(store: Store) -> object:
    run = await store.puzzle_runs.begin(ANNA, GUILD, NOW, "skull-1")
    await store.puzzle_runs.keep(run, replace(run, moves=("d4",), solved=1))
    return (
        await store.puzzle_runs.get(run.id),
        await store.puzzle_runs.best(GUILD, NOW, 5),
        await store.puzzle_runs.best_of(ANNA, NOW),
    )


async def retention_of_all_kinds(store: Store) -> object:
    today = NOW.date()
    await store.members.change(ANNA, forced=True)
    await store.retention.note_activity([ANNA, BERT], [GUILD], today, today)
    await store.retention.inactive_servers(today, limit=5)
    await store.retention.accounts_to_look_up(today, 5)
    await store.retention.look_up_again(ANNA, today)
    return await store.retention.inactive_members(today, 5)


async def votes_of_all_kinds(store: Store) -> object:
    match = await vote_game(store)
    for user, move in ((BERT, "a1"), (BERT, "b1"), (ANNA, "a1")):
        await store.votes.cast(match, 0, Vote(user, move, NOW))
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    due, running = await store.votes.due(DEADLINE, 5), await store.votes.running(GUILD)
    game = await store.votes.get(match)
    assert game is not None
    await store.votes.schedule(game, DEADLINE, NOW, extended=True)
    terms = VoteTerms(timedelta(days=1), DEADLINE, named=False)
    invitation = Invitation("0123456789", PLACE, "skull", terms, NOW)
    await store.votes.invite(invitation)
    found = await store.votes.invitation("0123456789")
    assert found is not None
    there = Place(GUILD + 1, CHANNEL + 1)
    begun = await store.votes.begin(SKULL, terms, PLACE, (HOSTS, GUESTS), Beginning(1), NOW, (found, there))
    told = (
        await store.votes.votes(match, 0),
        await store.votes.voters(match),
        await store.votes.voted_in(BERT),
    )
    ada, bert = Volunteer(ANNA, 0, "arrange"), Volunteer(BERT, 0, "arrange")
    for it in (ada, bert, replace(ada, phase="search")):
        await store.votes.volunteer(match, it, NOW)
    await store.votes.withdraw(match, replace(ada, phase="search"), NOW)
    for out, new in ((None, ada), (ada, bert)):
        await store.votes.draw(match, out, new, NOW, (GUILD, News(Occasion.TURN, match)))
    with pytest.raises(VoteOver):
        await store.votes.draw(match, None, bert, NOW)
    drawn = await store.votes.volunteers(match), await store.votes.playing()
    return due, running, game, *told, *drawn, await store.votes.guests(begun)


async def events_of_all_kinds(store: Store) -> object:
    event = await event_running(store, (ANNA, BERT))
    await store.matches.append(event.pairings[0].match, 0, NewEntry(FIRST, NOW), Ending((LOST, WON)))
    await store.events.of_member(BERT)
    await store.events.finished_of(BERT, GUILD, 3)
    await store.events.of_match(event.pairings[0].match)
    await store.events.movers(event.id, 0)
    await store.events.due(DEADLINE, 5)
    await store.servers.change(GUILD, league_channel=5, leagues=("skull",))
    await store.events.season(GUILD, "skull", "2026-12")
    await store.events.seasons(GUILD, "2026-12")
    await store.servers.with_leagues("2026-12", 5)
    await store.servers.leagues_opened(GUILD, "2026-12")
    known = await event_of(store, event.id)
    corrected = replace(known.pairings[0], corrected=Correction.DRAWN)
    left = replace(known.entrants[0], left_at=NOW)
    await store.events.change(known, EventChange(corrected=[corrected], left=[left], withdrawn=[5]), NOW)
    between = await server_match(store)
    guests = await store.events.guests_of(between.pairings[0].match)
    for guild in (GUILD, None):
        await store.events.opponents(guild, ANNA, (BERT,))
    return await store.events.get(event.id), between, guests, await store.events.with_code("0123456789")


async def titles_of_all_kinds(store: Store) -> object:
    await store.titles.add(GUILD, TitleKind.FINISHER, "2026-10", [ANNA], NOW)
    await store.titles.choose(GUILD, TitleKind.FINISHER, 5)
    for role in await store.titles.due(LATER, 5):
        await store.titles.confirm(role)
        await store.titles.holds_otherwise(replace(role, held=5, give=None), LATER)
    await store.titles.choose(GUILD, TitleKind.CUP, None)
    await store.titles.finishers(GUILD, NOW, LATER, 1)
    return await store.titles.of(ANNA, GUILD), dict(await store.titles.roles(GUILD))


HARMLESS = ("SCAN CONSTANT ROW", "SCAN rating_job", "SCAN reverted_seats", "SCAN anon_1")
"""Scans of what has at most one row, and of a subquery, whose own steps are in the plan too."""

CALLS: dict[str, Callable[[Store], Awaitable[object]]] = {
    "challenge": challenges_of_all_kinds,
    "match": a_match_from_start_to_end,
    "match broken off": a_match_broken_off,
    "ratings": ratings_of_all_kinds,
    "challenges of a user": lambda store: store.challenges.open(user=ANNA),
    "challenges in a place": lambda store: store.challenges.open(place=PLACE),
    "offers in a server": lambda store: store.challenges.standing(GUILD, BERT, 5),
    "match of an offer": a_match_of_an_offer,
    "challenges made by a user": lambda store: store.challenges.made_by(ANNA, NOW),
    "expire": lambda store: expire(store, DEADLINE),
    "running of a user": lambda store: store.matches.running(user=BERT),
    "running in a channel": lambda store: store.matches.running(channel=CHANNEL),
    "list of a member's games": lambda store: store.lists.running(users=[BERT]),
    "list of the games in a channel": lambda store: store.lists.running(channel=CHANNEL),
    "list of a member's games in a channel": lambda store: store.lists.running(users=[BERT], channel=CHANNEL),
    "names of the games in a channel": lambda store: store.lists.running_in(CHANNEL),
    "page of computers' games": lambda store: store.lists.running(users=COMPUTER_PLAYERS, after=1, limit=5),
    "turns": lambda store: store.lists.note_turns([(1, 0, Turns((NOW, None)))]),
    "matches without turns": lambda store: store.lists.without_turns(0, 5),
    "running in a guild": lambda store: store.matches.running(guild=GUILD),
    "standing": lambda store: store.positions.standing("skull", [1, 2], rated=True),
    "standing of casual matches too": lambda store: store.positions.standing("skull", [1, 2], rated=False),
    "facing": lambda store: store.positions.facing("skull", "RB"),
    "unkeyed": lambda store: store.positions.unkeyed("skull", 5),
    "position": lambda store: store.positions.note([(1, 0, PositionKeys((1, 2, 3), ("RB", None)))]),
    "hint": a_hint,
    "rematch": lambda store: store.challenges.rematch_of(1),
    "daily messages": daily_messages,
    "open games nearby": lambda store: store.challenges.nearby(BERT, NOW, 5),
    "ended games of a member": lambda store: store.history.ended(BERT, NOW, LATER, 5),
    "followers": followers_of_a_match,
    "proposal": a_proposal_from_start_to_end,
    "open proposals": lambda store: store.proposals.open(),
    "proposals to computers": lambda store: store.proposals.unanswered_by_computers(5),
    "agreed challenges": lambda store: store.challenges.agreed(5),
    "open proposals of a match": lambda store: store.proposals.open(1),
    "open proposals of a member": lambda store: store.proposals.open(user=ANNA),
    "last proposal of a seat": lambda store: store.proposals.last(1, Matter.DRAW, 0),
    "backlog": lambda store: store.administration.backlog(NOW),
    "last finished": lambda store: store.history.last(Search(GUILD), 5),
    "last finished of a game": lambda store: store.history.last(Search(GUILD, "skull"), 5),
    "last finished of a member": lambda store: store.history.last(Search(GUILD, None, ANNA), 5),
    "finished in direct messages": lambda store: store.history.page(Search(None, channel=CHANNEL), 5, mark=1),
    "finished": lambda store: store.history.page(Search(GUILD), 5, mark=1),
    "finished of a game": lambda store: store.history.page(Search(GUILD, "skull"), 5, mark=1),
    "finished of a member": lambda store: store.history.page(Search(GUILD, None, ANNA), 5, mark=1),
    "won against somebody": lambda store: store.history.page(
        Search(GUILD, "skull", ANNA, BERT, WON), 5, mark=1, newer=True
    ),
    "alive": alive_again,
    "clocks that stand still": clocks_that_stand_still,
    "out of time": lambda store: store.clocks.out_of_time(DEADLINE, limit=5),
    "due reminders": lambda store: store.clocks.due_reminders(DEADLINE, limit=5),
    "reminded": lambda store: store.clocks.reminded(Reminder(1, 0, DEADLINE, NOW)),
    "next due": lambda store: store.clocks.next_due(NOW),
    "first awards": lambda store: store.achievements.first_awards(ANNA, ["done", "undone"]),
    "new awards": lambda store: store.achievements.new_awards(1),
    "awards again": lambda store: store.achievements.award_again(1, [Award(0, "done")]),
    "ended": lambda store: store.history.after(1, 10),
    "members": lambda store: store.members.get_all([ANNA, BERT]),
    "choices": choices_of_all_kinds,
    "conditional moves": conditional_moves,
    "leaderboard": lambda store: store.leaderboards.page("skull", GUILD, PeriodKind.ALWAYS, NOW, ANNA, 10),
    "leaderboard from a row on": lambda store: store.leaderboards.page(
        None, None, PeriodKind.WEEK, NOW, ANNA, 10, PageTurn.FORWARD, (1000, BERT)
    ),
    "leaderboard before a row": lambda store: store.leaderboards.page(
        None, None, PeriodKind.ALWAYS, NOW, ANNA, 10, PageTurn.BACK, (1000, BERT)
    ),
    "profile": lambda store: store.profiles.get(ANNA, None, GUILD, ("skull", "alaric")),
    "moments": moments_of_all_kinds,
    "posts": posts_of_all_kinds,
    "direct messages": direct_messages,
    "puzzle of a day": a_puzzle_of_a_day,
    "puzzle runs": puzzle_runs,
    "events": events_of_all_kinds,
    "titles": titles_of_all_kinds,
    "votes": votes_of_all_kinds,
    "retention": retention_of_all_kinds,
    "duels": lambda store: store.profiles.duels(ANNA, BERT, GUILD),
    "longest match of a week": lambda store: store.weeks.longest(GUILD, NOW, DEADLINE, NOW, 5),
    "rivals of a week": lambda store: store.weeks.rivals(GUILD, NOW, DEADLINE, 5),
    "known servers": lambda store: store.servers.known(1, 5),
    "servers left": lambda store: store.servers.gone([GUILD]),
    "bans": lambda store: store.administration.bans(NOW, 0, 5),
    "banned": lambda store: store.administration.banned(NOW, ["digest"]),
    "expired leaderboards": lambda store: store.leaderboards.delete_expired(
        ExpiredLeaderboards(GUILD, "2025-11"), 5
    ),
}


async def test_no_query_goes_through_a_whole_table(store: Store, engine: AsyncEngine) -> None:
    await a_match_from_start_to_end(store)
    await started(store)
    for name, call in CALLS.items():
        with statements() as sent:
            await call(store)
        asked = [it for it in sent if it[0].startswith(("SELECT", "UPDATE", "DELETE"))]
        assert asked, name
        async with engine.connect() as connection:
            for statement, parameters in asked:
                rows = parameters if isinstance(parameters, list) else [parameters]
                plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", rows[0])
                assert_indexed(name, statement, [row.detail for row in plan])


def assert_indexed(name: str, statement: str, steps: list[str]) -> None:
    # "SCAN t USING INDEX" goes through a partial index, that is through all rows that are asked for.
    scans = (it for it in steps if it.startswith("SCAN") and it not in HARMLESS)
    assert all("INDEX" in it for it in scans), (name, statement, steps)
    if name.startswith(("standing", "facing", "unkeyed")):
        # The running matches of a game are many; those that are looked for are few.
        assert "ix_matches_running_game" not in str(steps), (name, statement, steps)
    if name.startswith(("finished", "last finished", "won")) and "LIMIT" in statement:
        # A page is read off an index where it begins, neither sorted nor counted off.
        assert "B-TREE" not in str(steps), (name, statement, steps)
    if name.startswith(("finished", "won")) and "LIMIT" in statement:
        assert re.search(r"finished_at(,\w+\))?[<>]", steps[0]), (name, statement, steps)


async def test_every_query_gives_the_same_on_postgresql(
    store: Store, migrated_url: str, tmp_path: Path
) -> None:
    async with open_store(migrated_url, tmp_path) as other:
        for each in (store, other):
            await a_match_from_start_to_end(each)
            await lived(each, ANNA)
        for name, call in CALLS.items():
            assert (name, await call(store)) == (name, await call(other))
