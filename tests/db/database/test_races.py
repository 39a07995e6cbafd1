"""Concurrent changes: one succeeds, the others raise, nothing is half done. No test depends on speed."""

import asyncio
from collections import Counter
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.rating_math import outcomes_of
from db.store import Store
from db.values.challenges import Answer, ChallengeChanged, RematchExists
from db.values.events import (
    Deed,
    Entrant,
    Event,
    EventChange,
    EventChanged,
    EventState,
    NewPairing,
    Stage,
    StoredDeed,
)
from db.values.matches import Beginning, Ending, MovedOn, NewEntry
from db.values.proposals import Matter, NewProposal, ProposalClosed, ProposalExists
from rules.core.match import DRAW, VOID, Ply
from tests.db.given import (
    ANNA,
    BERT,
    CLEO,
    DEADLINE,
    DRAWN,
    FIRST,
    IN,
    LOST,
    NOW,
    SKULL,
    WON,
    accept,
    challenge_of,
    challenged,
    close,
    event_of,
    event_running,
    expire,
    match_of,
    new_challenge,
    new_event,
    new_lobby,
    standing,
    started,
)
from tests.db.ladder import assert_counted, begin_job, everything

pytestmark = pytest.mark.on_postgresql

PLIES = 3
RACERS = 4


async def race(store: Store, match: int, racer: int) -> list[tuple[int, str]]:
    """Play a match to its end against concurrent players. Return the plies that were stored."""
    ours: list[tuple[int, str]] = []
    while True:
        found = await match_of(store, match)
        if found.finished_at is not None:
            return ours
        ply = len(found.log)
        text = f"by {racer}"
        try:
            last = (WON, LOST) if ply == PLIES - 1 else None
            await store.matches.append(
                match, ply, NewEntry(Ply(ply % 2, text), NOW), None if last is None else Ending(last)
            )
        except MovedOn:
            continue
        ours.append((ply, text))


