"""Computer players who take the seats of players who have left, in games for three and more."""

from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import FEWEST
from bot.operators.checked_matches import check_match
from bot.operators.rebuild import judge
from bot.ui.components.wording import takeovers
from bot.ui.matches.panel import panel
from db.inspection import Examined
from db.values.challenges import Answer
from db.values.matches import Outcome, Search
from db.values.members import computer_player, is_computer
from db.values.places import former
from db.values.proposals import Matter, Proposal
from db.values.standings import ALWAYS, EVERYWHERE
from rules.core.match import Match
from rules.core.record import write
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.db.given import match_of
from tests.ui.words import words

pytestmark = pytest.mark.slow

CRAYON = computer_player(1)


async def table(host: Host, rounds: int = FEWEST, *, clock: str = "", rated: bool = True) -> LoadedMatch:
    """A maze of Ada, Grace and Emmy in which each has made so many moves; Ada is on turn."""
    loaded = await host.begin("maze", "quick", others=(GRACE, EMMY), clock=clock, rated=rated)
    for _ in range(3 * rounds):
        loaded = await moved(host, loaded)
    return loaded


async def moved(host: Host, loaded: LoadedMatch) -> LoadedMatch:
    (user,) = loaded.waiting_for
    return await host.services.matches.play(loaded.id, user, (loaded.match.legal() or ())[0])


async def offer(host: Host, match: int) -> Proposal | None:
    """The offer of a seat that is open, if any."""
    found = [it for it in await host.store.proposals.open(match) if it.matter is Matter.SEAT]
    assert len(found) <= 1
    return found[0] if found else None


async def agreed(host: Host, match: int, *users: int) -> LoadedMatch:
    made = await offer(host, match)
    assert made is not None
    for user in users:
        await host.services.proposals.agree(made.id, user)
    return await host.services.matches.load(match)


def record_of(loaded: LoadedMatch) -> dict[str, object]:
    """The record, which the referee replays."""
    record = write(loaded.match)
    assert Match.replay(loaded.match.game, loaded.match.setup, loaded.match.log).state == loaded.match.state
    return record


async def test_others_agree_that_a_computer_plays_on(host: Host) -> None:
    before = await table(host)
    match = before.id
    after = await host.services.matches.resign(match, ADA)
    assert after.waiting_for == (GRACE,)
    made = await offer(host, match)
    assert made is not None
    assert (made.computer, await host.services.proposals.waiting(EMMY)) == (CRAYON, [(made, after)])
    board = words(panel(after, "paper", live=True, proposals=[made]))
    assert (
        "has left: Crayon, level 1, can play on in their place, and the game is casual from then on." in board
    )
    assert f"<@{GRACE}>, <@{EMMY}>, do you agree?" in board
    for stranger in (ADA, 999):
        with pytest.raises(Refused, match="Only those who play"):
            await host.services.proposals.agree(made.id, stranger)
    assert (await host.services.proposals.agree(made.id, EMMY)).answer is Answer.OPEN
    loaded = await agreed(host, match, GRACE)
    assert loaded.match == before.match
    assert loaded.stored.users == (CRAYON, GRACE, EMMY)
    assert loaded.stored.leavers == (ADA, None, None)
    assert not loaded.stored.rated
    assert record_of(loaded) == write(before.match)
    assert takeovers(loaded)[0].startswith("Crayon ")
    board = words(panel(loaded, "paper", live=True))
    assert f"plays on for <@{ADA}>, who resigned." in board
    assert "By agreement" not in board
    assert match not in [it.id for it in await host.services.matches.mine(ADA)]
    await host.services.computer_turns.play(match)
    loaded = await host.services.matches.load(match)
    assert loaded.waiting_for == (GRACE,)
    assert loaded.stored.log[-1].seat == 0


