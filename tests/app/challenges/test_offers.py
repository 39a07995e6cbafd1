"""Standing offers: who may begin a game by one, and when one stands."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app.bans import digest_of_member
from bot.app.challenges.offers import LASTS, MOST_STANDING
from bot.app.challenges.terms import terms_of
from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.matches.forgotten import OPPONENTS_END_AFTER
from db.stores.standings.rows import write_ratings
from db.values.administration import AdminAction, Ban
from db.values.challenges import ANY_GAME, Answer, Challenge, Standing
from db.values.matches import MatchOptions
from db.values.members import FOREVER
from db.values.places import Place
from db.values.standings import HeldSkill, Leaderboard, Rating, Skill
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, LIFETIME, Host
from tests.db.given import challenge_of

pytestmark = pytest.mark.slow

STRONG = Skill(30.0, 2.0)
THREE = Standing(3)


async def opened(
    host: Host, game: str = "alaric", clock: str = "3d", place: Place = HERE, size: str = ""
) -> Challenge:
    options = MatchOptions(time_control=read_time_control(clock))
    return await host.services.challenges.make(place, ADA, terms_of(game, size, 2, 2, options=options))


async def kept(host: Host, standing: Standing = THREE, place: Place = HERE, size: str = "") -> Challenge:
    made = await opened(host, place=place, size=size)
    return await host.services.challenges.keep_offering(made.id, ADA, standing)


async def listed(host: Host, user: int) -> list[int]:
    return [it.id for it in await host.services.challenges.standing(user, ELSEWHERE)]


async def test_offer_stays_open_and_begins_games_where_it_was_made(host: Host) -> None:
    offer = await kept(host)
    assert offer.expires_at == host.clock.now() + LASTS
    assert (await listed(host, ADA), await listed(host, GRACE)) == ([], [offer.id])
    host.clock.push(10 * LIFETIME)
    assert await host.services.challenges.expire() == []
    begun = await host.accept(offer.id, GRACE)
    assert (begun.stored.users, begun.stored.place) == ((ADA, GRACE), HERE)
    assert begun.stored.time_control == offer.terms.time_control
    assert (await listed(host, GRACE), await listed(host, EMMY)) == ([], [offer.id])
    with pytest.raises(Refused, match="You play a game of this offer already"):
        await host.services.challenges.accept(offer.id, GRACE)
    await host.accept(offer.id, EMMY)


async def test_offer_rests_until_its_owner_opens_it_again(host: Host) -> None:
    """Its owner has let a game run out; that of another player changes nothing."""
    offer, services = await kept(host), host.services
    with_emmy = await host.accept(offer.id, EMMY)
    moves = with_emmy.match.legal()
    assert moves
    await services.matches.play(with_emmy.id, ADA, moves[0])
    await host.pass_time(timedelta(days=3))
    assert (await services.timekeeper.round()).decided == [with_emmy.id]
    with_grace = await host.accept(offer.id, GRACE)
    await host.pass_time(timedelta(days=3))
    assert (await services.timekeeper.round()).decided == [with_grace.id]
    assert await listed(host, EMMY) == []
    with pytest.raises(Refused, match=f"This offer rests until <@{ADA}> opens it again"):
        await services.challenges.accept(offer.id, EMMY)
    with pytest.raises(Refused, match="Only"):
        await services.challenges.offer_again(offer.id, EMMY)
    await services.challenges.offer_again(offer.id, ADA)
    with pytest.raises(Refused, match="This offer is open already"):
        await services.challenges.offer_again(offer.id, ADA)
    assert await listed(host, EMMY) == [offer.id]


async def test_offer_rests_after_a_game_without_a_clock_was_forgotten(host: Host) -> None:
    offer = await host.services.challenges.keep_offering((await opened(host, clock="none")).id, ADA, THREE)
    match = (await host.accept(offer.id, GRACE)).id
    host.clock.push(OPPONENTS_END_AFTER)
    await host.services.forgotten.end_by_opponent(match, GRACE)
    assert (await challenge_of(host.store, offer.id)).standing == replace(THREE, rests=True)


async def test_two_who_press_at_once_begin_one_game_of_one(host: Host) -> None:
    offer = await kept(host, Standing(1))
    accepting = (host.services.challenges.accept(offer.id, user) for user in (GRACE, EMMY))
    done = await asyncio.gather(*accepting, return_exceptions=True)
    refused = [it for it in done if isinstance(it, Refused)]
    assert [str(it) for it in refused] == [
        f"<@{ADA}> plays as many games of this offer as they want; accept it when one is over."
    ]
    assert len(await host.services.matches.mine(ADA)) == 1


async def test_offer_does_not_stand_while_its_owner_is_away_or_refuses(host: Host) -> None:
    offer = await kept(host)
    services = host.services
    await services.absences.begin(ADA, "in 5 days")
    assert await listed(host, GRACE) == []
    with pytest.raises(Refused, match="takes no challenges at present"):
        await services.challenges.accept(offer.id, GRACE)
    await services.absences.end(ADA)
    assert await listed(host, GRACE) == [offer.id]
    await services.preferences.choose(ADA, away_until=FOREVER)
    assert await listed(host, GRACE) == []
    with pytest.raises(Refused, match="takes no challenges at present"):
        await services.challenges.accept(offer.id, GRACE)
    await services.preferences.choose(ADA, away_until=None)
    await host.accept(offer.id, GRACE)


@pytest.mark.parametrize(
    "way",
    [
        "blocked",
        "excluded",
        "owner banned",
        *(pytest.param(it, marks=pytest.mark.soak) for it in ("blocks", "owner excluded")),
    ],
)
async def test_offer_is_not_for_members_who_may_not_play(host: Host, way: str) -> None:
    offer = await kept(host)
    services, now = host.services, host.clock.now()
    match way:
        case "blocks":
            await services.preferences.block(ADA, GRACE)
        case "blocked":
            await services.preferences.block(GRACE, ADA)
        case "excluded":
            await services.preferences.exclude(1, [GRACE])
        case "owner excluded":
            await services.preferences.exclude(1, [ADA])
        case _:
            ban = Ban(digest_of_member(ADA), ADA, None, "spam", None, now)
            await host.store.administration.ban(ban, AdminAction(now, 7, "ban"))
    assert await listed(host, GRACE) == []
    with pytest.raises(Refused):
        await services.challenges.accept(offer.id, GRACE)
    assert await services.matches.mine(ADA) == []


async def test_offer_for_some_ratings(host: Host) -> None:
    """A member without a rated game has the rating of a newcomer, 1000."""
    offer = await kept(host, Standing(3, 1001))
    low = await kept(host, Standing(3, None, 1200), place=ELSEWHERE)
    rating = Rating(EMMY, Leaderboard(game="alaric"), HeldSkill(STRONG), 5, 0, 0)
    await host.store.sessions.write_at_once(lambda connection: write_ratings(connection, [rating]))
    assert (await listed(host, GRACE), await listed(host, EMMY)) == ([low.id], [offer.id])
    with pytest.raises(Refused, match="is for members with a rating of at least 1001; yours is 1000"):
        await host.services.challenges.accept(offer.id, GRACE)
    with pytest.raises(Refused, match=f"a rating of at most 1200; yours is {STRONG.score}"):
        await host.services.challenges.accept(low.id, EMMY)
    await host.accept(offer.id, EMMY)


async def test_offer_follows_what_its_server_allows(host: Host) -> None:
    offer = await kept(host)
    await host.services.store.servers.change(1, channels=(12,))
    assert await listed(host, GRACE) == []
    with pytest.raises(Refused, match="games are played in <#12>"):
        await host.services.challenges.accept(offer.id, GRACE)
    await host.services.store.servers.change(1, channels=(), withheld=("alaric",))
    assert await listed(host, GRACE) == []


async def test_what_cannot_be_offered_for_good(host: Host) -> None:
    keep = host.services.challenges.keep_offering
    made = await opened(host)
    with pytest.raises(Refused, match=f"Only <@{ADA}> can change"):
        await keep(made.id, GRACE, THREE)
    with pytest.raises(Refused, match="The lowest rating is above the highest"):
        await keep(made.id, ADA, Standing(3, 1200, 1100))
    with pytest.raises(Refused, match="1 to 10 games at once"):
        await keep(made.id, ADA, Standing(11))
    live = await opened(host, "xlines", "15m+10s")
    with pytest.raises(Refused, match="needs a clock of a day or more, or none"):
        await keep(live.id, ADA, THREE)
    lobby = await host.services.challenges.make(HERE, ADA, terms_of("maze", "", 2, 6))
    with pytest.raises(Refused, match="for a chosen game and two players"):
        await keep(lobby.id, ADA, THREE)
    await host.services.challenges.refuse(lobby.id, ADA)
    choice = await host.services.challenges.make(HERE, ADA, terms_of(ANY_GAME, "", 2, 2))
    with pytest.raises(Refused, match="for a chosen game and two players"):
        await keep(choice.id, ADA, THREE)
    await host.services.challenges.refuse(live.id, ADA)
    direct = await opened(host, place=Place(None, 13))
    with pytest.raises(Refused, match="only be made in a server"):
        await keep(direct.id, ADA, THREE)
    offer = await keep(made.id, ADA, THREE)
    with pytest.raises(Refused, match="You have a standing offer of this game here"):
        await opened(host)
    with pytest.raises(Refused, match="is for two players; withdraw it instead"):
        await host.services.challenges.resize(offer.id, ADA, 3)
    with pytest.raises(Refused, match="You made this challenge"):
        await host.services.challenges.accept(offer.id, ADA)


async def test_number_of_offers_is_limited(host: Host) -> None:
    """Offers take no place of the other challenges."""
    offers = [await kept(host, place=Place(1, 50 + it)) for it in range(MOST_STANDING)]
    made = await opened(host)
    with pytest.raises(Refused, match=f"You have {MOST_STANDING} standing offers"):
        await host.services.challenges.keep_offering(made.id, ADA, THREE)
    changed = await host.services.challenges.keep_offering(offers[0].id, ADA, Standing(1))
    assert changed.standing == Standing(1)
    await host.services.challenges.drop(offers[0].id, ADA)
    await host.services.challenges.keep_offering(made.id, ADA, THREE)


async def test_data_of_the_owner_is_deleted_with_the_offer(host: Host) -> None:
    offer = await kept(host)
    begun = await host.accept(offer.id, GRACE)
    await host.services.privacy.forget(ADA)
    closed = await challenge_of(host.store, offer.id)
    assert (closed.answer, closed.challenger < 0) == (Answer.WITHDRAWN, True)
    assert (await host.services.matches.load(begun.id)).match.over
    assert await listed(host, GRACE) == []


async def test_offer_ends_a_month_after_its_owner_was_there(host: Host) -> None:
    offer = await kept(host)
    today = host.clock.now().date()
    await host.store.retention.note_activity([ADA], [1], today, today)
    host.clock.push(LASTS)
    assert await host.services.challenges.expire() == []  # the day of the last activity still counts
    host.clock.push(LASTS + timedelta(days=1))
    assert [it.id for it in await host.services.challenges.expire()] == [offer.id]
    with pytest.raises(Refused, match="has expired"):
        await host.services.challenges.accept(offer.id, GRACE)
