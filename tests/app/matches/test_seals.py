"""A seal binds the player, tells nothing before it is opened, and can be checked with its proof."""

import asyncio
import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, seals
from bot.ui.components.wording import CHECK
from bot.ui.lessons import rules_message
from bot.ui.matches.board_actions import board_text, proof
from bot.ui.matches.panel import panel
from rules.core.game import Game
from rules.games import GAMES, find
from tests.app.conftest import ADA, GRACE, Host
from tests.ui.words import texts
from tests.ui.words import words as words_of

OPENED = re.compile(r"sealed `([0-9a-f]{64})`\nwhich is the SHA-256 of `([0-9a-f]{32} .*)`$", re.MULTILINE)


def words(loaded: LoadedMatch) -> str:
    return words_of(panel(loaded, "paper", live=True))


async def dealt(host: Host) -> LoadedMatch:
    """Both hold six red cards and six black ones."""
    loaded = await host.begin("palindromes")
    return await host.services.matches.load(loaded.id)


ROW, OTHER = "RB" * 6, "BR" * 6


async def test_sealed_move_has_a_hash_that_is_proved_when_opened(host: Host) -> None:
    loaded = await dealt(host)
    assert seals(loaded) == ()
    sealed = await host.services.matches.play(loaded.id, ADA, ROW)
    assert OPENED.findall(proof(seals(sealed))) == []
    promised = seals(sealed)[0].digest
    assert proof(seals(sealed)) == f"◎ sealed `{promised}`"
    for text in (words(sealed), board_text(sealed, None)):
        assert promised[:8] not in text

    opened = await host.services.matches.play(loaded.id, GRACE, OTHER)
    proofs = OPENED.findall(proof(seals(opened)))
    assert proofs[0][0] == promised
    assert [sha256(said.encode()).hexdigest() for _, said in proofs] == [digest for digest, _ in proofs]
    assert [said.split(" ", 1)[1] for _, said in proofs] == [f"arrange {ROW}", f"arrange {OTHER}"]


async def test_a_replayed_match_shows_the_same_seals(host: Host) -> None:
    loaded = await dealt(host)
    for user, row in ((ADA, ROW), (GRACE, OTHER)):
        after = await host.services.matches.play(loaded.id, user, row)
        again = await host.services.matches.load(loaded.id)
        assert seals(again) == seals(after) != ()
        assert words(again) == words(after)


async def test_an_old_board_keeps_its_seals_closed(host: Host) -> None:
    loaded = await dealt(host)
    before = await host.services.matches.play(loaded.id, ADA, ROW)
    after = await host.services.matches.play(loaded.id, GRACE, OTHER)
    assert words(after.back_to(before.plies)) == words(before)


async def test_nobody_can_tell_whether_two_rows_are_equal(host: Host) -> None:
    loaded = await dealt(host)
    for user in (ADA, GRACE):
        loaded = await host.services.matches.play(loaded.id, user, ROW)
    one, other = seals(loaded)
    assert one.digest != other.digest
    assert one.text is not None
    assert other.text is not None
    assert one.text.split()[1:] == other.text.split()[1:]


async def test_the_hash_of_a_row_tells_nothing_without_its_salt(host: Host) -> None:
    """The same row has another hash with another salt, and another row any hash with the right one."""
    loaded = await host.services.matches.play((await dealt(host)).id, ADA, ROW)
    salts = [*loaded.stored.salts[:-1], "f" * 32]
    other = LoadedMatch(replace(loaded.stored, salts=tuple(salts)), loaded.match)
    assert seals(other)[0].digest != seals(loaded)[0].digest


async def test_a_second_secret_move_is_refused_until_the_other_has_moved(host: Host) -> None:
    loaded, matches = await dealt(host), host.services.matches
    await matches.play(loaded.id, ADA, ROW)
    with pytest.raises(
        Refused, match=rf"Your cards lie already; the search in .* when <@{GRACE}> has laid theirs"
    ):
        await matches.prompt_for(loaded.id, ADA, loaded.plies)
    await matches.play(loaded.id, GRACE, ROW)
    await matches.play(loaded.id, GRACE, "done")
    with pytest.raises(
        Refused, match=rf"ended your search already; .* is over when <@{ADA}> has ended theirs"
    ):
        await matches.play(loaded.id, GRACE, "find R")


async def test_finds_and_open_moves_are_not_sealed(host: Host) -> None:
    loaded = await dealt(host)
    await host.services.matches.play(loaded.id, ADA, ROW)
    loaded = await host.services.matches.play(loaded.id, GRACE, ROW)
    before = words(loaded)
    found = await host.services.matches.play(loaded.id, ADA, "find R")
    assert words(found) == before
    done = await host.services.matches.play(loaded.id, ADA, "done")
    assert found.stored.salts[-1] is done.stored.salts[-1] is None
    assert len(seals(done)) == 2
    skull = await host.begin("skull")
    assert (await host.services.matches.play(skull.id, ADA, "c3")).stored.salts == (None,)


async def test_who_gives_up_opens_the_seals(host: Host) -> None:
    loaded = await dealt(host)
    await host.services.matches.play(loaded.id, ADA, ROW)
    over = await host.services.matches.resign(loaded.id, GRACE)
    ((digest, said),) = OPENED.findall(proof(seals(over)))
    assert sha256(said.encode()).hexdigest() == digest


async def test_moves_from_before_there_were_seals_have_none(host: Host) -> None:
    loaded = await host.services.matches.play((await dealt(host)).id, ADA, ROW)
    unsalted = LoadedMatch(replace(loaded.stored, salts=(None,) * loaded.plies), loaded.match)
    assert seals(unsalted) == ()
    assert "sealed:" not in words(unsalted)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_rules_say_how_to_check_a_seal(game: Game[Any, Any]) -> None:
    assert (f"**Seals.** {CHECK}" in texts(rules_message(game))) == (game is find("palindromes"))


async def test_what_is_played_in_secret_at_once_all_counts(host: Host) -> None:
    """A refusal because the other has played would tell that they have."""
    loaded = await dealt(host)
    await asyncio.gather(
        host.services.matches.play(loaded.id, ADA, ROW), host.services.matches.play(loaded.id, GRACE, OTHER)
    )
    names = ("R", "RBR", "RBRBR")
    await asyncio.gather(
        *(host.services.matches.play(loaded.id, user, name) for user in (ADA, GRACE) for name in names)
    )
    after = await host.services.matches.load(loaded.id)
    assert sorted(after.match.log[3:]) == sorted((seat, f"find {name}") for seat in (0, 1) for name in names)
