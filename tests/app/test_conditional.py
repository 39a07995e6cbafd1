"""Conditional moves: entered in advance, played when the others move so, and dropped when anything else happens."""

import random
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest

from bot.app.automatic import AutomaticMoves
from bot.app.conditional import LONGEST, MOST, Moves, grown, rest_of
from bot.app.errors import Refused
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.replay import about
from bot.ui.conditional import spelled
from bot.ui.matches.panel import panel
from bot.ui.posts.turn_notices import users_to_notify
from db.values.matches import Panel, Variation
from db.values.members import computer_player
from db.values.proposals import Matter
from render.board.seats import seat_mark
from rules.core.match import DRAW, Match, Ply
from tests.app.conftest import ADA, EMMY, GRACE, Host
from tests.app.foreseeing import enter, foresee, foreseen
from tests.ui.words import words

pytestmark = pytest.mark.slow

OPEN = ("alaric", "cocomposite", "maze", "polygons", "skull", "spaghetti", "xlines")


def odd(moves: Moves) -> bool:
    """Every other move, from the first on, is one of the opponent."""
    return len(moves) % 2 == 1


@pytest.mark.parametrize(
    ("known", "new", "found"),
    [
        ("", "a", "a"),
        ("a", "ab", "ab"),
        ("ab", "abc", "abc"),
        ("ab", "c", "ab c"),
        ("a", "c", "c"),
        ("abc", "d", "ab d"),
        ("abcd abe", "abf", "abcd abf"),
        ("abcd", "abe", "abcd abe"),
        ("ab abc", "c", "ab c"),
    ],
)
def test_a_new_variation_joins_those_before(known: str, new: str, found: str) -> None:
    """Beginnings of others are dropped, and so are moves without an answer elsewhere."""
    variations = [tuple(it) for it in known.split()]
    assert ["".join(it) for it in grown(variations, tuple(new), odd)] == found.split()


@pytest.mark.parametrize(
    ("entries", "rest"),
    [
        ("a", "bcd"), ("ab", "cd"), ("abcd", ""), ("", "abcd"), ("x", ""), ("ax", ""), ("abcde", ""),
    ],
)  # fmt: skip
def test_a_variation_is_followed_along_the_log(entries: str, rest: str) -> None:
    before = [Ply(0, "z"), Ply(None, "back to 0")]
    log = before + [Ply(number % 2, text) for number, text in enumerate(entries)]
    variation = Variation(1, 17, GRACE, 2, tuple("abcd"))
    assert rest_of(variation, log) == tuple(rest)
    assert rest_of(variation, [*log, Ply(None, "back to 0")]) == ()
    assert rest_of(variation, [*log, Ply(0, "resign")]) == ()


@pytest.fixture
async def automatic(host: Host) -> AsyncIterator[AutomaticMoves]:
    """The automatic moves of the host, without which nothing follows a move."""

    async def show(match: int) -> None:
        pass

    found = AutomaticMoves(host.services, show)
    yield found
    await found.stop()


async def play(host: Host, loaded: LoadedMatch, user: int, text: str) -> LoadedMatch:
    return await host.services.matches.play(loaded.id, user, text)


async def test_answers_are_played_at_once(host: Host, automatic: AutomaticMoves) -> None:
    """The branch that was not taken is gone, and the rest goes on."""
    loaded = await host.begin("alaric", "quick")
    at = await foresee(host, loaded.id, GRACE, "3", "5", "7", "1")
    assert spelled(at, at.moves) == "If `3`, then `5`. If `7`, then `1`."
    await foresee(host, loaded.id, GRACE, "4", "6")
    again = await foresee(host, loaded.id, GRACE, "3")
    assert again.moves == ("3", "5"), "the answer is known"
    at = await enter(host, again, "8")
    assert await foreseen(host, loaded.id, GRACE) == [("3", "5", "7", "1"), ("4", "6"), ("3", "5", "8")]
    assert spelled(at, at.moves) == "If `3`, then `5`. If `8`: no answer yet."
    after = await play(host, loaded, ADA, "3")
    assert after.match.log == ((0, "3"), (1, "5"))
    assert after.conditional == (1,)
    assert after.stored.conditional == {1}
    assert await foreseen(host, loaded.id, GRACE) == [("7", "1"), ("8",)]
    assert await host.services.matches.by_itself(after) == 1
    board = words(panel(after, "paper", live=True, forced=1))
    assert "answered with a conditional move" in board
    assert users_to_notify(after, Panel(1, 2, 0), 1) == [], "Ada sees the answer"
    assert users_to_notify(after, Panel(1, 2, 1), 1) == [ADA]
    service = host.services.conditional_moves
    assert not service.tell_dropped(loaded.id, GRACE), "one was played, and another goes on"
    after = await play(host, after, ADA, "8")
    assert after.plies == 3
    assert await foreseen(host, loaded.id, GRACE) == []
    assert not service.tell_dropped(loaded.id, GRACE), "she foresaw the move, but no answer"
    assert about(after, ADA)["conditional_moves"] == [2]
    read = await host.services.matches.load(loaded.id)
    assert read.stored == after.stored


