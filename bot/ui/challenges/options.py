"""The options of a match that members choose in `/challenge` and `/lobby`, and their wording on a challenge."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from discord import app_commands

from db.values.challenges import Terms
from db.values.matches import USUAL_OPTIONS

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Option:
    """An option of the commands. Its name is that of a field of `MatchOptions`, which has its default too."""

    name: str
    annotation: Any
    """The annotation of the parameter of a command."""
    description: str


OPTIONS = (
    Option("rated", bool, "true if the game counts for ratings (default: true)"),
    Option(
        "games",
        app_commands.Range[int, 1, 2],
        "for two players: 2 means two games with swapped seats, rated as one (default: 1)",
    ),
)


def spell_options(terms: Terms) -> list[str]:
    """Return what the terms of a challenge say about its options; the order is that of the challenge's message."""
    rated = "rated" if terms.rated else "casual, not rated"
    as_one = " as one" if terms.rated and terms.games > 1 else ""
    return [rated + as_one]


def with_options(command: Command) -> Command:
    """Give a command a parameter for each of OPTIONS, before its parameter `call`.

    The command is called with the choices by name, in its parameter `**chosen`.
    """
    signature = inspect.signature(command)
    parameters = []
    for parameter in signature.parameters.values():
        if parameter.name == "call":
            parameters += [
                parameter.replace(
                    name=it.name, annotation=it.annotation, default=getattr(USUAL_OPTIONS, it.name)
                )
                for it in OPTIONS
            ]
        if parameter.kind is not parameter.VAR_KEYWORD:
            parameters.append(parameter)
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # discord.py reads it
    return app_commands.describe(**{it.name: it.description for it in OPTIONS})(command)
