"""A challenge ends in exactly one way, and only those it concerns have a say."""

import asyncio
import re

import pytest

from bot.app.challenges import MOST_OPEN
from bot.app.errors import Refused
from bot.app.table import Table
from db.values import Answer, Challenge
from rules.core.errors import BadSetup
from tests.bot.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, LIFETIME, Host


async def made(host: Host, size: str = "") -> Challenge:
    return await host.challenges.make(HERE, ADA, GRACE, "alaric", size)


async def test_accepting_begins_the_match_that_was_offered(host: Host) -> None:
    offer = await made(host, "quick")
    closed, table = await host.challenges.accept(offer.id, GRACE)
    assert (closed.answer, closed.match) == (Answer.ACCEPTED, table.id)
    assert table.stored.users == (ADA, GRACE)
    assert dict(table.stored.setup.options) == {"size": 9}
    assert table.stored.place == HERE


@pytest.mark.parametrize(
    ("member", "answer"), [(GRACE, Answer.DECLINED), (ADA, Answer.WITHDRAWN)], ids=["declined", "withdrawn"]
)
async def test_either_side_may_close_it(host: Host, member: int, answer: Answer) -> None:
    offer = await made(host)
    assert (await host.challenges.refuse(offer.id, member)).answer is answer
    with pytest.raises(Refused, match=answer.value):
        await host.challenges.accept(offer.id, GRACE)
    assert await host.matches.here(HERE.channel) == []


@pytest.mark.parametrize(
    ("member", "sentence"),
    [(ADA, f"waits for <@{GRACE}>"), (EMMY, f"is for <@{GRACE}>")],
    ids=["own", "stranger"],
)
async def test_only_the_challenged_may_accept(host: Host, member: int, sentence: str) -> None:
    offer = await made(host)
    with pytest.raises(Refused, match=re.escape(sentence)):
        await host.challenges.accept(offer.id, member)
    assert (await host.challenges.accept(offer.id, GRACE))[1].plies == 0


async def test_a_stranger_cannot_decline(host: Host) -> None:
    offer = await made(host)
    with pytest.raises(Refused, match="between"):
        await host.challenges.refuse(offer.id, EMMY)
    assert (await host.challenges.waiting(GRACE))[0].answer is Answer.OPEN


async def test_it_expires_when_its_time_is_over_and_not_before(host: Host) -> None:
    offer = await made(host)
    host.clock.push(LIFETIME / 2)
    assert await host.challenges.expire() == []
    host.clock.push(LIFETIME / 2)
    with pytest.raises(Refused, match="expired"):
        await host.challenges.accept(offer.id, GRACE)
    closed = await host.challenges.expire()
    assert [(late.id, late.answer) for late in closed] == [(offer.id, Answer.EXPIRED)]
    assert await host.challenges.expire() == []


async def test_of_racing_answers_one_counts(host: Host) -> None:
    offer = await made(host)
    answers = await asyncio.gather(
        *(host.challenges.accept(offer.id, GRACE) for _ in range(5)),
        host.challenges.refuse(offer.id, ADA),
        return_exceptions=True,
    )
    counted = [answer for answer in answers if not isinstance(answer, BaseException)]
    assert len(counted) == 1
    assert all(isinstance(answer, Refused) for answer in answers if isinstance(answer, BaseException))
    begun = [answer for answer in counted if isinstance(answer, tuple) and isinstance(answer[1], Table)]
    assert len(await host.matches.here(HERE.channel)) == len(begun)


async def test_nobody_challenges_themselves(host: Host) -> None:
    with pytest.raises(Refused, match="yourself"):
        await host.challenges.make(HERE, ADA, ADA, "alaric", "")


async def test_the_same_challenge_twice_is_refused(host: Host) -> None:
    await made(host)
    with pytest.raises(Refused, match="already"):
        await made(host)
    assert (await host.challenges.make(ELSEWHERE, ADA, GRACE, "alaric", "")).answer is Answer.OPEN


async def test_open_challenges_are_limited(host: Host) -> None:
    for number in range(MOST_OPEN):
        await made(host, str(number + 1))
    with pytest.raises(Refused, match=str(MOST_OPEN)):
        await made(host, "20")
    assert len(await host.challenges.waiting(ADA)) == MOST_OPEN


@pytest.mark.parametrize(
    ("game", "size", "sentence"),
    [
        ("chess", "", "`chess` is no game here; choose from skull"),
        ("alaric", "41", "size must be from 1 to 40"),
        ("skull", "13", "`13` is no size of The Amazon Skull Game"),
        ("skull", "depth 3", "has no option `depth`"),
    ],
)
async def test_impossible_terms_are_named(host: Host, game: str, size: str, sentence: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(sentence)):
        await host.challenges.make(HERE, ADA, GRACE, game, size)
    assert await host.challenges.waiting(ADA) == []


async def test_a_challenge_that_never_was(host: Host) -> None:
    with pytest.raises(Refused, match="gone"):
        await host.challenges.accept(99, GRACE)
