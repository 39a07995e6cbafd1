"""Pictures of puzzles that a member has done."""

import discord

import render
from bot.app.puzzles.puzzles import Standing
from bot.ui.kit.content.pictures import picture_of


async def last_picture(standing: Standing, theme: str) -> discord.File:
    """Return the position after the last only move, or the one in which another move was played, with both marked."""
    if standing.solved:
        return await line_picture(standing, len(standing.puzzle.line), theme)
    return await line_picture(standing, 2 * standing.found, theme, standing.moves[-1])


async def line_picture(standing: Standing, plies: int, theme: str, played: str | None = None) -> discord.File:
    """Return the position after so many plies of the line. The next only move is marked, and `played` beside it."""
    table, line = standing.at(plies), standing.puzzle.line
    advice = render.Advice(line[plies], played) if plies < len(line) and plies % 2 == 0 else None
    return await picture_of(table, table.match.observe(standing.seat), theme, advice=advice)
