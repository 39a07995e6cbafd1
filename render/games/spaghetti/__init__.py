"""Uncooked Spaghetti and Square Meatballs: stiff strands, laid over one another between browned squares."""

from render.games.spaghetti import picture, words

__all__ = ["picture", "words"]
