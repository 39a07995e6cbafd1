"""Parts of messages: frames, galleries, emojis of games, and pictures of boards with their alt text.

Texts are given as plain strings; an empty string is left out. A posted message works for ever, and discord.py keeps
none of it in memory: its buttons and menus are found by their custom ids (bot.ui.interactions.buttons).
"""

import asyncio
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

import discord
import structlog
from discord import ui

import render
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.mentions import persona_name
from bot.app.tasks.rounds import Rounds
from bot.ui.posts.clients import Clients
from bot.ui.posts.member_names import MemberNames
from bot.ui.posts.requests import retried_if_temporary
from db.values.members import is_person, level_of
from db.values.places import DiscordId, former
from render.board.annotations.candidates import candidates_text
from render.board.phrases import shortened
from render.board.seats import SEAT_MARKS, seat_mark
from render.board.text import ALT_LIMIT
from render.games import HOSTED_GAMES
from render.lessons import several_in_play
from render.marks import mark_png, seat_png
from render.picture import draw_candidates, draw_whole
from rules.core.game import Game, Seat
from rules.core.match import Observation
from rules.games import GAMES
from rules.players.explore import Worth

Part = ui.Item[Any] | str
Rows = list[list[ui.Item[Any]]]
"""Rows of buttons."""


def card(*parts: Part, accent: discord.Colour | None = None) -> ui.LayoutView:
    """Return a message of one framed box that holds these parts; `accent` is the colour of its left edge."""
    return message(ui.Container(*_items(parts), accent_colour=accent))


def message(*parts: Part) -> ui.LayoutView:
    """Return a message of these parts, without a frame."""
    view = ui.LayoutView(timeout=None)
    for item in _items(parts):
        view.add_item(item)
    view.stop()
    return view


def gallery(filename: str, alt: str, *, spoiler: bool = False) -> ui.MediaGallery[Any]:
    """Return a place for the attached picture of this name; its alt text has at most 1,024 characters.

    A `spoiler` is shown only to those who press it.
    """
    picture = discord.MediaGalleryItem(f"attachment://{filename}", description=alt, spoiler=spoiler)
    return ui.MediaGallery(picture)


def items_below(*items: ui.Item[Any]) -> ui.View:
    """Return buttons and menus to be shown below a message of plain text."""
    view = ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


MOST_COMPONENTS = 40
"""Components of a message that Discord allows."""


def fits(rows: Sequence[ui.ActionRow[Any]], beside: int) -> bool:
    """Return True if Discord accepts a message with these rows and so many components `beside` them."""
    return beside + sum(1 + len(row.children) for row in rows) <= MOST_COMPONENTS


def without_surplus(rows: list[ui.ActionRow[Any]], beside: int) -> list[ui.ActionRow[Any]]:
    """Return the rows, without the blank buttons between others if the components would be too many; see `fits`."""
    if fits(rows, beside):
        return rows
    for row in rows:
        for item in row.children:
            if str(getattr(item, "custom_id", "")).startswith("gap:"):
                row.remove_item(item)
    return [row for row in rows if row.children]


def walk(components: Iterable[Any]) -> Iterator[Any]:
    """Yield the components of a message, however deep."""
    for component in components:
        yield component
        yield from walk(getattr(component, "children", ()))
        if (accessory := getattr(component, "accessory", None)) is not None:
            yield accessory


def _items(parts: Iterable[Part]) -> list[ui.Item[Any]]:
    return [ui.TextDisplay(part) if isinstance(part, str) else part for part in parts if part != ""]


log = structlog.get_logger()

_PREFIX = "pencilbox_"
EMOJIS = "emojis"
"""Name of the task whose items are emojis that Discord does not have yet."""
INCOMPLETE, COMPLETE = 15.0, 86_400.0
"""Seconds until Discord is asked again for emojis, while some are missing and after that."""
_ready: dict[str, discord.PartialEmoji] = {}
"""By the name of the image. A process serves one application, whose emojis can be used wherever it can post."""
_images: Mapping[str, Callable[[], bytes]] = {
    **{game.key: partial(mark_png, game.key) for game in HOSTED_GAMES},
    **{f"seat_{seat + 1}": partial(seat_png, seat) for seat in range(len(SEAT_MARKS))},
}
"""The functions that draw the emojis, by the names of the images: the keys of games, and the seats."""


