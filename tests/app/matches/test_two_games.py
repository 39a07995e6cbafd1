"""Two-game matches: the second game follows by itself, and the sum of both is one rated result."""

from datetime import timedelta
from pathlib import Path

import pytest
from discord import ui

from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import points_after, points_before
from bot.app.replay import about
from bot.operators.rebuild import rerate
from bot.ui.challenges.wording import challenge_text
from bot.ui.history import history_message
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.matches.panel import Gains, panel
from db.engine import open_store
from db.values.challenges import Answer
from db.values.matches import MatchOptions, Outcome, Search
from db.values.places import former
from db.values.proposals import Matter
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.db.given import second_game
from tests.db.migrated import lay
from tests.ui.words import words

pytestmark = pytest.mark.slow

WON, LOST = Outcome.WON, Outcome.LOST


async def begun(host: Host, moves: int = 4, *, rated: bool = True) -> LoadedMatch:
    """The first game of two between Ada, who begins, and Grace, after so many moves."""
    return await moved(host, await host.begin("alaric", "quick", games=2, rated=rated), moves)


async def moved(host: Host, loaded: LoadedMatch, moves: int) -> LoadedMatch:
    for _ in range(moves):
        legal = loaded.match.legal()
        assert legal
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], legal[0])
    return loaded


async def following(host: Host, loaded: LoadedMatch) -> LoadedMatch:
    second = await second_game(host.store, loaded.id)
    return await host.services.matches.load(second)


async def second_after(host: Host, loser: int, moves: int = 4, own: int = 4) -> LoadedMatch:
    """The second game after so many moves of its own, where `loser` has resigned the first."""
    first = await host.services.matches.resign((await begun(host, moves)).id, loser)
    return await moved(host, await following(host, first), own)


def labels(view: ui.LayoutView) -> list[str]:
    buttons = (it.item for it in view.walk_children() if isinstance(it, PersistentItem))
    return [str(it.label) for it in buttons if isinstance(it, ui.Button)]


async def board(host: Host, match: int) -> ui.LayoutView:
    loaded = await host.services.matches.load(match)
    changes = await host.services.ratings.changes(loaded)
    return panel(loaded, "paper", live=True, gains=Gains((), changes))


async def games(host: Host, user: int) -> list[tuple[int, int, int]]:
    """The counts of a member on all leaderboards, each once."""
    return sorted({(it.won, it.drawn, it.lost) for it in await host.store.ratings.of_member(user)})


async def test_the_second_game_follows_with_swapped_seats(host: Host) -> None:
    first = await begun(host)
    said = words(await board(host, first.id))
    assert f"### Alaric #{first.id} · game 1 of 2\n" in said
    assert "After the first game" not in said
    await host.services.matches.resign(first.id, GRACE)
    view = await board(host, first.id)
    assert "**The second game follows, with swapped seats.**" in words(view)
    assert "-# The two games are rated as one, when the second ends." in words(view)
    assert labels(view) == ["Review", "Replay"]

    second = await following(host, first)
    assert (second.stored.users, second.waiting_for) == ((GRACE, ADA), (GRACE,))
    assert second.stored.place == first.stored.place
    said = words(await board(host, second.id))
    assert f"### Alaric #{second.id} · game 2 of 2\n" in said
    assert said.index(f"After the first game <@{ADA}>") < said.index("your turn")
    assert points_before(second.stored) == (0, 2)
    await host.services.matches.resign((await moved(host, second, 4)).id, GRACE)
    view = await board(host, second.id)
    assert f"**Both games together: <@{ADA}>" in words(view)
    assert "Rating: " in words(view)
    assert "Rematch" in labels(view)
    assert (await games(host, ADA), await games(host, GRACE)) == ([(1, 0, 0)], [(0, 0, 1)])


async def test_one_win_each_is_a_draw(host: Host) -> None:
    second = await second_after(host, GRACE)
    assert await host.store.ratings.of_member(ADA) == []
    await host.services.matches.resign(second.id, ADA)
    after = await host.services.matches.load(second.id)
    assert points_after(after.stored, after.match) == (2, 2)
    _, _, together = words(await board(host, second.id)).partition("**Both games together: ")
    assert " drew 1\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}1.**" in together
    assert (await games(host, ADA), await games(host, GRACE)) == ([(0, 1, 0)], [(0, 1, 0)])


