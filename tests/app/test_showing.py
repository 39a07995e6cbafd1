"""The answers that a member may show to a channel: where the server wants it, of whom, and how often."""

from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.showing import MOST, WINDOW
from db.values.places import Place
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host

LETTERS = Place(None, 5)


async def test_a_server_can_turn_it_off(host: Host) -> None:
    showing = host.services.showing
    assert await showing.offered(HERE)
    await host.services.store.servers.change(1, showing=False)
    assert not await showing.offered(HERE)
    with pytest.raises(Refused, match="In this server, answers cannot be shown"):
        await showing.check(ADA, HERE, ())
    assert await showing.offered(LETTERS)
    await showing.check(ADA, LETTERS, ())


async def test_members_who_are_not_listed_are_shown_by_themselves_only(host: Host) -> None:
    showing = host.services.showing
    await showing.check(ADA, HERE, (ADA, GRACE))
    await host.services.preferences.choose(GRACE, listed=False)
    with pytest.raises(Refused, match=f"<@{GRACE}> did not agree") as listed:
        await showing.check(ADA, HERE, (ADA, GRACE))
    await showing.check(GRACE, HERE, (ADA, GRACE))

    # A block is told in the same words, to the blocked member alone.
    await host.services.preferences.choose(GRACE, listed=True)
    await host.services.preferences.block(GRACE, ADA)
    with pytest.raises(Refused) as blocked:
        await showing.check(ADA, HERE, (ADA, GRACE))
    assert str(blocked.value) == str(listed.value)
    await showing.check(EMMY, HERE, (ADA, GRACE))


async def test_a_press_shows_a_thing_once(host: Host) -> None:
    showing = host.services.showing
    showing.begin(ADA, "1 show")
    with pytest.raises(Refused, match="already"):
        showing.begin(ADA, "1 show")
    showing.failed(ADA, "1 show")
    showing.begin(ADA, "1 show")


async def test_nobody_floods_a_channel(host: Host) -> None:
    showing = host.services.showing
    for number in range(MOST):
        showing.begin(ADA, f"{number} show")
        host.clock.push(timedelta(minutes=1))
    with pytest.raises(Refused, match=r"You have shown 5 things within ten minutes.*wait 5 minutes\."):
        showing.begin(ADA, "next")
    showing.begin(GRACE, "next")
    host.clock.push(WINDOW - timedelta(minutes=MOST))
    showing.begin(ADA, "another")
    with pytest.raises(Refused, match=r"wait a minute\."):
        showing.begin(ADA, "too early")


async def test_limit_holds_when_the_clock_is_set_back(host: Host) -> None:
    """It neither lasts longer nor ends earlier."""
    showing = host.services.showing
    for number in range(MOST):
        showing.begin(ADA, f"{number} show")
    host.clock.jump(-timedelta(days=1))
    with pytest.raises(Refused, match=r"wait 10 minutes\."):
        showing.begin(ADA, "next")
    host.clock.jump(timedelta(days=2))
    with pytest.raises(Refused, match=r"wait 10 minutes\."):
        showing.begin(ADA, "next")
    host.clock.push(WINDOW)
    showing.begin(ADA, "next")
