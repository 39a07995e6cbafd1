"""Conditional moves change only in the position for which they were entered."""

from dataclasses import replace

import pytest

from db.store import Store
from db.values.matches import MovedOn, NewEntry, Variation, VariationsChanged
from tests.db.given import ANNA, BERT, FIRST, NOW, SECOND, match_of, started


async def test_variations_are_stored_and_followed(store: Store) -> None:
    match, other = (await started(store)).id, (await started(store)).id
    await store.variations.change(match, BERT, 0, (), (), [("a1", "b2"), ("a2", "b1", "c2", "c1")])
    await store.variations.change(match, ANNA, 0, (), (), [("b2",)])
    await store.variations.change(other, BERT, 0, (), (), [("a1",)])
    one, two, three = await store.variations.of_match(match)
    assert two == Variation(two.id, match, BERT, 0, ("a2", "b1", "c2", "c1"))
    await store.variations.change(match, BERT, 0, [one.id, two.id], [one.id], [("a3",)])
    *_, four = await store.variations.of_match(match)
    assert await store.variations.of_match(match) == [two, three, four]
    assert await store.variations.behind(9) == []
    read = await match_of(store, match)
    assert read.context.variations
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    await store.matches.append(other, 0, NewEntry(FIRST, NOW))
    assert await store.variations.behind(9) == [match, other]
    assert await store.variations.behind(1) == [match]
    await store.variations.follow(match, 1, {two.id: ("c2", "c1")}, [three.id, four.id])
    assert await store.variations.of_match(match) == [replace(two, plies=1, moves=("c2", "c1"))]
    await store.variations.forget(BERT)
    assert await store.variations.of_match(match) == await store.variations.of_match(other) == []


async def test_late_changes_of_variations_change_nothing(store: Store) -> None:
    match = (await started(store)).id
    await store.variations.change(match, BERT, 0, (), (), [("a1", "b2")])
    stands = await store.variations.of_match(match)
    with pytest.raises(VariationsChanged):
        await store.variations.change(match, BERT, 0, (), (), [("a1", "b2")])
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    with pytest.raises(MovedOn):
        await store.variations.change(match, BERT, 0, [stands[0].id], [stands[0].id], [])
    with pytest.raises(MovedOn):
        await store.variations.follow(match, 0, {}, [stands[0].id])
    assert await store.variations.of_match(match) == stands


async def test_conditional_entries_are_marked(store: Store) -> None:
    match = (await started(store)).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    appended = await store.matches.append(match, 1, NewEntry(SECOND, NOW, conditional=True))
    assert appended.conditional == {1}
    (read,) = await store.matches.running()
    assert read == appended
