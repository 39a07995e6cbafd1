"""A proposal is closed once, in one transaction with the ply that carries it out."""

from dataclasses import replace
from datetime import datetime

import pytest

from db.store import Store
from db.values.challenges import Answer
from db.values.matches import Ending, NewEntry
from db.values.proposals import Matter, NewProposal, Proposal, ProposalClosed, ProposalExists
from rules.core.match import DRAW, Ply
from tests.db.given import DRAWN, LATER, NOW, match_of, started


def offer(match: int, seat: int = 0, matter: Matter = Matter.DRAW, at: datetime = NOW) -> NewProposal:
    return NewProposal(match, matter, seat, 0, at)


async def proposed(store: Store, match: int, matter: Matter = Matter.DRAW) -> Proposal:
    return await store.proposals.add(offer(match, matter=matter), 0)


async def test_a_proposal_comes_back_as_it_was_made(store: Store) -> None:
    match = (await started(store)).id
    made = await proposed(store, match)
    assert made == Proposal(made.id, match, Matter.DRAW, 0, 0, NOW, Answer.OPEN, ())
    assert await store.proposals.get(made.id) == made
    other = await proposed(store, match, Matter.TAKEBACK)
    await store.proposals.note_told([made.id])
    assert await store.proposals.get(made.id) == replace(made, told=True)
    assert await store.proposals.get(other.id) == other
    assert await store.proposals.get(other.id + 1) is None


async def test_only_one_proposal_of_a_matter_is_open_in_a_match(store: Store) -> None:
    match, other = (await started(store)).id, (await started(store)).id
    made = await proposed(store, match)
    with pytest.raises(ProposalExists) as met:
        await store.proposals.add(offer(match, seat=1), 0)
    assert met.value.proposal == made
    beside = await proposed(store, match, Matter.TAKEBACK)
    elsewhere = await proposed(store, other)
    assert await store.proposals.open(match) == [made, beside]
    assert await store.proposals.open() == [made, beside, elsewhere]
    await store.proposals.close(made.id, Answer.DECLINED, LATER)
    again = await store.proposals.add(offer(match, seat=1), 0)
    assert await store.proposals.open(match) == [beside, again]
    assert (await store.proposals.last(match, Matter.DRAW, 0)) == await store.proposals.get(made.id)
    assert await store.proposals.last(match, Matter.TAKEBACK, 1) is None


async def test_a_board_shows_open_proposals_and_those_of_its_position(store: Store) -> None:
    match, other = (await started(store)).id, (await started(store)).id
    await proposed(store, other)
    early = await proposed(store, match)
    declined = await store.proposals.close(early.id, Answer.DECLINED, LATER)
    assert await store.proposals.made_at(match, 0) == [declined]
    open_ = await store.proposals.add(replace(offer(match, 1), shown=1, made_at=LATER), 0)
    assert await store.proposals.made_at(match, 0) == [declined, open_]
    assert await store.proposals.made_at(match, 2) == [open_]
    settled = await store.proposals.close(open_.id, Answer.WITHDRAWN, LATER)
    assert await store.proposals.made_at(match, 1) == [settled]
    assert await store.proposals.made_at(match, 2) == []


async def test_what_is_settled_stays_settled(store: Store) -> None:
    match = (await started(store)).id
    made = await proposed(store, match)
    closed = await store.proposals.close(made.id, Answer.WITHDRAWN, LATER)
    assert closed.answer is Answer.WITHDRAWN
    for attempt in (
        store.proposals.close(made.id, Answer.DECLINED, LATER),
        store.proposals.agree(made.id, 1, LATER),
        store.matches.append(
            match, 0, NewEntry(Ply(None, DRAW), LATER), Ending((DRAWN, DRAWN)), proposal=made.id
        ),
    ):
        with pytest.raises(ProposalClosed) as met:
            await attempt
        assert met.value.proposal == closed
    stored = await match_of(store, match)
    assert (stored.log, stored.outcomes) == ((), None)
    for late in (
        store.proposals.close(99, Answer.DECLINED, LATER),
        store.proposals.agree(99, 0, LATER),
    ):
        with pytest.raises(LookupError):
            await late
