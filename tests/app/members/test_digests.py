"""Daily messages: when they are due, and what they tell."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app.challenges.terms import terms_of
from bot.app.clocks.time_controls import read_time_control
from bot.app.members.digests import DAY, Contents, next_due
from db.values.challenges import Standing
from db.values.matches import MatchOptions
from db.values.members import Interest, Notice
from db.values.places import Place
from db.values.posts import Occasion
from db.values.proposals import Matter
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host

pytestmark = pytest.mark.slow

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("now", "zone", "due"),
    [
        ((2026, 7, 1, 10), "Europe/Berlin", (2026, 7, 1, 16)),
        ((2026, 7, 1, 16), "Europe/Berlin", (2026, 7, 2, 16)),
        ((2026, 10, 24, 20), "Europe/Berlin", (2026, 10, 25, 17)),  # the clocks go back in the night
        ((2026, 7, 1, 10), "UTC-11:00", (2026, 7, 2, 5)),
        ((2026, 7, 1, 10), "UTC+14:00", (2026, 7, 2, 4)),
    ],
)
def test_hour_is_that_of_the_time_zone(now: tuple[int, ...], zone: str, due: tuple[int, ...]) -> None:
    assert next_due(18, zone, datetime(*now, tzinfo=UTC)) == datetime(*due, tzinfo=UTC)  # type: ignore[misc,arg-type]  # a tuple of any length


async def queued(host: Host) -> list[int]:
    """Return the days of the messages that are queued for Grace, after a round."""
    await host.services.digests.queue_due()
    found = await host.store.direct_messages.due(host.clock.now(), 10)
    assert {(it.user, it.guild, it.news.occasion) for it in found} <= {(GRACE, None, Occasion.DIGEST)}
    for it in found:
        await host.store.direct_messages.forget(it.id)
    return [it.news.subject for it in found]


async def told(host: Host) -> Contents | None:
    """Return what the daily message of Grace tells, which is due a day later."""
    host.clock.push(DAY)
    (day,) = await queued(host)
    return await host.services.digests.contents(GRACE, day)


async def test_message_comes_once_a_day_and_once_after_an_outage(host: Host) -> None:
    digests = host.services.digests
    assert (await digests.begin(GRACE, 18, "UTC")).due_at == host.clock.now() + 18 * HOUR
    assert (await host.services.preferences.member(GRACE)).notice is Notice.DIGEST
    host.clock.push(18 * HOUR - timedelta(seconds=1))
    assert await queued(host) == []
    host.clock.push(timedelta(seconds=1))
    assert len(await queued(host)) == 1
    assert await queued(host) == []
    host.clock.push(3 * DAY + HOUR)
    assert len(await queued(host)) == 1
    host.clock.push(22 * HOUR)
    assert await queued(host) == []
    host.clock.push(HOUR)
    assert len(await queued(host)) == 1
    await host.services.preferences.choose(GRACE, notice=Notice.PING)
    host.clock.push(DAY)
    assert await queued(host) == []


async def test_defaults_are_those_that_are_known(host: Host) -> None:
    await host.store.interests.keep(Interest(GRACE, zone="Asia/Tokyo", guilds=(1,)))
    chosen = await host.services.digests.of(GRACE)
    assert (chosen.hour, chosen.zone) == (18, "Asia/Tokyo")
    await host.services.digests.begin(GRACE, 7, "UTC+02:00")
    await host.services.preferences.choose(GRACE, notice=Notice.NONE)
    again = await host.services.digests.begin(GRACE)
    assert (again.hour, again.zone) == (7, "UTC+02:00")


async def test_message_lists_what_waits_and_what_ended(host: Host) -> None:
    services = host.services
    await services.digests.begin(GRACE)
    assert await told(host) is None
    long = await host.begin("skull", "quick", others=(GRACE,), clock="3d")
    await services.matches.play(long.id, ADA, "a1")
    host.clock.push(HOUR)
    short = await host.begin("alaric", "quick", others=(GRACE,))
    await services.matches.play(short.id, ADA, "1")
    ended = await host.begin("alaric", "quick", others=(GRACE,))
    await services.matches.resign(ended.id, ADA)
    hers = await services.challenges.make(HERE, EMMY, terms_of("alaric", "", 2, 2), [GRACE])
    await services.proposals.propose(long.id, ADA, Matter.DRAW)
    found = await told(host)
    assert found is not None
    assert [it.id for it in found.due] == [long.id, short.id]
    assert found.due[0].until(GRACE) is not None
    assert [it.id for it in found.asked] == [hers.id]
    assert [loaded.id for _, loaded in found.proposed] == [long.id]
    assert [it.id for it in found.results] == [ended.id]
    found = await told(host)
    assert found is not None
    assert found.results == []


async def test_open_games_are_told_where_one_plays(host: Host) -> None:
    services = host.services
    await services.digests.begin(GRACE)
    match = await host.begin("skull", "quick", others=(GRACE,))
    await services.matches.play(match.id, ADA, "a1")
    host.clock.push(DAY)
    (day,) = await queued(host)
    offers = []
    for place, user, clock in (
        (HERE, EMMY, "3d"),
        (HERE, ADA, "none"),
        (HERE, EMMY, "15m+10s"),
        (ELSEWHERE, EMMY, "3d"),
        (Place(2, 22), ADA, "3d"),
    ):
        options = MatchOptions(time_control=read_time_control(clock))
        made = await services.challenges.make(place, user, terms_of("alaric", "", 2, 2, options=options))
        offers.append(made.id)
    await services.challenges.keep_offering(offers[0], EMMY, Standing(1))

    async def told_now() -> list[int]:
        found = await services.digests.contents(GRACE, day)
        assert found is not None
        return [it.id for it in found.offers]

    assert await told_now() == offers[:2]
    await host.store.interests.keep(Interest(GRACE, ("maze",), guilds=(1,)))
    assert await told_now() == []
    await host.store.interests.forget(GRACE)
    await services.preferences.block(ADA, GRACE)
    assert await told_now() == offers[:1]
    await host.accept(offers[0], 104)
    assert await told_now() == []


async def test_message_of_an_earlier_day_is_out_of_date(host: Host) -> None:
    services = host.services
    await services.digests.begin(GRACE)
    match = await host.begin("skull", "quick", others=(GRACE,))
    await services.matches.play(match.id, ADA, "a1")
    host.clock.push(DAY)
    (first,) = await queued(host)
    host.clock.push(DAY)
    (second,) = await queued(host)
    assert await services.digests.contents(GRACE, first) is None
    assert await services.digests.contents(GRACE, second) is not None
    await services.preferences.choose(GRACE, notice=Notice.DIRECT)
    assert await services.digests.contents(GRACE, second) is None
