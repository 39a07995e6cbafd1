"""The panel of a match: picture, what happened, whose turn it is, and the controls."""

import re
from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

import render
from bot.app.awards import Won
from bot.app.matches.table import Table
from bot.app.mentions import capital
from bot.ui.challenges.rematches import RematchButton
from bot.ui.kit.layout import card, gallery
from bot.ui.kit.mentions import player_label
from bot.ui.kit.pictures import GALLERY_ALT, filename
from bot.ui.matches.clock_lines import clock_lines, together
from bot.ui.matches.controls import controls, secret_controls
from bot.ui.replay.replay import WatchButton
from bot.ui.rules import seal_lines
from bot.ui.standings.achievements import award_lines
from bot.ui.standings.ratings import rating_lines
from db.api.places import former
from db.api.ratings import Change
from render.board.outcome import early_ending, is_draw
from render.engine.theme import SEATS, THEMES
from rules.core.game import Seat
from rules.core.match import HIDDEN, Observation

_BUTTON = re.compile(r"(?:type|hand):(?P<match>[0-9]+):(?P<plies>[0-9]+)")
"""One of these is under every live board."""


def panel(
    table: Table,
    theme: str,
    *,
    live: bool,
    by_itself: int = 0,
    awards: Sequence[Won] = (),
    changes: Sequence[Change] = (),
) -> ui.LayoutView:
    """The panel as a message; `live` panels carry the controls. The picture's file goes beside it.

    `by_itself` is how many of the last entries played themselves, `awards` what the game has earned its players, and
    `changes` what it has done to their ratings.
    """
    seen = table.match.observe(None)
    lines = [*_words(table, seen, by_itself), *rating_lines(table, changes), *award_lines(awards)]
    return card(
        f"### {_title(table)}\n{players(table)}",
        gallery(filename(table), render.alt(seen, GALLERY_ALT)),
        "\n".join(lines),
        *(_controls(table) if live else []),
        accent=_accent(seen, theme),
    )


def shown_by(message: discord.Message) -> tuple[int, int] | None:
    """The match whose live board a message is, and how far it was then, which stands on its buttons."""
    if not message.flags.components_v2:
        return None
    for item in ui.LayoutView.from_message(message).walk_children():
        if found := _BUTTON.fullmatch(str(getattr(item, "custom_id", ""))):
            return int(found["match"]), int(found["plies"])
    return None


def _title(table: Table) -> str:
    return table.name if table.stored.rated else f"{table.name} · casual"


def players(table: Table) -> str:
    """Who plays, by seat."""
    match = table.match
    named = [player_label(table, seat) for seat in range(match.setup.players)]
    if match.setup.players > 2:
        # Of two one leaves at the end, which the result says; of more, the others play on without them.
        named = [name if seat in match.playing else f"{name} (has left)" for seat, name in enumerate(named)]
    return capital(" against ".join(named))


def _words(table: Table, seen: Observation, by_itself: int) -> list[str]:
    words = []
    if table.taken_back:
        words.append(f"By agreement the game goes on from {_moment(seen)}.")
    for ago in range(by_itself, -1, -1):
        then = table.back_to(table.plies - ago).match.observe(None) if ago else seen
        words += map(capital, _happened(table, then, alone=ago < by_itself))
    if seen.winners is not None:
        words.append(f"**{result(table, seen)}**")
    elif table.secret:
        names = " and ".join(player_label(table, seat) for seat in seen.to_move)
        words.append(f"**{names}, your turn**, unseen by anybody else.")
    else:
        words += [f"**{player_label(table, seat)}, your turn.** {_ask(table, seat)}" for seat in seen.to_move]
    return [*words, *clock_lines(table), *seal_lines(table)]


def _happened(table: Table, seen: Observation, *, alone: bool) -> list[str]:
    """What was the last thing to happen; `alone` says that it happened by itself."""
    if seen.last is None:
        return []
    if seen.agreed and together(table):
        return ["Time ran out for everybody at the same moment."]
    if seen.last.seat is None:
        return [f"{render.caption(seen)}."]
    if alone:
        return [
            f"{player_label(table, seen.last.seat)} had one legal move, which played itself: {render.caption(seen)}."
        ]
    log = table.match.log
    if seen.last == log[-1] and len(log) - 1 in table.match.secrets:
        # A game that is over tells what ended it; its picture shows that better.
        return [f"{player_label(table, seen.last.seat)} is ready."]
    return [f"{player_label(table, seen.last.seat)} {_deed(seen)}"]


def _moment(seen: Observation) -> str:
    return f"move {seen.plies}" if seen.plies else "its start"


def _ask(table: Table, seat: Seat | None) -> str:
    prompt = table.match.observe(seat).prompt
    return prompt.ask if prompt else ""


def _deed(seen: Observation) -> str:
    assert seen.last is not None
    match seen.last.text:
        case "resign":
            return "resigned."
        case "timeout":
            return "ran out of time."
        case text if text == HIDDEN:
            return "is ready."
        case _:
            return f"played {render.caption(seen)}."


def result(table: Table, seen: Observation) -> str:
    """How a match that is over ended."""
    assert seen.winners is not None
    if table.stored.void is not None or not seen.winners:
        reason = discord.utils.escape_markdown(table.stored.void or "no reason was given").rstrip(".")
        if seen.winners:
            return f"A moderator took this result back: {reason}. It counts for nobody."
        return f"A moderator ended this game: {reason}. Nobody wins."
    score = "" if seen.scores is None else f" {' : '.join(str(points) for points in seen.scores)}"
    names = " and ".join(player_label(table, seat) for seat in seen.winners)
    if len(seen.winners) == 1:
        how = early_ending(seen)
        return capital(f"{names} wins{score}{f' {how}' if how else ''}.")
    return f"A draw{score}: {names} share it." if is_draw(seen) else capital(f"{names} share the win{score}.")


def _controls(table: Table) -> list[ui.ActionRow[Any]]:
    if table.match.over:
        again = [] if any(map(former, table.stored.users)) else [RematchButton(table.id)]
        return [ui.ActionRow(WatchButton(table.id), *again)]
    if table.secret:
        return [secret_controls(table)]
    seat = next(iter(table.match.to_move), None)
    prompt = None if seat is None else table.match.observe(seat).prompt
    return [] if prompt is None or seat is None else controls(prompt, table, seat)


def _accent(seen: Observation, theme: str) -> discord.Colour | None:
    """The colour of the seat that is on turn or has won, if it is one."""
    seats = seen.to_move if seen.winners is None else seen.winners
    seat = seats[0] if len(seats) == 1 else None
    return None if seat is None else discord.Colour.from_rgb(*THEMES[theme].rgb(SEATS[seat]))
