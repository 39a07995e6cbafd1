"""How Alaric is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"size": 9}

LESSON = Lesson(
    key="alaric",
    how="Place a stone on the ring; a run of enemy stones between it and another stone of yours comes off.",
    lengths={"quick": 13, "standard": 35, "long": 65},
    in_play=Scene("10, 5, 3, 8, 2, 1, 6, 13, 7, 9, 4, 11"),
    pages=(
        Page(
            "Your move",
            "Place one stone of yours on an empty cell of the ring.",
            Scene("2, 3, 7, 4", SMALL),
        ),
        Page(
            "Capturing",
            "The new stone on 5 and the stone on 2 enclose 3 and 4, so these two enemy stones come off the ring.",
            Scene("2, 3, 7, 4, 5", SMALL),
        ),
        Page(
            "Not allowed",
            "The player who has just lost stones may not play on the emptied cells in the very next move.",
            Scene("2, 3, 7, 4, 5", SMALL),
            refused="3",
            rule="forbidden",
        ),
        Page(
            "The end and the score",
            "When the player on turn has no cell to play, the game ends. More stones on the ring win.",
            Scene("2, 5, 3, 4, 7, 6, 1", {"size": 7}),
            end=True,
        ),
    ),
)
