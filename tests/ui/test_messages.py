"""Every message fits Discord's limits, on the largest boards and with the longest lists."""

import random
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from discord import ui

import render
from bot.app.matches.listed import Listed
from bot.app.matches.loaded import LoadedMatch
from bot.app.members.agenda import Agenda, Due
from bot.app.replay import SHOWN as HISTORY
from bot.app.replay import HistoryPage
from bot.app.standings import LeaderboardQuery
from bot.ui.challenges.message import challenge_message, changes
from bot.ui.history import history_message
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.lessons import rules_message
from bot.ui.matches.board_actions import HintButton, board_text
from bot.ui.matches.panel import panel
from bot.ui.members.overview import overview
from bot.ui.moves.play import PlayButton
from bot.ui.proposals import AgreeButton
from bot.ui.standings.leaderboard import ShowLeaderboardButton, leaderboard_chart
from bot.ui.standings.leaderboard import leaderboard_message as leaderboard
from db.values.challenges import Answer, Challenge, Order, Participant, Reply, Terms
from db.values.clocks import SeatClock, TimeControl
from db.values.matches import ListedMatch, Outcome, Search, StoredMatch, Turns
from db.values.members import computer_player
from db.values.places import Place
from db.values.posts import Post, PostKind
from db.values.proposals import Matter, Proposal
from db.values.standings import HeldSkill, Leaderboard, PeriodKind, Ranked, Rating, Standings
from render.board.text import ALT_LIMIT
from render.charts.leaderboard import leaderboard_alt
from render.games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.match import Match
from rules.games import BY_KEY, GAMES
from tests.rules.walks import finish, step
from tests.ui.words import texts, words

pytestmark = pytest.mark.slow

BIGGEST_ID = 2**63 - 1
NOW = datetime(2026, 1, 1, tzinfo=UTC)
COMPONENTS, TEXT, CUSTOM_ID = 40, 4000, 100
"""Components of a message, characters of all its texts, and characters of the id of a button or menu."""

every_game = pytest.mark.parametrize("game", HOSTED_GAMES, ids=lambda game: game.key)


def loaded(match: Match, number: int = 999_999, **options: Any) -> LoadedMatch:
    """Return the match as stored, with the longest possible ids, and with these `MatchOptions`."""
    users = tuple(BIGGEST_ID - seat for seat in range(match.setup.players))
    place = Place(BIGGEST_ID, BIGGEST_ID)
    salts = tuple(f"{ply:032x}" if ply in match.sealed else None for ply in range(len(match.log)))
    board = Post(
        *(1, PostKind.BOARD, number, "", BIGGEST_ID, BIGGEST_ID, 1, NOW),
        message=BIGGEST_ID,
        progress=len(match.log),
    )
    stored = StoredMatch(
        number, match.setup, 1, place, users, match.log, salts, NOW, None, None, post=board, **options
    )
    return LoadedMatch(stored, match)


def assert_fits(view: ui.LayoutView) -> None:
    """Check that Discord accepts a message."""
    assert view.total_children_count <= COMPONENTS
    assert view.content_length() <= TEXT
    ids = (getattr(item, "custom_id", None) or "" for item in view.walk_children())
    assert all(len(it) <= CUSTOM_ID for it in ids)


def listed(shown: LoadedMatch) -> Listed:
    """Return the match as lists show it; it waits for nobody."""
    it = shown.stored
    nobody = (None,) * len(it.users)
    return Listed(
        ListedMatch(it.id, it.setup, it.place, it.users, len(it.log), NOW, it.rated, it.panel, nobody, None),
        Turns(nobody),
    )


def second_of_two(shown: LoadedMatch) -> LoadedMatch:
    """Return the match as the second game of two, whose boards say the most."""
    first = replace(shown.stored, games=2, outcomes=(Outcome.DRAWN, Outcome.DRAWN))
    return replace(shown, stored=replace(shown.stored, games=2, first=first))


def challenge(number: int, users: tuple[int, ...], terms: Terms, answer: Answer) -> Challenge:
    """Return a challenge of the first user to the others."""
    place = Place(BIGGEST_ID, BIGGEST_ID)
    asked = tuple(Participant(user, Reply.ASKED) for user in users[1:])
    late = NOW + timedelta(hours=1)
    return Challenge(
        number,
        terms,
        place,
        users[0],
        (Participant(users[0], Reply.IN), *asked),
        False,
        NOW,
        late,
        answer,
        None,
        None,
    )


def largest(game: Game[Any, Any]) -> dict[str, int]:
    return {option.key: option.high for option in game.options}


