"""Standing offers: challenges that stay open, and by which every member who accepts begins a game.

An offer names its terms and how many of its games are played at once. Nobody can accept it while its challenger is away
or takes no challenges. It rests once one of its games ended while it waited for its challenger, until they open it
again, and it ends when its challenger has not used the bot for a month.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.app.challenges.limits import check_place, is_for_games, takes_none
from bot.app.challenges.replies import check_host
from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Challenge, NoMoreGames, Reply, Standing
from db.values.places import DiscordId
from db.values.standings import NEWCOMER

LASTS = timedelta(days=30)
"""The time after which an offer ends if its challenger has not used the bot meanwhile."""
MOST_STANDING = 5
"""The most standing offers of one member."""
MOST_AT_ONCE = 10
"""The most games of one offer that are played at once."""
MOST_READ = 50
"""The most offers that are read for a list: the oldest ones."""


def can_stand(offer: Challenge) -> bool:
    """Return True if a standing offer can be made of a challenge to everybody for two players."""
    clock = offer.terms.time_control
    return offer.place.guild is not None and not offer.terms.any_game and (clock is None or clock.lasting)


def kept(offer: Challenge, by: DiscordId, standing: Standing) -> Challenge:
    """Make a standing offer of an open challenge for its challenger, or change the terms of one."""
    check_host(offer, by)
    terms = offer.terms
    if offer.place.guild is None:
        raise Refused("A standing offer can only be made in a server of which I am a member.")
    if not offer.public or terms.any_game or terms.most != 2:
        raise Refused(
            "A standing offer is for a chosen game and two players; make such a challenge to everybody first."
        )
    if terms.time_control is not None and not terms.time_control.lasting:
        raise Refused(
            "A standing offer needs a clock of a day or more, or none: you may not be there when somebody accepts."
        )
    low, high = standing.lowest, standing.highest
    if low is not None and high is not None and low > high:
        raise Refused("The lowest rating is above the highest; swap them.")
    if not 1 <= standing.most <= MOST_AT_ONCE:
        raise Refused(f"An offer has 1 to {MOST_AT_ONCE} games at once.")
    return replace(offer, standing=standing)


def check_number(offer: Challenge, made: Sequence[Challenge]) -> None:
    """Raise Refused if the challenger cannot make another standing offer; `made` are their open challenges."""
    if sum(it.standing is not None and it.id != offer.id for it in made) >= MOST_STANDING:
        raise Refused(f"You have {MOST_STANDING} standing offers; withdraw one in `/games` first.")


async def check_taking(store: Store, clock: Clock, offer: Challenge, user: DiscordId) -> None:
    """Check that a standing offer stands at present, and admits `user`."""
    assert offer.standing is not None
    await check_place(store, offer.place, offer.terms.game)
    if offer.standing.rests:
        raise Refused(f"This offer rests until {mention(offer.challenger)} opens it again.")
    if await takes_none(store, clock, [offer.challenger]):
        raise Refused(
            f"{mention(offer.challenger)} takes no challenges at present; try this offer again later."
        )
    rating = await _rating(store, user, offer.terms.game)
    if not offer.standing.admits(rating):
        raise Refused(f"This offer is for members with {spell_ratings(offer.standing)}; yours is {rating}.")


def no_more(offer: Challenge, reason: NoMoreGames) -> Refused:
    """Return the refusal of a member for whom no further game of an offer can begin."""
    if reason.theirs:
        return Refused("You play a game of this offer already; accept it again when that game is over.")
    return Refused(
        f"{mention(offer.challenger)} plays as many games of this offer as they want; accept it when one is over."
    )


async def suited(store: Store, clock: Clock, user: DiscordId, offers: Sequence[Challenge]) -> list[Challenge]:
    """Return those of these open games of others in servers that `user` may join, in their order."""
    if not offers:
        return []
    players = {player for it in offers for player in it.users(Reply.IN)}
    unwilling = await takes_none(store, clock, {it.challenger for it in offers})
    unwilling.update(await store.members.blocked(user), await store.members.blockers(user, players))
    guilds = {it.place.guild for it in offers if it.place.guild is not None}
    settings = {guild: await store.servers.settings(guild) for guild in guilds}
    excluded = {guild: {*await store.servers.excluded(guild)} for guild in guilds}
    rated = {it.terms.game for it in offers if it.standing is not None}
    ratings = {game: await _rating(store, user, game) for game in rated}
    found = []
    for it in offers:
        if it.place.guild is None or it.reply_of(user) is not None or unwilling & {*it.users(Reply.IN)}:
            continue
        if excluded[it.place.guild] & {user, *it.users(Reply.IN)}:
            continue
        here = settings[it.place.guild]
        admitted = it.standing is None or it.standing.admits(ratings[it.terms.game])
        if admitted and is_for_games(here, it.place) and it.terms.game not in here.withheld:
            found.append(it)
    return found


def spell_ratings(standing: Standing) -> str:
    """Return the ratings that an offer admits in words: `a rating from 1000 to 1400`; "" if it admits all."""
    low, high = standing.lowest, standing.highest
    if low is None:
        return "" if high is None else f"a rating of at most {high}"
    return f"a rating of at least {low}" if high is None else f"a rating from {low} to {high}"


async def _rating(store: Store, user: DiscordId, game: str) -> int:
    """Return the rating of a member in a game, everywhere and of all time; that of a newcomer without rated games."""
    return (await store.ratings.skill(user, game) or NEWCOMER).score
