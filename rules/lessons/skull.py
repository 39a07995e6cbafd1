"""The lesson of the Amazon Skull Game."""

from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Legal, RefusedBy, Wins

SMALL = {"width": 5, "height": 4}

LESSON = Lesson(
    key="skull",
    how="Take turns to lengthen one path of skulls, which may never touch itself; whoever cannot move loses.",
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
            "A player who can lengthen the path at neither end loses, and adds a head to the pile.",
            Scene("c2, d2, d3, b2, b1, a1", {"width": 4, "height": 3}),
            end=True,
        ),
    ),
    steps=(
        Step(
            "A skull",
            "Lengthen the path by one skull, at either of its two ends. The marked cells are the ones you may press.",
            Scene("c2, c3, d3", SMALL),
            Legal(),
            hint="d4",
            done="The path has grown by one skull.",
        ),
        Step(
            "Touching the path",
            "The path may never touch itself. Try d2, and see why not.",
            Scene("c2, c3, d3", SMALL),
            RefusedBy("touches itself"),
            hint="d2",
            done="Only straight neighbours count; corners may meet.",
            miss="That cell is legal: it touches only an end of the path. Try d2.",
            wrong={"e3": "e3 touches only d3, an end of the path, so it is legal. Try d2."},
            tempting=("d2",),
        ),
        Step(
            "Branching",
            "The path grows at its ends only. Try b3, beside its middle, and see why not.",
            Scene("c2, c3, d3", SMALL),
            RefusedBy("branch"),
            hint="b3",
            done="Only the two ends may be lengthened.",
            miss="That cell is legal: it lengthens the path at an end. Try b3.",
            wrong={"b2": "b2 lies beside c2, which is an end, so it is legal. Try b3."},
            tempting=("b3", "c4"),
        ),
        Step(
            "The other end",
            "The last skull lies on d3. Lengthen the path at its other end, c2.",
            Scene("c2, c3, d3", SMALL),
            Legal(("b2", "c1")),
            hint="c1",
            done="You may choose between both ends in every move.",
            miss="That is the end at d3. The other end is c2.",
            wrong={"e3": "e3 lengthens the path at d3. The other end is c2."},
        ),
        Step(
            "The end",
            "One cell is left, and your opponent would have none. Take it.",
            Scene("c2, d2, d3, b2, b1", {"width": 4, "height": 3}),
            Wins(),
            hint="a1",
            done="Your opponent can lengthen the path at neither end, so they lose and add a head to the pile.",
        ),
        Step(
            "Win it",
            "You can win this against the strongest computer player. Count the moves that each cell leaves, and play on"
            " to the end.",
            Scene("c2, b2, b3, a3, d2", SMALL),
            Wins(),
            hint="d1",
            done="You beat the strongest computer player.",
            miss="Now you cannot lengthen the path, so you have lost. Count once more how many moves are left.",
            wrong={
                "a4": "a4 shuts that end, but too many moves are left at the other one.",
                "e2": "After e2 the other end has one move too many. Look at the corner at the bottom.",
            },
            against=True,
        ),
    ),
)
