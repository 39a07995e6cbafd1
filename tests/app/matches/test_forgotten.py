"""Forgotten matches without a clock: who is reminded when, and how they end."""

from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.matches.forgotten import END, REMIND, WARN, ends_at, last_entry, unplayed
from bot.app.matches.matches import FORGOTTEN, UNANSWERED
from bot.ui.components.wording import result
from db.models import ForgottenRow
from tests.app.conftest import ADA, GRACE, Host

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)


async def stages(host: Host) -> list[tuple[int, int]]:
    """Return the matches that are due, with their stages, and note them."""
    due = await host.services.forgotten.due()
    for forgotten in due:
        if forgotten.stage == END:
            assert await host.services.forgotten.end(forgotten)
        else:
            await host.services.forgotten.told(forgotten)
    return [(it.match, it.stage) for it in due]


async def test_players_are_reminded_and_warned_before_the_end(host: Host) -> None:
    match = (await host.begin("skull", "quick")).id
    await host.services.matches.play(match, ADA, "c2")
    seen = []
    for day in range(1, 32):
        host.clock.push(DAY)
        seen += [(day, stage) for _, stage in await stages(host)]
    assert seen == [(4, REMIND), (24, WARN), (31, END)]
    ended = (await host.services.matches.load(match)).stored
    assert (ended.void, ended.outcomes) == (FORGOTTEN, None)
    host.clock.push(DAY)
    assert await stages(host) == []


async def test_every_move_begins_anew(host: Host) -> None:
    match = (await host.begin("skull", "quick")).id
    host.clock.push(25 * DAY)
    assert await stages(host) == [(match, WARN)]
    await host.services.matches.play(match, ADA, "c2")
    host.clock.push(2 * DAY)
    assert await stages(host) == []
    host.clock.push(2 * DAY)
    assert await stages(host) == [(match, REMIND)]


async def test_a_late_warning_still_leaves_a_week(host: Host) -> None:
    """The bot may have been stopped for long."""
    loaded = await host.begin("skull", "quick")
    host.clock.push(100 * DAY)
    assert await stages(host) == [(loaded.id, WARN)]
    end = ends_at(last_entry(loaded), host.clock.now())
    assert end == host.clock.now() + 7 * DAY
    host.clock.push(7 * DAY - timedelta(seconds=1))
    assert await stages(host) == []
    host.clock.push(timedelta(seconds=1))
    assert await stages(host) == [(loaded.id, END)]


async def test_a_move_at_the_last_moment_counts(host: Host) -> None:
    match = (await host.begin("skull", "quick")).id
    host.clock.push(40 * DAY)
    await stages(host)
    host.clock.push(8 * DAY)
    (due,) = await host.services.forgotten.due()
    await host.services.matches.play(match, ADA, "c2")
    assert not await host.services.forgotten.end(due)
    assert not (await host.services.matches.load(match)).match.over


async def test_only_matches_that_somebody_waits_for_are_forgotten(host: Host) -> None:
    """Not those with a clock, those that were begun before, those that are over, and casual ones against computers."""
    await host.begin("skull", "quick", clock="30d")
    await host.services.matches.resign((await host.begin("skull", "quick")).id, GRACE)
    await host.services.computer_games.play((await host.begin("skull")).stored.place, ADA, "skull")
    running = await host.services.matches.mine(GRACE)
    async with host.store.sessions.write() as session:
        for it in running:
            session.add(ForgottenRow(match_id=it.id, plies=None, stage=0, told_at=host.clock.now()))
    host.clock.push(29 * DAY)
    assert await stages(host) == []
    rated = await host.services.computer_games.play(running[0].stored.place, ADA, "skull", 1, rated=True)
    host.clock.push(4 * DAY)
    assert await stages(host) == [(rated.id, REMIND)]


async def test_an_opponent_ends_a_match_after_14_days(host: Host) -> None:
    forgotten, match = host.services.forgotten, (await host.begin("skull", "quick")).id
    loaded = await host.services.matches.play(match, ADA, "c2")
    host.clock.push(14 * DAY - timedelta(seconds=1))
    assert not forgotten.can_be_ended_by(loaded, ADA)
    with pytest.raises(Refused, match="have not moved for 14 days"):
        await forgotten.end_by_opponent(match, ADA)
    host.clock.push(timedelta(seconds=1))
    assert forgotten.can_be_ended_by(loaded, ADA)
    with pytest.raises(Refused, match="have not moved for 14 days"):
        await forgotten.end_by_opponent(match, GRACE)
    await forgotten.end_by_opponent(match, ADA)
    ended = await host.services.matches.load(match)
    assert (ended.stored.void, ended.stored.outcomes, unplayed(ended)) == (UNANSWERED, None, (1,))
    assert f"nobody moved for 14 days. It was the turn of <@{GRACE}>" in result(ended)
    assert not forgotten.can_be_ended_by(ended, ADA)


async def test_only_games_without_a_clock_are_ended_by_opponents(host: Host) -> None:
    loaded = await host.begin("skull", "quick", clock="30d")
    host.clock.push(29 * DAY)
    assert not host.services.forgotten.can_be_ended_by(loaded, GRACE)


async def test_a_secret_find_does_not_put_off_the_end(host: Host) -> None:
    """The button appears at a time that does not tell if the opponent has named a palindrome."""
    loaded = await host.begin("palindromes", "quick")
    for user in (ADA, GRACE):
        row = loaded.match.observe(loaded.seat_of(user)).prompt
        assert row is not None
        loaded = await host.services.matches.play(loaded.id, user, row.example)
    loaded = await host.services.matches.play(loaded.id, ADA, "done")
    host.clock.push(10 * DAY)
    find = loaded.match.observe(1).prompt
    assert find is not None
    loaded = await host.services.matches.play(loaded.id, GRACE, find.example)
    host.clock.push(4 * DAY)
    assert loaded.stored.times[-1] > loaded.waited_since
    assert host.services.forgotten.can_be_ended_by(loaded, ADA)
