"""Answering a command or a form with a challenge: acknowledge, store it, post it."""

from collections.abc import Sequence

import discord
import structlog

from bot.app.challenges.terms import NamedTerms
from bot.app.computers.games import alone
from bot.app.errors import Refused
from bot.ui.computers import choose_game
from bot.ui.interactions.buttons import MatchButton
from bot.ui.interactions.checks import check_place
from bot.ui.interactions.reply import Context, Interaction, Response, respond
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.challenges import Challenge
from db.values.matches import Search
from db.values.places import Place
from rules.games import find

log = structlog.get_logger()

EVERYBODY = "Mention @everyone, @here and All Roles"
"""The permission to mention any role, as Discord names it."""
BOT = "Bots cannot play; challenge a person, or add computer players with the option `computers`."
LATER = (
    "Your challenge is stored, but Discord does not accept my message at the moment. I will post it as soon as"
    " possible. Until then, `/games` lists it."
)


async def answer_with_challenge(
    interaction: Interaction, members: Sequence[discord.User], named: NamedTerms
) -> None:
    """Challenge these members. A member who challenges the bot alone may choose a game against the computer instead."""
    bot = interaction.client.user
    if bot is not None and [member.id for member in members] == [bot.id]:
        await respond(interaction, choose_game)
        return
    players = len(members) + 1 + named.computers
    await respond(interaction, _challenge, named, players, players, members)


async def answer_with_lobby(
    interaction: Interaction, named: NamedTerms, seats: int | None = None, call: discord.Role | None = None
) -> None:
    """Open a game that anybody may join; its message calls the members of a role.

    Without `seats` it has as many as the game takes, or two if two games are to be played.
    """
    fewest, usual = find(named.game).seats
    most = seats or (usual if named.options.games == 1 else 2)
    await respond(interaction, _challenge, named, fewest, most, call=call)


async def answer_with_open_challenge(
    interaction: Interaction, named: NamedTerms, call: discord.Role | None
) -> None:
    """Ask who wants to play: the first member who accepts is the opponent."""
    seats = 2 + named.computers
    await respond(interaction, _challenge, named, seats, seats, call=call)


async def _challenge(
    context: Context,
    named: NamedTerms,
    fewest: int,
    most: int,
    members: Sequence[discord.User] = (),
    call: discord.Role | None = None,
) -> str | None:
    """Make a challenge to `members`, or to anybody if none are named, and post it. Raises Refused and RuleError."""
    if any(member.bot for member in members):
        raise Refused(BOT)
    users = [member.id for member in members]
    check_place(context.interaction, users)
    if call is not None:
        _check_call(context.interaction, call)
    place, services = context.place, context.services
    await context.ui_services.permission_alerts.check(context.interaction, place)
    time_control = await services.preferences.time_control(place.guild, named.clock)
    terms = named.read(fewest, most, time_control)
    seated = await services.computer_games.seated(context.user, terms.game, named.level, named.computers)
    made = await services.challenges.make(place, context.user, terms, users, seated, _call_text(call))
    return await post_challenge(context, made)


async def post_challenge(context: Context, challenge: Challenge) -> str | None:
    """Post a challenge. Return a note for its challenger if it will be posted later. Raises Refused."""
    try:
        await context.display.invite(challenge.id)
    except DISCORD_ERRORS as error:
        log.warning("challenge.display_delayed", challenge=challenge.id, error=type(error).__name__)
        return LATER
    return None


def _check_call(interaction: Interaction, role: discord.Role) -> None:
    """Raise Refused unless both this member and the bot may mention a role here.

    Discord allows it for roles that anybody may mention, and else only with a permission.
    """
    if not interaction.is_guild_integration():
        raise Refused("I can call a role only in a server of which I am a member; leave out `call`.")
    if role.mentionable and not role.is_default():
        return
    name = "@here" if role.is_default() else f"@{role.name}"
    if not interaction.permissions.mention_everyone:
        raise Refused(f"You may not call {name} here: you lack the permission {EVERYBODY}.")
    if not interaction.app_permissions.mention_everyone:
        raise Refused(f"I may not call {name} here: I lack the permission {EVERYBODY}.")


def _call_text(role: discord.Role | None) -> str:
    """Return the mention of a role; @here instead of @everyone, and "" for None."""
    if role is None:
        return ""
    return "@here" if role.is_default() else role.mention


LOOKED_AT = 20
"""The newest matches of a member among which `/rematch` searches for the last one in the channel."""


class RematchButton(MatchButton, word="rematch", label="Rematch", style=discord.ButtonStyle.primary):
    """Asks for a rematch, or accepts one that another player has asked for."""

    async def answer(self, context: Context) -> Response:
        return await ask_for_rematch(context, self.match)


async def ask_for_rematch(context: Context, match: int | None) -> str | None:
    """Ask the other players of a match for a rematch; None means the member's last match in this channel."""
    user, place = context.user, context.place
    chosen = match if match is not None else await _last(context, place)
    await context.services.matches.check_visible(chosen, user, place)
    played = await context.services.matches.load(chosen)
    check_place(context.interaction, alone=alone(played.stored.users, user))
    if not played.stored.private:
        await context.ui_services.permission_alerts.check(context.interaction, place)
    challenge, loaded = await context.services.rematches.ask(chosen, user, place)
    if challenge.challenger == user and loaded is None:
        return await post_challenge(context, challenge) or "Asked for a rematch."
    await context.display.invite(challenge.id)
    if loaded is not None:
        await context.display.show(loaded.id)
    return None


async def _last(context: Context, place: Place) -> int:
    no_match = Refused(
        "You have not finished a game in this channel lately; choose a game with the option `game`."
    )
    search = Search.near(place, None, context.user)
    finished = await context.services.history.recent(search, LOOKED_AT)
    here = (stored.id for stored in finished if stored.place.channel == place.channel)
    found = next(here, None)
    if found is None:
        raise no_match
    return found
