"""Names in pictures: whatever people call themselves, no box, no control character and nothing beyond its room."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.players import LETTERS, cut_name, drawable_name, short_name
from render.engine import fonts
from render.engine.scene import Face
from tests.rules.walks import trials
from tests.seeds import CHARACTERS

SIZE, ROOM = 34, 270


@pytest.mark.parametrize(
    ("names", "drawn"),
    [
        (("Ada Lovelace",), "Ada Lovelace"),
        (("Łukasz Żółć", "lukasz"), "Łukasz Żółć"),
        (("🔥🔥 Rex 🔥", "rex_1"), "Rex"),
        (("🔥", "rex_1"), "rex_1"),
        (("𝓐𝓭𝓪 𝕃", "ada"), "Ada L"),
        (("花子", "hanako"), "hanako"),
        (("שלום", "shalom_"), "shalom_"),
        (("\u202eadA", "ada"), "adA"),
        (("Z̷a̶l̴g̷o̶",), "Zalgo"),
        (("a\x00b\n\tc\u200b",), "ab c"),
        (("Rx 花子さん", "hanako"), "hanako"),
        (("\n", "花子"), ""),
        ((), ""),
    ],
)
def test_the_first_name_that_can_be_drawn_is(names: tuple[str, ...], drawn: str) -> None:
    assert drawable_name(names) == drawn


@trials(100)
@given(name=st.text(CHARACTERS, max_size=32))
def test_no_name_draws_a_box_or_leaves_its_line(name: str) -> None:
    drawn = cut_name(drawable_name([name]), SIZE, ROOM)
    assert fonts.width(drawn, Face.READ, SIZE) <= ROOM
    assert all(it == " " or unicodedata.category(it)[0] in "LNPS" for it in drawn)
    absent = bytes(fonts.font(Face.READ, SIZE).getmask("\uffff"))
    assert absent not in [bytes(fonts.font(Face.READ, SIZE).getmask(it)) for it in drawn if it != " "]


def test_a_long_name_ends_in_an_ellipsis() -> None:
    cut = cut_name("Grace Brewster Murray Hopper of New York", SIZE, ROOM)
    assert cut.startswith("Grace Brew")
    assert cut.endswith("…")
    assert " …" not in cut
    assert cut_name("Grace", SIZE, ROOM) == "Grace"


def test_board_shows_at_most_twenty_letters_of_a_name() -> None:
    assert short_name(["Ada Lovelace of Ockham Park"]) == "Ada Lovelace of Ock…"
    assert short_name(["A" * LETTERS]) == "A" * LETTERS
