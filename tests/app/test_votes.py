"""Vote games: votes that can be changed, one move for each deadline, hints without votes, and interruptions."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.volunteers import DAY, next_end
from bot.app.votes import MOST_RUNNING, Poll, tally
from db.values.members import GUESTS, HOSTS, VOTERS, computer_player
from db.values.places import DiscordId, Place
from db.values.posts import BOARDS, PostKind
from db.values.votes import Vote, VoteGame, VoteTerms
from rules.core.errors import Unreadable
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host

THERE = Place(2, 21)
MINUTE = timedelta(minutes=1)


def terms(host: Host, every: timedelta = DAY, *, named: bool = False) -> VoteTerms:
    return VoteTerms(every, host.clock.now() + every, named)


async def started(host: Host, game: str = "skull", level: int = 1, every: timedelta = DAY) -> LoadedMatch:
    """A vote game in which the voters move first, against a weak computer player."""
    return await host.services.votes.start(HERE, game, level, terms(host, every))


async def poll_of(host: Host, loaded: LoadedMatch, guild: DiscordId = 1) -> Poll:
    """Return the vote of a game, as a server sees it."""
    poll = await host.services.votes.poll(loaded, guild)
    assert poll is not None
    return poll


async def game_of(host: Host, match: int) -> VoteGame:
    game = await host.store.votes.get(match)
    assert game is not None
    return game


async def after_deadline(host: Host, match: int) -> LoadedMatch:
    """Let the vote end, and the computer player answer."""
    game = await game_of(host, match)
    assert game.due_at is not None
    host.clock.push(game.due_at - host.clock.now())
    assert await host.services.votes.round()
    await host.services.computer_turns.play(match)
    return await host.services.matches.load(match)


async def moves_of(loaded: LoadedMatch) -> list[str]:
    moves = loaded.match.legal()
    assert moves is not None
    return list(moves)


async def ballots(host: Host, user: int) -> list[tuple[Place, bool, str | None]]:
    """Of each vote game of a member: where it is, if their side votes now, and their vote."""
    found = await host.services.votes.ballots(user)
    return [(it.loaded.stored.place, it.ends_at is not None, it.move) for it in found]


def test_tally_prefers_more_votes_then_the_earlier_vote(host: Host) -> None:
    now = host.clock.now()

    def counted(text: str) -> list[tuple[str, int]]:
        return tally([Vote(user, move, now) for user, move in enumerate(text)])

    assert counted("") == []
    assert counted("abb") == [("b", 2), ("a", 1)]
    assert counted("abba") == [("a", 2), ("b", 2)]
    assert counted("baab") == [("b", 2), ("a", 2)]


def test_ends_of_votes_keep_the_hour(host: Host) -> None:
    now = host.clock.now()
    daily = VoteTerms(DAY, now, named=False)
    assert next_end(daily, now - MINUTE) == now
    assert next_end(daily, now) == now + DAY
    assert next_end(daily, now + 3 * DAY + MINUTE) == now + 4 * DAY


@pytest.mark.parametrize(("month", "day"), [(3, 29), (10, 25)])
@pytest.mark.parametrize("every", [DAY, DAY / 2, DAY / 4])
def test_ends_keep_the_time_of_day_when_clocks_change(month: int, day: int, every: timedelta) -> None:
    """At 02:00 the clocks skip an hour in spring, so the vote of that day ends at 03:00, and the next ones do not."""
    berlin = ZoneInfo("Europe/Berlin")
    at = datetime(2026, month, day - 1, 2, tzinfo=berlin)
    hours = {(it * every // (DAY / 24) + 2) % 24 for it in range(DAY // every)}
    terms, last = VoteTerms(every, at.astimezone(UTC), named=False, zone=str(berlin)), at + 4 * DAY
    ends: list[datetime] = []
    while not ends or ends[-1] < last:
        ends.append(next_end(terms, ends[-1] if ends else at - MINUTE))
    local = [it.astimezone(berlin).hour for it in ends]
    assert len(ends) == 4 * DAY // every + 1
    assert set(local) - {3} == hours
    assert local.count(3) == (month == 3)


def test_votes_of_minutes_last_equally_long_when_clocks_change() -> None:
    first = datetime(2026, 10, 24, 23, 50, tzinfo=UTC)
    terms = VoteTerms(10 * MINUTE, first, named=False, zone="Europe/Berlin")
    for number in range(12):
        assert next_end(terms, first + 10 * number * MINUTE) == first + 10 * (number + 1) * MINUTE


async def test_zone_of_a_game_is_that_of_its_invitation(host: Host) -> None:
    offered = replace(terms(host), zone="Europe/Berlin")
    loaded = await host.services.votes.accept(await host.services.votes.invite(HERE, "skull", offered), THERE)
    game = await game_of(host, loaded.id)
    assert game.terms == offered


async def test_the_move_with_most_votes_is_played_once(host: Host) -> None:
    loaded = await started(host)
    assert loaded.stored.users == (VOTERS, computer_player(1))
    assert not loaded.stored.rated
    one, other, *_ = await moves_of(loaded)
    cast = host.services.votes.cast
    assert await cast(loaded.id, ADA, 1, one, 0) == (one, host.clock.now() + DAY)
    await cast(loaded.id, GRACE, 1, one, 0)
    await cast(loaded.id, EMMY, 1, other, 0)
    await cast(loaded.id, GRACE, 1, other, 0)  # Grace has changed her vote.
    poll = await poll_of(host, loaded)
    assert tally(poll.votes) == [(other, 2), (one, 1)]
    assert not await host.services.votes.round()  # The vote is not over.
    loaded = await after_deadline(host, loaded.id)
    assert [seat for seat, _ in loaded.stored.log] == [0, 1]
    assert loaded.stored.log[0].text == other
    assert not await host.services.votes.round()
    poll = await poll_of(host, loaded)
    assert (poll.move, len(poll.last), poll.votes) == (other, 3, [])
    assert poll.ends_at == host.clock.now() + DAY


async def test_a_vote_is_refused_if_it_does_not_count(host: Host) -> None:
    loaded = await started(host)
    one = (await moves_of(loaded))[0]
    cast = host.services.votes.cast
    with pytest.raises(Refused, match="Voters cannot resign"):
        await cast(loaded.id, ADA, 1, "resign", None)
    with pytest.raises(Unreadable):
        await cast(loaded.id, ADA, 1, "a1-a2-a3", 0)
    with pytest.raises(Refused, match="is played by the voters"):
        await host.services.matches.play(loaded.id, ADA, one)
    with pytest.raises(Refused, match="is played by the voters"):
        await host.services.matches.resign(loaded.id, ADA)
    await host.store.servers.exclude(1, [EMMY], host.clock.now())
    with pytest.raises(Refused, match="You are excluded"):
        await cast(loaded.id, EMMY, 1, one, 0)
    host.clock.push(DAY)
    with pytest.raises(Refused, match="is over; vote for the next move"):
        await cast(loaded.id, ADA, 1, one, 0)
    host.clock.push(-DAY)
    await cast(loaded.id, ADA, 1, one, 0)
    loaded = await after_deadline(host, loaded.id)
    with pytest.raises(Refused, match="has moved on"):
        await cast(loaded.id, ADA, 1, one, 0)
    match = (await host.begin("skull", "quick")).id
    assert not await host.services.matches.voted(match)


async def test_without_votes_the_deadline_is_extended_once_and_then_a_hint_is_played(host: Host) -> None:
    loaded = await started(host)
    before = host.clock.now()
    loaded = await after_deadline(host, loaded.id)
    assert loaded.plies == 0
    game = await host.store.votes.get(loaded.id)
    assert game == VoteGame(
        loaded.id, VoteTerms(DAY, before + DAY, named=False), before + 2 * DAY, extended=True
    )
    loaded = await after_deadline(host, loaded.id)
    assert loaded.plies == 2
    poll = await poll_of(host, loaded)
    assert (poll.move, poll.last, poll.game.extended) == (loaded.stored.log[0].text, [], False)


async def test_a_round_that_was_killed_after_the_move_plays_no_second_one(host: Host) -> None:
    loaded = await started(host)
    match, ada_votes = loaded.id, (await moves_of(loaded))[0]
    await host.services.votes.cast(match, ADA, 1, ada_votes, 0)
    host.clock.push(DAY)
    # What a round does before it stores when the next vote ends.
    await host.services.matches.play(match, VOTERS, ada_votes, 0)
    await host.services.computer_turns.play(match)
    loaded = await host.services.matches.load(match)
    assert loaded.plies == 2
    poll = await poll_of(host, loaded)
    assert poll.ends_at == host.clock.now() + DAY  # The board already shows the next end.
    assert await host.services.votes.round()
    assert (await host.services.matches.load(match)).plies == 2
    game = await game_of(host, match)
    assert game.due_at == host.clock.now() + DAY


async def test_two_processes_at_once_play_one_move(host: Host) -> None:
    """Both search for the hint at the same time, and then both try to play it."""
    match, other = (await started(host)).id, Host(host.store, host.clock)
    for _ in range(2):
        host.clock.push(DAY)
        await asyncio.gather(host.services.votes.close(match), other.services.votes.close(match))
    assert [it.seat for it in (await host.services.matches.load(match)).stored.log] == [0]
    game = await game_of(host, match)
    assert game.due_at == host.clock.now() + DAY


@pytest.mark.soak
async def test_voters_are_listed_when_the_game_is_over(host: Host) -> None:
    loaded = await started(host, every=10 * MINUTE)
    for user in (GRACE, ADA):
        await host.services.votes.cast(loaded.id, user, 1, (await moves_of(loaded))[0], 0)
    for _ in range(200):
        if loaded.match.over:
            break
        loaded = await after_deadline(host, loaded.id)
        if not loaded.match.over:
            await host.services.votes.cast(loaded.id, ADA, 1, (await moves_of(loaded))[0], loaded.shown)
    poll = await poll_of(host, loaded)
    assert poll.voters == [GRACE, ADA]
    assert poll.ends_at is None
    assert loaded.stored.outcomes is not None


async def test_start_is_refused_where_nobody_can_vote(host: Host) -> None:
    start = host.services.votes.start
    with pytest.raises(Refused, match="a server of which I am a member"):
        await start(Place(None, 11), "skull", 1, terms(host))
    with pytest.raises(Refused, match="ten minutes to one day"):
        await start(HERE, "skull", 1, terms(host, MINUTE))
    for _ in range(MOST_RUNNING):
        await started(host)
    with pytest.raises(Refused, match="vote games are running"):
        await started(host)


async def test_deleted_data_leaves_votes_without_names(host: Host) -> None:
    loaded = await started(host)
    match, move = loaded.id, (await moves_of(loaded))[0]
    for user in (ADA, GRACE):
        await host.services.votes.cast(match, user, 1, move, 0)
    loaded = await after_deadline(host, match)
    await host.services.votes.cast(match, ADA, 1, (await moves_of(loaded))[0], loaded.shown)
    exported = await host.store.privacy.export(ADA)
    assert next((it["ply"], it["move"]) for it in exported["votes"]) == (0, move)
    assert {it["user_id"] for it in exported["votes"]} == {str(ADA)}
    await host.store.privacy.erase(ADA)
    assert "votes" not in await host.store.privacy.export(ADA)
    assert [user for _, user in await host.store.votes.voters(match)] == [GRACE]
    assert [it.user < 0 for it in await host.store.votes.votes(match, 0)] == [True, False]
    assert await host.store.votes.votes(match, loaded.plies) == []  # Ada may vote again, and only once.


async def of_two_servers(host: Host, *, named: bool = False) -> LoadedMatch:
    """A game in which the members of server 1 move first, against those of server 2."""
    code = await host.services.votes.invite(HERE, "skull", terms(host, named=named))
    return await host.services.votes.accept(code, THERE)


async def test_two_servers_vote_in_turn_and_nobody_for_both(host: Host) -> None:
    loaded = await of_two_servers(host, named=True)
    match = loaded.id
    assert loaded.stored.users == (HOSTS, GUESTS)
    cast = host.services.votes.cast
    await cast(match, ADA, 1, (await moves_of(loaded))[0], 0)
    with pytest.raises(Refused, match="It is the hosts' turn"):
        await cast(match, GRACE, 2, (await moves_of(loaded))[0], 0)
    here, there = [await poll_of(host, loaded, guild) for guild in (1, 2)]
    assert (here.named, there.named, here.guests) == (True, False, 2)
    loaded = await after_deadline(host, match)
    with pytest.raises(Refused, match="You have voted for the other server"):
        await cast(match, ADA, 2, (await moves_of(loaded))[0], 1)
    with pytest.raises(Refused, match="It is the guests' turn"):
        await cast(match, EMMY, 1, (await moves_of(loaded))[0], 1)
    (move, *_) = await moves_of(loaded)
    await cast(match, GRACE, 2, move, 1)
    assert await ballots(host, GRACE) == [(THERE, True, move)]
    assert await ballots(host, ADA) == [(HERE, False, None)]
    loaded = await after_deadline(host, match)
    assert [it.seat for it in loaded.stored.log] == [0, 1]
    assert await ballots(host, GRACE) == [(THERE, False, None)]
    assert await ballots(host, ADA) == [(HERE, True, None)]
    await host.services.matches.abandon(match, "the evening is over")
    assert await ballots(host, ADA) == []
    loaded = await host.services.matches.load(match)
    for guild, voter in ((1, ADA), (2, GRACE)):
        poll = await poll_of(host, loaded, guild)
        assert poll.voters == [voter]


async def test_board_is_visible_and_pending_in_both_servers(host: Host) -> None:
    loaded = await of_two_servers(host)
    match = loaded.id
    for place, seen in ((HERE, True), (THERE, True), (Place(3, 31), False)):
        if seen:
            await host.services.matches.check_visible(match, EMMY, place)
        else:
            with pytest.raises(Refused, match="There is no game"):
                await host.services.matches.check_visible(match, EMMY, place)
    for kind, key in ((PostKind.BOARD, ""), (PostKind.COPY, "2")):
        await host.posted(kind, match, 7, key)
    assert not await host.store.posts.pending(host.clock.now(), 10)
    await host.services.votes.cast(match, ADA, 1, (await moves_of(loaded))[0], 0)
    assert {it.kind for it in await host.store.posts.pending(host.clock.now(), 10)} == set(BOARDS)


async def test_a_game_goes_on_without_the_guests(host: Host) -> None:
    """Their server has removed the bot, and its data was deleted: hints are played for them."""
    loaded = await of_two_servers(host)
    match, now = loaded.id, host.clock.now()
    await host.services.votes.cast(match, ADA, 1, (await moves_of(loaded))[0], 0)
    loaded = await after_deadline(host, match)
    await host.services.votes.cast(match, GRACE, 2, (await moves_of(loaded))[0], 1)
    loaded = await after_deadline(host, match)
    await host.services.votes.cast(match, ADA, 1, (await moves_of(loaded))[0], 2)
    await host.store.servers.depart(now, 2)
    assert await host.store.servers.forget(2, now + DAY)
    assert await host.store.posts.get(PostKind.COPY, match, "2") is None
    loaded = await after_deadline(host, match)
    poll = await poll_of(host, loaded)
    assert (poll.yours, poll.guests, poll.ends_at) == (False, None, host.clock.now() + DAY)
    for _ in range(2):
        loaded = await after_deadline(host, match)
    assert [it.seat for it in loaded.stored.log] == [0, 1, 0, 1]


async def test_an_invitation_is_accepted_once_by_another_server(host: Host) -> None:
    invite, accept = host.services.votes.invite, host.services.votes.accept
    earlier = await invite(HERE, "skull", terms(host))
    code = await invite(HERE, "skull", terms(host))
    for wrong in (earlier, "0000000000"):
        with pytest.raises(Refused, match="This code is not valid"):
            await accept(wrong, THERE)
    with pytest.raises(Refused, match="This code is from this server"):
        await accept(code, HERE)
    host.clock.push(2 * DAY)
    begun, again = await asyncio.gather(
        *(accept(f" {code.upper()} ", Place(guild, 10 * guild + 1)) for guild in (2, 3)),
        return_exceptions=True,
    )
    assert sorted(map(type, (begun, again)), key=str) == sorted((LoadedMatch, Refused), key=str)
    game = await game_of(host, 1)
    assert game.due_at == host.clock.now() + DAY  # The first end of a vote has passed meanwhile.
    code = await invite(HERE, "skull", terms(host))
    host.clock.push(8 * DAY)
    with pytest.raises(Refused, match="This code is not valid"):
        await accept(code, THERE)
