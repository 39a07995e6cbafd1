"""Games against the computer begin at once, on a level that suits the member."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from bot.app import computers as module
from bot.app.challenges.terms import terms_of
from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.matches import listed
from bot.app.matches.listed import ARCHIVED_AFTER
from bot.app.matches.matches import FORGOTTEN
from bot.app.members.agenda import agenda
from bot.app.mentions import PERSONAS, mention, named
from db import rating_math
from db.stores.standings.rows import write_ratings
from db.values.challenges import Answer, Order, Reply
from db.values.matches import MatchOptions
from db.values.members import COMPUTER_PLAYERS, LEVELS, computer_player, is_computer, level_of
from db.values.places import former
from db.values.proposals import Matter
from db.values.standings import ALWAYS, EVERYWHERE, HeldSkill, Leaderboard, Rating
from rules.core.errors import BadSetup, RuleError
from rules.games import find
from rules.players.choose import levels_of
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host

pytestmark = pytest.mark.slow

DISCORD_EPOCH_STEP = 1 << 22
"""The lowest id that Discord can have given: its first millisecond, with no counter."""


def test_no_user_has_the_id_of_a_computer_player() -> None:
    assert len(set(COMPUTER_PLAYERS)) == 5 * len(LEVELS)
    assert all(0 < player < DISCORD_EPOCH_STEP for player in COMPUTER_PLAYERS)
    assert {level_of(player) for player in COMPUTER_PLAYERS} == set(LEVELS)
    assert not any(map(is_computer, (0, -9001, 9000, 9009, 9010, 9051, ADA)))


def test_a_computer_player_is_named_and_never_mentioned() -> None:
    assert [mention(computer_player(level)) for level in LEVELS] == [
        f"{persona.name} (computer)" for persona in PERSONAS
    ]
    assert mention(computer_player(2, 1)) == "Brush II (computer)"
    assert named(computer_player(1), computer=True) == "Crayon (computer)"


def test_a_computer_player_has_last_words_for_each_result() -> None:
    """They vary, and nobody can answer a question there."""
    for persona in PERSONAS:
        sentences = [*persona.won, *persona.drew, *persona.lost]
        assert all((persona.won, persona.drew, persona.lost))
        assert len(set(sentences)) == len(sentences) >= 4
        assert not [it for it in sentences if "?" in it]


async def test_a_game_begins_at_once(host: Host) -> None:
    games = host.services.computer_games
    loaded = await games.play(HERE, ADA, "skull", size="quick", order=Order.FIRST)
    assert loaded.stored.users == (ADA, computer_player(1))
    assert not loaded.stored.rated
    assert loaded.stored.time_control is None
    second = await games.play(ELSEWHERE, ADA, "skull", 4, order=Order.LAST)
    assert second.stored.users == (computer_player(4), ADA)
    assert (await host.store.members.get(computer_player(4))).computer
    assert await host.services.challenges.waiting(ADA) == []
    assert {loaded.id for loaded in await host.services.matches.mine(ADA)} == {loaded.id, second.id}


@pytest.mark.soak
async def test_suggested_level_without_a_rating_is_the_last_one(host: Host) -> None:
    games = host.services.computer_games
    assert await games.suggested_level(ADA, "skull") == 1
    await games.play(HERE, ADA, "skull", 3)
    await games.play(HERE, ADA, "skull", 2)
    await games.play(HERE, ADA, "alaric", 5)
    await games.play(HERE, GRACE, "skull", 4)
    assert [await games.suggested_level(ADA, game) for game in ("skull", "alaric", "maze")] == [2, 5, 1]
    assert level_of((await games.play(HERE, ADA, "skull")).stored.users[1]) == 2


async def test_suggested_level_is_the_nearest_to_the_rating(host: Host) -> None:
    """The rating in that game counts, whichever level was played last."""
    games = host.services.computer_games
    leaderboard = Leaderboard(ALWAYS, "alaric", EVERYWHERE)
    for level in levels_of(find("alaric")):
        skill = rating_math.calibrated(computer_player(level), "alaric")
        assert skill is not None
        near = replace(skill, mu=skill.mu - 1)
        ratings = [Rating(ADA, leaderboard, HeldSkill(near), 1, 0, 0)]
        await host.store.sessions.write_at_once(partial(write_ratings, ratings=ratings))
        assert await games.suggested_level(ADA, "alaric") == level
    other = await games.play(HERE, ADA, "alaric", 2)
    assert await games.suited_score(other) is None
    loaded = await games.play(ELSEWHERE, ADA, "alaric")
    assert computer_player(level) in loaded.stored.users
    assert await games.suited_score(loaded) == near.score
    assert await games.suited_score(await games.play(ELSEWHERE, GRACE, "alaric", level)) is None
    assert await games.suggested_level(ADA, "skull") == 1


async def test_what_cannot_begin_changes_nothing(host: Host) -> None:
    games = host.services.computer_games
    for game, size in (("chess", ""), ("skull", "900x900"), ("skull", "gigantic")):
        with pytest.raises(RuleError):
            await games.play(HERE, ADA, game, 1, size)
    with pytest.raises(BadSetup, match=r"^The Amazon Skull Game has levels 1 to 5: choose one of them\.$"):
        await games.play(HERE, ADA, "skull", 6)
    await host.services.store.servers.change(1, channels=(ELSEWHERE.channel,))
    with pytest.raises(Refused, match="In this server games are played in"):
        await games.play(HERE, ADA, "skull")
    assert await host.services.matches.mine(ADA) == []
    assert await host.store.challenges.open() == []


async def test_games_that_were_let_lie_are_archived_until_the_next_move(host: Host) -> None:
    games, matches = host.services.computer_games, host.services.matches
    old = await games.play(HERE, ADA, "skull", size="quick", order=Order.FIRST)
    rated = await games.play(HERE, ADA, "skull", 1, order=Order.FIRST, rated=True)
    host.clock.push(ARCHIVED_AFTER - timedelta(hours=1))
    new = await games.play(ELSEWHERE, ADA, "skull", size="quick", order=Order.FIRST)
    assert [it.id for it in (await matches.by_hand(ADA))[0]] == [old.id, rated.id, new.id]
    host.clock.push(timedelta(hours=2))
    found = await agenda(matches, host.services.challenges, host.services.proposals, ADA, HERE)
    assert [it.id for it in found.archived] == [old.id]
    assert [due.loaded.id for due in found.due] == [rated.id, new.id]
    # Where nothing else is played, `/move` still means the archived game.
    await matches.resign(rated.id, ADA)
    assert await matches.pick(ADA, HERE, None) == old.id
    await matches.play(old.id, ADA, "b2")
    assert [it.id for it in (await matches.by_hand(ADA))[0]] == [old.id, new.id]


@pytest.mark.soak
async def test_old_games_keep_nobody_from_a_new_one(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed, "MOST_AT_HAND", 2)
    monkeypatch.setattr(module, "MOST_ARCHIVED", 3)
    games, matches = host.services.computer_games, host.services.matches
    tables = []
    for _ in range(6):
        tables.append((await games.play(HERE, ADA, "skull", size="quick", order=Order.FIRST)).id)
        host.clock.push(timedelta(minutes=1))
    at_hand, away = await matches.by_hand(ADA)
    assert [it.id for it in at_hand] == tables[4:]
    assert [it.id for it in away] == tables[1:4]
    ended = await matches.load(tables[0])
    assert (ended.stored.void, ended.stored.outcomes) == (FORGOTTEN, None)
    await games.play(HERE, GRACE, "skull", order=Order.FIRST)
    assert len((await matches.by_hand(GRACE))[0]) == 1


async def test_a_game_that_was_agreed_on_begins_after_a_restart(host: Host) -> None:
    loaded = await host.services.computer_games.play(HERE, ADA, "skull")
    assert await host.store.challenges.agreed(10) == []
    # As if the process had been stopped between the two transactions of a rematch.
    await host.services.matches.resign(loaded.id, ADA)
    played = await host.services.matches.load(loaded.id)
    rematches = host.services.rematches
    offer = await host.store.challenges.add(rematches._again(played.stored, ADA, HERE))
    assert await host.store.challenges.agreed(10) == [offer.id]
    again = await host.services.challenges.begin(offer.id)
    assert again.stored.users == (computer_player(1), ADA)
    assert await host.store.challenges.agreed(10) == []


async def test_a_computer_player_agrees_to_a_rematch_at_once(host: Host) -> None:
    first = await host.services.computer_games.play(HERE, ADA, "skull", order=Order.FIRST)
    await host.services.matches.resign(first.id, ADA)
    offer, second = await host.services.rematches.ask(first.id, ADA, HERE)
    assert second is not None
    assert second.stored.users == (computer_player(1), ADA)
    assert offer.users(Reply.ASKED) == ()
    with pytest.raises(Refused, match="accepted already"):
        await host.services.rematches.ask(first.id, ADA, HERE)


async def test_members_and_computer_players_share_a_table(host: Host) -> None:
    challenges = host.services.challenges
    seats = await host.services.computer_games.seated(ADA, "maze", 2, 2)
    options = MatchOptions(time_control=read_time_control("24h"), rated=True)
    terms = terms_of("maze", "quick", 4, 4, options=options)
    offer = await challenges.make(HERE, ADA, terms, (GRACE,), seats)
    _, loaded = await challenges.accept(offer.id, GRACE)
    assert loaded is not None
    assert loaded.stored.users == (ADA, GRACE, *seats)
    assert not loaded.stored.rated
    assert [clock is None for clock in loaded.stored.clocks] == [False, False, True, True]


async def test_a_lobby_with_computer_players_begins_when_it_is_full(host: Host) -> None:
    challenges = host.services.challenges
    seats = await host.services.computer_games.seated(ADA, "maze", 1, 1)
    offer = await challenges.make(HERE, ADA, terms_of("maze", "quick", 2, 3), (), seats)
    _, loaded = await challenges.accept(offer.id, EMMY)
    assert loaded is not None
    assert set(loaded.stored.users) == {ADA, EMMY, *seats}
    with pytest.raises(Refused, match="No seat is left for a member"):
        await challenges.make(HERE, ADA, terms_of("maze", "quick", 2, 2), (), seats)


async def test_a_rated_game_is_on_the_terms_that_levels_are_calibrated_on(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, scores = host.services.computer_games, {"skull": 1200}
    monkeypatch.setattr(rating_math, "score", lambda game, level: scores.get(game))
    with pytest.raises(Refused, match="not rated in Alaric yet"):
        await games.play(HERE, ADA, "alaric", rated=True)
    with pytest.raises(Refused, match="has the standard size"):
        await games.play(HERE, ADA, "skull", size="quick", rated=True)
    loaded = await games.play(HERE, ADA, "skull", 1, order=Order.FIRST, rated=True)
    assert loaded.stored.rated
    assert len(await host.services.matches.mine(ADA)) == 1
    await host.services.matches.play(loaded.id, ADA, (loaded.match.legal() or ())[0])
    asked = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
    answered = await host.services.computer_answers.answer(asked)
    assert answered.said == ("Crayon (computer) declines: in a rated game moves stand.",)
    assert answered.proposal.answer is Answer.DECLINED


async def test_who_has_their_data_deleted_leaves_the_computer_behind(host: Host) -> None:
    loaded = await host.services.computer_games.play(HERE, ADA, "skull", order=Order.FIRST)
    await host.services.privacy.forget(ADA)
    left = await host.services.matches.load(loaded.id)
    assert left.match.winners == (1,)
    assert [former(user) for user in left.stored.users] == [True, False]
    assert [it async for it in host.services.computer_turns.pending()] == []
    assert await host.services.computer_games.suggested_level(ADA, "skull") == 1


async def test_who_takes_no_challenges_can_play_the_computer(host: Host) -> None:
    await host.services.preferences.away(ADA, for_good=True)
    loaded = await host.services.computer_games.play(HERE, ADA, "skull")
    assert ADA in loaded.stored.users
