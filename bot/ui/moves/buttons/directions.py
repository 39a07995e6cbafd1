"""Directions on a board, and their arrows."""

from collections.abc import Mapping

Way = tuple[int, int]
"""A direction: cells to the right and cells upwards."""

PLAIN = "\N{VARIATION SELECTOR-15}"
"""Keeps phones from showing the slanted arrows as coloured emoji beside the straight ones."""

ARROWS: Mapping[Way, str] = {
    (-1, 1): f"↖{PLAIN}", (0, 1): "↑", (1, 1): f"↗{PLAIN}",
    (-1, 0): "←", (1, 0): "→",
    (-1, -1): f"↙{PLAIN}", (0, -1): "↓", (1, -1): f"↘{PLAIN}",
}  # fmt: skip
