"""The messages of puzzles: the position with the controls for a move, the line, the archive, and those of a server."""

from collections.abc import Sequence
from typing import Annotated, Any

import discord
from discord import ButtonStyle, app_commands, ui

import render
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, name_of
from bot.app.mentions import mention
from bot.app.moments import moment_name
from bot.app.puzzles.puzzles import PuzzleExercise, Standing, hardnesses
from bot.ui import autocomplete
from bot.ui.components.message_parts import (
    Part,
    card,
    game_emoji,
    game_option,
    menu_options,
    picture_of,
    rejection_picture,
    seat_token,
    with_emoji,
)
from bot.ui.explorer import ExploreButton
from bot.ui.interactions.buttons import GameKey, IdButton, IdSelect, TwoDigits
from bot.ui.interactions.reply import Content, Context, Interaction, Response, change, pictured, respond
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.moves.controls import controls
from bot.ui.moves.exercises import ExerciseTarget
from bot.ui.moves.play import PUZZLE_NAME, Controls, action_rows, type_buttons
from bot.ui.puzzles.run import RunButton
from bot.ui.puzzles.wording import (
    CARD_DIFFICULTIES,
    DIFFICULTIES,
    challenge,
    heading,
    line_heading,
    line_text,
    record_line,
    second_attempt,
    shared_line,
    verdict,
)
from db.values.puzzles import StoredMoment
from rules.games import find
from rules.puzzles.puzzle import CARDS, Puzzle
from rules.puzzles.stock import PUZZLED

ANY = "-"
"""The value of the option that matches everything in a menu of the archive."""

LABELS = {"open": "Solve it", "here": "Back to the board", "again": "Try it again", "result": "Result"}
"""The labels of the button, by action."""

SERVER_PUZZLES = "From this server's games"

NO_SERVER_PUZZLES = (
    "No finished game of this server has a puzzle yet. Games of two players here are searched for "
    "puzzles an hour after their end."
)

LINE_LABELS = {"open": "Show the moves", "back": "Back", "next": "Next"}
"""The labels of the button for the line, by action."""


class PuzzleButton(IdButton, word="puzzle", label=LABELS, style=ButtonStyle.primary):
    """Shows a puzzle to this member alone: with `open` in a new message, otherwise in the same one.

    `again` begins another attempt, which does not count, and `result` shows the result of the first attempt.
    """

    name: Annotated[str, PUZZLE_NAME]
    action: str = "open"

    async def answer(self, context: Context) -> Response:
        puzzles = context.services.puzzles
        if self.action == "open":
            return await show_puzzle(context, self.name)
        find = {"again": puzzles.begin_again, "result": puzzles.ended}.get(self.action, puzzles.open)
        await change(
            context, await puzzle_message(context, await find(context.user, self.name, context.place))
        )
        return None


async def show_puzzle(context: Context, name: str) -> Content:
    """Show a puzzle in the state in which this member left it. Raises Refused."""
    return await puzzle_message(
        context, await context.services.puzzles.open(context.user, name, context.place)
    )


