"""The links, settings and commands in the documentation are right."""

import re
from pathlib import Path

import pytest
from discord.app_commands import Command

from bot.client import COMMANDS
from bot.startup.config import Config
from rules.games import GAMES

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


def test_the_texts_of_the_app_directory_are_short_enough() -> None:
    parts = (ROOT / "docs/directory.md").read_text(encoding="utf-8").split("\n## ")[1:]
    quoted = {part.splitlines()[0]: " ".join(re.findall(r"^> (.*)", part, re.MULTILINE)) for part in parts}
    assert 0 < len(quoted["Description"]) <= 400
    assert 0 < len(quoted["Summary"]) <= 200
    tags = quoted["Tags"].split(", ")
    assert 1 < len(tags) <= 5
    assert max(map(len, tags)) <= 20


def first_column(page: str) -> set[str]:
    """Everything in code style in the first column of a page's tables."""
    rows = [line for line in (ROOT / page).read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_every_setting_is_explained() -> None:
    fields = Config.model_fields.items()
    assert {str(field.validation_alias or name.upper()) for name, field in fields} <= first_column(
        "docs/hosting.md"
    )


def test_containers_are_given_only_settings_that_exist() -> None:
    given = re.findall(
        r"^      (PENCILBOX_\w+):", (ROOT / "compose.yaml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(given) > 10
    assert set(given) <= {f"PENCILBOX_{name.upper()}" for name in Config.model_fields}


@pytest.fixture
def commands() -> dict[str, list[str]]:
    """Return the options of each slash command, in brackets where they may be left out, like `[member]`."""
    return {
        command.name: [it.name if it.required else f"[{it.name}]" for it in command.parameters]
        for command in COMMANDS
        if isinstance(command, Command)
    }


def test_commands_and_their_options_are_explained(commands: dict[str, list[str]]) -> None:
    explained = {}
    for entry in first_column("docs/playing.md"):
        name, *options = entry.split()
        explained[name.removeprefix("/")] = sorted(options)
    assert explained == {name: sorted(options) for name, options in commands.items()}


def test_commands_have_at_most_seven_options(commands: dict[str, list[str]]) -> None:
    """Members choose from a list of them on a phone; more belongs into a value of an option or into a message."""
    assert {name: options for name, options in commands.items() if len(options) > 7} == {}


def test_table_of_solved_positions_counts_those_in_the_files() -> None:
    page = (ROOT / "docs/computers.md").read_text(encoding="utf-8")
    table = page.partition("| game | positions | level 1 |")[2].partition("\n\n")[0]
    folder = ROOT / "tests/bench/players/positions"
    counts = [len((folder / f"{game.key}.jsonl").read_text(encoding="utf-8").splitlines()) for game in GAMES]
    assert [int(row.split("|")[2]) for row in table.splitlines()[2:]] == counts
