"""More time and pauses, by consent of all who play. tests/app/members/test_absence.py checks the clocks."""

from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.proposals import is_paused
from bot.ui.matches.panel import panel
from bot.ui.proposals import proposal_line
from db.values.challenges import Answer
from db.values.clocks import SeatClock
from db.values.members import computer_player
from db.values.places import DiscordId
from db.values.proposals import Matter, Proposal
from tests.app.conftest import ADA, EMMY, GRACE, Host
from tests.ui.words import words

pytestmark = pytest.mark.slow

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def ask(host: Host, loaded: LoadedMatch, user: DiscordId, matter: Matter) -> Proposal:
    return await host.services.proposals.propose(loaded.id, user, matter)


async def paused(host: Host, clock: str = "3d") -> LoadedMatch:
    """A game of three, in which Ada has one hour less than at the beginning, and which all have agreed to pause."""
    loaded = await host.begin("maze", "2", others=(GRACE, EMMY), clock=clock)
    await host.pass_time(HOUR)
    asked = await ask(host, loaded, EMMY, Matter.PAUSE)
    said = proposal_line(loaded, asked)
    assert "asks for a pause: no clock runs until a player ends the pause, for 14 days at most." in said
    assert (await host.services.proposals.agree(asked.id, ADA)).answer is Answer.OPEN
    assert (await host.services.proposals.agree(asked.id, GRACE)).answer is Answer.ACCEPTED
    return await host.services.matches.load(loaded.id)


def clock_of(loaded: LoadedMatch) -> SeatClock:
    """The clock of the first player."""
    clock = loaded.stored.clocks[0]
    assert clock is not None
    return clock


@pytest.mark.parametrize("clock", ["3d", pytest.param("2h+10s", marks=pytest.mark.soak)])
async def test_a_pause_ends_by_itself_after_14_days(host: Host, clock: str) -> None:
    loaded = await paused(host, clock)
    span = loaded.stored.time_control.span if loaded.stored.time_control else DAY
    until = host.clock.now() + 14 * DAY
    assert clock_of(loaded) == SeatClock(
        span - HOUR, until + span - HOUR, until + span - HOUR - min(span / 4, 6 * HOUR)
    )
    board = words(panel(loaded, "paper", live=True, now=host.clock.now()))
    assert f"Paused until <t:{int(until.timestamp())}:f>: no clock runs." in board
    await host.pass_time(14 * DAY)
    assert not is_paused(loaded, host.clock.now())
    assert (await host.services.timekeeper.round()).decided == []
    await host.pass_time(span - HOUR)
    assert (await host.services.timekeeper.round()).decided == [loaded.id]


async def test_board_names_each_answered_request_once(host: Host) -> None:
    """A computer player always agrees to more time, so a member could fill a board beyond what Discord accepts."""
    loaded = await host.begin("skull", "quick", clock="3d")
    seat = loaded.match.to_move[0] or 0
    asker, other = loaded.stored.users[seat], loaded.stored.users[1 - seat]
    for _ in range(3):
        asked = await ask(host, loaded, asker, Matter.TIME)
        assert (await host.services.proposals.agree(asked.id, other)).answer is Answer.ACCEPTED
    newest = await ask(host, loaded, asker, Matter.TIME)
    loaded = await host.services.matches.load(loaded.id)
    shown = await host.services.proposals.on_board(loaded)
    assert [(it.id, it.answer) for it in shown] == [(asked.id, Answer.ACCEPTED), (newest.id, Answer.OPEN)]


async def test_any_player_ends_a_pause(host: Host) -> None:
    loaded = await paused(host)
    with pytest.raises(Refused, match="is paused already"):
        await ask(host, loaded, ADA, Matter.PAUSE)
    await host.pass_time(DAY)
    with pytest.raises(Refused, match="is played by"):
        await host.services.proposals.end_pause(loaded.id, 999)
    await host.services.proposals.end_pause(loaded.id, EMMY)
    after = await host.services.matches.load(loaded.id)
    assert clock_of(after).left_at(host.clock.now()) == 3 * DAY - HOUR
    assert clock_of(after).deadline == host.clock.now() + 3 * DAY - HOUR
    with pytest.raises(Refused, match="is not paused"):
        await host.services.proposals.end_pause(loaded.id, ADA)


async def test_a_paused_game_can_be_played(host: Host) -> None:
    loaded = await paused(host)
    moved = await host.services.matches.play(loaded.id, ADA, (loaded.match.legal() or ("",))[0])
    clock = moved.stored.clocks[1]
    assert clock is not None
    assert clock.stands_still_at(host.clock.now())
    assert is_paused(moved, host.clock.now())


async def test_the_player_on_turn_gets_more_time(host: Host) -> None:
    loaded = await host.begin("skull", clock="3d")
    asked = await ask(host, loaded, ADA, Matter.TIME)
    assert "asks for 3 days more on their clock." in proposal_line(loaded, asked)
    done = await host.services.proposals.agree(asked.id, GRACE)
    assert "asked for more time: agreed" in proposal_line(loaded, done)
    after = await host.services.matches.load(loaded.id)
    assert clock_of(after).deadline == host.clock.now() + 6 * DAY
    with pytest.raises(Refused, match="starts again at your next turn"):
        await ask(host, loaded, GRACE, Matter.TIME)


async def test_more_time_lapses_with_the_next_move(host: Host) -> None:
    loaded = await host.begin("skull", clock="15m+10s")
    asked = await ask(host, loaded, GRACE, Matter.TIME)
    assert "asks for 3 min more" in proposal_line(loaded, asked)
    await host.services.matches.play(loaded.id, ADA, "c3")
    with pytest.raises(Refused, match="moved on"):
        await host.services.proposals.agree(asked.id, ADA)


async def test_a_game_without_a_clock_has_no_pause(host: Host) -> None:
    loaded = await host.begin("skull")
    for matter in (Matter.PAUSE, Matter.TIME):
        with pytest.raises(Refused, match="has no clock"):
            await ask(host, loaded, ADA, matter)


async def test_computer_players_agree_to_both(host: Host) -> None:
    computer = computer_player(1)
    loaded = await host.begin("maze", "2", others=(GRACE, computer), clock="3d")
    for matter in (Matter.PAUSE, Matter.TIME):
        asked = await ask(host, loaded, ADA, matter)
        answered = await host.services.computer_answers.answer(asked)
        assert answered.proposal.agreed == (2,)
