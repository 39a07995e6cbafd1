"""A move that was refused, as pictures and texts are told of it."""

from dataclasses import dataclass

from render.board.phrases import joined


@dataclass(frozen=True, slots=True)
class RejectedMove:
    """A refused move by its canonical text (None: it cannot be shown), and the canonical names of what is to blame."""

    move: str | None
    marks: tuple[str, ...] = ()


def told(refused: RejectedMove) -> str:
    """What a correction marks, in words."""
    crossed = f"Crossed out is the refused move, {refused.move}." if refused.move is not None else ""
    ringed = f"Ringed is the reason: {joined(refused.marks)}." if refused.marks else ""
    return f"{crossed} {ringed}".strip()
