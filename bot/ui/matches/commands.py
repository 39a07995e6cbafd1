"""The commands of a running game: `/move`, `/board`, `/resign`; for moderators `/end`."""

import re

from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.components.message_parts import board_picture
from bot.ui.interactions.commands import in_servers
from bot.ui.interactions.reply import Content, Context, Interaction, respond
from bot.ui.matches.board_actions import ask_to_resign, end_game, show_text_board
from bot.ui.matches.panel import gains, panel
from bot.ui.moves.play import play_by_command


async def show_board(context: Context, game: int | None, *, as_text: bool) -> Content | None:
    """Show a board again.

    The board of a member's own running game is posted at the end of its channel, without notifying anybody. The board
    as text, and the board of another game, is shown to the member alone.
    """
    user, place = context.user, context.place
    loaded = await context.services.matches.shown(user, place, game)
    if as_text:
        return show_text_board(loaded, user)
    if user in loaded.stored.users and place.channel == loaded.stored.place.channel and not loaded.match.over:
        await context.display.show(loaded.id, again=True)
        return None
    theme = await context.theme()
    forced = await context.services.matches.by_itself(loaded)
    view = panel(loaded, theme, live=False, forced=forced, gains=await gains(context.services, loaded))
    return Content("", view, await board_picture(loaded, theme, context.ui_services.member_names))


_MOVE_OF_MATCH = re.compile(r"#(?P<match>[0-9]{1,9})\s+(?P<text>.+)")
"""A move with the number of its game, as `/move` suggests it if several games wait."""


class MatchCommands(commands.Cog):
    """The commands of a running game."""

    @app_commands.command(description="Make your move.")
    @app_commands.describe(
        move="your move, written as on the board", game="which game, if several wait for you"
    )
    @app_commands.autocomplete(move=autocomplete.moves)
    @app_commands.autocomplete(game=autocomplete.my_games)
    async def move(
        self,
        interaction: Interaction,
        move: app_commands.Range[str, 1, 200],
        game: int | None = None,
    ) -> None:
        numbered = _MOVE_OF_MATCH.fullmatch(move)
        if numbered and game is None:
            await respond(interaction, play_by_command, int(numbered["match"]), numbered["text"])
        else:
            await respond(interaction, play_by_command, game, move)

    @app_commands.command(description="Show the board again, as a picture or as text.")
    @app_commands.describe(
        game="which game, if there are several here", as_text="as text instead of a picture"
    )
    @app_commands.autocomplete(game=autocomplete.games_here)
    async def board(self, interaction: Interaction, game: int | None = None, as_text: bool = False) -> None:
        await respond(interaction, show_board, game, as_text=as_text)

    @app_commands.command(description="Give up a game.")
    @app_commands.describe(game="which game, if you play several here")
    @app_commands.autocomplete(game=autocomplete.my_games)
    async def resign(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, ask_to_resign, game)

    @app_commands.command(description="For moderators: end a game, or take its result back; nobody wins.")
    @app_commands.describe(game="the number of the game", reason="why; the board will show it")
    @app_commands.autocomplete(game=autocomplete.games_here)
    @in_servers
    @app_commands.default_permissions(manage_messages=True)
    async def end(self, interaction: Interaction, game: int, reason: app_commands.Range[str, 1, 200]) -> None:
        await respond(interaction, end_game, game, reason)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(MatchCommands())
