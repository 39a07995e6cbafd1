"""A rejected move, as pictures and texts mark it."""

from dataclasses import dataclass

from render.board.phrases import joined


@dataclass(frozen=True, slots=True)
class RejectedMove:
    """A move that the rules reject, as canonical text (None: not to be marked), and the canonical names of the reasons:
    cells, pieces or lines that forbid it."""

    move: str | None
    marks: tuple[str, ...] = ()


def rejection_text(rejected: RejectedMove) -> str:
    """Return a sentence or two about the marks of a rejected move."""
    crossed = f"The refused move, {rejected.move}, is crossed out." if rejected.move is not None else ""
    ringed = f"The reason is ringed: {joined(rejected.marks)}." if rejected.marks else ""
    return f"{crossed} {ringed}".strip()
