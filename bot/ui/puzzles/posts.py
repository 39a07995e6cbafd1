"""Publishing the puzzle of each day and the post of each week in servers."""

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
from bot.app.puzzles.daily import DAY, WEEK, DayBoard, Rivalry, Week
from bot.app.services import Services
from bot.ui.components.message_parts import Part, board_picture, card, gallery, seat_token
from bot.ui.components.wording import COLON, linked_name, message_link, result
from bot.ui.posts.outbox import Draft, Outbox, rewound
from bot.ui.posts.permissions import is_open_to_readers
from bot.ui.posts.requests import NotYet
from bot.ui.puzzles.buttons import PuzzleButton, game_and_number
from bot.ui.puzzles.wording import about, card_goal, several, spell_day
from bot.ui.services import ServicePublisher, UiServices
from db.values.places import DiscordId, Place
from db.values.posts import Post, PostKind
from db.values.puzzles import StoredMoment
from render.board.phrases import counted
from rules.core.notation import joined
from rules.puzzles.puzzle import Puzzle


class PuzzlePostPublisher(ServicePublisher):
    """Publishes posts with the picture of a puzzle in the channel of puzzles that a server chose."""

    once = True
    movable = True

    def __init__(self, outbox: Outbox, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox, services, ui_services)
        self._pictures: dict[tuple[str, str], bytes] = {}
        """The pictures of the newest puzzle, by its name and the theme: the same in all servers with that theme."""

    async def place(self, post: Post) -> Place | None:
        """Return the place of the message, or the channel that the server chose; None if it chose none."""
        assert post.guild is not None
        if post.message is not None:
            return Place(post.guild, post.channel)
        channel = (await self._preferences.guild(post.guild)).puzzle_channel
        return None if channel is None else Place(post.guild, channel)

    async def picture(self, puzzle: Puzzle, place: Place) -> discord.File:
        """Return the picture of a puzzle in the theme of a place."""
        picture = await self._drawn(puzzle, await self._preferences.theme(place))
        words = render.alt(puzzle.seen)
        return discord.File(io.BytesIO(picture), filename=filename(puzzle), description=words)

    async def _drawn(self, puzzle: Puzzle, theme: str) -> bytes:
        if (puzzle.name, theme) not in self._pictures:
            if any(name != puzzle.name for name, _ in self._pictures):
                self._pictures.clear()
            seen = puzzle.seen
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

        async def files() -> Sequence[discord.File]:
            return [await self.picture(puzzle, place)]

        return Draft(place, view, files, int(over))


class WeeklyPublisher(PuzzlePostPublisher):
    """Publishes the post about the week before, from Monday on."""

    kind = PostKind.MOMENT
    purpose = "the post of the week"

    async def draft(self, post: Post) -> Draft | None:
        assert post.guild is not None
        monday, place = date.fromisoformat(post.key), await self.place(post)
        if place is None or post.message is not None:
            return None
        weekly, channel = self._services.weekly_posts, place.channel

        async def shown(played: Place) -> bool:
            return await is_open_to_readers(self._clients, played, channel)

        week = await weekly.of(post.guild, monday, shown)
        if week.empty:
            if await weekly.has_moments(post.guild, monday, shown):
                raise NotYet  # Running games have similar positions.
            return None
        files = list[discord.File]()
        if week.board is not None:
            theme = await self._preferences.theme(place)
            files.append(await board_picture(week.board, theme, self._member_names))
        elif week.moment is not None:
            files.append(await self.picture(week.moment[1], place))
        return Draft(place, weekly_view(week, monday, *files), rewound(*files), 1)


def weekly_heading(monday: date) -> str:
    """Return the heading of the post of a Monday, about the week before."""
    first, last = monday - WEEK, monday - DAY
    return f"### The week · {spell_day(first)} to {spell_day(last)}"


def weekly_view(week: Week, monday: date, picture: discord.File | None = None) -> ui.LayoutView:
    """Return the post of a week, with the moment without its move.

    `picture` is that of the board; in a week without a board it is that of the moment.
    """
    pictured = [] if picture is None else [gallery(picture.filename, picture.description or "")]
    parts: list[Part] = [weekly_heading(monday)]
    if week.board is not None:
        about_board = f"**Board of the week** · {linked_name(week.board)}: {result(week.board)}"
        why = "-# The longest game for its kind, of those that were played to their end."
        parts += [f"{about_board}\n{why}", *pictured]
    lines = [
        *([f"**Closest rivalry** · {_score(week.rivalry)}"] if week.rivalry is not None else []),
        *([f"**Puzzle streaks** · {_streaks(week.streaks)}"] if week.streaks else []),
    ]
    if lines:
        parts.append("\n".join(lines))
    if week.moment is not None:
        moment, puzzle = week.moment
        parts += [_moment(moment, puzzle), *(pictured if week.board is None else [])]
        parts.append(ui.ActionRow(PuzzleButton(moment_name(moment))))
    return card(*parts)


def _score(rivalry: Rivalry) -> str:
    """Return the results of two rivals against each other, the leader first."""
    won, drawn, lost = rivalry.counts
    games = f"{won + drawn + lost} rated games"
    how = f"{drawn} of {games} drawn" if drawn else games
    return f"{mention(rivalry.one)} {won}{COLON}{lost} {mention(rivalry.other)} ({how})"


def _streaks(streaks: Sequence[tuple[DiscordId, int]]) -> str:
    """Return the members with their days in a row."""
    (first, length), *others = streaks
    named = [f"{mention(first)} {counted(length, 'day')} in a row"]
    return joined([*named, *(f"{mention(user)} {counted(days, 'day')}" for user, days in others)])


def _moment(moment: StoredMoment, puzzle: Puzzle) -> str:
    """Return the lines about the moment of a week, without its move."""
    player = mention(moment.user) if moment.user else "A player"
    came = "found the right move" if moment.found else "did not find the right move"
    played = f"{player} had this position in {game_and_number(moment)}, at move {moment.ply + 1}, and {came}."
    return f"**Moment of the week** · {about(puzzle)}\n{played} {asked(puzzle)}"


def daily_view(
    puzzle: Puzzle,
    day: date,
    board: DayBoard,
    *,
    over: bool = False,
    yesterday: Yesterday | None = None,
) -> ui.LayoutView:
    """Return the post of a day. `over` shows the board of the day; `yesterday` is the post of the day before."""
    seen = puzzle.seen
    parts: list[Part] = [
        f"### Puzzle of the day · {spell_day(day)}\n-# {about(puzzle)}\n{asked(puzzle)}",
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


def asked(puzzle: Puzzle) -> str:
    """Return the line with the seat on turn and the task."""
    return f"It is the turn of {seat_token(puzzle.seat)}. **{goal(puzzle)}**"


def goal(puzzle: Puzzle) -> str:
    """Return the task as a sentence."""
    if puzzle.cards:
        return card_goal(puzzle)
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