async def test_the_game_goes_on_at_once_and_a_move_ends_the_offer(host: Host) -> None:
    match = (await table(host)).id
    after = await host.services.matches.resign(match, ADA)
    made = await offer(host, match)
    assert made is not None
    await host.services.proposals.agree(made.id, EMMY)
    await moved(host, after)
    with pytest.raises(Refused, match="The game has moved on"):
        await host.services.proposals.agree(made.id, GRACE)
    assert await offer(host, match) is None
    loaded = await host.services.matches.load(match)
    assert loaded.stored.users == (ADA, GRACE, EMMY)
    assert loaded.stored.rated


async def test_a_forced_move_does_not_end_the_offer(host: Host) -> None:
    match = (await table(host)).id
    await host.services.preferences.choose(GRACE, forced=True)
    after = await host.services.matches.resign(match, ADA)
    assert after.match.legal() == ("7",)
    assert after.waiting_for == (GRACE,)
    assert await offer(host, match) is not None


async def test_an_offer_is_declined(host: Host) -> None:
    match = (await table(host)).id
    await host.services.matches.resign(match, ADA)
    made = await offer(host, match)
    assert made is not None
    assert (await host.services.proposals.refuse(made.id, EMMY)).answer is Answer.DECLINED
    loaded = await host.services.matches.load(match)
    shown = await host.services.proposals.on_board(loaded)
    assert "Crayon was offered the seat of" in words(panel(loaded, "paper", live=True, proposals=shown))


async def test_computers_at_the_table_are_not_asked_and_stop_nothing(host: Host) -> None:
    """The computer player moves at once; that move is taken back if the member agrees."""
    loaded = await host.begin("maze", "quick", others=(CRAYON, GRACE), rated=False)
    loaded = await moved(host, loaded)
    await host.services.computer_turns.play(loaded.id)
    loaded = await moved(host, await host.services.matches.load(loaded.id))
    before = await host.services.matches.load(loaded.id)
    await host.services.matches.resign(loaded.id, ADA)
    await host.services.computer_turns.play(loaded.id)
    later = await host.services.matches.load(loaded.id)
    assert later.stored.log[-1].seat == 1
    assert await host.store.proposals.unanswered_by_computers(10) == []
    found = await agreed(host, loaded.id, GRACE)
    assert found.stored.users == (computer_player(1, 1), CRAYON, GRACE)
    assert found.match == before.match


async def test_nobody_is_asked_where_no_member_would_play(host: Host) -> None:
    two = await host.begin("maze", "quick")
    await host.services.matches.resign(two.id, ADA)
    assert await host.store.proposals.open(two.id) == []
    alone = await host.begin("maze", "quick", others=(CRAYON, computer_player(2)), rated=False)
    await host.services.matches.resign(alone.id, ADA)
    assert await host.store.proposals.open(alone.id) == []


@pytest.mark.soak
async def test_only_the_last_who_left_is_replaced(host: Host) -> None:
    loaded = await host.begin("maze", "quick", others=(GRACE, EMMY, 104))
    await host.services.matches.resign(loaded.id, ADA)
    first = await offer(host, loaded.id)
    await host.services.matches.resign(loaded.id, EMMY)
    second = await offer(host, loaded.id)
    assert first is not None
    assert second is not None
    assert (first.seat, second.seat) == (0, 2)
    found = await agreed(host, loaded.id, GRACE, 104)
    assert found.match.playing == (1, 2, 3)
    assert found.stored.leavers == (None, None, EMMY, None)


async def test_a_player_whose_time_is_over_is_replaced_without_a_clock(host: Host) -> None:
    match = (await table(host, clock="1d")).id
    await host.pass_time(timedelta(days=1))
    assert await host.services.matches.time_out(match)
    after = await host.services.matches.resume(match)
    assert after.waiting_for == (GRACE,)
    found = await agreed(host, match, GRACE, EMMY)
    assert found.stored.clocks[0] is None
    assert found.waiting_for == (CRAYON,)
    assert f"plays on for <@{ADA}>, whose time ran out." in takeovers(found)[0]
    await host.services.computer_turns.play(match)
    found = await host.services.matches.load(match)
    clock = found.stored.clocks[1]
    assert clock is not None
    assert clock.left_at(host.clock.now()) == timedelta(days=1)


