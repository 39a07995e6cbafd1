"""Uncooked Spaghetti and Square Meatballs: stiff strands, laid over one another between browned squares."""

from render.games.spaghetti import picture, words
from render.games.spaghetti.picture import ICONS, MARK

__all__ = ["ICONS", "MARK", "picture", "words"]
