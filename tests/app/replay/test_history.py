"""The search of a history follows from what a member asks for."""

import pytest

from bot.app.errors import Refused
from bot.app.replay import SHOWN, History, search_for
from db.values.matches import Outcome, Search
from db.values.places import Place
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host


def test_an_opponent_or_a_result_is_the_asker_s_own() -> None:
    assert search_for(HERE, ADA) == Search(1)
    assert search_for(HERE, ADA, opponent=GRACE) == Search(1, None, ADA, GRACE)
    assert search_for(HERE, ADA, outcome=Outcome.WON) == Search(1, None, ADA, None, Outcome.WON)
    assert search_for(HERE, ADA, member=EMMY, outcome=Outcome.LOST) == Search(
        1, None, EMMY, None, Outcome.LOST
    )


def test_direct_messages_have_a_history_of_their_own() -> None:
    assert search_for(Place(None, 5), ADA, outcome=Outcome.LOST) == Search(
        None, None, ADA, None, Outcome.LOST, channel=5
    )
    for guild, channel in ((None, None), (1, 5)):
        with pytest.raises(ValueError, match="either a server or a channel of direct messages"):
            Search(guild, channel=channel)


@pytest.mark.parametrize("member", [None, ADA])
def test_nobody_is_their_own_opponent(member: int | None) -> None:
    with pytest.raises(Refused, match="two different members"):
        search_for(HERE, ADA, member=member, opponent=ADA)


async def test_chapters_follow_each_other(host: Host) -> None:
    history = History(host.store.history)
    numbers: list[int] = []
    for _ in range(SHOWN + 2):
        loaded = await host.begin("alaric", "3")
        await host.services.matches.resign(loaded.id, GRACE)
        numbers.insert(0, loaded.id)
    first = await history.page(Search(1))
    assert ([loaded.id for loaded in first.matches], first.newer, first.older) == (
        numbers[:SHOWN],
        False,
        True,
    )
    rest = await history.page(Search(1), first.matches[-1].id)
    assert ([loaded.id for loaded in rest.matches], rest.newer, rest.older) == (numbers[SHOWN:], True, False)
    back = await history.page(Search(1), rest.matches[0].id, newer=True)
    assert [loaded.id for loaded in back.matches] == numbers[:SHOWN]
    assert [stored.id for stored in await history.recent(Search(1), 3)] == numbers[:3]
