"""Every step of every lesson is played: its hint reaches the goal, and its wrong answers do not."""

from collections.abc import Callable

import pytest

from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match
from rules.games import GAMES
from rules.lessons import Lesson, Step, Verdict, lesson_of
from rules.lessons.goals import RefusedBy, Wins
from rules.players.choose import choose
from rules.players.levels import STRONGEST

TAUGHT = [lesson for game in GAMES if (lesson := lesson_of(game.key)) is not None and lesson.steps]
"""A game that was just added may have no steps yet."""
STEPS = [
    pytest.param(lesson, step, id=f"{lesson.key}-{number}")
    for lesson in TAUGHT
    for number, step in enumerate(lesson.steps, 1)
]
Claim = Callable[[Seat, Match, Match], bool]
"""Return True if a sentence is true of a move of a seat that leads from one position to another."""


def gains(player: int, before: Match, after: Match) -> int:
    """Return the points that a seat gains; seats count on from 1 to 0."""
    assert before.scores is not None
    assert after.scores is not None
    return after.scores[player % 2] - before.scores[player % 2]


def result(seat: Seat, match: Match) -> str:
    """Return what a position is for a seat under best play."""
    winners = played_out(match, seat).winners or ()
    return "lost" if seat not in winners else "won" if len(winners) == 1 else "shared"


def begins_at_a_wall(before: Match, after: Match) -> bool:
    begin = after.log[-1].text.split("-")[0]
    return any(begin in (str(wall.start), str(wall.end)) for wall in before.state.walls)


CLAIMS: dict[str, Claim] = {
    "meets no other wall": lambda seat, before, after: not begins_at_a_wall(before, after),
    "scores nothing": lambda seat, before, after: gains(seat, before, after) == 0,
    "nobody scores": lambda seat, before, after: before.scores == after.scores,
    "takes nothing": lambda seat, before, after: gains(seat + 1, before, after) == 0,
    "you get a point": lambda seat, before, after: gains(seat, before, after) == 1,
    "you get the point": lambda seat, before, after: gains(seat, before, after) == 1,
    "opponent gets a point": lambda seat, before, after: gains(seat + 1, before, after) == 1,
    "your opponent scores": lambda seat, before, after: gains(seat + 1, before, after) > 0,
    "the game is over": lambda seat, before, after: after.over,
    "opponent can go on": lambda seat, before, after: bool(after.legal()),
    "shared win": lambda seat, before, after: result(seat, after) == "shared",
    "scores level": lambda seat, before, after: result(seat, after) == "shared",
    "opponent wins": lambda seat, before, after: result(seat, after) == "lost",
    "point and wins": lambda seat, before, after: result(seat, after) == "lost",
    "comes out ahead": lambda seat, before, after: result(seat, after) == "lost",
    "first player gets more": lambda seat, before, after: result(seat, after) == "lost",
    "leaves the last line to you": lambda seat, before, after: result(seat, after) == "lost",
}
"""The claims of sentences about the first move of a step, by the words that make them."""


def answer(lesson: Lesson, step: Step, text: str) -> Verdict:
    """Return what is said about the first move of a step."""
    start = lesson.match(step.scene)
    try:
        return step.judge(step.seat(start), start, start.play(step.seat(start), text))
    except Illegal as refusal:
        return step.judge_refusal(refusal)


def played_out(match: Match, seat: Seat) -> Match:
    """Return the end of the game if both play as the strongest computer player does; that is exact in these games."""
    while not match.over:
        mover = match.to_move[0]
        assert mover is not None
        match = match.play(mover, choose(match, mover, STRONGEST, 0).move)
    assert match.winners is not None
    return match


def test_eight_games_are_taught() -> None:
    assert len(TAUGHT) >= 8


@pytest.mark.parametrize("lesson", TAUGHT, ids=lambda lesson: lesson.key)
def test_a_lesson_leads_from_a_legal_move_over_a_refusal_to_a_win(lesson: Lesson) -> None:
    steps = lesson.steps
    assert 5 <= len(steps) <= 8
    assert any(isinstance(step.goal, RefusedBy) for step in steps)
    assert [step.against for step in steps] == [False] * (len(steps) - 1) + [True]
    assert isinstance(steps[-1].goal, Wins)
    ends = [
        step for step in steps[:-1] if answer(lesson, step, step.hint).reached and ends_with(lesson, step)
    ]
    assert ends, "a step shows the end and the count"