async def test_only_one_racing_ply_of_two_processes_is_stored(stores: tuple[Store, Store]) -> None:
    match = (await started(stores[0])).id
    racers = enumerate([*stores] * (RACERS // 2))
    won = await asyncio.gather(*(race(store, match, racer) for racer, store in racers))
    final = await match_of(stores[0], match)
    assert sorted(ply for ours in won for ply in ours) == [(n, ply.text) for n, ply in enumerate(final.log)]
    assert len(final.log) == PLIES
    assert final.outcomes == (WON, LOST)


@pytest.mark.soak
async def test_matches_do_not_disturb_each_other(stores: tuple[Store, Store]) -> None:
    matches = [(await started(stores[0])).id for _ in range(RACERS)]

    async def play(store: Store, match: int) -> None:
        for ply in range(PLIES):
            await store.matches.append(match, ply, NewEntry(Ply(ply % 2, f"{match}:{ply}"), NOW))

    await asyncio.gather(*(play(stores[n % 2], match) for n, match in enumerate(matches)))
    for match in matches:
        found = await match_of(stores[0], match)
        assert [ply.text for ply in found.log] == [f"{match}:{ply}" for ply in range(PLIES)]


async def outcome_of(attempt: Awaitable[object]) -> str:
    try:
        await attempt
    except ChallengeChanged as met:
        return f"told {met.challenge.answer}"
    return "did it"


@pytest.mark.soak
async def test_a_challenge_is_accepted_once(stores: tuple[Store, Store]) -> None:
    challenge = await challenged(stores[0])
    outcomes = await asyncio.gather(*(outcome_of(accept(stores[n % 2], challenge)) for n in range(RACERS)))
    assert Counter(outcomes) == {"did it": 1, "told accepted": RACERS - 1}
    assert len(await stores[0].matches.running()) == 1


async def test_a_challenge_is_accepted_or_declined_but_not_both(stores: tuple[Store, Store]) -> None:
    for _ in range(PLIES):
        challenge = await challenged(stores[0])
        outcomes = await asyncio.gather(
            outcome_of(accept(stores[0], challenge)),
            outcome_of(close(stores[1], challenge, Answer.DECLINED)),
        )
        closed = await challenge_of(stores[0], challenge.id)
        assert set(outcomes) == {"did it", f"told {closed.answer}"}
        assert (outcomes[0] == "did it") == (closed.answer is Answer.ACCEPTED) == (closed.match is not None)


async def test_only_one_member_gets_the_last_seat(stores: tuple[Store, Store]) -> None:
    for _ in range(PLIES):
        lobby = await stores[0].challenges.add(new_lobby(most=2))
        full = [standing(lobby, (ANNA, IN), (BERT + n, IN), answer=Answer.ACCEPTED) for n in range(4)]
        outcomes = await asyncio.gather(
            *(
                outcome_of(stores[n % 2].challenges.accept(lobby, after, after.users(IN), 1, NOW))
                for n, after in enumerate(full)
            ),
            outcome_of(close(stores[1], lobby, Answer.WITHDRAWN)),
        )
        stands = await challenge_of(stores[0], lobby.id)
        assert Counter(outcomes) == {"did it": 1, f"told {stands.answer}": 4}
        winner = outcomes.index("did it")
        if winner < 4:
            assert stands == replace(full[winner], match=stands.match)
            match = await match_of(stores[1], stands.match or 0)
            assert match.users == full[winner].users(IN)
        else:
            assert stands.match is None


async def test_members_who_join_at_once_are_all_told_how_it_stands(stores: tuple[Store, Store]) -> None:
    """Members who are refused try again with the newer state, until all have joined."""
    lobby = await stores[0].challenges.add(new_lobby(most=RACERS))

    async def join(store: Store, user: int) -> None:
        before = lobby
        while True:
            known = [(it.user, it.reply) for it in before.participants]
            try:
                return await store.challenges.change(before, standing(before, *known, (user, IN)), NOW)
            except ChallengeChanged as met:
                before = met.challenge

    guests = range(BERT, BERT + PLIES)
    async with asyncio.timeout(60):
        await asyncio.gather(*(join(stores[n % 2], user) for n, user in enumerate(guests)))
    stands = await challenge_of(stores[1], lobby.id)
    assert sorted(stands.others) == list(guests)


@pytest.mark.soak
async def test_a_game_is_started_as_it_stands_or_not(stores: tuple[Store, Store]) -> None:
    """The challenger starts with two while a third joins and the second leaves: only one of these succeeds."""
    for _ in range(PLIES):
        lobby = await stores[0].challenges.add(new_lobby())
        two = standing(lobby, (ANNA, IN), (BERT, IN))
        await stores[0].challenges.change(lobby, two, NOW)
        outcomes = await asyncio.gather(
            outcome_of(
                stores[0].challenges.accept(two, replace(two, answer=Answer.ACCEPTED), (ANNA, BERT), 1, NOW)
            ),
            outcome_of(
                stores[1].challenges.change(two, standing(two, (ANNA, IN), (BERT, IN), (BERT + 1, IN)), NOW)
            ),
            outcome_of(stores[1].challenges.change(two, standing(two, (ANNA, IN)), NOW)),
        )
        assert outcomes.count("did it") == 1
        stands = await challenge_of(stores[1], lobby.id)
        assert (stands.match is not None) == (outcomes[0] == "did it")
        assert stands.users(IN) == ((ANNA, BERT), (ANNA, BERT, BERT + 1), (ANNA,))[outcomes.index("did it")]


async def test_each_challenge_expires_in_one_process(stores: tuple[Store, Store]) -> None:
    made = [await challenged(stores[0]) for _ in range(RACERS)]
    accepting = asyncio.gather(*(outcome_of(accept(stores[0], challenge)) for challenge in made[::4]))
    sweeps = await asyncio.gather(*(expire(stores[n % 2], DEADLINE) for n in range(4)))
    accepted = (await accepting).count("did it")
    expired = [it.id for swept in sweeps for it in swept]

    assert len(expired) == len(set(expired))
    assert len(expired) + accepted == RACERS
    assert len(await stores[0].matches.running()) == accepted
    assert await stores[0].challenges.open() == []


async def settled(attempt: Awaitable[object]) -> str:
    try:
        await attempt
    except (ProposalClosed, MovedOn, ProposalExists) as met:
        return type(met).__name__
    return "did it"


async def test_one_of_a_matter_is_proposed(stores: tuple[Store, Store]) -> None:
    match = (await started(stores[0])).id
    outcomes = await asyncio.gather(
        *(
            settled(stores[n % 2].proposals.add(NewProposal(match, Matter.DRAW, n % 2, 0, NOW), 0))
            for n in range(RACERS)
        )
    )
    assert Counter(outcomes) == {"did it": 1, "ProposalExists": RACERS - 1}


async def test_a_proposal_is_carried_out_or_declined_or_overtaken(stores: tuple[Store, Store]) -> None:
    """Against a move, a refusal and itself in another process: exactly one of them succeeds."""
    for _ in range(PLIES):
        match = (await started(stores[0])).id
        made = await stores[0].proposals.add(NewProposal(match, Matter.DRAW, 0, 0, NOW), 0)
        draw = (match, 0, NewEntry(Ply(None, DRAW), NOW), Ending((DRAWN, DRAWN)))
        outcomes = await asyncio.gather(
            settled(stores[0].matches.append(*draw, proposal=made.id)),
            settled(stores[1].matches.append(*draw, proposal=made.id)),
            settled(stores[1].matches.append(match, 0, NewEntry(FIRST, NOW))),
            settled(stores[0].proposals.close(made.id, Answer.DECLINED, NOW)),
        )
        found, closed = await stores[0].matches.load(match), await stores[1].proposals.get(made.id)
        assert found is not None
        assert closed is not None
        carried_out = outcomes[:2].count("did it")
        assert carried_out + outcomes[3:].count("did it") == 1
        assert (closed.answer is Answer.ACCEPTED) == (carried_out == 1) == (found.finished_at is not None)
        assert len(found.log) == outcomes[:3].count("did it") <= 1


async def test_a_match_is_played_again_once(stores: tuple[Store, Store]) -> None:
    match = (await started(stores[0])).id
    again = replace(new_challenge(), rematch_of=match)
    asked = await asyncio.gather(
        *(stores[n % 2].challenges.add(again) for n in range(RACERS)), return_exceptions=True
    )
    (made,) = (it for it in asked if not isinstance(it, BaseException))
    others = [it.challenge for it in asked if isinstance(it, RematchExists)]
    assert others == [made] * (RACERS - 1)
    assert await stores[1].challenges.rematch_of(match) == made
    assert await stores[1].challenges.rematch_of(match + 1) is None


async def test_the_last_of_racing_consents_sees_them_all(stores: tuple[Store, Store]) -> None:
    made = await stores[0].proposals.add(
        NewProposal((await started(stores[0])).id, Matter.DRAW, 0, 0, NOW), 0
    )
    seen = await asyncio.gather(*(stores[n % 2].proposals.agree(made.id, n, NOW) for n in range(1, 6)))
    assert max((each.agreed for each in seen), key=len) == (1, 2, 3, 4, 5)


@pytest.mark.soak
async def test_giving_up_in_the_middle_leaves_nothing_half_done(store: Store) -> None:
    """Tasks are cancelled, each time after a few more cycles of the event loop."""
    kept = []  # what they died of: its traceback holds on to what they were using
    for patience in range(0, 40, 13):
        match = (await started(store)).id
        tasks = [
            asyncio.create_task(
                store.matches.append(match, 0, NewEntry(Ply(0, str(n)), NOW), Ending((WON, LOST)))
            )
            for n in range(5)
        ]
        for _ in range(patience):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        kept.append(await asyncio.gather(*tasks, return_exceptions=True))

        found = await match_of(store, match)
        assert len(found.log) <= 1
        assert bool(found.log) == (found.finished_at is not None) == (found.outcomes is not None)
        if not found.log:  # and the next one does not wait
            await store.matches.append(match, 0, NewEntry(FIRST, NOW))


async def test_a_match_is_broken_off_once_whoever_plays_meanwhile(stores: tuple[Store, Store]) -> None:
    one, other = stores
    for _ in range(2):
        match = await started(one)
        results = await asyncio.gather(
            one.matches.append(match.id, 0, NewEntry(FIRST, NOW), Ending((WON, LOST))),
            *(
                store.matches.break_off(match.id, 0, Ply(None, VOID), NOW, "spam")
                for store in (one, other) * 3
            ),
            return_exceptions=True,
        )
        assert sum(isinstance(result, MovedOn) for result in results) == 6
        found = await match_of(one, match.id)
        assert len(found.log) == 1
        assert (found.outcomes is None) == (found.void is not None) == (found.log[0] == Ply(None, VOID))


async def test_matches_that_share_players_are_rated_one_after_the_other(
    stores: tuple[Store, Store], engine: AsyncEngine
) -> None:
    """The ratings are those that the matches give in the order in which they were rated."""
    ranks: dict[int, tuple[int, ...]] = {}
    for n in range(RACERS):
        users = (CLEO + n % 4, CLEO + n % 3 + 4) if n % 2 else (CLEO + n % 4, CLEO + (n + 1) % 4, CLEO + 9)
        match = await started(stores[0], users, setup=replace(SKULL, players=len(users)))
        ranks[match.id] = tuple((1, 2, 2)[: len(users)]) if n % 3 else (1,) * len(users)
    async with asyncio.timeout(120):
        await asyncio.gather(
            *(
                stores[n % 2].matches.append(
                    match, 0, NewEntry(FIRST, NOW), Ending(outcomes_of(its), ranks=its)
                )
                for n, (match, its) in enumerate(ranks.items())
            )
        )
    before = await everything(engine)
    assert len(before[1]) == sum(map(len, ranks.values()))
    await assert_counted(engine)
    assert await stores[1].ratings.rebuild(lambda match: ranks[match.id], NOW) == RACERS
    assert await everything(engine) == before


@pytest.mark.soak
async def test_two_processes_recompute_the_same_ratings(
    stores: tuple[Store, Store], engine: AsyncEngine
) -> None:
    """While another match ends: all ratings are those that a rebuild comes to."""
    again = await begin_job(stores[0], (ANNA, BERT))
    running = [(await started(stores[0], (BERT, user))).id for user in (ANNA, CLEO)]

    async def recompute(store: Store) -> None:
        while await store.ratings.recompute(NOW, 1):
            pass

    await asyncio.gather(
        *(recompute(store) for store in stores),
        *(
            store.matches.append(match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), ranks=(1, 2)))
            for store, match in zip(stores, running, strict=True)
        ),
    )
    await recompute(stores[0])
    await assert_counted(engine)
    after = await everything(engine)
    ranks = dict.fromkeys((again, *running), (1, 2))
    assert await stores[1].ratings.rebuild(lambda match: ranks.get(match.id), NOW) == 3
    assert await everything(engine) == after


