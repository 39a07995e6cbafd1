"""The post of the puzzle of the day: the board, what is asked, and how the members of the server did it."""

import asyncio
import io
from datetime import date

import discord
from discord import ui

import render
from bot.app.mentions import mention
from bot.app.puzzles.daily import DayBoard
from bot.ui.kit.content.layout import Part, card, gallery
from bot.ui.kit.content.wording import message_link
from bot.ui.puzzles.buttons import PuzzleButton
from bot.ui.puzzles.wording import about, spell_day
from db.api.places import Place
from db.api.posts import Post
from rules.puzzles.puzzle import Puzzle

NAMED = 20
"""The most members that the board of a day names."""


def daily_view(
    puzzle: Puzzle,
    day: date,
    board: DayBoard,
    *,
    over: bool = False,
    yesterday: tuple[Post, DayBoard] | None = None,
) -> ui.LayoutView:
    """Return the post of a day. `over` shows the board of the day; `yesterday` is the post of the day before."""
    seen = puzzle.match.observe(None)
    parts: list[Part] = [
        f"{heading(day)}\n-# {about(puzzle)}\n{asked(puzzle)}",
        gallery(filename(puzzle), render.alt(seen)),
        results(board) if over else f"-# {tally(board)}",
        ui.ActionRow(PuzzleButton(puzzle.name)),
    ]
    if yesterday is not None and not over and (line := _of_yesterday(*yesterday)):
        parts.append(line)
    return card(*parts)


async def daily_picture(puzzle: Puzzle, theme: str) -> bytes:
    """Return the picture of a puzzle as everybody sees it."""
    return await asyncio.to_thread(render.draw, puzzle.match.observe(None), theme)


def daily_file(puzzle: Puzzle, picture: bytes) -> discord.File:
    """Return the picture of a puzzle as a file to be attached."""
    words = render.alt(puzzle.match.observe(None))
    return discord.File(io.BytesIO(picture), filename=filename(puzzle), description=words)


def filename(puzzle: Puzzle) -> str:
    """Return the name of the picture."""
    return f"{puzzle.name}.png"


def heading(day: date) -> str:
    """Return the heading, by which the post of a day is found again."""
    return f"### Puzzle of the day · {spell_day(day)}"


def asked(puzzle: Puzzle) -> str:
    """Return the line that says what is asked of everybody."""
    return f"It is the turn of {render.seat_mark(puzzle.seat)}. **{goal(puzzle)}**"


def goal(puzzle: Puzzle) -> str:
    """Return the sentence that says what is to be found."""
    only = "only one move wins" if puzzle.value == 1 else "only one move keeps the draw"
    count = puzzle.only_moves
    return f"{only.capitalize()}: find it." if count == 1 else f"Each time {only}: find all {count}."


def tally(board: DayBoard) -> str:
    """Return how many have tried and solved the puzzle."""
    if not board.tried:
        return "Nobody here has tried it yet."
    return f"{board.tried} {_has(board.tried)} tried it, {board.solved or 'nobody'} {_has(board.solved)} solved it."


def results(board: DayBoard) -> str:
    """Return the board of a day that is over."""
    if not board.tried:
        return "**Board of the day**: nobody here tried it on its day."
    solved = board.solved or "nobody"
    lines = [f"**Board of the day**: {solved} of {board.tried} solved it at the first attempt."]
    if shown := board.solvers[:NAMED]:
        names = ", ".join(mention(user) for user in shown)
        more = board.solved - len(shown)
        lines.append(f"{names} and {more} more" if more else names)
    return "\n".join(lines)


def _has(number: int) -> str:
    return "has" if number <= 1 else "have"


def _of_yesterday(post: Post, board: DayBoard) -> str:
    """Return the line about the post of the day before, or "" if there is nothing to tell of it."""
    if post.message is None or not board.tried:
        return ""
    link = message_link(Place(post.guild, post.channel), post.message)
    return f"-# Yesterday {board.solved} of {board.tried} solved [the puzzle]({link})."
