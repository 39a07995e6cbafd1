"""The names of members in messages: a mention, "a former member", or the name of a computer player."""

from collections.abc import Iterable
from dataclasses import dataclass

from db.values.members import COPIES, TEAMS, copy_of, is_computer, level_of
from db.values.places import FORMER, DiscordId, former
from rules.core.notation import joined

_NUMERALS = ("", " II", " III", " IV", " V")
assert len(_NUMERALS) == COPIES


@dataclass(frozen=True, slots=True)
class Persona:
    """The computer player of a level. `sign` is an emoji that stands for it, `character` one sentence about it.

    The last three are sentences of which it says one at the end of a game, by its result.
    """

    level: int
    name: str
    sign: str
    character: str
    won: tuple[str, ...]
    drew: tuple[str, ...]
    lost: tuple[str, ...]


PERSONAS = (
    Persona(
        1,
        "Crayon",
        "🖍️",
        "Draws outside the lines and is glad when you win.",
        ("I drew over everything, and it worked!", "I won! This one goes on the fridge."),
        ("We coloured it in together!", "A draw! I like it when both of us get a star."),
        ("You won! I will draw you a medal.", "Well done! I was busy with the sun in the corner."),
    ),
    Persona(
        2,
        "Brush",
        "🖌️",
        "Paints with broad strokes and overlooks what is small.",
        ("Sometimes a broad stroke is all it takes.", "I just kept painting, and there was a win."),
        ("Half of the canvas for each of us, then.", "We ran out of canvas at the same time."),
        ("I missed a small spot again.", "You have the finer brush today."),
    ),
    Persona(
        3,
        "Pencil",
        "✏️",
        "Thinks before it draws, and rubs some of it out.",
        ("I rubbed out my mistakes in time.", "My second sketch was the better one."),
        ("Neither of us needs the eraser today.", "I drew it twice, and it came out even both times."),
        ("I rubbed out the wrong line. Well played.", "Back to the sharpener with me."),
    ),
    Persona(
        4,
        "Quill",
        "🪶",
        "Writes slowly, in ink, and seldom blots.",
        ("Written slowly, and there it stands.", "The ink is dry. It was a pleasure."),
        ("Let us both sign it.", "A fair copy, with two names below it."),
        ("A blot, and you read it at once.", "I shall keep this page to learn from it."),
    ),
    Persona(
        5,
        "Nib",
        "🖋️",
        "Has never needed an eraser.",
        ("Not one line to change.", "It was written from the first move on."),
        ("I see nothing to add.", "You left me no line to improve."),
        ("Perhaps I need an eraser after all.", "I have read it again. You were right."),
    ),
    Persona(
        6,
        "Ruler",
        "📏",
        "Measures every line before it is drawn.",
        ("I had measured it all beforehand.", "A straight line from the first move to the last."),
        ("We are exactly equal: I have measured it twice.", "Not a hair's breadth between us."),
        ("My measure was a little short.", "You drew straighter than I did."),
    ),
    Persona(
        7,
        "Set Square",
        "📐",
        "Has checked every corner twice.",
        ("Every corner was right.", "It was constructed, not drawn."),
        ("Two right angles make a straight line.", "The construction has no loose end on either side."),
        ("You have found the one corner that I had not checked.", "Your construction was the better one."),
    ),
)
"""By level, from 1."""


def persona(level: int) -> Persona:
    return PERSONAS[level - 1]


def persona_name(user: DiscordId) -> str | None:
    """Return the name of a computer player, such as `Crayon` or `Crayon II`; None for everybody else."""
    level = level_of(user)
    return None if level is None else f"{persona(level).name}{_NUMERALS[copy_of(user)]}"


def mention(user: DiscordId) -> str:
    """Return a player as named in a sentence: `<@1>`, "a former member", "Crayon (computer)" or "the voters"."""
    name = persona_name(user)
    if name is not None:
        return f"{name} (computer)"
    if user in TEAMS:
        return ("the voters", "the hosts", "the guests")[TEAMS.index(user)]
    return FORMER if former(user) else f"<@{user}>"


def named(user: DiscordId, *, computer: bool) -> str:
    """Return a member as named in a list: `<@1>`, or `<@1> (computer)` for a computer player."""
    return f"{mention(user)} (computer)" if computer and not is_computer(user) else mention(user)


def mentions(users: Iterable[DiscordId]) -> str:
    """Return members as named in a sentence: `<@1>, <@2> and <@3>`."""
    return joined([mention(user) for user in users])


def capital(sentence: str) -> str:
    """Return a sentence with a capital letter, even if it begins with a seat's name."""
    return sentence[:1].upper() + sentence[1:]


def against(users: Iterable[DiscordId]) -> str:
    """Return the players of a match: `<@1> against <@2>`, or `<@1>, <@2> and <@3>`."""
    named = [mention(user) for user in users]
    return " against ".join(named) if len(named) == 2 else mentions(users)
