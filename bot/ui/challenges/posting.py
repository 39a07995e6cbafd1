"""Posting challenges: as the answer to a command or form, or as a message of the bot's own."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.ui.challenges.message import challenge_message
from bot.ui.challenges.wording import summary
from bot.ui.computers.play import choose_game
from bot.ui.kit.acting import Acting, Interaction, acting_of
from bot.ui.kit.options import game_option
from bot.ui.kit.posting import only_mentioning
from bot.ui.kit.reply import refuse, respond
from bot.ui.kit.venue import check_venue
from db.api.challenges import Challenge, Order, Reply, Terms
from db.api.clocks import TimeControl
from db.api.members import Notice
from render.hosted_games import HOSTED_GAMES
from rules.core.errors import RuleError

BOT = "Bots do not play; challenge a person, or give seats to computer players with the option `computers`."
_posting: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""By challenge: it is posted by one task at a time, so that it is not posted twice."""


class ChallengeForm(ui.Modal):
    """Asks for the game, the size and the clock of a challenge to one member."""

    def __init__(self, member: discord.User) -> None:
        super().__init__(title="Challenge to a game")
        self.member = member
        self.game: ui.Select[Any] = ui.Select(
            custom_id="game",
            placeholder="Choose a game",
            options=[game_option(game) for game in HOSTED_GAMES],
        )
        self.size: ui.RadioGroup[Any] = ui.RadioGroup(
            custom_id="size",
            options=[
                discord.RadioGroupOption(label=name, value=name, default=name == "standard")
                for name in ("quick", "standard", "long")
            ],
        )
        self.clock: ui.TextInput[Any] = ui.TextInput(
            custom_id="clock", placeholder="24h, 3d, 15m+10s or none", required=False, max_length=50
        )
        self.add_item(ui.Label(text="Game", component=self.game))
        self.add_item(ui.Label(text="Size", component=self.size))
        about = "Time for each move, or for all moves plus seconds per move. Empty: the usual clock here."
        self.add_item(ui.Label(text="Clock", description=about, component=self.clock))

    async def on_submit(self, interaction: Interaction) -> None:
        size = self.size.value or ""
        await answer_with_challenge(
            interaction, [self.member], self.game.values[0], size, clock=self.clock.value
        )


async def answer_with_challenge(
    interaction: Interaction,
    members: Sequence[discord.User],
    game: str,
    size: str,
    order: Order = Order.LOT,
    clock: str = "",
    rated: bool = True,
    games: int = 1,
    computers: int = 0,
    level: int | None = None,
) -> None:
    """Challenge these members to one game, or to two with swapped seats, and post the challenge as the answer.

    Who challenges the bot alone may choose a game against the computer instead.
    """
    bot = interaction.client.user
    if bot is not None and [member.id for member in members] == [bot.id]:
        await respond(interaction, choose_game)
        return
    players = len(members) + 1 + computers
    await _answer(
        interaction,
        lambda time_control: terms_of(game, size, players, players, order, time_control, rated, games),
        clock,
        members,
        computers,
        level,
    )


async def answer_with_lobby(
    interaction: Interaction,
    game: str,
    size: str,
    fewest: int,
    most: int,
    order: Order,
    clock: str,
    rated: bool,
    games: int = 1,
    computers: int = 0,
    level: int | None = None,
) -> None:
    """Open a game of `fewest` to `most` players that anybody may join, and post it as the answer."""
    await _answer(
        interaction,
        lambda time_control: terms_of(game, size, fewest, most, order, time_control, rated, games),
        clock,
        computers=computers,
        level=level,
    )


async def _answer(
    interaction: Interaction,
    terms_with: Callable[[TimeControl | None], Terms],
    clock: str,
    members: Sequence[discord.User] = (),
    computers: int = 0,
    level: int | None = None,
) -> None:
    """Make a challenge to `members`, or to anybody if none are named; `computers` seats are for computer players.

    The challenge itself is Discord's first answer, so that it can ping; nothing is acknowledged before.
    """
    acting = acting_of(interaction)
    try:
        if any(member.bot for member in members):
            raise Refused(BOT)
        users = [member.id for member in members]
        check_venue(interaction, users)
        place = acting.place
        await acting.kit.permission_alerts.check(interaction, place)
        terms = terms_with(await acting.services.preferences.time_control(place.guild, clock))
        seated = await acting.services.computer_games.seated(acting.user, terms.game, level, computers)
        made = await acting.services.challenges.make(place, acting.user, terms, users, seated)
    except (Refused, RuleError) as refusal:
        await refuse(interaction, refusal)
        return
    shown = await challenge_message(made, await acting.services.preferences.theme(place))
    response = await interaction.response.send_message(
        view=shown.view, files=shown.files, allowed_mentions=only_mentioning(users)
    )
    if response.message_id is not None:
        acting.kit.posting.remember(place, response.message_id, interaction)
        await acting.services.challenges.posted(made, response.message_id)


async def post_challenge(acting: Acting, challenge: Challenge) -> None:
    """Post a challenge where it was made, unless it has a message, and notify the challenged members as they chose.

    Raises Refused when the bot may not post there.
    """
    async with _posting.setdefault(challenge.id, asyncio.Lock()):
        found = await acting.services.challenges.find(challenge.id)
        if found is None or found.message is not None:
            return
        channel = acting.kit.posting.at(found.place)
        users = await acting.kit.turn_notices.by_notice(found.users(Reply.ASKED))
        try:
            once = f"challenge {found.id} {found.made_at}"
            shown = await challenge_message(found, await acting.services.preferences.theme(found.place))
            notify = users[Notice.PING]
            message = await channel.send(view=shown.view, files=shown.files, notify=notify, once=once)
        except discord.Forbidden:
            missing = await acting.kit.permission_alerts.report(found.place, pictures=False)
            raise Refused(f"I may not post in <#{found.place.channel}>: {missing}.") from None
        except discord.NotFound:
            raise Refused("The channel of this game no longer exists; ask in another one.") from None
        await acting.services.challenges.posted(found, message)
        await acting.kit.turn_notices.tell(users[Notice.DIRECT], f"{summary(found)}.", found.place, message)
