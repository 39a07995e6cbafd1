"""Answering a command or a form with a challenge: acknowledge, store it, post it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord
import structlog

from bot.app.challenges.terms import NamedTerms
from bot.app.errors import Refused
from bot.app.matches.listed import alone
from bot.app.matches.loaded import LoadedMatch
from bot.ui.challenges.offers import offers_instead, tell_interested
from bot.ui.computers import choose_game
from bot.ui.interactions.buttons import MatchButton
from bot.ui.interactions.checks import check_place
from bot.ui.interactions.reply import Context, Interaction, remark_later, respond
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.challenges import ANY_GAME, Challenge, Reply
from db.values.places import DiscordId, former
from rules.games import find

log = structlog.get_logger()

EVERYBODY = "Mention @everyone, @here and All Roles"
"""The permission to mention any role, as Discord names it."""
BOT = "Bots cannot play; challenge a person, or use `/play` for a game against the computer."
LATER = (
    "Your challenge is stored, but Discord does not accept my message at the moment. I will post it as soon as"
    " possible. Until then, `/games` lists it."
)


async def answer_with_challenge(interaction: Interaction, member: discord.User, named: NamedTerms) -> None:
    """Challenge a member. A member who challenges the bot may choose a game against the computer instead."""
    bot = interaction.client.user
    if bot is not None and member.id == bot.id:
        await respond(interaction, choose_game)
    else:
        await respond(interaction, _challenge, named, 2, 2, (member,))


async def answer_with_open_challenge(
    interaction: Interaction, named: NamedTerms, call: discord.Role | None
) -> None:
    """Open a game that anybody may join; its message calls the members of a role.

    It has as many seats as the game takes, or two if two games are to be played or the opponent chooses the game.
    """
    fewest, most = (2, 2) if named.game == ANY_GAME else find(named.game).seats
    await respond(interaction, _challenge, named, fewest, most if named.games == 1 else 2, call=call)


async def _challenge(
    context: Context,
    named: NamedTerms,
    fewest: int,
    most: int,
    members: Sequence[discord.User] = (),
    call: discord.Role | None = None,
) -> str | None:
    """Make a challenge to `members`, or to anybody if none are named, and post it. Raises Refused and RuleError."""
    users = _people(context, members)
    if call is not None:
        _check_call(context.interaction, call)
    place, services = context.place, context.services
    await context.ui_services.permission_alerts.check(context.interaction, place)
    time_control = await services.preferences.time_control(place.guild, named.clock)
    terms = named.read(fewest, most, time_control)
    made = await services.challenges.make(place, context.user, terms, users, call=_call_text(call))
    return await post_challenge(context, made)


async def challenge_instead(
    context: Context, challenge: int, members: Sequence[discord.User | discord.Member]
) -> str | None:
    """Withdraw an open game that nobody has joined, and challenge these members on its terms. Raises Refused."""
    challenges = context.services.challenges
    offer = await challenges.of_host(challenge, context.user)
    users, computers = _people(context, members), offer.computers
    if offer.users(Reply.IN) != (context.user, *computers):
        raise Refused("Others have joined this game already; close it first, or let them play too.")
    players = 1 + len(users) + len(computers)
    find(offer.terms.game).check(dict(offer.terms.options), players)
    terms = replace(offer.terms, fewest=players, most=players)
    made = await challenges.make(context.place, context.user, terms, users, computers)
    await challenges.refuse(challenge, context.user)
    await context.display.invite(challenge)
    return await post_challenge(context, made)


def _people(context: Context, members: Sequence[discord.User | discord.Member]) -> list[DiscordId]:
    """Return the ids of these members, who can play here. Raises Refused."""
    if any(member.bot for member in members):
        raise Refused(BOT)
    users = [member.id for member in members]
    check_place(context.interaction, users)
    return users


async def post_challenge(context: Context, challenge: Challenge) -> str | None:
    """Post a challenge. Return a note for its challenger if it will be posted later. Raises Refused."""
    context.ui_services.private_answers.note_challenge(challenge.id, context.interaction)
    try:
        await context.display.invite(challenge.id)
    except DISCORD_ERRORS as error:
        log.warning("challenge.display_delayed", challenge=challenge.id, error=type(error).__name__)
        return LATER
    if challenge.public:
        # Whoever has asked need not wait for this.
        remark_later(context, lambda it: tell_interested(it.services, it.ui_services, challenge))
        remark_later(context, partial(offers_instead, made=challenge))
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
        raise Refused(f"You may not call {name} in this channel: you lack the permission {EVERYBODY}.")
    if not interaction.app_permissions.mention_everyone:
        raise Refused(f"I may not call {name} in this channel: I lack the permission {EVERYBODY}.")


def _call_text(role: discord.Role | None) -> str:
    """Return the mention of a role; @here instead of @everyone, and "" for None."""
    if role is None:
        return ""
    return "@here" if role.is_default() else role.mention


class RematchButton(MatchButton, word="rematch", label="Rematch", style=discord.ButtonStyle.primary):
    """Asks for a rematch, or accepts one that another player has asked for."""

    async def answer(self, context: Context) -> str | None:
        place = context.place
        played = await context.services.matches.load(self.match)
        check_place(context.interaction, alone=alone(played.stored.users, context.user))
        if not played.stored.private:
            await context.ui_services.permission_alerts.check(context.interaction, place)
        challenge, loaded = await context.services.rematches.ask(self.match, context.user, place)
        if challenge.challenger == context.user and loaded is None:
            return await post_challenge(context, challenge)
        await context.display.invite(challenge.id)
        if loaded is not None:
            await context.display.show(loaded.id)
        return None


def can_be_played_again(loaded: LoadedMatch) -> bool:
    """Return True if players may ask for a rematch. The first game of two is followed by the second instead.

    Players of two servers share no channel in which they could be asked.
    """
    stored = loaded.stored
    followed = stored.games > 1 and stored.first is None and bool(loaded.match.winners)
    players = loaded.team is None and not any(map(former, stored.users))
    return loaded.match.over and not followed and players and not stored.context.copied
