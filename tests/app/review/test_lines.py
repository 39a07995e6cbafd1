"""Lines from a moment of a review, answered by the strongest computer player."""

import asyncio

import pytest

from bot.app.errors import Refused
from bot.app.review import reviews as module
from bot.app.review.reviews import Line
from rules.core.errors import Illegal
from rules.players.levels import STRONGEST
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, Host
from tests.app.review.test_reviews import BLUNDER, finished, searched


async def begun(host: Host) -> Line:
    """A line at the move with which the second player threw the game away."""
    loaded = await finished(host)
    await searched(host.services.reviews, GRACE, loaded)
    review = await host.services.reviews.review(loaded)
    (number,) = (index for index, move in enumerate(review.moments) if move.ply == 1)
    return host.services.lines.begin(GRACE, review, number)


async def test_better_move_wins_the_line(host: Host) -> None:
    line = await begun(host)
    assert (line.seat, line.plies, line.match.log) == (1, 0, ((0, "2"),))
    before = await host.store.matches.running()
    move = line.better
    while not line.match.over:
        line = await host.services.lines.play(line.number, GRACE, line.plies, move)
        if not line.match.over:
            assert line.match.to_move == (1,)
            assert line.choice is not None
            hint = await host.search.choose(line.match, 1, STRONGEST)
            move = hint.move
    assert line.match.winners == (1,)
    assert await host.store.matches.running() == before


async def test_moves_are_taken_back(host: Host) -> None:
    line = await begun(host)
    with pytest.raises(Refused, match="no move of yours"):
        host.services.lines.back(line.number, GRACE)
    first = await host.services.lines.play(line.number, GRACE, 0, line.better)
    legal = first.match.legal()
    assert legal
    await host.services.lines.play(line.number, GRACE, first.plies, legal[0])
    assert host.services.lines.back(line.number, GRACE).match == first.match
    assert host.services.lines.back(line.number, GRACE).match == line.match


async def test_only_its_member_plays_a_line_and_only_where_it_stands(host: Host) -> None:
    line, lines = await begun(host), host.services.lines
    with pytest.raises(Refused, match="belongs to another member"):
        await lines.play(line.number, EMMY, 0, line.better)
    with pytest.raises(Refused, match="is no longer available"):
        await lines.play(99, GRACE, 0, line.better)
    with pytest.raises(Refused, match="has moved on"):
        await lines.play(line.number, GRACE, 1, line.better)
    with pytest.raises(Refused, match="nothing to resign"):
        await lines.play(line.number, GRACE, 0, "resign")
    with pytest.raises(Illegal):
        await lines.play(line.number, GRACE, 0, "2")
    assert lines.find(line.number, GRACE) == line


async def test_line_takes_one_move_at_a_time(host: Host) -> None:
    line, lines = await begun(host), host.services.lines
    moves = [lines.play(line.number, GRACE, 0, line.better) for _ in range(2)]
    _, refused = await asyncio.gather(*moves, return_exceptions=True)
    assert isinstance(refused, Refused)
    assert "still thinking" in str(refused)


async def test_line_that_comes_close_to_a_running_rated_game_gets_no_answer(host: Host) -> None:
    line = await begun(host)
    rated = await host.begin("alaric", "7", ELSEWHERE)
    await host.services.matches.play(rated.id, ADA, BLUNDER[0])
    with pytest.raises(Refused, match="A rated game"):
        await host.services.lines.play(line.number, GRACE, 0, line.better)
    assert host.services.lines.find(line.number, GRACE).plies == 0


async def test_oldest_lines_are_forgotten(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINES_KEPT", 1)
    first = await begun(host)
    second = await begun(host)
    host.services.lines.find(second.number, GRACE)
    with pytest.raises(Refused, match="is no longer available"):
        host.services.lines.find(first.number, GRACE)


async def test_line_begins_after_any_move_of_a_finished_game(host: Host) -> None:
    loaded, lines = await finished(host), host.services.lines
    second = await lines.begin_after(EMMY, loaded, 1)
    assert (second.seat, second.plies, second.match.log) == (1, 0, loaded.match.log[:1])
    last = await lines.begin_after(EMMY, loaded, None)
    assert last.match.log == loaded.match.log[:-1]
    assert last.match.play(last.seat, loaded.match.log[-1].text).over
    legal = second.match.legal()
    assert legal
    answered = await lines.play(second.number, EMMY, 0, legal[0])
    assert answered.match.to_move == (1,)
    assert await host.store.matches.running() == []
    with pytest.raises(Refused, match="is over at this move"):
        await lines.begin_after(EMMY, loaded, len(loaded.match.log))


async def test_no_line_begins_in_a_running_game_near_a_rated_one_or_where_moves_are_hidden(
    host: Host,
) -> None:
    loaded, lines = await finished(host), host.services.lines
    rated = await host.begin("alaric", "7", ELSEWHERE)
    running = await host.services.matches.play(rated.id, ADA, BLUNDER[0])
    with pytest.raises(Refused, match="is still being played"):
        await lines.begin_after(EMMY, running, 1)
    with pytest.raises(Refused, match="A rated game"):
        await lines.begin_after(EMMY, loaded, 1)
    secret = await host.begin("palindromes", "8")
    over = await host.services.matches.resign(secret.id, ADA)
    with pytest.raises(Refused, match="Moves are hidden"):
        await lines.begin_after(EMMY, over, None)
