"""One message a day over the wire, in the place of single notices."""

from tests.e2e.club import Club
from tests.e2e.messages import (
    buttons,
    choose,
    chosen,
    direct,
    message_with,
    once,
    open_preferences,
    pinged,
    text_of,
    written,
)
from tests.e2e.panels import panel_at
from tests.e2e.play import accept, ask, by_command
from tests.e2e.stored_times import digest_due


async def test_member_is_told_once_a_day(club: Club) -> None:
    page = await choose(club.grace, await open_preferences(club.grace), "prefer:notice", "digest")
    assert "One message a day comes at 18:00 (UTC, where it is " in text_of(page)
    opened = await club.grace.press(page, buttons(page)["One message a day…"])
    await club.grace.submit(opened, hour="7 am", zone="berlin")
    await once(club.grace, page, lambda now: "comes at 07:00 (Europe/Berlin" in text_of(now))
    asked = await ask(club.ada, [club.grace], "alaric", "quick", clock="3d", order="first")
    assert pinged(asked) == []
    panel = await accept(club.grace, asked["id"])
    await by_command(club.ada, panel, "3")
    panel = await panel_at(club.grace, panel.match, 1)
    assert club.grace.id not in pinged(panel.message)
    await club.ada.command("challenge", game="skull", clock="3d")
    # Grace no longer sees a channel where she plays; an open game there is not hers to know.
    lounge = str(club.local.channel("lounge")["id"])
    elsewhere = await ask(
        club.ada.elsewhere(lounge), [club.grace], "alaric", "quick", clock="3d", order="first"
    )
    await accept(club.grace.elsewhere(lounge), elsewhere["id"])
    await club.ada.elsewhere(lounge).command("challenge", game="skull", clock="3d")
    await message_with(club.ada.elsewhere(lounge), "who wants to play?")
    club.local.deny(lounge, "view_channel", club.grace.id)

    assert await direct(club.grace) == []
    await digest_due(club.folder)
    letter = (await written(club.grace, 1))[0]["content"]
    assert letter.startswith(f"**Your turn (1)**\n- [Alaric #{panel.match}](")
    assert f"against <@{club.ada.id}> · your turn came <t:" in letter
    assert "your time ends <t:" in letter
    assert letter.count(f"<@{club.ada.id}> looks for an opponent") == 1
    assert "[The Amazon Skull Game](" in letter
    assert "**Puzzle of the day**" in letter
    assert all("your turn in" not in text_of(it) for it in await club.grace.messages())

    # Nothing of it goes into a channel when it cannot be sent.
    club.local.close_direct(club.grace.id)
    await digest_due(club.folder)
    call = await message_with(
        club.grace, "your direct messages are closed to me, so I cannot send you the daily"
    )
    assert pinged(call) == [club.grace.id]
    assert chosen(await open_preferences(club.grace), "prefer:notice") == ["ping"]
