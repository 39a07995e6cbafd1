"""Checks of messages, modals and commands by the rules of the local Discord, without a server."""

from collections.abc import Sequence
from typing import Any

from bot.sandbox.checks.commands import command
from bot.sandbox.checks.components import modal
from bot.sandbox.checks.fields import Problems
from bot.sandbox.drafts import Draft, DraftReader, Upload

READER = DraftReader(
    lambda: "77", lambda id_, name: f"http://127.0.0.1:1/attachments/1/{id_}/{name}", private=True
)


def read_message(body: Any, files: Sequence[str] = (), picture: bytes = b"") -> Draft:
    """Return the draft of a message with files of these names. Raises DiscordError for a wrong or empty body."""
    return READER.read(body, [Upload(str(number), name, None, picture) for number, name in enumerate(files)])


def read_modal(body: Any) -> dict[str, Any]:
    """Return a modal. Raises DiscordError for a wrong body."""
    problems = Problems()
    found = modal(problems, (), body)
    problems.raise_any()
    return found


def read_command(body: Any) -> dict[str, Any]:
    """Return a command. Raises DiscordError for a wrong body."""
    problems = Problems()
    found = command(problems, (), body)
    problems.raise_any()
    return found
