"""`/preferences`: what a member chooses for themselves, all in one message that only they see."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.reply import Said
from bot.ui.members.theme_pictures import swatch_files, swatches, theme_chosen, theme_options
from db.api.members import FOREVER, Notice
from db.api.places import DiscordId


async def show_preferences(acting: Acting) -> Said:
    """Show this member their choices, each to be changed in place."""
    view = await preferences(acting, acting.user)
    return Said("", view, files=await swatch_files())


async def preferences(acting: Acting, user: DiscordId) -> ui.LayoutView:
    """The choices of a member as a message."""
    chosen = await acting.services.preferences.member(user)
    box: ui.Container[Any] = ui.Container()
    box.add_item(ui.TextDisplay("### Your preferences\nThey hold in every server. Only you see this."))
    box.add_item(ui.TextDisplay("**The look** of pictures that only you see"))
    box.add_item(swatches())
    box.add_item(ui.ActionRow(PreferenceSelect("theme", theme_options(chosen.theme, "As the server has it"))))
    box.add_item(ui.Separator())
    box.add_item(
        ui.TextDisplay("**Your turn**, and what you are asked in a game: how you want to hear of it")
    )
    box.add_item(ui.ActionRow(PreferenceSelect("notice", _options(NOTICES, chosen.notice))))
    box.add_item(ui.Separator())
    box.add_item(ui.TextDisplay("**Forced moves**: when you have one legal move only"))
    forced = "on" if chosen.forced else "off"
    box.add_item(ui.ActionRow(PreferenceSelect("forced", _options(FORCED, forced))))
    box.add_item(ui.Separator())
    box.add_item(ui.TextDisplay(f"**Challenges**\n{_reachable(chosen.away_until)}"))
    away = "no" if chosen.away_until is None else "for good" if chosen.away_until == FOREVER else "hours"
    box.add_item(ui.ActionRow(PreferenceSelect("away", _options(AWAY, away))))
    box.add_item(ui.TextDisplay(_blocked(await acting.services.preferences.blocked(user))))
    box.add_item(ui.Separator())
    box.add_item(ui.TextDisplay("**Leaderboards of everywhere**; those of your servers list you anyway"))
    listed = "on" if chosen.listed else "off"
    box.add_item(ui.ActionRow(PreferenceSelect("listed", _options(LISTED, listed))))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


def _reachable(away_until: datetime | None) -> str:
    if away_until is None:
        return "You may be challenged."
    if away_until == FOREVER:
        return "You are not challenged until you say so here."
    return f"You are not challenged before {discord.utils.format_dt(away_until, 't')}."


def _blocked(users: Sequence[DiscordId]) -> str:
    """Whom a member has blocked: one hundred mentions at most, which fit into one message."""
    if not users:
        return "-# You have blocked nobody. `/block` keeps a member from playing with you."
    return f"-# Blocked: {', '.join(f'<@{user}>' for user in users)}. `/unblock` takes it back."


AWAY = {
    "no": "Anybody may challenge me",
    "hours": "Not now: not for 8 hours",
    "for good": "Not until I say so",
}
LISTED = {"on": "List me", "off": "Leave me out"}
FORCED = {"off": "I play it", "on": "It plays itself"}
NOTICES: Mapping[str, str] = {
    Notice.PING: "Ping me under the board",
    Notice.DIRECT: "Write me a direct message",
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
    """Changes one choice, and shows how all stand."""

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
            await acting.services.preferences.look(user, theme_chosen(value))
        case "notice":
            await acting.services.preferences.notice(user, Notice(value))
        case "away":
            if value == "no":
                await acting.services.preferences.back(user)
            else:
                await acting.services.preferences.away(user, for_good=value == "for good")
        case "forced":
            await acting.services.preferences.forced(user, on=value == "on")
            await _show_forced(acting, user)
        case "listed":
            await acting.services.preferences.listed(user, on=value == "on")


async def _show_forced(acting: Acting, user: DiscordId) -> None:
    """What was to play itself from now on may be due already."""
    for table in await acting.services.matches.mine(user):
        if user in table.waiting_for:
            with suppress(Refused):  # It counts; only its board cannot be posted.
                await acting.display.show(table.id)


async def block(acting: Acting, other: DiscordId) -> str:
    """Keep somebody from playing with this member."""
    await acting.services.preferences.block(acting.user, other)
    return (
        f"You have blocked <@{other}>: they cannot challenge you nor join your games, and are not told why."
        " Games that you play together go on."
    )


async def unblock(acting: Acting, other: DiscordId) -> str:
    """Take a block back."""
    await acting.services.preferences.unblock(acting.user, other)
    return f"You have unblocked <@{other}>; you may play together again."
