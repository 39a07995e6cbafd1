"""The Palindromic Card Game: two rows of cards, and brackets under what has been found in them."""

from render.games.palindromes import draft, picture, words

__all__ = ["draft", "picture", "words"]
