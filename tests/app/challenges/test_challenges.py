"""A challenge ends in exactly one way, and only the members it concerns can end it."""

import asyncio
import re
from collections.abc import Sequence

import pytest

from bot.app.challenges.challenges import Challenges
from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from db.values.challenges import Answer, Challenge, Order, Reply
from rules.core.errors import BadSetup
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, LIFETIME, Host, NoLot


async def made(host: Host, size: str = "") -> Challenge:
    return await host.services.challenges.make(HERE, ADA, terms_of("alaric", size, 2, 2), [GRACE])


async def maze(host: Host, *others: int, order: Order = Order.LOT) -> Challenge:
    """Ada challenges Grace and Emmy (or these) to a game for several."""
    asked = others or (GRACE, EMMY)
    players = len(asked) + 1
    return await host.services.challenges.make(
        HERE, ADA, terms_of("maze", "", players, players, order), asked
    )


async def test_accepting_begins_the_match_that_was_offered(host: Host) -> None:
    offer = await made(host, "quick")
    closed, loaded = await host.services.challenges.accept(offer.id, GRACE)
    assert loaded is not None
    assert (closed.answer, closed.match) == (Answer.ACCEPTED, loaded.id)
    assert await host.services.store.challenges.get(offer.id) == closed
    assert loaded.stored.users == (ADA, GRACE)
    assert dict(loaded.stored.setup.options) == {"size": 9}
    assert loaded.stored.place == HERE


@pytest.mark.parametrize(
    ("member", "answer"), [(GRACE, Answer.DECLINED), (ADA, Answer.WITHDRAWN)], ids=["declined", "withdrawn"]
)
async def test_either_side_may_close_it(host: Host, member: int, answer: Answer) -> None:
    offer = await made(host)
    assert (await host.services.challenges.refuse(offer.id, member)).answer is answer
    with pytest.raises(Refused, match=answer.value):
        await host.services.challenges.accept(offer.id, GRACE)
    assert await host.services.matches.here(HERE.channel) == []


@pytest.mark.parametrize(
    ("member", "sentence"),
    [(ADA, f"waits for <@{GRACE}>"), (EMMY, f"is for <@{GRACE}>")],
    ids=["own", "stranger"],
)
async def test_only_the_challenged_may_accept(host: Host, member: int, sentence: str) -> None:
    offer = await made(host)
    with pytest.raises(Refused, match=re.escape(sentence)):
        await host.services.challenges.accept(offer.id, member)
    assert (await host.services.challenges.accept(offer.id, GRACE))[1] is not None


async def test_a_stranger_cannot_decline(host: Host) -> None:
    offer = await made(host)
    with pytest.raises(Refused, match="between"):
        await host.services.challenges.refuse(offer.id, EMMY)
    assert (await host.services.challenges.waiting(GRACE))[0].answer is Answer.OPEN


async def test_it_expires_when_its_time_is_over_and_not_before(host: Host) -> None:
    offer = await made(host)
    host.clock.push(LIFETIME / 2)
    assert await host.services.challenges.expire() == []
    host.clock.push(LIFETIME / 2)
    with pytest.raises(Refused, match="expired"):
        await host.services.challenges.accept(offer.id, GRACE)
    closed = await host.services.challenges.expire()
    assert [(late.id, late.answer) for late in closed] == [(offer.id, Answer.EXPIRED)]
    assert await host.services.challenges.expire() == []


async def test_nobody_challenges_themselves(host: Host) -> None:
    with pytest.raises(Refused, match="yourself"):
        await host.services.challenges.make(HERE, ADA, terms_of("alaric", "", 2, 2), [ADA])


async def test_the_same_challenge_twice_is_refused(host: Host) -> None:
    await made(host)
    with pytest.raises(Refused, match="already"):
        await made(host)
    assert (
        await host.services.challenges.make(ELSEWHERE, ADA, terms_of("alaric", "", 2, 2), [GRACE])
    ).answer is Answer.OPEN


@pytest.mark.parametrize(
    ("game", "size", "sentence"),
    [
        ("chess", "", "`chess` is no game here; choose from skull"),
        ("alaric", "41", "size must be from 1 to 40"),
        ("skull", "13", "`13` is no size of The Amazon Skull Game"),
        ("skull", "depth 3", "has no option `depth`"),
        ("skull", "width 6 width 7", "`width 6 width 7` is no size of The Amazon Skull Game"),
    ],
)
def test_impossible_terms_are_named(game: str, size: str, sentence: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(sentence)):
        terms_of(game, size, 2, 2)


