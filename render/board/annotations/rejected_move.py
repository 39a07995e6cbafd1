"""A rejected move, as pictures and texts mark it."""

from dataclasses import dataclass

from render.board.phrases import joined


@dataclass(frozen=True, slots=True)
class RejectedMove:
    """A move that the rules reject, as canonical text (None: not to be marked), and the canonical names of the reasons:
    cells, pieces or lines that forbid it."""

    move: str | None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RejectedMoves:
    """Several moves that the rules would reject, each with its reasons, for a player who asks for the reasons."""

    moves: tuple[RejectedMove, ...]


def rejection_text(rejected: RejectedMove | RejectedMoves) -> str:
    """Return a sentence or two about the marks of rejected moves."""
    if isinstance(rejected, RejectedMoves):
        each = [f"{one.move} (because of {joined(one.marks)})" for one in rejected.moves]
        return f"Crossed out, since they are not allowed: {joined(each)}."
    crossed = f"The refused move, {rejected.move}, is crossed out." if rejected.move is not None else ""
    ringed = f"The reason is ringed: {joined(rejected.marks)}." if rejected.marks else ""
    return f"{crossed} {ringed}".strip()
