"""Reports, excluded members, and the messages that members write to the operator."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.messages import (
    answered,
    buttons,
    choose,
    files,
    found_in,
    message_with,
    open_settings,
    press,
    text_of,
    told,
)
from tests.e2e.play import ask, by_button, challenge, more


async def test_a_game_is_reported_to_a_channel(club: Club) -> None:
    lounge = str(club.local.channel("lounge")["id"])
    panel = await challenge(club.ada, club.grace, "alaric", "quick")
    assert "Report…" not in buttons(await more(club.grace, panel))
    await choose(club.ada, await open_settings(club.ada, "Members"), "setting:reports", lounge)
    menu = await more(club.emmy, panel)
    opened = await club.emmy.press(menu, buttons(menu)["Report…"])
    await club.emmy.submit(opened, text="They **insult** <@1>\n# me")
    assert "can read your report of Alaric #" in text_of(await told(club.emmy, "The moderators"))
    report = await found_in(club.ada, lambda seen: seen[0] if seen else None, lounge)
    assert report["content"].startswith(f"**Report** of <@{club.emmy.id}> about [Alaric #{panel.match}](")
    assert report["content"].endswith(r"> They \*\*insult\*\* <@1>" + "\n" + r"> \# me")
    assert report["mentions"] == []
    assert set(await files(club.ada, report)) == {
        f"alaric-{panel.match}.json",
        f"alaric-{panel.match}-about.json",
    }


async def test_excluded_members_begin_and_join_no_games(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric", "quick")
    await choose(club.ada, await open_settings(club.ada, "Members"), "setting:excluded", club.grace.id)
    excluded = "You are excluded from the games of this server; those who manage it can tell you why."
    assert excluded in text_of(await answered(club.grace, "play", game="alaric"))
    assert excluded in text_of(await answered(club.grace, "challenge", game="alaric"))
    refusal = f"<@{club.grace.id}> cannot take part in games of this server; challenge somebody else."
    assert refusal in text_of(await answered(club.ada, "challenge", member=club.grace.id, game="alaric"))
    await club.emmy.command("challenge", game="alaric")
    await press(club.grace, await message_with(club.grace, "who wants to play?"), "Accept")
    await told(club.grace, excluded)
    # A game that is being played goes on.
    mover, _ = club.by_turn(panel)
    await by_button(mover, panel, next(iter(panel.moves)))
    await choose(club.ada, await open_settings(club.ada, "Members"), "setting:excluded")
    await ask(club.ada, [club.grace], "skull")


@pytest.mark.soak
async def test_feedback_reaches_the_operators_channel(contract: Contract, tmp_path: Path) -> None:
    async with (
        Sandbox(members=("Ada", "Grace"), channels=("general", "desk"), observe=contract) as local,
        players(local.url, local.world) as (ada, grace),
    ):
        desk = str(local.channel("desk")["id"])
        async with bot_at(local.url, tmp_path, PENCILBOX_FEEDBACK_CHANNEL=desk):
            page = await answered(grace, "help")
            # The last one, quoted with its backslashes, is longer than a message.
            for text in ("More games, please!", "Thank you!", "*" * 1000):
                opened = await grace.press(page, buttons(page)["Send feedback"])
                await grace.submit(opened, text=text)
            said = await found_in(ada, lambda seen: seen if len(seen) == 3 else None, desk)
            assert said[0]["content"] == f"**Feedback** of <@{grace.id}> (grace)\n> More games, please!"
            assert await files(ada, said[2]) == {"text.txt": b"*" * 1000}
            await grace.press(page, buttons(page)["Send feedback"])
            await told(grace, "You have sent 3 reports or feedback messages within ten minutes")
