"""Pictures of matches, and the same in text, made from an Observation alone. Pure, synchronous and thread-safe."""

from render.board.annotations.advice import Advice
from render.board.annotations.candidates import Candidates, Outline, candidates_text
from render.board.annotations.correction import RejectedMove, RejectedMoves, visible_part
from render.board.annotations.draft import with_first, with_row
from render.board.players import Player, short_name
from render.board.seats import seat_mark, with_names
from render.board.text import alt, caption, reason, text_board
from render.engine.theme import THEMES
from render.games import HOSTED_GAMES
from render.picture import draw, draw_candidates

__all__ = [
    "HOSTED_GAMES",
    "THEMES",
    "Advice",
    "Candidates",
    "Outline",
    "Player",
    "RejectedMove",
    "RejectedMoves",
    "alt",
    "candidates_text",
    "caption",
    "draw",
    "draw_candidates",
    "reason",
    "seat_mark",
    "short_name",
    "text_board",
    "visible_part",
    "with_first",
    "with_names",
    "with_row",
]
