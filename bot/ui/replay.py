"""Games from their start: as an animation, one position after the other, or from a record file."""

import asyncio
import io
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Annotated, Any

import discord
from discord import ui

import render
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import SeveralMatches
from bot.app.replay import LARGEST, about, exported, packed, too_large
from bot.ui.challenges.posting import RematchButton, can_be_played_again
from bot.ui.components.film_worker import FilmWorker
from bot.ui.components.message_parts import card, gallery, items_below, players_of, position_picture, walk
from bot.ui.explorer import ExploreGameButton, explore
from bot.ui.interactions.buttons import IdButton, IdSelect, MatchButton
from bot.ui.interactions.reply import Content, Context, Response, change
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.interactions.waiting import Waiting
from bot.ui.review import ReviewButton
from db.values.matches import Search
from db.values.places import DiscordId
from render.board.phrases import counted
from render.board.text import ALT_LIMIT
from render.replay import positions
from rules.core.match import Match, Observation
from rules.core.record import write
from rules.players.review import reviewable, stages

MOST_POSITIONS = 150
"""A game of more positions is not animated; it can be stepped through."""

PATIENCE = 120.0
"""Seconds after which the drawing of an animation is cancelled."""

WHOLE = "The whole game, move by move. "

STEPS = {"first": "First", "back": "Back", "forward": "Forward", "last": "Last", "again": "Play again"}
"""The buttons under a position, as a custom id names them."""


@dataclass(frozen=True, slots=True)
class ReplaySource:
    """A game to replay: its `name` for members, the `stem` of its files' names, and its buttons.

    `button` creates the button to a position from the number of the position, its name in STEPS, and True if the
    position is already shown. Without it, the replay has no buttons, as in a public message. `below` returns further
    rows for the number of a position, or for None, the animation. `record` is the name and the content of an attached
    file. `players` are named in the last position. `conditional` are the numbers, from 1, of the conditional moves.
    """

    name: str
    stem: str
    match: Match
    button: Callable[[int, str, bool], ui.Item[Any]] | None
    record: tuple[str, bytes] | None = None
    players: Sequence[render.Player] = ()
    below: Callable[[int | None], Sequence[ui.Item[Any]]] = lambda _: ()
    conditional: Collection[int] = ()


async def animation(
    source: ReplaySource, theme: str, film_worker: FilmWorker, waiting: Waiting | None = None
) -> Content:
    """Return the whole game as an animation, or its last position if drawing it would take too long.

    `waiting` shows the progress. Raises Refused.
    """
    seen = await _observations(source.match)
    last = len(seen) - 1
    file = await _film_file(source.match, source.stem, seen, theme, film_worker, waiting, source.players)
    if file is None:
        return await _still(source, seen, last, theme)
    alt = WHOLE + render.alt(seen[-1], ALT_LIMIT - len(WHOLE))
    return _page(source, f"**{source.name}**, move by move", file, alt, last, last, whole=True)


async def film_of(
    match: Match, stem: str, theme: str, film_worker: FilmWorker, players: Sequence[render.Player]
) -> discord.File | None:
    """Return a whole game as an animation, or None if drawing it would take too long. Raises Refused."""
    return await _film_file(match, stem, await _observations(match), theme, film_worker, None, players)


async def _film_file(
    match: Match,
    stem: str,
    seen: tuple[Observation, ...],
    theme: str,
    film_worker: FilmWorker,
    waiting: Waiting | None,
    players: Sequence[render.Player],
) -> discord.File | None:
    """Return a whole game, whose positions are given, as an animation; None if drawing it would take too long."""
    if len(seen) > MOST_POSITIONS:
        return None
    try:
        async with waiting.telling(progress) if waiting else nullcontext(lambda _, __: None) as drawn:
            async with asyncio.timeout(PATIENCE):
                gif = await film_worker.film(match, theme, drawn, players)
    except TimeoutError:
        return None
    return discord.File(io.BytesIO(gif), filename=f"{stem}.gif", description=render.alt(seen[-1]))


def progress(done: int, of: int) -> str:
    """Return the progress of an animation for members."""
    return f"Drawing the animation: {done} of {of} positions." if of else "Drawing the animation."


async def position(source: ReplaySource, at: int, theme: str) -> Content:
    """Return the position after `at` visible moves, with buttons to the others. Raises Refused."""
    seen = await _observations(source.match)
    last = len(seen) - 1
    if not 0 <= at <= last:
        if not last:
            raise Refused(f"{source.name} has no move yet; leave the option `move` out.")
        raise Refused(f"{source.name} has {counted(last, 'move')}; choose a number from 0 to {last}.")
    return await _still(source, seen, at, theme)


