"""**Follow…** behind **More** below a board: being told of the end or the moves of a game of others."""

import discord

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.ui.components.message_parts import items_below
from bot.ui.components.wording import linked_name
from bot.ui.interactions.buttons import IdButton, MatchButton
from bot.ui.interactions.reply import Content, Context
from bot.ui.posts.permissions import shows_to
from db.values.places import DiscordId

NAME = "follow"
"""The name of the private answers about following, by which a newer one replaces an older one."""
END, MOVES, STOP = "end", "moves", "stop"
LABELS = {END: "Its end", MOVES: "Each move and its end", STOP: "Stop following"}


def can_be_followed(loaded: LoadedMatch, user: DiscordId) -> bool:
    """Return True if a member can follow a match that they see."""
    return not loaded.match.over and loaded.stored.place.guild is not None and loaded.seat_of(user) is None


class FollowButton(MatchButton, word="follow", label="Follow…"):
    """Asks what a member wants to be told of a game of others."""

    async def answer(self, context: Context) -> Content:
        loaded, followed = await context.services.followers.check(self.match, context.user, context.place)
        offered = [what for what, moves in ((END, False), (MOVES, True)) if moves is not followed]
        if followed is not None:
            offered.append(STOP)
        text = f"**{loaded.name}**: what should I write to you about?"
        buttons = (FollowingButton(loaded.id, what) for what in offered)
        return Content(text, items_below(*buttons), name=NAME)


class FollowingButton(IdButton, word="following", label=LABELS):
    """Follows the end or the moves of a game, or ends that."""

    match: int
    what: str

    async def check_visible(self, context: Context) -> None:
        """Check nothing for a member who stops: the list of games shows what they follow anywhere."""
        if self.what != STOP:
            await super().check_visible(context)

    async def answer(self, context: Context) -> Content:
        followers, user = context.services.followers, context.user
        if self.what == STOP:
            loaded = await followers.stop(self.match, user)
            return Content(f"You no longer follow {linked_name(loaded)}.", name=NAME)
        await self._check_seen(context)
        loaded = await followers.follow(self.match, user, context.place, moves=self.what == MOVES)
        told = "at its end" if self.what == END else "after its moves, once a minute at most, and at its end"
        text = f"You follow {linked_name(loaded)}: I write to you {told}. `/games` lists the games that you follow."
        return Content(text, name=NAME)

    async def _check_seen(self, context: Context) -> None:
        """Raise Refused in a private thread, and where the member does not see the channel of the game."""
        loaded, _ = await context.services.followers.check(self.match, context.user, context.place)
        guild, member = context.interaction.guild, context.interaction.user
        if (
            guild is None
            or not isinstance(member, discord.Member)
            or not shows_to(guild, member, loaded.stored.place)
        ):
            raise Refused("You can follow games only in channels that you see, and none in a private thread.")
