from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from db.store import Store
from db.stores import challenges
from db.values.challenges import Answer, ChallengeChanged, Order, Terms
from db.values.places import Place
from db.values.posts import PostKind
from tests.db.given import (
    ANNA,
    ASKED,
    BERT,
    CHANNEL,
    CLEO,
    DEADLINE,
    DECLINED,
    IN,
    LATER,
    NOW,
    PLACE,
    REMOVED,
    accept,
    accepted,
    challenge_of,
    challenged,
    close,
    expire,
    new_challenge,
    new_lobby,
    publish,
    standing,
    terms,
)


@pytest.mark.both_databases
async def test_a_challenge_comes_back_as_it_was_made(store: Store) -> None:
    made = await store.challenges.add(new_challenge())
    assert (made.terms, made.place, made.challenger, made.public) == (terms(), PLACE, ANNA, False)
    assert (made.users(IN), made.users(ASKED), made.others) == ((ANNA,), (BERT,), (BERT,))
    assert (made.made_at, made.expires_at) == (NOW, DEADLINE)
    assert (made.answer, made.message, made.match) == (Answer.OPEN, None, None)
    assert await store.challenges.get(made.id) == made


async def test_unknown_ids_have_no_challenge(store: Store) -> None:
    assert await store.challenges.get(1) is None
    assert await store.challenges.open() == []
    never = replace(await challenged(store), id=99)
    with pytest.raises(LookupError):
        await accept(store, never)
    with pytest.raises(LookupError):
        await store.challenges.change(never, never, NOW)


@pytest.mark.both_databases
async def test_times_of_all_zones_come_back_in_utc(store: Store) -> None:
    in_delhi = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    made = await store.challenges.add(new_challenge(made_at=in_delhi))
    read = await challenge_of(store, made.id)
    assert read.made_at == NOW
    assert read.made_at.utcoffset() == timedelta(0)


async def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(Exception, match="has no time zone"):
        await store.challenges.add(new_challenge(made_at=NOW.replace(tzinfo=None)))
    assert await store.challenges.open() == []


async def test_its_message_is_remembered(store: Store) -> None:
    challenge = await challenged(store)
    await publish(store, PostKind.CARD, challenge.id, 2**62)
    read = await store.challenges.get(challenge.id)
    assert read == replace(challenge, message=2**62)
    assert await store.challenges.open() == await store.challenges.made_by(ANNA, NOW) == [read]
    with pytest.raises(ChallengeChanged) as met:
        await accept(store, standing(challenge, (ANNA, IN), (CLEO, ASKED)))
    assert met.value.challenge == read
    assert await expire(store, DEADLINE) == [replace(read, answer=Answer.EXPIRED)]


async def test_open_challenges_by_member_and_by_channel_oldest_first(store: Store) -> None:
    young = await store.challenges.add(new_challenge(ANNA, BERT, made_at=LATER))
    old = await store.challenges.add(new_challenge(CLEO, ANNA))
    elsewhere = await store.challenges.add(new_challenge(BERT, CLEO, place=Place(None, CHANNEL + 1)))
    declined = await store.challenges.add(new_challenge(ANNA, BERT))
    await close(store, declined, Answer.DECLINED)

    assert await store.challenges.open() == [old, elsewhere, young]
    assert await store.challenges.open(user=ANNA) == [old, young]
    assert await store.challenges.open(user=BERT) == [elsewhere, young]
    assert await store.challenges.open(place=PLACE) == [old, young]
    assert await store.challenges.open(user=CLEO, place=PLACE) == [old]


async def test_open_challenges_are_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenges, "LISTED", 2)
    made = [await store.challenges.add(new_challenge(ANNA, BERT)) for _ in range(3)]
    lobbies = [await store.challenges.add(new_lobby(challenger=CLEO)) for _ in range(3)]
    for found in (await store.challenges.open(user=ANNA), await store.challenges.open(place=PLACE)):
        assert found == made[:2]
    assert await store.challenges.open(place=PLACE, public=True) == lobbies[:2]


