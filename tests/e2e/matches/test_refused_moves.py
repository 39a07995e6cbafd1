"""An illegal move is answered with a picture that marks it: to the one who tried it alone, and nothing changes."""

import io
from typing import Any

import pytest
from PIL import Image

from tests.contract.player import Player
from tests.e2e import secret_rows
from tests.e2e.club import Club
from tests.e2e.messages import buttons, gone, message_with, text_of
from tests.e2e.panels import panel_at, panels
from tests.e2e.play import by_command, by_modal, challenge, more


async def shown(player: Player, words: str) -> dict[str, Any]:
    """The only file of the newest message that says `words`, which nobody but this member was sent."""
    message = await message_with(player, words)
    assert message["ephemeral_for"] == player.id
    (file,) = message["attachments"]
    with Image.open(io.BytesIO(await player.fetch(file["url"]))) as picture:
        assert (picture.format, picture.width) == ("PNG", 900)
    found: dict[str, Any] = file
    return found


async def received(*members: Player) -> set[str]:
    """The messages that these members see; their own commands are no longer among them once they are done."""
    return {message["id"] for member in members for message in await member.messages()}


async def test_an_illegal_move_is_shown_to_its_maker_alone(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "skull")
    for cell in ("c3", "c4", "d4"):
        mover, waiter = club.by_turn(panel)
        await by_command(mover, panel, cell)
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    mover, waiter = club.by_turn(panel)
    before = await received(waiter, club.emmy)
    await by_command(mover, panel, "D 3")
    file = await shown(mover, "d3 touches 2 skulls (d4, c3)")
    assert file["filename"] == f"skull-{panel.match}-3-refused.png"
    assert "The refused move, d3, is crossed out. The reason is ringed: d4 and c3." in file["description"]
    await by_modal(mover, panel, "b4 ")
    assert "b4" in (await shown(mover, "b4 would make the path branch at c4"))["description"]
    menu = await more(club.emmy, panel)
    await club.emmy.press(menu, buttons(menu)["Why not?"])
    file = await shown(club.emmy, "- d3 touches 2 skulls (d4, c3); a new skull may touch only one.")
    assert "d3 (because of d4 and c3)" in file["description"]
    before = await received(waiter, club.emmy)
    # What is off the board, unreadable or out of turn has nothing to be shown.
    await by_command(mover, panel, "z9")
    assert (await message_with(mover, "z9 is off the board"))["attachments"] == []
    await by_command(mover, panel, "north")
    last = await message_with(mover, "is no cell")
    assert last["attachments"] == []
    assert await received(waiter, club.emmy) <= before
    await by_command(waiter, panel, "d3")
    assert (await message_with(waiter, ", not yours."))["attachments"] == []
    assert (await panels(mover))[-1].plies == 3
    # Each refusal has replaced the one before, and the next move removes the last one.
    private = [text_of(it) for it in await mover.messages() if it["ephemeral_for"] == mover.id]
    assert not [text for text in private if "d3 touches" in text or "b4 would" in text or "z9 is" in text]
    await by_command(mover, panel, "c2")
    await gone(mover, last)


async def test_a_wrong_row_is_shown_to_its_owner_alone(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "palindromes", "8")
    message = await secret_rows.look(club.ada, panel)
    reds, blacks = secret_rows.held(message)
    opened = await club.ada.press(message, secret_rows.buttons(message)["Type the row"])
    before = await received(club.grace, club.emmy)
    await club.ada.submit(opened, row="R" * (reds + 1) + "B" * blacks)
    file = await shown(club.ada, "Lay all your cards")
    assert "refused move" not in file["description"]
    assert ("The reason is ringed: R." in file["description"]) == (reds > 0)
    assert await received(club.grace, club.emmy) <= before


@pytest.mark.soak
async def test_a_name_that_does_not_count_is_shown_to_its_finder_alone(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "palindromes", "8")
    await secret_rows.lay(club.ada, panel, reds_first=True)
    panel = await panel_at(club.grace, panel.match, panel.plies + 1)
    row = await secret_rows.lay(club.grace, panel, reds_first=False)
    panel = await panel_at(club.ada, panel.match, panel.plies + 1)
    message = await secret_rows.look(club.ada, panel)
    before = await received(club.grace, club.emmy)
    message = await secret_rows.name(club.ada, message, "b")
    assert "♣ does not begin and end with ♦" in text_of(message)
    (file,) = message["attachments"]
    assert ("The reason is ringed: B." in file["description"]) == ("B" in row)
    assert ("-refused" in file["filename"]) == ("B" in row)
    assert await received(club.grace, club.emmy) <= before
