"""The import contracts hold on this tree, and import-linter reports every violation that is planted in a copy."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("rules", "render", "db", "bot")
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]

LAYERS = "bot above db and render, rules below all"
RULES_LAYERS = "inside rules: puzzles above players and lessons above games above core"
PLAYERS_LAYERS = "inside rules.players: the way in above the games above the search"
PLAYERS_APART = "players of games do not import each other"
UI_ABOVE_APP = "inside bot: ui above app"
INSIDE_DB = "inside db: engine above stores above models and rating_math above api"
PLAIN_API = "db.api and db.rating_math know no SQL"
PURE_RULES = "rules know no Discord, database, picture or event loop"
GAMES_APART = "games do not import each other"
RENDER_LAYERS = "inside render: charts and marks above games above board above engine"
PICTURES_APART = "pictures of games do not import each other"
PURE_APP = "bot.app knows no Discord, SQL or picture, even indirectly"
MONITORING_APART = "what bot.monitoring watches knows neither it nor Prometheus"
SANDBOX_ALONE = "the local Discord stands alone"
INSIDE_SANDBOX = "inside the local Discord: page above REST above world above checks"
APP_SUBJECTS = "inside bot.app: members and servers above subjects above clocks"
UI_SUBJECTS = "inside bot.ui: members above matches above other subjects above moves above kit"

PLANTED = [
    (LAYERS, {"rules/core/planted.py": "import render"}),
    (LAYERS, {"render/planted.py": "import db"}),
    (LAYERS, {"db/planted.py": "import bot.app"}),
    (RULES_LAYERS, {"rules/core/planted.py": "import rules.games.skull"}),
    (RULES_LAYERS, {"rules/games/planted.py": "import rules.players.uct"}),
    (RULES_LAYERS, {"rules/players/planted.py": "import rules.puzzles.stock"}),
    (PLAYERS_LAYERS, {"rules/players/games/planted.py": "import rules.players.choose"}),
    (PLAYERS_LAYERS, {"rules/players/planted.py": ""}),
    (
        PLAYERS_APART,
        {
            "rules/players/games/planted.py": "import rules.players.games.unplanted",
            "rules/players/games/unplanted.py": "",
        },
    ),
    (UI_ABOVE_APP, {"bot/app/planted.py": "import bot.ui"}),
    (INSIDE_DB, {"db/api/planted.py": "import db.models"}),
    (INSIDE_DB, {"db/models/planted.py": "import db.stores.standings.ratings.rate"}),
    (INSIDE_DB, {"db/stores/planted.py": "import db.store"}),
    (INSIDE_DB, {"db/rating_math/planted.py": "import db.models"}),
    (INSIDE_DB, {"db/stores/standings/ratings/planted.py": "import db.engine"}),
    (PLAIN_API, {"db/api/standings/planted.py": "import sqlalchemy"}),
    (PLAIN_API, {"db/rating_math/planted.py": "import alembic"}),
    (PURE_RULES, {"rules/core/planted.py": "import asyncio"}),
    (PURE_RULES, {"rules/games/planted.py": "import discord"}),
    (PURE_RULES, {"rules/games/planted.py": "def late():\n    import sqlalchemy"}),
    (GAMES_APART, {"rules/games/planted.py": "from rules.games.skull import Skull"}),
    (RENDER_LAYERS, {"render/engine/planted.py": "import render.board.seats"}),
    (RENDER_LAYERS, {"render/board/planted.py": "from render import draw"}),
    (RENDER_LAYERS, {"render/games/planted.py": "import render.charts.medal"}),
    (RENDER_LAYERS, {"render/charts/planted.py": "import render.picture"}),
    (RENDER_LAYERS, {"render/planted.py": ""}),
    (PICTURES_APART, {"render/games/planted.py": "import render.games.skull"}),
    (PURE_APP, {"bot/app/planted.py": "import PIL"}),
    (PURE_APP, {"bot/app/planted.py": "import bot.planted", "bot/planted.py": "import discord"}),
    (MONITORING_APART, {"bot/ui/kit/planted.py": "import prometheus_client"}),
    (MONITORING_APART, {"bot/app/planted.py": "import bot.monitoring.monitor"}),
    (SANDBOX_ALONE, {"bot/sandbox/planted.py": "import rules.core.match"}),
    (SANDBOX_ALONE, {"bot/sandbox/planted.py": "import bot.ui"}),
    (INSIDE_SANDBOX, {"bot/sandbox/rest/planted.py": "import bot.sandbox.page.views"}),
    (INSIDE_SANDBOX, {"bot/sandbox/interactions/planted.py": "from bot.sandbox.services import Services"}),
    (INSIDE_SANDBOX, {"bot/sandbox/messages/planted.py": "import bot.sandbox.interactions.commands"}),
    (INSIDE_SANDBOX, {"bot/sandbox/gateway/planted.py": "import bot.sandbox.messages.drafts"}),
    (INSIDE_SANDBOX, {"bot/sandbox/world/planted.py": "import bot.sandbox.gateway.payloads"}),
    (INSIDE_SANDBOX, {"bot/sandbox/checks/planted.py": "import bot.sandbox.world.message"}),
    (INSIDE_SANDBOX, {"bot/sandbox/page/planted.py": "import bot.sandbox.server"}),
    (INSIDE_SANDBOX, {"bot/sandbox/planted.py": ""}),
    (APP_SUBJECTS, {"bot/app/matches/planted.py": "import bot.app.proposals"}),
    (APP_SUBJECTS, {"bot/app/clocks/planted.py": "import bot.app.matches.table"}),
    (APP_SUBJECTS, {"bot/app/challenges/planted.py": "import bot.app.members.agenda"}),
    (UI_SUBJECTS, {"bot/ui/kit/planted.py": "import bot.ui.moves.play"}),
    (UI_SUBJECTS, {"bot/ui/challenges/planted.py": "import bot.ui.replay.film"}),
    (UI_SUBJECTS, {"bot/ui/matches/planted.py": "import bot.ui.members.help"}),
    (UI_SUBJECTS, {"bot/ui/replay/planted.py": "import bot.ui.challenges.message"}),
    (UI_SUBJECTS, {"bot/ui/planted.py": ""}),
]
"""The contract that breaks, and the modules that break it; each plant gets a name of its own."""


def lint(tree: Path) -> tuple[int, str]:
    """Run import-linter on a tree and return its exit status and its report."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def verdicts(report: str) -> dict[str, str]:
    """KEPT or BROKEN for each contract."""
    lines = [line.rpartition(" ") for line in report.splitlines()]
    found = {name: verdict for name, _, verdict in lines if verdict in ("KEPT", "BROKEN")}
    assert found, report
    return found


