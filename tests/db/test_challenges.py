from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from db.api.challenges import Answer, Answered, Order, Terms
from db.api.places import Place
from db.api.posts import PostKind
from db.store import SqlStore
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
    SKULL,
    accept,
    accepted,
    challenged,
    close,
    new_challenge,
    new_lobby,
    publish,
    standing,
    terms,
)


@pytest.mark.both_databases
async def test_a_challenge_comes_back_as_it_was_made(store: SqlStore) -> None:
    made = await store.add_challenge(new_challenge())
    assert (made.terms, made.place, made.challenger, made.public) == (terms(), PLACE, ANNA, False)
    assert (made.users(IN), made.users(ASKED), made.others) == ((ANNA,), (BERT,), (BERT,))
    assert (made.made_at, made.expires_at) == (NOW, DEADLINE)
    assert (made.answer, made.message, made.match) == (Answer.OPEN, None, None)
    assert await store.challenge(made.id) == made


async def test_unknown_ids_have_no_challenge(store: SqlStore) -> None:
    assert await store.challenge(1) is None
    assert await store.challenges() == []
    never = replace(await challenged(store), id=99)
    with pytest.raises(LookupError):
        await accept(store, never)
    with pytest.raises(LookupError):
        await store.change(never, never, NOW)


@pytest.mark.both_databases
async def test_times_of_all_zones_come_back_in_utc(store: SqlStore) -> None:
    in_delhi = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    made = await store.add_challenge(new_challenge(made_at=in_delhi))
    read = await store.challenge(made.id)
    assert read is not None
    assert read.made_at == NOW
    assert read.made_at.utcoffset() == timedelta(0)


async def test_a_time_without_a_zone_is_refused(store: SqlStore) -> None:
    with pytest.raises(Exception, match="has no time zone"):
        await store.add_challenge(new_challenge(made_at=NOW.replace(tzinfo=None)))
    assert await store.challenges() == []


async def test_its_message_is_remembered(store: SqlStore) -> None:
    challenge = await challenged(store)
    await publish(store, PostKind.CARD, challenge.id, 2**62)
    read = await store.challenge(challenge.id)
    assert read == replace(challenge, message=2**62)
    assert await store.challenges() == await store.made_by(ANNA, NOW) == [read]
    with pytest.raises(Answered) as met:
        await accept(store, standing(challenge, (ANNA, IN), (CLEO, ASKED)))
    assert met.value.challenge == read
    assert await store.expire(DEADLINE) == [replace(read, answer=Answer.EXPIRED)]


async def test_open_challenges_by_member_and_by_channel_oldest_first(store: SqlStore) -> None:
    young = await store.add_challenge(new_challenge(ANNA, BERT, made_at=LATER))
    old = await store.add_challenge(new_challenge(CLEO, ANNA))
    elsewhere = await store.add_challenge(new_challenge(BERT, CLEO, place=Place(None, CHANNEL + 1)))
    declined = await store.add_challenge(new_challenge(ANNA, BERT))
    await close(store, declined, Answer.DECLINED)

    assert await store.challenges() == [old, elsewhere, young]
    assert await store.challenges(user=ANNA) == [old, young]
    assert await store.challenges(user=BERT) == [elsewhere, young]
    assert await store.challenges(place=PLACE) == [old, young]
    assert await store.challenges(user=CLEO, place=PLACE) == [old]


async def test_accepting_makes_the_match(store: SqlStore) -> None:
    challenge = await challenged(store)
    match = await accept(store, challenge, (BERT, ANNA), 7, LATER)

    assert (match.setup, match.version, match.place) == (SKULL, 7, PLACE)
    assert (match.users, match.log, match.started_at) == ((BERT, ANNA), (), LATER)
    assert (match.finished_at, match.outcomes, match.panel) == (None, None, None)
    assert await store.load(match.id) == match
    assert await store.challenge(challenge.id) == replace(accepted(challenge), match=match.id)


async def test_the_seats_must_all_be_taken(store: SqlStore) -> None:
    challenge = await challenged(store)
    with pytest.raises(ValueError, match="1 users cannot play a game for 2 to 2"):
        await accept(store, challenge, (ANNA,))
    assert await store.challenge(challenge.id) == challenge
    assert await store.running() == []


@pytest.mark.parametrize("answer", [Answer.DECLINED, Answer.WITHDRAWN, Answer.EXPIRED])
async def test_a_closed_challenge_stays_closed(store: SqlStore, answer: Answer) -> None:
    challenge = await challenged(store)
    closed = await close(store, challenge, answer, LATER)
    assert await store.challenge(challenge.id) == closed

    for before in (challenge, closed):
        with pytest.raises(Answered) as met:
            await accept(store, before)
        assert met.value.challenge == closed
        with pytest.raises(Answered) as met:
            await store.change(before, challenge, LATER)
        assert met.value.challenge == closed
    assert await store.running() == []
    assert await store.challenges(user=ANNA) == []


