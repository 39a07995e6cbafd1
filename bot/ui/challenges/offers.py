"""Accepting challenges, standing offers, and telling members of open challenges.

By a standing offer, every member who accepts begins a game.
"""

from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, TypeVar

import discord
import structlog
from discord import ui

from bot.app.challenges.offers import MOST_AT_ONCE, spell_ratings
from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.app.services import Services
from bot.ui.challenges.wording import standing_line
from bot.ui.components.message_parts import Part, message
from bot.ui.components.wording import linked_name
from bot.ui.interactions.buttons import Form, FormButton, IdButton, form_menu
from bot.ui.interactions.checks import UNKNOWN_USER
from bot.ui.interactions.reply import Content, Context, change, private
from bot.ui.posts.permissions import LOCKED, shows_to
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.services import UiServices
from db.values.challenges import Answer, Challenge, Reply, Standing
from db.values.failures import StoreFailed
from db.values.places import DiscordId, Place
from db.values.posts import News, Occasion
from render.board.phrases import counted

log = structlog.get_logger()

Result = TypeVar("Result")

WANTED = 2
"""The number of the news of an open challenge for members who want to be told of such challenges."""

WHY_TOLD = (
    "-# You asked me to tell you. **When somebody wants to play…** in `/preferences` changes or ends that."
)

MOST_SHOWN = 5
"""The most standing offers below an answer to `/challenge`."""
NUMBERS = (1, 2, 3, 5, MOST_AT_ONCE)
"""The numbers of games at once that can be chosen."""
NO_RATING = "Write a rating as a whole number, like `1200`, or leave the field empty."
LONGEST_RATING = 5
"""Characters of a rating."""


async def with_redraw(context: Context, challenge: int, replying: Awaitable[Result]) -> Result:
    """Await a reply to a challenge, and update its card.

    A refused reply updates the card too, which may be out of date after a restart.
    """
    try:
        return await replying
    finally:
        await context.display.invite(challenge)


async def accept(context: Context, challenge: int, game: str | None = None) -> str | None:
    """Accept a challenge, and show the match if it begins. `game` is the chosen game if the challenge is of any game.

    Return a line that leads to the match if it began in another channel, or from a private message.
    """
    offer = await context.services.store.challenges.get(challenge)
    if offer is not None and offer.standing is not None:
        await _check_offer(context, offer)
    else:
        await context.ui_services.permission_alerts.check(context.interaction, context.place)
    accepting = context.services.challenges.accept(challenge, context.user, game)
    _, loaded = await with_redraw(context, challenge, accepting)
    if loaded is None:
        return None
    await context.display.show(loaded.id)
    if not private(context.interaction) and loaded.stored.place.channel == context.place.channel:
        return None
    return f"Your game has begun: {linked_name(await context.services.matches.load(loaded.id))}."


async def _check_offer(context: Context, offer: Challenge) -> None:
    """Raise Refused if the games of a standing offer cannot be shown, or if its challenger has left the server.

    In that case, and if the channel is gone, the offer ends.
    """
    guild = context.interaction.guild
    if guild is None or offer.answer is not Answer.OPEN:
        return
    gone = ""
    try:
        if guild.get_channel(offer.place.parent or offer.place.channel) is None:
            gone = "The channel of this offer is gone, so it has ended."
        elif offer.place == context.place:
            await context.ui_services.permission_alerts.check(context.interaction, context.place)
        else:
            await _check_elsewhere(context, offer.place)
        await guild.fetch_member(offer.challenger)
    except discord.NotFound as error:
        gone = "The thread of this offer is gone, so it has ended."
        if error.code in UNKNOWN_USER:
            gone = f"{mention(offer.challenger)} has left this server, so this offer has ended."
    except DISCORD_ERRORS as error:
        log.info("offer.not_checked", challenge=offer.id, error=type(error).__name__)
    if gone:
        with suppress(Refused):
            await with_redraw(context, offer.id, context.services.challenges.close(offer.id))
        raise Refused(gone)


async def _check_elsewhere(context: Context, place: Place) -> None:
    """Raise Refused if boards cannot be shown at another place of the server, and DISCORD_ERRORS."""
    why = context.ui_services.permission_alerts.missing_at(place)
    if why:
        why = f"I lack {why}"
    elif place.parent is not None:
        thread = await context.ui_services.clients.fetch_thread(place)
        why = LOCKED if thread is not None and thread.locked else ""
    if why:
        raise Refused(f"I cannot show the boards of a game in <#{place.channel}>: {why}.")


def is_seen(context: Context, place: Place) -> bool:
    """Return True if the member who acts sees a place of their server. A private thread is seen from inside only."""
    guild, member = context.interaction.guild, context.interaction.user
    if place == context.place:
        return True
    if guild is None or not isinstance(member, discord.Member):
        return False
    return shows_to(guild, member, place)


