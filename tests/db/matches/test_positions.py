"""Running matches are found by the keys of their positions, and by what their players face."""

import pytest

from db.store import Store
from db.values.matches import Ending, MatchKeys, NewEntry, PositionKeys
from tests.db.given import FIRST, LOST, NOW, WON, started

pytestmark = pytest.mark.both_databases


async def keyed(store: Store, recent: tuple[int, ...], faced: tuple[str | None, ...] = ()) -> int:
    match = (await started(store)).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW, position=PositionKeys(recent, faced)))
    return match


async def test_keys_of_positions_are_found(store: Store) -> None:
    highest, lowest = 2**63 - 1, -(2**63)
    match = await keyed(store, (highest, 5, lowest))
    await keyed(store, (7,))
    asked = (highest, lowest, 5, 6, 7)
    assert await store.positions.standing("skull", asked, rated=True) == MatchKeys(
        frozenset((highest, 7)), frozenset((highest, lowest, 5, 7))
    )
    await store.matches.append(
        match, 1, NewEntry(FIRST, NOW, position=PositionKeys((6, highest, 5))), Ending((WON, LOST))
    )
    assert await store.positions.standing("skull", asked, rated=True) == MatchKeys(
        frozenset((7,)), frozenset((7,))
    )


async def test_match_without_keys_is_reported_until_it_has_some(store: Store) -> None:
    match = (await started(store)).id
    await keyed(store, (7,))
    assert await store.positions.standing("skull", [7], rated=True) is None
    assert await store.positions.facing("skull", "RB") is None
    assert [it.id for it in await store.positions.unkeyed("skull", 5)] == [match]
    assert await store.positions.unkeyed("alaric", 5) == []
    await store.positions.note([(match, 1, PositionKeys((8,)))])  # as if somebody had moved meanwhile
    assert await store.positions.standing("skull", [7], rated=True) is None
    await store.positions.note([(match, 0, None)])
    assert await store.positions.standing("skull", [7], rated=True) == MatchKeys(
        frozenset((7,)), frozenset((7,))
    )
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    assert await store.positions.standing("skull", [7], rated=True) is None, "an earlier version has moved"


async def test_text_is_found_in_others_and_holds_others(store: Store) -> None:
    match = await keyed(store, (1,), (None, "RBB"))
    await keyed(store, (1,), ("(4 4)", None))
    for text in ("RBB", "BBR", "RB", "BBRRBBR", "BRBBR"):
        assert await store.positions.facing("skull", text)
        assert not await store.positions.facing("alaric", text)
    assert not await store.positions.facing("skull", "RBR")
    await store.matches.break_off(match, 1, FIRST, NOW, "over")
    assert not await store.positions.facing("skull", "RBB")
