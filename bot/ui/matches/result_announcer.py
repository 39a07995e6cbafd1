"""Announcing in a server the results of its games, and the results that are taken back."""

from collections.abc import Iterator, Sequence

import discord
import structlog

from bot.app.awards import Won
from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.kit.mentions import board_link
from bot.ui.kit.posting import DISCORD_ERRORS, is_temporary
from bot.ui.kit.results import result
from bot.ui.kit.services import Kit
from bot.ui.kit.two_games import outcome_of_both, which_game
from bot.ui.matches.panel import players
from bot.ui.standings.achievements import award_sentences
from db.api.matches.matches import Panel
from db.api.places import DiscordId, Place

log = structlog.get_logger()


class ResultAnnouncer:
    """Announces results in the channel that the server chose, without notifying anybody."""

    def __init__(self, services: Services, kit: Kit) -> None:
        self._preferences = services.preferences
        self._posting = kit.posting
        self._permission_alerts = kit.permission_alerts

    async def announce(self, table: Table, panel: Panel, awards: Sequence[Won] = ()) -> None:
        """Announce the result of a game, whose last board is `panel`, and the achievements of its players.

        Raises DISCORD_ERRORS if Discord cannot be reached.
        """
        place = table.stored.place
        results = (await self._preferences.guild(place.guild)).results
        results_of_both = filter(None, [result(table), outcome_of_both(table)])
        sentences = [*results_of_both, *award_sentences(awards)]
        which = f" ({which_game(table)})" if which_game(table) else ""
        named = (
            "" if table.match.winners and not table.voided else f", {players(table)}"
        )  # The result names them.
        line = f"[{table.name}]({board_link(place, panel)}){which}{named}: {' '.join(sentences)}"
        once = f"{'back' if table.voided else 'end'} {table.id} {table.stored.started_at}"
        for channel in _channels(table, panel, results):
            await self._send(Place(place.guild, channel), line, once)

    async def _send(self, place: Place, line: str, once: str) -> None:
        try:
            await self._posting.at(place).send(content=line, once=once)
        except discord.Forbidden:
            missing = await self._permission_alerts.report(place, pictures=False)
            log.warning("result not announced", channel=place.channel, missing=missing)
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise
            log.warning("result not announced", channel=place.channel, error=type(error).__name__)


def _channels(table: Table, panel: Panel, results: DiscordId | None) -> Iterator[DiscordId]:
    """Yield the channels of an announcement.

    A result that is taken back is also announced in the channel of the last board, which showed the result.
    """
    if results is not None and results != panel.channel:
        yield results
    if table.voided:
        yield panel.channel
