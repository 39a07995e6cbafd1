"""`/preferences`: the choices of a member, in one message that only they see."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.ui.components.layout import card
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said
from bot.ui.members.theme_pictures import swatch_files, swatches, theme_chosen, theme_options
from db.values.members import FOREVER, Notice
from db.values.places import DiscordId


async def show_preferences(acting: Acting) -> Said:
    """Show this member their choices, with a menu to change each."""
    view = await preferences(acting, acting.user)
    return Said("", view, files=await swatch_files())


async def preferences(acting: Acting, user: DiscordId) -> ui.LayoutView:
    """Return the message of a member's choices."""
    chosen = await acting.services.preferences.member(user)
    forced = "on" if chosen.forced else "off"
    away = "no" if chosen.away_until is None else "for good" if chosen.away_until == FOREVER else "hours"
    listed = "on" if chosen.listed else "off"
    return card(
        "### Your preferences\nThey apply in every server. Only you see this.",
        "**The look** of pictures that only you see",
        swatches(),
        ui.ActionRow(PreferenceSelect("theme", theme_options(chosen.theme, "Same as the server"))),
        ui.Separator(),
        "**Your turn**, and what other players ask you: how you want to be told",
        ui.ActionRow(PreferenceSelect("notice", _options(NOTICES, chosen.notice))),
        ui.Separator(),
        "**Forced moves**: when you have only one legal move",
        ui.ActionRow(PreferenceSelect("forced", _options(FORCED, forced))),
        ui.Separator(),
        f"**Challenges**\n{_reachable(chosen.away_until)}",
        ui.ActionRow(PreferenceSelect("away", _options(AWAY, away))),
        _blocked(await acting.services.preferences.blocked(user)),
        ui.Separator(),
        "**Global leaderboards**; those of your servers always list you",
        ui.ActionRow(PreferenceSelect("listed", _options(LISTED, listed))),
    )


def _reachable(away_until: datetime | None) -> str:
    if away_until is None:
        return "You can be challenged."
    if away_until == FOREVER:
        return "You cannot be challenged until you change this."
    return f"You cannot be challenged before {discord.utils.format_dt(away_until, 't')}."


def _blocked(users: Sequence[DiscordId]) -> str:
    """Return the line of blocked members: at most one hundred mentions, which fit into one message."""
    if not users:
        return "-# You have not blocked anybody. `/block` keeps a member from playing with you."
    return f"-# Blocked: {', '.join(mention(user) for user in users)}. `/unblock` removes a block."


AWAY = {
    "no": "Anybody can challenge me",
    "hours": "No challenges for 8 hours",
    "for good": "No challenges until I change this",
}
LISTED = {"on": "List me", "off": "Leave me out"}
FORCED = {"off": "I play it", "on": "It is played for me"}
NOTICES: Mapping[str, str] = {
    Notice.PING: "Ping me under the board",
    Notice.DIRECT: "Send me a direct message",
    Notice.NONE: "Do not tell me",
}


def _options(labels: Mapping[str, str], chosen: str) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=label, value=value, default=value == chosen)
        for value, label in labels.items()
    ]


class PreferenceSelect(
    PersistentItem[ui.Select[Any]], template=r"prefer:(?P<what>theme|notice|forced|away|listed)"
):
    """Changes one choice, and shows the new ones."""

    words = frozenset({"what"})

    def __init__(self, what: str, options: list[discord.SelectOption] | None = None) -> None:
        self.what = what
        super().__init__(ui.Select(custom_id=f"prefer:{what}", options=options or []))

    async def answer(self, acting: Acting) -> None:
        user = acting.user
        await _choose(acting, user, self.what, self.item.values[0])
        await acting.interaction.edit_original_response(view=await preferences(acting, user))


async def _choose(acting: Acting, user: DiscordId, what: str, value: str) -> None:
    match what:
        case "theme":
            await acting.services.preferences.choose_theme(user, theme_chosen(value))
        case "notice":
            await acting.services.preferences.notice(user, Notice(value))
        case "away":
            if value == "no":
                await acting.services.preferences.back(user)
            else:
                await acting.services.preferences.away(user, for_good=value == "for good")
        case "forced":
            await acting.services.preferences.forced(user, on=value == "on")
            await _play_forced(acting, user)
        case "listed":
            await acting.services.preferences.listed(user, on=value == "on")


async def _play_forced(acting: Acting, user: DiscordId) -> None:
    """Play the forced moves of this member, and show these games."""
    for table in await acting.services.matches.mine(user):
        if user in table.waiting_for:
            with suppress(Refused):  # The move counts, although its board cannot be posted.
                await acting.display.show(table.id, await acting.services.matches.resume(table.id))


async def block(acting: Acting, other: DiscordId) -> str:
    """Keep `other` from playing with this member."""
    await acting.services.preferences.block(acting.user, other)
    return (
        f"You have blocked {mention(other)}: they cannot challenge you or join your games, and are not told why."
        " The games that you are playing together go on."
    )


async def unblock(acting: Acting, other: DiscordId) -> str:
    """Remove a block."""
    await acting.services.preferences.unblock(acting.user, other)
    return f"You have unblocked {mention(other)}; you can play together again."
