"""`python -m rules.players.games.cocomposite` solves the walks whose results are shipped and writes their file."""

from rules.players.games.cocomposite.endings import result
from rules.players.games.cocomposite.openings import FILE, walks, write


def main() -> None:
    results = {number: result(position) for number, position in walks()}
    contents = write(results)
    FILE.write_bytes(contents)
    print(f"{len(results)} walks, {len(contents)} bytes")


if __name__ == "__main__":
    main()
