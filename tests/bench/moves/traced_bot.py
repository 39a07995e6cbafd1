"""`python -m tests.bench.moves.traced_bot`: the bot, which tells where its time goes while it is asked to.

SIGUSR1 begins a measurement and SIGUSR2 ends it; each writes a line of JSON to the file that TRACE names. Between
measurements the bot runs as it is, but for a counter of the statements of answers.
"""

import asyncio
import inspect
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import discord
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient
from discord.webhook.async_ import AsyncWebhookAdapter
from PIL import Image

import render
from bot.__main__ import main
from bot.app.matches.loaded import LoadedMatch
from bot.client import ShardClient
from bot.pencilbox import Pencilbox
from bot.ui.matches import boards
from db.stores.base import StorePart
from render import picture
from render.engine import raster, sketch
from rules.core.game import kept
from rules.core.match import Match
from tests.bench.moves.meter import Meter
from tests.e2e.costs import Costs

meter = Meter()
costs = Costs()


# --- where the time goes


def _other_threads() -> float:
    """Return the milliseconds that the threads of the database have used: all but the main one and the pool's."""
    return sum(
        1000 * time.clock_gettime((~thread.native_id << 3) | 6)
        for thread in threading.enumerate()
        if thread is not threading.main_thread()
        and not thread.name.startswith(("asyncio", "drawing"))
        and thread.native_id is not None
    )


class Tracing:
    """Replaces functions by metered ones for as long as a measurement lasts."""

    def __init__(self) -> None:
        self._found: list[tuple[type | Any, str, Any, Any]] = [
            (owner, name, vars(owner)[name], _around(vars(owner)[name], metered))
            for owner, name, metered in _parts()
        ]

    def begin(self) -> None:
        for owner, name, _, metered in self._found:
            setattr(owner, name, metered)
        meter.spent.clear()
        costs.counts.clear()

    def end(self) -> dict[str, Any]:
        for owner, name, plain, _ in self._found:
            setattr(owner, name, plain)
        return {"parts": dict(meter.spent), **costs.counts}


def _around(found: Any, metered: Callable[[Any], Any]) -> Any:
    if isinstance(found, classmethod):
        return classmethod(metered(found.__func__))
    if isinstance(found, kept):
        made = kept(metered(found.work_out))
        made.name = found.name
        return made
    return metered(found)


def _parts() -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
    """Yield what is metered: where it is, its name, and what makes a metered function of it."""
    for name, found in vars(Match).items():
        if not name.startswith("_") and (inspect.isfunction(found) or isinstance(found, classmethod)):
            yield Match, name, _as("referee")
    yield Match, "winners", _as("referee")
    yield LoadedMatch, "of", _as("referee")
    for part in StorePart.__subclasses__():
        for name, found in vars(part).items():
            if not name.startswith("_") and asyncio.iscoroutinefunction(found):
                yield part, name, _stored
    yield render, "draw", _as("draw")
    yield picture, "scene", _as("draw: scene")
    yield raster, "_ground_pixels", _as("draw: ground")
    yield sketch, "_sketch", _as("draw: lines computed")
    yield Image.Image, "quantize", _as("draw: palette")
    yield raster, "encode", _as("encode")
    yield boards, "panel", _as("panel")
    yield render, "alt", _as("panel: description")
    yield DiscordWebSocket, "received_message", _as("receive")
    yield ShardClient, "on_interaction", _as("answer")
    for owner, names in SENDING.items():
        for name in names:
            yield owner, name, _as("send")


def _as(part: str) -> Callable[[Any], Any]:
    return lambda function: meter.metered(part, function)


SENDING: dict[Any, tuple[str, ...]] = {
    HTTPClient: ("request",),
    AsyncWebhookAdapter: ("request",),
    discord.abc.Messageable: ("send",),
    discord.PartialMessage: ("edit", "delete"),
    discord.InteractionResponse: ("defer", "edit_message", "send_message"),
    discord.Interaction: ("edit_original_response", "delete_original_response"),
    discord.Webhook: ("send", "edit_message"),
}

_database = 0.0


def _stored(function: Any) -> Any:
    """Meter a method of the store, the time of the database's thread included."""
    names = function.__code__.co_names
    part = "store" if "write" in names or "write_at_once" in names else "load"
    metered = meter.metered(part, function)

    @wraps(function)
    async def whole(*args: Any, **kwargs: Any) -> Any:
        global _database
        try:
            return await metered(*args, **kwargs)
        finally:
            now = _other_threads()
            meter.spent[part] += now - _database
            _database = now

    return whole


# --- the orders


def _tell(line: object) -> None:
    with open(os.environ["TRACE"], "a") as file:
        file.write(json.dumps(line) + "\n")


def _listen() -> None:
    global _database
    tracing, loop = Tracing(), asyncio.get_running_loop()

    def begin() -> None:
        global _database
        _database = _other_threads()
        tracing.begin()
        _tell({})

    loop.add_signal_handler(signal.SIGUSR1, begin)
    loop.add_signal_handler(signal.SIGUSR2, lambda: _tell(tracing.end()))


def _listening(begin: Callable[..., None]) -> Callable[..., None]:
    def listen(self: Pencilbox) -> None:
        begin(self)
        _listen()

    return listen


if __name__ == "__main__":
    costs.watch(setattr)
    bot_class: Any = Pencilbox
    bot_class.begin = _listening(Pencilbox.begin)
    sys.exit(main())
