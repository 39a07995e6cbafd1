"""Telling a server how its games end, and which results are taken back."""

from collections.abc import Iterator, Sequence

import discord
import structlog

from bot.app.awards import Won
from bot.app.preferences import Preferences
from bot.app.table import Table
from bot.entry.achievements import in_passing
from bot.entry.links import link
from bot.entry.managers import Managers
from bot.entry.outlets import AWAY, mentioning, passing
from bot.entry.panel import players, result
from db.values import DiscordId, Panel, Place

log = structlog.get_logger()


class Herald:
    """Announces results where the server wants them, calling nobody.

    What it says carries a nonce: told again within minutes, because the process was killed before it could note that it
    was told, it is one message all the same.
    """

    def __init__(self, client: discord.Client, preferences: Preferences, managers: Managers) -> None:
        self._client = client
        self._preferences = preferences
        self._managers = managers

    async def tell(self, table: Table, panel: Panel, awards: Sequence[Won] = ()) -> None:
        """Announce the end of a game, whose last board is `panel`, and what it has earned its players.

        Raises Discord's errors when it is away.
        """
        place = table.stored.place
        results = (await self._preferences.guild(place.guild)).results
        words = [result(table, table.match.observe(None)), *in_passing(awards)]
        line = f"[{table.name}]({link(place, panel)}), {players(table)}: {' '.join(words)}"
        for channel, nonce in _where(table, panel, results):
            await self._send(Place(place.guild, channel), line, f"{nonce}-{table.id}")

    async def _send(self, place: Place, line: str, nonce: str) -> None:
        channel = self._client.get_partial_messageable(place.channel, guild_id=place.guild)
        try:
            await channel.send(line, nonce=nonce, allowed_mentions=mentioning())
        except discord.Forbidden:
            missing = await self._managers.tell(place, pictures=False)
            log.warning("result not announced", nonce=nonce, channel=place.channel, missing=missing)
        except AWAY as error:
            if passing(error):
                raise
            log.warning(
                "result not announced", nonce=nonce, channel=place.channel, error=type(error).__name__
            )


def _where(table: Table, panel: Panel, results: DiscordId | None) -> Iterator[tuple[DiscordId, str]]:
    """The channels that are told, and a name for what each is told.

    That a result is taken back is told wherever it was told; the result itself stands on the last board.
    """
    if results is not None and results != panel.channel:
        yield results, "back" if table.voided else "end"
    if table.voided:
        yield panel.channel, "back-here"
