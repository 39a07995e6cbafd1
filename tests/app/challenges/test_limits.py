"""Limits on challenges; each refusal says so in one sentence."""

import asyncio
from datetime import timedelta

import pytest

from bot.app.challenges import limits
from bot.app.challenges.limits import DAY, MOST_ASKED, MOST_DECLINED, MOST_HERE, MOST_OPEN, MOST_PUBLIC
from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from db.values.challenges import Answer, Challenge
from db.values.places import Place
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, LIFETIME, Host
from tests.db.given import challenge_of

pytestmark = pytest.mark.slow


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
    attempts = (ask(host, other=200 + number) for number in range(MOST_HERE + 3))
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


@pytest.mark.soak
async def test_those_who_play_may_be_asked_again_and_again(host: Host) -> None:
    for number in range(MOST_ASKED + 1):
        await host.services.challenges.accept((await ask(host, 5 + number)).id, GRACE)
    assert (await ask(host)).id > MOST_ASKED + 1


@pytest.fixture
def _low(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits on running games that a test reaches soon."""
    for name, number in (("MOST_PLAYED_HERE", 2), ("MOST_PLAYED", 3), ("MOST_IN_CHANNEL", 4)):
        monkeypatch.setattr(limits, name, number)


@pytest.mark.usefixtures("_low")
async def test_running_games_of_one_member(host: Host) -> None:
    services = host.services
    waiting = [await ask(host, 5 + number) for number in range(2)]
    tables = [await host.begin("alaric") for _ in range(2)]
    with pytest.raises(Refused, match=r"^You are playing 2 games in this channel; finish or resign one"):
        await ask(host, 9)
    with pytest.raises(Refused, match=r"^You are playing 2 games in this channel"):
        await opened(host, HERE)
    with pytest.raises(Refused, match=r"^You are playing 2 games in this channel"):
        await services.computer_games.play(HERE, ADA, "skull")
    with pytest.raises(Refused, match=r"^You are playing 2 games in this channel"):
        await services.challenges.accept(waiting[0].id, GRACE)
    await host.begin("alaric", place=ELSEWHERE)
    with pytest.raises(Refused, match=r"^You are playing 3 games in all channels"):
        await ask(host, place=Place(1, 99))
    for loaded in tables:
        await services.matches.resign(loaded.id, ADA)
    _, begun = await services.challenges.accept(waiting[0].id, GRACE)
    assert begun is not None
    _, again = await services.rematches.ask(tables[0].id, ADA, HERE)
    assert again is None
    await services.challenges.accept(waiting[1].id, GRACE)
    with pytest.raises(Refused, match=r"^You are playing 2 games in this channel"):
        await services.rematches.ask(tables[1].id, GRACE, HERE)


@pytest.mark.usefixtures("_low")
async def test_who_has_room_hears_who_has_none(host: Host) -> None:
    lobby = await opened(host, HERE)
    await host.services.challenges.accept(lobby.id, EMMY)
    for _ in range(2):
        await host.begin("alaric", others=(EMMY,), place=HERE)
    with pytest.raises(Refused, match=r"^You are playing 2 games in this channel"):
        await host.services.challenges.start(lobby.id, ADA)
    other = await host.services.challenges.make(HERE, GRACE, terms_of("alaric", "", 2, 2))
    with pytest.raises(Refused, match=r"^You are playing 2 games in this channel"):
        await host.services.challenges.accept(other.id, EMMY)
    found = await challenge_of(host.services.store, other.id)
    assert found.answer is Answer.OPEN, "the challenge waits for somebody else"


@pytest.mark.soak
@pytest.mark.usefixtures("_low")
async def test_of_many_games_that_begin_at_once_no_more_than_allowed_begin(host: Host) -> None:
    offers = [await ask(host, 5, 200 + number) for number in range(5)]
    accepted = (
        host.services.challenges.accept(offer.id, 200 + number) for number, offer in enumerate(offers)
    )
    results = await asyncio.gather(*accepted, return_exceptions=True)
    refusals = [str(it) for it in results if isinstance(it, Refused)]
    assert (
        refusals
        == [f"<@{ADA}> is playing 2 games in this channel; this game can begin when one of those is over."]
        * 3
    )
    assert len(await host.services.matches.here(HERE.channel)) == 2
    assert len(await host.services.challenges.waiting(ADA)) == 3


@pytest.mark.usefixtures("_low")
async def test_running_games_in_one_channel(host: Host) -> None:
    for number in range(4):
        lobby = await host.services.challenges.make(HERE, 300 + number, terms_of("alaric", "", 2, 2))
        await host.services.challenges.accept(lobby.id, 400 + number)
    with pytest.raises(Refused, match=r"^4 games are being played in this channel; begin one in another"):
        await ask(host)
    await ask(host, place=ELSEWHERE)
