"""`/puzzle`: the puzzle of today, or one from the archive."""

from discord import app_commands
from discord.ext import commands

from bot.ui.interactions.acting import Acting, Interaction
from bot.ui.interactions.reply import Said, respond
from bot.ui.puzzles.buttons import show_puzzle
from bot.ui.puzzles.wording import DIFFICULTIES
from rules.games import find
from rules.puzzles.stock import RECIPES

GAMES = [app_commands.Choice(name=find(key).sheet.title, value=key) for key in RECIPES]
HARD = [app_commands.Choice(name=name.lower(), value=hard) for hard, name in DIFFICULTIES.items()]


class Puzzles(commands.Cog):
    """Puzzles."""

    @app_commands.command(description="Find the only move: today's puzzle, or one from the archive.")
    @app_commands.describe(
        game="a game, for a puzzle from the archive (default: today's puzzle)",
        difficulty="moves to find, for a puzzle from the archive (default: today's puzzle)",
    )
    @app_commands.choices(game=GAMES)
    @app_commands.choices(difficulty=HARD)
    async def puzzle(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        difficulty: app_commands.Choice[int] | None = None,
    ) -> None:
        await respond(
            interaction, choose_puzzle, game.value if game else None, difficulty.value if difficulty else None
        )


async def choose_puzzle(acting: Acting, game: str | None, hard: int | None) -> Said:
    """Show this member the puzzle of today, or one from the archive if they chose a game or a difficulty."""
    puzzles = acting.services.puzzles
    if game is None and hard is None:
        return await show_puzzle(acting, (await puzzles.of_day(puzzles.today)).name)
    return await show_puzzle(acting, await puzzles.choose(acting.user, game, hard))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Puzzles())