async def offers_instead(context: Context, made: Challenge) -> Content | None:
    """Return the standing offers that suit a challenge that was just made to everybody; None if there are none."""
    found = await context.services.challenges.standing(context.user, made.place)
    suited = [it for it in found if made.terms.any_game or it.terms.game == made.terms.game]
    seen = [it for it in suited if is_seen(context, it.place)][:MOST_SHOWN]
    if not seen:
        return None
    parts: list[Part] = [
        "**You can play at once.** Your own challenge is then withdrawn, unless somebody joined."
    ]
    parts += [ui.Section(standing_line(it), accessory=TakeOfferButton(it.id, made.id)) for it in seen]
    return Content("", message(*parts), name="offers")


class TakeOfferButton(IdButton, word="take-offer", label="Play", style=discord.ButtonStyle.success):
    """Begins a game by a standing offer, and withdraws the member's own challenge, if one is named (0 for none)."""

    challenge: int
    own: int = 0

    async def answer(self, context: Context) -> str | None:
        begun = await accept(context, self.challenge)
        challenges = context.services.challenges
        if self.own:
            with suppress(Refused):
                own = await challenges.of_host(self.own, context.user)
                if own.public and own.standing is None and own.users(Reply.IN) == (context.user,):
                    await with_redraw(context, own.id, challenges.refuse(own.id, context.user))
            await change(context, Content("", message(begun or "Your game has begun.")))
            return None
        return begun


class KeepOfferingButton(FormButton, word="keep-offering", label="Keep offering…"):
    """Opens the form by which the challenger makes a standing offer of a challenge, or changes one."""

    challenge: int

    async def form(self, context: Context) -> "OfferForm":
        return OfferForm(await context.services.challenges.of_host(self.challenge, context.user))


class OfferAgainButton(IdButton, word="offer-again", label="Offer again", style=discord.ButtonStyle.success):
    """Opens a standing offer that rests for its challenger."""

    challenge: int

    async def answer(self, context: Context) -> str:
        opening = context.services.challenges.offer_again(self.challenge, context.user)
        await with_redraw(context, self.challenge, opening)
        return "Your offer is open again."


class OfferForm(Form):
    """Asks how many games of an offer are played at once, and by members with which rating."""

    def __init__(self, offer: Challenge) -> None:
        super().__init__("Keep offering this game")
        self.challenge = offer.id
        chosen = offer.standing or Standing(3)
        self.add_item(
            ui.TextDisplay(
                "Everybody here can begin a game with you by one press, on these terms, until you withdraw the offer in"
                " `/games`. Nobody can while you are away or take no challenges."
            )
        )
        games = {str(number): counted(number, "game") for number in NUMBERS}
        self.most = self.ask("Most games at once", form_menu("most", games, str(chosen.most)))
        about = "Of the other player in this game. Empty: any. Newcomers have 1000."
        self.lowest = self.ask("Lowest rating", _rating_field("lowest", chosen.lowest), about)
        self.highest = self.ask("Highest rating", _rating_field("highest", chosen.highest))

    async def answer(self, context: Context) -> str:
        standing = Standing(
            int(self.most.values[0]), _read_rating(self.lowest.value), _read_rating(self.highest.value)
        )
        keeping = context.services.challenges.keep_offering(self.challenge, context.user, standing)
        await with_redraw(context, self.challenge, keeping)
        ratings = spell_ratings(standing)
        whom = f"Everybody with {ratings}" if ratings else "Everybody here"
        return (
            f"{whom} can now begin this game with you, at most {counted(standing.most, 'game')} at once."
            " `/games` lists your offers and withdraws them."
        )


def _rating_field(name: str, rating: int | None) -> ui.TextInput[Any]:
    default = None if rating is None else str(rating)
    return ui.TextInput(custom_id=name, default=default, required=False, max_length=LONGEST_RATING)


def _read_rating(text: str) -> int | None:
    """Return a typed rating; None if nothing was typed. Raises Refused."""
    plain = text.strip()
    if not plain:
        return None
    if not plain.isascii() or not plain.isdigit():
        raise Refused(NO_RATING)
    return int(plain)


async def tell_interested(services: Services, ui_services: UiServices, challenge: Challenge) -> None:
    """Queue a direct message to some of the members who want to be told of an open challenge.

    It is done once, when the challenge is made. If it fails, nobody is told, and the challenge stays.
    """
    try:
        candidates = await services.interests.candidates(challenge)
        if not candidates:
            return
        seeing = await _who_see(ui_services, challenge.place, candidates)
        users = await services.interests.told(seeing)
        news = News(Occasion.CHALLENGE, challenge.id, WANTED)
        await ui_services.direct_messages.queue(users, challenge.place.guild, news)
    except (StoreFailed, discord.ClientException, *DISCORD_ERRORS) as error:
        log.warning("interested.not_told", challenge=challenge.id, error=type(error).__name__)


async def _who_see(ui_services: UiServices, place: Place, users: list[DiscordId]) -> list[DiscordId]:
    """Return those of these users who are members of the server and see the channel of a place, in their order.

    A thread is seen by those who see its channel; of a private thread, nobody is told.
    """
    server = ui_services.clients.get_guild(place.guild)
    if server is None:
        return []
    members = await server.query_members(user_ids=users, limit=len(users), cache=False)
    seeing = {it.id for it in members if shows_to(server, it, place)}
    return [user for user in users if user in seeing]
