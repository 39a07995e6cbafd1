"""Lobbies: who has joined, who may change that, and when the game begins."""

import asyncio
import re

import pytest

from bot.app.challenges.terms import SITTING, terms_of
from bot.app.errors import Refused
from db.values.challenges import Answer, Challenge, Order, Reply
from db.values.matches import MatchOptions
from tests.app.conftest import ADA, EMMY, GRACE, HERE, LIFETIME, Host
from tests.db.given import challenge_of

pytestmark = pytest.mark.slow

KAI = 104


async def lobby(host: Host, most: int = 4, order: Order = Order.LOT) -> Challenge:
    """Ada opens a game for two to `most`."""
    return await host.services.challenges.make(HERE, ADA, terms_of("maze", "", 2, most, order))


async def players(host: Host, offer: Challenge) -> tuple[int, ...]:
    found = await challenge_of(host.services.store, offer.id)
    return found.users(Reply.IN)


async def test_the_host_starts_with_those_who_are_in(host: Host) -> None:
    offer = await lobby(host)
    with pytest.raises(Refused, match="cannot start yet; 1 more must join"):
        await host.services.challenges.start(offer.id, ADA)
    for user in (EMMY, GRACE):
        after, loaded = await host.services.challenges.accept(offer.id, user)
        assert (after.answer, loaded) == (Answer.OPEN, None)
    loaded = await host.services.challenges.start(offer.id, ADA)
    assert loaded.stored.users == (ADA, EMMY, GRACE)
    assert loaded.match.setup.players == 3
    with pytest.raises(Refused, match="accepted already"):
        await host.services.challenges.accept(offer.id, KAI)


async def test_who_was_removed_cannot_come_back(host: Host) -> None:
    offer = await lobby(host)
    await host.services.challenges.accept(offer.id, GRACE)
    after = await host.services.challenges.remove(offer.id, ADA, GRACE)
    assert (after.users(Reply.IN), after.users(Reply.REMOVED)) == ((ADA,), (GRACE,))
    with pytest.raises(Refused, match=f"<@{ADA}> removed you from this game"):
        await host.services.challenges.accept(offer.id, GRACE)
    with pytest.raises(Refused, match="not joined"):
        await host.services.challenges.leave(offer.id, GRACE)
    assert await host.services.challenges.waiting(GRACE) == []
    assert await host.services.challenges.joinable(GRACE, HERE) == []


async def test_the_host_alone_decides(host: Host) -> None:
    challenges, offer = host.services.challenges, await lobby(host)
    await challenges.accept(offer.id, GRACE)
    for user in (GRACE, EMMY):
        for attempt in (
            challenges.start(offer.id, user),
            challenges.remove(offer.id, user, GRACE),
            challenges.of_host(offer.id, user),
            challenges.refuse(offer.id, user),
        ):
            with pytest.raises(
                Refused, match=re.escape(f"Only <@{ADA}> can change, start or withdraw this game.")
            ):
                await attempt
    assert await players(host, offer) == (ADA, GRACE)


async def test_what_makes_no_sense_is_refused(host: Host) -> None:
    offer = await lobby(host)
    await host.services.challenges.accept(offer.id, GRACE)
    for attempt, words in (
        (
            host.services.challenges.accept(offer.id, GRACE),
            "You have joined already; this challenge waits for somebody to join.",
        ),
        (host.services.challenges.accept(offer.id, ADA), "You made this challenge"),
        (host.services.challenges.leave(offer.id, ADA), "close it instead"),
        (host.services.challenges.leave(offer.id, EMMY), "You have not joined"),
        (host.services.challenges.remove(offer.id, ADA, EMMY), f"<@{EMMY}> is not in this game any more"),
        (host.services.challenges.remove(offer.id, ADA, ADA), f"<@{ADA}> is not in this game any more"),
    ):
        with pytest.raises(Refused, match=re.escape(words)):
            await attempt
    assert await players(host, offer) == (ADA, GRACE)


