"""Publishing the puzzle of the day and the best moment of a week in servers."""

import asyncio
import io
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import discord
from discord import ui

import render
from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.app.moments import moment_name
from bot.app.puzzles.daily import DAY, WEEK, DayBoard
from bot.app.services import Services
from bot.ui.components.message_parts import Part, card, gallery, seat_token
from bot.ui.components.wording import message_link
from bot.ui.posts.outbox import Draft, DraftPublisher, Outbox
from bot.ui.posts.requests import NotYet
from bot.ui.puzzles.buttons import PuzzleButton, game_and_number
from bot.ui.puzzles.wording import about, several, spell_day
from db.values.places import Place
from db.values.posts import Post, PostKind
from db.values.puzzles import StoredMoment
from rules.puzzles.puzzle import Puzzle


class PuzzlePostPublisher(DraftPublisher):
    """Publishes posts with the picture of a puzzle in the channel of puzzles that a server chose."""

    once = True
    movable = True

    def __init__(self, outbox: Outbox, services: Services) -> None:
        super().__init__(outbox)
        self._services = services
        self._preferences = services.preferences
        self._pictures: dict[tuple[str, str], bytes] = {}
        """The pictures of the newest puzzle, by its name and the theme: the same in all servers with that theme."""

    async def place(self, post: Post) -> Place | None:
        """Return the place of the message, or the channel that the server chose; None if it chose none."""
        assert post.guild is not None
        if post.message is not None:
            return Place(post.guild, post.channel)
        channel = (await self._preferences.guild(post.guild)).puzzle_channel
        return None if channel is None else Place(post.guild, channel)

    async def drafted(self, place: Place, puzzle: Puzzle, view: ui.LayoutView, progress: int) -> Draft:
        """Return the content of a post."""
        theme = await self._preferences.theme(place)

        async def files() -> Sequence[discord.File]:
            picture, words = await self._picture(puzzle, theme), render.alt(puzzle.match.observe(None))
            return [discord.File(io.BytesIO(picture), filename=filename(puzzle), description=words)]

        return Draft(place, view, files, progress)

    async def _picture(self, puzzle: Puzzle, theme: str) -> bytes:
        if (puzzle.name, theme) not in self._pictures:
            if any(name != puzzle.name for name, _ in self._pictures):
                self._pictures.clear()
            seen = puzzle.match.observe(None)
            self._pictures[puzzle.name, theme] = await asyncio.to_thread(render.draw, seen, theme)
        return self._pictures[puzzle.name, theme]


class Yesterday(NamedTuple):
    """The post of the day before, with its results and its puzzle; None if its solution must not be shown."""

    post: Post
    board: DayBoard
    puzzle: Puzzle | None


class DailyPublisher(PuzzlePostPublisher):
    """Publishes the puzzle of the day, and updates the post with its results until the day is over."""

    kind = PostKind.PUZZLE
    purpose = "the puzzle of the day"

    async def draft(self, post: Post) -> Draft | None:
        assert post.guild is not None
        daily, day = self._services.daily_puzzles, date.fromisoformat(post.key)
        over = day < daily.today
        place = await self.place(post)
        if place is None or (post.message is None and over):
            return None
        if post.message is None:
            puzzle = await daily.puzzle(day)
            if puzzle is None:
                raise NotYet  # A running game has a similar position.
        else:
            try:
                puzzle = await daily.shown(day)
            except Refused:
                return None  # A later version no longer has the puzzle, so the post does not change.
        earlier = await daily.post(post.guild, day - DAY)
        yesterday = None
        if earlier is not None:
            # None while a running game has a similar position, which the solution would give away.
            solved = await daily.puzzle(day - DAY)
            yesterday = Yesterday(earlier, await daily.board(post.guild, day - DAY), solved)
        board = await daily.board(post.guild, day)
        view = daily_view(puzzle, day, board, over=over, yesterday=yesterday)
        return await self.drafted(place, puzzle, view, int(over))


class WeeklyPublisher(PuzzlePostPublisher):
    """Publishes the best moment of the week before, from Monday on."""

    kind = PostKind.MOMENT
    purpose = "the moment of the week"

    async def draft(self, post: Post) -> Draft | None:
        assert post.guild is not None
        monday, place = date.fromisoformat(post.key), await self.place(post)
        if place is None or post.message is not None:
            return None
        weekly = self._services.weekly_moments
        best = await weekly.best(post.guild, monday)
        if best is None:
            if await weekly.any(post.guild, monday):
                raise NotYet  # Running games have similar positions.
            return None
        moment, puzzle = best
        return await self.drafted(place, puzzle, weekly_view(moment, puzzle, monday), 1)


