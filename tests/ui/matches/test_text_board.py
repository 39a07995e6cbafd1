"""The board as text is enough to play by: position and prompt in words, within one message."""

import random
import re
from typing import Any

import pytest

from bot.ui.matches.board_actions import MOST_LISTED, board_text
from rules.core.game import Game
from rules.core.match import Match
from rules.games import BY_KEY
from tests.e2e.play import OPEN
from tests.rules.plain.palindromes import sample
from tests.ui.test_messages import loaded

pytestmark = pytest.mark.slow


def readable(text: str) -> list[str]:
    """Return the moves that the text names, in its order."""
    question = next(line for line in text.splitlines() if line.startswith("**Your turn.**"))
    listed = re.search(r" Legal moves: (.*)\.$", question)
    if listed is None:
        return [re.findall(r"for example `([^`]+)`", question)[0]]
    return re.findall(r"`([^`]+)`", listed[1])


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(game, size, id=f"{game.key}-{size}", marks=() if size == "quick" else pytest.mark.soak)
        for game in OPEN
        for size in game.sizes
    ],
)
def test_a_game_is_played_to_the_end_by_its_texts_alone(game: Game[Any, Any], size: str) -> None:
    match = Match.start(game, game.sizes[size], game.seats[0])
    chance = random.Random(size)
    while not match.over:
        seat = match.to_move[0]
        text = board_text(loaded(match), seat)
        assert len(text) <= 4000
        moves = readable(text)
        legal = match.legal() or ()
        assert moves == list(legal) if len(legal) <= MOST_LISTED else moves[0] in legal
        assert f"{len(legal)} moves" in text or len(legal) <= MOST_LISTED
        match = match.play(seat, chance.choice(moves))
    text = board_text(loaded(match), 0)
    assert "turn.**" not in text
    assert re.search("has won|draw|share the win", text)


def test_waiting_players_are_told_whose_turn_it_is() -> None:
    shown = loaded(Match.start(BY_KEY["alaric"], {"size": 5}, 2))
    assert f"**The turn of <@{shown.stored.users[0]}>.** Place a stone" in board_text(shown, 1)
    assert board_text(shown, 1) == board_text(shown, None)
    assert (
        "**Your turn.** Place a stone on a numbered cell. Legal moves: `1`, `2`, `3`, `4` or `5`."
        in board_text(shown, 0)
    )


def test_only_its_owner_reads_a_hand() -> None:
    game = BY_KEY["palindromes"]
    texts = []
    for reds in (3, 5):
        match = Match.start(game, {"cards": 8}, 2).play(None, f"deal {reds}")
        texts.append([board_text(loaded(match), observer) for observer in (None, 0, 1)])
        assert f"Your hand: {reds} red and {8 - reds} black cards." in texts[-1][1]
        assert "Lay your cards" in texts[-1][1]
        match = match.play(0, sample(match.state, 0, random.Random(1)))
        assert "Your turn" not in board_text(loaded(match), 0)
    assert texts[0][0] == texts[1][0]
    assert texts[0][2] != texts[1][2]