async def load_emojis(clients: Clients, leads: Callable[[], bool], rounds: Rounds) -> float:
    """Look up the emojis of the games and seats, and upload those that Discord does not have.

    Of several processes, only the one that `leads` uploads emojis. Without emojis, games are shown by their titles, and
    seats by characters. Return the seconds until the next call. Raises DISCORD_ERRORS and what `rounds` raises.
    """
    for emoji in await clients.emojis():
        _ready[emoji.name.removeprefix(_PREFIX)] = discord.PartialEmoji(name=emoji.name, id=emoji.id)
    missing = [key for key in _images if key not in _ready]

    async def upload(key: str) -> None:
        image = await asyncio.to_thread(_images[key])
        with retried_if_temporary():
            emoji = await clients.create_emoji(_PREFIX + key, image)
        _ready[key] = discord.PartialEmoji(name=emoji.name, id=emoji.id)

    if leads():
        await rounds.each(EMOJIS, missing, upload)
    if not all(key in _ready for key in _images):
        return INCOMPLETE
    log.debug("emojis.loaded")
    return COMPLETE


def game_emoji(game: str) -> discord.PartialEmoji | None:
    return _ready.get(game)


def seat_token(seat: Seat) -> str:
    """Return the emoji of a seat, which looks as in pictures; a similar character if there is no emoji."""
    emoji = _ready.get(f"seat_{seat + 1}")
    return seat_mark(seat) if emoji is None else str(emoji)


def with_emoji(game: str, title: str) -> str:
    """Return a title with the emoji of its game before it, or the title alone if there is none."""
    emoji = game_emoji(game)
    return title if emoji is None else f"{emoji} {title}"


LONGEST = 100
"""Discord's limit for the description of an option, in characters."""


def game_option(game: Game[Any, Any]) -> discord.SelectOption:
    """Return the option of a game: its emoji if there is one, its title and its pitch."""
    return discord.SelectOption(
        label=game.sheet.title,
        value=game.key,
        description=game.sheet.pitch,
        emoji=game_emoji(game.key),
    )


async def sheet_of_games(games: Collection[str], theme: str) -> discord.File:
    """Return the boards of these games in play on one picture, with their names."""
    picture = await asyncio.to_thread(several_in_play, tuple(games), theme)
    return discord.File(io.BytesIO(picture.png), filename="games.png", description=picture.alt)


def marked_games(games: Iterable[Game[Any, Any]], chosen: Collection[str]) -> list[discord.SelectOption]:
    """Return these games as options of a menu, in which those with these keys are chosen."""
    options = [game_option(game) for game in games]
    for option in options:
        option.description, option.default = None, option.value in chosen
    return options


def members_menu(custom_id: str, nobody: str, chosen: Sequence[DiscordId], most: int) -> ui.UserSelect[Any]:
    """Return a menu of at most `most` members, with those that are chosen now; `nobody` says that there are none."""
    kind = discord.SelectDefaultValueType.user
    users = [discord.SelectDefaultValue(id=user, type=kind) for user in chosen]
    text = f"{nobody}; choose members"
    return ui.UserSelect(
        custom_id=custom_id, placeholder=text, min_values=0, max_values=most, default_values=users
    )


def menu_options(
    labels: Mapping[str, str], chosen: str, descriptions: Mapping[str, str] = MappingProxyType({})
) -> list[discord.SelectOption]:
    """Return the options of a menu, by value, in which the chosen value is marked."""
    return [
        discord.SelectOption(
            label=label, value=value, description=descriptions.get(value), default=value == chosen
        )
        for value, label in labels.items()
    ]


ALL = "-"
"""All games together, in a custom id."""


def game_options(chosen: str | None) -> list[discord.SelectOption]:
    """Return the options of a menu of all games, in which the chosen game is marked; None means all games together."""
    options = [discord.SelectOption(label="All games", value=ALL, default=chosen is None)]
    return options + [
        discord.SelectOption(
            label=game.sheet.title, value=game.key, default=game.key == chosen, emoji=game_emoji(game.key)
        )
        for game in GAMES
    ]


Arguments = ParamSpec("Arguments")
Picture = TypeVar("Picture")

_drawing = ThreadPoolExecutor(1, thread_name_prefix="drawing")
"""One thread, because several drawing threads would only slow each other and the event loop."""


