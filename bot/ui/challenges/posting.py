"""Posting challenges: as the answer to a command or form, or as a message of the bot's own."""

from collections.abc import Sequence
from contextlib import suppress

import discord
import structlog

from bot.app.challenges.terms import NamedTerms
from bot.app.errors import Refused
from bot.app.locks import Locks
from bot.ui.challenges.calls import call_text, check_call
from bot.ui.challenges.message import drawn, drawn_at_once, redraw
from bot.ui.challenges.wording import summary
from bot.ui.computers.play import choose_game
from bot.ui.kit.answers.acting import Acting, Interaction, acting_of
from bot.ui.kit.answers.reply import refuse, respond
from bot.ui.kit.answers.venue import check_venue
from bot.ui.kit.posts.posting import DISCORD_ERRORS, only_mentioning
from db.api.challenges import Challenge, Reply
from db.api.members.members import Notice
from db.api.places import DiscordId
from rules.core.errors import RuleError
from rules.games import find

log = structlog.get_logger()

BOT = "Bots do not play; challenge a person, or give seats to computer players with the option `computers`."
_posting = Locks()
"""By challenge: it is posted by one task at a time, so that it is not posted twice."""


async def answer_with_challenge(
    interaction: Interaction, members: Sequence[discord.User], named: NamedTerms
) -> None:
    """Challenge these members on the terms that a member has named, and post the challenge as the answer.

    Who challenges the bot alone may choose a game against the computer instead.
    """
    bot = interaction.client.user
    if bot is not None and [member.id for member in members] == [bot.id]:
        await respond(interaction, choose_game)
        return
    players = len(members) + 1 + named.computers
    await _answer(interaction, named, players, players, members)


async def answer_with_lobby(
    interaction: Interaction, named: NamedTerms, seats: int | None = None, call: discord.Role | None = None
) -> None:
    """Open a game that anybody may join, and post it as the answer; the message calls the members of a role.

    Without `seats` it has as many as the game takes, or two if two games are to be played.
    """
    fewest, usual = find(named.game).seats
    most = seats or (usual if named.games == 1 else 2)
    await _answer(interaction, named, fewest, most, call=call)


async def answer_with_open_challenge(
    interaction: Interaction, named: NamedTerms, call: discord.Role | None
) -> None:
    """Ask who wants to play: the first member who accepts is the opponent."""
    seats = 2 + named.computers
    await _answer(interaction, named, seats, seats, call=call)


async def _answer(
    interaction: Interaction,
    named: NamedTerms,
    fewest: int,
    most: int,
    members: Sequence[discord.User] = (),
    call: discord.Role | None = None,
) -> None:
    """Make a challenge to `members`, or to anybody if none are named.

    The challenge itself is Discord's first answer, so that it can ping; nothing is acknowledged before.
    """
    acting = acting_of(interaction)
    try:
        if any(member.bot for member in members):
            raise Refused(BOT)
        users = [member.id for member in members]
        check_venue(interaction, users)
        if call is not None:
            check_call(interaction, call)
        place = acting.place
        await acting.kit.permission_alerts.check(interaction, place)
        time_control = await acting.services.preferences.time_control(place.guild, named.clock)
        terms = named.read(fewest, most, time_control)
        seated = await acting.services.computer_games.seated(
            acting.user, terms.game, named.level, named.computers
        )
        made = await acting.services.challenges.make(place, acting.user, terms, users, seated)
    except (Refused, RuleError) as refusal:
        await refuse(interaction, refusal)
        return
    message, late = await drawn_at_once(acting.services, made)
    shown = message.calling(call_text(call))
    try:
        response = await interaction.response.send_message(
            view=shown.view, files=shown.files, allowed_mentions=only_mentioning(users, call)
        )
        posted = response.message_id
    except DISCORD_ERRORS as error:
        log.warning("challenge may not have arrived", error=type(error).__name__)
        posted = await _first_answer(interaction)
    if posted is None:
        # Discord has told the member that it failed. They may make the same challenge again, since this one is gone.
        with suppress(Refused):
            await acting.services.challenges.refuse(made.id, acting.user)
        log.warning("challenge withdrawn, since it could not be posted", challenge=made.id)
        return
    acting.kit.posting.remember(place, posted, interaction)
    await acting.services.challenges.posted(made, posted)
    if late:
        await redraw(acting.kit, acting.services, made.id, call_text(call))


async def _first_answer(interaction: Interaction) -> DiscordId | None:
    """Return the message by which an interaction was answered, or None if there is none."""
    try:
        return (await interaction.original_response()).id
    except DISCORD_ERRORS:
        return None


async def post_challenge(acting: Acting, challenge: Challenge) -> None:
    """Post a challenge where it was made, unless it has a message, and notify the challenged members as they chose.

    Raises Refused when the bot may not post there.
    """
    async with _posting.of(challenge.id):
        found = await acting.services.challenges.find(challenge.id)
        if found is None or found.message is not None:
            return
        channel = acting.kit.posting.at(found.place)
        users = await acting.kit.turn_notices.by_notice(found.users(Reply.ASKED))
        try:
            once = f"challenge {found.id} {found.made_at}"
            shown = await drawn(acting.services, found)
            notify = users[Notice.PING]
            message = await channel.send(view=shown.view, files=shown.files, notify=notify, once=once)
        except discord.Forbidden:
            missing = await acting.kit.permission_alerts.report(found.place, pictures=False)
            raise Refused(f"I may not post in <#{found.place.channel}>: {missing}.") from None
        except discord.NotFound:
            raise Refused("The channel of this game no longer exists; ask in another one.") from None
        await acting.services.challenges.posted(found, message)
        await acting.kit.turn_notices.tell(users[Notice.DIRECT], f"{summary(found)}.", found.place, message)
