"""A rematch is asked for once, on the same terms, with everybody one seat further."""

import asyncio

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from db.values.challenges import Answer, Challenge, Order
from db.values.members import FOREVER
from db.values.places import Place
from db.values.posts import PostKind
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host

THREE = (GRACE, EMMY)


async def over(host: Host, *others: int, clock: str = "") -> LoadedMatch:
    """A finished match of Ada and these others, in this order."""
    loaded = await host.begin("maze", "2", others=others or (GRACE,), clock=clock)
    for user in loaded.stored.users[:-1]:
        loaded = await host.services.matches.resign(loaded.id, user)
    return loaded


async def test_the_same_players_on_the_same_terms_with_seats_swapped(host: Host) -> None:
    played = await over(host, clock="24h")
    asked, begun = await host.services.rematches.ask(played.id, GRACE, HERE)
    assert begun is None
    assert (asked.challenger, asked.rematch_of, asked.place) == (GRACE, played.id, played.stored.place)
    assert asked.terms.order is Order.LISTED
    closed, begun = await host.services.challenges.accept(asked.id, ADA)
    assert begun is not None
    assert closed.match == begun.id
    assert begun.stored.users == (GRACE, ADA)
    assert begun.stored.setup == played.stored.setup
    assert begun.stored.time_control == played.stored.time_control is not None


async def test_all_pressing_is_all_accepting(host: Host) -> None:
    played = await over(host, *THREE)
    begun = None
    for user in (GRACE, EMMY, ADA):
        assert begun is None
        _, begun = await host.services.rematches.ask(played.id, user, HERE)
    assert begun is not None
    assert begun.stored.users == (GRACE, EMMY, ADA)


@pytest.mark.soak
async def test_of_racing_presses_one_asks_and_the_others_accept(host: Host) -> None:
    played = await over(host, *THREE)
    said = await asyncio.gather(
        *(host.services.rematches.ask(played.id, user, HERE) for user in (ADA, *THREE))
    )
    assert len({asked.id for asked, _ in said}) == 1
    assert sum(begun is not None for _, begun in said) == 1


async def test_it_is_asked_for_once(host: Host) -> None:
    played = await over(host)
    asked, _ = await host.services.rematches.ask(played.id, ADA, HERE)
    # Until it has its message, asking again is what posts it.
    assert (await host.services.rematches.ask(played.id, ADA, HERE))[0] == asked
    await host.posted(PostKind.CARD, asked.id, 5)
    with pytest.raises(Refused, match=f"You made this challenge; it waits for <@{GRACE}>"):
        await host.services.rematches.ask(played.id, ADA, HERE)
    await host.services.challenges.refuse(asked.id, GRACE)
    for user in (ADA, GRACE):
        with pytest.raises(Refused, match=f"declined by <@{GRACE}>"):
            await host.services.rematches.ask(played.id, user, HERE)
    stored = await host.services.store.challenges.get(asked.id)
    assert isinstance(stored, Challenge)
    assert stored.answer is Answer.DECLINED


async def test_who_may_ask_and_when(host: Host) -> None:
    running = await host.begin("skull")
    with pytest.raises(Refused, match="is not over yet"):
        await host.services.rematches.ask(running.id, ADA, HERE)
    played = await over(host)
    with pytest.raises(Refused, match="Only those who played"):
        await host.services.rematches.ask(played.id, EMMY, HERE)
    with pytest.raises(Refused, match="no game #"):
        await host.services.rematches.ask(played.id + 1, ADA, HERE)
    with pytest.raises(Refused, match="no game #1 in this server"):
        await host.services.rematches.ask(1, ADA, Place(guild=2, channel=HERE.channel))
    assert await host.services.challenges.waiting(ADA) == []


async def test_whom_one_may_ask_and_where(host: Host) -> None:
    played = await over(host)
    await host.store.members.block(GRACE, ADA, host.clock.now())
    with pytest.raises(Refused, match="takes no challenges at present"):
        await host.services.rematches.ask(played.id, ADA, HERE)
    await host.store.members.unblock(GRACE, ADA)
    await host.store.servers.change(1, channels=(ELSEWHERE.channel,))
    with pytest.raises(Refused, match="games are played in"):
        await host.services.rematches.ask(played.id, ADA, HERE)
    asked, _ = await host.services.rematches.ask(played.id, ADA, ELSEWHERE)
    assert asked.place == ELSEWHERE


async def test_who_asks_may_be_answered_even_by_those_who_want_no_challenges(host: Host) -> None:
    played = await over(host)
    await host.services.rematches.ask(played.id, ADA, HERE)
    await host.store.members.change(ADA, away_until=FOREVER)
    _, begun = await host.services.rematches.ask(played.id, GRACE, HERE)
    assert begun is not None