async def step(context: Context, source: ReplaySource, at: int, action: str) -> None:
    """Show the position after `at` visible moves, or the last position, in the message whose button was pressed.

    The action "again" shows the animation.
    """
    theme = await context.theme()
    if action == "again":
        content = await animation(source, theme, context.ui_services.film_worker, Waiting(context))
    else:
        seen = await _observations(source.match)
        content = await _still(source, seen, min(at, len(seen) - 1), theme)
    await change(context, content)


async def _observations(match: Match) -> tuple[Observation, ...]:
    return await asyncio.to_thread(lambda: tuple(positions(match)))


async def _still(source: ReplaySource, seen: tuple[Observation, ...], at: int, theme: str) -> Content:
    players = source.players if seen[at].winners is not None else ()
    file = await position_picture(seen[at], theme, f"{source.stem}-move-{at}.png", players=players)
    last = len(seen) - 1
    when = "before the first move" if at == 0 else f"move {at} of {last}: {render.caption(seen[at])}"
    when += ", a conditional move" if at in source.conditional else ""
    again = len(seen) <= MOST_POSITIONS
    return _page(source, f"**{source.name}**, {when}", file, file.description or "", at, last, again=again)


def _page(
    source: ReplaySource,
    heading: str,
    picture: discord.File,
    alt: str,
    at: int,
    last: int,
    *,
    again: bool = False,
    whole: bool = False,
) -> Content:
    parts: list[ui.Item[Any]] = [ui.TextDisplay(heading), gallery(picture.filename, alt)]
    if source.button is not None:
        targets = {"first": 0, "back": max(at - 1, 0), "forward": min(at + 1, last), "last": last}
        buttons = [source.button(to, action, to == at) for action, to in targets.items()]
        if again:
            buttons.append(source.button(at, "again", False))
        parts.append(ui.ActionRow(*buttons))
    parts += source.below(None if whole else at)
    files = []
    if source.record is not None:
        name, content = source.record
        files.append(discord.File(io.BytesIO(content), filename=name))
        parts.append(ui.File(f"attachment://{name}"))
    return Content("", card(*parts), picture, files)


async def show_replay(context: Context, game: int | None, move: int | None = None) -> Content:
    """Show this member a game as an animation, or the position after `move` moves."""
    try:
        source = await _source(context, await watched(context, game))
    except SeveralMatches as several:
        options = [discord.SelectOption(label=it.name, value=str(it.id)) for it in several.matches]
        return Content(
            "Which game would you like to see?", items_below(WatchSelect(options=options[:MOST_GAMES]))
        )
    theme = await context.theme()
    return (
        await animation(source, theme, context.ui_services.film_worker, Waiting(context))
        if move is None
        else await position(source, move, theme)
    )


async def watched(context: Context, game: int | None) -> LoadedMatch:
    """Return the match that this member wants to watch. Raises Refused.

    Without a number it is the game of this channel, else the last game finished here, preferably of the member.
    """
    services, user, place = context.services, context.user, context.place
    if game is None and not await services.matches.running(place):
        own = await services.history.recent(Search.near(place, member=user), 1)
        last = own or await services.history.recent(Search.near(place), 1)
        game = last[0].id if last else None
    return await services.matches.shown(user, place, game)


async def _source(context: Context, loaded: LoadedMatch) -> ReplaySource:
    """Return a match as the source of a replay that this member sees."""
    offered = await show_rows(context, ShowReplayButton(loaded.id, 0, "whole"))

    def button(to: int, action: str, disabled: bool) -> StepButton:
        return StepButton(loaded.id, to, action, disabled=disabled)

    def below(at: int | None) -> list[ui.ActionRow[Any]]:
        show = (
            ShowReplayButton(loaded.id, 0, "whole")
            if at is None
            else ShowReplayButton(loaded.id, at, "still")
        )
        finished = [RematchButton(loaded.id)] if can_be_played_again(loaded) else []
        review = [ReviewButton(loaded.id)] if loaded.match.over and reviewable(loaded.match) else []
        # Every position of a game without hidden moves can be explored; the animation ends at the last.
        explore = ExploreGameButton(loaded.id, _last(loaded.match) - 1 if at is None else at)
        first = [*review, *([explore] if explorable else []), *finished]
        second = [SaveButton(loaded.id), *([show] if offered else [])]
        # A phone has room for four labels in a row.
        return [ui.ActionRow(*row) for row in (first, second) if row]

    explorable = loaded.match.over and _explorable(loaded.match)
    return replace(await _public_source(context, loaded), button=button, below=below)


def _explorable(match: Match) -> bool:
    """Return True if no moves are hidden in a match."""
    return Match.start(match.game, dict(match.setup.options), match.setup.players).legal() is not None


def _last(match: Match) -> int:
    """Return the number of the last position of a match, 1 at least."""
    return max(1, len(match.log))


async def _public_source(context: Context, loaded: LoadedMatch) -> ReplaySource:
    """Return a match as the source of a replay without controls."""
    stem = f"{loaded.stored.setup.game}-{loaded.id}"
    players = await players_of(loaded, context.ui_services.member_names)
    conditional = [index + 1 for index in loaded.conditional]
    return ReplaySource(loaded.name, stem, loaded.match, None, players=players, conditional=conditional)


