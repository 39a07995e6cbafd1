"""X's and Lines: crosses on squared paper, and one trail of coloured lines through them."""

from render.games.xlines import picture
from render.games.xlines.picture import ICONS, MARK

__all__ = ["ICONS", "MARK", "picture"]