async def test_a_stage_that_two_processes_begin_is_begun_once(store: Store) -> None:
    event = await event_of(store, await store.events.add(new_event()))
    change = EventChange(
        state=EventState.RUNNING,
        joined=[Entrant(0, ANNA), Entrant(1, BERT)],
        stage=Stage(0, NOW, DEADLINE),
        pairings=[NewPairing(0, 0, 1, True, Beginning(1)), NewPairing(0, 1, 0, True, Beginning(1))],
    )
    raced = await asyncio.gather(
        *(store.events.change(event, change, NOW) for _ in range(RACERS)), return_exceptions=True
    )
    assert Counter(map(type, raced)) == {EventChanged: RACERS - 1, Event: 1}
    after = await event_of(store, event.id)
    assert len(after.pairings) == 2
    assert len(await store.matches.running(user=ANNA)) == 2


@pytest.mark.soak
async def test_an_event_changes_while_its_matches_end_and_its_members_are_deleted(store: Store) -> None:
    """None of them waits for another for ever, and the table holds every result."""
    users = (ANNA, BERT, CLEO, 104, 105)
    event = await event_running(store, users)
    ended = event.pairings[4:]
    for pairing in event.pairings[:4]:
        await store.matches.append(pairing.match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))

    async def changing() -> None:
        for _ in range(8):
            found = await event_of(store, event.id)
            with suppress(EventChanged):
                await store.events.change(found, EventChange(deeds=[StoredDeed(0, Deed.LATE, NOW)]), NOW)

    await asyncio.gather(
        changing(),
        changing(),
        *(store.matches.append(it.match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST))) for it in ended),
        store.privacy.erase(ANNA),
    )
    found = await event_of(store, event.id)
    assert [it.outcome for it in found.pairings] == [WON] * 10
    assert found.entrants[0].user < 0
    assert found.version >= event.version + 10
