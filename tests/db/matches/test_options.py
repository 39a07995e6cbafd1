"""The options of a match, from its challenge to its second game."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from db.store import Store
from db.values.clocks import SeatClock, TimeControl
from db.values.matches import USUAL_OPTIONS, Beginning, Ending, MatchOptions, NewEntry
from tests.db.given import ANNA, BERT, FIRST, LOST, NOW, WON, accept, match_of, new_challenge, second_game

TOGGLED: dict[str, Any] = {
    name: not value for name, value in USUAL_OPTIONS.by_name().items() if isinstance(value, bool)
}
"""For each option that is a `bool`, the value that is not the default."""
CHOSEN = MatchOptions(**{**TOGGLED, "time_control": TimeControl(timedelta(days=1)), "games": 2})
CLOCKS = (SeatClock(timedelta(days=1)), SeatClock(timedelta(days=1)))


@pytest.mark.both_databases
async def test_options_are_stored_with_challenge_match_and_second_game(store: Store) -> None:
    new = new_challenge(ANNA, BERT)
    offer = await store.challenges.add(replace(new, terms=replace(new.terms, **CHOSEN.by_name())))
    assert await store.challenges.get(offer.id) == offer
    match = await accept(store, offer, (BERT, ANNA))
    then = Beginning(1, CLOCKS)
    await store.matches.append(match.id, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), then=then))
    second = await second_game(store, match.id)
    again = await match_of(store, second)
    usual = USUAL_OPTIONS.by_name()
    for stored in (offer.terms, match, again):
        assert stored.by_name() == CHOSEN.by_name()
        assert all(stored.by_name()[name] != usual[name] for name in usual)


async def test_changed_challenge_has_all_new_options(store: Store) -> None:
    offer = await store.challenges.add(new_challenge(ANNA, BERT))
    after = replace(offer, terms=replace(offer.terms, **CHOSEN.by_name()))
    await store.challenges.change(offer, after, NOW)
    assert await store.challenges.get(offer.id) == after