@every_game
def test_panels_fit_all_along_the_largest_game(game: Game[Any, Any]) -> None:
    match = Match.start(game, largest(game), 2)
    chance = random.Random(1)
    while True:
        if len(match.log) > 12 and len(match.log) % 5 and not match.over:
            match = step(match, chance)  # panels change slowly by then; each seat still has its turns
            continue
        shown = second_of_two(loaded(match))
        view = panel(shown, "paper", live=True)
        assert_fits(view)
        seen = match.observe(None)
        alt = next(
            part.items[0].description for part in view.walk_children() if isinstance(part, ui.MediaGallery)
        )
        assert alt == render.alt(seen, 1_000_000), "the alt text of a board leaves nothing out"
        assert 0 < len(alt) <= ALT_LIMIT
        assert all(len(board_text(shown, seat)) <= TEXT for seat in (None, 0, 1))
        if match.over or len(match.log) > 30:
            break
        match = step(match, chance)


@every_game
def test_panel_fits_with_open_proposals_of_all_kinds(game: Game[Any, Any]) -> None:
    day = TimeControl(timedelta(days=1))
    match = Match.start(game, {}, 2)
    chance = random.Random(1)
    while not match.over and len(match.log) < 12:
        shown = loaded(match)
        clocks = (SeatClock(day.span, NOW + day.span), SeatClock(day.span))
        shown = replace(shown, stored=replace(shown.stored, time_control=day, clocks=clocks))
        asked = [
            Proposal(
                number, shown.id, matter, 0, len(match.log), NOW, Answer.OPEN, (), computer=computer_player(5)
            )
            for number, matter in enumerate(Matter)
        ]
        view = panel(shown, "paper", live=True, proposals=asked)
        assert_fits(view)
        answers = [it for it in view.walk_children() if isinstance(it, AgreeButton)]
        said = words(view)
        # A board of 25 cells has room for one question.
        least = 1 if sum(isinstance(it, PlayButton) for it in view.walk_children()) == 25 else 2
        assert len(answers) == said.count("do you agree?") >= least, "each question is shown with its buttons"
        assert ("Another question follows" in said) == (len(answers) < len(Matter))
        match = step(match, chance)


@pytest.mark.parametrize("rated", [False, True])
def test_a_board_of_25_cells_has_room_for_one_question(rated: bool) -> None:
    """Its buttons take the place of the hint."""
    game = BY_KEY["spaghetti"]
    shown = loaded(Match.start(game, game.sizes["quick"], 2), rated=rated)
    asked = [
        Proposal(number, shown.id, matter, 0, 0, NOW, Answer.OPEN, ())
        for number, matter in enumerate((Matter.DRAW, Matter.PAUSE))
    ]
    for proposals in ((), asked):
        view = panel(shown, "paper", live=True, proposals=proposals, touch=True)
        assert_fits(view)
        assert sum(isinstance(it, PlayButton) for it in view.walk_children()) == 25
        assert any(isinstance(it, AgreeButton) for it in view.walk_children()) == bool(proposals)
        assert any(isinstance(it, HintButton) for it in view.walk_children()) == (not rated and not proposals)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_rules_fit(game: Game[Any, Any]) -> None:
    view = rules_message(game)
    assert_fits(view)


@every_game
@pytest.mark.parametrize("answer", Answer)
async def test_a_challenge_says_who_what_and_how_it_stands(game: Game[Any, Any], answer: Answer) -> None:
    setup = Match.start(game, largest(game), 2).setup
    made = challenge(1, (1, 2), Terms(setup.game, setup.options, 2, 2), answer)
    view, picture = await challenge_message(made, "slate")
    assert (picture is not None) == (answer is Answer.OPEN)
    said = texts(view)
    assert game.sheet.title in said[0]
    assert "<@1> challenges <@2>" in said[0]
    assert ("expires" if answer is Answer.OPEN else answer.value) in said[0]
    rows = any(isinstance(item, ui.ActionRow) for item in view.walk_children())
    assert rows == (answer in (Answer.OPEN, Answer.EXPIRED))


async def test_the_fullest_open_game_fits_into_one_message() -> None:
    game = next(game for game in HOSTED_GAMES if game.key == "maze")
    setup = Match.start(game, largest(game), 6).setup
    crowd = tuple(BIGGEST_ID - seat for seat in range(5))
    made = challenge(BIGGEST_ID, crowd, Terms(setup.game, setup.options, 2, 6, Order.LISTED), Answer.OPEN)
    joined = tuple(Participant(user, Reply.IN) for user in crowd)
    lobby = replace(made, public=True, challenger=crowd[0], participants=joined)
    for view, buttons in (((await challenge_message(lobby, "paper"))[0], 7), (changes(lobby), 5)):
        found = [item for item in view.walk_children() if isinstance(item, PersistentItem)]
        assert len(found) == buttons
        assert_fits(view)


