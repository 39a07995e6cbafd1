"""Limits on challenges; each refusal says so in one sentence."""

import asyncio
from datetime import timedelta

import pytest

from bot.app.challenges.limits import DAY, MOST_ASKED, MOST_DECLINED, MOST_HERE, MOST_OPEN, MOST_PUBLIC
from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from db.api.challenges import Challenge
from db.api.places import Place
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, LIFETIME, Host


async def ask(host: Host, size: int = 5, other: int = GRACE, place: Place = HERE) -> Challenge:
    return await host.services.challenges.make(place, ADA, terms_of("alaric", str(size), 2, 2), [other])


async def opened(host: Host, place: Place, most: int = 6) -> Challenge:
    return await host.services.challenges.make(place, ADA, terms_of("maze", "", 2, most))


async def test_open_challenges_in_one_channel(host: Host) -> None:
    first = await ask(host, other=200)
    for number in range(1, MOST_HERE):
        await ask(host, other=200 + number)
    with pytest.raises(Refused, match=f"{MOST_HERE} challenges open here"):
        await ask(host, other=300)
    await host.services.challenges.refuse(first.id, ADA)
    await ask(host, other=300)


async def test_open_challenges_in_all_channels(host: Host) -> None:
    for number in range(MOST_OPEN):
        await ask(host, other=200 + number, place=Place(1, 50 + number))
    with pytest.raises(Refused, match=f"{MOST_OPEN} challenges open in all channels"):
        await ask(host, other=300)


async def test_of_many_made_at_once_no_more_than_allowed_are_stored(host: Host) -> None:
    attempts = (ask(host, other=200 + number) for number in range(3 * MOST_HERE))
    made = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(it, Challenge) for it in made) == MOST_HERE
    assert len(await host.services.challenges.waiting(ADA)) == MOST_HERE


async def test_games_that_anybody_may_join(host: Host) -> None:
    for number in range(MOST_PUBLIC):
        await opened(host, Place(1, 50 + number))
    with pytest.raises(Refused, match=f"{MOST_PUBLIC} games open for others to join"):
        await opened(host, HERE)
    await ask(host)


async def test_the_same_game_is_opened_once_in_a_channel(host: Host) -> None:
    await opened(host, HERE)
    with pytest.raises(Refused, match="already opened this game here"):
        await opened(host, HERE)
    await opened(host, HERE, most=2)
    await opened(host, ELSEWHERE)


async def test_who_has_declined_is_left_in_peace_for_a_day(host: Host) -> None:
    for number in range(MOST_DECLINED):
        await host.services.challenges.refuse((await ask(host, 5 + number)).id, GRACE)
    with pytest.raises(Refused, match=f"<@{GRACE}> has declined {MOST_DECLINED} challenges of yours"):
        await ask(host)
    await ask(host, other=EMMY)
    host.clock.push(DAY)
    with pytest.raises(Refused, match="has declined"):
        await ask(host)
    host.clock.push(timedelta(microseconds=1))
    await ask(host)


async def test_who_does_not_answer_is_not_asked_for_ever(host: Host) -> None:
    for number in range(MOST_ASKED):
        await ask(host, 5 + number)
        host.clock.push(LIFETIME)
        await host.services.challenges.expire()
    with pytest.raises(Refused, match=f"asked <@{GRACE}> {MOST_ASKED} times within a day"):
        await ask(host, 20)
    await host.services.challenges.make(HERE, GRACE, terms_of("alaric", "", 2, 2), [ADA])


async def test_those_who_play_may_be_asked_again_and_again(host: Host) -> None:
    for number in range(2 * MOST_ASKED):
        await host.services.challenges.accept((await ask(host, 5 + number)).id, GRACE)
    assert (await ask(host)).id > 2 * MOST_ASKED
