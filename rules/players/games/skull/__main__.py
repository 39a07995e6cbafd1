"""`python -m rules.players.games.skull` solves the large boards and writes the book again. It takes some minutes."""

from rules.players.games.skull.book import BOARDS, FILE, layers
from rules.players.games.skull.solver import Solver


def main() -> None:
    lines = []
    for width, height in BOARDS:
        solver = Solver(width, height, 10**9)
        for number, layer in enumerate(layers(width, height), 1):
            bits = "1"
            for position in layer.values():
                if number == 1:
                    wins = not solver.opens(position.skulls.bit_length() - 1)
                else:
                    wins = solver.wins(position.near, position.far, position.untouched)
                bits += str(int(wins))
            lines.append(f"{width} {height} {number} {int(bits, 2):x}\n")
            print(f"{width} x {height}, {number} skulls: {len(layer)} positions")
    FILE.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