async def test_a_draw_is_half_a_point(host: Host) -> None:
    first = await begun(host)
    proposals = host.services.proposals
    offered = await proposals.propose(first.id, ADA, Matter.DRAW)
    assert (await proposals.agree(offered.id, GRACE)).answer is Answer.ACCEPTED
    with pytest.raises(Refused, match="is over"):
        await proposals.propose(first.id, ADA, Matter.TAKEBACK)
    second = await moved(host, await following(host, first), 4)
    assert points_before(second.stored) == (1, 1)
    await host.services.matches.resign(second.id, GRACE)
    said = words(await board(host, second.id))
    assert "After the first game the score is level, 0.5\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0.5." in said
    assert f"Both games together: <@{ADA}>" in said
    assert " 1.5\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0.5.**" in said
    assert await games(host, ADA) == [(1, 0, 0)]


async def test_each_game_has_its_own_clocks_and_time_ends_only_one(host: Host) -> None:
    first = await host.begin("alaric", "quick", games=2, clock="1h")
    first = await moved(host, first, 4)
    await host.pass_time(timedelta(minutes=61))
    round_ = await host.services.timekeeper.round()
    assert list(round_.decided) == [first.id]
    second = await following(host, first)
    assert (second.stored.time_control, second.waiting_for) == (first.stored.time_control, (GRACE,))
    clock, resting = second.stored.clocks
    assert clock is not None
    assert resting is not None
    assert (clock.left, clock.deadline) == (timedelta(hours=1), host.clock.now() + timedelta(hours=1))
    assert resting.deadline is None
    await host.pass_time(timedelta(minutes=61))
    await host.services.timekeeper.round()
    after = await host.services.matches.load(second.id)
    assert points_after(after.stored, after.match) == (2, 2)
    assert await games(host, ADA) == [(0, 1, 0)]


@pytest.mark.parametrize(("moves", "own", "rated"), [(4, 0, True), (0, 4, True), (3, 3, False)])
async def test_two_games_count_if_one_is_long_enough(host: Host, moves: int, own: int, rated: bool) -> None:
    """A player who has lost the first game does not save points by leaving the second at once."""
    second = await second_after(host, GRACE, moves, own)
    await host.services.matches.resign(second.id, GRACE)
    said = words(await board(host, second.id))
    assert ("Rating: " in said) == rated
    assert ("Too short to count for ratings: in one of the two games" in said) != rated
    assert await games(host, GRACE) == ([(0, 0, 1)] if rated else [])


async def test_a_first_game_that_a_moderator_ends_has_no_second(host: Host) -> None:
    first = await begun(host)
    await host.services.matches.break_off(first.id, HERE, "spam")
    assert await host.store.matches.second_game(first.id) is None
    view = await board(host, first.id)
    assert "**The two games together have no result.**" in words(view)
    assert "Rematch" in labels(view)
    asked, _ = await host.services.rematches.ask(first.id, ADA, HERE)
    assert asked.terms.games == 2


async def test_a_first_result_that_is_taken_back_leaves_both_without_a_result(host: Host) -> None:
    second = await second_after(host, GRACE)
    first = second.stored.first
    assert first is not None
    await host.services.matches.break_off(first.id, HERE, "two accounts")
    said = words(await board(host, second.id))
    assert "-# The first game has no result any more, so the two games together have none." in said
    await host.services.matches.resign(second.id, GRACE)
    said = words(await board(host, second.id))
    assert "**The two games together have no result.**" in said
    assert "-# Ratings do not change: the first of the two games has no result." in said
    assert await host.store.ratings.of_member(ADA) == []


