"""Events in the database: changes that happen once, tables that follow the matches, and what is deleted."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from db.backup.resumed import prepare
from db.models import EventRow, PostRow
from db.store import Store
from db.stores.base import HIGHEST
from db.values.events import (
    Correction,
    Deed,
    Entrant,
    EventChange,
    EventChanged,
    EventState,
    NewPairing,
    Stage,
    StoredDeed,
    Summary,
)
from db.values.matches import Beginning, Ending, NewEntry
from db.values.posts import PostKind
from rules.core.match import VOID, Ply
from tests.db.given import (
    ANNA,
    BERT,
    CLEO,
    DEADLINE,
    FIRST,
    LATER,
    LOST,
    NOW,
    PLACE,
    SKULL,
    THERE,
    WON,
    event_of,
    event_running,
    match_of,
    new_event,
    post_of,
    publish,
    server_match,
)


async def version_shown(store: Store, event: int) -> int:
    """Return the version that the message of an event is to show."""
    post = await post_of(store, PostKind.EVENT, event)
    return post.version


async def test_an_open_event_has_entrants_and_a_message(store: Store) -> None:
    event = await event_of(store, await store.events.add(new_event()))
    assert (event.state, event.place, event.organiser, event.entrants) == (EventState.OPEN, PLACE, ANNA, ())
    assert await version_shown(store, event.id) == 1
    joined = await store.events.change(event, EventChange(joined=[Entrant(0, BERT), Entrant(1, CLEO)]), LATER)
    assert joined == await event_of(store, event.id)
    assert joined.members == (BERT, CLEO)
    gone = await store.events.change(joined, EventChange(withdrawn=[0]), LATER)
    assert [it.user for it in gone.entrants] == [CLEO]
    assert await version_shown(store, event.id) == 3


async def test_a_stage_begins_with_all_its_matches(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT, CLEO))
    assert event.stages == (Stage(0, NOW, DEADLINE),)
    assert [(it.first, it.second, it.running, it.outcome) for it in event.pairings] == [
        (0, 1, True, None),
        (0, 2, True, None),
        (1, 2, True, None),
    ]
    for pairing in event.pairings:
        match = await match_of(store, pairing.match)
        users = [ANNA, BERT, CLEO]
        assert match.users == (users[pairing.first], users[pairing.second])
        assert (match.setup, match.place, match.started_at) == (SKULL, PLACE, NOW)
        assert match.post is not None


async def test_only_the_first_of_two_changes_counts(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    over = EventChange(state=EventState.OVER, deeds=[StoredDeed(0, Deed.ENDED, LATER, by=ANNA)])
    await store.events.change(event, over, LATER)
    with pytest.raises(EventChanged):
        await store.events.change(event, over, LATER)
    assert [it.deed for it in (await event_of(store, event.id)).deeds] == [Deed.STARTED, Deed.ENDED]


async def test_a_pairing_exists_once(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    again = EventChange(pairings=[NewPairing(0, 0, 1, True, Beginning(1))])
    with pytest.raises(IntegrityError):
        await store.events.change(event, again, LATER)
    assert await event_of(store, event.id) == event
    swapped = EventChange(pairings=[NewPairing(0, 1, 0, True, Beginning(1))])
    assert len((await store.events.change(event, swapped, LATER)).pairings) == 2


async def test_the_table_follows_the_matches(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT, CLEO))
    one, other, third = (it.match for it in event.pairings)
    shown = await version_shown(store, event.id)
    await store.matches.append(one, 0, NewEntry(FIRST, LATER), Ending((WON, LOST)))
    await store.matches.break_off(other, 0, Ply(None, VOID), LATER, "spam")
    found = await event_of(store, event.id)
    assert [(it.running, it.outcome) for it in found.pairings] == [(False, WON), (False, None), (True, None)]
    assert found.due_at == LATER
    assert await version_shown(store, event.id) == shown + 2
    with pytest.raises(EventChanged):
        await store.events.change(event, EventChange(late=True), LATER)
    await store.matches.void(one, LATER, "two accounts")
    assert [it.outcome for it in (await event_of(store, event.id)).pairings] == [None, None, None]
    assert third in [it.match for it in found.pairings if it.running]


async def test_a_corrected_result_is_kept_beside_that_of_the_match(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    await store.matches.append(event.pairings[0].match, 0, NewEntry(FIRST, LATER), Ending((WON, LOST)))
    event = await event_of(store, event.id)
    corrected = replace(event.pairings[0], corrected=Correction.DRAWN)
    after = await store.events.change(event, EventChange(corrected=[corrected]), LATER)
    assert after.pairings == (corrected,)
    assert corrected.outcome == WON


async def test_a_time_at_which_an_event_is_due_changes_no_message(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    before = await version_shown(store, event.id)
    after = await store.events.change(event, EventChange(due_at=DEADLINE), LATER)
    assert (after.due_at, after.version) == (DEADLINE, event.version + 1)
    assert await version_shown(store, event.id) == before


async def test_events_are_found_when_they_are_due(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    assert await store.events.due(NOW, 5) == []
    assert await store.events.due(DEADLINE, 5) == [event.id]
    assert await store.events.of_member(BERT) == [event]
    await store.events.change(event, EventChange(state=EventState.OVER), LATER)
    assert await store.events.due(DEADLINE, 5) == []
    assert await store.events.of_member(BERT) == []


async def test_an_event_is_judged_by_those_of_its_server(store: Store) -> None:
    """The check and the event are one transaction, so that two events at once cannot both be the last."""
    running = await event_running(store, (ANNA, BERT))
    seen: list[object] = []

    def refuse(others: Sequence[Summary], games: int) -> None:
        seen.append((list(others), games))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.events.add(new_event(), refuse)
    assert seen == [([Summary(running.id, ANNA, EventState.RUNNING, PLACE.channel, 3, "skull")], 1)]
    assert await store.events.get(running.id + 1) is None


async def test_entrants_who_have_moved_are_found(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT, CLEO))
    one, other, _ = event.pairings
    await store.matches.append(one.match, 0, NewEntry(FIRST, NOW))
    await store.matches.append(other.match, 0, NewEntry(Ply(1, "resign"), NOW), Ending((WON, LOST)))
    assert await store.events.movers(event.id, 0) == {0}
    assert await store.events.of_match(other.match) == await event_of(store, event.id)
    assert await store.events.of_match(HIGHEST) is None


async def test_deleted_members_become_former_members(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    deed = StoredDeed(0, Deed.REMOVED, NOW, by=ANNA, whom=BERT)
    event = await store.events.change(event, EventChange(deeds=[deed]), NOW)
    await store.matches.append(event.pairings[0].match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))
    async with store.sessions.write() as session:
        await session.execute(update(PostRow).values(message=5))
    shown = await version_shown(store, event.id)
    await store.privacy.erase(ANNA)
    found = await event_of(store, event.id)
    assert found.organiser < 0
    assert found.entrants[0].user < 0
    assert not found.entrants[0].present
    assert [(it.by, it.whom) for it in found.deeds] == [(None, None), (None, BERT)]
    assert found.members == (BERT,)
    assert await version_shown(store, event.id) == shown + 1


async def test_a_member_deleted_meanwhile_gets_no_game(store: Store) -> None:
    """A start that was judged before the deletion is judged again, so nobody plays against a former member."""
    event = await event_of(store, await store.events.add(new_event()))
    joined = EventChange(joined=[Entrant(0, ANNA), Entrant(1, BERT)])
    before = await store.events.change(event, joined, NOW)
    await store.privacy.erase(BERT)
    start = EventChange(
        state=EventState.RUNNING,
        stage=Stage(0, NOW, DEADLINE),
        pairings=[NewPairing(0, 0, 1, True, Beginning(1))],
    )
    with pytest.raises(EventChanged):
        await store.events.change(before, start, NOW)


async def test_an_export_holds_the_events_of_a_member(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    rows = await store.privacy.export(ANNA)
    assert [it["id"] for it in rows[EventRow.__tablename__]] == [event.id]
    assert [it["number"] for it in rows["entrants"]] == [0]
    assert "events" not in await store.privacy.export(CLEO)


@pytest.mark.parametrize("guild", [PLACE.guild, THERE.guild], ids=["hosts", "guests"])
async def test_a_match_is_deleted_with_either_server(store: Store, guild: int) -> None:
    """Its games belong to the hosts, so that they stay if the data of the guests is deleted."""
    event = await server_match(store)
    match = event.pairings[0].match
    await post_of(store, PostKind.COPY, match, str(THERE.guild))
    assert (await store.events.guests_of(match)) == (THERE, frozenset({BERT}))
    await store.servers.depart(NOW, guild)
    assert await store.servers.forget(guild, NOW)
    assert await store.events.get(event.id) is None
    for key in ("", str(THERE.guild)):
        assert await store.posts.get(PostKind.EVENT, event.id, key) is None
    assert await store.posts.get(PostKind.COPY, match, str(THERE.guild)) is None
    kept = await store.matches.load(match)
    assert (kept is not None) == (guild == THERE.guild)


async def test_a_match_changes_its_messages_in_both_servers(store: Store) -> None:
    event = await server_match(store)
    before = [await store.posts.get(PostKind.EVENT, event.id, key) for key in ("", str(THERE.guild))]
    await store.matches.append(event.pairings[0].match, 0, NewEntry(FIRST, NOW), Ending((LOST, WON)))
    after = [await store.posts.get(PostKind.EVENT, event.id, key) for key in ("", str(THERE.guild))]
    assert [it.version - old.version for it, old in zip(after, before, strict=True) if it and old] == [1, 1]


async def test_a_restored_database_shows_its_events_again(store: Store, engine: AsyncEngine) -> None:
    """Members may have seen results, and pressed buttons of cups, that were lost with the newer data."""
    event = await event_running(store, (ANNA, BERT))
    await publish(store, PostKind.EVENT, event.id)
    await prepare(engine, LATER)
    post = await post_of(store, PostKind.EVENT, event.id)
    assert post.pending
    assert await store.events.add(new_event()) > event.id + 1000
