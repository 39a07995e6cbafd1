"""Games of every kind of end in one store: won, resigned, broken off, taken back, in two games, and still going on."""

import random

from bot.app.matches.loaded import LoadedMatch
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.db.given import second_game
from tests.rules.walks import texts


async def play_a_while(host: Host) -> None:
    """Play; the ids of the matches are 1 to 9 in the order below."""
    chance = random.Random(15)
    await play_on(host, await host.begin("alaric", "quick"), chance)
    await play_on(host, await host.begin("maze", "quick", others=(GRACE, EMMY)), chance)
    await play_on(host, await host.begin("cocomposite", "quick", others=(EMMY,)), chance)
    resigned = await play_on(host, await host.begin("xlines", "quick"), chance, 6)
    await host.services.matches.resign(resigned.id, ADA)
    back = await play_on(host, await host.begin("skull", "quick"), chance)
    await host.services.matches.break_off(back.id, HERE, "rude")
    two = await play_on(host, await host.begin("alaric", "quick", games=2), chance)
    second = await second_game(host.store, two.id)
    await play_on(host, await host.services.matches.load(second), chance)
    await play_on(host, await host.begin("palindromes", "quick", clock="24h"), chance, 3)
    await play_on(host, await host.begin("polygons", "quick"), chance, 4)


async def play_on(host: Host, loaded: LoadedMatch, chance: random.Random, moves: int = 1000) -> LoadedMatch:
    """Play so many moves at random, or until the game is over."""
    for _ in range(moves):
        loaded = await host.services.matches.load(loaded.id)  # after the moves of chance
        if loaded.match.over:
            break
        seat = chance.choice([it for it in loaded.match.to_move if it is not None])
        text = chance.choice(texts(loaded.match, seat, chance))
        loaded = await host.services.matches.play(loaded.id, loaded.stored.users[seat], text)
    return loaded