def ends_with(lesson: Lesson, step: Step) -> bool:
    """Return True if the hint ends the game."""
    start = lesson.match(step.scene)
    return not isinstance(step.goal, RefusedBy) and start.play(step.seat(start), step.hint).over


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_step_is_what_it_says(lesson: Lesson, step: Step) -> None:
    the_hint_reaches_the_goal(lesson, step)
    every_legal_move_that_misses_the_goal_has_a_sentence(lesson, step)
    for move in step.wrong:
        a_wrong_answer_is_legal_and_wrong_and_told_so(lesson, step, move)
    sentences_about_every_legal_move_are_true(lesson, step)
    # A move that is offered as tempting is refused for the reason of the step.
    assert not step.tempting or isinstance(step.goal, RefusedBy)
    assert all(answer(lesson, step, move).reached for move in step.tempting)


def the_hint_reaches_the_goal(lesson: Lesson, step: Step) -> None:
    start = lesson.match(step.scene)
    seat = step.seat(start)
    assert seat in start.to_move
    if isinstance(step.goal, RefusedBy):
        with pytest.raises(Illegal) as refused:
            start.play(seat, step.hint)
        assert refused.value.rule == step.goal.rule
        assert str(refused.value) in answer(lesson, step, step.hint).sentence
    else:
        after = start.play(seat, step.hint)
        assert after.log[-1].text == step.hint, "the hint is written as the referee writes it"
    said = answer(lesson, step, step.hint)
    assert said.reached or said.goes_on
    if said.goes_on:
        end = played_out(after, seat)
        assert step.judge(seat, start, end).reached
        assert end.winners == (seat,)


def every_legal_move_that_misses_the_goal_has_a_sentence(lesson: Lesson, step: Step) -> None:
    start = lesson.match(step.scene)
    for move in start.legal() or ():
        said = answer(lesson, step, move)
        assert said.reached or said.goes_on or said.sentence, move
    if isinstance(step.goal, RefusedBy) or step.against:
        assert step.miss
        assert step.wrong


def a_wrong_answer_is_legal_and_wrong_and_told_so(lesson: Lesson, step: Step, move: str) -> None:
    start = lesson.match(step.scene)
    seat = step.seat(start)
    after = start.play(seat, move)
    assert after.log[-1].text == move
    said = answer(lesson, step, move)
    assert not said.reached
    assert said.sentence == step.wrong[move]
    if step.against:
        assert played_out(after, seat).winners != (seat,)


def sentences_about_every_legal_move_are_true(lesson: Lesson, step: Step) -> None:
    start = lesson.match(step.scene)
    seat = step.seat(start)
    for move in start.legal() or (*step.wrong, *([] if isinstance(step.goal, RefusedBy) else [step.hint])):
        said = answer(lesson, step, move).sentence
        for words, claim in CLAIMS.items():
            if words in said:
                assert claim(seat, start, start.play(seat, move)), (move, said)


def test_every_claim_is_made_somewhere() -> None:
    """Only the claim that was wrong is made by no sentence."""
    said = [text for lesson in TAUGHT for step in lesson.steps for text in sentences(step)]
    unused = {words for words in CLAIMS if not any(words in text for text in said)}
    assert unused == {"meets no other wall"}


def sentences(step: Step) -> tuple[str, ...]:
    return step.done, step.miss, *step.wrong.values()


def test_only_one_square_of_cocomposite_leaves_one_way_to_a_win() -> None:
    """The last step of the lesson tells the right square from the other that leaves one way on."""
    lesson = lesson_of("cocomposite")
    assert lesson is not None
    step = lesson.steps[-1]
    assert "Two squares leave them only one way on" in step.ask
    start = lesson.match(step.scene)
    replies = {
        move: [after.play(1, reply) for reply in after.legal() or ()]
        for move in start.legal() or ()
        for after in (start.play(0, move),)
    }
    assert {move for move, found in replies.items() if len(found) == 1} == {"b3", "d3"}
    stuck = {move for move, found in replies.items() if all(map(scores_and_ends, found))}
    assert stuck == {step.hint} == {"b3"}
    (other,) = replies["d3"]
    assert any(gains(0, other, other.play(0, move)) for move in other.legal() or ())


def scores_and_ends(match: Match) -> bool:
    """Return True if the player on turn can score by a move that ends the game."""
    return any(
        after.over and after.winners == match.to_move
        for after in (match.play(match.to_move[0], move) for move in match.legal() or ())
    )


def test_a_step_tells_a_refusal_that_it_did_not_ask_for() -> None:
    """A move is refused by another rule than the one of the step: the referee's own sentence is the answer."""
    skull = lesson_of("skull")
    assert skull is not None
    branching = skull.steps[2]
    said = answer(skull, branching, "d2")
    assert not said.reached
    assert "touches 2 skulls" in said.sentence
