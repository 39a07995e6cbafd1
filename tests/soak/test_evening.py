"""Many long evenings."""

from pathlib import Path

import pytest

from tests.app.stateful.evening import evenings

pytestmark = pytest.mark.soak


def test_many_long_evenings(tmp_path: Path) -> None:
    evenings(tmp_path, examples=300, steps=80)
