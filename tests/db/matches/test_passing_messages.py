"""Messages that hold for a while: replaced boards and calls, from the time they are known until they are done with."""

import pytest
from sqlalchemy.exc import IntegrityError

from db.api.matches.matches import Panel
from db.api.matches.passing_messages import PassingMessage
from db.api.places import Place
from db.store import SqlStore
from tests.db.given import CHANNEL, FIRST, LOST, NOW, SECOND, WON, started


async def test_a_board_that_a_newer_one_replaces_waits_to_be_shrunk(store: SqlStore) -> None:
    match = (await started(store)).id
    await store.show(match, Panel(CHANNEL, 5, 0))
    assert (await store.passing_messages(match), await store.passed()) == ([], [])
    await store.append(match, 0, FIRST, NOW, None)
    await store.show(match, Panel(CHANNEL, 6, 1))
    board = PassingMessage(match, CHANNEL, 5, 0, until=1)
    assert (await store.passing_messages(match), await store.passed()) == ([board], [match])

    # The same message shows more: nothing is replaced.
    await store.append(match, 1, SECOND, NOW, None)
    await store.show(match, Panel(CHANNEL, 6, 2))
    assert await store.passing_messages(match) == [board]
    await store.forget_messages([5, 6])
    assert (await store.passing_messages(match), await store.passed()) == ([], [])


async def test_a_board_may_have_been_posted_unless_the_newest_position_is_shown(store: SqlStore) -> None:
    match = (await started(store)).id
    await started(store, place=Place(None, CHANNEL))
    assert await store.perhaps_posted() == [match]
    await store.show(match, Panel(CHANNEL, 5, 0))
    assert await store.perhaps_posted() == []
    await store.append(match, 0, FIRST, NOW, None)
    assert await store.perhaps_posted() == [match]
    await store.show(match, Panel(CHANNEL, 6, 1), shrunk=5)
    # It is being posted again.
    await store.add_messages([PassingMessage(match, CHANNEL, 6, 1, until=1)])
    assert await store.perhaps_posted() == [match]
    await store.show(match, Panel(CHANNEL, 7, 1))
    assert (await store.perhaps_posted(), await store.passed()) == ([], [match])


async def test_a_call_is_passed_once_a_newer_board_is_shown_or_the_match_is_over(store: SqlStore) -> None:
    match, other = (await started(store)).id, (await started(store)).id
    call = PassingMessage(match, CHANNEL, 7, 0, seat=0)
    await store.show(match, Panel(CHANNEL, 5, 0), [call])
    await store.show(other, Panel(CHANNEL, 8, 0))
    late = PassingMessage(other, CHANNEL, 9, 1, seat=1)
    await store.append(other, 0, FIRST, NOW, None)
    await store.show(other, Panel(CHANNEL, 8, 1))
    await store.add_messages([late, late])
    assert await store.passed() == []

    await store.append(match, 0, FIRST, NOW, None)
    await store.show(match, Panel(CHANNEL, 5, 1))
    await store.append(other, 1, SECOND, NOW, (WON, LOST))
    assert await store.passed() == [match, other]
    assert [await store.passing_messages(one) for one in (match, other)] == [[call], [late]]


@pytest.mark.parametrize("seat", [None, 2])
async def test_a_message_is_a_replaced_board_or_the_call_of_a_seat(store: SqlStore, seat: int | None) -> None:
    match = (await started(store)).id
    with pytest.raises(IntegrityError):
        await store.add_messages([PassingMessage(match, CHANNEL, 7, 0, seat=seat)])
    assert await store.passing_messages(match) == []
