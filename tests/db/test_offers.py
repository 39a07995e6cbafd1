"""Standing offers: the games that begin by one are counted in the transaction that begins another."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from db.store import Store
from db.values.challenges import Answer, ChallengeChanged, NoMoreGames, Standing
from db.values.matches import Beginning, Ending, NewEntry
from db.values.posts import RESTS
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
    PLACE,
    WON,
    challenge_of,
    close,
    expire,
    offered,
    second_game,
    taken,
    terms,
)


async def over(store: Store, match: int) -> None:
    await store.matches.append(match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))


async def seen_by(store: Store, user: int) -> list[int]:
    return [it.id for it in await store.challenges.standing(GUILD, user, 10)]


async def test_offer_leads_to_as_many_games_at_once_as_it_says(store: Store) -> None:
    offer = await offered(store)
    first = await taken(store, offer, BERT)
    assert (first.users, first.place) == ((ANNA, BERT), PLACE)
    assert await challenge_of(store, offer.id) == offer
    assert [await seen_by(store, it) for it in (ANNA, BERT, CLEO)] == [[], [], [offer.id]]
    with pytest.raises(NoMoreGames) as met:
        await taken(store, offer, BERT)
    assert met.value.theirs
    await taken(store, offer, CLEO)
    with pytest.raises(NoMoreGames) as met:
        await taken(store, offer, 104)
    assert not met.value.theirs
    assert await seen_by(store, 104) == []
    assert len(await store.matches.running()) == 2
    await over(store, first.id)
    assert await seen_by(store, 104) == [offer.id]
    await taken(store, offer, 104)


async def test_second_game_of_two_takes_the_place_of_the_first(store: Store) -> None:
    offer = await offered(store, 1, replace(terms(), games=2))
    match = await taken(store, offer, BERT)
    await store.matches.append(match.id, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), then=Beginning(1)))
    with pytest.raises(NoMoreGames):
        await taken(store, offer, CLEO)
    second = await second_game(store, match.id)
    await over(store, second)
    await taken(store, offer, CLEO)


async def test_offer_rests_once_its_owner_has_lost_on_time(store: Store) -> None:
    offer = await offered(store, 3, replace(terms(), games=2))
    late, won = Ply(0, "timeout"), Ending((WON, LOST))
    match, other = [await taken(store, offer, it) for it in (BERT, CLEO)]
    await store.matches.append(match.id, 0, NewEntry(Ply(1, "timeout"), NOW), replace(won, then=Beginning(1)))
    second = await second_game(store, match.id)
    assert await seen_by(store, 104) == [offer.id]
    # The owner has the second seat there.
    await store.matches.append(second, 0, NewEntry(Ply(1, "timeout"), NOW), won)
    resting = await challenge_of(store, offer.id)
    assert resting.standing == Standing(3, rests=True)
    assert await seen_by(store, BERT) == []
    with pytest.raises(ChallengeChanged):
        await taken(store, offer, BERT)
    queued = await store.direct_messages.due(NOW, 9)
    assert [(it.user, it.news.subject, it.news.number) for it in queued] == [(ANNA, offer.id, RESTS)]
    await store.challenges.change(resting, offer, NOW)
    await close(store, offer, Answer.WITHDRAWN)
    await store.matches.append(other.id, 0, NewEntry(late, NOW), Ending((LOST, WON)))
    assert (await challenge_of(store, offer.id)).standing == Standing(3)


async def test_closed_offer_forgets_its_games(store: Store) -> None:
    offer = await offered(store)
    await taken(store, offer, BERT)
    exported = (await store.privacy.export(ANNA))["challenges"]
    assert [it["offer_id"] for it in exported] == [None, offer.id]
    await close(store, offer, Answer.WITHDRAWN)
    exported = (await store.privacy.export(ANNA))["challenges"]
    assert [it["offer_id"] for it in exported] == [None, None]
    with pytest.raises(ChallengeChanged):
        await taken(store, offer, CLEO)


async def test_changed_terms_of_an_offer_are_judged_again(store: Store) -> None:
    offer = await offered(store)
    await store.challenges.change(offer, replace(offer, standing=Standing(2, 1200)), NOW)
    with pytest.raises(ChallengeChanged):
        await taken(store, offer, BERT)


async def test_offer_is_renewed_while_its_owner_is_active(store: Store) -> None:
    offer = await offered(store)
    late = NOW + timedelta(days=29)
    await store.retention.note_activity([ANNA], [], NOW.date(), NOW.date())
    assert await expire(store, late) == []
    read = await challenge_of(store, offer.id)
    assert (read.answer, read.expires_at) == (Answer.OPEN, late + timedelta(days=30))
    closed = await expire(store, late + timedelta(days=30))
    assert [(it.id, it.answer) for it in closed] == [(offer.id, Answer.EXPIRED)]


@pytest.mark.on_postgresql
async def test_two_processes_never_begin_more_games(stores: tuple[Store, Store]) -> None:
    one, other = stores
    offer = await offered(one, 1)
    pressing = ((one, BERT), (other, CLEO), (one, 104), (other, 105))
    begun = await asyncio.gather(
        *(taken(store, offer, user, LATER) for store, user in pressing), return_exceptions=True
    )
    refused = [it for it in begun if isinstance(it, NoMoreGames)]
    assert len(refused) == 3
    assert len(await one.matches.running()) == 1
