"""A plain UCT over the rules, a yardstick that is never improved: it stays as it is, so that shares can be compared."""

import random
from math import log, sqrt
from typing import Any

from rules.core.game import Game


class _Node:
    def __init__(self, game: Game[Any, Any], state: Any) -> None:
        self.state = state
        turn = game.to_move(state)
        self.mover = turn[0] if turn else None
        self.untried = list(game.legal(state) or ())
        self.children: list[tuple[Any, _Node]] = []
        self.visits = 0
        self.total = 0.0
        """The sum of the shares of the seat that moved here."""


def decide(game: Game[Any, Any], state: Any, seats: int, nodes: int, chance: random.Random) -> Any:
    """Return the move that `nodes` random playouts favour. The game has neither secrets nor chance."""
    root = _Node(game, state)
    for _ in range(nodes):
        node, path = root, [root]
        while not node.untried and node.children:
            known = log(node.visits)
            node = max(
                (child for _, child in node.children),
                key=lambda child: child.total / child.visits + sqrt(2 * known / child.visits),
            )
            path.append(node)
        if node.untried:
            move = node.untried.pop(chance.randrange(len(node.untried)))
            child = _Node(game, game.apply(node.state, node.mover, move))
            node.children.append((move, child))
            node = child
            path.append(node)
        state = node.state
        while legal := game.legal(state):
            state = game.apply(state, game.to_move(state)[0], chance.choice(legal))
        winners = game.winners(state) or ()
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
        for above, below in zip((None, *path), path, strict=False):
            below.visits += 1
            if above is not None and above.mover is not None:
                below.total += shares[above.mover]
    return max(root.children, key=lambda pair: pair[1].visits)[0]
