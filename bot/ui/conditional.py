"""The private board on which a player enters answers to moves that others have not made yet."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.app.conditional import LONGEST, MOST, ForeseenMove, Foresight, Moves
from bot.app.matches.loaded import IllegalMove
from bot.ui.components.message_parts import (
    picture_of,
    rejection_picture,
    seat_token,
    with_emoji,
    without_surplus,
)
from bot.ui.components.wording import player_label
from bot.ui.interactions.buttons import IdButton, IdSelect, MatchButton, TwoDigits
from bot.ui.interactions.reply import Content, Context, change, pictured
from bot.ui.moves.controls import controls
from bot.ui.moves.exercises import ExerciseTarget
from bot.ui.moves.play import Controls, TypeButton, action_rows, conditional_name, dropped_sentence
from render.board.phrases import shortened
from rules.core.game import Seat
from rules.core.notation import joined

LABEL = "Conditional moves"

GO_LABELS = {"back": "Back", "start": "From the start", "here": "Back to the board"}
"""The labels of the buttons that lead to other positions, by action."""
UNANSWERED = ": no answer yet."
"""The end of the words for moves to which the member has entered no answer."""
BESIDE_ROWS = 5
"""Components of the private board beside its rows."""
LONGEST_LIST = 2500
"""Characters of the list of all variations; all texts of a message have at most 4,000."""
LONGEST_OPTION = 100
"""Characters that Discord allows for the label of an option."""


class ConditionalButton(MatchButton, word="conditional", label=LABEL):
    """Opens the private board for conditional moves."""

    async def answer(self, context: Context) -> Content:
        service = context.services.conditional_moves
        found = await service.look(self.match, context.user)
        dropped = service.tell_dropped(self.match, context.user)
        return await conditional_message(context, found, dropped_sentence(found.loaded) if dropped else "")


class ConditionalTarget(ExerciseTarget[ForeseenMove], word="if"):
    """The position after the first `length` moves of a variation in a match, for the member who foresees it."""

    def __init__(self, match: int, number: int, length: int) -> None:
        self.foreseen_in, self.number, self.length = match, number, length
        self.prefix = f"if:{match}:{number}:{length}:"

    @classmethod
    def named(cls, *words: str) -> "ConditionalTarget":
        match, number, length = map(int, words)
        return cls(match, number, length)

    async def check_visible(self, context: Context) -> None:
        await context.services.matches.check_visible(self.foreseen_in, context.user, context.place)

    async def matches(self, context: Context) -> ForeseenMove:
        return await context.services.conditional_moves.entering(
            self.foreseen_in, context.user, self.number, self.length
        )

    async def judged(self, context: Context, exercise: ForeseenMove) -> Content:
        if exercise.refusal is not None:
            return await conditional_message(context, exercise.foresight, refusal=exercise.refusal)
        return await conditional_message(context, await context.services.conditional_moves.enter(exercise))

    async def asked(self, context: Context, exercise: ForeseenMove, controls: Controls) -> Content:
        return await _choosing(context, exercise.foresight, controls)

    async def unchanged(self, context: Context, exercise: ForeseenMove, refusal: str) -> Content:
        return await conditional_message(context, exercise.foresight, refusal)


class ConditionalGoButton(IdButton, word="if-go", label=GO_LABELS):
    """Shows the position after the first `length` moves of a variation, in the same message."""

    match: int
    number: int
    length: TwoDigits
    action: str

    async def answer(self, context: Context) -> None:
        service = context.services.conditional_moves
        await _show(context, await service.look(self.match, context.user, self.number, self.length))


class RemoveVariationSelect(IdSelect, word="if-remove", placeholder="Remove one…"):
    """Removes a variation of the member."""

    match: int

    async def answer(self, context: Context) -> None:
        service = context.services.conditional_moves
        await _show(context, await service.remove(self.match, context.user, int(self.item.values[0])))


class ClearVariationsButton(MatchButton, word="if-clear", label="Remove all"):
    """Removes all variations of the member in a match."""

    async def answer(self, context: Context) -> None:
        await _show(context, await context.services.conditional_moves.clear(self.match, context.user))


async def _show(context: Context, foresight: Foresight) -> None:
    await change(context, await conditional_message(context, foresight))


async def conditional_message(
    context: Context, foresight: Foresight, note: str = "", *, refusal: IllegalMove | None = None
) -> Content:
    """Return the private board: a foreseen position with the controls for its next move, and the list of all.

    `note` is a sentence above the controls. With a `refusal`, its sentence is shown, and the illegal move is marked.
    """
    theme, ahead, match = await context.theme(), foresight.ahead, foresight.loaded.id
    entering = _controls(foresight)
    if entering is not None:
        picture = await rejection_picture(refusal, theme) or await entering.picture(theme)
    else:
        picture = await picture_of(ahead, ahead.match.observe(foresight.seat), theme)
    buttons: list[ui.Item[Any]] = [] if entering is None else [TypeButton(_target(foresight), ahead.shown)]
    if foresight.moves:
        before = len(foresight.before)
        buttons.append(ConditionalGoButton(match, foresight.number if before else 0, before, "back"))
        buttons += [ConditionalGoButton(match, 0, 0, "start")] if before else []
    rows = [] if entering is None else action_rows(entering.rows)
    rows += [ui.ActionRow(*buttons, *([ClearVariationsButton(match)] if foresight.variations else []))]
    if foresight.variations:
        rows.append(ui.ActionRow(RemoveVariationSelect(match, options=_options(foresight))))
    said = note if refusal is None else str(refusal)
    explained = "" if entering is None else entering.text.strip()
    text = _lines(f"> {said}" if said else "", _ask(foresight), explained)
    return _message(foresight, picture, _lines(*_list(foresight)), text, rows)


async def _choosing(context: Context, foresight: Foresight, controls: Controls) -> Content:
    """Return the private board on which the member has begun to enter a move that takes several presses."""
    picture = await controls.picture(await context.theme())
    here = ConditionalGoButton(foresight.loaded.id, foresight.number, len(foresight.moves), "here")
    rows = [
        *action_rows(controls.rows),
        ui.ActionRow(here, TypeButton(_target(foresight), foresight.ahead.shown)),
    ]
    return _message(foresight, picture, "", _lines(_ask(foresight), controls.text.strip()), rows)


def _message(
    foresight: Foresight, picture: discord.File, known: str, text: str, rows: Sequence[ui.ActionRow[Any]]
) -> Content:
    loaded = foresight.loaded
    titled = with_emoji(loaded.match.game.key, f"{loaded.name}: conditional moves")
    heading = (
        f"### {titled}\n-# Only you see this. When the others move as you foresee, your answer is played at once."
        " A takeback or another move removes what no longer fits."
    )
    rows = without_surplus([*rows], BESIDE_ROWS)
    return pictured(heading, picture, known, text, *rows, name=conditional_name(loaded.id))


def _controls(foresight: Foresight) -> Controls | None:
    """Return the controls for the next move of a foreseen position, or None if no further move can be entered."""
    if not foresight.open:
        return None
    ahead = foresight.ahead
    mover = ahead.match.to_move[0]
    prompt = ahead.match.observe(mover).prompt
    assert mover is not None
    return None if prompt is None else controls(prompt, _target(foresight), ahead, mover)


def _target(foresight: Foresight) -> ConditionalTarget:
    return ConditionalTarget(foresight.loaded.id, foresight.number, len(foresight.moves))


def _ask(foresight: Foresight) -> str:
    """Return the moves to a foreseen position, and what the member is to enter there."""
    ahead, so_far = foresight.ahead, spelled(foresight, foresight.moves)
    if ahead.match.over:
        return f"{so_far} The game would be over then."
    if not foresight.open:
        return f"{so_far} A variation has at most {LONGEST} moves."
    mover = ahead.match.to_move[0]
    unanswered = so_far.endswith(UNANSWERED)
    so_far = so_far.removesuffix(UNANSWERED)
    if mover == foresight.seat:
        return f"{so_far}, **then you play …** Choose your answer {seat_token(foresight.seat)}."
    begins = f"{so_far} **and**" if unanswered else f"{so_far} **If**".strip()
    return f"{begins} {player_label(ahead, mover)} **plays …** Choose that move."


def _list(foresight: Foresight) -> list[str]:
    """Return the heading of the list of all variations, and a line for each."""
    if not foresight.variations:
        return ["-# You have entered no conditional moves in this game."]
    lines, room = (
        [f"**Your conditional moves** ({len(foresight.variations)} of at most {MOST})"],
        LONGEST_LIST,
    )
    for number, it in enumerate(foresight.variations, 1):
        line = f"{number}. {spelled(foresight, it.moves)}"
        room -= len(line)
        if room < 0:
            return [*lines, f"-# The menu below names {len(foresight.variations) - number + 1} more."]
        lines.append(line)
    return lines


def _options(foresight: Foresight) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=shortened(f"{number}: {', '.join(it.moves)}", LONGEST_OPTION), value=str(it.id)
        )
        for number, it in enumerate(foresight.variations, 1)
    ]


def spelled(foresight: Foresight, moves: Moves) -> str:
    """Return moves as sentences, such as "If `c3`, then `d4`. If `e5`: no answer yet."; "" if there are none."""
    runs: list[tuple[bool, list[str]]] = []
    for mover, text in zip(foresight.movers(moves), moves, strict=True):
        own = mover == foresight.seat
        if not runs or runs[-1][0] != own:
            runs.append((own, []))
        runs[-1][1].append(_move(foresight, mover, text))
    said = ""
    for own, texts in runs:
        said += f", then {joined(texts)}." if own else f" If {joined(texts)}"
    if runs and not runs[-1][0]:
        said += UNANSWERED
    return said.strip()


def _move(foresight: Foresight, mover: Seat | None, text: str) -> str:
    """Return a move, with the mark of its seat where several others could make it."""
    several = foresight.loaded.match.setup.players > 2 and mover is not None and mover != foresight.seat
    return f"{seat_token(mover)} `{text}`" if several and mover is not None else f"`{text}`"


def _lines(*lines: str) -> str:
    return "\n".join(filter(None, lines))
