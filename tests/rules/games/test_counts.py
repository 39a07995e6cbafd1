"""The number of ways to play so many moves, which second implementations and other programs have confirmed."""

import pytest

from rules.core.match import Match
from rules.games import find

COUNTS: dict[str, list[tuple[dict[str, int], str, tuple[int, ...]]]] = {
    "alaric": [
        ({"size": 3}, "", (1, 3, 6, 6, 0)),
        ({"size": 4}, "", (1, 4, 12, 24, 24, 8, 0)),
        ({"size": 5}, "", (1, 5, 20, 60, 120, 140, 100, 60)),
        ({"size": 6}, "", (1, 6, 30, 120, 360, 756)),
        ({"size": 8}, "", (1, 8, 56, 336, 1680)),
        ({"size": 13}, "", (1, 13, 156, 1716)),
    ],
    "cocomposite": [
        ({"size": 4}, "", (1, 16, 84, 408, 1764, 7600)),
        ({"size": 5}, "", (1, 25, 144, 768, 3768)),
        ({"size": 16}, "", (1, 256, 1860)),
    ],
    "maze": [
        ({"size": 2}, "", (1, 8, 36, 56, 80, 96, 64, 0)),
        ({"size": 3}, "", (1, 48, 1360)),
        ({"size": 4}, "", (1, 144)),
    ],
    "polygons": [
        ({"dots": 2, "size": 10}, "", (1, 100, 9900)),
        ({"dots": 3, "size": 10}, "d2 h8 a6 g6 c4 g4", (1, 30, 120, 360, 720, 720, 0)),
    ],
    "skull": [
        ({"width": 9, "height": 1}, "", (1, 9, 16, 28, 48, 80, 128)),
        ({"width": 3, "height": 3}, "", (1, 9, 24, 88, 192, 320, 256, 512, 0)),
        ({"width": 4, "height": 4}, "", (1, 16, 48, 208, 640, 1920)),
        ({"width": 5, "height": 4}, "", (1, 20, 62, 280, 920, 3040)),
        ({"width": 6, "height": 5}, "", (1, 30, 98, 472, 1704)),
    ],
    "spaghetti": [
        ({"size": 2}, "", (1, 4, 12, 68, 144, 96, 0)),
        ({"size": 3}, "", (1, 9, 72, 504)),
        ({"size": 4}, "", (1, 16, 240)),
        ({"size": 3}, "b2 c3 a3", (1, 16, 144, 588, 720)),
        ({"size": 3}, "a1 b1 c1", (1, 18, 182, 864)),
        ({"size": 3}, "a1 b2 c3", (1, 14, 110, 360, 240, 0)),
    ],
    "xlines": [
        ({"size": 3}, "", (1, 9, 72, 504, 3744, 4776, 0)),
        ({"size": 4}, "", (1, 16, 240)),
        ({"size": 4}, "a1 b2 c3 d4", (1, 24, 96, 160, 0)),
        ({"size": 5}, "a2 b5 d1 e4 c3", (1, 40, 224, 680, 820, 0)),
        ({"size": 6}, "a1 c2 e3 b4 d5 f6", (1, 60, 460, 2288)),
        ({"size": 8}, "b2 g2 d5 e7 b8 h6 f1 a4", (1, 100, 1016)),
    ],
}


@pytest.mark.parametrize(
    ("key", "options", "opening", "counts"),
    [
        pytest.param(key, *case, id=f"{key} {index}")
        for key, cases in COUNTS.items()
        for index, case in enumerate(cases)
    ],
)
def test_number_of_games(key: str, options: dict[str, int], opening: str, counts: tuple[int, ...]) -> None:
    """`counts` are the numbers of continuations of an opening by 0, 1, 2 and so on moves."""
    game = find(key)
    match = Match.start(game, options, 2)
    for text in opening.split():
        match = match.play(match.to_move[0], text)
    states, found = [match.state], [1]
    for _ in counts[1:]:
        states = [
            game.apply(state, game.to_move(state)[0], move)
            for state in states
            for move in game.legal(state) or ()
        ]
        found.append(len(states))
    assert tuple(found) == counts
