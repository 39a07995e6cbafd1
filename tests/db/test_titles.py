"""Titles in the database: stored once, with roles that follow what Discord has confirmed."""

from datetime import timedelta

import pytest

from db.store import Store
from db.values.events import WORN, EventChange, EventState, RoleChange, TitleKind
from db.values.matches import Ending, NewEntry
from rules.core.match import Ply
from tests.db.given import (
    ANNA,
    BERT,
    CLEO,
    FIRST,
    GUILD,
    LATER,
    LOST,
    NOW,
    SKULL,
    WON,
    event_running,
    started,
)

pytestmark = pytest.mark.both_databases

ROLE, OTHER = 70, 71


async def due(store: Store) -> list[tuple[int, int | None, int | None]]:
    """The changes of roles that are due, each with the member, and the role that is taken or given."""
    return [(it.user, it.held, it.give) for it in await store.titles.due(LATER, 9)]


async def change(store: Store) -> RoleChange:
    (found,) = await store.titles.due(LATER, 9)
    return found


async def test_titles_of_an_event_follow_its_table(store: Store) -> None:
    event = await event_running(store, (ANNA, BERT))
    over = EventChange(state=EventState.OVER, titles={TitleKind.CUP: [ANNA]})
    event = await store.events.change(event, over, NOW)
    (title,) = await store.titles.of(ANNA, GUILD)
    assert (title.kind, title.key, title.event, title.game) == (
        TitleKind.CUP,
        str(event.id),
        event.id,
        SKULL.game,
    )
    event = await store.events.change(event, EventChange(titles={TitleKind.CUP: [BERT]}), LATER)
    assert await store.titles.of(ANNA, GUILD) == []
    assert [it.at for it in await store.titles.of(BERT, GUILD)] == [LATER]
    await store.events.change(event, EventChange(titles={TitleKind.CUP: [BERT]}), LATER + timedelta(1))
    assert [it.at for it in await store.titles.of(BERT, GUILD)] == [LATER]


async def test_a_role_is_given_once_and_taken_after_a_month(store: Store) -> None:
    await store.titles.add(GUILD, TitleKind.FINISHER, "2026-10", [ANNA], NOW)
    assert await due(store) == []
    await store.titles.choose(GUILD, TitleKind.FINISHER, ROLE)
    assert await due(store) == [(ANNA, None, ROLE)]
    await store.titles.confirm(await change(store))
    assert await due(store) == []
    (expired,) = await store.titles.due(NOW + WORN, 9)
    assert (expired.held, expired.give) == (ROLE, None)
    assert not await store.titles.holds_otherwise(expired, NOW + WORN)
    assert await store.titles.holds_otherwise(expired, LATER)
    await store.titles.choose(GUILD, TitleKind.FINISHER, OTHER)
    assert await due(store) == [(ANNA, ROLE, None)]
    await store.titles.confirm(await change(store))
    assert await due(store) == [(ANNA, None, OTHER)]
    await store.titles.confirm(await change(store), given=False)
    assert await due(store) == []


async def test_deleted_members_lose_their_titles_and_then_their_roles(store: Store) -> None:
    """A confirmation of Discord is kept until Discord has confirmed the contrary."""
    await store.titles.add(GUILD, TitleKind.FINISHER, "2026-10", [ANNA], NOW)
    await store.titles.add(GUILD, TitleKind.PUZZLES, "2026-10-01", [ANNA], NOW)
    await store.titles.choose(GUILD, TitleKind.PUZZLES, ROLE)
    await store.titles.confirm(await change(store))
    await store.privacy.erase(ANNA)
    assert await store.titles.of(ANNA, GUILD) == []
    taken = await change(store)
    assert (taken.kind, taken.held, taken.give) == (TitleKind.PUZZLES, ROLE, None)
    await store.titles.confirm(taken)
    assert await due(store) == []
    assert "titles" not in await store.privacy.export(ANNA)


async def test_the_most_reliable_finishers_lost_nothing_on_time(store: Store) -> None:
    for ending in (Ply(0, "timeout"), FIRST, FIRST):
        match = await started(store)
        outcomes = (LOST, WON) if ending.text == "timeout" else (WON, LOST)
        await store.matches.append(match.id, 0, NewEntry(ending, NOW), Ending(outcomes))
    users = match.users
    assert await store.titles.finishers(GUILD, NOW, LATER, 3) == [users[1]]
    assert await store.titles.finishers(GUILD, NOW, LATER, 4) == []
    assert await store.titles.finishers(GUILD, LATER, LATER, 1) == []
    assert CLEO not in users
