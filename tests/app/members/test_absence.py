"""Members who are away: how long they may be, and that their clocks stand still exactly as long as they are."""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from bot.app.challenges.terms import terms_of
from bot.app.clocks.arithmetic import extension
from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.members.absence import away, is_away, left_in_year, returned, used_in
from bot.ui.challenges.message import drawn
from bot.ui.matches.panel import panel
from db.values.challenges import Answer
from db.values.clocks import Resumption
from db.values.matches import MatchOptions
from db.values.members import Interest, Member
from db.values.places import DiscordId, Place
from db.values.posts import PostKind
from db.values.proposals import Matter
from tests.app.conftest import ADA, GRACE, HERE, Host
from tests.db.given import post_of
from tests.ui.words import words

pytestmark = pytest.mark.slow

MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("minutes", "hours", "days"))
ZERO = timedelta(0)


def at(day: int, month: int = 6, year: int = 2026) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


class TestLimits:
    def test_ten_days_at_a_time(self) -> None:
        member = away(Member(ADA), at(1), at(11))
        assert (member.absent_since, member.absent_until) == (at(1), at(11))
        with pytest.raises(Refused, match="10 days at a time"):
            away(Member(ADA), at(1), at(11) + MINUTE)
        # A new date does not begin anew.
        with pytest.raises(Refused, match="10 days at a time"):
            away(member, at(5), at(12))
        assert away(member, at(5), at(8)).absent_since == at(1)

    def test_21_days_in_a_year(self) -> None:
        member = away(away(Member(ADA), at(1), at(11)), at(12), at(22))
        assert left_in_year(member, at(23)) == DAY
        with pytest.raises(Refused, match="21 days in a year"):
            away(member, at(1, 7), at(3, 7))
        member = away(member, at(1, 7), at(2, 7))
        assert left_in_year(member, at(3, 7)) == ZERO
        with pytest.raises(Refused, match="have been away for 21 days in this year, which is the most"):
            away(member, at(4, 7), at(5, 7))
        assert left_in_year(member, at(1, 1, 2027)) == 21 * DAY

    def test_a_turn_of_the_year_counts_in_both_years(self) -> None:
        member = away(Member(ADA), at(28, 12), at(4, 1, 2027))
        assert (used_in(member, 2026), used_in(member, 2027)) == (4 * DAY, 3 * DAY)
        later = away(member, at(1, 2, 2027), at(11, 2, 2027))
        assert used_in(later, 2027) == 13 * DAY

    def test_time_after_an_early_return_is_not_counted(self) -> None:
        member = away(away(Member(ADA), at(1), at(2)), at(10), at(20))
        assert left_in_year(member, at(13)) == 10 * DAY
        back = returned(member, at(13))
        assert (left_in_year(back, at(13)), is_away(back, at(10))) == (17 * DAY, False)
        assert left_in_year(away(back, at(14), at(24)), at(15)) == 7 * DAY


async def left(host: Host, match: int, user: DiscordId) -> timedelta:
    """The time that a player has left now."""
    stored = (await host.services.matches.load(match)).stored
    clock = stored.clocks[stored.users.index(user)]
    assert clock is not None
    return clock.left_at(host.clock.now())


async def test_the_clock_of_an_absent_player_stands_still(host: Host) -> None:
    lasting, live = await host.begin("skull", clock="3d"), await host.begin("skull", clock="12h")
    await host.pass_time(DAY / 4)
    until = await host.services.absences.begin(ADA, "in 5 days")
    assert until == host.clock.now() + 5 * DAY
    loaded = await host.services.matches.load(lasting.id)
    board = words(panel(loaded, "paper", live=True, now=host.clock.now()))
    assert f"is away until <t:{int(until.timestamp())}:f>, and their clock stands still." in board
    await host.pass_time(4 * DAY)
    assert await left(host, lasting.id, ADA) == 2.75 * DAY
    assert await left(host, live.id, ADA) < ZERO, "a game of less than a day goes on"
    await host.pass_time(2 * DAY)
    assert await left(host, lasting.id, ADA) == 1.75 * DAY
    assert "is away" not in words(panel(loaded, "paper", live=True, now=host.clock.now()))


