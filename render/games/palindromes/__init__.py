"""The Palindromic Card Game: two rows of cards, and brackets under what has been found in them."""

from render.games.palindromes import draft, picture, words
from render.games.palindromes.picture import ICONS, MARK

__all__ = ["ICONS", "MARK", "draft", "picture", "words"]