@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.soak)])
async def test_a_rematch_is_two_games_again(host: Host, number: int) -> None:
    second = await second_after(host, GRACE)
    assert second.stored.first is not None
    asked_of = second.stored.first.id if number == 1 else second.id
    with pytest.raises(Refused, match=f"Alaric #{second.id} is not over yet"):
        await host.services.rematches.ask(asked_of, ADA, HERE)
    await host.services.matches.resign(second.id, GRACE)
    asked, _ = await host.services.rematches.ask(asked_of, GRACE, HERE)
    assert asked.rematch_of == second.id
    assert (asked.terms.games, asked.terms.setup(2)) == (2, second.stored.setup)
    _, again = await host.services.rematches.ask(asked_of, ADA, HERE)
    assert again is not None
    assert (again.stored.users, again.stored.games, again.stored.first) == ((ADA, GRACE), 2, None)


async def test_a_member_who_is_deleted_gives_up_both_games(host: Host) -> None:
    first = await begun(host)
    await host.services.privacy.forget(ADA)
    second = await following(host, first)
    assert (second.stored.outcomes, points_after(second.stored, second.match)) == ((WON, LOST), (4, 0))
    assert second.stored.first is not None
    assert former(second.stored.users[1])
    assert former(second.stored.first.users[0])
    assert labels(await board(host, second.id)) == ["Review", "Replay"]
    assert (await games(host, GRACE), await games(host, ADA)) == ([(1, 0, 0)], [])


@pytest.mark.soak
async def test_rating_again_from_the_records_gives_the_same(tmp_path: Path) -> None:
    lay(tmp_path)
    async with open_store(None, tmp_path, prepared=True) as store:
        host = Host(store)
        for moves, own, loser, other in ((4, 4, ADA, GRACE), (4, 0, GRACE, GRACE), (0, 3, ADA, ADA)):
            second = await second_after(host, loser, moves, own)
            await host.services.matches.resign(second.id, other)
        await second_after(host, ADA)
        alone = await moved(host, await host.begin("alaric", "quick"), 4)
        await host.services.matches.resign(alone.id, ADA)
        before = [await store.ratings.of_member(user) for user in (ADA, GRACE)]
        assert before[0][0].games == 3
    assert await rerate(None, tmp_path, host.clock.now()) == 3
    async with open_store(None, tmp_path, prepared=True) as store:
        assert [await store.ratings.of_member(user) for user in (ADA, GRACE)] == before


async def test_more_than_two_players_are_told_in_one_sentence(host: Host) -> None:
    for fewest, most in ((2, 3), (3, 3)):
        with pytest.raises(Refused, match="are for two players"):
            terms_of("maze", "", fewest, most, options=MatchOptions(games=2))
    offer = await host.services.challenges.make(
        HERE, ADA, terms_of("maze", "2", 2, 2, options=MatchOptions(games=2)), [GRACE]
    )
    said = challenge_text(offer)
    assert "**2 games with swapped seats · " in said
    assert " · rated as one**\n-# the first player of the first game is drawn by lot" in said
    with pytest.raises(Refused, match="already sent"):
        await host.services.challenges.make(HERE, ADA, offer.terms, [GRACE])
    lobby = await host.services.challenges.make(
        HERE, EMMY, terms_of("maze", "2", 2, 2, options=MatchOptions(games=2))
    )
    loaded = await host.accept(lobby.id, GRACE)
    assert loaded.stored.games == 2


async def test_history_and_exports_tell_of_both_games(host: Host) -> None:
    second = await second_after(host, GRACE)
    first = second.stored.first
    assert first is not None
    running = about(second, ADA)
    assert (running["games"], running["first_game"], running["points_of_both_games"]) == (2, first.id, None)
    await host.services.matches.resign(second.id, ADA)
    over = about(await host.services.matches.load(second.id), ADA)
    assert over["points_of_both_games"] == [1.0, 1.0]
    assert about(await host.services.matches.load(first.id), ADA)["first_game"] is None
    assert "games" not in about(await host.begin("alaric"), ADA)
    page = await host.services.history.page(Search(HERE.guild))
    newest, oldest = words(history_message(page)).splitlines()[2:4]
    assert f"Alaric #{second.id}**: <@{GRACE}> beat <@{ADA}>" in newest
    assert " · game 2 of 2 · both games 1\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}1 · " in newest
    assert f"Alaric #{first.id}**: <@{ADA}> beat <@{GRACE}>" in oldest
    assert " · game 1 of 2 · <t:" in oldest
