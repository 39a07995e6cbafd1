"""Choices that are suggested while a member types an option of a slash command."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any, TypeVar

import structlog
from discord import app_commands

from bot.app.clocks.time_controls import COMMON_TIME_CONTROLS, read_time_control, spell_time_control
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, name_of
from bot.ui.interactions.reply import Interaction, context_of, suggest
from bot.ui.moves.controls import effects, try_moves
from bot.ui.posts.answers import in_time
from db.values.failures import StoreFailed
from db.values.matches import FinishedMatch, Outcome, Search
from render.games import HOSTED_GAMES
from rules.core.errors import RuleError
from rules.core.game import Game, Seat
from rules.core.match import Match
from rules.core.sizes import spell, ways
from rules.games import BY_KEY, GAMES, SIZE_NAMES

log = structlog.get_logger()

T = TypeVar("T", str, int)

MOST = 25
"""Choices that Discord allows."""
MOST_PER_GAME = 8
"""Choices per game if several games wait for the member."""
LONGEST = 100
"""Characters that Discord allows for the name of a choice."""
MOST_DESCRIBED = 300
"""Number of legal moves above which finding the effect of each move takes too long."""
RECENT = 50
"""Finished games that are searched for the typed text."""

_PARTS = re.compile(r"[a-z]+|[0-9]+")
_TURNED = re.compile(r"(?<![a-z0-9])([0-9]+) ?([a-z])(?![a-z])")
_MATCH_PREFIX = re.compile(r"#(?P<match>[0-9]{1,9})\s*")

RESULT_WORDS = {Outcome.WON: "won", Outcome.DRAWN: "drew", Outcome.LOST: "lost"}


def game_choice(game: Game[Any, Any]) -> app_commands.Choice[str]:
    """Return a game as a choice that is found by its title, and by its short name."""
    title, name = game.sheet.title, game.sheet.name
    return app_commands.Choice(name=title if name in title else f"{name}: {title}", value=game.key)


HOSTED_CHOICES = [game_choice(game) for game in HOSTED_GAMES]
"""The games that can be played."""

ALL_CHOICES = [game_choice(game) for game in GAMES]
"""The games whose rules can be read."""

TextChoices = list[app_commands.Choice[str]]
NumberChoices = list[app_commands.Choice[int]]


def _suggesting(
    find: Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[T]]]],
) -> Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[T]]]]:
    """Return a completion that answers with the suggestions of `find`, with none if the database fails."""

    @wraps(find)
    async def complete(interaction: Interaction, typed: str) -> list[app_commands.Choice[T]]:
        try:
            choices = await in_time(find(interaction, typed))
        except StoreFailed as error:
            log.warning("autocomplete.failed", error=error.cause)
            choices = []
        await suggest(interaction, choices)
        return []

    return complete


@_suggesting
async def sizes(interaction: Interaction, typed: str) -> TextChoices:
    """Suggest the named sizes of the chosen game, or say how other sizes are written."""
    game = BY_KEY.get(interaction.namespace.game or "")
    if game is None:
        return [app_commands.Choice(name=name, value=name) for name in SIZE_NAMES]
    named = [
        app_commands.Choice(name=spell(game, size), value=name)
        for name, size in game.sizes.items()
        if typed.lower() in name
    ]
    return named or [app_commands.Choice(name=f"{typed} ({ways(game)})"[:100], value=typed[:100])]


@_suggesting
async def clocks(interaction: Interaction, typed: str) -> TextChoices:
    """Suggest some time controls, or say what the typed one means."""
    known = [
        app_commands.Choice(name=spell_time_control(read_time_control(text)), value=text)
        for text in COMMON_TIME_CONTROLS
    ]
    plain = typed.lower()
    fitting = [it for it in known if it.name.startswith(plain) or it.value.startswith(plain)]
    if fitting:
        return fitting
    try:
        return [app_commands.Choice(name=spell_time_control(read_time_control(typed)), value=typed[:50])]
    except Refused:
        return [
            app_commands.Choice(name=f"{typed[:50]} (write it like 24h, 3d or 15m+10s)", value=typed[:50])
        ]


@_suggesting
async def running_games(interaction: Interaction, typed: str) -> NumberChoices:
    """Suggest running games: the member's, those of this channel first, and then those of others in this channel."""
    context = context_of(interaction)
    place, matches = context.place, context.services.matches
    mine, archived = await matches.by_hand(context.user)
    mine.sort(key=lambda match: match.stored.place.channel != place.channel)
    found = {
        it.id: it.name if it.stored.place.channel == place.channel else f"{it.name}, in another channel"
        for it in (*mine, *archived)
    }
    return _fitting((found | dict(await matches.running(place))).items(), typed)


@_suggesting
async def watchable_games(interaction: Interaction, typed: str) -> NumberChoices:
    """Suggest games to watch: those that are played in this channel, then those that were finished near here."""
    context = context_of(interaction)
    place, user, plain = context.place, context.user, typed.strip().lower()
    found = dict(await context.services.matches.running(place))
    keys = [game.key for game in GAMES if plain and plain in game.sheet.title.lower()]
    search = Search.near(place, keys[0] if len(keys) == 1 else None)
    found |= {
        match.id: _finished(match, user)
        for match in await context.services.store.history.last(search, RECENT)
    }
    if plain.isdecimal() and len(plain) < 10 and int(plain) not in found:
        with suppress(Refused):
            stored = (await context.services.matches.shown(user, place, int(plain))).stored
            at, game = stored.finished_at or stored.started_at, stored.setup.game
            found[stored.id] = _finished(
                FinishedMatch(stored.id, game, at, stored.users, stored.outcomes), user
            )
    return _fitting(found.items(), typed)


