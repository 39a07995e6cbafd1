"""Cups from the opening to the podium, with dropouts, late players, corrections and interruptions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.events.events import BLOCKED, TASK
from bot.app.events.pairings import MOST, ONE_GROUP
from bot.app.events.schedule import read_start, stage_span
from bot.app.events.standing import groups_of, podium
from bot.app.matches.matches import CUP_ENDED, PLAYER_LEFT, STAGE_OVER
from bot.app.tasks.rounds import FIRST_DELAY
from db.values.events import Correction, Deed, Event, EventState, Terms
from db.values.matches import Outcome
from db.values.members import is_computer
from rules.core.errors import BadSetup
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)
LISE = 104
WON, DRAWN, LOST = Outcome


SIZE = (("width", 4), ("height", 4))


def terms(most: int, clock: str = "", computers: int = 0) -> Terms:
    return Terms("skull", SIZE, read_time_control(clock), rated=True, most=most, computers=computers)


async def opened(
    host: Host, most: int, clock: str = "", computers: int = 0, after: timedelta | None = None
) -> Event:
    starts_at = None if after is None else host.clock.now() + after
    return await host.services.events.open(HERE, ADA, terms(most, clock, computers), starts_at)


async def begun(host: Host, users: Sequence[int], clock: str = "", computers: int = 0) -> Event:
    """A cup that has started because all these have joined."""
    event = await opened(host, len(users), clock, computers)
    for user in users:
        event = await host.services.events.join(event.id, user)
    assert event.state is EventState.RUNNING
    return event


async def move(host: Host, match: int) -> None:
    """Play the first legal move of a game."""
    loaded = await host.services.matches.load(match)
    moves = loaded.match.legal()
    assert moves is not None
    await host.services.matches.play(match, loaded.waiting_for[0], moves[0])


async def lose(host: Host, event: Event, *losers: int) -> None:
    """Let these members resign all their running games, each in turn."""
    for user in losers:
        for pairing in (await host.services.events.load(event.id)).pairings:
            seats = {it.user: it.number for it in event.entrants}
            if pairing.running and seats[user] in (pairing.first, pairing.second):
                await host.services.matches.resign(pairing.match, user)


async def points(host: Host, event: int) -> dict[int, float]:
    """The points of each member in the first group of the newest stage."""
    found = await host.services.events.load(event)
    users = found.users
    return {users[it.entrant]: it.points / 2 for it in groups_of(found, len(found.stages) - 1)[0].rows}


async def test_a_full_cup_starts_with_every_pairing_once(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    assert sorted((it.first, it.second) for it in event.pairings) == [
        (one, other) for one in range(3) for other in range(3) if one != other
    ]
    for pairing in event.pairings:
        stored = (await host.services.matches.load(pairing.match)).stored
        assert (stored.place, stored.rated, stored.finished_at) == (HERE, True, None)
    assert len(await host.services.matches.mine(GRACE)) == 4
    assert event.stages[0].ends_at - event.stages[0].started_at == stage_span(None)


async def test_a_cup_ends_with_a_podium_when_its_last_game_ends(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    await lose(host, event, EMMY, GRACE)
    assert await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert event.state is EventState.OVER
    assert [(row.place, it.user) for row, it in podium(event)] == [(1, ADA), (2, GRACE), (3, EMMY)]
    assert await points(host, event.id) == {ADA: 4, GRACE: 2, EMMY: 0}
    assert not await host.services.events.round()


async def test_a_scheduled_cup_starts_with_those_who_have_joined(host: Host) -> None:
    event = await opened(host, 8, after=DAY)
    for user in (ADA, GRACE):
        await host.services.events.join(event.id, user)
    host.clock.push(DAY - timedelta(seconds=1))
    assert not await host.services.events.round()
    host.clock.push(timedelta(seconds=1))
    await host.services.events.round()
    assert len((await host.services.events.load(event.id)).pairings) == 2


@pytest.mark.parametrize("after", [None, DAY])
async def test_a_cup_with_one_player_is_cancelled(host: Host, after: timedelta | None) -> None:
    event = await opened(host, 8, after=after)
    await host.services.events.join(event.id, ADA)
    host.clock.push(after or 14 * DAY)
    await host.services.events.round()
    assert (await host.services.events.load(event.id)).state is EventState.CANCELLED


async def test_computer_players_take_free_seats(host: Host) -> None:
    event = await opened(host, 5, computers=2, after=DAY)
    for user in (ADA, GRACE):
        await host.services.events.join(event.id, user)
    event = await host.services.events.start(event.id, ADA, moderator=False)
    assert [is_computer(it.user) for it in event.entrants] == [False, False, True, True, True]
    users = event.users
    for pairing in event.pairings:
        pair = users[pairing.first], users[pairing.second]
        assert not all(map(is_computer, pair))
        rated = (await host.services.matches.load(pairing.match)).stored.rated
        assert rated == (not any(map(is_computer, pair)))
    assert len(event.pairings) == 2 + 2 * 2 * 3


@pytest.mark.soak
async def test_large_cups_have_groups_and_a_final(host: Host) -> None:
    users = [*range(101, 101 + 18)]
    event = await begun(host, users)
    assert [len(it.rows) for it in groups_of(event, 0)] == [6, 6, 6]
    for user in reversed(users):
        await lose(host, event, user)
    await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert (event.state, len(event.stages)) == (EventState.RUNNING, 2)
    final = groups_of(event, 1)
    # The later a member has joined, the more games they have lost: the two first of each group qualify.
    assert [sorted(it.entrant for it in group.rows) for group in final] == [[0, 1, 2, 3, 4, 5]]
    assert len(event.of_stage(1)) == 30
    with pytest.raises(Refused, match="the results of the groups stand"):
        match = event.pairings[0].match
        await host.services.events.correct(event.id, 101, match, Correction.DRAWN, moderator=True)
    host.clock.push(stage_span(None))
    await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert event.state is EventState.OVER
    assert podium(event) == []


async def test_at_the_end_of_a_stage_the_clocks_decide(host: Host) -> None:
    event = await begun(host, (ADA, GRACE), "3d")
    span = stage_span(read_time_control("3d"))
    one, other = event.pairings
    for _ in range(9):
        await host.pass_time(span / 10)
        for pairing in (one, other):
            if not (await host.services.matches.load(pairing.match)).match.over:
                await move(host, pairing.match)
        await host.services.events.round()
    event = await host.services.events.load(event.id)
    running = [it for it in event.pairings if it.running]
    due = {it.match: (await host.services.matches.load(it.match)).waiting_for[0] for it in running}
    await host.pass_time(span / 10)
    await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert event.state is EventState.OVER
    users = event.users
    for pairing in event.pairings:
        if pairing.match in due:
            assert (pairing.outcome is LOST) == (users[pairing.first] == due[pairing.match])


async def test_games_without_a_clock_end_without_a_result(host: Host) -> None:
    event = await begun(host, (ADA, GRACE))
    for pairing in event.pairings:
        await move(host, pairing.match)
    host.clock.push(14 * DAY)
    await host.services.events.round()
    for pairing in event.pairings:
        assert (await host.services.matches.load(pairing.match)).stored.void == STAGE_OVER
    assert await points(host, event.id) == {ADA: 0, GRACE: 0}


async def test_a_player_who_makes_no_move_is_removed(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    users = event.users
    for pairing in event.pairings:
        if users[pairing.first] != EMMY:
            await move(host, pairing.match)
    host.clock.push(stage_span(None) / 4)
    await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert [(it.deed, it.whom) for it in event.deeds] == [(Deed.ABSENT, EMMY)]
    theirs = [it for it in event.pairings if 2 in (it.first, it.second)]
    assert not any(it.running for it in theirs)
    assert {(await host.services.matches.load(it.match)).stored.void for it in theirs} == {PLAYER_LEFT}
    assert set(await points(host, event.id)) == {ADA, GRACE}
    assert event.state is EventState.RUNNING
    with pytest.raises(Refused, match="left this cup"):
        await host.services.events.join(event.id, EMMY)


async def test_nobody_is_removed_before_it_was_their_turn_for_a_quarter(host: Host) -> None:
    event = await begun(host, (ADA, GRACE))
    one, other = event.pairings
    await host.services.matches.resign(other.match, ADA)
    host.clock.push(stage_span(None) / 4 - DAY)
    await move(host, one.match)
    host.clock.push(DAY)
    await host.services.events.round()
    assert (await host.services.events.load(event.id)).deeds == ()
    host.clock.push(stage_span(None) / 4)
    await host.services.events.round()
    assert [it.whom for it in (await host.services.events.load(event.id)).deeds] == [GRACE]


async def test_who_leaves_early_is_annulled_and_who_leaves_late_loses(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY, LISE))
    await host.services.events.leave(event.id, LISE)
    assert set(await points(host, event.id)) == {ADA, GRACE, EMMY}
    await lose(host, event, EMMY)
    after = await host.services.events.leave(event.id, EMMY)
    assert await points(host, event.id) == {ADA: 2, GRACE: 2, EMMY: 0}
    assert [(it.left_at is None, it.annulled) for it in after.entrants] == [
        (True, False),
        (True, False),
        (False, False),
        (False, True),
    ]


async def test_leaving_before_the_start_frees_the_seat(host: Host) -> None:
    event = await opened(host, 3)
    for user in (ADA, GRACE):
        await host.services.events.join(event.id, user)
    await host.services.events.leave(event.id, ADA)
    for user in (EMMY, ADA):
        event = await host.services.events.join(event.id, user)
    assert event.state is EventState.RUNNING
    assert [it.user for it in event.entrants] == [GRACE, EMMY, ADA]


async def test_late_players_join_while_it_is_fair(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    with pytest.raises(Refused, match="Nobody can join"):
        await host.services.events.join(event.id, LISE)
    with pytest.raises(Refused, match="Only <@101>"):
        await host.services.events.let_late_in(event.id, GRACE, moderator=False)
    await host.services.events.let_late_in(event.id, GRACE, moderator=True)
    event = await host.services.events.join(event.id, LISE)
    met = [(it.first, it.second) for it in event.pairings]
    assert len(set(met)) == len(met) == 12
    assert [it.deed for it in event.deeds] == [Deed.LATE, Deed.JOINED]
    await lose(host, event, LISE)
    with pytest.raises(Refused, match="too late"):
        await host.services.events.join(event.id, 105)


@pytest.mark.soak
async def test_a_group_with_late_players_stays_readable(host: Host) -> None:
    event = await begun(host, range(201, 216))
    await host.services.events.let_late_in(event.id, ADA, moderator=False)
    event = await host.services.events.join(event.id, 216)
    assert len(groups_of(event, 0)[0].rows) == ONE_GROUP
    with pytest.raises(Refused, match="full"):
        await host.services.events.join(event.id, 217)


async def test_a_seventh_late_player_plays_as_often_as_the_others(host: Host) -> None:
    event = await begun(host, range(201, 207))
    await host.services.events.let_late_in(event.id, ADA, moderator=False)
    event = await host.services.events.join(event.id, LISE)
    games = Counter(it for pairing in event.pairings for it in (pairing.first, pairing.second))
    assert set(games.values()) == {12}


async def test_a_cup_has_room_for_its_games_when_it_is_opened(host: Host) -> None:
    """The games of the cups that are still open count, since their starts are not refused."""
    for organiser in (ADA, GRACE):
        await host.services.events.open(HERE, organiser, terms(MOST), None)
    with pytest.raises(Refused, match="more than 500 in this channel"):
        await host.services.events.open(HERE, EMMY, terms(6), None)
    await host.services.events.open(replace(HERE, channel=HERE.channel + 1), EMMY, terms(6), None)


async def test_computer_players_fill_one_group_at_most(host: Host) -> None:
    event = await opened(host, MOST, computers=1, after=DAY)
    await host.services.events.join(event.id, GRACE)
    event = await host.services.events.start(event.id, ADA, moderator=False)
    assert len(groups_of(event, 0)) == 1
    assert len(event.entrants) == ONE_GROUP


def test_a_start_is_read_in_the_time_zone_of_the_member() -> None:
    now = datetime(2026, 11, 27, 12, tzinfo=UTC)
    assert read_start("tomorrow 18:00", now, ZoneInfo("Europe/Berlin")) == datetime(
        2026, 11, 28, 17, tzinfo=UTC
    )


async def test_members_excluded_meanwhile_do_not_start(host: Host) -> None:
    event = await opened(host, 4)
    for user in (GRACE, EMMY, ADA):
        event = await host.services.events.join(event.id, user)
    assert HERE.guild is not None
    await host.services.preferences.exclude(HERE.guild, [GRACE])
    event = await host.services.events.start(event.id, ADA, moderator=False)
    assert event.members == (EMMY, ADA)
    assert len(event.pairings) == 2
    with pytest.raises(Refused, match="excluded"):
        await host.services.events.join((await opened(host, 4)).id, GRACE)


async def test_a_corrected_result_changes_the_table_alone(host: Host) -> None:
    event = await begun(host, (ADA, GRACE))
    match = event.pairings[0].match
    correct = host.services.events.correct
    with pytest.raises(Refused, match="still being played"):
        await correct(event.id, ADA, match, Correction.DRAWN, moderator=False)
    await host.services.matches.resign(match, ADA)
    await correct(event.id, ADA, match, Correction.DRAWN, moderator=False)
    assert await points(host, event.id) == {ADA: 0.5, GRACE: 0.5}
    await correct(event.id, ADA, match, Correction.NONE, moderator=False)
    assert await points(host, event.id) == {ADA: 0, GRACE: 0}
    with pytest.raises(Refused, match="shows that result of game"):
        await correct(event.id, ADA, match, Correction.NONE, moderator=False)
    await correct(event.id, ADA, match, None, moderator=False)
    assert await points(host, event.id) == {ADA: 0, GRACE: 1}
    assert (await host.services.matches.load(match)).stored.outcomes == (LOST, WON)


async def test_an_ended_cup_ends_its_games(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    await host.services.matches.resign(event.pairings[0].match, ADA)
    event = await host.services.events.end(event.id, LISE, moderator=True)
    assert event.state is EventState.OVER
    voids = [(await host.services.matches.load(it.match)).stored.void for it in event.pairings]
    assert voids == [None, *[CUP_ENDED] * 5]
    with pytest.raises(Refused, match="over already"):
        await host.services.events.end(event.id, ADA, moderator=False)


async def test_members_who_block_each_other_do_not_join_the_same_cup(host: Host) -> None:
    event = await opened(host, 3)
    await host.services.events.join(event.id, ADA)
    await host.store.members.block(ADA, GRACE, host.clock.now())
    await host.store.members.block(EMMY, ADA, host.clock.now())
    for user in (GRACE, EMMY):
        with pytest.raises(Refused) as refusal:
            await host.services.events.join(event.id, user)
        assert str(refusal.value) == BLOCKED


async def test_a_removed_player_cannot_join_again(host: Host) -> None:
    event = await opened(host, 3)
    await host.services.events.join(event.id, GRACE)
    with pytest.raises(Refused, match="does not take part"):
        await host.services.events.remove(event.id, ADA, EMMY, moderator=False)
    await host.services.events.remove(event.id, ADA, GRACE, moderator=False)
    with pytest.raises(Refused, match="removed from this cup"):
        await host.services.events.join(event.id, GRACE)


@pytest.mark.parametrize(
    ("most", "game", "refusal"),
    [(1, "skull", Refused), (MOST + 1, "skull", Refused), (8, "unknown", BadSetup)],
)
async def test_what_no_cup_can_be_is_refused(
    host: Host, most: int, game: str, refusal: type[Exception]
) -> None:
    asked = Terms(game, SIZE, None, rated=True, most=most)
    with pytest.raises(refusal):
        await host.services.events.open(HERE, ADA, asked, None)


async def test_an_organiser_opens_one_cup_at_a_time(host: Host) -> None:
    event = await opened(host, 2)
    with pytest.raises(Refused, match="open here already"):
        await opened(host, 2)
    await host.services.events.end(event.id, ADA, moderator=False)
    await opened(host, 2)


async def test_deleted_members_and_an_organiser_who_leaves_stop_nothing(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    await host.services.privacy.forget(ADA)
    await lose(host, event, EMMY)
    await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert event.state is EventState.OVER
    assert event.organiser < 0
    assert podium(event)[0][1].user == GRACE


def fails_once(host: Host, patch: pytest.MonkeyPatch, owner: object, method: str, at: int) -> None:
    """Let the call number `at` of a method fail, as if the process ended there."""
    work, calls = getattr(owner, method), iter(range(1, 1000))

    async def failing(*arguments: object, **named: object) -> object:
        if next(calls) == at:
            raise ZeroDivisionError
        return await work(*arguments, **named)

    patch.setattr(owner, method, failing)


@pytest.mark.parametrize("at", [3, *(pytest.param(it, marks=pytest.mark.soak) for it in (1, 2, 4, 5, 6))])
async def test_an_interrupted_end_of_a_stage_is_completed(
    host: Host, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    for pairing in event.pairings:
        await move(host, pairing.match)
    host.clock.push(stage_span(None))
    fails_once(host, monkeypatch, host.store.matches, "break_off", at)
    await host.services.events.round()
    assert [it.task for it in await host.store.failed_items.listed(5)] == [TASK]
    host.clock.push(FIRST_DELAY)
    await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert event.state is EventState.OVER
    assert {(await host.services.matches.load(it.match)).stored.void for it in event.pairings} == {STAGE_OVER}


@pytest.mark.parametrize("at", [1, 2])
async def test_an_interrupted_start_is_completed_by_a_round(
    host: Host, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """The first change stores who has joined, the second the stage with all its games."""
    event = await opened(host, 2)
    await host.services.events.join(event.id, ADA)
    fails_once(host, monkeypatch, host.store.events, "change", at)
    with pytest.raises(ZeroDivisionError):
        await host.services.events.join(event.id, GRACE)
    if at == 1:
        await host.services.events.join(event.id, GRACE)
    await host.services.events.round()
    event = await host.services.events.load(event.id)
    assert event.state is EventState.RUNNING
    assert len(event.pairings) == 2


async def test_of_two_processes_one_takes_each_step(host: Host) -> None:
    """A cup that changes between reading and storing is judged again."""
    cup = await opened(host, 3, after=DAY)
    for user in (ADA, GRACE):
        await host.services.events.join(cup.id, user)
    other = Host(host.store, host.clock)
    load = host.store.events.get
    raced = False

    async def racing(event: int) -> Event | None:
        nonlocal raced
        found = await load(event)
        if not raced:
            raced = True
            await other.services.events.advance(event)
        return found

    host.clock.push(DAY)
    host.store.events.get = racing  # type: ignore[method-assign]  # another process acts after the read
    await host.services.events.round()
    found = await host.services.events.load(cup.id)
    assert len(found.stages) == 1
    assert len(found.pairings) == 2
