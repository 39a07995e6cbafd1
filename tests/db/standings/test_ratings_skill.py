"""The arithmetic of ratings, without a database."""

from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from db.rating_math import rate, weight
from db.values.standings import NEWCOMER, Skill

skills = st.builds(Skill, st.floats(0, 50), st.floats(0.5, 9))
tables = st.lists(st.tuples(skills, st.integers(1, 4)), min_size=2, max_size=6)
halves = st.sampled_from((0.0, 0.125, 0.25, 0.5, 1.0))


@given(tables)
def test_it_is_what_openskill_says(table: list[tuple[Skill, int]]) -> None:
    model = PlackettLuce()
    before, ranks = [skill for skill, _ in table], [rank for _, rank in table]
    said = model.rate([[model.rating(it.mu, it.sigma)] for it in before], ranks=[float(it) for it in ranks])
    assert rate(before, ranks) == [Skill(team[0].mu, team[0].sigma) for team in said]


@given(tables, halves)
def test_a_weight_goes_part_of_the_way(table: list[tuple[Skill, int]], share: float) -> None:
    before, ranks = [skill for skill, _ in table], [rank for _, rank in table]
    for start, end, part in zip(before, rate(before, ranks), rate(before, ranks, share), strict=True):
        assert min(start.mu, end.mu) <= part.mu <= max(start.mu, end.mu)
        assert min(start.sigma, end.sigma) <= part.sigma <= max(start.sigma, end.sigma)
        if share == 0:
            assert part == start


@given(skills)
def test_what_is_shown_is_the_ordinal_of_openskill(skill: Skill) -> None:
    rating = PlackettLuce().rating(skill.mu, skill.sigma)
    assert skill.score == round(rating.ordinal(alpha=40, target=1000))


def test_a_newcomer() -> None:
    rating = PlackettLuce().rating()
    assert Skill(rating.mu, rating.sigma) == NEWCOMER
    assert (NEWCOMER.score, NEWCOMER.provisional) == (1000, True)


def test_the_pair_that_met_most_often_decides() -> None:
    assert weight((1, 2), []) == 1
    assert weight((1, 2), [(1, 3), (2, 3), (2, 1)] * 2) == 1
    assert weight((1, 2), [(1, 3), (2, 3), (2, 1)] * 3) == 0.5
    assert weight((1, 2, 3), [(1, 3), (2, 3), (1, 2, 3)] * 2) == 0.25
    assert [weight((1, 2), [(1, 2)] * met) for met in range(8)] == [1, 1, 1, 0.5, 0.25, 0.125, 0, 0]
    assert weight((1,), [(1, 2)]) == 1