async def test_it_expires_and_is_over_for_all(host: Host) -> None:
    offer = await lobby(host)
    await host.services.challenges.accept(offer.id, GRACE)
    host.clock.push(LIFETIME)
    for attempt in (
        host.services.challenges.start(offer.id, ADA),
        host.services.challenges.leave(offer.id, GRACE),
    ):
        with pytest.raises(Refused, match="expired"):
            await attempt
    assert [it.answer for it in await host.services.challenges.expire()] == [Answer.EXPIRED]
    assert await host.services.matches.here(HERE.channel) == []


async def test_a_game_in_one_sitting_is_open_for_no_longer_than_a_sitting(host: Host) -> None:
    time_control = await host.services.preferences.time_control(None, "5m+3s")
    offer = await host.services.challenges.make(
        HERE, ADA, terms_of("alaric", "", 2, 2, options=MatchOptions(time_control=time_control))
    )
    assert offer.expires_at - offer.made_at == min(SITTING, LIFETIME)
    loaded = await host.accept(offer.id, GRACE)
    assert loaded.stored.time_control == time_control


@pytest.mark.soak
async def test_the_last_seat_is_given_once_while_others_come_and_go(host: Host) -> None:
    """Ten want three seats, one leaves, one is removed, the host starts: one match, and who is in it was in."""
    offer = await lobby(host)
    await host.services.challenges.accept(offer.id, GRACE)
    await asyncio.gather(
        *(host.services.challenges.accept(offer.id, 200 + n) for n in range(10)),
        host.services.challenges.leave(offer.id, GRACE),
        host.services.challenges.remove(offer.id, ADA, GRACE),
        host.services.challenges.start(offer.id, ADA),
        return_exceptions=True,
    )
    closed = await challenge_of(host.services.store, offer.id)
    (loaded,) = await host.services.matches.here(HERE.channel)
    assert (closed.answer, closed.match) == (Answer.ACCEPTED, loaded.id)
    assert loaded.stored.users == closed.users(Reply.IN)
    assert 2 <= len(loaded.stored.users) <= 4


async def test_who_is_blocked_cannot_join(host: Host) -> None:
    offer = await lobby(host)
    await host.services.challenges.accept(offer.id, GRACE)
    await host.services.preferences.block(EMMY, GRACE)
    with pytest.raises(Refused, match="You have blocked"):
        await host.services.challenges.accept(offer.id, EMMY)
    await host.services.preferences.unblock(EMMY, GRACE)
    await host.services.preferences.block(GRACE, EMMY)
    with pytest.raises(Refused, match="You cannot join this game; start one of your own"):
        await host.services.challenges.accept(offer.id, EMMY)
    assert await players(host, offer) == (ADA, GRACE)
    await host.services.challenges.leave(offer.id, GRACE)
    await host.services.challenges.accept(offer.id, EMMY)
    assert await players(host, offer) == (ADA, EMMY)


async def test_it_is_listed_for_those_who_may_join(host: Host) -> None:
    offer = await lobby(host)
    assert [it.id for it in await host.services.challenges.joinable(GRACE, HERE)] == [offer.id]
    await host.services.challenges.accept(offer.id, GRACE)
    assert await host.services.challenges.joinable(GRACE, HERE) == []
    assert [it.id for it in await host.services.challenges.waiting(GRACE)] == [offer.id]
    assert await host.services.challenges.joinable(ADA, HERE) == []


async def test_a_challenge_to_somebody_is_not_a_game_to_join(host: Host) -> None:
    """Else it would wait for somebody who cannot come back."""
    terms = terms_of("maze", "", 3, 3)
    offer = await host.services.challenges.make(HERE, ADA, terms, [GRACE, EMMY])
    await host.services.challenges.accept(offer.id, GRACE)
    with pytest.raises(Refused, match="cannot be left; decline it"):
        await host.services.challenges.leave(offer.id, GRACE)
    with pytest.raises(Refused, match="can be removed from a challenge; withdraw it"):
        await host.services.challenges.remove(offer.id, ADA, GRACE)
    await host.accept(offer.id, EMMY)
