"""A draw or a takeback needs the consent of everybody who plays, on the board it was asked for, and happens once."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import datetime

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.proposals import still_to_agree
from db.values.challenges import Answer
from db.values.matches import Outcome
from db.values.proposals import Matter, Proposal
from rules.core.match import DRAW, Ply
from tests.app.conftest import ADA, EMMY, GRACE, Host

pytestmark = pytest.mark.slow


async def play(host: Host, loaded: LoadedMatch, *texts: str) -> LoadedMatch:
    """The members on turn play these moves."""
    for text in texts:
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], text, loaded.shown)
    return loaded


async def skull(host: Host, *texts: str) -> LoadedMatch:
    return await play(host, await host.begin("skull"), *texts)


async def three(host: Host, *texts: str) -> LoadedMatch:
    """A maze of Ada, Grace and Emmy, in this order."""
    return await play(host, await host.begin("maze", "2", others=(GRACE, EMMY)), *texts)


def draw(host: Host, loaded: LoadedMatch, user: int) -> Awaitable[Proposal]:
    return host.services.proposals.propose(loaded.id, user, Matter.DRAW)


def takeback(host: Host, loaded: LoadedMatch, user: int) -> Awaitable[Proposal]:
    return host.services.proposals.propose(loaded.id, user, Matter.TAKEBACK)


async def test_no_player_offers_their_own_seat(host: Host) -> None:
    """The page of the Activity can name any matter."""
    loaded = await three(host)
    with pytest.raises(Refused, match="only when its player leaves"):
        await host.services.proposals.propose(loaded.id, ADA, Matter.SEAT)
    assert not await host.services.proposals.on_board(loaded)


class TestADraw:
    async def test_both_share_it(self, host: Host) -> None:
        loaded = await skull(host, "c3")
        offer = await draw(host, loaded, ADA)
        assert still_to_agree(offer, loaded) == (GRACE,)
        assert (await host.services.proposals.agree(offer.id, GRACE)).answer is Answer.ACCEPTED
        over = await host.services.matches.load(loaded.id)
        assert over.match.log[-1] == Ply(None, DRAW)
        assert over.stored.outcomes == (Outcome.DRAWN, Outcome.DRAWN)

    async def test_offering_while_the_other_offers_is_accepting(self, host: Host) -> None:
        loaded = await skull(host)
        offer = await draw(host, loaded, GRACE)
        assert (await draw(host, loaded, ADA)).id == offer.id
        assert (await host.services.matches.load(loaded.id)).match.agreed

    async def test_two_who_offer_at_once_agree(self, host: Host) -> None:
        loaded = await skull(host)
        await asyncio.gather(draw(host, loaded, GRACE), draw(host, loaded, ADA))
        assert (await host.services.matches.load(loaded.id)).match.agreed

    async def test_hidden_moves_do_not_end_an_offer_since_that_would_tell_of_them(self, host: Host) -> None:
        loaded = await host.services.matches.load((await host.begin("palindromes", "8")).id)
        for user in (ADA, GRACE):
            seat = loaded.seat_of(user)
            assert seat is not None
            reds, blacks = loaded.match.state.hand(seat)
            loaded = await host.services.matches.play(loaded.id, user, "arrange " + "R" * reds + "B" * blacks)
        offer = await draw(host, loaded, ADA)
        await host.services.matches.play(loaded.id, GRACE, "find R")
        assert await host.services.proposals.close_decided(loaded.id) == []
        await host.services.proposals.agree(offer.id, GRACE)
        assert (await host.services.matches.load(loaded.id)).match.agreed


class TestATakeback:
    @pytest.mark.parametrize(
        ("user", "left"), [(ADA, ("c3", "d3")), (GRACE, ("c3",))], ids=["one ply", "two plies"]
    )
    async def test_the_board_stands_as_before_ones_last_move(
        self, host: Host, user: int, left: tuple[str, ...]
    ) -> None:
        loaded = await skull(host, "c3", "d3", "e3")
        other = GRACE if user == ADA else ADA
        await host.services.proposals.agree((await takeback(host, loaded, user)).id, other)
        after = await host.services.matches.load(loaded.id)
        assert tuple(text for _, text in after.match.log) == left
        assert after.waiting_for == (user,)
        assert after.match == loaded.back_to(len(left)).match

    async def test_buttons_of_what_was_taken_back_never_fit_again(self, host: Host) -> None:
        loaded = await skull(host, "c3", "d3")
        await host.services.proposals.agree((await takeback(host, loaded, GRACE)).id, ADA)
        for shown in (loaded.shown, loaded.shown - 1):
            with pytest.raises(Refused, match="moved on"):
                await host.services.matches.play(loaded.id, GRACE, "c4", shown)
        again = await play(host, await host.services.matches.load(loaded.id), "c4")
        with pytest.raises(Refused, match="moved on"):
            await host.services.matches.play(loaded.id, ADA, "d4", loaded.shown)
        assert [text for _, text in again.match.log] == ["c3", "c4"]

    async def test_two_takebacks_mean_two_positions(self, host: Host) -> None:
        loaded = await skull(host, "c3", "d3")
        await takeback(host, loaded, ADA)
        with pytest.raises(Refused, match=f"<@{ADA}> has already asked for a takeback"):
            await takeback(host, loaded, GRACE)


class TestThreeWhoPlay:
    async def test_all_who_still_play_must_agree(self, host: Host) -> None:
        loaded = await three(host, "a1-b2")
        offer = await draw(host, loaded, EMMY)
        half = await host.services.proposals.agree(offer.id, ADA)
        assert (half.answer, still_to_agree(half, loaded)) == (Answer.OPEN, (GRACE,))
        await host.services.proposals.agree(offer.id, GRACE)
        assert (await host.services.matches.load(loaded.id)).stored.outcomes == (Outcome.DRAWN,) * 3

    async def test_one_who_leaves_is_not_asked_any_more(self, host: Host) -> None:
        loaded = await three(host)
        offer = await draw(host, loaded, EMMY)
        await host.services.proposals.agree(offer.id, ADA)
        await host.services.matches.resign(loaded.id, GRACE)
        closed = {it.matter: it.answer for it in await host.services.proposals.close_decided(loaded.id)}
        assert closed == {Matter.DRAW: Answer.ACCEPTED, Matter.SEAT: Answer.EXPIRED}
        over = await host.services.matches.load(loaded.id)
        assert over.stored.outcomes == (Outcome.DRAWN, Outcome.LOST, Outcome.DRAWN)

    async def test_one_who_has_left_has_no_say(self, host: Host) -> None:
        loaded = await three(host)
        await host.services.matches.resign(loaded.id, GRACE)
        with pytest.raises(Refused, match="You have left"):
            await draw(host, loaded, GRACE)
        offer = await draw(host, loaded, ADA)
        with pytest.raises(Refused, match="Only those who play"):
            await host.services.proposals.agree(offer.id, GRACE)
        await host.services.proposals.agree(offer.id, EMMY)
        assert (await host.services.matches.load(loaded.id)).match.winners == (0, 2)

    async def test_an_offer_goes_with_its_maker(self, host: Host) -> None:
        loaded = await three(host)
        offer = await draw(host, loaded, ADA)
        await host.services.matches.resign(loaded.id, ADA)
        with pytest.raises(Refused, match="moved on"):
            await host.services.proposals.agree(offer.id, GRACE)

    async def test_nobody_is_brought_back(self, host: Host) -> None:
        loaded = await three(host, "a1-b2")
        asking = await takeback(host, loaded, ADA)
        await host.services.matches.resign(loaded.id, GRACE)
        with pytest.raises(Refused, match="moved on"):
            await host.services.proposals.agree(asking.id, EMMY)
        with pytest.raises(Refused, match="Somebody has left"):
            await takeback(host, loaded, ADA)


Try = Callable[[Host, LoadedMatch, Proposal], Awaitable[object]]
NO: dict[str, tuple[Try, str]] = {
    "one's own": (
        lambda host, loaded, it: host.services.proposals.agree(it.id, ADA),
        f"This waits for <@{GRACE}>",
    ),
    "stranger": (lambda host, loaded, it: host.services.proposals.agree(it.id, EMMY), "Only those who play"),
    "stranger refuses": (
        lambda host, loaded, it: host.services.proposals.refuse(it.id, EMMY),
        "Only those who play",
    ),
    "twice": (
        lambda host, loaded, it: draw(host, loaded, ADA),
        "You have already offered a draw; that waits for an answer",
    ),
    "stranger offers": (lambda host, loaded, it: draw(host, loaded, EMMY), "is played by"),
    "never made": (
        lambda host, loaded, it: host.services.proposals.agree(it.id + 1, GRACE),
        "no longer exists",
    ),
}


async def test_what_is_refused_changes_nothing(host: Host) -> None:
    loaded = await skull(host, "c3")
    offer = await draw(host, loaded, ADA)
    before = await host.services.store.proposals.get(offer.id), await host.store.matches.load(loaded.id)
    for attempt, sentence in NO.values():
        with pytest.raises(Refused, match=re.escape(sentence)):
            await attempt(host, loaded, offer)
    assert (
        await host.services.store.proposals.get(offer.id),
        await host.store.matches.load(loaded.id),
    ) == before


@pytest.mark.parametrize(
    ("member", "answer"), [(GRACE, Answer.DECLINED), (ADA, Answer.WITHDRAWN)], ids=["declined", "withdrawn"]
)
async def test_a_no_holds_until_one_has_moved(host: Host, member: int, answer: Answer) -> None:
    loaded = await skull(host, "c3")
    offer = await draw(host, loaded, ADA)
    assert (await host.services.proposals.refuse(offer.id, member)).answer is answer
    with pytest.raises(Refused, match=answer.value):
        await host.services.proposals.agree(offer.id, GRACE)
    loaded = await play(host, loaded, "d3")
    with pytest.raises(Refused, match="try again after your next"):
        await draw(host, loaded, ADA)
    await play(host, loaded, "e3")
    assert (await draw(host, loaded, ADA)).answer is Answer.OPEN


async def test_the_next_move_ends_it(host: Host) -> None:
    loaded = await skull(host, "c3", "d3")
    offers = [await draw(host, loaded, GRACE), await takeback(host, loaded, ADA)]
    await play(host, loaded, "e3")
    closed = await host.services.proposals.close_decided(loaded.id)
    assert [(it.id, it.answer) for it in closed] == [(it.id, Answer.EXPIRED) for it in offers]
    for offer in offers:
        for answer in (host.services.proposals.agree, host.services.proposals.refuse):
            with pytest.raises(Refused, match="moved on"):
                await answer(offer.id, ADA)
    assert (await host.services.matches.load(loaded.id)).plies == 3


async def test_nothing_is_agreed_on_when_it_is_over(host: Host) -> None:
    loaded = await skull(host, "c3")
    offer = await draw(host, loaded, ADA)
    await host.services.matches.resign(loaded.id, GRACE)
    with pytest.raises(Refused, match="moved on"):
        await host.services.proposals.agree(offer.id, GRACE)
    for attempt in (draw, takeback):
        with pytest.raises(Refused, match="is over"):
            await attempt(host, loaded, ADA)
    assert await host.services.store.proposals.open() == []


async def test_the_last_consent_may_be_carried_out_elsewhere(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that shows the board is told of the consent before the one that took it goes on."""
    loaded = await skull(host, "c3")
    offer, agree = await draw(host, loaded, ADA), host.store.proposals.agree

    async def overtaken(proposal: int, seat: int, at: datetime) -> Proposal:
        now = await agree(proposal, seat, at)
        await host.services.proposals.close_decided(loaded.id)
        return now

    monkeypatch.setattr(host.store.proposals, "agree", overtaken)
    assert (await host.services.proposals.agree(offer.id, GRACE)).answer is Answer.ACCEPTED
    assert (await host.services.matches.load(loaded.id)).match.agreed


async def test_what_was_agreed_before_the_bot_stopped_is_done_when_it_is_back(host: Host) -> None:
    loaded = await skull(host, "c3")
    offer = await draw(host, loaded, ADA)
    await host.store.proposals.agree(offer.id, 1, host.clock.now())
    assert [closed.answer for closed in await host.services.proposals.close_decided(loaded.id)] == [
        Answer.ACCEPTED
    ]
    assert (await host.services.matches.load(loaded.id)).match.agreed
