"""Names in the place of mentions: Discord shows the members of another server as unknown users."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from discord import ui
from discord.utils import escape_markdown

from bot.app.matches.loaded import LoadedMatch
from bot.app.services import Services
from bot.ui.posts.member_names import MemberNames
from db.values.members import is_person
from db.values.places import DiscordId

_MENTION = re.compile(r"<@([0-9]+)>")


async def names_of_strangers(
    names: MemberNames, guild: DiscordId | None, users: Collection[DiscordId]
) -> dict[DiscordId, str]:
    """Return what a message calls these members of another server: their name there, or "a player".

    Texts may set it in bold themselves.
    """
    people = [it for it in users if is_person(it)]
    known = await names.of(guild, people) if people else {}
    return {it: escape_markdown(found[0]) if (found := known.get(it)) else "a player" for it in people}


async def strangers_in(
    services: Services, names: MemberNames, loaded: LoadedMatch, guild: DiscordId | None
) -> dict[DiscordId, str]:
    """Return what messages in a server call the players of a game who play for another server."""
    return await names_of_strangers(names, *await services.server_matches.strangers(loaded, guild))


def without_mentions(text: str, names: Mapping[DiscordId, str]) -> str:
    """Return a text with these names in the place of mentions."""
    return _MENTION.sub(lambda found: names.get(int(found[1]), found[0]), text)


def name_strangers(view: ui.LayoutView, names: Mapping[DiscordId, str]) -> None:
    """Put these names in the place of mentions in the texts of a message."""
    for item in view.walk_children():
        if isinstance(item, ui.TextDisplay):
            shown: ui.TextDisplay[Any] = item
            shown.content = without_mentions(shown.content, names)
