"""Challenges: from the context menu, refused, withdrawn and expired."""

from datetime import timedelta
from pathlib import Path

from bot.sandbox import Fault, Sandbox
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.matches.test_faults import CALLBACK
from tests.e2e.messages import answered, components, message_with, pinged, press, text_of, told, until
from tests.e2e.play import accept
from tests.e2e.stored_times import age_challenge


async def test_a_challenge_from_the_context_menu(club: Club) -> None:
    opened = await club.ada.menu("Challenge to a game", club.grace.id, 2)
    assert opened["outcome"] == "modal"
    posted = await club.ada.submit(opened, game=["alaric"], size="quick", games="1")
    assert posted["outcome"] == "message"
    assert "quick, size 9" in text_of(posted["message"])
    panel = await accept(club.grace, posted["message"]["id"])
    assert panel.plies == 0
    closed = await until(club.ada, posted["message"], "accepted")
    assert not any(part["type"] == 2 for part in components(closed))


async def test_a_challenge_refused(club: Club) -> None:
    """Strangers and the challenger cannot accept; declining and withdrawing take the buttons away."""
    for member, word in ((club.grace, "declined"), (club.ada, "withdrawn")):
        made = await club.ada.command("challenge", member=club.grace.id, game="skull", size="quick")
        message = made["message"]
        assert pinged(message) == [club.grace.id]
        buttons = {part["label"]: part["custom_id"] for part in components(message) if part["type"] == 2}
        await club.emmy.press(message, buttons["Accept"])
        await told(club.emmy, f"This challenge is for <@{club.grace.id}>")
        await member.press(message, buttons["Decline"])
        closed = await message_with(member, word)
        assert closed["id"] == message["id"]
        assert not any(part["type"] == 2 for part in components(closed))
    for options, words in (
        ({"member": club.ada.id, "game": "skull"}, "cannot challenge yourself"),
        ({"member": club.grace.id, "game": "skull", "size": "99x99"}, "width must be from 1 to 9"),
        ({"member": club.local.world.bot["id"], "game": "skull"}, "### Play against the computer"),
        (
            {"member": club.grace.id, "member2": club.local.world.bot["id"], "game": "maze"},
            "Bots do not play; challenge a person, or give seats to computer players",
        ),
    ):
        await club.ada.command("challenge", **options)
        await told(club.ada, words)


async def test_a_challenge_that_did_not_arrive_can_be_made_again(club: Club) -> None:
    """Where only Discord's answer is lost, the challenge stands, and its message is known."""
    wanted = {"member": club.grace.id, "game": "skull"}
    club.local.faults.plan(*CALLBACK, Fault.RESET)
    assert (await club.ada.command("challenge", **wanted))["outcome"] != "message"
    await club.bot.says("since it could not be posted")
    club.local.faults.plan(*CALLBACK, Fault.LOST)
    message = (await club.ada.command("challenge", **wanted))["message"]

    async def is_known() -> bool | None:
        return f"/{message['id']})" in text_of(await answered(club.grace, "games")) or None

    await club.grace.until(is_known)
    assert (await accept(club.grace, message["id"])).plies == 0


async def test_a_challenge_expires(contract: Contract, tmp_path: Path) -> None:
    """One minute is the shortest that can be set; the bot's clock is the machine's, so its store is aged instead."""
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, grace, _):
        async with bot_at(local.url, tmp_path):
            made = await ada.command("challenge", member=grace.id, game="alaric")
            await age_challenge(tmp_path, timedelta(days=2))
        async with bot_at(local.url, tmp_path):
            closed = await message_with(grace, "expired")
            assert closed["id"] == made["message"]["id"]
            await press(grace, closed, "Meanwhile, play me")
            await told(grace, "### Play against the computer")
