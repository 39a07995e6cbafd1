"""Publishing the cards of challenges."""

from collections.abc import Sequence

import discord

from bot.app.services import Services
from bot.ui.challenges.message import drawn
from bot.ui.posts.outbox import Draft, DraftPublisher, Outbox
from bot.ui.services import UiServices
from db.values.challenges import Answer, Challenge, Reply
from db.values.members import Notice
from db.values.posts import News, Occasion, Post, PostKind


class CardPublisher(DraftPublisher):
    """Publishes the card of each challenge that somebody has to answer, and notifies the members who are asked."""

    kind = PostKind.CARD
    pictures = False
    by_response = True

    def __init__(self, outbox: Outbox, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox)
        self._services = services
        self._turn_notices = ui_services.turn_notices

    async def draft(self, post: Post) -> Draft | None:
        challenge = await self._services.challenges.find(post.subject)
        edit_only = post.message is None and challenge is not None and not self._waits(challenge)
        if challenge is None or (edit_only and post.tried_at is None):
            return None
        shown = await drawn(self._services, challenge)

        async def files() -> Sequence[discord.File]:
            for file in shown.files:
                file.reset()
            return shown.files

        asked = () if post.message is not None else challenge.users(Reply.ASKED)
        notify = (await self._turn_notices.by_notice(asked))[Notice.PING]
        call = "" if post.message is not None else challenge.call
        return Draft(challenge.place, shown.view, files, notify=notify, call=call, edit_only=edit_only)

    async def posted(self, post: Post, draft: Draft) -> None:
        challenge = await self._services.challenges.find(post.subject)
        if challenge is None or post.message is None or draft.edit_only:
            return
        users = await self._turn_notices.by_notice(challenge.users(Reply.ASKED))
        news = News(Occasion.CHALLENGE, challenge.id)
        await self._turn_notices.write(users[Notice.DIRECT], challenge.place.guild, news)

    def _waits(self, challenge: Challenge) -> bool:
        """Whether a challenge waits for somebody's answer."""
        late = self._services.clock.now() >= challenge.expires_at
        asked = challenge.public or bool(challenge.users(Reply.ASKED))
        return challenge.answer is Answer.OPEN and asked and not late
