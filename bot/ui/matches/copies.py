"""Publishing boards in a further server: each shows the position of the match, and can be used there."""

from dataclasses import replace

from discord.utils import snowflake_time

from bot.app.matches.loaded import LoadedMatch
from bot.ui.matches.boards import YOUNG, board_of
from bot.ui.posts.outbox import Draft
from bot.ui.posts.turn_notices import users_to_notify
from bot.ui.services import ServicePublisher
from db.values.matches import panel_of
from db.values.members import Notice
from db.values.places import DiscordId, Place
from db.values.posts import News, Occasion, Post, PostKind


class CopyPublisher(ServicePublisher):
    """Publishes copies of boards. After a move, an old message is posted again at the end of its channel."""

    kind = PostKind.COPY

    async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
        if not anew:
            await self._leave_out_hidden(subject, key)
        await super().publish(subject, key, anew=anew)

    async def _leave_out_hidden(self, subject: int, key: str) -> None:
        """Record that a copy is up to date if only hidden moves were made, which an edit would reveal."""
        posts = self.outbox.store.posts
        async with self.outbox.lock(self.kind, subject, key):
            post = await posts.get(self.kind, subject, key)
            if (
                post is None
                or post.message is None
                or post.tried_at is not None
                or not self.outbox.shows(post)
            ):
                return
            loaded = await self._services.matches.load(subject)
            if loaded.only_hidden_since(post):
                await posts.keep(replace(post, shown=post.version, progress=loaded.plies))

    async def draft(self, post: Post) -> Draft | None:
        services, place = self._services, Place(post.guild, post.channel)
        loaded, now = await services.matches.load(post.subject), services.clock.now()
        theme = await services.preferences.theme(place)
        notified = await self._notified(loaded, post)
        proposals = await services.proposals.on_board(loaded)
        view, files = await board_of(services, self._ui_services, loaded, post.guild, theme, proposals)
        moved = post.message is not None and post.progress < loaded.plies
        pinged = notified[Notice.PING]
        anew = moved and (bool(pinged) or now - snowflake_time(post.message or 0) >= YOUNG)
        direct = notified[Notice.DIRECT]
        return Draft(place, view, files, loaded.plies, notify=pinged, direct=direct, anew=anew)

    async def posted(self, post: Post, draft: Draft) -> None:
        news = News(Occasion.TURN, post.subject, draft.progress)
        await self._turn_notices.write(draft.direct, post.guild, news)

    async def _notified(self, loaded: LoadedMatch, post: Post) -> dict[Notice, list[DiscordId]]:
        """Return the players whose turn has come since the copy was shown and who are not notified elsewhere."""
        before = panel_of(post)
        shown = before is not None and before.plies >= loaded.plies
        if shown or await self._services.server_matches.guests(loaded) is None:
            return {notice: [] for notice in Notice}
        users = await self._turn_notices.by_notice(users_to_notify(loaded, before, 0), loaded)
        return await self._services.server_matches.notified_in(loaded, post.guild, users)
