"""The scores of the levels follow from the games that they played."""

import json

import pytest

from rules.games import find
from rules.players.choose import levels_of
from rules.players.levels import score
from tests.bench.players.calibrate import FILE, scores

CALIBRATION = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


@pytest.mark.parametrize("game", sorted(CALIBRATION))
def test_published_scores_are_those_of_the_published_shares(game: str) -> None:
    pairs = {pair: (share, games) for pair, (share, games) in CALIBRATION[game]["pairs"].items()}
    assert CALIBRATION[game]["scores"] == scores(pairs)
    assert [score(game, level) for level in levels_of(find(game))] == CALIBRATION[game]["scores"]


def test_game_that_was_not_calibrated_has_no_score() -> None:
    assert score("chess", 1) is None