@pytest.mark.parametrize(("game", "players"), [("alaric", 3), ("maze", 7)])
def test_too_many_players_are_refused(game: str, players: int) -> None:
    with pytest.raises(BadSetup, match=f"not {players}"):
        terms_of(game, "", players, players)


async def test_several_begin_when_the_last_has_accepted(host: Host) -> None:
    offer = await maze(host)
    waiting, loaded = await host.services.challenges.accept(offer.id, EMMY)
    assert (waiting.answer, loaded) == (Answer.OPEN, None)
    assert (waiting.users(Reply.IN), waiting.users(Reply.ASKED)) == ((ADA, EMMY), (GRACE,))
    with pytest.raises(
        Refused, match=re.escape(f"You have joined already; this challenge waits for <@{GRACE}>.")
    ):
        await host.services.challenges.accept(offer.id, EMMY)
    assert await host.services.matches.here(HERE.channel) == []
    closed, loaded = await host.services.challenges.accept(offer.id, GRACE)
    assert loaded is not None
    assert loaded.stored.users == (ADA, GRACE, EMMY)
    assert loaded.match.setup.players == 3
    assert await host.services.store.challenges.get(offer.id) == closed
    assert await host.services.challenges.waiting(ADA) == []


async def test_one_of_several_declining_closes_it_and_is_named(host: Host) -> None:
    offer = await maze(host)
    await host.services.challenges.accept(offer.id, GRACE)
    closed = await host.services.challenges.refuse(offer.id, EMMY)
    assert (closed.answer, closed.users(Reply.DECLINED)) == (Answer.DECLINED, (EMMY,))
    with pytest.raises(Refused, match=f"declined by <@{EMMY}>"):
        await host.services.challenges.accept(offer.id, GRACE)
    assert await host.services.store.challenges.get(offer.id) == closed


async def test_one_who_accepted_may_think_again(host: Host) -> None:
    offer = await maze(host)
    await host.services.challenges.accept(offer.id, GRACE)
    assert (await host.services.challenges.refuse(offer.id, GRACE)).users(Reply.DECLINED) == (GRACE,)


@pytest.mark.parametrize(
    ("order", "seats"),
    [
        (Order.LOT, (EMMY, GRACE, ADA)),
        (Order.FIRST, (ADA, EMMY, GRACE)),
        (Order.LAST, (EMMY, GRACE, ADA)),
        (Order.LISTED, (ADA, GRACE, EMMY)),
    ],
)
async def test_seats_are_given_as_the_terms_say(host: Host, order: Order, seats: tuple[int, ...]) -> None:
    """The lot of this test turns everything round."""
    turned = Challenges(
        host.store, host.clock, Turned(), LIFETIME, host.services.matches, host.services.rounds
    )
    offer = await maze(host, order=order)
    await turned.accept(offer.id, GRACE)
    _, loaded = await turned.accept(offer.id, EMMY)
    assert loaded is not None
    assert loaded.stored.users == seats


class Turned(NoLot):
    def shuffled(self, users: Sequence[int]) -> tuple[int, ...]:
        return tuple(reversed(users))


@pytest.mark.soak
async def test_of_several_racing_replies_each_counts_once(host: Host) -> None:
    """Three accept at once, three times each: one match, whoever came last has begun it."""
    kai = 104
    offer = await maze(host, GRACE, EMMY, kai)
    replies = await asyncio.gather(
        *(host.services.challenges.accept(offer.id, member) for member in (GRACE, EMMY, kai) * 3),
        return_exceptions=True,
    )
    counted = [reply for reply in replies if isinstance(reply, tuple)]
    assert len(counted) == 3
    assert all(isinstance(reply, Refused) for reply in replies if not isinstance(reply, tuple))
    assert [loaded.stored.users for _, loaded in counted if loaded] == [(ADA, GRACE, EMMY, kai)]
    assert len(await host.services.matches.here(HERE.channel)) == 1


async def test_nobody_is_named_twice(host: Host) -> None:
    with pytest.raises(Refused, match="twice"):
        await maze(host, GRACE, GRACE)


async def test_a_challenge_that_never_was(host: Host) -> None:
    with pytest.raises(Refused, match="gone"):
        await host.services.challenges.accept(99, GRACE)
