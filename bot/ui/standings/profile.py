"""`/profile`: how a member has fared, as a picture and in words. `/versus`: against another. For who asks alone."""

import asyncio
import io
from typing import Any

import discord
from discord import ui

from bot.app.mentions import named
from bot.app.standings.profiles import Career, tally
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.pictures import GALLERY_ALT
from bot.ui.kit.reply import Said
from bot.ui.replay.history import WatchSelect
from bot.ui.standings.achievements import in_short
from bot.ui.standings.leaderboard import ALL, EVERYWHERE, HERE
from bot.ui.standings.ratings import score as spelt
from db.api.history import Search
from db.api.places import DiscordId
from db.api.profiles import Counts, Duels
from render.board.phrases import counted
from render.charts.career import CareerChart, Streak, Tally, career_alt, draw_career
from rules.games import GAMES, find

Interaction = discord.Interaction[Any]

PICTURE = "profile.png"


async def show_profile(acting: Acting, user: DiscordId, game: str | None, where: str) -> Said:
    """Show this member how somebody has fared."""
    view, files = await _page(acting, user, game, where)
    return Said("", view, files=files)


async def show_versus(acting: Acting, one: DiscordId, other: DiscordId) -> str:
    """Show this member how somebody has fared against somebody else."""
    duels = await acting.services.profiles.versus(one, other, acting.place.guild)
    return versus(one, other, duels)


def versus(one: DiscordId, other: DiscordId, duels: Duels) -> str:
    """Who of two members stood better in how many of their games, in all and in each game."""
    first, second = (named(it, computer=it in duels.computers) for it in (one, other))
    head = f"### {first} against {second}"
    if duels.last is None:
        return f"{head}\nThey have not finished a rated game together yet."
    total = tally(duels)
    lines = [f"- {find(game).sheet.title}: {_spelt(counts)}" for game, counts in duels.games]
    last = f"The last one ended {discord.utils.format_dt(duels.last, 'R')}."
    how = f"-# rated games in which <@{one}> finished ahead–level–behind"
    return "\n".join([f"{head}\n**{_spelt(total)}** in {counted(sum(total), 'game')}", *lines, last, how])


def _spelt(counts: Counts) -> str:
    return "–".join(map(str, counts))


async def _page(
    acting: Acting, user: DiscordId, game: str | None, where: str
) -> tuple[ui.LayoutView, list[discord.File]]:
    guild = acting.place.guild
    career = await acting.services.profiles.career(user, game, guild if where == HERE else None)
    box: ui.Container[Any] = ui.Container()
    box.add_item(ui.TextDisplay(_head(career)))
    files: list[discord.File] = []
    if career.rating is not None:
        shown = drawn(career)
        png = await asyncio.to_thread(draw_career, shown, await acting.theme())
        files = [discord.File(io.BytesIO(png), filename=PICTURE, description=career_alt(shown))]
        gallery: ui.MediaGallery[Any] = ui.MediaGallery()
        gallery.add_item(media=f"attachment://{PICTURE}", description=career_alt(shown, GALLERY_ALT))
        box.add_item(gallery)
    won = [it for it in await acting.services.awards.of(user) if game in (None, it.proof.game)]
    box.add_item(ui.TextDisplay("\n".join([_lines(career), *in_short(won)])))
    box.add_item(ui.ActionRow(CareerSelect(user, where, game)))
    if guild is not None:
        box.add_item(ui.ActionRow(WhereButton(user, game or ALL, EVERYWHERE if where == HERE else HERE)))
        if tables := (await acting.services.history.chapter(Search(guild, game, user))).tables:
            box.add_item(ui.ActionRow(WatchSelect(tables)))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view, files


def _head(career: Career) -> str:
    about = [_title(career), _where(career)]
    if career.rating is not None:
        about.append(f"score {spelt(career.rating.held.skill)}")
    if career.place:
        about.append(f"place {career.place:,} of {career.members:,}")
    return f"### {named(career.user, computer=career.computer)}\n-# {' · '.join(about)}"


def _title(career: Career) -> str:
    return find(career.game).sheet.title if career.game else "All games"


def _where(career: Career) -> str:
    return "everywhere" if career.guild is None else "this server"


def _lines(career: Career) -> str:
    if career.rating is None:
        return (
            "No rated game yet. A challenge is rated unless it says otherwise: start one with `/challenge`."
        )
    lines = []
    if career.game is None and career.favourite:
        lines.append(f"Favourite game: **{find(career.favourite).sheet.title}**")
    lines += [f"{what}: {often}" for what, often in career.tributes]
    few = ", too few to be certain of the score (?)" if career.rating.held.skill.provisional else ""
    lines.append(f"-# {counted(career.rating.games, 'rated game')} in all{few}.")
    return "\n".join(lines)


def drawn(career: Career) -> CareerChart:
    """What the picture shows: the records by game, or of one game by seat."""
    by_game = tuple(Tally(find(key).sheet.title, *counts) for key, counts in career.records)
    by_seat = tuple(Tally(seat, *counts) for seat, counts in career.seats)
    return CareerChart(
        title=_title(career),
        about=_where(career),
        scores=career.scores,
        sure=career.rating is not None and not career.rating.held.skill.provisional,
        tallies=(*by_game, *by_seat),
        wins=Streak(career.runs.won, career.runs.most_won),
        unbeaten=Streak(career.runs.unbeaten, career.runs.most_unbeaten),
        computer=career.computer,
    )


class CareerSelect(
    PersistentItem[ui.Select[Any]], template=r"career:(?P<user>[0-9]+):(?P<where>here|everywhere)"
):
    """Shows how a member has fared in another game."""

    words = frozenset({"where"})

    def __init__(self, user: DiscordId, where: str, chosen: str | None = None) -> None:
        self.user, self.where = user, where
        options = [discord.SelectOption(label="All games", value=ALL, default=chosen is None)]
        options += [
            discord.SelectOption(label=game.sheet.title, value=game.key, default=game.key == chosen)
            for game in GAMES
        ]
        super().__init__(ui.Select(custom_id=f"career:{user}:{where}", options=options))

    async def answer(self, acting: Acting) -> None:
        game = self.item.values[0]
        await _turn(acting, self.user, None if game == ALL else game, self.where)


class WhereButton(
    PersistentItem[ui.Button[Any]],
    template=r"career-in:(?P<user>[0-9]+):(?P<game>[a-z-]+):(?P<where>here|everywhere)",
):
    """Shows how a member has fared in this server, or everywhere."""

    words = frozenset({"game", "where"})

    def __init__(self, user: DiscordId, game: str, where: str) -> None:
        self.user, self.game, self.where = user, game, where
        label = "In this server" if where == HERE else "Everywhere"
        super().__init__(ui.Button(label=label, custom_id=f"career-in:{user}:{game}:{where}"))

    async def answer(self, acting: Acting) -> None:
        await _turn(acting, self.user, None if self.game == ALL else self.game, self.where)


async def _turn(acting: Acting, user: DiscordId, game: str | None, where: str) -> None:
    view, files = await _page(acting, user, game, where)
    await acting.interaction.edit_original_response(view=view, attachments=files)