@_suggesting
async def my_finished_games(interaction: Interaction, typed: str) -> NumberChoices:
    """Suggest the games that the member has finished here, the newest first."""
    context = context_of(interaction)
    place, user = context.place, context.user
    finished = await context.services.store.history.last(Search.near(place, None, user), RECENT)
    return _fitting([(match.id, _finished(match, user)) for match in finished], typed)


@_suggesting
async def moves(interaction: Interaction, typed: str) -> TextChoices:
    """Suggest legal moves that match the typed text, each with its effect, in the games that wait for the member."""
    context = context_of(interaction)
    user = context.user
    prefix = _MATCH_PREFIX.match(typed)
    given = interaction.namespace.number
    named = int(prefix["match"]) if prefix else given if isinstance(given, int) else None
    here = [] if named else await context.services.matches.playable(user, context.place.channel)
    fitting = [named] if named else [match.id for match in here if user in match.waiting_for]
    rest = typed[prefix.end() :] if prefix else typed
    several = len(fitting) > 1
    each = MOST_PER_GAME if several else MOST
    # Only the games whose moves are suggested are read completely.
    read = [await context.services.matches.stored(match) for match in fitting[: MOST // each]]
    matches = [
        (loaded, loaded.seat_of(user)) for loaded in read if loaded is not None and user in loaded.waiting_for
    ]
    offers = [
        await asyncio.to_thread(_offers, loaded, seat, rest, each)
        for loaded, seat in matches
        if seat is not None
    ]
    # Where several games wait, each choice begins with the number of its game, which `/move` reads.
    return [
        app_commands.Choice(
            name=_cut(f"{name} in {loaded.name}" if several else name),
            value=f"#{loaded.id} {text}" if several or prefix else text,
        )
        for (loaded, _), found in zip(matches, offers, strict=True)
        for name, text in found
    ]


def _offers(loaded: LoadedMatch, seat: Seat, typed: str, most: int) -> list[tuple[str, str]]:
    """Return suggested moves as pairs of name and text; none where moves are secret."""
    texts = matching_moves(loaded.match, seat, typed, most)
    if len(loaded.match.legal() or ()) > MOST_DESCRIBED:
        return [(text, text) for text in texts]
    told = effects(try_moves(loaded.match, seat, texts))
    return [(f"{text}, {effect}" if effect else text, text) for text, effect in zip(texts, told, strict=True)]


def matching_moves(match: Match, seat: Seat, typed: str, most: int) -> list[str]:
    """Return at most `most` legal moves that match what `seat` has typed.

    First comes the move that the text already means, then the moves that begin with it, then those that contain it. The
    text is read as freely as a move: `C 3`, `c3` and `3c` find c3; `17-` finds moves from 17, but none from 170.
    """
    legal = match.legal() or ()
    if not typed.strip():
        return list(legal[:most])
    plain = _TURNED.sub(r"\2\1", typed.lower())
    typed_parts = [part for part in _PARTS.findall(plain) if part != "to"]
    ended = bool(typed_parts) and not plain.rstrip().endswith(typed_parts[-1])
    matched = [(_index(_PARTS.findall(text), typed_parts, ended), text) for text in legal]
    beginning = [text for index, text in matched if index == 0]
    inside = [text for index, text in matched if index is not None and index > 0]
    return list(dict.fromkeys([*_meant(match, seat, typed), *beginning, *inside]))[:most]


def _index(parts: Sequence[str], typed_parts: Sequence[str], ended: bool) -> int | None:
    """Return the index at which the typed parts occur in a move; the last may be incomplete unless it `ended`."""
    if not typed_parts:
        return None
    *before, last = typed_parts
    for start in range(len(parts) - len(before)):
        final = parts[start + len(before)]
        if list(parts[start : start + len(before)]) == before and (
            final == last if ended else final.startswith(last)
        ):
            return start
    return None


def _meant(match: Match, seat: Seat, typed: str) -> Iterable[str]:
    """Return the move that the text already means, if it is legal."""
    try:
        text = match.play(seat, typed).log[-1].text
    except RuleError:
        return []
    return [text] if text in (match.legal() or ()) else []


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _finished(match: FinishedMatch, user: int) -> str:
    """Return a match by its name, the day on which it ended, and its result for this member."""
    name = name_of(match.game, match.id)
    if match.outcomes is None:
        return name
    seat = match.users.index(user) if user in match.users else None
    own = "" if seat is None else f", you {RESULT_WORDS[match.outcomes[seat]]}"
    return f"{name} · {match.finished_at:%Y-%m-%d}{own}"


def _fitting(named: Iterable[tuple[int, str]], typed: str) -> NumberChoices:
    """Return games, given by number and name, whose names contain the typed text."""
    plain = typed.strip().lower()
    fitting = [(number, name) for number, name in named if plain in name.lower()]
    return [app_commands.Choice(name=name, value=number) for number, name in fitting[:MOST]]
