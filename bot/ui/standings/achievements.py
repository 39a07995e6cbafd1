"""`/achievements`, and the lines about achievements on the boards of the games that earned them."""

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
from bot.ui.kit.layout import Part, card
from bot.ui.kit.reply import Response, Said
from bot.ui.kit.show import ShowButton, show_rows
from bot.ui.replay.replay import show_replay
from db.api.achievements import Earned
from db.api.places import DiscordId, Place
from rules.games import find


def award_lines(won: Sequence[Won]) -> list[str]:
    """Return a line for each achievement that a game has earned its players."""
    return [
        f"{mention(award.proof.user)} earned **{award.achievement.title}**: “{award.achievement.deed}”"
        for award in won
    ]


def award_sentences(won: Sequence[Won]) -> list[str]:
    """Return a short sentence for each achievement that a game has earned its players."""
    return [f"{mention(award.proof.user)} earned **{award.achievement.title}**." for award in won]


def achievements_line(won: Sequence[Won]) -> list[str]:
    """Return one line that names a member's achievements, or none if they have none."""
    return [f"Achievements: {', '.join(award.achievement.title for award in won)}"] if won else []


async def show_achievements(acting: Acting, member: DiscordId) -> Said:
    """Show this member the achievements of `member`; their own with hints at those that are left."""
    own = member == acting.user
    won = await acting.services.awards.of(member)
    show = await show_rows(acting, ShowAchievementsButton(member)) if won else []
    return Said("", achievements_message(member, won, acting.place, riddles=own, show=show))


def achievements_message(
    member: DiscordId,
    won: Sequence[Won],
    here: Place,
    *,
    riddles: bool,
    show: Sequence[ui.ActionRow[Any]] = (),
) -> ui.LayoutView:
    """Return a list of a member's achievements, with a menu to watch the games; `riddles` adds hints at the others."""
    parts: list[Part] = [
        f"### Achievements of {mention(member)}\n-# {len(won)} of {len(ALL)} earned",
        "\n".join(_line(award, here) for award in won),
    ]
    if seen := [award for award in won if award.proof.place.near(here)]:
        parts.append(ui.ActionRow(ProofSelect(seen)))
    earned = {award.achievement for award in won}
    left = [achievement.riddle for achievement in ALL if achievement not in earned]
    if riddles and left:
        parts.append("\n".join(["**Still to be earned**, as riddles", *(f"- *{riddle}*" for riddle in left)]))
    return card(*parts, *show)


def _line(won: Won, here: Place) -> str:
    where = _name(won.proof) if won.proof.place.near(here) else "elsewhere"
    return f"- **{won.achievement.title}** · {won.achievement.deed} · {where}, {format_dt(won.proof.at, 'd')}"


def _name(proof: Earned) -> str:
    return f"{find(proof.game).sheet.title} #{proof.match}"


class ShowAchievementsButton(ShowButton, template=r"show-awards:(?P<member>[0-9]+)"):
    """Shows a member's achievements to the channel, without hints at those that are left."""

    def __init__(self, member: DiscordId) -> None:
        self.member = member
        super().__init__(f"show-awards:{member}")

    def about(self) -> tuple[DiscordId, ...]:
        return (self.member,)

    async def public(self, acting: Acting, theme: str) -> Said:
        won = await acting.services.awards.of(self.member)
        return Said("", achievements_message(self.member, won, acting.place, riddles=False))


class ProofSelect(PersistentItem[ui.Select[Any]], template="achievements:watch"):
    """Shows the game that earned the chosen achievement."""

    def __init__(self, won: Sequence[Won] = ()) -> None:
        # One game may prove several, and values must differ.
        options = [
            discord.SelectOption(
                label=award.achievement.title,
                value=f"{award.proof.match}:{award.achievement.key}",
                description=_name(award.proof),
            )
            for award in won
        ]
        select: ui.Select[Any] = ui.Select(
            custom_id="achievements:watch", placeholder="Watch the proof", options=options
        )
        super().__init__(select)

    async def answer(self, acting: Acting) -> Response:
        return await show_replay(acting, int(self.item.values[0].partition(":")[0]))
