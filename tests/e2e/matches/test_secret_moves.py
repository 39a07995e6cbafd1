"""A hidden hand, row or find reaches nobody but its owner: not in a message, a picture, a name, a completion, a log."""

import json
import re
from hashlib import sha256

import aiohttp
import pytest

from rules.core.notation import suits
from tests.contract.player import Player
from tests.e2e import secret_rows
from tests.e2e.club import Club
from tests.e2e.messages import components, message_with, text_of, told
from tests.e2e.panels import AFTERWARDS, panel_at, panels
from tests.e2e.play import challenge

CARDS = 8


async def everything(player: Player) -> str:
    """All that a member can see in the channel, pictures included, but for what differs from game to game anyway."""
    seen = []
    async with aiohttp.ClientSession() as session:
        for message in await player.messages():
            pictures = []
            for part in components(message):
                for item in part.get("items", ()):
                    async with session.get(item["media"]["url"]) as response:
                        pictures.append((await response.read()).hex())
            seen.append([text_of(message), message["mentions"], pictures, message["components"]])
    text = json.dumps(seen)
    text = re.sub(r'"(id|attachment_id)": "?[0-9]+"?', "", text)
    text = re.sub(r"http://127[^\"]*/|[0-9]{4}-[0-9]{2}-[0-9]{2}T[^\"]*|<t:[0-9]+", "", text)
    return re.sub(r"(?<=[#:-])[0-9]+(?=[-:\" ])", "", text)


async def test_finds_are_seen_by_their_finder_alone(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "palindromes", str(CARDS))
    await secret_rows.lay(club.ada, panel, reds_first=True)
    panel = await panel_at(club.grace, panel.match, panel.plies + 1)
    row = await secret_rows.lay(club.grace, panel, reds_first=False)
    # The messages in which both have sealed their rows ask for palindromes now.
    for member, own in ((club.grace, True), (club.ada, False)):
        search = text_of(await told(member, "Press the first card of a palindrome."))
        assert ("your row is sealed" in search) == own
    panel = await panel_at(club.ada, panel.match, panel.plies + 1)
    hers = await secret_rows.look(club.grace, panel)
    opened_by_grace = await secret_rows.open_form(club.grace, hers)
    before = [await everything(member) for member in (club.grace, club.emmy)]
    message = await secret_rows.look(club.ada, panel)
    message = await secret_rows.name(club.ada, message, "R RR B RBR")
    answers = text_of(message).splitlines()
    assert "new:** ♦" in answers[0]
    assert "♣ does not begin and end with ♦" in text_of(message)
    reds = [place for place, card in enumerate(row, 1) if card == "R"]
    if len(reds) > 2:  # else that palindrome is among the names above, and no longer offered
        message = await secret_rows.point(club.ada, message, reds[0], reds[-1])
        assert "new:" in text_of(message)
    assert [await everything(member) for member in (club.grace, club.emmy)] == before
    assert (await club.grace.autocomplete("move", "move", move="", number=panel.match))["choices"] == []

    await secret_rows.done(club.ada, message)
    panel = await panel_at(club.grace, panel.match, panel.plies + 1)
    # Ada's red cards lie before her black ones. The third wrong name ends the search, and nothing after it is read.
    # Grace's form was open while Ada opened and sent hers.
    message = await secret_rows.send_form(club.grace, hers, opened_by_grace, "RBR RBBR RBBBR R")
    assert "♦♣♦ is not in your opponent's row" in text_of(message)
    assert "♦♣♣♣♦ is not in your opponent's row. It was your last guess, so your search is over." in text_of(
        message
    )
    assert secret_rows.buttons(message) == {}
    over = await panel_at(club.emmy, panel.match, panel.plies + 1)
    assert (over.turn, set(over.buttons)) == (None, {*AFTERWARDS, "Proof"})
    await club.emmy.press(over.message, over.buttons["Proof"])
    proof = text_of(await message_with(club.emmy, "which is the SHA-256 of"))
    proofs = re.findall(
        r"sealed `([0-9a-f]{64})`\s+which is the SHA-256 of `([0-9a-f]{32} arrange [RB]+)`", proof
    )
    assert [sha256(text.encode()).hexdigest() for _, text in proofs] == [digest for digest, _ in proofs]
    assert [text.split()[-1] for _, text in proofs][1:] == [row]
    assert not any(digest[:16] in panel.text for digest, _ in proofs)
    assert "find" not in club.bot.log
    assert re.search(" beat | drew ", over.text)


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(secret_rows.choose, id="chosen"),
        pytest.param(secret_rows.type_row, id="typed", marks=pytest.mark.soak),
    ],
)
async def test_a_row_is_looked_at_before_it_is_sealed(club: Club, way: secret_rows.Way) -> None:
    panel = await challenge(club.ada, club.grace, "palindromes", str(CARDS))
    message = await secret_rows.look(club.ada, panel)
    reds, blacks = secret_rows.held(message)
    row = "B" * blacks + "R" * reds
    message = await way(club.ada, message, row)
    assert "**Seal it** lays" in text_of(message)
    assert (await panels(club.grace))[-1].plies == panel.plies
    asked = message
    kept = row.rstrip(row[-1])
    words = (
        f"You have laid {suits(kept)}; {suits(row[len(kept) :])} would follow"
        if kept
        else "begin a row of your own"
    )
    message = await secret_rows.press(club.ada, message, "Take back", words)
    assert secret_rows.held(message) == (reds, blacks)
    await secret_rows.seal(club.ada, message)
    await panel_at(club.grace, panel.match, panel.plies + 1)
    # The buttons of the row that was asked about are gone; who kept them would be refused.
    assert secret_rows.buttons(await club.ada.get(f"messages/{asked['id']}")) == {}
