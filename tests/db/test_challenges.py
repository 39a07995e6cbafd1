from datetime import timedelta, timezone

import pytest

from db.store import SqlStore
from db.values import Answer, Answered, Place
from tests.db.given import (
    ANNA,
    BERT,
    CHANNEL,
    CLEO,
    DEADLINE,
    LATER,
    NOW,
    PLACE,
    SKULL,
    challenged,
    new_challenge,
)


async def test_a_challenge_comes_back_as_it_was_made(store: SqlStore) -> None:
    made = await store.add_challenge(new_challenge())
    assert (made.setup, made.place, made.challenger, made.opponent) == (SKULL, PLACE, ANNA, BERT)
    assert (made.made_at, made.expires_at) == (NOW, DEADLINE)
    assert (made.answer, made.message, made.match) == (Answer.OPEN, None, None)
    assert await store.challenge(made.id) == made


async def test_there_are_no_challenges_that_nobody_made(store: SqlStore) -> None:
    assert await store.challenge(1) is None
    assert await store.challenges() == []
    with pytest.raises(LookupError):
        await store.show_challenge(1, 5)
    with pytest.raises(LookupError):
        await store.accept(1, (ANNA, BERT), 1, NOW)
    with pytest.raises(LookupError):
        await store.refuse(1, Answer.DECLINED, NOW)


async def test_times_come_back_in_utc_from_wherever_they_came(store: SqlStore) -> None:
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
    await store.show_challenge(challenge.id, 2**62)
    read = await store.challenge(challenge.id)
    assert read is not None
    assert read.message == 2**62


async def test_open_challenges_by_member_and_by_channel_oldest_first(store: SqlStore) -> None:
    young = await store.add_challenge(new_challenge(ANNA, BERT, made_at=LATER))
    old = await store.add_challenge(new_challenge(CLEO, ANNA))
    elsewhere = await store.add_challenge(new_challenge(BERT, CLEO, place=Place(None, CHANNEL + 1)))
    declined = await store.add_challenge(new_challenge(ANNA, BERT))
    await store.refuse(declined.id, Answer.DECLINED, NOW)

    assert await store.challenges() == [old, elsewhere, young]
    assert await store.challenges(user=ANNA) == [old, young]
    assert await store.challenges(user=BERT) == [elsewhere, young]
    assert await store.challenges(place=PLACE) == [old, young]
    assert await store.challenges(user=CLEO, place=PLACE) == [old]


async def test_accepting_makes_the_match(store: SqlStore) -> None:
    challenge = await challenged(store)
    match = await store.accept(challenge.id, (BERT, ANNA), 7, LATER)

    assert (match.setup, match.version, match.place) == (SKULL, 7, PLACE)
    assert (match.users, match.log, match.started_at) == ((BERT, ANNA), (), LATER)
    assert (match.finished_at, match.outcomes, match.panel) == (None, None, None)
    assert await store.load(match.id) == match
    accepted = await store.challenge(challenge.id)
    assert accepted is not None
    assert (accepted.answer, accepted.match) == (Answer.ACCEPTED, match.id)


async def test_the_seats_must_all_be_taken(store: SqlStore) -> None:
    challenge = await challenged(store)
    with pytest.raises(ValueError, match="2 seats cannot be given to 1 users"):
        await store.accept(challenge.id, (ANNA,), 1, NOW)
    assert await store.challenge(challenge.id) == challenge
    assert await store.running() == []


@pytest.mark.parametrize("answer", [Answer.DECLINED, Answer.WITHDRAWN, Answer.EXPIRED])
async def test_refusing_closes_it_for_good(store: SqlStore, answer: Answer) -> None:
    challenge = await challenged(store)
    refused = await store.refuse(challenge.id, answer, LATER)
    assert refused.answer is answer
    assert await store.challenge(challenge.id) == refused

    with pytest.raises(Answered) as met:
        await store.accept(challenge.id, (ANNA, BERT), 1, LATER)
    assert met.value.challenge == refused
    with pytest.raises(Answered) as met:
        await store.refuse(challenge.id, Answer.DECLINED, LATER)
    assert met.value.challenge == refused
    assert await store.running() == []


@pytest.mark.parametrize("answer", [Answer.OPEN, Answer.ACCEPTED])
async def test_some_answers_refuse_nothing(store: SqlStore, answer: Answer) -> None:
    challenge = await challenged(store)
    with pytest.raises(ValueError, match=f"not refused by the answer {answer}"):
        await store.refuse(challenge.id, answer, LATER)
    assert await store.challenge(challenge.id) == challenge


async def test_an_accepted_challenge_says_which_match_it_became(store: SqlStore) -> None:
    challenge = await challenged(store)
    match = await store.accept(challenge.id, (ANNA, BERT), 1, NOW)
    with pytest.raises(Answered) as met:
        await store.accept(challenge.id, (ANNA, BERT), 1, LATER)
    assert (met.value.challenge.answer, met.value.challenge.match) == (Answer.ACCEPTED, match.id)
    assert len(await store.running()) == 1


async def test_only_open_challenges_whose_time_is_over_expire_and_only_once(store: SqlStore) -> None:
    second = await store.add_challenge(new_challenge(made_at=LATER, expires_at=DEADLINE))
    first = await store.add_challenge(new_challenge(expires_at=DEADLINE))
    await store.add_challenge(new_challenge(expires_at=DEADLINE + timedelta(microseconds=1)))
    taken = await challenged(store)
    await store.accept(taken.id, (ANNA, BERT), 1, NOW)

    assert await store.expire(DEADLINE - timedelta(microseconds=1)) == []
    expired = await store.expire(DEADLINE)
    assert [(it.id, it.answer) for it in expired] == [
        (first.id, Answer.EXPIRED),
        (second.id, Answer.EXPIRED),
    ]
    assert await store.challenge(first.id) == expired[0]
    assert await store.expire(DEADLINE) == []
