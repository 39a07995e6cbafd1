"""Every game of the catalogue has all that render offers. A game that lacks a part is named together with the part."""

import random
from pkgutil import iter_modules
from typing import Any

import pytest

import render
import render.games
from render.board.annotations.draft import lay_row
from render.board.game_board import draw_board, no_spot
from render.board.text import ALT_LIMIT, TEXT_LIMIT, describe
from render.games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.match import Match
from rules.core.prompt import RowPrompt
from rules.games import GAMES
from tests.rules.walks import finish, step

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def missing(game: Game[Any, Any]) -> list[str]:
    """Return the parts that a game still needs in `render/games/<key>.py`, or in a package of that name."""
    start = Match.start(game, {}, game.seats[0])
    view = type(start.observe(None).board)
    parts = []
    if draw_board.dispatch(view) is draw_board.dispatch(object):
        parts.append(f"a picture: @draw_board.register for {view.__name__}")
    elif draw_board(start.observe(None).board, start.observe(None)).spot is no_spot:
        parts.append("the spots of its canonical names: Board(..., spot=...)")
    if describe.dispatch(view) is describe.dispatch(object):
        parts.append(f"a text: @describe.register for {view.__name__}")
    if asks_for_a_row(start) and lay_row.dispatch(view) is lay_row.dispatch(object):
        parts.append(f"a row that is not complete: @lay_row.register for {view.__name__}")
    return parts


def asks_for_a_row(match: Match) -> bool:
    """Return True if the first moves of a match, by chance, meet a prompt for a row."""
    for plies in range(6):
        stage = finish(match, random.Random(1), plies)
        if any(isinstance(stage.observe(seat).prompt, RowPrompt) for seat in stage.playing):
            return True
    return False


@every_game
def test_a_game_registers_all_its_parts(game: Game[Any, Any]) -> None:
    assert missing(game) == []


@every_game
def test_a_game_has_picture_alt_text_board_and_caption(game: Game[Any, Any]) -> None:
    match = Match.start(game, {}, game.seats[0])
    match = step(match, random.Random(1))
    seen = match.observe(None)
    assert render.draw(seen, "paper").startswith(b"\x89PNG")
    assert render.draw(seen, "slate") != render.draw(seen, "paper")
    assert game.sheet.title in render.alt(seen)
    assert len(render.alt(seen)) <= ALT_LIMIT
    assert 0 < len(render.text_board(seen)) <= TEXT_LIMIT
    assert render.caption(seen)


@every_game
def test_moves_that_name_cells_or_lines_have_a_spot(game: Game[Any, Any]) -> None:
    """So that a rejected move can be marked. Moves of other kinds, such as whole rows, have none."""
    match = Match.start(game, {}, game.seats[0])
    for plies in range(6):
        stage = finish(match, random.Random(2), plies)
        if stage.over:
            break
        seen = stage.observe(stage.to_move[0])
        spot = draw_board(seen.board, seen).spot
        assert all(spot(text) for text in stage.legal() or ())


def test_every_module_of_render_games_belongs_to_a_game() -> None:
    assert {module.name for module in iter_modules(render.games.__path__)} == {game.key for game in GAMES}
    assert HOSTED_GAMES == GAMES
