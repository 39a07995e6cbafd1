"""The achievements of a member, as a page of their profile and as lines on the boards of the games that earned them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import discord
from discord import ui
from discord.utils import format_dt

from bot.app.achievements import ALL, OF_GAME, general
from bot.app.achievements.achievement import Achievement, Progress
from bot.app.awards import Won
from bot.app.matches.loaded import name_of
from bot.app.mentions import mention
from bot.ui.components.message_parts import Part, card, chart_file, gallery
from bot.ui.interactions.buttons import IdButton, IdSelect
from bot.ui.interactions.checks import check_members
from bot.ui.interactions.reply import Content, Context, Response
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.replay import show_replay
from db.values.matches import Earned
from db.values.places import DiscordId, Place
from render.charts.achievements import (
    AchievementBadge,
    AchievementGroup,
    achievements_alt,
    draw_achievements,
)
from rules.games import find

PICTURE = "achievements.png"


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


async def show_achievements(context: Context, member: DiscordId) -> Content:
    """Show the achievements of `member`; to the members themselves with hints at the others, and with progress."""
    own, awards = member == context.user, context.services.awards
    won = await awards.of(member)
    progress = await awards.progress(member, context.place) if own else {}
    show = await show_rows(context, ShowAchievementsButton(member)) if won else []
    view = achievements_message(member, won, context.place, riddles=own, progress=progress, show=show)
    return Content("", view, files=await _picture(won, progress, await context.theme(), riddles=own))


def achievements_message(
    member: DiscordId,
    won: Sequence[Won],
    here: Place,
    *,
    riddles: bool,
    progress: Mapping[str, Progress] = MappingProxyType({}),
    show: Sequence[ui.ActionRow[Any]] = (),
) -> ui.LayoutView:
    """Return a list of a member's achievements, with a menu to watch the games; its picture is attached beside it.

    `riddles` adds hints at the other achievements, with the progress in the member's last games.
    """
    earned = {award.achievement: award for award in won}
    parts: list[Part] = [
        f"### Achievements of {mention(member)}\n-# {len(won)} of {len(ALL)} earned",
        gallery(PICTURE, achievements_alt(_groups(won, progress))),
    ]
    for title, group in GROUPS:
        lines = [_line(earned[it], here) for it in group if it in earned]
        if lines:
            parts.append("\n".join([f"**{title}** · {len(lines)} of {len(group)}", *lines]))
    if proofs := [_proof_option(award) for award in won if award.proof.place.near(here)]:
        parts.append(ui.ActionRow(ProofSelect(options=proofs)))
    left = [achievement for achievement in ALL if achievement not in earned]
    if riddles and left:
        hints = [f"- *{it.riddle}*{_came(progress.get(it.key))}" for it in left]
        parts.append("\n".join(["**Still to be earned**, as riddles", *hints]))
    return card(*parts, *show)


def _proof_option(won: Won) -> discord.SelectOption:
    # One game may prove several, and values must differ.
    value = f"{won.proof.match}:{won.achievement.key}"
    return discord.SelectOption(label=won.achievement.title, value=value, description=_name(won.proof))


GROUPS: tuple[tuple[str, tuple[Achievement, ...]], ...] = (
    *((find(game).sheet.title, achievements) for game, achievements in OF_GAME.items()),
    ("Any game", general.ACHIEVEMENTS),
)
"""The achievements in groups, each with its title, in the order in which they are listed."""


def _groups(
    won: Sequence[Won], progress: Mapping[str, Progress], *, riddles: bool = False
) -> tuple[AchievementGroup, ...]:
    earned = {award.achievement for award in won}

    def badge(achievement: Achievement) -> AchievementBadge:
        if achievement in earned:
            return AchievementBadge(achievement.key, achievement.title)
        step = progress.get(achievement.key)
        came = None if step is None else (step.have, step.need)
        return AchievementBadge(achievement.key, progress=came, riddle=achievement.riddle if riddles else "")

    return tuple(AchievementGroup(title, tuple(badge(it) for it in group)) for title, group in GROUPS)


async def _picture(
    won: Sequence[Won], progress: Mapping[str, Progress], theme: str, *, riddles: bool
) -> list[discord.File]:
    groups = _groups(won, progress, riddles=riddles)
    return [await chart_file(PICTURE, achievements_alt(groups), draw_achievements, groups, theme)]


def _came(step: Progress | None) -> str:
    return f" · {step.have} of {step.need}" if step is not None else ""


def _line(won: Won, here: Place) -> str:
    where = _name(won.proof) if won.proof.place.near(here) else "elsewhere"
    return f"- **{won.achievement.title}** · {won.achievement.deed} · {where}, {format_dt(won.proof.at, 'd')}"


def _name(proof: Earned) -> str:
    return name_of(proof.game, proof.match)


class AchievementsButton(IdButton, word="awards", label="Achievements"):
    """Shows a member's achievements to the member who presses it."""

    member: DiscordId

    async def answer(self, context: Context) -> Content:
        await check_members(context, (self.member,))
        return await show_achievements(context, self.member)


class ShowAchievementsButton(ShowButton, word="show-awards"):
    """Shows a member's achievements to the channel, without hints at the others."""

    member: DiscordId

    def about(self) -> tuple[DiscordId, ...]:
        return (self.member,)

    async def public(self, context: Context, theme: str) -> Content:
        won = await context.services.awards.of(self.member)
        view = achievements_message(self.member, won, context.place, riddles=False)
        return Content("", view, files=await _picture(won, {}, theme, riddles=False))


class ProofSelect(IdSelect, word="achievements:watch", placeholder="Watch the proof"):
    """Shows the game that earned the chosen achievement."""

    async def answer(self, context: Context) -> Response:
        return await show_replay(context, int(self.item.values[0].partition(":")[0]))
