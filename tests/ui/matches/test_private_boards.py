"""Private boards, on which their member chooses parts of the moves, lays cards and searches, fit into one message."""

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.app.matches.loaded import LoadedMatch
from bot.ui.matches.panel import choice_panel, panel, secret_choice, still_asked
from bot.ui.moves.controls import BOARD, PartButton, part_controls
from bot.ui.moves.play import Controls, MatchTarget
from bot.ui.moves.words import _results, words_controls
from render.games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.match import Match
from rules.core.prompt import NumberPrompt, Prompt, WordsPrompt
from rules.games import BY_KEY
from tests.rules.walks import step
from tests.sandbox.drafts import read_message
from tests.ui.test_messages import loaded
from tests.ui.words import words

pytestmark = pytest.mark.slow

PICTURE = "board.png"
OPEN = [game for game in HOSTED_GAMES if not game.sealed]
"""The games without secret moves."""


def private(match: Match, seat: int) -> LoadedMatch:
    """The match on a board that only the player of this seat sees."""
    shown = loaded(match, private=True)
    viewer = shown.stored.users[seat]
    return replace(shown, stored=replace(shown.stored, place=replace(shown.stored.place, viewer=viewer)))


def shown_on_board(controls: Controls) -> dict[str, str]:
    """Check the board with these controls as Discord would; the custom ids of its buttons, by label."""
    picture = discord.File(io.BytesIO(b""), filename=PICTURE, description="A board.")
    view: Any = choice_panel(
        controls.loaded, controls.question, controls.rows, picture, "paper", introduced=True
    )
    body = {"components": view.to_components(), "flags": 1 << 15}
    read_message(body, (PICTURE,))
    buttons = [item for item in view.walk_children() if isinstance(item, discord.ui.Button)]
    buttons += [item.item for item in view.walk_children() if isinstance(item, discord.ui.DynamicItem)]
    return {button.label or "": button.custom_id or "" for button in buttons}


def parts_within(
    prompt: Prompt, shown: LoadedMatch, seat: int, path: str = ""
) -> Iterator[tuple[str, Controls]]:
    """All parts of the moves with their controls, however deep."""
    controls = part_controls(prompt, MatchTarget(shown.id), shown, seat, path)
    yield path, controls
    for row in controls.rows:
        for item in row:
            if isinstance(item, PartButton) and item.path.startswith(path) and item.path not in (path, BOARD):
                yield from parts_within(prompt, shown, seat, item.path)


@pytest.mark.parametrize("game", OPEN, ids=lambda game: game.key)
def test_every_part_of_the_moves_fits_and_leads_back(game: Game[Any, Any]) -> None:
    match, chance, chosen = Match.start(game, game.sizes["standard"], 2), random.Random(4), 0
    for _ in range(12):
        if match.over:
            break
        seat = match.to_move[0]
        assert seat is not None
        shown = private(match, seat)
        prompt = match.observe(seat).prompt
        assert prompt is not None
        for path, controls in list(parts_within(prompt, shown, seat))[:40]:
            if not controls.whole:
                chosen += 1
                back = shown_on_board(controls)["Back"]
                assert back.startswith("among:"), path
        match = step(match, chance)
    assert chosen or isinstance(prompt, NumberPrompt)


@pytest.mark.parametrize("reds", range(0, 27, 13))
def test_hand_and_search_of_the_longest_rows_fit(reds: int) -> None:
    match = Match.start(BY_KEY["palindromes"], {"cards": 26}, 2).play(None, f"deal {reds}")
    hand = secret_choice(private(match, 0))
    assert hand is not None
    assert {"Seal it", "Type the row", "More"} <= set(shown_on_board(hand))
    for seat in (0, 1):
        count = reds if seat == 0 else 26 - reds
        match = match.play(seat, "arrange " + "R" * count + "B" * (26 - count))
    search = secret_choice(private(match, 0))
    assert search is not None
    assert {"Type palindromes", "Done"} <= set(shown_on_board(search))
    prompt = match.observe(0).prompt
    assert isinstance(prompt, WordsPrompt)
    if reds < 26:
        last = words_controls(prompt, MatchTarget(1), private(match, 0), 0, first=1)
        assert "Back" in shown_on_board(last)


def test_private_board_says_that_the_last_guess_was_wrong() -> None:
    """Only on the board of the member who guessed, also once the game is over."""
    match = Match.start(BY_KEY["palindromes"], {"cards": 8, "misses": 1}, 2)
    for seat, text in ((None, "deal 4"), (0, "arrange RRRRBBBB"), (1, "arrange RRRRBBBB")):
        match = match.play(seat, text)
    opened = words(panel(private(match, 0), "paper", live=True))
    assert "Both rows are laid, and everybody can see them." in opened
    wrong = match.play(0, "find RBBR")
    for ended in (wrong, wrong.play(1, "find R").play(1, "done")):
        assert LAST_GUESS in words(panel(private(ended, 0), "paper", live=True))
        assert "last guess" not in words(panel(private(ended, 1), "paper", live=True))
        assert "last guess" not in words(panel(loaded(ended), "paper", live=True))
    stopped = match.play(0, "done")
    assert "last guess" not in words(panel(private(stopped, 0), "paper", live=True))


LAST_GUESS = "♦♣♣♦ is not in your opponent's row. It was your last guess, so your search is over."


def test_refusal_of_a_single_word_is_a_sentence() -> None:
    """After the turn line, which it follows on a private board."""
    assert _results([], ["♦♣ reads differently backwards."]) == ["♦♣ reads differently backwards."]
    assert _results([], ["One.", "Two."]) == ["None of these counts.", "- One.", "- Two."]
    assert _results(["R"], ["One."]) == ["**1 new:** ♦", "- One."]


def test_private_board_stays_while_its_member_chooses_a_secret_move() -> None:
    """Moves of the opponent, who lays cards or ends a search, take nothing away that the member has begun."""
    dealt = Match.start(BY_KEY["palindromes"], {"cards": 8}, 2).play(None, "deal 4")
    laid = dealt.play(1, "arrange RRRRBBBB")
    searching = laid.play(0, "arrange RRRRBBBB")
    found, done = searching.play(0, "find RR"), searching.play(1, "done")
    over = done.play(0, "done")
    pairs = ((dealt, laid), (laid, searching), (searching, found), (searching, done), (done, over))
    assert [still_asked(private(before, 0), private(after, 0)) for before, after in pairs] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_others_see_no_secret_controls() -> None:
    match = Match.start(BY_KEY["palindromes"], {"cards": 8}, 2).play(None, "deal 4")
    assert secret_choice(loaded(match)) is None
    laid = match.play(0, "arrange RRRRBBBB")
    assert secret_choice(private(laid, 0)) is None
    assert secret_choice(private(laid, 1)) is not None
