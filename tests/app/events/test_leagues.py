"""Leagues: their months, who moves up and down, newcomers, a month of leave, and what opens when."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.errors import Refused
from bot.app.events.schedule import season_after, season_start
from bot.app.events.standing import LARGEST, divisions, groups_of, podium, seeds_after
from bot.ui.events.wording import placing, spell_terms, table_lines, text
from db.values.events import NOBODY, Entrant, Event, EventState
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.app.events.test_cups import lose

GUILD = HERE.guild or 0
DAY = timedelta(days=1)
LISE = 104


async def enabled(host: Host, *games: str) -> None:
    """Let a manager choose the leagues of the server."""
    await host.services.store.servers.change(GUILD, league_channel=HERE.channel, leagues=games)
    await host.services.leagues.follow(await host.services.preferences.guild(GUILD))


async def league(host: Host, season: str, game: str = "skull") -> Event:
    found = await host.store.events.season(GUILD, game, season)
    assert found is not None
    return found


async def played(host: Host, season: str, users: list[int], losers: list[int]) -> Event:
    """Let these members join a month, and lose all their games in turn. Return the month after its end."""
    found = await league(host, season)
    for user in users:
        await host.services.events.join(found.id, user)
    host.clock.push(season_start(season) - host.clock.now())
    await host.services.events.round()
    begun = await host.services.events.load(found.id)
    await lose(host, begun, *losers)
    host.clock.push(season_start(season_after(season)) - 7 * DAY - host.clock.now())
    await host.services.leagues.round()
    await host.services.events.round()
    return await host.services.events.load(found.id)


def names(event: Event) -> list[list[int]]:
    """The members of each division, the best first."""
    users = event.users
    return [[users[row.entrant] for row in group.rows] for group in groups_of(event, 0)]


async def test_a_league_is_played_from_the_first_to_the_last_day_of_a_month(host: Host) -> None:
    host.clock.push(datetime(2026, 11, 27, 12, tzinfo=UTC) - host.clock.now())
    await enabled(host, "skull")
    month = await played(host, "2026-12", [ADA, GRACE, EMMY], [EMMY, GRACE])
    stage = month.stages[0]
    assert (stage.started_at, stage.ends_at) == (season_start("2026-12"), season_start("2027-01"))
    assert (month.state, month.organiser, len(month.pairings)) == (EventState.OVER, NOBODY, 6)
    assert [it.user for _, it in podium(month)] == [ADA, GRACE, EMMY]
    assert table_lines(month)[1] == f"1\\. <@{ADA}> 4 · 2\\. <@{GRACE}> 2 · 3\\. <@{EMMY}> 0"
    assert [it.id for it in await host.store.events.finished_of(GRACE, GUILD, 3)] == [month.id]
    assert placing(month, GRACE) == "League: The Amazon Skull Game, December 2026: division 1, place 2 of 3"
    coming = await league(host, "2027-01")
    assert f"To stay in, press **Join**: <@{ADA}>" in text(coming, [], month)


async def test_a_league_opens_once_and_a_week_before_each_month(host: Host) -> None:
    host.clock.push(datetime(2026, 11, 2, tzinfo=UTC) - host.clock.now())
    await enabled(host, "skull", "alaric")
    other = Host(host.store, host.clock)
    await other.services.leagues.round()
    await enabled(host, "skull")
    states = {game: (await league(host, "2026-12", game)).state for game in ("skull", "alaric")}
    assert states == {"skull": EventState.OPEN, "alaric": EventState.CANCELLED}
    host.clock.push(datetime(2026, 12, 24, 23, 59, tzinfo=UTC) - host.clock.now())
    await host.services.leagues.round()
    await other.services.leagues.round()
    assert await host.store.events.season(GUILD, "skull", "2027-01") is None
    host.clock.push(timedelta(minutes=1))
    await host.services.leagues.round()
    await other.services.leagues.round()
    assert (await league(host, "2027-01")).state is EventState.OPEN
    assert len(await host.store.events.seasons(GUILD, "2026-01")) == 3


async def test_clock_and_size_are_those_when_a_month_opens(host: Host) -> None:
    """A size that a game does not have is its standard size."""
    host.clock.push(datetime(2026, 11, 27, tzinfo=UTC) - host.clock.now())
    await enabled(host, "skull")
    december = await league(host, "2026-12")
    await host.services.store.servers.change(GUILD, league_clock="12h", league_size="long")
    await enabled(host, "skull", "alaric")
    assert await league(host, "2026-12") == december
    alaric = await league(host, "2026-12", "alaric")
    assert spell_terms(december) == "standard (6 columns, 5 rows) · 1 day for each move · rated"
    assert spell_terms(alaric) == "long (21 cells on the ring) · 12 h for each move · rated"
    host.clock.push(timedelta(days=30))
    await host.services.store.servers.change(GUILD, league_size="tiny")
    await enabled(host, "skull")
    january = await league(host, "2027-01")
    assert spell_terms(january) == "standard (6 columns, 5 rows) · 12 h for each move · rated"


async def test_two_move_up_and_down_and_a_month_of_leave_keeps_the_division(host: Host) -> None:
    host.clock.push(datetime(2026, 11, 27, tzinfo=UTC) - host.clock.now())
    await enabled(host, "skull")
    people = [*range(201, 211)]
    first = await played(host, "2026-12", people, people[::-1])
    assert names(first) == [people[:5], people[5:]]
    away = people[3]
    stayed = [it for it in people if it != away]
    second = await played(host, "2027-01", [*stayed[::-1], LISE], [LISE, *stayed[::-1]])
    above, below = (sorted(it) for it in names(second))
    # 204 would have moved down, and 206 and 207 have moved up; the newcomer has no rating.
    assert above == [201, 202, 203, 206, 207]
    assert below == [LISE, 205, 208, 209, 210]
    assert (await league(host, "2027-02")).state is EventState.OPEN
    seeds = seeds_after(first)
    assert seeds[away].division == 1
    assert seeds_after(second).keys() == {*stayed, LISE}


async def test_a_league_without_players_is_cancelled_and_opens_again(host: Host) -> None:
    host.clock.push(datetime(2026, 11, 27, tzinfo=UTC) - host.clock.now())
    await enabled(host, "skull")
    host.clock.push(5 * DAY)
    await host.services.events.round()
    found = await league(host, "2026-12")
    assert found.state is EventState.CANCELLED
    with pytest.raises(Refused, match="Only moderators"):
        await host.services.events.end(found.id, ADA, moderator=False)
    host.clock.push(24 * DAY)
    await host.services.leagues.round()
    assert (await league(host, "2027-01")).state is EventState.OPEN


@given(st.integers(2, 48))
def test_divisions_have_four_to_eight_entrants(size: int) -> None:
    entrants = [Entrant(it, 100 + it) for it in range(size)]
    dealt = divisions(entrants, {it: -it for it in range(size)}, [])
    assert [it for division in dealt for it in division] == [*range(size)]
    assert all(min(4, size) <= len(it) <= LARGEST for it in dealt)
