"""The computer player of Uncooked Spaghetti and Square Meatballs."""

from rules.players.games.spaghetti.player import SpaghettiPlayer

__all__ = ["SpaghettiPlayer"]
