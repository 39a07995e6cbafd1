"""Running matches are found by the keys of their positions, and by what their players face."""

import pytest

from db.api.matches.matches import PositionKeys
from db.api.matches.positions import Standing
from db.store import SqlStore
from tests.db.given import FIRST, LOST, NOW, WON, started

pytestmark = pytest.mark.both_databases


async def keyed(store: SqlStore, recent: tuple[int, ...], faced: tuple[str | None, ...] = ()) -> int:
    match = (await started(store)).id
    await store.append(match, 0, FIRST, NOW, None, position=PositionKeys(recent, faced))
    return match


async def test_keys_of_positions_are_found(store: SqlStore) -> None:
    highest, lowest = 2**63 - 1, -(2**63)
    match = await keyed(store, (highest, 5, lowest))
    await keyed(store, (7,))
    asked = (highest, lowest, 5, 6, 7)
    assert await store.standing("skull", asked, rated=True) == Standing(
        frozenset((highest, 7)), frozenset((highest, lowest, 5, 7))
    )
    await store.append(match, 1, FIRST, NOW, (WON, LOST), position=PositionKeys((6, highest, 5)))
    assert await store.standing("skull", asked, rated=True) == Standing(frozenset((7,)), frozenset((7,)))


async def test_match_without_keys_is_reported_until_it_has_some(store: SqlStore) -> None:
    match = (await started(store)).id
    await keyed(store, (7,))
    assert await store.standing("skull", [7], rated=True) is None
    assert await store.facing("skull", "RB") is None
    assert [it.id for it in await store.unkeyed("skull", 5)] == [match]
    assert await store.unkeyed("alaric", 5) == []
    await store.note_positions([(match, 1, PositionKeys((8,)))])  # as if somebody had moved meanwhile
    assert await store.standing("skull", [7], rated=True) is None
    await store.note_positions([(match, 0, None)])
    assert await store.standing("skull", [7], rated=True) == Standing(frozenset((7,)), frozenset((7,)))
    await store.append(match, 0, FIRST, NOW, None)
    assert await store.standing("skull", [7], rated=True) is None, "an earlier version has moved"


@pytest.mark.parametrize(
    ("text", "found"),
    [("RBB", True), ("BBR", True), ("RB", True), ("BBRRBBR", True), ("RBR", False), ("BRBBR", True)],
)
async def test_text_is_found_in_others_and_holds_others(store: SqlStore, text: str, found: bool) -> None:
    match = await keyed(store, (1,), (None, "RBB"))
    await keyed(store, (1,), ("(4 4)", None))
    assert await store.facing("skull", text) is found
    assert not await store.facing("alaric", text)
    await store.break_off(match, 1, FIRST, NOW, "over")
    assert not await store.facing("skull", text)