async def test_it_is_not_accepted_without_a_match(store: SqlStore) -> None:
    challenge = await challenged(store)
    with pytest.raises(ValueError, match="needs a match"):
        await store.change(challenge, accepted(challenge), LATER)
    assert await store.challenge(challenge.id) == challenge


async def test_an_accepted_challenge_says_which_match_it_became(store: SqlStore) -> None:
    challenge = await challenged(store)
    match = await accept(store, challenge)
    with pytest.raises(Answered) as met:
        await accept(store, challenge)
    assert (met.value.challenge.answer, met.value.challenge.match) == (Answer.ACCEPTED, match.id)
    assert len(await store.running()) == 1


async def test_all_terms_are_kept(store: SqlStore) -> None:
    new = new_lobby()
    for order in Order:
        made = await store.add_challenge(replace(new, terms=replace(new.terms, order=order)))
        assert made.terms == Terms("maze", (("size", 4),), 2, 6, order)
        assert made.public
        assert await store.challenge(made.id) == made


async def test_members_come_and_go_in_order(store: SqlStore) -> None:
    lobby = await store.add_challenge(new_lobby())
    steps = (
        standing(lobby, (ANNA, IN), (BERT, IN)),
        standing(lobby, (ANNA, IN), (BERT, IN), (CLEO, IN)),
        standing(lobby, (ANNA, IN), (CLEO, IN)),
        standing(lobby, (ANNA, IN), (CLEO, REMOVED)),
        standing(lobby, (ANNA, IN), (CLEO, REMOVED), (BERT, IN)),
    )
    before = lobby
    for after in steps:
        await store.change(before, after, NOW)
        assert await store.challenge(lobby.id) == after
        before = after
    assert await store.challenges(user=BERT) == [before]
    assert await store.challenges(user=CLEO) == []  # it concerns her no more

    match = await accept(store, before, (BERT, ANNA))
    assert (match.users, match.setup.players) == ((BERT, ANNA), 2)


async def test_a_member_who_declined_and_is_asked_again_is_concerned_again(store: SqlStore) -> None:
    before = await store.add_challenge(new_lobby())
    for reply in (ASKED, DECLINED, ASKED):
        after = standing(before, (ANNA, IN), (CLEO, reply))
        await store.change(before, after, NOW)
        assert await store.challenges(user=CLEO) == ([] if reply is DECLINED else [after])
        before = after


async def test_a_change_needs_the_challenge_as_it_was(store: SqlStore) -> None:
    lobby = await store.add_challenge(new_lobby())
    with_bert = standing(lobby, (ANNA, IN), (BERT, IN))
    await store.change(lobby, with_bert, NOW)
    for attempt in (
        store.change(lobby, standing(lobby, (ANNA, IN), (CLEO, IN)), NOW),
        store.accept(lobby, with_bert, (ANNA, BERT), 1, NOW),
        close(store, lobby, Answer.WITHDRAWN),
    ):
        with pytest.raises(Answered) as met:
            await attempt
        assert met.value.challenge == with_bert
    assert await store.challenge(lobby.id) == with_bert


async def test_the_recent_challenges_of_a_member(store: SqlStore) -> None:
    long_open = await store.add_challenge(new_challenge(ANNA, BERT, made_at=NOW - timedelta(days=9)))
    declined = await challenged(store)
    closed = standing(declined, (ANNA, IN), (BERT, DECLINED), answer=Answer.DECLINED)
    await store.change(declined, closed, LATER)
    await challenged(store, CLEO, ANNA)

    assert await store.made_by(ANNA, LATER) == [long_open, closed]
    assert await store.made_by(ANNA, LATER + timedelta(microseconds=1)) == [long_open]
    assert await store.made_by(BERT, NOW) == []


async def test_only_open_challenges_whose_time_is_over_expire_and_only_once(store: SqlStore) -> None:
    second = await store.add_challenge(new_challenge(made_at=LATER, expires_at=DEADLINE))
    first = await store.add_challenge(new_challenge(expires_at=DEADLINE))
    await store.add_challenge(new_challenge(expires_at=DEADLINE + timedelta(microseconds=1)))
    await accept(store, await challenged(store))

    assert await store.expire(DEADLINE - timedelta(microseconds=1)) == []
    expired = await store.expire(DEADLINE)
    assert [(it.id, it.answer) for it in expired] == [
        (first.id, Answer.EXPIRED),
        (second.id, Answer.EXPIRED),
    ]
    assert await store.challenge(first.id) == expired[0]
    assert await store.expire(DEADLINE) == []