async def test_a_player_comes_back_earlier(host: Host) -> None:
    match = (await host.begin("skull", clock="3d")).id
    with pytest.raises(Refused, match="You are not away"):
        await host.services.absences.end(ADA)
    await host.services.absences.begin(ADA, "in 5 days")
    await host.pass_time(2 * DAY)
    await host.services.absences.end(ADA)
    assert await left(host, match, ADA) == 3 * DAY
    await host.pass_time(DAY)
    assert await left(host, match, ADA) == 2 * DAY
    assert left_in_year(await host.store.members.get(ADA), host.clock.now()) == 19 * DAY


async def test_ends_of_absences_and_pauses_are_told_once(host: Host) -> None:
    clocks, absences, proposals = host.store.clocks, host.services.absences, host.services.proposals
    games = [(await host.begin("skull", clock="10d")).id, (await host.begin("skull", "quick")).id]
    private = await host.services.computer_games.play(HERE, ADA, "skull")

    async def told() -> list[Resumption]:
        due = await clocks.resumptions(host.clock.now(), 10)
        for it in due:
            board = await host.store.posts.get(PostKind.BOARD, it.match)
            await clocks.resumed(it, host.clock.now())
            after = await host.store.posts.get(PostKind.BOARD, it.match)
            assert board is not None
            assert after is not None
            assert after.version == board.version + 1, "the board is shown without the past date"
        return due

    back = {ADA: await absences.begin(ADA, "in 5 days"), GRACE: await absences.begin(GRACE, "in 6 days")}
    games += [(await host.begin("skull", clock="10d")).id, (await host.begin("skull", "quick")).id]
    assert private.id not in games
    await host.pass_time(5 * DAY - MINUTE)
    assert await told() == []
    await host.pass_time(MINUTE)
    assert await told() == [Resumption(match, back[ADA]) for match in games]
    assert await told() == []
    # What has been put off is told later.
    await host.pass_time(DAY)
    late = await clocks.resumptions(host.clock.now(), 10)
    back[GRACE] = await absences.begin(GRACE, "in 2 days")
    for it in late:
        await clocks.resumed(it, host.clock.now())
    assert await told() == []
    await host.pass_time(2 * DAY)
    assert await told() == [Resumption(match, back[GRACE]) for match in games]
    # An absence or a pause that a player ends is not told of again.
    await absences.begin(ADA, "tomorrow")
    await absences.end(ADA)
    assert await agree(host, games[0], ADA, GRACE, Matter.PAUSE)
    await proposals.end_pause(games[0], ADA)
    assert await agree(host, games[2], ADA, GRACE, Matter.PAUSE)
    await host.pass_time(15 * DAY)
    assert [it.match for it in await told()] == [games[2]]


async def test_clocks_that_start_later_stand_still_too(host: Host) -> None:
    """The turn comes to somebody who is away, and a game begins with somebody who is away."""
    match = (await host.begin("skull", clock="3d")).id
    await host.services.absences.begin(GRACE, "in 5 days")
    await host.services.matches.play(match, ADA, "c3")
    await host.services.absences.begin(ADA, "in 4 days")
    new = (await host.begin("skull", clock="3d")).id
    await host.pass_time(6 * DAY)
    assert await left(host, match, GRACE) == 2 * DAY
    assert await left(host, new, ADA) == DAY


async def test_a_challenge_says_who_is_away(host: Host) -> None:
    terms = terms_of("skull", "", 2, 2, options=MatchOptions(time_control=read_time_control("3d")))
    offer = await host.services.challenges.make(HERE, ADA, terms, (GRACE,))
    card = await host.store.posts.get(PostKind.CARD, offer.id)
    until = await host.services.absences.begin(ADA, "in 5 days")
    after = await host.store.posts.get(PostKind.CARD, offer.id)
    assert card is not None
    assert after is not None
    assert after.version == card.version + 1
    view, _ = await drawn(host.services, offer)
    assert f"<@{ADA}> is away until <t:{int(until.timestamp())}:f>" in words(view)


