"""Announcing in a server the results of its games, and the results that are taken back."""

import asyncio
from collections.abc import Iterator, Sequence

import discord
import structlog

from bot.app.awards import Won
from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.kit.content.mentions import board_link
from bot.ui.kit.content.pictures import board_picture
from bot.ui.kit.content.results import result
from bot.ui.kit.content.two_games import outcome_of_both, which_game
from bot.ui.kit.posts.posting import DISCORD_ERRORS, is_temporary
from bot.ui.kit.services import Kit
from bot.ui.matches.boards.panel import players
from bot.ui.replay.animation import film_of
from bot.ui.standings.achievements import award_sentences
from db.api.matches.matches import Panel
from db.api.places import DiscordId, Place
from db.api.servers import ResultPicture

log = structlog.get_logger()


class ResultAnnouncer:
    """Announces results in the channel that the server chose, without notifying anybody.

    A picture never keeps a result back: if it cannot be drawn or attached, the line is posted without it. A film takes
    a while, so the line is posted with the last board, which the film replaces when it is drawn.
    """

    def __init__(self, services: Services, kit: Kit) -> None:
        self._preferences = services.preferences
        self._posting = kit.posting
        self._permission_alerts = kit.permission_alerts
        self._film_worker = kit.film_worker
        self._running = kit.running_answers
        self._films: set[asyncio.Task[None]] = set()

    async def announce(self, table: Table, panel: Panel, awards: Sequence[Won] = ()) -> None:
        """Announce the result of a game, whose last board is `panel`, and the achievements of its players.

        Raises DISCORD_ERRORS if Discord cannot be reached.
        """
        place = table.stored.place
        settings = await self._preferences.guild(place.guild)
        won = bool(table.match.winners) and not table.voided
        results_of_both = filter(None, [result(table), outcome_of_both(table)])
        sentences = [*results_of_both, *award_sentences(awards)]
        which = f" ({which_game(table)})" if which_game(table) else ""
        # A result that stands names the players itself.
        named = "" if won else f", {players(table)}"
        line = f"[{table.name}]({board_link(place, panel)}){which}{named}: {' '.join(sentences)}"
        once = f"{'back' if table.voided else 'end'} {table.id} {table.stored.started_at}"
        picture = settings.result_picture if won else ResultPicture.NONE
        for channel in _channels(table, panel, settings.results):
            there = Place(place.guild, channel)
            message = await self._send(there, line, once, await self._board(table, there, picture))
            if message is not None and picture is ResultPicture.FILM:
                film = asyncio.create_task(self._show_film(table, there, message))
                self._films.add(film)
                film.add_done_callback(self._films.discard)

    async def _board(self, table: Table, place: Place, picture: ResultPicture) -> list[discord.File]:
        """Return the last board for an announcement; nothing if none is wanted, or if it cannot be shown there."""
        if picture is ResultPicture.NONE or self._permission_alerts.missing_at(place):
            return []
        try:
            return [await board_picture(table, await self._preferences.theme(place))]
        except Exception:
            log.exception("board of a result not drawn", match=table.id)
            return []

    async def _show_film(self, table: Table, place: Place, message: DiscordId) -> None:
        """Replace the board of an announcement by the film of the game. If that fails, the board stays."""
        self._running.add_current()
        if self._permission_alerts.missing_at(place):
            return
        stem, theme = f"{table.stored.setup.game}-{table.id}", await self._preferences.theme(place)
        try:
            film = await film_of(table.match, stem, theme, self._film_worker)
            if film is not None:
                await self._posting.attach(place, message, film)
        except (Refused, *DISCORD_ERRORS) as error:
            log.warning("film of a result not shown", match=table.id, error=type(error).__name__)

    async def _send(
        self, place: Place, line: str, once: str, files: Sequence[discord.File]
    ) -> DiscordId | None:
        """Post an announcement. Return its message, or None if it cannot be posted at all."""
        try:
            return await self._posting.at(place).send(content=line, files=files, once=once)
        except discord.Forbidden:
            missing = await self._permission_alerts.report(place, pictures=False)
            log.warning("result not announced", channel=place.channel, missing=missing)
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise
            log.warning("result not announced", channel=place.channel, error=type(error).__name__)
        return None


def _channels(table: Table, panel: Panel, results: DiscordId | None) -> Iterator[DiscordId]:
    """Yield the channels of an announcement.

    A result that is taken back is also announced in the channel of the last board, which showed the result.
    """
    if results is not None and results != panel.channel:
        yield results
    if table.voided:
        yield panel.channel
