"""Challenges: from the context menu, refused, withdrawn and expired."""

from datetime import timedelta

import pytest

from bot.sandbox import Fault
from bot.sandbox.world.events import Event, MessageSent
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    answer_saying,
    answered,
    components,
    direct,
    gone,
    message_with,
    pinged,
    press,
    text_of,
    told,
    until,
    usable_labels,
    written,
)
from tests.e2e.page_events import listening
from tests.e2e.play import accept, ask, offered
from tests.e2e.stored_times import age_challenge
from tests.faults.of_discord import BOARD, CALLBACK

EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")


async def test_a_challenge_from_the_context_menu(club: Club) -> None:
    opened = await club.ada.menu("Challenge to a game", club.grace.id, 2)
    assert opened["outcome"] == "modal"
    posted = await offered(club.ada, club.ada.submit(opened, game=["alaric"], size="quick", games="one"))
    assert "quick (9 cells on the ring)" in text_of(posted)
    panel = await accept(club.grace, posted["id"])
    assert panel.plies == 0
    await gone(club.ada, posted)


async def test_a_challenge_refused(club: Club) -> None:
    """Strangers cannot accept. A challenge that is declined or withdrawn leaves nothing; a declined one is told."""
    for member in (club.grace, club.ada):
        made = await offered(
            club.ada, club.ada.command("challenge", member=club.grace.id, game="skull", size="quick")
        )
        message = made
        assert pinged(message) == [club.grace.id]
        buttons = {part["label"]: part["custom_id"] for part in components(message) if part["type"] == 2}
        await club.emmy.press(message, buttons["Accept"])
        await told(club.emmy, f"This challenge is for <@{club.grace.id}>")
        await member.press(message, buttons["Decline"])
        await gone(club.emmy, message)
        if member is club.grace:
            said = await told(
                club.ada, f"<@{club.grace.id}> declined your challenge to The Amazon Skull Game."
            )
            assert usable_labels(said) == {"Ask somebody else", "Play the computer"}
            assert pinged(said) == []
            await told(club.grace, f"You declined the challenge of <@{club.ada.id}>.")
    for options, words in (
        ({"member": club.ada.id, "game": "skull"}, "cannot challenge yourself"),
        ({"member": club.grace.id, "game": "skull", "size": "99x99"}, "width must be from 1 to 9"),
        ({"member": club.local.world.bot["id"], "game": "skull"}, "### Play against the computer"),
    ):
        await club.ada.command("challenge", **options)
        await told(club.ada, words)


@pytest.mark.soak
async def test_declined_challenge_is_told_by_a_direct_message_after_a_restart(club: Club) -> None:
    """The restarted bot does not know the interaction of the challenge, by which it would answer."""
    made = await offered(club.ada, club.ada.command("challenge", member=club.grace.id, game="skull"))
    await club.restart()
    await press(club.grace, made, "Decline")
    (letter,) = await written(club.ada, 1)
    declined = f"<@{club.grace.id}> declined your challenge to The Amazon Skull Game."
    asked = f"Ask somebody else in <#{club.ada.channel}>, or play the computer with `/play`."
    assert text_of(letter) == f"{declined} {asked}"
    assert await direct(club.grace) == []


async def test_a_challenge_is_posted_once_whatever_is_lost(club: Club) -> None:
    """Its first answer is late or lost, or its message: the bot posts it again until it knows that it is there."""
    faults = (
        (CALLBACK, Fault.LOST),
        (BOARD, Fault.LOST),
        (BOARD, Fault.RESET),
    )
    pings: list[tuple[str, ...]] = []

    def note(event: Event) -> None:
        if isinstance(event, MessageSent) and event.pinged:
            pings.append(event.pinged)

    # A card that is found again is edited, and an edit shows no more whom the message has pinged.
    club.local.world.listen(note)
    for size, (call, fault) in enumerate(faults, 5):
        club.local.faults.plan(*call, fault)
        await club.ada.command("challenge", member=club.grace.id, game="alaric", size=str(size))
        await message_with(club.grace, f"{size} cells on the ring")

    await listed_with_links(club.ada, len(faults))
    offers = [it for it in await club.emmy.messages() if "challenges" in text_of(it)]
    assert len(offers) == len(faults)
    assert pings == [(club.grace.id,)] * len(faults)
    assert (await accept(club.grace, offers[-1]["id"])).plies == 0


