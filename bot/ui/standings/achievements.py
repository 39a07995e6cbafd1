"""Achievements: told on the board of the game that earned them, and listed by `/achievements`."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui
from discord.utils import format_dt

from bot.app.achievements import ALL
from bot.app.awards import Won
from bot.app.mentions import mention
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.reply import Response, Said
from bot.ui.replay.replay import show_replay
from db.api.achievements import Earned
from db.api.places import DiscordId, Place
from rules.games import find


def award_lines(won: Sequence[Won]) -> list[str]:
    """What a game has earned its players, a line each."""
    return [
        f"{mention(it.proof.user)} earned **{it.achievement.title}**: “{it.achievement.deed}”" for it in won
    ]


def award_sentences(won: Sequence[Won]) -> list[str]:
    """What a game has earned its players, a short sentence each."""
    return [f"{mention(it.proof.user)} earned **{it.achievement.title}**." for it in won]


def achievements_line(won: Sequence[Won]) -> list[str]:
    """What a member has earned in one line, if anything."""
    return [f"Achievements: {', '.join(it.achievement.title for it in won)}"] if won else []


async def show_achievements(acting: Acting, member: DiscordId) -> Said:
    """Show this member what `member` has earned, and hints at the rest if it is they themselves."""
    own = member == acting.user
    won = await acting.services.awards.of(member)
    return Said("", achievements_message(member, won, acting.place, riddles=own))


def achievements_message(
    member: DiscordId, won: Sequence[Won], here: Place, *, riddles: bool
) -> ui.LayoutView:
    """What a member has earned, with a menu to watch the games that prove it; `riddles` hint at the rest."""
    box: ui.Container[Any] = ui.Container()
    box.add_item(ui.TextDisplay(f"### Achievements of {mention(member)}\n-# {len(won)} of {len(ALL)} earned"))
    if won:
        box.add_item(ui.TextDisplay("\n".join(_line(it, here) for it in won)))
    seen = [it for it in won if it.proof.place.near(here)]
    if seen:
        box.add_item(ui.ActionRow(ProofSelect(seen)))
    left = [it.riddle for it in ALL if it not in {one.achievement for one in won}]
    if riddles and left:
        box.add_item(
            ui.TextDisplay("\n".join(["**Still to be earned**, as riddles", *(f"- *{it}*" for it in left)]))
        )
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


def _line(won: Won, here: Place) -> str:
    where = _name(won.proof) if won.proof.place.near(here) else "elsewhere"
    return f"- **{won.achievement.title}** · {won.achievement.deed} · {where}, {format_dt(won.proof.at, 'd')}"


def _name(proof: Earned) -> str:
    return f"{find(proof.game).sheet.title} #{proof.match}"


class ProofSelect(PersistentItem[ui.Select[Any]], template="achievements:watch"):
    """Shows the game that earned the achievement that is chosen."""

    def __init__(self, won: Sequence[Won] = ()) -> None:
        # One game may prove several, and values must differ.
        options = [
            discord.SelectOption(
                label=it.achievement.title,
                value=f"{it.proof.match}:{it.achievement.key}",
                description=_name(it.proof),
            )
            for it in won
        ]
        select: ui.Select[Any] = ui.Select(
            custom_id="achievements:watch", placeholder="Watch the proof", options=options
        )
        super().__init__(select)

    async def answer(self, acting: Acting) -> Response:
        return await show_replay(acting, int(self.item.values[0].partition(":")[0]))
