"""Personas: the name, the character and the sign of the computer player of each level."""

from dataclasses import dataclass

from db.api.computers import COPIES, copy_of, level_of
from db.api.places import DiscordId

_NUMERALS = ("", " II", " III", " IV", " V")
assert len(_NUMERALS) == COPIES


@dataclass(frozen=True, slots=True)
class Persona:
    """The computer player of a level. `sign` is an emoji that stands for it, `character` one sentence about it."""

    level: int
    name: str
    sign: str
    character: str


PERSONAS = (
    Persona(1, "Crayon", "🖍️", "Draws outside the lines and is glad when you win."),
    Persona(2, "Brush", "🖌️", "Paints with broad strokes and overlooks what is small."),
    Persona(3, "Pencil", "✏️", "Thinks before it draws, and rubs some of it out."),
    Persona(4, "Quill", "🪶", "Writes slowly, in ink, and seldom blots."),
    Persona(5, "Nib", "🖋️", "Has never needed an eraser."),
)
"""By level, from 1."""


def persona(level: int) -> Persona:
    """The persona of a level."""
    return PERSONAS[level - 1]


def persona_name(user: DiscordId) -> str | None:
    """The name of a computer player, such as `Crayon` or `Crayon II`; None for everybody else."""
    level = level_of(user)
    return None if level is None else f"{persona(level).name}{_NUMERALS[copy_of(user)]}"
