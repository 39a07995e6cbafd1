"""Reading the bot's messages as a member does: whose turn it is, what can be pressed, what is said."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.contract.player import Player
from tests.e2e.messages import components, found_in, gone, pinged, text_of

Json = dict[str, Any]
AFTERWARDS = {"Replay", "Review", "Rematch"}
"""The buttons of the last board of a match, where no move was sealed."""
_TURN = re.compile(r"<@(?P<user>[0-9]+)> \S+, your turn")
_FILE = re.compile(r"-(?P<match>[0-9]+)-(?P<plies>[0-9]+)\.png(?:[?]|$)")


@dataclass(frozen=True)
class Panel:
    """A board as posted: match and plies from its picture, the member on turn (None: over), what can be used."""

    message: Json
    match: int
    plies: int
    turn: str | None
    text: str
    buttons: dict[str, str]
    """Custom id by label."""
    moves: dict[str, str]
    """Custom id of the button that plays a move, by the move."""
    parts: dict[str, str]
    """Custom id of the button that opens a part of the moves, by its path."""
    select: str | None
    options: tuple[str, ...]
    """The moves that the select of an old board plays."""
    narrow: str | None
    groups: tuple[str, ...]
    """The groups that the first of two selects of an old board offers."""

    @classmethod
    def of(cls, message: Json) -> "Panel | None":
        text = text_of(message)
        parts = list(components(message))
        items = [item for part in parts if part["type"] == 12 for item in part["items"]]
        picture = next((_FILE.search(item["media"]["url"]) for item in items), None)
        if picture is None or not re.search("^### ", text, re.MULTILINE):
            return None  # Announced results have the picture of the last board, but no title.
        turn = _TURN.search(text)
        select = next((part for part in parts if part.get("custom_id", "").startswith("pick:")), None)
        narrow = next((part for part in parts if part.get("custom_id", "").startswith("narrow:")), None)
        return cls(
            message=message,
            match=int(picture["match"]),
            plies=int(picture["plies"]),
            turn=turn["user"] if turn else None,
            text=text,
            buttons={part["label"]: part["custom_id"] for part in parts if part["type"] == 2},
            moves=_by_last_word(message, "play:"),
            parts=_by_last_word(message, "among:"),
            select=select["custom_id"] if select else None,
            options=tuple(option["value"] for option in select["options"]) if select else (),
            narrow=narrow["custom_id"] if narrow else None,
            groups=tuple(option["value"] for option in narrow["options"]) if narrow else (),
        )


def outcome(panel: Panel) -> str:
    """The line of a last board that says how the game ended; ratings and achievements may follow it."""
    return next(line for line in panel.text.splitlines() if line.startswith("**"))


async def panels(player: Player) -> list[Panel]:
    """The boards that a member sees in the channel, oldest first."""
    return boards_in(await player.messages())


def boards_in(messages: list[Json]) -> list[Panel]:
    """The boards among these messages."""
    return [panel for message in messages if (panel := Panel.of(message))]


async def panel_at(player: Player, match: int, plies: int) -> Panel:
    """The newest board of a match once it shows so many plies."""
    return await newest_board(player, lambda it: it.match == match and it.plies >= plies)


async def board_in(player: Player, channel: str, plies: int) -> Panel:
    """The newest board in a thread once it shows so many plies."""
    return await newest_board(player.elsewhere(channel), lambda it: it.plies >= plies)


def _by_last_word(message: Json, start: str) -> dict[str, str]:
    """The custom ids of the buttons that begin like this, by what stands behind match and plies."""
    ids = (part["custom_id"] for part in components(message) if part["type"] == 2)
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in ids if custom_id.startswith(start)}


async def opened_part(
    player: Player, match: int, plies: int, path: str
) -> tuple[Json, dict[str, str], dict[str, str]]:
    """The newest message for this member alone with the moves of a part, or its parts: message, moves, parts."""

    def find(seen: list[Json]) -> tuple[Json, dict[str, str], dict[str, str]] | None:
        for message in reversed(seen):
            if message["ephemeral_for"] == player.id:
                moves = _by_last_word(message, f"play:{match}:{plies}:")
                deeper = _by_last_word(message, f"among:{match}:{plies}:{path}")
                deeper.pop(path, None)
                if moves or deeper:
                    return message, moves, deeper
        return None

    return await found_in(player, find)


async def newer_panel(player: Player, old: Panel) -> Panel:
    """A board of the same match in a newer message than `old`."""
    return await newest_board(
        player, lambda it: it.match == old.match and int(it.message["id"]) > int(old.message["id"])
    )


async def removed(player: Player, panel: Panel) -> None:
    """Wait until the message of a board is gone: the board was posted again."""
    await gone(player, panel.message)


def calls_in(messages: list[Json]) -> list[Json]:
    """The short messages that mention players on turn below boards that were edited."""
    return [message for message in messages if "your turn in [" in text_of(message)]


async def called(player: Player, panel: Panel) -> Json:
    """The short message that mentions the player on turn in a match, once it is the only one of the match."""

    def find(seen: list[Json]) -> Json | None:
        calls = [it for it in calls_in(seen) if f"#{panel.match}](" in text_of(it)]
        return calls[0] if [pinged(it) for it in calls] == [[panel.turn]] else None

    message = await found_in(player, find)
    assert f"/{panel.message['id']})" in text_of(message)
    return message


async def no_controls(player: Player, panel: Panel) -> None:
    """Wait until no move can be made on a board: its message is gone, or it is the last of its match."""

    async def bare() -> bool | None:
        seen = next((it for it in await panels(player) if it.message["id"] == panel.message["id"]), None)
        last = {*AFTERWARDS, "Proof"}
        done = seen is None or (bool(seen.buttons) and set(seen.buttons) <= last and seen.select is None)
        return done or None

    await player.until(bare)


async def newest_board(player: Player, right: Callable[[Panel], bool]) -> Panel:
    """The newest board in the channel that is the right one, once there is one."""
    return await found_in(player, lambda seen: next(filter(right, reversed(boards_in(seen))), None))
