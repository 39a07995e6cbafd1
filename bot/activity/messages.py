"""The messages that the page sends. Whatever does not fit these models is refused."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

Number = Annotated[int, Field(ge=0, le=2**63 - 1)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Begin(_Message):
    """The first message, with the session, and the match that the page showed before its connection was lost.

    `packed` is True if the page can read messages that are compressed by gzip.
    """

    type: Literal["begin"]
    session: Annotated[str, Field(max_length=1000)]
    match: Number | None = None
    packed: bool = False


class Games(_Message):
    """Ask for the member's running games."""

    type: Literal["games"]


class Open(_Message):
    """Watch a match."""

    type: Literal["open"]
    match: Number


class Exercise(_Message):
    """Open a lesson, by the key of its game, at a step counted from 0; or a puzzle by its name.

    Of the `line` of a completed puzzle, `step` is the number of plies to show.
    """

    type: Literal["exercise"]
    kind: Literal["lesson", "puzzle"]
    name: Annotated[str, Field(pattern=r"^[a-z][0-9a-z-]*$", max_length=60)]
    step: Annotated[int, Field(ge=0, le=99)] | None = None
    action: Literal["open", "hint", "again", "line"] = "open"


class Look(_Message):
    """Look at an earlier position of the match that is watched."""

    type: Literal["look"]
    ply: Number


class Play(_Message):
    """Play a move on the board with so many plies."""

    type: Literal["play"]
    match: Number
    ply: Number
    move: Annotated[str, Field(min_length=1, max_length=400)]
    confirmed: bool = False


Coordinate = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Touched = tuple[Coordinate, Coordinate]


class Preview(_Message):
    """Ask what a move would do, by its text or by the points of the picture that are touched, in page units."""

    type: Literal["preview"]
    match: Number
    ply: Number
    move: Annotated[str, Field(min_length=1, max_length=400)] | None = None
    touched: Annotated[tuple[Touched, ...], Field(max_length=2)] = ()


class Hint(_Message):
    """Ask for a hint."""

    type: Literal["hint"]
    match: Number


class Resign(_Message):
    """Resign a match."""

    type: Literal["resign"]
    match: Number


class Propose(_Message):
    """Offer a draw, or ask for something else that needs the others' consent."""

    type: Literal["propose"]
    match: Number
    matter: Literal["draw", "takeback", "time", "pause"]


class Reply(_Message):
    """Answer a proposal."""

    type: Literal["reply"]
    proposal: Number
    agree: bool


Message = Games | Open | Exercise | Look | Play | Preview | Hint | Resign | Propose | Reply

_ADAPTER: TypeAdapter[Begin | Message] = TypeAdapter(Annotated[Begin | Message, Field(discriminator="type")])


def read(text: str) -> Begin | Message | None:
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError:
        return None
