"""The size of the code base: `python -m tests.bench.code` prints lines, files, small files and who imports them."""

import ast
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
PRODUCT = ("bot", "db", "render", "rules")
SMALL = 40
"""Files of fewer lines are small."""


def main() -> None:
    """Print the figures of the product and of the tests."""
    files = _files()
    product = {path: lines for path, lines in files.items() if path.parts[0] in PRODUCT}
    tests = {path: lines for path, lines in files.items() if path.parts[0] == "tests"}
    small = {path for path, lines in product.items() if lines < SMALL}
    importers = _importers(product)
    single = sorted(
        path for path in small if path.name != "__init__.py" and len(importers[_module(path)]) == 1
    )
    lengths = sorted(product.values())
    print(f"product: {sum(lengths)} lines in {len(lengths)} files, median {median(lengths):g}")
    print(f"files under {SMALL} lines: {len(small)}, of which {len(single)} have one importer")
    for path in single:
        print(f"  {path} < {next(iter(importers[_module(path)]))}")
    outside = sum(lines for path, lines in tests.items() if not path.name.startswith("test_"))
    print(f"tests: {sum(tests.values())} lines in {len(tests)} files, {outside} outside test modules")
    for folder, lines in sorted(_by_folder(files).items(), key=lambda item: -item[1]):
        print(f"  {folder:20}{lines:7}")


def _files() -> dict[Path, int]:
    """Return the number of lines of each Python file that git knows."""
    names = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout.splitlines()
    return {
        Path(name): len((ROOT / name).read_text().splitlines()) for name in names if (ROOT / name).exists()
    }


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts)


def _importers(files: Iterable[Path]) -> Mapping[str, set[str]]:
    """Return the modules that import each module, from parsed source."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in files:
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            for name in names:
                found[name].add(_module(path))
    return found


def _by_folder(files: Mapping[Path, int]) -> Mapping[str, int]:
    """Return the lines of each folder of the second level."""
    found: dict[str, int] = defaultdict(int)
    for path, lines in files.items():
        found["/".join(path.parts[: min(2, len(path.parts) - 1)])] += lines
    return found


if __name__ == "__main__":
    main()
