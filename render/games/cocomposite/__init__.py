"""Co-Compositeness: the trail of the odd numbers on squared paper, shaded where two of them met."""

from render.games.cocomposite import picture, words

__all__ = ["picture", "words"]
