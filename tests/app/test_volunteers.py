"""Volunteers of vote games: one is drawn by lot for the secret moves of each side, and replaced if they do not play."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.volunteers import DAY, Duty
from bot.app.votes import voting_seat
from db.values.members import GUESTS, HOSTS, VOTERS, computer_player
from db.values.places import DiscordId, Place
from db.values.votes import VoteTerms
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.app.test_votes import game_of, poll_of

THERE = Place(2, 21)
HOUR = timedelta(hours=1)


async def after(host: Host, match: int, time: timedelta = DAY) -> LoadedMatch:
    """Let time pass, and let the computer player act."""
    host.clock.push(time)
    await host.services.votes.round()
    await host.services.computer_turns.play(match)
    return await host.services.matches.load(match)


def daily(host: Host) -> VoteTerms:
    return VoteTerms(DAY, host.clock.now() + DAY, named=False)


async def against_computer(host: Host) -> LoadedMatch:
    loaded = await host.services.votes.start(HERE, "palindromes", 1, daily(host))
    assert loaded.stored.users == (VOTERS, computer_player(1))
    return loaded


async def between_servers(host: Host) -> LoadedMatch:
    code = await host.services.votes.invite(HERE, "palindromes", daily(host))
    loaded = await host.services.votes.accept(code, THERE)
    assert loaded.stored.users == (HOSTS, GUESTS)
    return loaded


async def duty_of(host: Host, match: int) -> Duty:
    duty = (await poll_of(host, await host.services.matches.load(match))).duty
    assert duty is not None
    return duty


async def player(host: Host, match: int, guild: DiscordId = 1) -> DiscordId | None:
    duty = (await poll_of(host, await host.services.matches.load(match), guild)).duty
    return None if duty is None or duty.player is None else duty.player.user


def row_of(loaded: LoadedMatch, seat: int = 0) -> str:
    """A legal arrangement of the hand of a seat."""
    prompt = loaded.match.observe(seat).prompt
    assert prompt is not None
    return prompt.example


async def volunteered(host: Host, match: int, users: Sequence[DiscordId], guild: DiscordId = 1) -> None:
    for user in users:
        await host.services.volunteers.offer(match, user, guild)


async def test_a_drawn_volunteer_plays_and_another_one_searches(host: Host) -> None:
    loaded = await against_computer(host)
    match, play = loaded.id, host.services.matches.play
    await volunteered(host, match, (ADA, GRACE, ADA))
    duty = await duty_of(host, match)
    assert [it.user for it in duty.waiting] == [ADA, GRACE]
    assert duty.ends_at == host.clock.now() + DAY
    for user in (ADA, EMMY):
        with pytest.raises(Refused, match="A volunteer who is drawn by lot plays the secret moves"):
            await play(match, user, row_of(loaded))
    loaded = await after(host, match)
    assert await player(host, match) == ADA
    assert [it.ends_at for it in await host.services.votes.ballots(ADA)] == [host.clock.now() + DAY]
    assert [it.ends_at for it in await host.services.votes.ballots(GRACE)] == [None]
    with pytest.raises(Refused, match="is drawn by lot plays the secret moves"):
        await host.services.matches.prompt_for(match, GRACE, None)
    # A page of the Activity shows what the seats see that these return.
    assert [await host.services.volunteers.acts_for(loaded, user) for user in (ADA, GRACE)] == [0, None]
    assert voting_seat(loaded, 1) is None
    host.clock.push(23 * HOUR)
    loaded = await play(match, ADA, row_of(loaded))
    assert loaded.match.game.phase(loaded.match.state) == "search"
    with pytest.raises(Refused, match="is drawn by lot plays the secret moves"):
        await play(match, ADA, "done")
    # An hour is too short for volunteers: the draw is at the next end but one.
    duty = await duty_of(host, match)
    assert (duty.player, duty.extended, duty.ends_at) == (None, False, host.clock.now() + HOUR + DAY)
    await after(host, match, HOUR)
    await volunteered(host, match, (GRACE,))
    loaded = await after(host, match)
    assert await player(host, match) == GRACE
    loaded = await play(match, GRACE, "done")
    assert loaded.match.over
    poll = await poll_of(host, loaded)
    assert (poll.players, poll.hints, poll.move, poll.voters) == ([ADA, GRACE], [], None, [])
    await after(host, match)
    assert (await host.store.votes.due(host.clock.now() + 9 * DAY, 9)) == []


async def test_nobody_volunteers_and_hints_are_played(host: Host) -> None:
    loaded = await against_computer(host)
    match, begun = loaded.id, loaded.plies
    loaded = await after(host, match)
    duty = await duty_of(host, match)
    assert (duty.extended, duty.player, duty.ends_at) == (True, None, host.clock.now() + DAY)
    assert not [it for it in loaded.stored.log[begun:] if it.seat == 0]
    loaded = await after(host, match)
    poll = await poll_of(host, loaded)
    assert poll.hints == [(VOTERS, "arrange")]
    assert poll.duty is not None
    assert (poll.duty.phase, poll.duty.extended) == ("search", False)
    for _ in range(2):
        assert not loaded.match.over
        loaded = await after(host, match)
    assert loaded.match.over
    poll = await poll_of(host, loaded)
    assert poll.hints == [(VOTERS, "arrange"), (VOTERS, "search")]


async def test_who_does_not_play_in_time_is_replaced_once(host: Host) -> None:
    match = (await against_computer(host)).id
    await volunteered(host, match, (ADA, GRACE, EMMY))
    players = []
    for _ in range(2):
        await after(host, match)
        players.append(await player(host, match))
    assert players == [ADA, GRACE]
    with pytest.raises(Refused, match="is drawn by lot plays the secret moves"):
        await host.services.matches.play(match, ADA, "done")
    with pytest.raises(Refused, match="You were drawn for this part"):
        await host.services.volunteers.offer(match, ADA, 1)
    loaded = await after(host, match)
    poll = await poll_of(host, loaded)
    assert poll.hints == [(VOTERS, "arrange")]


async def test_the_only_volunteer_has_more_time_once(host: Host) -> None:
    match = (await against_computer(host)).id
    await volunteered(host, match, (ADA,))
    for extended in (False, True):
        await after(host, match)
        duty = await duty_of(host, match)
        assert (duty.is_for(ADA), duty.extended) == (True, extended)
    loaded = await after(host, match)
    assert await host.services.volunteers.played_by_hints(loaded) == [(VOTERS, "arrange")]


async def test_who_can_no_longer_play_is_replaced_at_once(host: Host) -> None:
    match, now = (await against_computer(host)).id, host.clock.now()
    for user in (ADA, GRACE, EMMY, 104, 105, 106):
        await host.services.volunteers.offer(match, user, 1)
    await host.store.servers.exclude(1, [104], now)

    absent, replace = {105}, host.services.votes.replace_absent

    async def sees(user: DiscordId, place: Place) -> bool:
        return user not in absent and place == HERE

    host.services.volunteers.sees = sees
    await after(host, match)
    assert await player(host, match) == ADA
    await host.services.volunteers.withdraw(match, ADA)
    assert await player(host, match) == GRACE
    await host.store.privacy.erase(GRACE)
    await replace()
    assert await player(host, match) == EMMY
    absent.add(EMMY)  # They leave the server.
    await replace()
    assert await player(host, match) == 106
    await host.store.servers.exclude(1, [104, 106], now)
    await replace()
    assert await player(host, match) is None
    assert not await replace()
    with pytest.raises(Refused, match="You do not volunteer"):
        await host.services.volunteers.withdraw(match, ADA)
    loaded = await after(host, match)
    assert await host.services.volunteers.played_by_hints(loaded) == [(VOTERS, "arrange")]


async def test_each_server_has_its_own_volunteers(host: Host) -> None:
    loaded = await between_servers(host)
    match, play = loaded.id, host.services.matches.play
    await volunteered(host, match, (ADA,))
    await volunteered(host, match, (GRACE,), 2)
    with pytest.raises(Refused, match="You have played for the other server"):
        await host.services.volunteers.offer(match, ADA, 2)
    await after(host, match)
    assert [await player(host, match, guild) for guild in (1, 2)] == [ADA, GRACE]
    assert [it.user for it in await host.store.direct_messages.due(host.clock.now(), 9)] == [ADA, GRACE]
    await play(match, GRACE, row_of(loaded, 1))
    with pytest.raises(Refused, match="Your side has played this part"):
        await host.services.volunteers.offer(match, EMMY, 2)
    loaded = await play(match, ADA, row_of(loaded))
    assert [it.seat for it in loaded.stored.log] == [None, 1, 0]
    await host.services.votes.round()
    assert [await player(host, match, guild) for guild in (1, 2)] == [None, None]


async def test_an_interrupted_round_draws_and_plays_once(host: Host) -> None:
    """Rounds that read the same state draw one volunteer, and go on with hints where another one stopped."""
    loaded = await between_servers(host)
    match, votes = loaded.id, host.store.votes
    await volunteered(host, match, (ADA, EMMY))
    game = await game_of(host, match)
    host.clock.push(DAY)
    for _ in range(2):
        await host.services.volunteers.close(loaded, game)
    drawn = [it.user for it in await votes.volunteers(match) if it.drawn_at]
    assert drawn == [ADA]
    await host.services.votes.round()
    assert [it.user for it in await votes.volunteers(match) if it.drawn_at] == [ADA]
    await host.services.matches.play(
        match, HOSTS, row_of(loaded)
    )  # A hint, after which the round was interrupted.
    loaded = await after(host, match)
    assert [it.seat for it in loaded.stored.log] == [None, 0, 1]