async def test_owner_is_told_once_that_all_were_dropped(host: Host, automatic: AutomaticMoves) -> None:
    loaded = await host.begin("alaric", "quick")
    await foresee(host, loaded.id, GRACE, "3", "5", "7", "1")
    service = host.services.conditional_moves
    after = await play(host, loaded, ADA, "3")
    assert not service.tell_dropped(loaded.id, GRACE)
    after = await play(host, after, ADA, "8")
    assert await foreseen(host, loaded.id, GRACE) == []
    assert not service.tell_dropped(loaded.id, ADA)
    assert service.tell_dropped(loaded.id, GRACE)
    assert not service.tell_dropped(loaded.id, GRACE)


async def test_three_players_foresee_all_moves_of_the_others(host: Host, automatic: AutomaticMoves) -> None:
    loaded = await host.begin("cocomposite", others=(GRACE, EMMY))
    first, second, third = _line(loaded, 3)
    at = await foresee(host, loaded.id, EMMY, first, second, third)
    marks = [seat_mark(seat) for seat in range(2)]
    assert spelled(at, at.moves) == f"If {marks[0]} `{first}` and {marks[1]} `{second}`, then `{third}`."
    await play(host, loaded, ADA, first)
    assert await foreseen(host, loaded.id, EMMY) == [(second, third)]
    after = await play(host, loaded, GRACE, second)
    assert [entry.text for entry in after.stored.log] == [first, second, third]
    assert users_to_notify(after, Panel(1, 2, 1), 1) == [ADA]


