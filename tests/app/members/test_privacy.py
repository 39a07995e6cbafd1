"""Data of a member: everything is exported, nothing is left after deletion, and others play on."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.app.members.agenda import agenda
from bot.app.replay import History, search_for
from bot.ui.challenges.message import challenge_message
from bot.ui.challenges.posting import RematchButton
from bot.ui.history import history_message
from bot.ui.matches.board_actions import board_text
from bot.ui.matches.panel import panel
from bot.ui.members.help import guidance
from bot.ui.members.overview import overview
from db.address import address
from db.engine import make_engine, open_store
from db.values.challenges import Answer, Reply
from db.values.matches import Outcome
from db.values.places import former
from db.values.proposals import Matter
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, LIFETIME, Host
from tests.db.given import challenge_of
from tests.db.life import holding
from tests.ui.words import words

pytestmark = pytest.mark.slow

KAI = 2**62 + 7
"""The member who wants to be forgotten: an id whose digits are nowhere else."""


async def gone(host: Host, user: int = KAI) -> None:
    """Forget a member, and be sure that nothing of them is left."""
    await host.services.privacy.forget(user)
    assert await host.store.privacy.export(user) == {}


async def test_the_other_of_two_wins(host: Host) -> None:
    loaded = await host.begin("skull", others=[KAI])
    assert await host.services.privacy.still_in(KAI) == (1, 0)
    await gone(host)
    loaded = await host.services.matches.load(loaded.id)
    assert loaded.stored.outcomes == (Outcome.WON, Outcome.LOST)
    assert loaded.stored.log[-1] == (1, "resign")
    assert (loaded.stored.users[0], former(loaded.stored.users[1])) == (ADA, True)


async def test_of_three_the_others_play_on(host: Host) -> None:
    loaded = await host.begin("maze", "2", others=[KAI, GRACE])
    made = await host.services.proposals.propose(loaded.id, ADA, Matter.DRAW)
    await host.services.proposals.agree(made.id, GRACE)
    await gone(host)
    await host.services.proposals.close_decided(loaded.id)
    loaded = await host.services.matches.load(loaded.id)
    assert (loaded.match.playing, loaded.match.agreed) == ((0, 2), True), "who is gone is not asked"


async def test_challenges_are_withdrawn_declined_or_left(host: Host) -> None:
    made = await host.services.challenges.make(HERE, KAI, terms_of("skull", "", 2, 2), [ADA])
    asked = await host.services.challenges.make(HERE, ADA, terms_of("skull", "", 2, 2), [KAI])
    opened = await host.services.challenges.make(HERE, KAI, terms_of("maze", "", 2, 4))
    joined = await host.services.challenges.make(HERE, ADA, terms_of("maze", "", 2, 4))
    thrown_out = await host.services.challenges.make(ELSEWHERE, ADA, terms_of("maze", "", 2, 4))
    for user in (KAI, GRACE):
        await host.services.challenges.accept(joined.id, user)
        await host.services.challenges.accept(thrown_out.id, user)
    await host.services.challenges.remove(thrown_out.id, ADA, KAI)
    await gone(host)
    made_here = (made, asked, opened, joined, thrown_out)
    offers = [await host.services.store.challenges.get(it.id) for it in made_here]
    stands = {it.id: it.answer for it in offers if it is not None}
    assert stands == {
        made.id: Answer.WITHDRAWN,
        asked.id: Answer.DECLINED,
        opened.id: Answer.WITHDRAWN,
        joined.id: Answer.OPEN,
        thrown_out.id: Answer.OPEN,
    }
    loaded = await host.services.challenges.start(joined.id, ADA)
    assert loaded.stored.users == (ADA, GRACE)


async def test_a_challenge_whose_time_is_over_but_that_nobody_has_closed_yet(host: Host) -> None:
    await host.services.challenges.make(HERE, KAI, terms_of("skull", "", 2, 2), [ADA])
    host.clock.push(2 * LIFETIME)
    await gone(host)


@pytest.mark.parametrize(("late", "winner"), [(ADA, KAI), (KAI, ADA)])
async def test_time_that_was_over_before_decides(host: Host, late: int, winner: int) -> None:
    loaded = await host.begin("skull", others=[KAI], clock="24h")
    if late == KAI:
        await host.services.matches.play(loaded.id, ADA, "c3")
    await host.pass_time(timedelta(hours=25))
    await gone(host)
    loaded = await host.services.matches.load(loaded.id)
    assert loaded.stored.log[-1].text == "timeout"
    assert loaded.match.winners == (0 if winner == ADA else 1,)


async def test_doing_it_again_changes_nothing_and_one_may_come_back(host: Host) -> None:
    await host.begin("skull", others=[KAI])
    await host.services.preferences.choose(KAI, forced=True)
    await gone(host)
    await gone(host)
    await gone(host, EMMY)
    again = await host.begin("alaric", others=[KAI])
    assert again.stored.users == (ADA, KAI)
    assert (await host.services.preferences.member(KAI)).forced is False


async def test_a_former_member_is_no_opponent_any_more(host: Host) -> None:
    loaded = await host.begin("skull", others=[KAI])
    asked = await host.services.matches.resign(loaded.id, KAI)
    await host.services.rematches.ask(asked.id, ADA, HERE)
    await gone(host)
    with pytest.raises(Refused, match="start another game"):
        await host.services.rematches.ask(loaded.id, ADA, HERE)
    with pytest.raises(Refused, match="Only those who played"):
        await host.services.rematches.ask(loaded.id, KAI, HERE)
    with pytest.raises(Refused, match="is played by <@101> and a former member"):
        await host.services.matches.play(loaded.id, KAI, "c3")
    parts = panel(await host.services.matches.load(loaded.id), "paper", live=True).walk_children()
    assert not any(isinstance(part, RematchButton) for part in parts)


async def test_wherever_a_name_would_stand_a_former_member_is_said(host: Host) -> None:
    over = await host.begin("skull", others=[KAI])
    others = await host.begin("maze", "2", others=[KAI, GRACE])
    offers = [
        (await host.services.challenges.make(HERE, challenger, terms_of(game, "", 2, seats), asked)).id
        for challenger, game, seats, asked in (
            (KAI, "alaric", 2, [ADA]),
            (ADA, "alaric", 2, [KAI]),
            (KAI, "maze", 3, []),
        )
    ]
    await gone(host)
    tables = [await host.services.matches.load(match) for match in (over.id, others.id)]
    history = await History(host.store.history).page(search_for(HERE, ADA))
    said = [words(panel(loaded, "paper", live=True)) for loaded in tables]
    said += [board_text(loaded, seat) for loaded in tables for seat in (None, 0)]
    said += [
        words((await challenge_message(found, "slate"))[0])
        for id_ in offers
        if (found := await host.services.store.challenges.get(id_))
    ]
    said.append(words(history_message(history)))
    for user in (ADA, EMMY):
        theirs = await agenda(
            host.services.matches, host.services.challenges, host.services.proposals, user, HERE
        )
        said += [
            words(overview(theirs)),
            words(guidance(theirs, HERE, ["skull"], manages=False, alone=False)),
        ]
    whole = "\n".join(said)
    assert "<@-" not in whole
    assert str(KAI) not in whole
    assert (
        "a former member (has left)" in whole.replace("\N{VARIATION SELECTOR-15}", "")
        or "(has left)" in whole
    )
    assert all("ormer member" in text for text in said[:2]), said[:2]


async def test_an_export_holds_what_is_ones_own(host: Host) -> None:
    loaded = await host.begin("palindromes", others=[KAI])
    loaded = await host.services.matches.load(loaded.id)
    before = await host.services.privacy.export(KAI)
    await host.services.matches.play(loaded.id, ADA, "RB" * 6)
    assert await host.services.privacy.export(KAI) == before, "what others have sealed is theirs"
    await host.services.matches.play(loaded.id, KAI, "BR" * 6)
    exported: Any = await host.services.privacy.export(KAI)
    assert json.loads(json.dumps(exported)) == exported
    assert exported["member"] == str(KAI)
    assert [ply["text"] for ply in exported["plies"]] == ["arrange " + "BR" * 6]
    assert "arrange " + "RB" * 6 not in json.dumps(exported)
    await host.services.preferences.block(ADA, KAI)
    assert (await host.services.privacy.export(KAI)) == exported, "who blocks whom is their secret"


@pytest.fixture
async def elsewhere(threads: None, host: Host, tmp_path: Path) -> AsyncIterator[Host]:
    """Another process on the same database."""
    async with open_store(None, tmp_path, prepared=True) as store:
        yield Host(store, host.clock)


@pytest.mark.soak
async def test_leaving_while_another_process_acts(host: Host, elsewhere: Host, tmp_path: Path) -> None:
    engine = make_engine(address(None, tmp_path))
    for _ in range(2):
        loaded = await host.begin("skull", "3x3", others=[KAI])
        offers = [
            await host.services.challenges.make(HERE, EMMY, terms_of("alaric", "", 2, 2), [KAI]),
            await host.services.challenges.make(HERE, KAI, terms_of("alaric", "", 2, 2), [GRACE]),
        ]

        async def all_at_once(match: int = loaded.id, offers: Any = offers) -> None:
            for act in (
                lambda: elsewhere.services.challenges.accept(offers[0].id, KAI),
                lambda: elsewhere.services.challenges.accept(offers[1].id, GRACE),
                lambda: elsewhere.services.matches.play(match, ADA, "a1"),
                lambda: elsewhere.services.matches.resign(match, ADA),
            ):
                try:
                    await act()
                except Refused:
                    continue

        async with asyncio.timeout(60):
            await asyncio.gather(
                host.services.privacy.forget(KAI), elsewhere.services.privacy.forget(KAI), all_at_once()
            )
            await host.services.privacy.forget(KAI)
        assert await holding(engine, KAI) == set()
        assert await host.store.matches.running() == []
        for offer_ in offers:
            found = await challenge_of(host.services.store, offer_.id)
            assert found.answer is not Answer.OPEN
            assert any(former(user) for user in found.users(*Reply))
    await engine.dispose()
