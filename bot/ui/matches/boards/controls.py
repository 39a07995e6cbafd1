"""The controls under a board: those for a move, and the row that every board has."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table, seals
from bot.ui.components.layout import items_below
from bot.ui.components.pictures import picture_of
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said
from bot.ui.lessons.pages import show_lesson
from bot.ui.matches.boards.text_board import show_text_board
from bot.ui.matches.leaving import ResignButton
from bot.ui.moves.controls import controls
from bot.ui.moves.play import TypeButton
from bot.ui.moves.targets import OPEN_LABEL, MatchTarget, action_rows, private_message
from bot.ui.proposals.message import DrawButton, TakebackButton
from bot.ui.review.hint import HintButton
from bot.ui.seals import ProofButton
from render import RejectedMove, RejectedMoves
from render.board.phrases import joined
from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.prompt import Prompt


def board_rows(prompt: Prompt, table: Table, seat: Seat) -> list[ui.ActionRow[Any]]:
    """Return the rows of a public board on which `seat` is to answer `prompt`."""
    target = MatchTarget(table.id)
    hint = [] if table.stored.rated else [HintButton(table.id)]
    last: ui.ActionRow[Any] = ui.ActionRow(TypeButton(target, table.shown), MoreButton(table.id), *hint)
    return [*action_rows(controls(prompt, target, table, seat).rows), last]


def secret_controls(table: Table) -> ui.ActionRow[Any]:
    """Return the row of a public board while moves are secret; it is the same for all players."""
    hint = [] if table.stored.rated else [HintButton(table.id)]
    return ui.ActionRow(SecretMoveButton(table.id, table.shown), MoreButton(table.id), *hint)


class SecretMoveButton(PersistentItem[ui.Button[Any]], template=r"hand:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Opens a player's private view of the board with the controls for a secret move."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label=OPEN_LABEL, style=style, custom_id=f"hand:{match}:{plies}"))

    async def answer(self, acting: Acting) -> Said:
        matches = acting.services.matches
        table, seat, prompt = await matches.prompt_for(self.match, acting.user, self.plies)
        entering = controls(prompt, MatchTarget(self.match), table, seat)
        return await private_message(entering, await acting.theme())


class MoreButton(PersistentItem[ui.Button[Any]], template=r"more:(?P<match>[0-9]+)"):
    """Opens further controls for one member: reading for everybody, and for players what they can do."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="More", custom_id=f"more:{match}"))

    async def answer(self, acting: Acting) -> Said:
        user = acting.user
        table = await acting.services.matches.shown(user, acting.place, self.match)
        items: list[ui.Item[Any]] = [TextBoardButton(table.id), RulesButton(table.stored.setup.game)]
        if seals(table):
            items.append(ProofButton(table.id))
        if can_be_asked(table):
            items.append(WhyNotButton(table.id))
        if table.seat_of(user) in table.match.playing and not table.match.over:
            items += [DrawButton(table.id), TakebackButton(table.id), ResignButton(table.id)]
        return Said(f"**{table.name}**: what would you like to do?", items_below(*items))


class TextBoardButton(PersistentItem[ui.Button[Any]], template=r"letters:(?P<match>[0-9]+)"):
    """Shows the board as text."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Board as text", custom_id=f"letters:{match}"))

    async def answer(self, acting: Acting) -> Said:
        user = acting.user
        return show_text_board(await acting.services.matches.shown(user, acting.place, self.match), user)


class RulesButton(PersistentItem[ui.Button[Any]], template=r"rules:(?P<game>[a-z][a-z0-9]*)"):
    """Shows how a game is played, and its rules."""

    words = frozenset({"game"})

    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(ui.Button(label="Rules", custom_id=f"rules:{game}"))

    async def answer(self, acting: Acting) -> Said:
        return await show_lesson(acting, self.game)


class WhyNotButton(PersistentItem[ui.Button[Any]], template=r"why:(?P<match>[0-9]+)"):
    """Marks all moves that look legal and are not on the member's own picture of the board."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Why not?", custom_id=f"why:{match}"))

    async def answer(self, acting: Acting) -> Said:
        table = await acting.services.matches.shown(acting.user, acting.place, self.match)
        refusals = table.match.refusals()
        if not refusals:
            raise Refused(f"Nothing that looks like a legal move is forbidden in {table.name} now.")
        moves = RejectedMoves(tuple(RejectedMove(move, refusal.marks) for move, refusal in refusals))
        observation = table.match.observe(table.seat_of(acting.user))
        picture = await picture_of(table, observation, await acting.theme(), moves)
        return Said(
            f"**{table.name}**: what is not allowed now, and why.\n{reasons(refusals)}", None, picture
        )


def can_be_asked(table: Table) -> bool:
    """Return True if there are moves for which the button gives reasons."""
    return bool(table.match.refusals())


def reasons(refusals: tuple[tuple[str, Illegal], ...]) -> str:
    """Return a line for each rule: the sentence about the first move, and the other moves that break the same rule."""
    by_rule: dict[str, list[tuple[str, Illegal]]] = {}
    for move, refusal in refusals:
        by_rule.setdefault(refusal.rule, []).append((move, refusal))
    lines = []
    for (_, first), *others in by_rule.values():
        likewise = f" The same goes for {joined([move for move, _ in others])}." if others else ""
        lines.append(f"- {first}{likewise}")
    return "\n".join(lines)
