"""Posting the puzzle of the day in servers, once a day in each, and bringing the posts up to date."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

import aiohttp
import discord
import structlog
from discord import ui

from bot.app.puzzles.daily import DAY, DayBoard
from bot.app.services import Services
from bot.ui.kit.posts.permissions import missing_permissions
from bot.ui.kit.posts.posting import DISCORD_ERRORS, is_temporary
from bot.ui.kit.services import Kit
from bot.ui.puzzles.daily_post import daily_file, daily_picture, daily_view, heading
from db.api.places import DiscordId, Place
from db.api.puzzle_posts import PuzzlePost
from rules.puzzles.puzzle import Puzzle

log = structlog.get_logger()

BETWEEN_UPDATES = timedelta(minutes=1)
"""The least time between two edits of a post."""
BETWEEN_TRIES = timedelta(minutes=10)
"""The time until a channel that refused the post is tried again, unless its permissions change before."""
MOST_FAILURES = 2
"""Servers in which posting fails before the others wait, since Discord then fails everywhere."""
LOOKED_AT = 200
"""The newest messages of a channel among which a doubtful post is looked for."""


class DailyPoster:
    """Posts the puzzle of the day.

    A post is stored before it is sent. Where it is not known to be there, since a process ended or Discord could not be
    reached, it is sent again within two minutes: Discord then makes one message of two (see
    `bot.ui.kit.posts.posting`). Later it is looked for first; where the bot may not read the channel, it counts as
    sent, since none is better than two.
    """

    def __init__(self, client: discord.Client, services: Services, kit: Kit) -> None:
        self._client = client
        self._daily = services.daily_puzzles
        self._preferences = services.preferences
        self._kit = kit
        self._updated: datetime | None = None
        self._refused: dict[DiscordId, tuple[date, Place, str, datetime]] = {}
        """By server that refused the post: the day, the place, the permissions that were missing, and when."""
        self._pictures: dict[tuple[str, str], bytes] = {}
        """The pictures of the newest puzzle, by its name and the theme."""

    async def catch_up(self) -> None:
        """Post what is due, and once a minute bring the posts up to date."""
        day, guilds = await self._daily.due()
        if guilds and (puzzle := await self._daily.puzzle(day)) is not None:
            await self._post_all(guilds, day, puzzle)
        now = self._daily.now
        if self._updated is None or not timedelta() <= now - self._updated < BETWEEN_UPDATES:
            self._updated = now
            await self._update()
            await self._daily.forget()

    async def _post_all(self, guilds: Iterable[DiscordId], day: date, puzzle: Puzzle) -> None:
        failures = 0
        for guild in guilds:
            server = self._client.get_guild(guild)
            if server is None:
                continue
            try:
                await self._post(server, day, puzzle)
            except DISCORD_ERRORS as error:
                log.warning("puzzle not posted yet", guild=guild, error=type(error).__name__)
                failures += 1
            if failures == MOST_FAILURES:
                return  # A later round comes soon, while what was sent now can still be sent again.

    async def _post(self, server: discord.Guild, day: date, puzzle: Puzzle) -> None:
        """Post the puzzle of a day in the channel that a server chose, unless it is there already.

        Raises DISCORD_ERRORS if it may succeed later.
        """
        before = await self._daily.post(server.id, day)
        channel = (await self._preferences.guild(server.id)).puzzle_channel
        doubtful = before is not None and before.tried_at is not None
        if before is not None and doubtful and not (before.channel == channel and self._daily.fresh(before)):
            known, message = await self._find(server, before)
            if message is not None or not known:
                log.info("puzzle was posted", guild=server.id, found=message is not None)
                await self._daily.sent(before, message)
                return
        if channel is not None:
            await self._send(Place(server.id, channel), day, puzzle)

    async def _send(self, place: Place, day: date, puzzle: Puzzle) -> None:
        assert place.guild is not None
        missing = self._kit.permission_alerts.missing_at(place)
        if self._waits(place, day, missing):
            return
        if missing:
            await self._refuse(place, day, missing)
            return
        view = await self._view(place.guild, day, puzzle, await self._daily.board(place.guild, day))
        theme = await self._preferences.theme(place)
        file = daily_file(puzzle, await self._picture(puzzle, theme))
        post = await self._daily.sending(place.guild, day, place.channel)
        try:
            message = await self._kit.posting.at(place).send(
                view=view, file=file, once=f"puzzle {day} {place.guild}"
            )
        except DISCORD_ERRORS as error:
            if isinstance(error, aiohttp.ClientConnectorError) or not is_temporary(error):
                await self._daily.not_sent(post)
            if is_temporary(error):
                raise
            log.warning("puzzle not posted", guild=place.guild, error=type(error).__name__)
            await self._refuse(place, day, missing)
            return
        self._refused.pop(place.guild, None)
        await self._daily.sent(post, message)
        log.info("puzzle posted", guild=place.guild, day=str(day))

    def _waits(self, place: Place, day: date, missing: str) -> bool:
        """True if a channel refused the post, nothing has changed there since, and it is too early to try again."""
        assert place.guild is not None
        refusal = self._refused.get(place.guild)
        if refusal is None or refusal[:3] != (day, place, missing):
            return False
        return bool(missing) or self._daily.now - refusal[3] < BETWEEN_TRIES

    async def _refuse(self, place: Place, day: date, missing: str) -> None:
        """Tell the server once a day what is missing, and wait."""
        assert place.guild is not None
        self._refused[place.guild] = (day, place, missing, self._daily.now)
        await self._kit.permission_alerts.report(place, purpose="the puzzle of the day")

    async def _find(self, server: discord.Guild, post: PuzzlePost) -> tuple[bool, DiscordId | None]:
        """Look for a doubtful post. Return False if it may be there unseen, and its message if it was found."""
        assert post.tried_at is not None
        channel = server.get_channel(post.channel)
        if not isinstance(channel, discord.TextChannel):
            return True, None  # The channel is gone, and the post with it.
        if missing_permissions(server, channel.id, ("view_channel", "read_message_history")):
            return False, None
        words = heading(post.day)
        seen = 0
        async for message in channel.history(limit=LOOKED_AT):
            seen += 1
            if message.author == server.me and _says(message, words):
                return True, message.id
            if message.created_at < post.tried_at - timedelta(minutes=5):
                return True, None
        return seen < LOOKED_AT, None

    async def _update(self) -> None:
        """Bring the posts up to date that no longer say what is true."""
        for post, board in await self._daily.outdated():
            place = Place(post.guild, post.channel)
            if post.message is None or not self._kit.posting.reaches(place):
                continue
            over = post.day < self._daily.today
            puzzle = await self._daily.shown(post.day)
            view = await self._view(post.guild, post.day, puzzle, board, over=over)
            if await self._kit.posting.at(place).edit(post.message, view):
                await self._daily.updated(post, board, closed=over)

    async def _view(
        self, guild: DiscordId, day: date, puzzle: Puzzle, board: DayBoard, *, over: bool = False
    ) -> ui.LayoutView:
        earlier = await self._daily.post(guild, day - DAY)
        yesterday = None if earlier is None else (earlier, await self._daily.board(guild, day - DAY))
        return daily_view(puzzle, day, board, over=over, yesterday=yesterday)

    async def _picture(self, puzzle: Puzzle, theme: str) -> bytes:
        """Return the picture of the newest puzzle. It is the same in all servers with that theme."""
        if (puzzle.name, theme) not in self._pictures:
            if any(name != puzzle.name for name, _ in self._pictures):
                self._pictures.clear()
            self._pictures[puzzle.name, theme] = await daily_picture(puzzle, theme)
        return self._pictures[puzzle.name, theme]


def _says(message: discord.Message, words: str) -> bool:
    """True if a message begins with these words."""
    parts = [part for part in message.components if isinstance(part, discord.Container)]
    texts = [text for part in parts for text in part.children if isinstance(text, discord.TextDisplay)]
    return any(text.content.startswith(words) for text in texts)
