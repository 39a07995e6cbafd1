"""Puzzles with cards: a best row is laid, or all palindromes of a row are found."""

import pytest

from bot.app.errors import Refused
from bot.app.puzzles.puzzles import REFUSAL
from bot.ui.puzzles.buttons import PuzzleButton, PuzzleTarget
from rules.core.notation import suits
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import of_game
from tests.app.conftest import ADA, ELSEWHERE, EMMY, HERE, Host
from tests.ui.exercises import LoneMember

HAND = next(it for it in of_game("palindromes") if it.lays and it.options[0] == 11)
ROW = next(it for it in of_game("palindromes") if not it.lays)


async def opened(host: Host, puzzle: Puzzle) -> LoneMember:
    member = LoneMember(host)
    await member.use(PuzzleButton(puzzle.name))
    member.check()
    return member


async def typed(member: LoneMember, puzzle: Puzzle, *texts: str) -> None:
    for text in texts:
        await PuzzleTarget(puzzle.name).play(member.context, text, len(puzzle.match.log))
        member.check()


def wrong_names(puzzle: Puzzle) -> list[str]:
    """Return stretches of the row, from red to red, that are no palindromes."""
    row = puzzle.moves[1].split()[-1]
    reds = [place for place, card in enumerate(row) if card == "R"]
    names = {row[first : last + 1] for first in reds for last in reds if first < last}
    return sorted(name for name in names if name != name[::-1])


async def test_palindromes_of_a_row_are_found_in_any_order(host: Host) -> None:
    member = await opened(host, ROW)
    assert f"Find all {ROW.only_moves} palindromes in the other row." in member.text
    *others, last = reversed(ROW.line)
    for text in others:
        await member.enter(ROW.match, PuzzleTarget(ROW.name), ROW.seat, text)
    wrong = wrong_names(ROW)[0]
    await typed(member, ROW, wrong)
    found = ", ".join(suits(text.split()[-1]) for text in others)
    assert f"Found {len(others)} of {ROW.only_moves}: {found}." in member.text
    first = ROW.moves[1].split()[-1].index("R") + 1
    await member.press(f"solve:{ROW.name}:point:0:{len(ROW.match.log)}:{first}:0")
    assert f"begins at card {first}" in member.text
    assert "You have found" not in member.text, "the puzzle has said it"
    again = await opened(host, ROW)
    assert f"Wrong guesses: {suits(wrong)}." in again.text, "it goes on where it was left"
    await typed(again, ROW, last)
    assert f"**Solved.** You found all {ROW.only_moves} palindromes." in again.text
    assert await host.store.puzzles.attempted(ADA) == {ROW.name: True}
    assert not any(it.startswith("explore") for it in again.buttons)


async def test_third_wrong_guess_or_done_ends_the_attempt(host: Host) -> None:
    member = await opened(host, ROW)
    await typed(member, ROW, ROW.line[0], *wrong_names(ROW)[:3])
    missed = f"You missed {', '.join(suits(text.split()[-1]) for text in ROW.line[1:])}."
    assert f"**Not yet.** You found 1 of {ROW.only_moves} palindromes." in member.text
    picture = member.seen[-1].file
    assert picture is not None
    assert "missed" not in (picture.description or ""), "the answer is left for a second attempt"
    await member.press(f"puzzle:{ROW.name}:again")
    await typed(member, ROW, ROW.line[0], "done")
    assert f"**Not solved.** You found 1 of {ROW.only_moves} palindromes. {missed}" in member.text
    line = f"puzzle-line:{ROW.name}"
    await member.press(f"{line}:0:open")
    for plies in range(1, ROW.only_moves + 1):
        assert f"The next one is {suits(ROW.line[plies - 1].split()[-1])}." in member.text
        await member.press(f"{line}:{plies}:next")


async def test_a_best_row_of_a_hand_is_laid(host: Host) -> None:
    best = HAND.line[0].split()[-1]
    poor = "".join(sorted(best))
    member = await opened(host, HAND)
    assert "Lay your cards in a row that is worth 1, the most" in member.text
    await typed(member, HAND, poor)
    assert f"**Not yet.** Your row, {suits(poor)}, is worth 0. Try once more" in member.text
    assert suits(best) not in member.text
    await member.press(f"puzzle:{HAND.name}:again")
    await member.press(next(it for it in member.buttons if ":order:" in it))
    await typed(member, HAND, poor)
    assert f"**Not solved.** Your row, {suits(poor)}, is worth 0. {suits(best)} is worth 1." in member.text
    await member.press(f"puzzle:{HAND.name}:again")
    await typed(member, HAND, best[::-1])  # another best row
    assert f"**Solved.** Your row, {suits(best[::-1])}, is worth 1" in member.text
    assert await host.store.puzzles.attempted(ADA) == {HAND.name: False}


async def test_a_hand_of_a_running_rated_game_is_no_puzzle(host: Host) -> None:
    match = (await host.begin("palindromes", "cards 11", ELSEWHERE)).match
    reds = int(match.log[0].text.split()[-1])
    hands = {it.moves[0]: it.name for it in of_game("palindromes") if it.lays and it.options[0] == 11}
    held = {hands.pop(f"deal {number}", "") for number in (reds, 11 - reds)} - {""}
    assert held
    for name in held:
        with pytest.raises(Refused, match=REFUSAL):
            await host.services.puzzles.open(EMMY, name, HERE)
    for name in hands.values():
        assert (await host.services.puzzles.open(EMMY, name, HERE)).solved is None