async def test_the_seats_must_all_be_taken(store: Store) -> None:
    challenge = await challenged(store)
    with pytest.raises(ValueError, match="1 users cannot play a game for 2 to 2"):
        await accept(store, challenge, (ANNA,))
    assert await store.challenges.get(challenge.id) == challenge
    assert await store.matches.running() == []


@pytest.mark.parametrize("answer", [Answer.DECLINED, Answer.WITHDRAWN, Answer.EXPIRED])
async def test_a_closed_challenge_stays_closed(store: Store, answer: Answer) -> None:
    challenge = await challenged(store)
    closed = await close(store, challenge, answer, LATER)
    assert await store.challenges.get(challenge.id) == closed

    for before in (challenge, closed):
        with pytest.raises(ChallengeChanged) as met:
            await accept(store, before)
        assert met.value.challenge == closed
        with pytest.raises(ChallengeChanged) as met:
            await store.challenges.change(before, challenge, LATER)
        assert met.value.challenge == closed
    assert await store.matches.running() == []
    assert await store.challenges.open(user=ANNA) == []


async def test_it_is_not_accepted_without_a_match(store: Store) -> None:
    challenge = await challenged(store)
    with pytest.raises(ValueError, match="needs a match"):
        await store.challenges.change(challenge, accepted(challenge), LATER)
    assert await store.challenges.get(challenge.id) == challenge


async def test_all_terms_are_kept(store: Store) -> None:
    new = new_lobby()
    for order in Order:
        made = await store.challenges.add(replace(new, terms=replace(new.terms, order=order)))
        assert made.terms == Terms("maze", (("size", 4),), 2, 6, order)
        assert made.public
        assert await store.challenges.get(made.id) == made


async def test_members_come_and_go_in_order(store: Store) -> None:
    lobby = await store.challenges.add(new_lobby())
    steps = (
        standing(lobby, (ANNA, IN), (BERT, IN)),
        standing(lobby, (ANNA, IN), (BERT, IN), (CLEO, IN)),
        standing(lobby, (ANNA, IN), (CLEO, IN)),
        standing(lobby, (ANNA, IN), (CLEO, REMOVED)),
        standing(lobby, (ANNA, IN), (CLEO, REMOVED), (BERT, IN)),
    )
    before = lobby
    for after in steps:
        await store.challenges.change(before, after, NOW)
        assert await store.challenges.get(lobby.id) == after
        before = after
    assert await store.challenges.open(user=BERT) == [before]
    assert await store.challenges.open(user=CLEO) == []  # it concerns her no more

    match = await accept(store, before, (BERT, ANNA))
    assert (match.users, match.setup.players) == ((BERT, ANNA), 2)


async def test_a_member_who_declined_and_is_asked_again_is_concerned_again(store: Store) -> None:
    before = await store.challenges.add(new_lobby())
    for reply in (ASKED, DECLINED, ASKED):
        after = standing(before, (ANNA, IN), (CLEO, reply))
        await store.challenges.change(before, after, NOW)
        assert await store.challenges.open(user=CLEO) == ([] if reply is DECLINED else [after])
        before = after


async def test_a_change_needs_the_challenge_as_it_was(store: Store) -> None:
    lobby = await store.challenges.add(new_lobby())
    with_bert = standing(lobby, (ANNA, IN), (BERT, IN))
    await store.challenges.change(lobby, with_bert, NOW)
    for attempt in (
        store.challenges.change(lobby, standing(lobby, (ANNA, IN), (CLEO, IN)), NOW),
        store.challenges.accept(lobby, with_bert, (ANNA, BERT), 1, NOW),
        close(store, lobby, Answer.WITHDRAWN),
    ):
        with pytest.raises(ChallengeChanged) as met:
            await attempt
        assert met.value.challenge == with_bert
    assert await store.challenges.get(lobby.id) == with_bert
