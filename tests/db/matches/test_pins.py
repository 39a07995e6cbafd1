"""Boards that are pinned, from the time they are shown until they are unpinned."""

from db.api.matches.matches import Panel
from db.api.matches.pins import Pin
from db.store import SqlStore
from tests.db.given import CHANNEL, FIRST, LOST, NOW, SECOND, WON, started


async def test_a_board_waits_to_be_pinned_and_once_it_is_replaced_to_be_unpinned(store: SqlStore) -> None:
    match = (await started(store)).id
    await store.show(match, Panel(CHANNEL, 5, 0), pin=True)
    assert (await store.pins(match), await store.unsettled_pins()) == ([Pin(match, CHANNEL, 5)], [match])
    await store.pinned(5)
    assert await store.unsettled_pins() == []

    # The same message shows more: it stays pinned.
    await store.append(match, 0, FIRST, NOW, None)
    await store.show(match, Panel(CHANNEL, 5, 1), pin=True)
    old = Pin(match, CHANNEL, 5, pinned=True)
    assert (await store.pins(match), await store.unsettled_pins()) == ([old], [])

    await store.show(match, Panel(CHANNEL, 6, 1), pin=True)
    assert (await store.pins(match), await store.unsettled_pins()) == ([old, Pin(match, CHANNEL, 6)], [match])
    await store.forget_pins([5])
    await store.pinned(6)
    assert await store.unsettled_pins() == []


async def test_the_board_of_a_match_that_is_over_waits_to_be_unpinned(store: SqlStore) -> None:
    match, other = (await started(store)).id, (await started(store)).id
    for number, board in ((match, 5), (other, 6)):
        await store.append(number, 0, FIRST, NOW, None)
        await store.show(number, Panel(CHANNEL, board, 1), pin=True)
        await store.pinned(board)
    await store.append(match, 1, SECOND, NOW, (WON, LOST))
    assert await store.unsettled_pins() == [match]
    await store.show(match, Panel(CHANNEL, 7, 2))
    assert await store.pins(match) == [Pin(match, CHANNEL, 5, pinned=True)]
