"""The texts of a message, as its readers see them."""

from discord import ui


def texts(view: ui.View | ui.LayoutView) -> list[str]:
    """Return the texts of a message from top to bottom."""
    return [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]


def words(*views: ui.View | ui.LayoutView) -> str:
    """Return all texts of these messages."""
    return "\n".join(text for view in views for text in texts(view))
