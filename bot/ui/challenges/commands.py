"""`/challenge`, the same from a member's context menu, and `/lobby`."""

from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.ui import autocomplete
from bot.ui.challenges.message import challenge_message
from bot.ui.challenges.venue import check_venue
from bot.ui.kit.acting import Interaction, acting_of
from bot.ui.kit.posting import only_mentioning
from bot.ui.kit.reply import refuse
from db.api.challenges import Order, Terms
from db.api.clocks import TimeControl
from render.hosted_games import HOSTED_GAMES
from rules.core.errors import RuleError
from rules.games import find

MOST_SEATS = max(game.seats[1] for game in HOSTED_GAMES)

CLOCK = "time to think: like 24h or 3d for each move, or 15m+10s for all moves (left out: as usual here)"

RATED = "whether it counts for ratings (left out: yes)"


def orders(listed: str) -> list[app_commands.Choice[str]]:
    """Who sits where; `listed` says in which order the members are listed."""
    names = {
        Order.LOT: "drawn by lot",
        Order.FIRST: "I begin",
        Order.LAST: "I go last",
        Order.LISTED: f"in the order {listed}, me first",
    }
    return [app_commands.Choice(name=name, value=order.value) for order, name in names.items()]


class Challenging(commands.Cog):
    """Makes challenges and lets them expire."""

    def __init__(self, bot: commands.Bot) -> None:
        self.bot = bot
        self.menu = app_commands.ContextMenu(name="Challenge to a game", callback=self.from_menu)

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.menu)

    async def cog_unload(self) -> None:
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    @app_commands.command(description="Challenge a member to a game, or several members.")
    @app_commands.describe(
        member="whom you want to play",
        game="which game",
        size="how big: quick, standard, long, or numbers like 7x4 (left out: standard)",
        order="who sits where (left out: drawn by lot)",
        clock=CLOCK,
        rated=RATED,
        member2="one more opponent",
        member3="one more opponent",
        member4="one more opponent",
        member5="one more opponent",
    )
    @app_commands.choices(game=autocomplete.HOSTED_CHOICES, order=orders("named"))
    @app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
    async def challenge(
        self,
        interaction: Interaction,
        member: discord.User,
        game: app_commands.Choice[str],
        size: str = "",
        order: app_commands.Choice[str] | None = None,
        clock: app_commands.Range[str, 0, 50] = "",
        rated: bool = True,
        member2: discord.User | None = None,
        member3: discord.User | None = None,
        member4: discord.User | None = None,
        member5: discord.User | None = None,
    ) -> None:
        members = [it for it in (member, member2, member3, member4, member5) if it is not None]
        seating = Order(order.value) if order else Order.LOT
        await challenge(interaction, members, game.value, size, seating, clock, rated)

    @app_commands.command(description="Open a game that anybody here may join.")
    @app_commands.describe(
        game="which game",
        size="how big: quick, standard, long, or numbers like 7x4 (left out: standard)",
        seats="how many may play, you included (left out: as many as the game takes)",
        order="who sits where (left out: drawn by lot)",
        clock=CLOCK,
        rated=RATED,
    )
    @app_commands.choices(game=autocomplete.HOSTED_CHOICES, order=orders("of joining"))
    @app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
    async def lobby(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str],
        size: str = "",
        seats: app_commands.Range[int, 2, MOST_SEATS] | None = None,
        order: app_commands.Choice[str] | None = None,
        clock: app_commands.Range[str, 0, 50] = "",
        rated: bool = True,
    ) -> None:
        fewest, most = find(game.value).seats
        seating = Order(order.value) if order else Order.LOT
        await post(
            interaction,
            lambda time_control: terms_of(
                game.value, size, fewest, seats or most, seating, time_control, rated
            ),
            clock,
        )

    async def from_menu(self, interaction: Interaction, member: discord.User) -> None:
        await interaction.response.send_modal(ChallengeModal(member))


class ChallengeModal(ui.Modal):
    """Asks which game, how big, and with which clock."""

    def __init__(self, member: discord.User) -> None:
        super().__init__(title="Challenge to a game")
        self.member = member
        self.game: ui.Select[Any] = ui.Select(
            custom_id="game",
            placeholder="Choose a game",
            options=[
                discord.SelectOption(
                    label=game.sheet.title, value=game.key, description=game.sheet.pitch[:100]
                )
                for game in HOSTED_GAMES
            ],
        )
        self.size: ui.RadioGroup[Any] = ui.RadioGroup(
            custom_id="size",
            options=[
                discord.RadioGroupOption(label=name, value=name, default=name == "standard")
                for name in ("quick", "standard", "long")
            ],
        )
        self.add_item(ui.Label(text="Game", component=self.game))
        self.clock: ui.TextInput[Any] = ui.TextInput(
            custom_id="clock", placeholder="24h, 3d, 15m+10s or none", required=False, max_length=50
        )
        self.add_item(ui.Label(text="Size", component=self.size))
        what = "for each move, or for all with seconds added; left empty: as usual here"
        self.add_item(ui.Label(text="Clock", description=what, component=self.clock))

    async def on_submit(self, interaction: Interaction) -> None:
        size = self.size.value or ""
        await challenge(interaction, [self.member], self.game.values[0], size, clock=self.clock.value)


async def challenge(
    interaction: Interaction,
    members: Sequence[discord.User],
    game: str,
    size: str,
    order: Order = Order.LOT,
    clock: str = "",
    rated: bool = True,
) -> None:
    """Challenge all these members to one game."""
    players = len(members) + 1
    await post(
        interaction,
        lambda time_control: terms_of(game, size, players, players, order, time_control, rated),
        clock,
        members,
    )


async def post(
    interaction: Interaction,
    terms_with: Callable[[TimeControl | None], Terms],
    clock: str,
    members: Sequence[discord.User] = (),
) -> None:
    """Make a challenge to `members`, or (none named) to anybody, and post it as the answer."""
    acting = acting_of(interaction)
    try:
        if any(member.bot for member in members):
            raise Refused("Bots do not play; challenge a person.")
        asked = [member.id for member in members]
        check_venue(interaction, asked)
        place = acting.place
        await acting.kit.permission_alerts.check(interaction, place)
        terms = terms_with(await acting.services.preferences.time_control(place.guild, clock))
        made = await acting.services.challenges.make(place, acting.user, terms, asked)
    except (Refused, RuleError) as refusal:
        await refuse(interaction, refusal)
        return
    response = await interaction.response.send_message(
        view=challenge_message(made), allowed_mentions=only_mentioning(asked)
    )
    if response.message_id is not None:
        acting.kit.posting.remember(place, response.message_id, interaction)
        await acting.services.challenges.posted(made, response.message_id)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Challenging(bot))