async def test_somebody_short_of_time_cannot_go_away(host: Host) -> None:
    match = (await host.begin("skull", clock="1d")).id
    await host.pass_time(23 * HOUR + MINUTE)
    before = await host.store.members.get(ADA)
    with pytest.raises(Refused, match="less than an hour left in Amazon Skull"):
        await host.services.absences.begin(ADA, "tomorrow")
    assert await host.store.members.get(ADA) == before
    await host.services.matches.play(match, ADA, "c3")
    await host.services.absences.begin(ADA, "tomorrow")


async def test_a_move_while_away_adds_no_increment(host: Host) -> None:
    match = (await host.begin("skull", clock="3d+12h up to 7d")).id
    await host.services.absences.begin(ADA, "in 5 days")
    await host.pass_time(DAY)
    await host.services.matches.play(match, ADA, "c3")
    await host.services.matches.play(match, GRACE, "d3")
    assert (await left(host, match, ADA), await left(host, match, GRACE)) == (3 * DAY, 3.5 * DAY)


async def test_games_without_a_clock_do_not_end_while_a_player_is_away(host: Host) -> None:
    loaded = await host.begin("skull", "quick")
    host.clock.push(40 * DAY)
    await host.services.absences.begin(ADA, "in 5 days")
    assert await host.services.forgotten.due() == []
    loaded = await host.services.matches.load(loaded.id)
    assert "is away until" in words(panel(loaded, "paper", live=True, now=host.clock.now()))
    board = await post_of(host.store, PostKind.BOARD, loaded.id)
    assert board.version == 2
    assert not host.services.forgotten.can_be_ended_by(loaded, GRACE)
    host.clock.push(6 * DAY)
    assert len(await host.services.forgotten.due()) == 1
    # The days before the return do not count.
    loaded = await host.services.matches.load(loaded.id)
    assert not host.services.forgotten.can_be_ended_by(loaded, GRACE)
    host.clock.push(13 * DAY)
    assert host.services.forgotten.can_be_ended_by(loaded, GRACE)


KINDS = (
    "pass",
    "pass",
    "pass",
    "outage",
    "jump",
    "away",
    "away",
    "back",
    "pause",
    "resume",
    "more",
    "move",
    "move",
)


async def agree(host: Host, match: int, asker: DiscordId, other: DiscordId, matter: Matter) -> bool:
    """Let one player ask for something and the other agree. Return False if it cannot be asked for now."""
    try:
        asked = await host.services.proposals.propose(match, asker, matter)
    except Refused:
        return False
    return (await host.services.proposals.agree(asked.id, other)).answer is Answer.ACCEPTED


@dataclass
class Ledger:
    """The time that each seat must have left, counted beside the clocks, and until when its clock stands still."""

    now: datetime
    left: list[timedelta]
    still: dict[int, datetime] = field(default_factory=dict)
    away: dict[int, datetime] = field(default_factory=dict)
    paused: datetime | None = None

    def stop(self, seat: int) -> None:
        """The clock of a seat stands still from now on as long as its player is away or the match is paused."""
        ends = [it for it in (self.away.get(seat), self.paused) if it is not None and it > self.now]
        self.still.pop(seat, None)
        if ends:
            self.still[seat] = max(ends)

    def passes(self, on_turn: int, span: timedelta) -> None:
        """Time passes in which the player on turn could move, unless they are away."""
        begins = max(self.now, self.still.get(on_turn, self.now))
        self.left[on_turn] -= max(ZERO, self.now + span - begins)
        self.skips(span)

    def skips(self, span: timedelta) -> None:
        """Time passes in which nobody could move, or the wall clock is set."""
        self.now += span
        self.still = {seat: until for seat, until in self.still.items() if until > self.now}