def test_many_games_are_paged_and_every_page_fits_into_one_message() -> None:
    longest = max(HOSTED_GAMES, key=lambda game: len(game.sheet.title))
    games = [loaded(Match.start(longest, {}, longest.seats[1]), 100_000 + number) for number in range(60)]
    terms = Terms(longest.key, games[0].stored.setup.options, 2, 6)
    crowd = tuple(BIGGEST_ID - seat for seat in range(6))
    offers = [
        replace(challenge(number, crowd, terms, Answer.OPEN), message=BIGGEST_ID) for number in range(9)
    ]
    lines = tuple(map(listed, games))
    due = tuple(Due(line, NOW, NOW) for line in lines)
    asked = tuple((Proposal(1, game.id, Matter.TAKEBACK, 0, 0, NOW, Answer.OPEN, ()), game) for game in games)
    found = Agenda(BIGGEST_ID, due, tuple(offers), asked, lines, tuple(offers), tuple(offers), lines)
    seen: list[str] = []
    for number in range(60 * 4 // 9 + 5):
        view = overview(found, number)
        assert_fits(view)
        seen += [line for text in texts(view) for line in text.splitlines() if line.startswith("- ")]
    assert len(seen) == 60 * 4 + 9 * 3
    assert all("https://discord.com/channels/" in line for line in seen)
    assert texts(overview(found, 999)) == texts(view)


def test_a_page_of_a_history_fits_into_one_message() -> None:
    maze = next(game for game in HOSTED_GAMES if game.key == "maze")
    match = Match.start(maze, {}, 6)
    for seat in range(1, 6):
        match = match.play(seat, "resign")
    over = replace(loaded(match), stored=replace(loaded(match).stored, finished_at=NOW))
    search = Search(BIGGEST_ID, "cocomposite", BIGGEST_ID, BIGGEST_ID - 1, Outcome.DRAWN)
    broken = Match.start(maze, {}, 6).play(None, "void")
    void = replace(loaded(broken), stored=replace(loaded(broken).stored, finished_at=NOW))
    view = history_message(HistoryPage(search, (void,), newer=False, older=False))
    lines = texts(view)
    assert lines[1].endswith("without a result · <t:1767225600:R>")
    assert re.search("<@[0-9]+> and <@[0-9]+> without a result", lines[1])
    assert "drew" not in lines[1]
    view = history_message(HistoryPage(search, (over,) * HISTORY, newer=True, older=True))
    assert_fits(view)


def test_a_history_names_points_in_the_order_of_its_members() -> None:
    alaric = next(game for game in HOSTED_GAMES if game.key == "alaric")
    match = Match.start(alaric, {"size": 7}, 2)
    for seat, text in ((0, "1"), (1, "3"), (0, "5"), (0, "resign")):
        match = match.play(seat, text)
    lost = loaded(match)
    lost = replace(lost, stored=replace(lost.stored, finished_at=NOW))
    view = history_message(HistoryPage(Search(1), (lost,), newer=False, older=False))
    lines = texts(view)
    zero, one = lost.stored.users
    assert re.search(rf"\*\*<@{one}> \S+ beat <@{zero}> \S+ by resignation\.\*\*", said(match))
    assert f"<@{one}> beat <@{zero}> by resignation" in lines[1]


def test_a_full_leaderboard_fits_a_message() -> None:
    board = Leaderboard()
    placed = [
        Ranked(123_456, Rating(BIGGEST_ID - number, board, HeldSkill(), 99_999, 99_999, 99_999), 7)
        for number in range(13)
    ]
    standings = Standings(board, tuple(placed[:10]), tuple(placed[10:]), True, True, 1_234_567)
    query, viewer = LeaderboardQuery("spaghetti", 1, PeriodKind.ALWAYS), placed[11].rating.user
    chart = leaderboard_chart(query, standings, viewer, {it.rating.user: ("W" * 32,) for it in placed})
    show = ShowLeaderboardButton.of(query, standings)
    view = leaderboard(query, standings, chart, viewer, in_server=True, show=[ui.ActionRow(show)])
    assert len(leaderboard_alt(chart)) <= ALT_LIMIT
    assert_fits(view)


def said(match: Match) -> str:
    return words(panel(loaded(match), "paper", live=True))


def test_a_draw_is_one_of_all_players() -> None:
    """If the best two of three players are equal, they share the win."""
    start = Match.start(BY_KEY["cocomposite"], {"size": 4}, 3)
    assert re.search(r" drew by agreement\.\*\*", said(start.play(None, "draw")))
    ends = (finish(start, random.Random(seed), 99) for seed in range(99))
    shared = next(match for match in ends if len(match.winners or ()) == 2)
    assert "shared the win" in said(shared)
    assert "drew" not in said(shared)