class PuzzleTarget(ExerciseTarget[PuzzleExercise], word="solve"):
    """A puzzle."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.prefix = f"solve:{name}:"

    @classmethod
    def named(cls, *words: str) -> "PuzzleTarget":
        return cls(*words)

    async def matches(self, context: Context) -> PuzzleExercise:
        return await context.services.puzzles.exercise(context.user, self.name, context.place)

    async def judged(self, context: Context, exercise: PuzzleExercise) -> Content:
        return await puzzle_message(context, await context.services.puzzles.save(exercise))

    async def asked(self, context: Context, exercise: PuzzleExercise, controls: Controls) -> Content:
        standing = await context.services.puzzles.standing(exercise)
        picture = await controls.picture(await context.theme())
        here = PuzzleButton(self.name, "here", style=ButtonStyle.secondary)
        navigation = [here, *type_buttons(self, exercise.loaded_now)]
        return _message(standing, controls.text.strip(), picture, controls, navigation)

    async def unchanged(self, context: Context, exercise: PuzzleExercise, refusal: str) -> Content:
        return await puzzle_message(context, await context.services.puzzles.standing(exercise), refusal)


async def puzzle_message(context: Context, standing: Standing, note: str = "") -> Content:
    """Return the message of a puzzle with its position, and the controls for a move while it goes on.

    `note` is a sentence below the task.
    """
    loaded, seat = standing.loaded, standing.seat
    theme = await context.theme()
    if standing.solved is not None:
        return await _ended(context, standing, theme)
    prompt, target = loaded.match.observe(seat).prompt, PuzzleTarget(standing.name)
    assert prompt is not None
    entering = controls(prompt, target, loaded, seat)
    picture = await rejection_picture(standing.refusal, theme) or await entering.picture(theme)
    below = () if standing.moves else others(context, standing.puzzle)
    return _message(standing, note, picture, entering, type_buttons(target, loaded), below)


def _message(
    standing: Standing,
    text: str,
    picture: discord.File,
    controls: Controls,
    navigation: Sequence[ui.Item[Any]],
    below: Sequence[Part] = (),
) -> Content:
    """Return the message of a puzzle that goes on, with further parts below its controls."""
    rows = action_rows([*controls.rows, [*navigation]])
    told = "\n".join(filter(None, (verdict(standing), text)))
    return pictured(heading(standing), picture, told, *rows, *below)


async def _ended(context: Context, standing: Standing, theme: str) -> Content:
    """Return the message of a completed puzzle."""
    name, picture = standing.name, await last_picture(standing, theme)
    record = await context.services.puzzles.record(context.user)
    row: ui.ActionRow[Any] = ui.ActionRow(
        PuzzleButton(name, "again"), PuzzleLineButton(name), *_explore(standing, 0)
    )
    rows = row, *await show_rows(context, ShowPuzzleButton(name))
    below = verdict(standing), record_line(record), *rows, *others(context, standing.puzzle, like_it=True)
    return pictured(heading(standing), picture, *below)


def _explore(standing: Standing, plies: int) -> list[ui.Item[Any]]:
    """Return the button that judges all moves after `plies` of the line; none where moves are hidden."""
    return [] if standing.puzzle.cards else [ExploreButton(f"puzzle:{standing.name}:{plies}")]


class PuzzleLineButton(IdButton, word="puzzle-line", label=LINE_LABELS):
    """Shows the line of a completed puzzle after `plies` in the same message."""

    name: Annotated[str, PUZZLE_NAME]
    plies: TwoDigits = 0
    action: str = "open"

    async def answer(self, context: Context) -> None:
        standing = await context.services.puzzles.ended(context.user, self.name, context.place)
        await change(context, await _line_page(context, standing, min(self.plies, len(standing.puzzle.line))))


async def _line_page(context: Context, standing: Standing, plies: int) -> Content:
    """Return the message with the position after `plies` of the line and the next only move marked."""
    name, last = standing.name, len(standing.puzzle.line)
    picture = await line_picture(standing, plies, await context.theme())
    buttons: list[ui.Item[Any]] = [
        PuzzleLineButton(name, max(plies - 1, 0), "back", disabled=plies == 0),
        PuzzleLineButton(name, min(plies + 1, last), "next", disabled=plies == last),
        PuzzleButton(name, "result", style=ButtonStyle.secondary),
        *_explore(standing, plies),
    ]
    below = line_text(standing, plies), ui.ActionRow[Any](*buttons)
    return pictured(line_heading(standing, plies), picture, *below)


class AnotherButton(IdButton, word="puzzle-next", label="Another like this"):
    """Shows the next puzzle of a game from the archive that is as hard, in the same message."""

    game: GameKey
    hard: Annotated[int, "[1-9]"]

    async def answer(self, context: Context) -> None:
        await _show_other(context, self.game, self.hard)


class ArchiveSelect(IdSelect, word="puzzles"):
    """Shows a puzzle from the archive of the chosen game or difficulty; the other of the two stays as it is."""

    game: GameKey
    hard: Annotated[int, "[1-9]"]
    what: Annotated[str, "game|difficulty"]

    async def answer(self, context: Context) -> None:
        chosen = self.item.values[0]
        if self.what == "game":
            hard = self.hard if chosen == ANY or self.hard in hardnesses(chosen) else None
            await _show_other(context, None if chosen == ANY else chosen, hard)
        else:
            await _show_other(context, self.game, None if chosen == ANY else int(chosen))


async def _show_other(context: Context, game: str | None, hard: int | None) -> None:
    await change(
        context, await show_puzzle(context, await context.services.puzzles.choose(context.user, game, hard))
    )


def others(context: Context, puzzle: Puzzle, *, like_it: bool = False) -> list[Part]:
    """Return the menus of the archive, the button for a run, and in a server the one for the puzzles from its games.

    `like_it` adds the button that goes on with the same game and difficulty, after a puzzle that was done.
    """
    menus: list[ui.ActionRow[Any]] = []
    buttons: list[ui.Item[Any]] = []
    if puzzle.game in PUZZLED:
        game, hard = puzzle.game, puzzle.difficulty
        options = {"game": _games(game), "difficulty": _difficulties(game, hard)}
        menus += [ui.ActionRow(ArchiveSelect(game, hard, it, options=options[it])) for it in options]
        buttons += [AnotherButton(puzzle.game, hard)] if like_it else []
    buttons += [RunButton()]
    buttons += [] if context.place.guild is None else [ServerPuzzlesButton()]
    return ["-# Another puzzle:", *menus, ui.ActionRow(*buttons)]


def _games(game: str) -> list[discord.SelectOption]:
    options = [discord.SelectOption(label="Any game", value=ANY)]
    for key in PUZZLED:
        option = game_option(find(key))
        option.default = key == game
        options.append(option)
    return options


def _difficulties(game: str, hard: int) -> list[discord.SelectOption]:
    named = CARD_DIFFICULTIES if game == CARDS else DIFFICULTIES
    labels = {ANY: "Any difficulty"} | {str(its): named[its] for its in hardnesses(game)}
    return menu_options(labels, str(hard))


class ShowPuzzleButton(ShowButton, word="show-puzzle"):
    """Shows the result of this member to the channel. The position is a spoiler for those who want to solve it."""

    name: Annotated[str, PUZZLE_NAME]

    async def public(self, context: Context, theme: str) -> Content:
        puzzles = context.services.puzzles
        standing = await puzzles.ended(context.user, self.name, context.place)
        loaded = standing.at(0)
        picture = await picture_of(loaded, loaded.match.observe(standing.seat), theme)
        text = shared_line(standing, await puzzles.record(context.user), puzzles.today)
        button: ui.ActionRow[Any] = ui.ActionRow(PuzzleButton(self.name))
        return pictured(text, picture, button, spoiler=True)


class ServerPuzzlesButton(IdButton, word="puzzles:server", label=SERVER_PUZZLES):
    """Lists the puzzles from the games of the server for the member who presses it."""

    async def answer(self, context: Context) -> Content:
        return await show_server_puzzles(context)


class ServerPuzzleSelect(IdSelect, word="puzzles:server:choose", placeholder="Solve…"):
    """Opens one of the puzzles from the games of the server."""

    async def answer(self, context: Context) -> Response:
        return await show_puzzle(context, self.item.values[0])


async def show_server_puzzles(context: Context) -> Content:
    """List the puzzles from the newest games of the server for this member. Raises Refused."""
    if context.place.guild is None:
        raise Refused("In direct messages there are no such puzzles; ask for them in a server.")
    moments = await context.services.puzzles.of_server(context.place.guild)
    if not moments:
        return Content("", card(NO_SERVER_PUZZLES))
    lines = [f"- {game_and_number(it)}: {line_of(it)}" for it in moments]
    row: ui.ActionRow[Any] = ui.ActionRow(ServerPuzzleSelect(options=[_moment_option(it) for it in moments]))
    head = f"### {SERVER_PUZZLES}\n-# Positions of finished games, the newest first. Only you see this."
    return Content("", card(head, "\n".join(lines), row))


def game_and_number(moment: StoredMoment) -> str:
    """Return the game of a moment, such as `Alaric #17`."""
    return with_emoji(moment.game, name_of(moment.game, moment.match))


def line_of(moment: StoredMoment) -> str:
    """Return the player of a moment and the task, without the move."""
    player = f"{mention(moment.user)} {seat_token(moment.seat)}"
    return f"{player}, move {moment.ply + 1}: {challenge(moment)}"


def moment_buttons(moments: Sequence[StoredMoment]) -> list[ui.Item[Any]]:
    """Return a row of buttons that open moments of one match; none if there are none."""
    if not moments:
        return []
    return [
        ui.ActionRow(*(PuzzleButton(moment_name(it), label=f"Puzzle: move {it.ply + 1}") for it in moments))
    ]


def _moment_option(moment: StoredMoment) -> discord.SelectOption:
    return discord.SelectOption(
        label=f"#{moment.match}, move {moment.ply + 1}",
        value=moment_name(moment),
        description=f"{find(moment.game).sheet.title}: {challenge(moment)}"[:100],
        emoji=game_emoji(moment.game),
    )


async def last_picture(standing: Standing, theme: str) -> discord.File:
    """Return the picture of the last position of a completed puzzle."""
    loaded, advice = last_position(standing)
    return await picture_of(loaded, loaded.match.observe(standing.seat), theme, advice=advice)


def last_position(standing: Standing) -> tuple[LoadedMatch, render.Advice | None]:
    """Return the last position of a solved puzzle, or the position of the wrong move.

    The advice marks both moves there, unless a second attempt is open.
    """
    if standing.puzzle.cards:
        return _last_with_cards(standing), None
    if standing.solved:
        return in_line(standing, len(standing.puzzle.line))
    if second_attempt(standing):
        return standing.at(2 * standing.found), None
    return in_line(standing, 2 * standing.found, standing.moves[-1])


def _last_with_cards(standing: Standing) -> LoadedMatch:
    """Return the last position of a puzzle with cards, or the answer once no second attempt is open."""
    if standing.puzzle.lays and not standing.solved and not second_attempt(standing):
        return standing.at(1)
    last = standing.after(standing.moves)
    # The end of a search shows all palindromes.
    return standing.after(standing.moves[:-1]) if last.match.over and second_attempt(standing) else last


async def line_picture(standing: Standing, plies: int, theme: str) -> discord.File:
    """Return the position after `plies` of the line, with the next only move marked."""
    loaded, advice = in_line(standing, plies)
    return await picture_of(loaded, loaded.match.observe(standing.seat), theme, advice=advice)


def in_line(
    standing: Standing, plies: int, played: str | None = None
) -> tuple[LoadedMatch, render.Advice | None]:
    """Return the position after `plies` of the line, with the next only move, and `played`, as an advice."""
    puzzle = standing.puzzle
    advice = render.Advice(puzzle.line[plies], played) if puzzle.asks(plies) else None
    return standing.at(plies), advice


GAMES = [autocomplete.game_choice(find(key)) for key in PUZZLED]
HARD = [app_commands.Choice(name=name.lower(), value=hard) for hard, name in DIFFICULTIES.items()]


@app_commands.command(description="Solve a puzzle: the one of today, or one from the archive.")
@app_commands.describe(
    game="a game, for a puzzle from the archive (default: today's puzzle)",
    difficulty="moves to find, for a puzzle from the archive (default: today's puzzle)",
)
@app_commands.choices(game=GAMES)
@app_commands.choices(difficulty=HARD)
async def puzzle(
    interaction: Interaction,
    game: str | None = None,
    difficulty: int | None = None,
) -> None:
    await respond(interaction, choose_puzzle, game, difficulty)


async def choose_puzzle(context: Context, game: str | None, hard: int | None) -> Content:
    """Show this member the puzzle of today, or one from the archive if they chose a game or a difficulty."""
    puzzles = context.services.puzzles
    if game is None and hard is None:
        return await show_puzzle(context, (await puzzles.of_day(puzzles.today)).name)
    return await show_puzzle(context, await puzzles.choose(context.user, game, hard))
