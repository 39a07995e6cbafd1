"""The scores of the levels follow from the games that they played."""

import json

import pytest

from rules.players.levels import LEVELS, score
from tests.bench.players.calibrate import FILE, scores

CALIBRATION = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def test_three_wins_of_four_are_some_260_points() -> None:
    first, second, third = scores({"2-1": (0.75, 2000), "3-2": (0.75, 2000)}, 3)
    assert first == 1000
    assert second - first == pytest.approx(259, abs=2)
    assert third - second == pytest.approx(259, abs=2)


def test_equal_levels_have_equal_scores_and_a_lost_pair_is_below() -> None:
    assert scores({"2-1": (0.5, 100)}, 2) == [1000, 1000]
    assert scores({"2-1": (0.25, 100)}, 2)[1] < 1000


def test_no_share_makes_a_level_infinitely_strong() -> None:
    assert scores({"2-1": (1.0, 100)}, 2)[1] < 3000


@pytest.mark.parametrize("game", sorted(CALIBRATION))
def test_published_scores_are_those_of_the_published_shares(game: str) -> None:
    pairs = {pair: (share, games) for pair, (share, games) in CALIBRATION[game]["pairs"].items()}
    assert CALIBRATION[game]["scores"] == scores(pairs)
    assert [score(game, level) for level in range(1, LEVELS + 1)] == CALIBRATION[game]["scores"]


def test_game_that_was_not_calibrated_has_no_score() -> None:
    assert score("chess", 1) is None
