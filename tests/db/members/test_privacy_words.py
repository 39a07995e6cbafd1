"""PRIVACY.md names every table and every column with personal data."""

from pathlib import Path

from db.models import Base
from db.models.base import HOLDS

PRIVACY = Path(__file__).parents[3] / "PRIVACY.md"


def test_every_table_and_every_personal_column_is_named() -> None:
    said = PRIVACY.read_text().splitlines()
    lines = {line.split("|")[1].strip(): line for line in said if line.startswith("| `")}
    assert set(lines) == {f"`{table.name}`" for table in Base.metadata.sorted_tables}
    for table in Base.metadata.sorted_tables:
        line = lines[f"`{table.name}`"]
        personal = [it for it in table.columns if it.info.get(HOLDS) in ("member", "words")]
        assert [str(it) for it in personal if f"`{it}`" not in line] == []
        assert not (personal and "| nothing" in line)
