"""The links, settings and commands in the documentation are right."""

import re
from pathlib import Path

import pytest
from discord import AppCommandType

from bot.client import EXTENSIONS, ShardClient
from bot.pencilbox import Pencilbox
from bot.startup.config import Config
from tests.app.conftest import Host, host

__all__ = ["host"]

ROOT = Path(__file__).parents[1]
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob(".github/**/*.md"),
    ROOT / "bot/sandbox/README.md",
]
LINK = re.compile(r"""\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)|(?:src|href)="(?!https?:)([^"#]+)""")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_inside_the_repository_leads_somewhere(page: Path) -> None:
    links = [first or second for first, second in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_test_that_the_security_page_names_is_there() -> None:
    named = re.findall(r"`(tests/[^`]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_container_has_its_logs_limited() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert compose.count("restart: unless-stopped") == compose.count("logging: *logs") > 1


def first_column(page: str) -> set[str]:
    """Everything in code style in the first column of a page's tables."""
    rows = [line for line in (ROOT / page).read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_every_setting_is_explained() -> None:
    fields = Config.model_fields.items()
    assert {str(field.validation_alias or name.upper()) for name, field in fields} <= first_column(
        "docs/hosting.md"
    )


async def test_every_command_is_explained_and_every_explained_command_exists(
    host: Host, tmp_path: Path
) -> None:
    client = ShardClient(Pencilbox(host.services, tmp_path))
    for extension in EXTENSIONS:
        await extension.setup(client)
    commands = {f"/{found.name}" for found in client.tree.get_commands(type=AppCommandType.chat_input)}
    explained = {name.split()[0] for name in first_column("docs/playing.md")}
    assert explained == commands
