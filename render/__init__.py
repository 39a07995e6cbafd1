"""Pictures of matches, and the same in text, made from an Observation alone. Pure, synchronous and thread-safe.

What one module alone needs is imported from the module of this package that defines it.
"""

from render.board.annotations.advice import Advice
from render.board.annotations.candidates import Candidates, Outline
from render.board.annotations.correction import RejectedMove, RejectedMoves, visible_part
from render.board.players import Player, short_name
from render.board.text import alt, caption, deed, text_board
from render.engine.theme import THEMES
from render.games import MODULES  # registers the pictures and the texts of all games
from render.picture import draw
