"""X's and Lines: crosses on squared paper, and one trail of coloured lines through them."""

from render.games.xlines import picture

__all__ = ["picture"]
