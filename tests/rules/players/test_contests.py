"""The contests by which players are compared."""

from tests.bench.players.contests import Contest, hold, play

ALARIC = Contest("uct:60", "random", "alaric", (("size", 7),))


def test_search_beats_chance_and_both_contestants_take_both_seats() -> None:
    ((name, outcome),) = hold({"search": ALARIC}, 20, processes=1)
    assert (name, outcome.games) == ("search", 20)
    assert outcome.share > 0.7


def test_game_is_the_same_for_a_seed_and_shares_sum_to_one() -> None:
    results = [play(ALARIC, ("random", "level:1"), seed) for seed in (1, 1, 2, 3, 4)]
    assert results[0] == results[1]
    assert {sum(shares) for shares in results} == {1.0}
