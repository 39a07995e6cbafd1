"""Publishing results of a server's games, and of reverted results."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import discord
import structlog

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.services import Services
from bot.ui.components.message_parts import Part, board_picture, gallery, message, players_of
from bot.ui.components.wording import linked_name, outcome_of_both, result, takeovers, which_game
from bot.ui.matches.panel import players
from bot.ui.posts.member_names import strangers_in, without_mentions
from bot.ui.posts.outbox import Draft, Outbox, rewound
from bot.ui.posts.permissions import is_open_to_readers
from bot.ui.posts.requests import DISCORD_ERRORS, NotYet
from bot.ui.replay import film_of
from bot.ui.services import ServicePublisher, UiServices
from bot.ui.standings.profile import award_sentences
from db.values.places import DiscordId, Place
from db.values.posts import Post, PostKind
from db.values.servers import ResultPicture

log = structlog.get_logger()

FOR_THE_BOARD = timedelta(seconds=1)
"""Time for which an announcement waits for the last board."""
PROMPT = timedelta(minutes=1)
"""Time after the end of a match from which its last board counts as held up, such as by a missing permission."""


class ResultPublisher(ServicePublisher):
    """Announces a result in the channel that the server chose, without notifying anybody.

    If the picture cannot be drawn or attached, the line is posted without it. A film takes several seconds, so the line
    is posted with the last board, which the film replaces later.
    """

    kind = PostKind.RESULT
    once = True
    pictures = False

    def __init__(self, outbox: Outbox, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox, services, ui_services)
        self._films: set[asyncio.Task[None]] = set()

    async def draft(self, post: Post) -> Draft | None:
        loaded = await self._services.matches.load(post.subject)
        board, ended = loaded.stored.post, loaded.stored.finished_at
        shown = board is not None and board.message is not None and board.progress >= loaded.plies
        if not shown and not loaded.stored.private:
            # The line links to the board.
            if board is None or not board.pending:
                return None  # The channel of the board no longer exists.
            if ended is None or self._services.clock.now() - ended < PROMPT:
                raise NotYet(FOR_THE_BOARD)
            raise Refused("The result waits for the last board.")
        channel = await self._channel(loaded, post.key)
        if channel is None:
            return None
        here = loaded.stored.place
        place = replace(here, viewer=None) if channel == here.channel else Place(here.guild, channel)
        file = await self._board(loaded, place)
        parts: list[Part] = [await self._line(loaded)]
        if file is not None:
            parts.append(gallery(file.filename, file.description or ""))
        files = rewound() if file is None else rewound(file)
        return Draft(place, message(*parts), files, final=True)

    async def posted(self, post: Post, draft: Draft) -> None:
        loaded = await self._services.matches.load(post.subject)
        settings = await self._preferences.guild(post.guild)
        won = bool(loaded.match.winners) and not loaded.voided
        if won and settings.result_picture is ResultPicture.FILM and post.message is not None:
            film = asyncio.create_task(self._show_film(loaded, draft.place, post.message))
            self._films.add(film)
            film.add_done_callback(self._films.discard)

    async def _channel(self, loaded: LoadedMatch, key: str) -> DiscordId | None:
        """Return the channel of an announcement, or None if there is none.

        A reverted result is also announced in the channel of its last board, which showed the result. Nothing is
        announced in the channel of results if somebody sees that one, but not the channel of the game.
        """
        board, place = loaded.stored.panel, loaded.stored.place
        channel = place.channel if board is None else board.channel
        if key == "here":
            return None if loaded.stored.private else channel
        results = (await self._preferences.guild(place.guild)).results
        if results in (None, channel) or not await is_open_to_readers(self._clients, place, results):
            return None
        return results

    async def _line(self, loaded: LoadedMatch) -> str:
        won = bool(loaded.match.winners) and not loaded.voided
        awards = await self._services.awards.new(loaded)
        results_of_both = filter(None, [result(loaded), outcome_of_both(loaded)])
        sentences = [*results_of_both, *takeovers(loaded), *award_sentences(awards)]
        which = f" ({which_game(loaded)})" if which_game(loaded) else ""
        # A valid result names the players itself.
        named = "" if won else f", {players(loaded)}"
        strangers = await strangers_in(self._services, self._member_names, loaded, loaded.stored.place.guild)
        line = f"{linked_name(loaded)}{which}{named}: {' '.join(sentences)}"
        return without_mentions(line, strangers)

    async def _board(self, loaded: LoadedMatch, place: Place) -> discord.File | None:
        """Return the last board for an announcement; None if none is wanted, or if it cannot be shown there."""
        settings = await self._preferences.guild(place.guild)
        won = bool(loaded.match.winners) and not loaded.voided
        wanted = won and settings.result_picture is not ResultPicture.NONE
        if not wanted or self._ui_services.permission_alerts.missing_at(place):
            return None
        try:
            return await board_picture(loaded, await self._preferences.theme(place), self._member_names)
        except Exception as error:
            # Its text may quote a hidden move.
            log.error("result.picture_failed", match=loaded.id, error=type(error).__name__)
            return None

    async def _show_film(self, loaded: LoadedMatch, place: Place, shown: DiscordId) -> None:
        """Replace the board of an announcement by the film of the game. If that fails, the board stays."""
        self._ui_services.running_answers.add_current()
        if self._ui_services.permission_alerts.missing_at(place):
            return
        stem, theme = f"{loaded.stored.setup.game}-{loaded.id}", await self._preferences.theme(place)
        try:
            film = await film_of(
                loaded.match,
                stem,
                theme,
                self._ui_services.film_worker,
                await players_of(loaded, self._member_names),
            )
            if film is not None:
                view = message(await self._line(loaded), gallery(film.filename, film.description or ""))
                await self._ui_services.posting.at(place).edit(shown, view, [film])
        except (Refused, *DISCORD_ERRORS) as error:
            log.warning("result.film_failed", match=loaded.id, error=type(error).__name__)


class VoidPublisher(ResultPublisher):
    """Announces that a result was reverted."""

    kind = PostKind.VOID
