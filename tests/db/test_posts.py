"""The outbox in the store: what raises the version of a post, and which posts are to be published."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from db.engine import open_store
from db.store import Store
from db.values.challenges import Answer
from db.values.clocks import SeatClock, TimeControl
from db.values.matches import Award, Beginning, Ending, MovedOn, NewEntry, Panel
from db.values.places import Ownership, Place, Shards
from db.values.posts import Companion, OpeningPace, Post, PostKind
from db.values.proposals import Matter, NewProposal
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER
from rules.core.match import DRAW, VOID, Ply
from tests.db.given import (
    ANNA,
    ASKED,
    BERT,
    CHANNEL,
    CLEO,
    DEADLINE,
    DECLINED,
    DRAWN,
    FIRST,
    GUILD,
    IN,
    LATER,
    LOST,
    NOW,
    PLACE,
    SECOND,
    WON,
    accept,
    accepted,
    challenged,
    expire,
    finished,
    first_of_two,
    match_of,
    new_challenge,
    pending,
    post_of,
    publish,
    second_game,
    second_of_two,
    show,
    standing,
    started,
)

DAY = "2026-03-01"
SECONDS = timedelta(seconds=1)
RESULTS = {
    (PostKind.RESULT, ""): False,
    (PostKind.VOID, "here"): False,
    (PostKind.VOID, "results"): False,
}


async def shown_board(store: Store, match: int, plies: int = 0) -> Post:
    return await show(store, match, Panel(CHANNEL, 1000 + match, plies))


async def announced(store: Store, match: int) -> list[tuple[PostKind, str]]:
    """Return the kinds and keys of the announcements of a match."""
    return [it for it in RESULTS if await store.posts.get(it[0], match, it[1]) is not None]


async def propose(store: Store, match: int) -> int:
    return (await store.proposals.add(NewProposal(match, Matter.DRAW, 0, 0, NOW), 0)).id


async def agree(store: Store, match: int) -> None:
    (made,) = await store.proposals.open(match)
    await store.proposals.agree(made.id, 1, LATER)


async def settle(store: Store, match: int) -> None:
    (made,) = await store.proposals.open(match)
    await store.proposals.close(made.id, Answer.DECLINED, LATER)


CHANGES: dict[str, Callable[[Store, int], Awaitable[object]]] = {
    "move": lambda store, match: store.matches.append(match, 0, NewEntry(FIRST, LATER)),
    "last move": lambda store, match: store.matches.append(
        match, 0, NewEntry(FIRST, LATER), Ending((WON, LOST), awards=[Award(0, "done")])
    ),
    "agreed draw": lambda store, match: store.matches.append(
        match, 0, NewEntry(Ply(None, DRAW), LATER), Ending((DRAWN, DRAWN))
    ),
    "broken off": lambda store, match: store.matches.break_off(match, 0, Ply(None, VOID), LATER, "spam"),
    "agreement": agree,
    "answer": settle,
    "hint": lambda store, match: store.matches.take_hint(match, 0, 0),
    "changed": lambda store, match: store.posts.change(PostKind.BOARD, match, LATER),
}


async def test_changes_of_a_match_make_its_board_pending(store: Store) -> None:
    matches = {name: (await started(store)).id for name in CHANGES}
    for match in matches.values():
        await shown_board(store, match)
    for match in matches.values():
        await propose(store, match)
        assert await pending(store) == [match]
        await shown_board(store, match)
    for name, match in matches.items():
        before = await post_of(store, PostKind.BOARD, match)
        assert await pending(store) == []
        await CHANGES[name](store, match)
        assert await pending(store) == [match], name
        after = await post_of(store, PostKind.BOARD, match)
        # A hint has no time of its own: it is due at once.
        due = before.due_at if name == "hint" else LATER
        assert after == replace(before, version=before.version + 1, due_at=due)
        await shown_board(store, match, after.progress)


async def test_refused_changes_leave_the_board_as_it_is(store: Store) -> None:
    match = (await started(store)).id
    post = await shown_board(store, match)
    for attempt in (
        store.matches.append(match, 1, NewEntry(FIRST, LATER)),
        store.matches.break_off(match, 1, Ply(None, VOID), LATER, "spam"),
        store.matches.void(match, LATER, "two accounts"),
        store.matches.take_hint(match, 1, 0),
        store.proposals.add(NewProposal(match, Matter.DRAW, 0, 0, NOW), 1),
    ):
        with pytest.raises(MovedOn):
            await attempt
    assert await post_of(store, PostKind.BOARD, match) == post
    assert await announced(store, match) == []


async def test_time_that_is_given_back_makes_boards_pending(store: Store) -> None:
    new = new_challenge()
    timed = await store.challenges.add(
        replace(new, terms=replace(new.terms, time_control=TimeControl(timedelta(days=1))))
    )
    clocks = (SeatClock(timedelta(days=1), NOW + timedelta(days=1)), SeatClock(timedelta(days=1)))
    match = (await store.challenges.accept(timed, accepted(timed), (ANNA, BERT), 1, NOW, clocks)).id
    for it in (match, (await started(store)).id):
        await shown_board(store, it)
    await store.clocks.alive(NOW, SECONDS)
    await store.clocks.alive(NOW + SECONDS, SECONDS)
    assert await pending(store) == []
    assert await store.clocks.alive(LATER, SECONDS) == [match]
    assert await pending(store, at=LATER) == [match]


async def test_result_is_announced_when_a_match_ends(store: Store) -> None:
    match = (await started(store)).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    assert await announced(store, match) == []
    await store.matches.append(match, 1, NewEntry(SECOND, LATER), Ending((WON, LOST)))
    broken = (await started(store)).id
    await store.matches.break_off(broken, 0, Ply(None, VOID), NOW, "spam")
    assert await announced(store, match) == await announced(store, broken) == [(PostKind.RESULT, "")]
    found = await post_of(store, PostKind.RESULT, match)
    assert (found.guild, found.channel, found.due_at, found.message) == (GUILD, CHANNEL, LATER, None)
    assert await pending(store, PostKind.RESULT) == [broken, match], "the one that waits longest comes first"
    await store.posts.forget(found.id)
    assert await pending(store, PostKind.RESULT) == [broken]


@pytest.mark.parametrize("told", [True, False])
async def test_reverted_result_is_announced_in_both_channels(store: Store, told: bool) -> None:
    """A result that is not announced yet is announced by itself."""
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await shown_board(store, match, 1)
    if told:
        await store.posts.forget((await post_of(store, PostKind.RESULT, match)).id)
    await store.matches.void(match, LATER, "two accounts")
    assert await announced(store, match) == list(RESULTS)[told:]
    assert (await post_of(store, PostKind.VOID, match, "here")).due_at == LATER
    assert await pending(store) == [match]


async def test_nothing_is_announced_in_direct_messages(store: Store) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST), place=Place(None, CHANNEL))
    await store.matches.void(match, LATER, "two accounts")
    assert await announced(store, match) == []
    assert await pending(store, None) == []


async def test_second_game_gets_its_board_with_the_end_of_the_first(store: Store) -> None:
    first = await first_of_two(store)
    await shown_board(store, first.id)
    await store.matches.append(first.id, 0, NewEntry(FIRST, LATER), Ending((WON, LOST), then=Beginning(1)))
    second = await second_game(store, first.id)
    assert await pending(store) == [first.id, second]
    board = await post_of(store, PostKind.BOARD, second)
    assert (board.version, board.shown, board.due_at, board.channel) == (1, None, LATER, CHANNEL)


@pytest.mark.parametrize("number", [0, 1])
async def test_reverting_a_game_of_two_changes_the_boards(store: Store, number: int) -> None:
    """The result of both games is on the board of the second."""
    second = await second_of_two(store)
    assert second.first is not None
    await store.matches.append(second.id, 0, NewEntry(FIRST, NOW), Ending((DRAWN, DRAWN), ranks=(2, 1)))
    games = (second.first.id, second.id)
    for game in games:
        await shown_board(store, game, 1)
    await store.matches.void(games[number], LATER, "two accounts")
    assert await pending(store) == list(games[number:])


async def test_replies_make_the_card_pending(store: Store) -> None:
    made = await store.challenges.add(replace(new_challenge(), public=True))
    card = await post_of(store, PostKind.CARD, made.id)
    assert (card.guild, card.channel, card.version, card.due_at) == (GUILD, CHANNEL, 1, NOW)
    assert card.pending

    joined = standing(made, (ANNA, IN), (BERT, IN), (CLEO, ASKED))
    declined = standing(made, (ANNA, IN), (BERT, IN), (CLEO, DECLINED), answer=Answer.DECLINED)
    for before, after in ((made, joined), (joined, declined)):
        await publish(store, PostKind.CARD, made.id)
        assert await pending(store, PostKind.CARD) == []
        await store.challenges.change(before, after, LATER)
        assert await pending(store, PostKind.CARD) == [made.id]
    assert (await post_of(store, PostKind.CARD, made.id)).due_at == LATER


async def test_accepted_and_expired_challenges_make_the_card_pending(store: Store) -> None:
    made, late, young = [await challenged(store) for _ in range(2)], await challenged(store), None
    young = await store.challenges.add(new_challenge(expires_at=DEADLINE + SECONDS))
    taken, other = made
    for it in (taken, other, late, young):
        await publish(store, PostKind.CARD, it.id)
    match = await accept(store, taken, at=LATER)
    assert await pending(store, PostKind.CARD) == [taken.id]
    board = await post_of(store, PostKind.BOARD, match.id)
    assert (board.guild, board.channel, board.shown, board.due_at) == (GUILD, CHANNEL, None, LATER)
    await expire(store, DEADLINE)
    assert await pending(store, PostKind.CARD) == [taken.id, other.id, late.id]


async def solve(store: Store, user: int, seconds: int, puzzle: str = "skull-1", guild: int = GUILD) -> None:
    """End an attempt at a puzzle after some seconds."""
    tried = Attempt(user, puzzle, NOW, guild=guild)
    ended = replace(tried, moves=("d4",), solved=True, ended=NOW + seconds * SECONDS)
    await store.puzzles.keep_attempt(tried, ended, NEWCOMER)


async def daily(store: Store, *guilds: int) -> None:
    await store.puzzles.choose(NOW.date(), "skull-1")
    await store.posts.add(PostKind.PUZZLE, DAY, [(guild, CHANNEL) for guild in guilds], NOW)


async def test_attempts_of_a_minute_update_the_daily_post_once(store: Store) -> None:
    await daily(store, GUILD, GUILD + 1)
    for guild in (GUILD, GUILD + 1):
        await publish(store, PostKind.PUZZLE, guild, key=DAY)
    begun = Attempt(CLEO, "skull-1", NOW, guild=GUILD)
    await store.puzzles.keep_attempt(begun, replace(begun, moves=("a1",)), NEWCOMER)
    await solve(store, CLEO + 1, 0, "skull-2")
    assert await pending(store, PostKind.PUZZLE) == [], "an attempt that goes on, and another puzzle"

    await solve(store, ANNA, 0)
    await solve(store, BERT, 50)
    due = NOW + timedelta(minutes=1)
    assert await pending(store, PostKind.PUZZLE, due - SECONDS) == []
    assert await pending(store, PostKind.PUZZLE, due) == [GUILD]
    post = await publish(store, PostKind.PUZZLE, GUILD, key=DAY)
    assert (post.version, post.due_at) == (3, due)
    await solve(store, CLEO + 2, 70)
    assert (await post_of(store, PostKind.PUZZLE, GUILD, DAY)).due_at == NOW + timedelta(seconds=130)


async def test_attempt_does_not_post_a_daily_message_that_was_given_up(store: Store) -> None:
    """It is perhaps in the channel: none is better than two. One that is being posted is updated."""
    await daily(store, GUILD, GUILD + 1)
    await publish(store, PostKind.PUZZLE, GUILD, None, DAY)
    being_posted = await post_of(store, PostKind.PUZZLE, GUILD + 1, DAY)
    for number, guild in enumerate((GUILD, GUILD + 1)):
        await solve(store, ANNA + number, 0, guild=guild)
    await store.posts.keep(replace(being_posted, shown=being_posted.version, message=6))
    assert await pending(store, PostKind.PUZZLE) == [GUILD + 1]
    await publish(store, PostKind.PUZZLE, GUILD + 1, 6, DAY)
    await store.posts.close(PostKind.PUZZLE, "2026-03-02", LATER)
    assert await pending(store, PostKind.PUZZLE) == [GUILD + 1]


async def test_erasing_a_member_updates_messages_that_name_them(store: Store) -> None:
    theirs = await finished(store, (ANNA, BERT), (WON, LOST))
    others = await finished(store, (BERT, CLEO), (WON, LOST))
    unposted = await finished(store, (ANNA, BERT), (WON, LOST))
    for match in (theirs, others):
        await shown_board(store, match, 1)
    await publish(store, PostKind.BOARD, unposted, None)
    cards = [await challenged(store, *users) for users in ((BERT, ANNA), (BERT, CLEO))]
    for card in cards:
        await store.challenges.change(card, standing(card, answer=Answer.DECLINED), NOW)
        await publish(store, PostKind.CARD, card.id)
    await daily(store, GUILD, GUILD + 1, GUILD + 2)
    for guild, progress in ((GUILD, 0), (GUILD + 1, 0), (GUILD + 2, 1)):
        post = await publish(store, PostKind.PUZZLE, guild, key=DAY)
        await store.posts.keep(replace(post, progress=progress))
    await solve(store, ANNA, 0)
    await publish(store, PostKind.PUZZLE, GUILD, key=DAY)
    await store.privacy.erase(ANNA)
    assert await pending(store) == [theirs]
    assert [it for it in await pending(store, PostKind.CARD) if it in [card.id for card in cards]] == [
        cards[0].id
    ]
    assert await pending(store, PostKind.PUZZLE) == [GUILD]


def numbers(posts: Iterable[Post]) -> list[int]:
    return [post.subject for post in posts]


async def due_posts(store: Store) -> list[Post]:
    """Add daily posts of four servers, which are due one after the other, the last one first."""
    for number in range(4):
        await store.posts.add(
            PostKind.PUZZLE, DAY, [(GUILD + number, CHANNEL + number)], NOW - number * SECONDS
        )
    return [await post_of(store, PostKind.PUZZLE, GUILD + number, DAY) for number in range(4)]


@pytest.mark.both_databases
async def test_pending_posts_come_in_the_order_of_their_due_times(store: Store) -> None:
    first, second, third, fourth = await due_posts(store)
    assert await store.posts.pending(NOW, 10) == [fourth, third, second, first]
    assert await store.posts.pending(NOW, 2) == [fourth, third]
    assert await store.posts.pending(NOW - SECONDS, 10) == [fourth, third, second]
    assert await store.posts.pending(NOW, 2, [fourth.id, second.id]) == [third, first]
    await store.posts.keep(replace(third, shown=1, message=5))
    assert await store.posts.pending(NOW, 10) == [fourth, second, first]


async def test_pending_posts_leave_out_departed_servers(store: Store) -> None:
    first, *others = await due_posts(store)
    await store.servers.depart(NOW, GUILD)
    assert await store.posts.pending(NOW, 10) == others[::-1]
    await store.servers.come_back(GUILD)
    assert await store.posts.pending(NOW, 10) == [*others[::-1], first]


async def test_pending_posts_are_those_of_served_servers(
    store: Store, store_url: str, tmp_path: Path
) -> None:
    """Of the shards that the process serves, and not banned. Direct messages have no posts to publish later."""
    guilds = [(number << 22) + 7 for number in range(4)]
    await store.posts.add(PostKind.PUZZLE, DAY, [(guild, CHANNEL) for guild in guilds], NOW)
    await started(store, place=Place(None, CHANNEL))
    for shard in range(2):
        ownership = Ownership(Shards.some(2, {shard}))
        async with open_store(store_url, tmp_path, ownership) as other:
            assert numbers(await other.posts.pending(NOW, 10)) == guilds[shard::2]
            ownership.banned = frozenset({guilds[shard]})
            assert numbers(await other.posts.pending(NOW, 10)) == [guilds[shard + 2]]
    assert numbers(await store.posts.pending(NOW, 10)) == guilds


@pytest.mark.on_postgresql
async def test_pace_of_direct_messages_is_shared(store: Store, store_url: str, tmp_path: Path) -> None:
    """Two processes that reserve at the same time get different times."""
    reserved = []

    def reserve(pace: OpeningPace) -> OpeningPace:
        after = replace(pace, free_at=max(NOW, pace.free_at + SECONDS))
        reserved.append(after.free_at)
        return after

    async with open_store(store_url, tmp_path) as other:
        reserving = [it.direct_messages.change_pace(reserve) for _ in range(10) for it in (store, other)]
        await asyncio.gather(*reserving)
    assert sorted(reserved) == [NOW + number * SECONDS for number in range(20)]


async def test_posts_in_direct_messages_wait_in_their_channel(store: Store) -> None:
    direct = [await started(store, place=Place(None, 7)) for _ in range(2)]
    await started(store, place=Place(None, 8))
    await started(store, place=Place(GUILD, 7))
    boards = [await post_of(store, PostKind.BOARD, match.id) for match in direct]
    found = await store.posts.pending_in(7)
    assert [it for it in found if it.kind is PostKind.BOARD] == boards
    await show(store, direct[0].id, Panel(7, 5, 0))
    found = await store.posts.pending_in(7)
    assert [it for it in found if it.kind is PostKind.BOARD] == boards[1:]


async def test_published_post_stays_pending_if_it_changed_meanwhile(store: Store) -> None:
    match = (await started(store)).id
    read = await post_of(store, PostKind.BOARD, match)
    await store.matches.append(match, 0, NewEntry(FIRST, LATER))
    companions = (Companion(CHANNEL, 6, 0, 1), Companion(CHANNEL, 7, 1, 1, 4), Companion(CHANNEL, 8))
    kept = replace(
        read, shown=read.version, message=5, channel=9, progress=0, pinned=True, companions=companions
    )
    await store.posts.keep(kept)
    after = await post_of(store, PostKind.BOARD, match)
    # It was pending before the move, and so it is due as early as before.
    assert after == replace(kept, version=read.version + 1)
    assert await pending(store) == [match]
    await show(store, match, Panel(CHANNEL, 5, 1))
    assert await pending(store) == []


async def test_change_of_a_pending_post_does_not_delay_it(store: Store) -> None:
    match = (await started(store)).id
    for at in (LATER, LATER + SECONDS):
        await store.posts.change(PostKind.BOARD, match, at)
    assert (await post_of(store, PostKind.BOARD, match)).due_at == NOW
    post = await shown_board(store, match)
    changed = await store.posts.change(PostKind.BOARD, match, LATER)
    assert changed == replace(post, version=post.version + 1, due_at=LATER)
    assert await store.posts.change(PostKind.BOARD, match, LATER, "other") is None


async def test_post_of_a_key_is_added_once(store: Store) -> None:
    await store.posts.add(PostKind.PUZZLE, DAY, [(GUILD, CHANNEL)], NOW)
    before = await publish(store, PostKind.PUZZLE, GUILD, key=DAY)
    await store.posts.add(PostKind.PUZZLE, DAY, [(GUILD, CHANNEL + 1), (GUILD + 1, CHANNEL)], LATER)
    assert await post_of(store, PostKind.PUZZLE, GUILD, DAY) == before
    assert (await post_of(store, PostKind.PUZZLE, GUILD + 1, DAY)).due_at == LATER
    for kind, key in ((PostKind.PUZZLE, "2026-03-02"), (PostKind.MOMENT, DAY)):
        await store.posts.add(kind, key, [(GUILD, CHANNEL)], NOW)
        assert (await post_of(store, kind, GUILD, key)).pending


async def test_attempt_to_post_is_noted_until_it_is_settled(store: Store) -> None:
    match = (await started(store)).id
    post = await post_of(store, PostKind.BOARD, match)
    for at in (NOW, LATER, None, LATER):
        await store.posts.note_attempt(post.id, at)
        assert await post_of(store, PostKind.BOARD, match) == replace(post, tried_at=at)
    # Another message of an attempt may still be found.
    doubtful = replace(post, message=5, shown=1, tried_at=LATER)
    for kept, waiting in ((doubtful, [match]), (replace(doubtful, tried_at=None), [])):
        await store.posts.keep(kept)
        assert await post_of(store, PostKind.BOARD, match) == kept
        assert await pending(store) == waiting


async def test_postponed_post_is_due_later(store: Store) -> None:
    first, *_ = await due_posts(store)
    await store.posts.postpone(first.id, LATER)
    assert first.subject not in numbers(await store.posts.pending(LATER - SECONDS, 10))
    assert numbers(await store.posts.pending(LATER, 10))[-1] == first.subject


async def test_open_posts_of_earlier_days_are_closed_once(store: Store) -> None:
    days = ("2026-02-27", "2026-02-28", DAY)
    for day in days:
        await store.posts.add(PostKind.PUZZLE, day, [(GUILD, CHANNEL)], NOW)
        await store.posts.add(PostKind.MOMENT, day, [(GUILD, CHANNEL)], NOW)
        for kind in (PostKind.PUZZLE, PostKind.MOMENT):
            await publish(store, kind, GUILD, key=day)
    closed = await post_of(store, PostKind.PUZZLE, GUILD, days[0])
    await store.posts.keep(replace(closed, progress=1))
    for _ in range(2):
        await store.posts.close(PostKind.PUZZLE, DAY, LATER)
        waiting = await store.posts.pending(DEADLINE, 10)
        assert [(it.kind, it.key, it.version, it.due_at) for it in waiting] == [
            (PostKind.PUZZLE, days[1], 2, LATER)
        ]


async def test_posts_of_earlier_days_are_forgotten(store: Store) -> None:
    for kind in (PostKind.PUZZLE, PostKind.MOMENT):
        for day in ("2026-02-28", DAY):
            await store.posts.add(kind, day, [(GUILD, CHANNEL)], NOW)
    await store.posts.forget_before(PostKind.PUZZLE, DAY)
    left = await store.posts.pending(NOW, 10)
    assert [(it.kind, it.key) for it in left] == [
        (PostKind.PUZZLE, DAY),
        (PostKind.MOMENT, "2026-02-28"),
        (PostKind.MOMENT, DAY),
    ]
    await store.posts.forget(left[0].id)
    assert await store.posts.get(PostKind.PUZZLE, GUILD, DAY) is None
    # A message carries the id of its post: no id is used twice.
    await store.posts.add(PostKind.PUZZLE, DAY, [(GUILD, CHANNEL)], NOW)
    assert (await post_of(store, PostKind.PUZZLE, GUILD, DAY)).id > max(it.id for it in left)


async def test_unposted_board_follows_its_match_to_a_thread(store: Store) -> None:
    match, shown = (await started(store)).id, (await started(store)).id
    await shown_board(store, shown)
    for it in (match, shown):
        await store.matches.move(it, 77, CHANNEL)
    assert (await post_of(store, PostKind.BOARD, match)).channel == 77
    assert (await post_of(store, PostKind.BOARD, shown)).channel == PLACE.channel


async def test_opened_match_gets_a_new_board_in_its_channel(store: Store) -> None:
    """The card of its challenge, which has the same number, stays."""
    new = new_challenge()
    offer = await store.challenges.add(replace(new, terms=replace(new.terms, private=True)))
    await publish(store, PostKind.CARD, offer.id, 4)
    match = await accept(store, offer)
    assert match.id == offer.id
    before = await publish(store, PostKind.BOARD, match.id, 5)
    assert (before.guild, match.place.viewer) == (None, ANNA)
    await store.matches.open(match.id, LATER)
    board = await post_of(store, PostKind.BOARD, match.id)
    assert (board.guild, board.message, board.version) == (GUILD, None, before.version + 1)
    assert (await post_of(store, PostKind.CARD, offer.id)).message == 4
    assert (await match_of(store, match.id)).place.viewer is None