async def chart_file(
    name: str, alt: str, draw: Callable[Arguments, bytes], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> discord.File:
    """Return the picture that `draw` makes of these arguments in a thread, as a file of this name."""
    png = await asyncio.to_thread(draw, *args, **kwargs)
    return discord.File(io.BytesIO(png), filename=name, description=alt)


async def board_picture(
    loaded: LoadedMatch, theme: str, names: MemberNames, parts: Sequence[render.Outline] = ()
) -> discord.File:
    """Return the board as everybody may see it, with `parts` outlined faintly; the last one names the players."""
    players = await players_of(loaded, names)
    return await picture_of(loaded, loaded.observe(None), theme, players=players, parts=parts)


async def picture_of(
    loaded: LoadedMatch,
    observation: Observation,
    theme: str,
    rejected: render.RejectedMove | render.RejectedMoves | None = None,
    advice: render.Advice | None = None,
    players: Sequence[render.Player] = (),
    parts: Sequence[render.Outline] = (),
) -> discord.File:
    """Return the picture of an observation of a match, with rejected moves or the advice marked on it.

    `players` are known players; without any, the picture marks the seats of computer players. `parts` of the board are
    outlined faintly.

    A thread draws it, since that takes milliseconds.
    """
    players = players or computer_seats(loaded)
    png = await drawn(render.draw, observation, theme, rejected, players, advice, parts)
    marks = "-refused" if rejected is not None else "-hint" if advice is not None else ""
    name = filename(loaded).replace(".png", f"{marks}.png")
    return discord.File(
        io.BytesIO(png), filename=name, description=render.alt(observation, rejected=rejected, advice=advice)
    )


async def whole_picture(loaded: LoadedMatch, observation: Observation, theme: str) -> discord.File:
    """Return the whole board with everything on it, which the usual picture may leave out."""
    png = await drawn(draw_whole, observation, theme)
    name = filename(loaded).replace(".png", "-whole.png")
    return discord.File(io.BytesIO(png), filename=name, description=render.alt(observation))


async def position_picture(
    seen: Observation,
    theme: str,
    name: str,
    *,
    players: Sequence[render.Player] = (),
    advice: render.Advice | None = None,
    worths: Sequence[Worth] = (),
) -> discord.File:
    """Return the picture of a position of no running match, with an advice or the worth of moves marked on it."""
    png = await drawn(render.draw, seen, theme, players=players, advice=advice, worths=worths)
    return discord.File(io.BytesIO(png), filename=name, description=render.alt(seen, advice=advice))


async def candidates_picture(
    loaded: LoadedMatch, seat: Seat, theme: str, candidates: render.Candidates
) -> discord.File:
    """Return the board as `seat` may see it, with candidates for a move marked on it."""
    observation = loaded.observe(seat)
    png = await drawn(draw_candidates, observation, candidates, theme)
    name = filename(loaded).replace(".png", "-choose.png")
    words = f"{candidates_text(candidates)} {render.alt(observation)}"
    return discord.File(io.BytesIO(png), filename=name, description=shortened(words, ALT_LIMIT))


async def drawn(
    draw: Callable[Arguments, Picture], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Picture:
    """Return the picture that `draw` makes of these arguments."""
    work = partial(copy_context().run, draw, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_drawing, work)


async def players_of(loaded: LoadedMatch, names: MemberNames) -> tuple[render.Player, ...]:
    """Return the players of a match with their names; before its end only the computer players.

    A member who chose not to be listed has no name in pictures.
    """
    computers = computer_seats(loaded)
    if not loaded.match.over:
        return computers
    users = [user for user in loaded.stored.users if is_person(user) and not former(user)]
    known = await names.of(loaded.stored.place.guild, users)
    people = (
        render.Player(seat, name)
        for seat, user in enumerate(loaded.stored.users)
        if (name := render.short_name(known.get(user, ())))
    )
    return (*computers, *people)


def computer_seats(loaded: LoadedMatch) -> tuple[render.Player, ...]:
    return tuple(
        render.Player(seat, persona_name(user) or "", level)
        for seat, user in enumerate(loaded.stored.users)
        if (level := level_of(user)) is not None
    )


def visible_rejection(refusal: IllegalMove) -> render.RejectedMove | None:
    """Return the parts of an illegal move that its player's view of the board can mark, or None."""
    observation = refusal.loaded.observe(refusal.seat)
    return render.visible_part(observation, render.RejectedMove(refusal.move, refusal.marks))


async def rejection_picture(refusal: IllegalMove | None, theme: str) -> discord.File | None:
    """Return the board with an illegal move marked on it, as its player may see it.

    Return None without a refusal, and if no part of the move can be marked.
    """
    if refusal is None or (rejected := visible_rejection(refusal)) is None:
        return None
    return await picture_of(refusal.loaded, refusal.loaded.observe(refusal.seat), theme, rejected)


def filename(loaded: LoadedMatch) -> str:
    """Return the name of the picture of a match's newest public position."""
    return f"{loaded.stored.setup.game}-{loaded.id}-{loaded.shown}.png"
