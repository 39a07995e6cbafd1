"""The lesson of Alaric."""

from rules.lessons import Lesson, Page, Scene, Step
from rules.lessons.goals import Ends, Gains, Legal, RefusedBy, Wins

SMALL = {"size": 9}

LESSON = Lesson(
    key="alaric",
    how="Capture enemy runs between two of your stones; most stones at the end win. You may not answer on a cell"
    " where your stone was just captured.",
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
    steps=(
        Step(
            "A stone",
            "Place one stone of yours on any empty cell of the ring: press its number.",
            Scene("2, 3, 7, 4", SMALL),
            Legal(),
            hint="6",
            done="That is a whole move: one stone, on any empty cell.",
        ),
        Step(
            "Capture",
            "The enemy stones on 3 and 4 lie side by side, and your stone on 2 is at one end of them. Place a stone at"
            " the other end.",
            Scene("2, 3, 7, 4", SMALL),
            Gains(3),
            hint="5",
            done="Your stones on 2 and 5 enclosed them, so both came off.",
            miss="That takes nothing: your stones must stand at both ends of the run, with no empty cell between.",
            wrong={
                "6": "Cell 5 stays empty between 4 and your stone, so nothing is enclosed. The run ends at 4."
            },
        ),
        Step(
            "Forbidden",
            "Now you are the other side, and your stones on 3 and 4 have just been captured. Try to place one on 3, and"
            " see why not.",
            Scene("2, 3, 7, 4, 5", SMALL),
            RefusedBy("forbidden"),
            hint="3",
            done="After this one move the cell is free for you again.",
            miss="That is legal: only 3 and 4 are forbidden, marked by crosses.",
            wrong={"1": "1 is legal, since none of your stones was captured there. Try 3 or 4."},
            tempting=("3", "4"),
        ),
        Step(
            "Between two enemies",
            "Cell 4 lies between two enemy stones. Place a stone there.",
            Scene("1, 3, 8, 5", SMALL),
            Legal(("4",)),
            hint="4",
            done="It stays: only an enemy stone that is placed later can capture it.",
            miss="That is legal, but the cell between the two enemy stones is 4.",
            wrong={
                "2": "2 lies between a stone of yours and one of theirs. The cell between two enemies is 4."
            },
        ),
        Step(
            "The end and the count",
            "Only one cell is left. Fill it, and count the stones.",
            Scene("2, 5, 3, 4, 7, 6", {"size": 7}),
            Ends(),
            hint="1",
            done="Your opponent has no cell to play, so the game is over. You own 4 of the 7 stones, so you win.",
        ),
        Step(
            "Win it",
            "You can win this against the strongest computer player. Look for a cell where your stones cannot be"
            " enclosed, and play on to the end.",
            Scene("7, 2, 4, 5", {"size": 7}),
            Wins(),
            hint="3",
            done="You beat the strongest computer player.",
            miss="The game is over, and you own no more stones than your opponent.",
            wrong={
                "1": "After 1 your opponent comes out ahead. Keep your stones beside each other.",
                "6": "After 6 your opponent comes out ahead. Keep your stones beside each other.",
            },
            against=True,
        ),
    ),
)
