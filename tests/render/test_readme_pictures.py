"""The pictures of the README are made from records in the repository."""

import json
import re
from pathlib import Path

from render.readme_pictures import ANIMATION, FOLDER, RECORDS
from render.replay import match_of

ROOT = Path(__file__).parents[2]
LINES = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]


def test_every_record_has_a_picture_named_by_its_game() -> None:
    """`make pictures` makes the files."""
    files = [fields["file"] for fields in LINES]
    assert len(files) == len(set(files))
    stored = {path.name for path in FOLDER.iterdir() if path.is_file()} - {RECORDS.name}
    assert set(files) == {*stored, ANIMATION.name}
    for fields in LINES:
        match = match_of(fields)
        assert fields["file"] in (f"{match.setup.game}.png", "play.gif")


def test_the_readme_shows_every_picture() -> None:
    shown = set(
        re.findall(
            r'src="(?:docs/pictures|render)/([^"]+)"', (ROOT / "README.md").read_text(encoding="utf-8")
        )
    )
    assert shown == {fields["file"] for fields in LINES}


def test_the_animation_is_small_enough_for_a_readme() -> None:
    assert ANIMATION.stat().st_size < 400 * 1024