def _line(loaded: LoadedMatch, moves: int) -> list[str]:
    """Legal moves in a row."""
    found: list[str] = []
    for _ in range(moves):
        legal = _stage(loaded, found).legal() or ()
        found.append(legal[len(legal) // 2])
    return found


async def test_a_conditional_move_takes_no_time(host: Host) -> None:
    """Also if the bot was stopped between the move and the answer, which the next start plays."""
    loaded = await host.begin("alaric", "quick", clock="15m+10s")
    await foresee(host, loaded.id, GRACE, "3", "5")
    await play(host, loaded, ADA, "3")

    async def show(match: int) -> None:
        assert match == loaded.id

    host.clock.push(timedelta(minutes=20))
    automatic = AutomaticMoves(host.services, show)
    await automatic.round()
    await automatic.stop()
    after = await host.services.matches.load(loaded.id)
    clock = after.stored.clocks[1]
    assert after.conditional == (1,)
    assert clock is not None
    assert clock.left == timedelta(minutes=15, seconds=10)
    assert await host.store.variations.behind(9) == []


async def test_a_takeback_removes_conditional_moves(host: Host, automatic: AutomaticMoves) -> None:
    loaded = await host.begin("alaric", "quick")
    await play(host, loaded, ADA, "3")
    await foresee(host, loaded.id, ADA, "5", "7")
    asked = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
    await host.services.proposals.agree(asked.id, GRACE)
    assert await foreseen(host, loaded.id, ADA) == []


async def test_conditional_moves_end_with_their_match(host: Host, automatic: AutomaticMoves) -> None:
    for number in range(3):
        loaded = await host.begin("alaric", "quick")
        await foresee(host, loaded.id, GRACE, "3", "5")
        match number:
            case 0:
                await host.services.matches.resign(loaded.id, ADA)
            case 1:
                await host.services.matches.break_off(loaded.id, loaded.stored.place, "spam")
            case 2:
                asked = await host.services.proposals.propose(loaded.id, ADA, Matter.DRAW)
                await host.services.proposals.agree(asked.id, GRACE)
                assert (await host.services.matches.load(loaded.id)).match.log == (Ply(None, DRAW),)
        assert await foreseen(host, loaded.id, GRACE) == []


async def test_a_player_who_leaves_changes_the_position(host: Host, automatic: AutomaticMoves) -> None:
    loaded = await host.begin("cocomposite", others=(GRACE, EMMY))
    moves = _line(loaded, 3)
    await foresee(host, loaded.id, EMMY, *moves)
    await host.services.matches.resign(loaded.id, GRACE)
    assert await foreseen(host, loaded.id, EMMY) == []


async def test_members_can_switch_them_off(host: Host, automatic: AutomaticMoves) -> None:
    loaded = await host.begin("alaric", "quick")
    await foresee(host, loaded.id, GRACE, "3", "5")
    assert host.services.conditional_moves.offered(loaded, GRACE)
    await host.services.preferences.choose(GRACE, conditional=False)
    assert await foreseen(host, loaded.id, GRACE) == []
    loaded = await host.services.matches.load(loaded.id)
    assert not host.services.conditional_moves.offered(loaded, GRACE)
    with pytest.raises(Refused, match="switched conditional moves off"):
        await foresee(host, loaded.id, GRACE)
    await host.services.preferences.choose(GRACE, conditional=True)
    assert (await foresee(host, loaded.id, GRACE, "3")).moves == ("3",)


async def test_they_are_removed_one_by_one_or_all_at_once(host: Host) -> None:
    loaded, service = await host.begin("alaric", "quick"), host.services.conditional_moves
    for first, second in ("35", "46", "57"):
        at = await foresee(host, loaded.id, GRACE, first, second)
    assert at.before == ()
    found = await service.remove(loaded.id, GRACE, at.variations[1].id)
    assert [it.moves for it in found.variations] == [("3", "5"), ("5", "7")]
    assert found.moves == ()
    assert (await service.look(loaded.id, GRACE, at.variations[1].id, 2)).moves == (), "it is gone"
    assert (await service.clear(loaded.id, GRACE)).variations == ()
    assert await foreseen(host, loaded.id, GRACE) == []


async def test_limits(host: Host) -> None:
    loaded = await host.begin("polygons")
    *legal, answer = loaded.match.legal() or ()
    await host.store.variations.change(loaded.id, GRACE, 0, (), (), [(one, answer) for one in legal[:MOST]])
    assert len(await foreseen(host, loaded.id, GRACE)) == MOST
    with pytest.raises(Refused, match=f"You have {MOST} variations here"):
        await foresee(host, loaded.id, GRACE, legal[MOST])
    other = await host.begin("polygons")
    at = await foresee(host, other.id, GRACE, *_line(other, LONGEST))
    assert not at.open
    with pytest.raises(Refused, match="No further move can be entered here"):
        await host.services.conditional_moves.entering(other.id, GRACE, at.number, LONGEST)


async def test_refusals(host: Host) -> None:
    service = host.services.conditional_moves
    loaded = await host.begin("alaric", "quick")
    with pytest.raises(Refused, match="It is your turn"):
        await service.look(loaded.id, ADA)
    with pytest.raises(Refused, match="is played by"):
        await service.look(loaded.id, EMMY)
    hidden = await host.begin("palindromes", "quick")
    with pytest.raises(Refused, match="Moves are hidden"):
        await service.look(hidden.id, GRACE)
    computer = await host.begin("alaric", "quick", others=(computer_player(1),))
    with pytest.raises(Refused, match="a computer player plays"):
        await service.look(computer.id, ADA)
    for match, user in ((loaded, ADA), (loaded, EMMY), (hidden, GRACE), (computer, ADA)):
        assert not service.offered(match, user)
    at = await foresee(host, loaded.id, GRACE, "3")
    with pytest.raises(IllegalMove):
        await enter(host, at, "3")
    stale = await service.entering(loaded.id, GRACE, at.number, 1)
    await stale.play(0, GRACE, "7")
    at = await enter(host, at, "5")
    with pytest.raises(Refused, match="have changed meanwhile; open them again"):
        await service.enter(stale)
    other = await service.entering(loaded.id, GRACE, at.number, 1)
    await other.play(0, GRACE, "7")
    with pytest.raises(Refused, match="You have entered an answer to that already"):
        await service.enter(other)
    with pytest.raises(Refused, match="another position"):
        await stale.play(0, GRACE, "7", loaded.shown)
    await play(host, loaded, ADA, "4")
    with pytest.raises(Refused, match="It is your turn"):
        await service.entering(loaded.id, GRACE, at.number, 1)


async def test_a_late_change_is_refused(host: Host) -> None:
    """The opponent moves between the reading of the match and the storing of an answer."""
    loaded, service = await host.begin("alaric", "quick"), host.services.conditional_moves
    at = await service.look(loaded.id, GRACE)
    move = await service.entering(loaded.id, GRACE, at.number, 0)
    await move.play(0, GRACE, "3")
    await play(host, loaded, ADA, "3")
    with pytest.raises(Refused, match="has moved on"):
        await service.enter(move)
    assert await foreseen(host, loaded.id, GRACE) == []


async def test_variations_of_others_are_nobodys_business(host: Host) -> None:
    """Neither what others export nor what they see of the match tells of them."""
    loaded = await host.begin("alaric", "quick")
    before = await host.services.privacy.export(ADA)
    board = words(panel(loaded, "paper", live=True))
    at = await foresee(host, loaded.id, GRACE, "3", "5")
    assert await host.services.privacy.export(ADA) == before
    read = await host.services.matches.load(loaded.id)
    assert words(panel(read, "paper", live=True)) == board
    theirs = await host.services.privacy.export(GRACE)
    assert theirs["variations"] == [
        {"id": at.number, "match_id": loaded.id, "user_id": str(GRACE), "plies": 0, "moves": ["3", "5"]}
    ]
    post = read.stored.post
    assert post is not None
    assert loaded.stored.post is not None
    assert post.version == loaded.stored.post.version


@pytest.mark.parametrize(
    "game", [pytest.param(it, marks=() if it == "skull" else pytest.mark.soak) for it in OPEN]
)
async def test_the_game_is_the_same_as_if_typed(host: Host, automatic: AutomaticMoves, game: str) -> None:
    """Two members foresee some of the moves of a random game, and others that are not made."""
    chance = random.Random(game)
    typed = await host.begin(game, "quick")
    for _ in range(8):
        legal = typed.match.legal() or ()
        if not legal or typed.match.over:
            break
        (user,) = typed.waiting_for
        typed = await play(host, typed, user, chance.choice(legal))
    moves = [entry.text for entry in typed.stored.log]
    loaded = await host.begin(game, "quick")
    while loaded.plies < len(moves):
        (mover,) = loaded.waiting_for
        other = GRACE if mover == ADA else ADA
        rest = moves[loaded.plies : loaded.plies + chance.randint(1, 5)]
        instead = chance.randrange(len(rest))
        if (before := _stage(loaded, rest[:instead])).to_move == loaded.match.to_move:
            await foresee(host, loaded.id, other, *rest[:instead], chance.choice(before.legal() or ()))
        await foresee(host, loaded.id, other, *rest)
        loaded = await play(host, loaded, mover, moves[loaded.plies])
    assert loaded.stored.log == typed.stored.log
    assert loaded.match == typed.match
    assert loaded.stored.conditional
    assert loaded.stored.turns is not None
    assert typed.stored.turns is not None
    assert [it is None for it in loaded.stored.turns.since] == [it is None for it in typed.stored.turns.since]


def _stage(loaded: LoadedMatch, moves: Sequence[str]) -> Match:
    """The match after these moves."""
    match = loaded.match
    for text in moves:
        match = match.play(match.to_move[0], text)
    return match
