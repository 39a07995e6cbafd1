"""Publishing boards in a further server: each shows the position of the match, and can be used there."""

from collections.abc import Sequence

import discord
from discord.utils import snowflake_time

from bot.app.services import Services
from bot.ui.components.message_parts import board_picture
from bot.ui.events.votes import with_servers
from bot.ui.matches.boards import YOUNG
from bot.ui.matches.panel import gains, panel
from bot.ui.moves.controls import parts_on_board
from bot.ui.posts.outbox import Draft, DraftPublisher, Outbox
from bot.ui.services import UiServices
from db.values.places import Place
from db.values.posts import Post, PostKind


class CopyPublisher(DraftPublisher):
    """Publishes copies of boards. After a move, an old message is posted again at the end of its channel."""

    kind = PostKind.COPY

    def __init__(self, outbox: Outbox, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox)
        self._services = services
        self._clients = ui_services.clients
        self._member_names = ui_services.member_names

    async def draft(self, post: Post) -> Draft | None:
        services, place = self._services, Place(post.guild, post.channel)
        loaded, now = await services.matches.load(post.subject), services.clock.now()
        theme = await services.preferences.theme(place)
        view = panel(
            loaded,
            theme,
            live=True,
            gains=await gains(services, loaded),
            announced=None if loaded.match.over else services.administration.announcement,
            now=now,
            poll=with_servers(
                await services.votes.poll(loaded, post.guild), self._clients, loaded.stored.place.guild
            ),
        )

        async def files() -> Sequence[discord.File]:
            return [await board_picture(loaded, theme, self._member_names, parts_on_board(loaded))]

        moved = post.message is not None and post.progress < loaded.plies
        anew = moved and now - snowflake_time(post.message or 0) >= YOUNG
        return Draft(place, view, files, loaded.plies, anew=anew)