async def listed_with_links(player: Player, count: int) -> Json:
    """The list of a member's games, once the bot knows the messages of so many challenges."""

    async def look() -> Json | None:
        listed = await answered(player, "games")
        return listed if text_of(listed).count("](http") == count else None

    return await player.until(look)


async def test_the_list_of_games_withdraws_challenges_and_shows_them_again(club: Club) -> None:
    asked = await ask(club.ada, [club.grace], "skull")
    lobby = await offered(club.ada, club.ada.command("challenge", game="maze"))
    await press(club.emmy, lobby, "Join")
    await until(club.ada, lobby, "**2 of 6 have joined:**")

    listed = await listed_with_links(club.ada, 2)
    there = [it for it in components(listed) if it["type"] == 2]
    assert [it["label"] for it in there[:-1]] == ["Show it again", "Withdraw"] * 2
    again = await offered(club.ada, club.ada.press(listed, there[0]["custom_id"]))
    assert text_of(again) == text_of(asked)
    assert pinged(again) == []
    await until(club.ada, listed, f"/{again['id']})")
    assert asked["id"] not in {message["id"] for message in await club.emmy.messages()}

    received = await answer_saying(club.grace, "Challenges to answer (1)", "games")
    await press(club.grace, received, "Decline")
    await gone(club.ada, again)
    await until(club.grace, received, "Open to join here (1)")
    joined = await answer_saying(club.emmy, "Challenges that wait for others (1)", "games")
    await press(club.emmy, joined, "Leave")
    await until(club.ada, lobby, "**1 of 6 have joined:**")
    listed = await answer_saying(club.ada, "Challenges that wait for others (1)", "games")
    await press(club.ada, listed, "Withdraw")
    await gone(club.emmy, lobby)
    await until(club.ada, listed, "Nothing is being played")


async def test_a_challenge_outlives_the_bot_and_expires(club: Club) -> None:
    """Killed before it could post a challenge, the bot posts it at its next start. One minute is the shortest time that
    can be set for one to expire; the bot's clock is the machine's, so its store is aged instead."""
    club.local.faults.plan(*BOARD, Fault.RESET, times=1000)
    await club.ada.command("challenge", member=club.grace.id, game="alaric")
    await told(club.ada, "Discord does not accept my message at the moment")
    await club.bot.kill()
    club.local.faults.clear()
    async with listening(club.local.url, club.grace) as (page,):
        await club.start_again()
        made = await message_with(club.grace, f"<@{club.ada.id}> challenges <@{club.grace.id}>")
        assert await page.calls() == [made["id"]]
    await age_challenge(club.folder, timedelta(days=2))
    await club.restart()
    closed = await message_with(club.grace, "expired")
    assert closed["id"] == made["id"]
    await press(club.grace, closed, "Meanwhile, play me")
    await told(club.grace, "### Play against the computer")


@pytest.mark.soak
async def test_expired_challenges_lose_buttons_after_failed_edits(club: Club) -> None:
    made = [await ask(club.ada, [other], "alaric") for other in (club.grace, club.emmy)]
    await listed_with_links(club.ada, len(made))
    await age_challenge(club.folder, timedelta(days=2))
    club.local.faults.plan(*EDIT, Fault.RESET, times=1000)
    await club.restart()
    await club.bot.says("item.failed")
    assert "Accept" in usable_labels(await club.ada.get(f"messages/{made[-1]['id']}"))
    club.local.faults.clear()
    for message in made:
        closed = await until(club.ada, message, "expired")
        assert not {"Accept", "Decline"} & usable_labels(closed)
