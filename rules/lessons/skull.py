"""How the Amazon Skull Game is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"width": 5, "height": 4}

LESSON = Lesson(
    key="skull",
    how="Take turns to lengthen one path of skulls at either end; it may never touch itself.",
    lengths={"quick": 13, "standard": 17, "long": 25},
    in_play=Scene("c4, d4, c3, b3, e4, b2, e3, b1, f3"),
    pages=(
        Page(
            "Your move",
            "The first skull lies anywhere. Then you lengthen the path by one skull, at either of its two ends. The"
            " marked cells are the ones you may choose from.",
            Scene("c2, c3, d3", SMALL),
        ),
        Page(
            "Not allowed: touching the path",
            "A new skull lies straight beside one skull only.",
            Scene("c2, c3, d3", SMALL),
            refused="d2",
            rule="touches itself",
        ),
        Page(
            "Not allowed: branching",
            "The path grows at its two ends, never in the middle.",
            Scene("c2, c3, d3", SMALL),
            refused="b3",
            rule="branch",
        ),
        Page(
            "The end",
            "Whoever is on turn and can lengthen the path at neither end loses, and adds a skull to the pile of heads.",
            Scene("c2, d2, d3, b2, b1, a1", {"width": 4, "height": 3}),
            end=True,
        ),
    ),
)
