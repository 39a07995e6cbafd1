"""A store of kept pieces is bounded, and those used last stay."""

from render.engine.kept import Kept


def test_at_most_twice_the_half_is_kept() -> None:
    kept: Kept[int, str] = Kept(10)
    for number in range(100):
        kept.put(number, str(number))
    found = [number for number in range(100) if number in (kept._young | kept._old)]
    assert found == list(range(100 - len(found), 100))
    assert 10 <= len(found) <= 22


def test_weights_count() -> None:
    kept: Kept[int, str] = Kept(10)
    kept.put(1, "heavy", 11)
    kept.put(2, "heavy", 11)
    assert kept.get(1) is None
    assert kept.get(2) == "heavy"


def test_what_is_used_again_weighs_as_before() -> None:
    kept: Kept[int, str] = Kept(10)
    for number in range(100):
        kept.put(number, "heavy", 4)
        for earlier in range(number):
            kept.get(earlier)
    assert sum(4 for number in range(100) if number in (kept._young | kept._old)) <= 2 * (10 + 4)


def test_what_is_used_stays() -> None:
    kept: Kept[int, str] = Kept(10)
    kept.put(-1, "used")
    for number in range(100):
        kept.put(number, "")
        assert kept.get(-1) == "used"


def test_the_first_value_of_two_threads_stays() -> None:
    kept: Kept[int, list[int]] = Kept(10)
    first = kept.put(1, [1])
    assert kept.put(1, [1]) is first


def test_a_value_is_replaced_with_its_weight() -> None:
    kept: Kept[int, str] = Kept(10)
    kept.put(1, "old", 6)
    for _ in range(9):
        kept.replace(1, "new", 6)
    assert kept.get(1) == "new"
    assert not kept._old


def test_nothing_is_left_of_what_is_forgotten() -> None:
    kept: Kept[int, str] = Kept(10)
    kept.put(1, "one")
    kept.forget()
    assert kept.get(1) is None