def named(plant: int) -> str:
    return f"planted_{plant}"


@pytest.fixture(scope="module")
def details(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The reports of import-linter for each contract of a copy in which everything is planted at once."""
    tree = tmp_path_factory.mktemp("planted")
    for package in PACKAGES:
        keep_python = shutil.ignore_patterns("__pycache__", "static", "*.svg", "*.md", "*.json")
        shutil.copytree(ROOT / package, tree / package, ignore=keep_python)
    shutil.copy(ROOT / "pyproject.toml", tree)
    for plant, (_, modules) in enumerate(PLANTED):
        for path, code in modules.items():
            planted = tree / path.replace("planted", named(plant))
            planted.write_text(code.replace("planted", named(plant)) + "\n", encoding="utf-8")
    status, report = lint(tree)
    assert status != 0
    assert set(verdicts(report).values()) == {"BROKEN"}
    sections = re.split(r"^(.+)\n-{3,}$", report.partition("Broken contracts")[2], flags=re.MULTILINE)
    return dict(zip(sections[1::2], sections[2::2], strict=True))


def test_this_tree_keeps_every_contract() -> None:
    status, report = lint(ROOT)
    assert verdicts(report) == {contract["name"]: "KEPT" for contract in CONFIG["contracts"]}
    assert status == 0


def test_every_contract_is_broken_on_purpose_below() -> None:
    assert {contract for contract, _ in PLANTED} == {contract["name"] for contract in CONFIG["contracts"]}
    assert set(CONFIG["root_packages"]) == set(PACKAGES)


@pytest.mark.parametrize(
    ("plant", "contract"),
    [(plant, contract) for plant, (contract, _) in enumerate(PLANTED)],
    ids=[
        " + ".join(f"{path}: {' '.join(code.split())}" for path, code in modules.items())
        for _, modules in PLANTED
    ],
)
def test_a_planted_violation_is_reported(details: dict[str, str], plant: int, contract: str) -> None:
    assert re.search(rf"\b{named(plant)}\b", details[contract])
