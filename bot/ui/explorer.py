"""The explorer: a position in a private message, with the worth of every legal move in the picture and in words."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.app.errors import Refused
from bot.app.review.explorer import Exploration
from bot.ui.components.message_parts import Rows, position_picture, seat_token, with_emoji
from bot.ui.evaluations import percent
from bot.ui.interactions.buttons import Form, FormButton, IdButton, PersistentItem
from bot.ui.interactions.reply import Content, Context, change, pictured
from bot.ui.interactions.waiting import Waiting
from bot.ui.moves.play import PUZZLE_NAME, Target, TypeForm, action_rows
from render.board.annotations.verdicts import KINDS, kind
from render.board.phrases import counted
from rules.core.match import Match
from rules.players.explore import Worth
from rules.players.review import stages

LABEL = "Explore"
"""The label of the buttons that begin an exploration."""
ON_BUTTONS = 20
"""The most moves that have a button each; more moves are in menus."""
ACROSS, IN_MENU, MOST_MENUS = 5, 25, 4
"""Buttons in a row, moves in a menu, and menus in the message."""
LONGEST_LIST = 400
"""Characters of the list of moves of one kind."""

SIGNS: dict[float | None, tuple[str, ButtonStyle]] = {
    1.0: ("✓", ButtonStyle.success),
    0.5: ("=", ButtonStyle.secondary),
    0.0: ("✗", ButtonStyle.danger),
    None: ("?", ButtonStyle.primary),
}
"""The sign and the style of a button by the kind of the worth of its move, as in `KINDS`."""

GO_LABELS = {"first": "First", "back": "Back", "forward": "Forward"}
"""The labels of the buttons that go along the path, by action."""


class ExploreGameButton(IdButton, word="explore", label=LABEL):
    """Explores the position after `at` moves of a finished match, in a new private message."""

    match: int
    at: int

    async def answer(self, context: Context) -> Content:
        loaded = await context.services.matches.shown(context.user, context.place, self.match)
        async with Waiting(context).telling(_waiting):
            found = await context.services.explorer.begin_in(context.user, loaded, self.at)
        return await exploration_message(found, await context.theme())


class ExploreButton(
    PersistentItem[ui.Button[Any]],
    template=(
        rf"explore-(?P<what>line:[0-9]+|step:[a-z][a-z0-9]*:[0-9]{{1,2}}|puzzle:{PUZZLE_NAME}:[0-9]{{1,2}})"
    ),
):
    """Explores a position of a line, of a step of a lesson, or of a completed puzzle, in a new private message."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(ui.Button(label=LABEL, custom_id=f"explore-{what}"))

    async def answer(self, context: Context) -> Content:
        services, user = context.services, context.user
        path: Sequence[Match]
        word, of, *number = self.what.split(":")
        if word == "line":
            line = services.lines.find(int(of), user)
            path = stages(line.match)
            return await explore(context, line.name, path, len(path) - 1)
        if word == "step":
            exercise = await services.lessons.exercise(user, of, int(number[0]))
            path = stages(exercise.match)[len(exercise.start.log) :]
            return await explore(context, exercise.step.heading, path, len(path) - 1)
        standing = await services.puzzles.ended(user, of, context.place)
        path = [standing.at(plies).match for plies in range(len(standing.puzzle.line) + 1)]
        return await explore(context, "the puzzle", path, int(number[0]))


async def explore(context: Context, name: str, path: Sequence[Match], at: int) -> Content:
    """Explore a position on a path in a new private message."""
    async with Waiting(context).telling(_waiting):
        found = await context.services.explorer.begin(context.user, name, path, at)
    return await exploration_message(found, await context.theme())


def _waiting(_done: int, _of: int) -> str:
    return "Judging every move of this position."


class ExplorerTarget(Target):
    """An exploration in which a member enters moves."""

    def __init__(self, number: int) -> None:
        self.number = number

    async def play(self, context: Context, text: str, plies: int) -> None:
        """Play a move. `plies` is the index of the position on the path."""
        await _show(context, await context.services.explorer.play(self.number, context.user, plies, text))


class ExploreMoveButton(
    PersistentItem[ui.Button[Any]],
    template=r"explored:(?P<number>[0-9]+):(?P<at>[0-9]+):(?P<text>.{1,60})",
):
    """Plays a move in an exploration; its label says what the move is worth."""

    def __init__(self, number: int, at: int, text: str, worth: Worth | None = None) -> None:
        self.number, self.at, self.text = number, at, text
        sign, style = SIGNS[None if worth is None else kind(worth)]
        label = text if worth is None else f"{sign} {text}{_detail(worth)}"
        super().__init__(ui.Button(label=label, style=style, custom_id=f"explored:{number}:{at}:{text}"))

    async def answer(self, context: Context) -> None:
        await ExplorerTarget(self.number).play(context, self.text, self.at)


class ExploreSelect(
    PersistentItem[ui.Select[Any]],
    template=r"explored-pick:(?P<number>[0-9]+):(?P<at>[0-9]+):(?P<menu>[0-9])",
):
    """Plays one of up to 25 moves in an exploration. The first menu has the best moves."""

    def __init__(self, number: int, at: int, menu: int, worths: Sequence[Worth] = ()) -> None:
        self.number, self.at, self.menu = number, at, menu
        options = [
            discord.SelectOption(
                label=f"{SIGNS[kind(it)][0]} {it.move}", value=it.move, description=_sentence(it)
            )
            for it in worths
        ]
        first = menu * IN_MENU + 1
        holder = f"Moves {first} to {first + len(worths) - 1}, the best first"
        super().__init__(
            ui.Select(custom_id=f"explored-pick:{number}:{at}:{menu}", placeholder=holder, options=options)
        )

    async def answer(self, context: Context) -> None:
        await ExplorerTarget(self.number).play(context, self.item.values[0], self.at)


