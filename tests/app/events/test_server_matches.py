"""Matches between two servers: who may join and act for whom, forfeits, and a start that cannot happen."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.events.line_ups import boards_of, score_of
from bot.app.events.server_matches import STARTED, UNWELCOME
from db.values.events import Correction, Deed, Event, EventState, Terms
from db.values.places import Place
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host

pytestmark = pytest.mark.slow

LISE = 104
THERE = Place(guild=2, channel=21)
TERMS = Terms("skull", (("width", 4), ("height", 4)), read_time_control("1d"), rated=True, most=2)


async def proposed(host: Host) -> Event:
    """A match on one board that THERE has accepted."""
    matches = host.services.server_matches
    event = await matches.propose(HERE, ADA, TERMS, 2, None)
    assert event.versus is not None
    assert event.versus.code is not None
    return await matches.accept(event.versus.code, THERE)


async def begun(host: Host) -> Event:
    """A match of Ada against Lise that has started."""
    event = await proposed(host)
    await host.services.server_matches.side(HERE.guild).join(event.id, ADA)
    return await host.services.server_matches.side(THERE.guild).join(event.id, LISE)


async def test_a_code_is_good_for_one_other_server(host: Host) -> None:
    matches = host.services.server_matches
    event = await matches.propose(HERE, ADA, TERMS, 1, None)
    assert event.versus is not None
    code = event.versus.code or ""
    with pytest.raises(Refused, match="from this server"):
        await matches.accept(code, Place(guild=1, channel=12))
    await matches.accept(code.upper(), THERE)
    with pytest.raises(Refused, match="was used already"):
        await matches.accept(code, Place(guild=3, channel=31))


async def test_members_play_for_one_server_and_not_against_a_block(host: Host) -> None:
    event = await proposed(host)
    here, there = map(host.services.server_matches.side, (HERE.guild, THERE.guild))
    await here.join(event.id, ADA)
    with pytest.raises(Refused, match="for the other server"):
        await there.join(event.id, ADA)
    await host.store.members.block(EMMY, ADA, host.clock.now())
    with pytest.raises(Refused, match=UNWELCOME):
        await there.join(event.id, EMMY)
    await host.store.servers.exclude(1, [LISE], host.clock.now())
    with pytest.raises(Refused, match=UNWELCOME):
        await there.join(event.id, LISE)
    started = await there.join(event.id, GRACE)
    assert [(it.group, it.first, it.second) for it in started.pairings] == [(0, 0, 1), (0, 1, 0)]
    with pytest.raises(Refused, match=STARTED):
        await there.join(event.id, LISE)


async def test_moderators_act_for_their_own_server_only(host: Host) -> None:
    event = await begun(host)
    here, there = map(host.services.server_matches.side, (HERE.guild, THERE.guild))
    with pytest.raises(Refused, match="does not play for this server"):
        await there.remove(event.id, GRACE, ADA, moderator=True)
    with pytest.raises(Refused, match="Neither server of a match can do that alone"):
        await host.services.events.start(event.id, ADA, moderator=True)
    with pytest.raises(Refused, match="one server cannot end it"):
        await there.end(event.id, GRACE, moderator=True)
    game = event.pairings[0].match
    await host.services.matches.resign(game, ADA)
    with pytest.raises(Refused, match="in favour of the other server only"):
        await here.correct(event.id, ADA, game, Correction.DRAWN, moderator=False)
    after = await there.correct(event.id, GRACE, game, Correction.DRAWN, moderator=True)
    assert score_of(boards_of(after)) == (1, 1)


async def test_an_absent_player_forfeits_without_a_change_of_ratings(host: Host) -> None:
    event = await begun(host)
    game = event.pairings[0].match
    loaded = await host.services.matches.load(game)
    await host.services.matches.play(game, ADA, (loaded.match.legal() or [""])[0])
    host.clock.push((event.stages[0].ends_at - event.stages[0].started_at) / 4 + timedelta(minutes=1))
    event = await host.services.events.advance(event.id)
    assert (event.state, score_of(boards_of(event))) == (EventState.OVER, (4, 0))
    assert [(it.deed, it.whom) for it in event.deeds] == [(Deed.ABSENT, LISE)]
    assert not await host.store.ratings.of_member(ADA)


async def test_a_match_that_nobody_accepts_is_cancelled(host: Host) -> None:
    event = await host.services.server_matches.propose(
        HERE, ADA, replace(TERMS, most=4), 1, timedelta(days=1)
    )
    await host.services.server_matches.side(HERE.guild).join(event.id, ADA)
    host.clock.push(timedelta(days=1))
    assert (await host.services.events.advance(event.id)).state is EventState.CANCELLED


async def test_a_match_with_a_server_that_is_gone_does_not_start(host: Host) -> None:
    event = await proposed(host)
    await host.services.server_matches.side(HERE.guild).join(event.id, ADA)
    await host.store.servers.depart(host.clock.now(), THERE.guild or 0)
    started = await host.services.server_matches.side(THERE.guild).join(event.id, LISE)
    assert (started.state, started.pairings) == (EventState.CANCELLED, ())


async def test_a_guest_takes_their_data_along_and_loses_their_games(host: Host) -> None:
    event = await begun(host)
    exported = await host.services.privacy.export(LISE)
    assert [it["guest"] for it in exported["entrants"]] == [True]  # type: ignore[attr-defined]  # rows as JSON
    assert str(ADA) not in json.dumps(exported)
    await host.services.privacy.forget(LISE)
    after = await host.services.events.advance(event.id)
    assert (after.state, score_of(boards_of(after))) == (EventState.OVER, (4, 0))
    assert str(LISE) not in repr(after)
    assert "entrants" not in await host.services.privacy.export(LISE)
