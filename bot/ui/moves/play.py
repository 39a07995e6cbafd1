"""Moves that a player presses, chooses or types as a whole, and the line after them about the next game."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Generic, Self, TypeVar

import discord
from discord import ui
from discord.utils import format_dt, utcnow

import render
from bot.app.clocks.arithmetic import live
from bot.app.errors import Refused
from bot.app.matches.listed import Listed, alone
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches, SeveralMatches
from bot.ui.components.message_parts import (
    Rows,
    candidates_picture,
    gallery,
    items_below,
    message,
    picture_of,
)
from bot.ui.components.wording import linked_name
from bot.ui.interactions.buttons import Form, IdButton, IdMatch, Inner, MatchMenu, OpensForm, PersistentItem
from bot.ui.interactions.reply import (
    Content,
    Context,
    Interaction,
    Response,
    answer,
    change,
    delete_answers,
    delete_taken,
    dismiss,
    in_place,
    on_private_post,
    private,
    remark_later,
    take_answers,
)
from bot.ui.moves.parts import IN_PRIVATE, ON_BOARD
from bot.ui.moves.prompts import how_to_write, open_label
from bot.ui.posts.answers import TOKEN_LIFETIME
from bot.ui.posts.outbox import Outbox
from bot.ui.services import Display
from db.values.places import Place
from db.values.posts import PostKind
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.prompt import Prompt

PUZZLE_NAME = r"[a-z][a-z0-9]*-[0-9a-z-]{1,24}"
"""A regular expression for the names of puzzles."""

LONGEST_IN_MENU = 80
"""Characters of a typed move for which a member can choose the game from a menu, whose custom id holds the move."""

NEXT_GAME = "next game"
"""The name of the private line about the next game, by which a newer line replaces it."""

MOST_CARDS = 20
"""The most buttons for cards: four rows, above a row of other buttons."""
_ACROSS_ON_PHONE = 5
"""Buttons for cards, such as `10–12`, that a phone shows in one row."""

_EXERCISE = (
    rf"(?:(?P<exercise>try:[a-z][a-z0-9]*:[0-9]{{1,2}}|solve:{PUZZLE_NAME}|run:[0-9]+:[0-9]{{1,3}}"
    r"|if:[0-9]+:[0-9]+:[0-9]{1,2}):)?"
)
"""The beginning of the custom id of a control in an exercise."""

Kind = TypeVar("Kind", bound=Prompt)


@dataclass(frozen=True, slots=True)
class Controls:
    """The controls by which a player enters a move, with the text and the picture above them.

    `ask` is the question of the prompt; `progress` and `text` follow it. `played` is True if the last press changed
    the public board: it sealed a row, or ended a search.
    """

    loaded: LoadedMatch
    seat: Seat
    rows: Rows
    ask: str = ""
    text: str = ""
    observation: Observation | None = None
    """The observation in the picture; None for that of the seat."""
    rejected: render.RejectedMove | None = None
    candidates: render.Candidates | None = None
    parts: tuple[render.Outline, ...] = ()
    """The parts of the board that are outlined faintly."""
    played: bool = False
    whole: bool = False
    """True if these are the controls that the board itself has, before the first press of a move."""
    progress: str = ""
    """The words that were found so far, which a puzzle lists in its own way."""
    farewell: str = ""
    """The text, without a picture, if the match is over now; without one the private message is deleted then."""

    @property
    def question(self) -> str:
        """The text without the name of the match."""
        return f"{self.ask}{self.progress}{self.text}".strip()

    async def picture(self, theme: str) -> discord.File:
        if self.candidates is not None:
            return await candidates_picture(self.loaded, self.seat, theme, self.candidates)
        observation = self.observation or self.loaded.observe(self.seat)
        return await picture_of(self.loaded, observation, theme, self.rejected, parts=self.parts)


Entering = Callable[[Context, Matches], Awaitable[Controls]]
"""A function that processes a press or a typed text, and returns the next controls."""


class Target(ABC):
    """An object in which a member enters moves."""

    @abstractmethod
    async def play(self, context: Context, text: str, plies: int) -> Response:
        """Play a move, and show the position after it. `plies` is the number of plies on the board that was used."""


class BoardTarget(Target):
    """A match, or an exercise, which has the number 0. The custom ids of its controls begin with `prefix`."""

    match: int
    prefix: str = ""
    room: int = ON_BOARD
    """The buttons for moves for which its message has room."""

    def custom_id(self, kind: str, *values: object) -> str:
        return self.prefix + ":".join(map(str, (kind, self.match, *values)))

    @abstractmethod
    async def matches(self, context: Context) -> Matches:
        """Return the service that knows the position. Raises Refused."""

    @abstractmethod
    async def enter(self, context: Context, entering: Entering) -> Response:
        """Run a control that may need several presses for one move, and show what it returns."""

    async def press(self, context: Context, text: str, plies: int) -> Response:
        """Play a move that was pressed or chosen, or ask the member to confirm it."""
        return await self.play(context, text, plies)

    async def check_visible(self, context: Context) -> None:
        """Raise Refused if the member may not know of this match at this place."""


class MatchTarget(BoardTarget):
    """A stored match."""

    room = IN_PRIVATE

    def __init__(self, match: int) -> None:
        self.match = match

    async def check_visible(self, context: Context) -> None:
        await context.services.matches.check_visible(self.match, context.user, context.place)

    async def matches(self, context: Context) -> Matches:
        return context.services.matches

    async def press(self, context: Context, text: str, plies: int) -> Content | None:
        move = await context.services.matches.to_confirm(self.match, context.user, text, plies)
        if move is None:
            return await self.play(context, text, plies)
        name = (await context.services.matches.load(self.match)).name
        question = f"Do you want to play `{move}` in **{name}**? It does not count yet."
        button = items_below(PlayItButton(self.match, plies, move))
        return Content(question, button, name=confirm_name(self.match))

    async def play(self, context: Context, text: str, plies: int | None) -> Content | None:
        """Play a move and show the board. If the move is hidden from others, return a confirmation for the player.

        `plies` is None if no board was used.
        """
        matches, guild = context.services.matches, context.place.guild
        if await matches.voted(self.match):
            voted = await context.services.votes.cast(self.match, context.user, guild, text, plies)
            return await self._show_vote(context, *voted)
        after = await matches.play(self.match, context.user, text, plies)
        remark_later(context, partial(next_game, moved=after))
        await self._show_move(context, after)
        seat = after.moved_by(context.user)
        mine = after.match.seen(seat)
        if mine == after.match.seen(None):
            return None
        caption = render.caption(after.observe(seat))
        text = f"You played `{mine[-1].text}`: {caption}. Only you see this."
        return Content(text, name=f"played {self.match}")

    async def _show_vote(self, context: Context, move: str, ends_at: datetime) -> Content:
        """Show the board after a vote of the member, and return a confirmation for the member."""
        outdated = take_answers(context, *answers_before_move(self.match))
        await show_vote(context.display, context.ui_services.outbox, self.match, context.place)
        await delete_taken(outdated)
        until = format_dt(ends_at, "R")
        return Content(
            f"You vote for `{move}`. The vote ends {until}; until then you can vote for another move.",
            name=f"vote {self.match}",
        )

    async def enter(self, context: Context, entering: Entering) -> Content | None:
        """Show the controls in the private message or the private board that was used.

        They are shown in a new private message if a public board was used.
        """
        controls = await entering(context, context.services.matches)
        if on_private_post(context.interaction):
            return await self._choose(context, controls)
        if controls.played:
            remark_later(context, partial(next_game, moved=controls.loaded))
            await self._show_move(context, controls.loaded)
            if await self._ended(context, controls):
                return None
        theme = await self._private_theme(context, controls.loaded)
        return await in_place(context, await private_message(controls, theme))

    async def _private_theme(self, context: Context, loaded: LoadedMatch) -> str:
        """Return the theme of pictures that only this member sees. In the server of a match it was read with it."""
        chosen = loaded.chosen_by(context.user)
        if chosen is None or context.place.guild != loaded.stored.place.guild:
            return await context.theme()
        return chosen.theme or loaded.server.theme or context.services.preferences.usual_theme

    async def _show_move(self, context: Context, after: LoadedMatch) -> None:
        """Show the board after a move of the member, and delete the private answers that it makes outdated."""
        # They are taken before the board is shown: what the member opens at the new board stays.
        outdated = take_answers(context, *answers_before_move(self.match))
        await context.display.show(self.match, after)
        await delete_taken(outdated)

    async def _choose(self, context: Context, controls: Controls) -> Content | None:
        """Show the controls on the private board that was used."""
        if controls.played:
            remark_later(context, partial(next_game, moved=controls.loaded))
            # The board has the next controls.
            await context.display.show(self.match, controls.loaded)
            return None
        if controls.whole:
            await context.display.restore(self.match)
            return None
        picture = await controls.picture(await self._private_theme(context, controls.loaded))
        await context.display.choose(controls.loaded, controls.question, controls.rows, picture)
        return None

    async def _ended(self, context: Context, controls: Controls) -> bool:
        """Return True if the match is over. Then little is left of the private message, as the board shows all."""
        over = controls.loaded.match.over or (await context.services.matches.load(self.match)).match.over
        if not over or not private(context.interaction):
            return False
        if controls.farewell:
            await change(context, Content(f"**{controls.loaded.name}**:{controls.farewell}"))
        else:
            await dismiss(context)
        return True


def menu_name(match: int) -> str:
    """Return the name of the private answer with the menu of a match."""
    return f"more {match}"


def proposed_name(match: int) -> str:
    """Return the name of the private answer that tells of an open proposal in a match."""
    return f"proposed {match}"


def hint_name(match: int) -> str:
    """Return the name of the private answer with a hint in a match."""
    return f"hint {match}"


def answers_before_move(match: int) -> tuple[str, ...]:
    """Return the names of the private answers that are outdated once the member has moved in a match."""
    names = menu_name, proposed_name, hint_name, confirm_name, conditional_name
    return tuple(name(match) for name in names)


def confirm_name(match: int) -> str:
    """Return the name of the private question if a move that was pressed in a match is to count."""
    return f"confirm {match}"


def conditional_name(match: int) -> str:
    """Return the name of the private board for conditional moves in a match."""
    return f"conditional {match}"


def moves_name(loaded: LoadedMatch) -> str:
    """Return the name of the private answer with the controls for a move in a match."""
    return f"moves {loaded.id}"


async def private_message(controls: Controls, theme: str) -> Content:
    """Return the private message with the controls for a move in a match."""
    file = await controls.picture(theme)
    text = f"**{controls.loaded.name}**: {controls.question}"
    name = moves_name(controls.loaded)
    if controls.candidates is None:
        for number, row in enumerate(controls.rows):
            for item in row:
                item.row = number
        below = [item for row in controls.rows for item in row]
        view = items_below(*below) if below else None
        return Content(text, view, file, name=name, version=(controls.loaded.plies,))
    picture = gallery(file.filename, file.description or "")
    framed = message(text, picture, *action_rows(controls.rows))
    return Content("", framed, file, name=name, version=(controls.loaded.plies,))


EXERCISES: dict[str, Callable[..., BoardTarget]] = {}
"""By the first word of its custom ids, a kind of exercise: the function that takes the other words."""


def _target(exercise: str | None, match: int) -> BoardTarget:
    """Return the target that a custom id names."""
    if exercise is None:
        return MatchTarget(match)
    word, *others = exercise.split(":")
    return EXERCISES[word](*others)


class MoveControl(PersistentItem[Inner], Generic[Inner]):
    """A control by which a move is entered.

    A custom id consists of the word of its class, the match, the plies and the values. The constructor takes the
    target, the plies, and the named groups of `values`, a regular expression.
    """

    before = _EXERCISE
    target: BoardTarget

    def __init_subclass__(cls, *, word: str | None = None, values: str = "") -> None:
        ids = f"{word}:(?P<match>[0-9]+):(?P<plies>[0-9]+){values and ':'}{values}"
        super().__init_subclass__(template=ids if word else None)

    @classmethod
    def matched(cls, found: IdMatch) -> Self:
        named = found.groupdict()
        target = _target(named.pop("exercise"), int(named.pop("match")))
        return cls(**{"target": target, **cls.arguments(named)})

    async def check_visible(self, context: Context) -> None:
        await self.target.check_visible(context)


class PartialControl(MoveControl[Inner], Generic[Inner]):
    """A control for moves that may take several presses."""

    async def answer(self, context: Context) -> Response:
        return await self.target.enter(context, self.enter)

    @abstractmethod
    async def enter(self, context: Context, matches: Matches) -> Controls:
        """Process the press, and return the next controls. Raises Refused or RuleError."""


MoveButton = MoveControl[ui.Button[Any]]
PartialButton = PartialControl[ui.Button[Any]]


async def prompt_of_kind(
    context: Context, matches: Matches, target: BoardTarget, plies: int | None, kind: type[Kind]
) -> tuple[LoadedMatch, Seat, Kind]:
    """Return the match, the member's seat and the prompt. `plies` is None if no board was used.

    Raises Refused if the prompt is of another kind.
    """
    loaded, seat, prompt = await matches.prompt_for(target.match, context.user, plies)
    if not isinstance(prompt, kind):
        raise Refused(f"{loaded.name} has moved on; press **{open_label(prompt)}** on its newest board.")
    return loaded, seat, prompt


def rows_of_cards(buttons: Sequence[ui.Item[Any]]) -> Rows:
    """Divide at most `MOST_CARDS` buttons for cards into rows whose lengths differ by at most one.

    A phone shows each row without a line break, as long as four rows are enough.
    """
    count = min(4, -(-len(buttons) // _ACROSS_ON_PHONE))
    numbers = [index * count // len(buttons) for index in range(len(buttons))]
    return [[item for at, item in zip(numbers, buttons, strict=True) if at == row] for row in range(count)]


def action_rows(rows: Rows) -> list[ui.ActionRow[Any]]:
    """Return rows of controls as parts of a message, without empty ones."""
    return [ui.ActionRow(*row) for row in rows if row]


class PlayButton(MoveButton, word="play", values=r"(?P<text>.{1,60})"):
    """Plays one move."""

    def __init__(
        self,
        target: BoardTarget,
        plies: int,
        text: str,
        label: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.primary,
    ) -> None:
        self.target, self.plies, self.text = target, plies, text
        custom_id = target.custom_id("play", plies, text)
        super().__init__(ui.Button(label=label or text, style=style, custom_id=custom_id))

    async def answer(self, context: Context) -> Response:
        return await self.target.press(context, self.text, self.plies)

    async def callback(self, interaction: Interaction) -> None:
        in_match = isinstance(self.target, MatchTarget)
        await answer(interaction, self.checked_answer, at_once=True, dismissed=in_match)


class PlayItButton(IdButton, word="play-hint", label="Play it", style=discord.ButtonStyle.primary):
    """Plays the move of a hint, or one that a member confirms. The private message is then deleted."""

    match: int
    plies: int
    text: Annotated[str, ".{1,60}"]

    async def answer(self, context: Context) -> Content | None:
        return await MatchTarget(self.match).play(context, self.text, self.plies)

    async def callback(self, interaction: Interaction) -> None:
        await answer(interaction, self.checked_answer, at_once=True, dismissed=True)


class PlaySelect(MoveControl[ui.Select[Any]], word="pick"):
    """Plays the chosen move. Only boards of version 0.1 have such menus."""

    def __init__(self, target: BoardTarget, plies: int) -> None:
        self.target, self.plies = target, plies
        super().__init__(ui.Select(custom_id=target.custom_id("pick", plies)))

    async def answer(self, context: Context) -> Response:
        return await self.target.press(context, self.item.values[0], self.plies)

    async def callback(self, interaction: Interaction) -> None:
        await answer(interaction, self.checked_answer, dismissed=True)


async def show_vote(display: Display, outbox: Outbox, match: int, place: Place) -> None:
    """Show a new vote on the board and on its copy in the server of `place`; the outbox shows it elsewhere."""
    await display.show(match)
    await outbox.publish(PostKind.COPY, match, str(place.guild))
    outbox.wake()


async def play_by_command(context: Context, match: int | None, text: str) -> Response:
    """Play a move by its text. `match` None means the match in this channel that waits for this member."""
    try:
        chosen = await context.services.matches.pick(context.user, context.place, match)
    except SeveralMatches as several:
        if len(text) > LONGEST_IN_MENU:
            raise
        return Content("Which game is your move for?", items_below(MoveMenu(text, several.matches)))
    return await MatchTarget(chosen).play(context, text, None)


class MoveMenu(MatchMenu, template=r"which-move:(?P<text>.+)"):
    """Plays a typed move in the chosen match."""

    def __init__(self, text: str, matches: Sequence[Listed] = ()) -> None:
        self.text = text
        super().__init__(f"which-move:{text}", matches)

    async def answer(self, context: Context) -> Response:
        return await play_by_command(context, self.match, self.text)


class TypeButton(OpensForm, MoveButton, word="type"):
    """Opens the form for a move."""

    def __init__(self, target: BoardTarget, plies: int) -> None:
        self.target, self.plies = target, plies
        super().__init__(ui.Button(label="Type a move", custom_id=target.custom_id("type", plies)))

    async def form(self, context: Context) -> Form:
        matches = await self.target.matches(context)
        loaded, _, prompt = await matches.prompt_for(self.target.match, context.user, self.plies)
        return TypeForm(loaded.name, self.target, self.plies, prompt)


def type_buttons(target: BoardTarget, loaded: LoadedMatch) -> list[ui.Item[Any]]:
    """Return the button for a typed move; none where moves are hidden: their controls have forms of their own."""
    return [] if loaded.secret else [TypeButton(target, loaded.shown)]


class TypeForm(Form):
    """A form with one line for a move."""

    def __init__(self, title: str, target: Target, plies: int, prompt: Prompt) -> None:
        super().__init__(title)
        self.target, self.plies = target, plies
        example = f"for example {prompt.example}"
        line = ui.TextInput[Any](placeholder=example, max_length=100, custom_id="move")
        self.line = self.ask("Your move", line, how_to_write(prompt))

    async def answer(self, context: Context) -> Response:
        return await self.target.play(context, self.line.value, self.plies)


async def next_game(context: Context, moved: LoadedMatch) -> Content | None:
    """Return the line about the other games that wait for a member who has moved in this match, or None.

    If their conditional moves in the match were dropped, it says that instead.
    """
    if context.services.conditional_moves.tell_dropped(moved.id, context.user):
        return Content(f"-# {dropped_sentence(moved)}", name=NEXT_GAME)
    if not _wants(moved, context):
        return None
    waiting = await context.services.matches.waiting_elsewhere(moved, context.user)
    if not waiting:
        await delete_answers(context, NEXT_GAME)
        return None
    longest = min(waiting, key=lambda it: (it.since(context.user), it.id))
    since = format_dt(longest.since(context.user), "R")
    line = f"Next: {linked_name(longest)}, where your turn came {since}."
    if len(waiting) > 1:
        line += f" {len(waiting)} games wait for you; `/games` lists them."
    content = Content(f"-# {line}", name=NEXT_GAME)
    return None if _is_shown(context, content.text) else content


def dropped_sentence(loaded: LoadedMatch) -> str:
    """Return what a member is told whose conditional moves in a match were dropped."""
    return f"Your conditional moves in {loaded.name} did not fit what was played, so they were dropped."


def _is_shown(context: Context, text: str) -> bool:
    """Return True if the member was told just this in this channel, so recently that they still see it."""
    newest = context.ui_services.private_answers.newest(context.user, NEXT_GAME)
    if newest is None or utcnow() - newest.created_at > TOKEN_LIFETIME:
        return False
    return newest.channel.id == context.place.channel and newest.content == text


def _wants(moved: LoadedMatch, context: Context) -> bool:
    """Return True if the member plays other games, is to be told of them, and is not busy with this one."""
    user, stored, chosen = context.user, moved.stored, moved.chosen_by(context.user)
    if chosen is None or not chosen.next_game or user not in stored.context.elsewhere:
        return False
    if moved.match.over:
        return True
    if user in moved.waiting_for or alone(stored.users, user):
        return False
    # Players of a live game stay at its board.
    return not live(stored.time_control)
