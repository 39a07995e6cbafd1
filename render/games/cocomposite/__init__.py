"""Co-Compositeness: the trail of the odd numbers on squared paper, shaded where two of them met."""

from render.games.cocomposite import picture, words
from render.games.cocomposite.picture import ICONS, MARK

__all__ = ["ICONS", "MARK", "picture", "words"]