class ExploreGoButton(IdButton, word="explored-go", label=GO_LABELS):
    """Goes to another position on the path of an exploration."""

    number: int
    to: int
    action: str

    async def answer(self, context: Context) -> None:
        await _show(context, await context.services.explorer.go(self.number, context.user, self.to))


class ExploreTypeButton(FormButton, word="explored-type", label="Type a move"):
    """Opens the form for a move in an exploration."""

    number: int
    at: int

    async def form(self, context: Context) -> Form:
        found = context.services.explorer.find(self.number, context.user)
        seat = found.match.to_move[0] if found.match.to_move else None
        prompt = None if seat is None else found.match.observe(seat).prompt
        if prompt is None:
            raise Refused("The game is over at this position; go back to explore other moves.")
        return TypeForm(f"Explore, {found.name}", ExplorerTarget(self.number), self.at, prompt)


async def _show(context: Context, exploration: Exploration) -> None:
    await change(context, await exploration_message(exploration, await context.theme()))


async def exploration_message(exploration: Exploration, theme: str) -> Content:
    """Return the message of an exploration: the position with marked moves, their worth in words, and the controls."""
    number, at, match = exploration.number, exploration.at, exploration.match
    seen, last = match.observe(None), len(exploration.path) - 1
    file = await position_picture(seen, theme, f"explore-{number}-{at}.png", worths=exploration.worths)
    steps: list[ui.Item[Any]] = [
        ExploreGoButton(number, 0, "first", disabled=at == 0),
        ExploreGoButton(number, max(at - 1, 0), "back", disabled=at == 0),
        ExploreGoButton(number, min(at + 1, last), "forward", disabled=at == last),
    ]
    if not match.over:
        steps.append(ExploreTypeButton(number, at))
    titled = with_emoji(match.game.key, f"Explore: {exploration.name}")
    where = f"after {counted(len(match.log), 'move')}" if match.log else "before the first move"
    heading = f"### {titled}\n-# The position {where}. Only you see this, and it does not count."
    rows = *action_rows(_moves(exploration)), ui.ActionRow[Any](*steps)
    return pictured(heading, file, told(exploration), *rows)


def _moves(exploration: Exploration) -> Rows:
    """Return the controls that play a move: buttons in board order, or menus if there are too many moves."""
    number, at, worths = exploration.number, exploration.at, exploration.worths
    if len(worths) <= ON_BUTTONS:
        by_text = {it.move: it for it in worths}
        buttons: list[ui.Item[Any]] = [
            ExploreMoveButton(number, at, text, by_text[text]) for text in exploration.match.legal() or ()
        ]
        return [buttons[start : start + ACROSS] for start in range(0, len(buttons), ACROSS)]
    starts = range(0, min(len(worths), MOST_MENUS * IN_MENU), IN_MENU)
    return [
        [ExploreSelect(number, at, menu, worths[start : start + IN_MENU])]
        for menu, start in enumerate(starts)
    ]


def told(exploration: Exploration) -> str:
    """Return the result of a position that is over, or what each legal move is worth, by kind."""
    match, worths = exploration.match, exploration.worths
    if match.winners is not None:
        marks = " and ".join(seat_token(seat) for seat in match.winners)
        return f"The game is over: {marks} {'wins' if len(match.winners) == 1 else 'share the win'}."
    lines = [f"It is the turn of {seat_token(match.to_move[0] or 0)}."]
    for key, (word, _) in KINDS.items():
        of_kind = [it for it in worths if kind(it) == key and it.value is not None]
        if of_kind:
            lines.append(f"{SIGNS[key][0]} **{word.capitalize()}**: {_list(of_kind)}.")
    notes = []
    if any(_detail(it).startswith(" in ") for it in worths):
        notes.append("“in” counts the moves to the end of the game.")
    if any(kind(it) is None for it in worths):
        notes.append("Percentages are chances, estimated from trial games.")
    if notes:
        lines.append(f"-# {' '.join(notes)}")
    return "\n".join(lines)


def _list(worths: Sequence[Worth]) -> str:
    """Return moves with what is known of them, as many as fit."""
    text = ""
    for shown, it in enumerate(worths):
        more = f"{', ' if text else ''}`{it.move}`{_detail(it)}"
        if len(text) + len(more) > LONGEST_LIST:
            return f"{text}, and {len(worths) - shown} more"
        text += more
    return text


def _detail(worth: Worth) -> str:
    """Return the moves to the end after a proved win or loss, or the estimated share; "" if there is nothing to add."""
    if kind(worth) is None:
        return "" if worth.value is None else f" {percent(worth.value)}"
    return "" if worth.plies is None or worth.value == 0.5 else f" in {worth.plies}"


def _sentence(worth: Worth) -> str:
    """Return the worth of a move for the description of an option."""
    key = kind(worth)
    word = KINDS[key][0].capitalize()
    if worth.value is None:
        return "Not judged"
    if key is None:
        return f"{word} chances: {percent(worth.value)}"
    ends = "" if worth.plies is None else f"; the game ends in {counted(worth.plies, 'move')}"
    return f"{word} for certain{ends}"
