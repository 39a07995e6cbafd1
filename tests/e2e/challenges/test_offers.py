"""Standing offers over the wire: made on a card, taken from `/games`, below `/challenge` and on the card itself."""

from datetime import UTC, datetime

import pytest

from bot.sandbox.world.events import ChannelGone
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    answered,
    buttons,
    found_in,
    gone,
    message_with,
    pinged,
    press,
    text_of,
    told,
    until,
    usable_labels,
)
from tests.e2e.panels import boards_in
from tests.e2e.play import offered
from tests.e2e.stored_times import age_clock


async def test_offer_is_taken_by_one_press(club: Club) -> None:
    asked = club.ada.command("challenge", game="alaric", size="quick", clock="3d", order="first")
    card = await offered(club.ada, asked)
    opened = await club.ada.press(card, buttons(card)["Keep offering…"])
    await club.ada.submit(opened, most=["2"], lowest="", highest="1200")
    await told(
        club.ada, "Everybody with a rating of at most 1200 can now begin this game with you, at most 2 games"
    )
    card = await until(club.ada, card, "Alaric: play whenever you like")
    assert "at most 2 games at once, one for each member" in text_of(card)
    assert usable_labels(card) == {"Play", "Withdraw", "How it is played", "Learn it", "Change…"}

    # From the list, in another channel of the server.
    lounge = club.grace.elsewhere(str(club.local.channel("lounge")["id"]))
    games = await answered(lounge, "games")
    assert "**Play at once (1)**" in text_of(games)
    await press(lounge, games, "Play")
    begun = await told(lounge, "Your game has begun: [Alaric #")
    assert f"/{club.ada.channel}/" in text_of(begun)
    first = boards_in(await club.ada.messages())[-1]
    assert first.turn == club.ada.id
    await message_with(club.ada, f"<@{club.ada.id}>")

    # Below a challenge of one's own, which is then withdrawn.
    own = await offered(club.emmy, club.emmy.command("challenge", game="alaric", size="long", clock="3d"))
    instead = await told(club.emmy, "You can play at once.")
    assert f"with <@{club.ada.id}>" in text_of(instead)
    await press(club.emmy, instead, "Play")
    await until(club.emmy, instead, "Your game has begun: [Alaric #")
    await gone(club.emmy, own)

    # The card stays, and says when no further game can begin.
    await press(club.emmy, card, "Play")
    await told(club.emmy, "You play a game of this offer already")
    mine = await answered(club.ada, "games")
    assert "**Your standing offers (1)**" in text_of(mine)
    await press(club.ada, mine, "Withdraw")
    await gone(club.ada, card)


async def kept(club: Club, channel: str) -> Json:
    """The card of a standing offer of Grace in a channel."""
    grace = club.grace.elsewhere(channel)
    card = await offered(grace, grace.command("challenge", game="alaric", clock="3d", order="first"))
    await grace.submit(await grace.press(card, buttons(card)["Keep offering…"]), most=["3"])
    return await until(grace, card, "play whenever you like")


async def test_offer_rests_and_its_owner_opens_it_again(club: Club) -> None:
    card = await kept(club, club.grace.channel)
    grace = club.grace
    await press(club.ada, card, "Play")
    await found_in(grace, lambda seen: boards_in(seen) or None)
    await age_clock(club.folder, deadline=datetime.now(UTC), remind_at=None)
    call = await message_with(grace, "Your standing offer of Alaric rests")
    assert pinged(call) == [grace.id]
    card = await until(grace, card, "Alaric: a resting offer")
    assert "Play" not in usable_labels(card)
    await press(club.emmy, card, "Offer again")
    await told(club.emmy, f"Only <@{grace.id}> can change")
    mine = await answered(grace, "games")
    assert "rests, because a game of it ended while it waited for you" in text_of(mine)
    await press(grace, mine, "Offer again")
    card = await until(grace, card, "play whenever you like")
    assert "Play" in usable_labels(card)


@pytest.mark.soak
async def test_offer_ends_when_its_owner_or_its_channel_is_gone(club: Club) -> None:
    lounge = club.local.channel("lounge")
    await kept(club, lounge["id"])
    games = await answered(club.ada, "games")
    club.local.world.remove_channel(lounge)
    club.local.world.publish(ChannelGone(lounge))
    await press(club.ada, games, "Play")
    await told(club.ada, "The channel of this offer is gone, so it has ended.")
    assert "Your standing offers" not in text_of(await answered(club.grace, "games"))

    card = await kept(club, club.grace.channel)
    await club.grace.post("leave")
    await press(club.ada, card, "Play")
    await told(club.ada, f"<@{club.grace.id}> has left this server, so this offer has ended.")
    await gone(club.ada, card)
    assert boards_in(await club.ada.messages()) == []
