"""Posting challenges: each is stored first, and posted until a message shows it."""

from collections.abc import Sequence

import discord
import structlog

from bot.app.errors import Refused
from bot.app.services import Services
from bot.app.tasks.locks import Locks
from bot.ui.challenges.message import drawn, redraw
from bot.ui.challenges.wording import summary
from bot.ui.kit.posts.posting import DISCORD_ERRORS, PostTarget
from bot.ui.kit.posts.refused_posts import RefusedPosts
from bot.ui.kit.services import Kit
from db.api.challenges import Challenge, Reply
from db.api.members.members import Notice
from db.api.places import DiscordId, Place

log = structlog.get_logger()


class ChallengePoster:
    """The messages of challenges. One task at a time posts that of a challenge, so that it is not posted twice."""

    def __init__(self, services: Services, kit: Kit) -> None:
        self._services = services
        self._challenges = services.challenges
        self._kit = kit
        self._locks = Locks()
        self._refused = RefusedPosts(kit.permission_alerts, pictures=False)

    async def post(self, challenge: int) -> None:
        """Post an open challenge unless a message shows it, and notify the challenged members as they chose.

        Where the bot is not a member, it waits for the next interaction there. Raises Refused when the bot may not post
        there, and DISCORD_ERRORS.
        """
        async with self._locks.of(challenge):
            found = await self._challenges.unposted(challenge)
            target = None if found is None else self._kit.posting.at(found.place)
            if found is None or target is None or not target.open:
                return
            users = await self._kit.turn_notices.by_notice(() if found.repeats else found.users(Reply.ASKED))
            try:
                try:
                    message = await self._send(target, found, users[Notice.PING])
                except discord.Forbidden:
                    # Where games have threads of their own, the bot need not be allowed to write in the channel.
                    answering = self._kit.posting.answering(found.place)
                    if not answering.open:
                        raise
                    message = await self._send(answering, found, users[Notice.PING])
            except discord.Forbidden:
                self._refused.add(found.id, found.place)
                missing = await self._kit.permission_alerts.report(found.place, pictures=False)
                raise Refused(
                    f"I may not post in <#{found.place.channel}>: {missing}. I post this once I may; "
                    "`/games` lists it until then."
                ) from None
            except discord.NotFound:
                self._refused.add(found.id, found.place)
                raise Refused("The channel of this game no longer exists; ask in another one.") from None
            self._refused.remove(found.id)
            await self._challenges.posted(found, message)
            news = f"{summary(found)}."
            await self._kit.turn_notices.tell(users[Notice.DIRECT], news, found.place, message, _once(found))
        if await self._challenges.changed(found):
            await redraw(self._kit, self._services, challenge)

    async def post_again(self, challenge: Challenge) -> None:
        """Post an open challenge again, without notifying anybody, and delete the message that showed it.

        Raises Refused and DISCORD_ERRORS.
        """
        guild = challenge.place.guild
        elsewhere = guild is not None and not self._services.ownership.owns(guild)
        if elsewhere:
            # The process that owns the server hears that the challenge is to be posted, and posts it.
            target = self._kit.posting.direct(challenge.place.channel)
        else:
            target = self._kit.posting.at(challenge.place)
        if not target.open:
            raise Refused(f"I can post in <#{challenge.place.channel}> only when you ask me there.")
        async with self._locks.of(challenge.id):
            if challenge.message is not None:
                # Deleted first: if the bot is stopped before it posts again, no message is left that nobody redraws.
                await target.delete(challenge.message)
            await self._challenges.repeat(challenge.id)
        if not elsewhere:
            await self.post(challenge.id)

    async def catch_up(self) -> None:
        """Post what could not be posted: the bot was stopped, or Discord could not be reached."""
        for challenge in await self._challenges.all_unposted():
            if self._kit.posting.reaches(challenge.place):
                await self._try(challenge)

    async def permissions_changed(self) -> None:
        """Post what was refused: a permission may have been granted."""
        if self._refused:
            await self.catch_up()

    async def deliver(self, place: Place) -> None:
        """Use the interaction that is being answered to post what waits at its place."""
        for challenge in await self._challenges.all_unposted(place.channel):
            await self._try(challenge)

    async def _send(self, target: PostTarget, challenge: Challenge, notify: Sequence[DiscordId]) -> DiscordId:
        """Send the message of a challenge. Only the first one calls a role."""
        shown = await drawn(self._services, challenge)
        return await target.send(
            view=shown.view,
            files=shown.files,
            notify=notify,
            call="" if challenge.repeats else challenge.call,
            once=_once(challenge),
        )

    async def _try(self, challenge: Challenge) -> None:
        """Post a challenge unless it would be refused again. Errors are logged."""
        if self._refused.still(challenge.id, challenge.place):
            return
        try:
            await self.post(challenge.id)
        except Refused:
            log.warning("challenge cannot be shown", challenge=challenge.id, channel=challenge.place.channel)
        except DISCORD_ERRORS as error:
            log.warning("challenge not shown yet", challenge=challenge.id, error=type(error).__name__)


def _once(challenge: Challenge) -> str:
    """Return the name of the message of a challenge (see PostTarget.send); each that is to be posted has its own."""
    return f"challenge {challenge.id} {challenge.made_at} {challenge.repeats}"