async def finished(host: Host, match: int) -> LoadedMatch:
    """Let Grace and Emmy resign, so that whoever has Ada's seat wins."""
    await host.services.matches.resign(match, GRACE)
    if (made := await offer(host, match)) is not None:
        await host.services.proposals.refuse(made.id, EMMY)
    return await host.services.matches.resign(match, EMMY)


@pytest.mark.soak
async def test_whoever_left_has_lost_whatever_the_computer_reaches(host: Host) -> None:
    match = (await table(host)).id
    await host.services.matches.resign(match, ADA)
    await agreed(host, match, GRACE, EMMY)
    over = await finished(host, match)
    assert over.match.winners == (0,)
    history = host.services.history
    for member, outcome, known in (
        (ADA, None, True), (ADA, Outcome.LOST, True), (ADA, Outcome.WON, False),
        (GRACE, Outcome.LOST, True), (CRAYON, Outcome.WON, True),
    ):  # fmt: skip
        page = await history.page(Search.near(HERE, None, member, None, outcome))
        assert [it.id for it in page.matches] == ([match] if known else []), (member, outcome)
    page = await history.page(Search.near(HERE, None, GRACE, ADA))
    assert [it.id for it in page.matches] == [match]
    changes = await host.services.ratings.changes(over)
    assert [it.user for it in changes if not former(it.user)] == [ADA]
    ratings = {user: await host.store.ratings.of_member(user) for user in (ADA, GRACE, EMMY, CRAYON)}
    assert [bool(it) for it in ratings.values()] == [True, False, False, False]
    whole = next(
        it for it in ratings[ADA] if it.leaderboard.period == ALWAYS and it.leaderboard.guild == EVERYWHERE
    )
    assert (whole.won, whole.drawn, whole.lost) == (0, 0, 1)
    assert await host.services.store.profiles.casual(ADA, "maze") == {}
    # A computation of all ratings gives the same, and the check of the store finds nothing wrong.
    await host.store.ratings.rebuild(judge, host.clock.now())
    assert await host.store.ratings.of_member(ADA) == ratings[ADA]
    stored = await match_of(host.store, match)
    assert list(check_match(Examined(stored, frozenset(), (2, 1, 1), None))) == []
    # A moderator who takes the result back takes the loss back, too.
    await host.services.matches.break_off(match, HERE, "a mistake")
    assert await host.store.ratings.of_member(ADA) == []


@pytest.mark.soak
async def test_a_casual_loss_counts_as_one(host: Host) -> None:
    match = (await table(host, rated=False)).id
    await host.services.matches.resign(match, ADA)
    await agreed(host, match, GRACE, EMMY)
    await finished(host, match)
    assert await host.store.ratings.of_member(ADA) == []
    assert await host.services.store.profiles.casual(ADA, "maze") == {False: (0, 0, 1)}


async def test_a_game_without_a_result_has_none_for_who_left(host: Host) -> None:
    match = (await table(host)).id
    await host.services.matches.resign(match, ADA)
    await agreed(host, match, GRACE, EMMY)
    assert await host.store.ratings.of_member(ADA) != []
    await host.services.matches.break_off(match, HERE, "a mistake")
    assert await host.store.ratings.of_member(ADA) == []


async def test_whoever_left_can_delete_their_data(host: Host) -> None:
    match = (await table(host)).id
    await host.services.matches.resign(match, ADA)
    await agreed(host, match, GRACE, EMMY)
    exported = await host.services.privacy.export(ADA)
    assert str(ADA) in str(exported)
    await host.services.privacy.forget(ADA)
    loaded = await host.services.matches.load(match)
    (leaver, *others) = loaded.stored.leavers
    assert leaver is not None
    assert former(leaver)
    assert others == [None, None]
    assert "a former member" in takeovers(loaded)[0]
    assert is_computer(loaded.stored.users[0])
    assert set(await host.services.privacy.export(ADA)) == {"member", "at"}
