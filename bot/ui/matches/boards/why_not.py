"""Why not? The moves that look legal and are not, each with its reason, for one member."""

from typing import Any

from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Said
from bot.ui.kit.content.pictures import picture_of
from render import RejectedMove, RejectedMoves
from render.board.phrases import joined
from rules.core.errors import Illegal


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