def weekly_heading(monday: date) -> str:
    """Return the heading of the post of a Monday, about the week before."""
    first, last = monday - WEEK, monday - DAY
    return f"### The moment of the week · {spell_day(first)} to {spell_day(last)}"


def weekly_view(moment: StoredMoment, puzzle: Puzzle, monday: date) -> ui.LayoutView:
    """Return the post with the moment of a week, without its move."""
    player = mention(moment.user) if moment.user else "A player"
    came = "found the right move" if moment.found else "did not find the right move"
    played = f"{player} had this position in {game_and_number(moment)}, at move {moment.ply + 1}, and {came}."
    seen = puzzle.match.observe(None)
    return card(
        f"{weekly_heading(monday)}\n-# {about(puzzle)}\n{played} {asked(puzzle)}",
        gallery(filename(puzzle), render.alt(seen)),
        ui.ActionRow(PuzzleButton(moment_name(moment))),
    )


def daily_view(
    puzzle: Puzzle,
    day: date,
    board: DayBoard,
    *,
    over: bool = False,
    yesterday: Yesterday | None = None,
) -> ui.LayoutView:
    """Return the post of a day. `over` shows the board of the day; `yesterday` is the post of the day before."""
    seen = puzzle.match.observe(None)
    parts: list[Part] = [
        f"{daily_heading(day)}\n-# {about(puzzle)}\n{asked(puzzle)}",
        gallery(filename(puzzle), render.alt(seen)),
        results(board) if over else f"-# {tally(board)}",
        ui.ActionRow(PuzzleButton(puzzle.name)),
    ]
    if yesterday is not None and not over and (line := _of_yesterday(yesterday)):
        parts.append(line)
    return card(*parts)


def filename(puzzle: Puzzle) -> str:
    """Return the name of the picture."""
    return f"{puzzle.name}.png"


def daily_heading(day: date) -> str:
    """Return the heading of the post of a day."""
    return f"### Puzzle of the day · {spell_day(day)}"


def asked(puzzle: Puzzle) -> str:
    """Return the line with the seat on turn and the task."""
    return f"It is the turn of {seat_token(puzzle.seat)}. **{goal(puzzle)}**"


def goal(puzzle: Puzzle) -> str:
    """Return the task as a sentence."""
    count, does = puzzle.only_moves, "wins" if puzzle.value == 1 else "keeps the draw"
    return f"Only one move {does}: find it." if count == 1 else f"{several(count)} only one {does}."


def tally(board: DayBoard) -> str:
    """Return a sentence about the members who have tried and solved the puzzle so far."""
    if not board.tried:
        return "Nobody here has tried it yet."
    if not board.solved:
        return (
            f"{board.tried} {'has' if board.tried == 1 else 'have'} tried it, and nobody has solved it yet."
        )
    first = f"; {mention(board.solvers[0])} was the first" if board.solvers else ""
    return f"{board.solved} of {board.tried} solved it{first}."


def results(board: DayBoard) -> str:
    """Return the board of a day that is over."""
    if not board.tried:
        return "**Board of the day**: nobody here tried it on its day."
    solved = board.solved or "none"
    lines = [f"**Board of the day**: {solved} of {board.tried} solved it at the first attempt."]
    if shown := board.solvers:
        names = ", ".join(mention(user) for user in shown)
        more = board.solved - len(shown)
        lines.append(f"{names} and {more} more" if more else names)
    return "\n".join(lines)


def _of_yesterday(yesterday: Yesterday) -> str:
    """Return the line about the post of the day before, with the solution as a spoiler; "" if it was not posted."""
    post, board, puzzle = yesterday
    if post.message is None:
        return ""
    link = message_link(Place(post.guild, post.channel), post.message)
    solvers = f"{board.solved or 'none'} of {board.tried} solved" if board.tried else "nobody here tried"
    line = f"Yesterday {solvers} [the puzzle]({link})."
    if puzzle is not None:
        line += f" Solution: ||{' '.join(f'`{move}`' for move in puzzle.line)}||"
    return f"-# {line}"
