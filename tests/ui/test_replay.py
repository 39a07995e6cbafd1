"""Watching a game: an animation where it is short enough, else position by position."""

from typing import Any

import discord
import pytest
from discord import ui

from bot.ui import replay as module
from bot.ui.components.film_worker import FilmWorker
from bot.ui.replay import MOST_POSITIONS, ReplaySource, animation
from rules.core.match import Match
from rules.games import find


def source(size: int, plies: int) -> ReplaySource:
    match = Match.start(find("alaric"), {"size": size}, 2)
    for _ in range(plies):
        (seat,) = match.to_move
        legal = match.legal()
        assert legal
        match = match.play(seat, legal[0])

    def button(to: int, way: str, disabled: bool) -> ui.Button[Any]:
        return ui.Button(label=way, custom_id=f"{to}:{way}", disabled=disabled)

    return ReplaySource("A game", "game", match, button, ("record.json", b"{}"))


async def test_a_short_game_is_an_animation() -> None:
    said = await animation(source(3, 2), "paper", FilmWorker())
    assert isinstance(said.file, discord.File)
    assert said.file.fp.read(4) == b"GIF8"
    assert [file.filename for file in said.attached] == ["game.gif", "record.json"]


async def test_a_game_too_long_for_that_begins_at_its_last_position() -> None:
    long = source(40, MOST_POSITIONS)
    assert not long.match.over
    said = await animation(long, "paper", FilmWorker())
    assert [file.filename for file in said.attached] == [f"game-move-{MOST_POSITIONS}.png", "record.json"]
    assert isinstance(said.view, ui.LayoutView)
    ways = {item.label: item for item in said.view.walk_children() if isinstance(item, ui.Button)}
    assert ways["last"].disabled
    assert ways["back"].custom_id == f"{MOST_POSITIONS - 1}:back"
    assert "again" not in ways


async def test_an_animation_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0)
    said = await animation(source(3, 2), "paper", FilmWorker())
    assert [file.filename for file in said.attached] == ["game-move-2.png", "record.json"]
