"""How Co-Compositeness is played."""

from rules.lessons import Lesson, Page, Scene

SMALL = {"size": 5}
WALK = "c3, d3, d4, c4"

LESSON = Lesson(
    key="cocomposite",
    how="Write 1, 3, 5, 7 and so on, each beside the last; score when you join a number that shares a factor.",
    lengths={"quick": 35, "standard": 80, "long": 80},
    in_play=Scene(
        "o14, n15, o15, p16, p15, p14, p13, o12, o11, n12, n11, m11, m10, l11, l12, m13, n13, o12, o13, n13, n14, m15,"
        " l14, m14, l15, k15, j15, j14, k15, k14, j13, i12, h11, i10, i11, j10, k11, k10, j11, k12, k13, j12, i13, h12,"
        " h13, h14, g13, g12, f13, e13, d14, e14, e13, d12, c11, b10, a10, b9, c8, d9, c9, b8, a8, a9, b8, b7, b6, c7",
        players=3,
    ),
    pages=(
        Page(
            "Your move",
            "Write the next odd number in one of the eight squares around the number written last.",
            Scene(WALK, SMALL),
        ),
        Page(
            "The score",
            "A number may join another one if both share a factor above 1. 9 joins 3, since both are multiples of 3,"
            " and that scores a point.",
            Scene(f"{WALK}, d3", SMALL),
        ),
        Page(
            "Not allowed",
            "Numbers without a common factor may not share a square, and no square holds three.",
            Scene(WALK, SMALL),
            refused="c3",
            rule="no common factor",
        ),
        Page(
            "The end",
            "When the player on turn has no square to write in, the game ends. Most points win.",
            Scene("c2, d3, d4, c4, d3, c3, b3, a4, b4, a3, a4", {"size": 4}),
            end=True,
        ),
    ),
)
