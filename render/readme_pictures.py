"""Make the pictures of the README: `python -m render.readme_pictures`.

Each line of docs/pictures/records.jsonl is a record with a `file` and a `theme`: a .png shows the last position. The
.gif shows the whole game. It is stored in this package, because the bot's first message in a server shows it too.
"""

import json
import sys
from pathlib import Path

from render.games import HOSTED_GAMES
from render.picture import draw
from render.replay import animate, match_of, positions

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
RECORDS = FOLDER / "records.jsonl"
ANIMATION = Path(__file__).with_name("play.gif")


def pictures() -> dict[str, bytes]:
    """Return the content of every picture by the name of its file."""
    made = {}
    for line in RECORDS.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        match, theme = match_of(fields), fields["theme"]
        whole = fields["file"].endswith(".gif")
        made[fields["file"]] = animate(positions(match), theme) if whole else draw(match.observe(None), theme)
    return made


def main() -> int:
    made = pictures()
    for name, content in made.items():
        (ANIMATION if name == ANIMATION.name else FOLDER / name).write_bytes(content)
        print(f"{name}: {len(content) // 1024} KiB")
    missing = [game.key for game in HOSTED_GAMES if f"{game.key}.png" not in made]
    if missing:
        print(f"{RECORDS} has no record for {', '.join(missing)}.", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
