"""Achievements are stored with results, and the first match that proves one is found again."""

from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.store import Store
from db.values.matches import Award, Ending, NewEntry
from rules.core.match import VOID, Ply
from tests.db.given import (
    ANNA,
    BERT,
    CLEO,
    FIRST,
    LOST,
    NOW,
    WON,
    started,
)
from tests.db.life import rows

KEYS = ("one", "two", "three")


async def proved(
    store: Store, *awards: Award, users: tuple[int, int] = (ANNA, BERT), minutes: int = 0
) -> int:
    """Play a match that ends some minutes later and proves these achievements. Return its id."""
    match = (await started(store, users)).id
    await store.matches.append(
        match, 0, NewEntry(FIRST, NOW + timedelta(minutes=minutes)), Ending((WON, LOST), awards=awards)
    )
    return match


async def firsts(store: Store, user: int = ANNA) -> dict[str, int]:
    return {it.key: it.match for it in await store.achievements.first_awards(user, KEYS)}


async def news(store: Store, match: int) -> list[tuple[int, str]]:
    return [(it.user, it.key) for it in await store.achievements.new_awards(match)]


async def test_the_match_that_ended_first_is_the_first_proof(store: Store) -> None:
    late = await proved(store, Award(0, "one"), Award(1, "two"), minutes=2)
    early = await proved(store, Award(0, "one"), minutes=1)
    same = await proved(store, Award(0, "one"), Award(0, "three"), minutes=1)
    assert await firsts(store) == {"one": early, "three": same}
    assert await firsts(store, BERT) == {"two": late}
    assert await firsts(store, CLEO) == {}
    assert await news(store, late) == [(BERT, "two")]
    assert await news(store, early) == [(ANNA, "one")]
    assert await news(store, same) == [(ANNA, "three")]


async def test_only_a_match_that_ends_proves_anything(store: Store, engine: AsyncEngine) -> None:
    match = (await started(store)).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    await store.achievements.award_again(match, [Award(0, "one")])
    assert await firsts(store) == {}
    broken = (await started(store)).id
    await store.matches.break_off(broken, 0, Ply(None, VOID), NOW, "rude")
    await store.achievements.award_again(broken, [Award(0, "one")])
    assert await firsts(store) == {}
    assert (await rows(engine))["awards"] == []
    with pytest.raises(LookupError):
        await store.achievements.award_again(999, [])


async def test_awarding_again_replaces_the_proofs(store: Store, engine: AsyncEngine) -> None:
    first = await proved(store, Award(0, "one"), Award(1, "one"))
    second = await proved(store, Award(0, "one"), minutes=1)
    before = await rows(engine)
    await store.achievements.award_again(first, [Award(1, "one"), Award(0, "one")])
    assert await rows(engine) == before
    await store.achievements.award_again(first, [Award(1, "two")])
    assert await firsts(store) == {"one": second}
    assert await firsts(store, BERT) == {"two": first}
    assert await news(store, second) == [(ANNA, "one")]


async def test_former_members_have_and_earn_nothing(store: Store) -> None:
    awards = [Award(0, "one"), Award(1, "one")]
    match = await proved(store, *awards)
    await store.privacy.erase(ANNA)
    assert await news(store, match) == [(BERT, "one")]
    await store.achievements.award_again(match, awards)
    assert await news(store, match) == [(BERT, "one")]


async def test_a_seat_that_took_a_hint_earns_nothing_by_that_match(store: Store) -> None:
    match = (await started(store)).id
    await store.matches.take_hint(match, 0, 0)
    await store.matches.append(
        match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), awards=[Award(0, "one"), Award(1, "two")])
    )
    assert (await firsts(store), await firsts(store, BERT)) == ({}, {"two": match})
    await store.achievements.award_again(match, [Award(0, "one"), Award(1, "three")])
    assert (await firsts(store), await firsts(store, BERT)) == ({}, {"three": match})