@pytest.mark.parametrize("seed", [4, *(pytest.param(it, marks=pytest.mark.soak) for it in range(5, 60))])
@pytest.mark.parametrize("clock", [pytest.param("3d", marks=pytest.mark.soak), "3d+12h up to 4d"])
async def test_no_time_is_lost_and_none_is_given_twice(host: Host, clock: str, seed: int) -> None:
    """Absences, pauses, more time, outages, corrections of the wall clock and moves in any order, against a ledger."""
    chance, users = random.Random(seed), (ADA, GRACE)
    loaded = await host.begin("alaric", "7", clock=clock)
    control = loaded.stored.time_control
    assert control is not None
    clocks, absences = host.services.matches.move_log.shard_clocks, host.services.absences
    ledger = Ledger(host.clock.now(), [control.span] * 2)
    for _ in range(25):
        await clocks.note_connected()
        seat = users.index(loaded.waiting_for[0])
        kind = chance.choice(KINDS)
        span = chance.choice([10 * MINUTE, 7 * HOUR, DAY])
        who = chance.randrange(2)
        match kind:
            case "pass" if ledger.left[seat] > 2 * DAY:
                ledger.passes(seat, span)
                await host.pass_time(span)
            case "outage":
                clocks.note_disconnected()
                host.clock.push(span)
                await clocks.note_connected()
                ledger.skips(span)
            case "jump":
                jump = chance.choice([-HOUR, HOUR, 2 * DAY])
                host.clock.jump(jump)
                await clocks.note_connected()
                ledger.skips(jump)
            case "away":
                with suppress(Refused):
                    ledger.away[who] = await absences.begin(users[who], f"in {chance.randint(1, 4)} days")
                    if who == seat:
                        ledger.stop(who)
            case "back" if ledger.away.get(who, ledger.now) > ledger.now:
                await absences.end(users[who])
                del ledger.away[who]
                if who == seat:
                    ledger.stop(who)
            case "pause":
                if await agree(host, loaded.id, users[who], users[1 - who], Matter.PAUSE):
                    ledger.paused = ledger.now + 14 * DAY
                    ledger.stop(seat)
            case "resume" if ledger.paused is not None and ledger.paused > ledger.now:
                await host.services.proposals.end_pause(loaded.id, users[who])
                ledger.paused = None
                ledger.stop(seat)
            case "more":
                if await agree(host, loaded.id, users[who], users[1 - who], Matter.TIME):
                    ledger.left[who] += extension(control)
            case "move":
                stood = seat in ledger.still
                ledger.still.pop(seat, None)
                loaded = await host.services.matches.play(
                    loaded.id, users[seat], (loaded.match.legal() or ("",))[0]
                )
                if loaded.match.over:
                    break
                if control.per_move:
                    ledger.left[seat] = control.span
                elif not stood and control.increment is not None and control.cap is not None:
                    ledger.left[seat] = max(
                        ledger.left[seat], min(ledger.left[seat] + control.increment, control.cap)
                    )
                ledger.stop(1 - seat)
        assert host.clock.now() == ledger.now
        assert [await left(host, loaded.id, user) for user in users] == ledger.left, kind


async def test_an_absence_in_several_servers_survives_a_jump_of_the_clock(host: Host) -> None:
    """The correction of the wall clock waits for writes of clocks, and these may not wait for the correction."""
    places = (HERE, Place(guild=2, channel=21), Place(None, 31))
    matches = [(await host.begin("skull", place=place, clock="3d")).id for place in places]
    host.clock.jump(HOUR)
    async with asyncio.timeout(20):
        await host.services.absences.begin(ADA, "in 5 days")
    await host.pass_time(2 * DAY)
    assert [await left(host, match, ADA) for match in matches] == [3 * DAY] * 3


async def test_times_of_day_are_those_of_the_time_zone_that_a_member_has_told(host: Host) -> None:
    """Without one they are in UTC."""
    tomorrow = host.clock.now().date() + timedelta(days=1)
    assert await host.services.absences.begin(ADA, "tomorrow 18:00") == datetime(
        tomorrow.year, tomorrow.month, tomorrow.day, 18, tzinfo=UTC
    )
    await host.store.interests.keep(Interest(GRACE, zone="Asia/Tokyo", guilds=(1,)))
    assert await host.services.absences.begin(GRACE, "tomorrow 18:00") == datetime(
        tomorrow.year, tomorrow.month, tomorrow.day, 9, tzinfo=UTC
    )
    await host.services.digests.begin(GRACE, 7, "UTC+02:00")
    assert await host.services.absences.begin(GRACE, "tomorrow 18:00") == datetime(
        tomorrow.year, tomorrow.month, tomorrow.day, 16, tzinfo=UTC
    )