class StepButton(IdButton, word="step", label=STEPS):
    """Shows another position of a game, or its animation, in the same message."""

    match: int
    at: int
    action: str

    async def answer(self, context: Context) -> None:
        user, place = context.user, context.place
        loaded = await context.services.matches.shown(user, place, self.match)
        await step(context, await _source(context, loaded), self.at, self.action)


class ShowReplayButton(ShowButton, word="show-step"):
    """Shows to the channel the position after `at` visible moves, or ("whole") the animation of the game."""

    match: int
    at: int
    action: Annotated[str, "still|whole"]

    async def public(self, context: Context, theme: str) -> Content:
        loaded = await context.services.matches.shown(context.user, context.place, self.match)
        source = await _public_source(context, loaded)
        source = replace(source, below=lambda _: [ui.ActionRow(WatchButton(loaded.id))])
        if self.action == "whole":
            return await animation(source, theme, context.ui_services.film_worker, Waiting(context))
        return await position(source, self.at, theme)


class WatchSelect(IdSelect, word="history:watch", placeholder="Watch a game again"):
    """Shows the replay of the chosen game."""

    async def answer(self, context: Context) -> Content:
        return await show_replay(context, int(self.item.values[0]))


class WatchButton(MatchButton, word="watch", label="Replay"):
    """Shows the whole game to the member who presses it."""

    async def answer(self, context: Context) -> Response:
        return await show_replay(context, self.match)


MOST_GAMES = 25
"""The most games in a menu."""

RECORD = "record.json"
"""The file in the message of an imported record; the buttons of the message read it again."""


class SaveButton(MatchButton, word="save", label="Save as a file"):
    """Gives the record of a match, and a second file with its times and its end."""

    async def answer(self, context: Context) -> Content:
        loaded = await context.services.matches.visible(self.match, context.user, context.place)
        files = record_files(loaded, context.user)
        words = (
            f"**{loaded.name}** as a file: `/replay` shows it again with the option `file`, in any server. The second"
            " file says when it was played and how it ended. Neither file names a player."
        )
        return Content(words, files=files)


def record_files(loaded: LoadedMatch, user: DiscordId) -> list[discord.File]:
    """Return the record of a match, and its times and its end as `user` may know them. Raises Refused."""
    stem = f"{loaded.stored.setup.game}-{loaded.id}"
    return [
        _record_file(f"{stem}.json", packed(exported(loaded))),
        _record_file(f"{stem}-about.json", packed(about(loaded, user))),
    ]


async def import_record(context: Context, attachment: discord.Attachment) -> Content:
    """Show this member the game in a record file. Nothing of it is stored."""
    if attachment.size > LARGEST:
        raise too_large(attachment.size)
    match = await context.services.records.read(await attachment.read())
    theme = await context.theme()
    return await animation(source_of(match), theme, context.ui_services.film_worker, Waiting(context))


def source_of(match: Match) -> ReplaySource:
    def button(to: int, action: str, disabled: bool) -> RecordStepButton:
        return RecordStepButton(to, action, disabled=disabled)

    def below(at: int | None) -> list[ui.ActionRow[Any]]:
        if not _explorable(match):
            return []
        return [ui.ActionRow(ExploreRecordButton(_last(match) - 1 if at is None else at))]

    name = f"{match.game.sheet.title}, from a file"
    record = RECORD, packed(write(match))
    return ReplaySource(name, f"{match.setup.game}-record", match, button, record, below=below)


class RecordStepButton(IdButton, word="record", label=STEPS):
    """Shows another position of the record in its message, or its animation."""

    at: int
    action: str

    async def answer(self, context: Context) -> None:
        match = await context.services.records.read(await _attached_record(context))
        await step(context, source_of(match), self.at, self.action)


class ExploreRecordButton(IdButton, word="explore-record", label="Explore"):
    """Explores a position of the record in its message, in a new private message."""

    at: int

    async def answer(self, context: Context) -> Content:
        match = await context.services.records.read(await _attached_record(context))
        name = f"{match.game.sheet.title}, from a file"
        return await explore(context, name, stages(match), self.at)


async def _attached_record(context: Context) -> bytes:
    """Return the record in the message of a button. Raises Refused."""
    message = context.interaction.message
    for component in walk(message.components if message else ()):
        if isinstance(component, discord.FileComponent) and component.name == RECORD:
            # component.media.read() fails: discord.py 2.7 gives media inside a container no connection.
            content: bytes = await context.interaction.client.http.get_from_cdn(component.media.url)
            return content
    raise Refused("The record in this message no longer exists; use `/replay` with its file again.")


def _record_file(name: str, content: bytes) -> discord.File:
    return discord.File(io.BytesIO(content), filename=name)
