"""A cache is bounded, and the values used last stay."""

from render.engine.pieces import Cache


def test_at_most_twice_the_half_is_kept() -> None:
    cache: Cache[int, str] = Cache(10)
    for number in range(100):
        cache.put(number, str(number))
    found = [number for number in range(100) if number in (cache._young | cache._old)]
    assert found == list(range(100 - len(found), 100))
    assert 10 <= len(found) <= 22


def test_weights_count() -> None:
    cache: Cache[int, str] = Cache(10)
    cache.put(1, "heavy", 11)
    cache.put(2, "heavy", 11)
    assert cache.get(1) is None
    assert cache.get(2) == "heavy"


def test_what_is_used_again_weighs_as_before() -> None:
    cache: Cache[int, str] = Cache(10)
    for number in range(100):
        cache.put(number, "heavy", 4)
        for earlier in range(number):
            cache.get(earlier)
    assert sum(4 for number in range(100) if number in (cache._young | cache._old)) <= 2 * (10 + 4)


def test_what_is_used_stays() -> None:
    cache: Cache[int, str] = Cache(10)
    cache.put(-1, "used")
    for number in range(100):
        cache.put(number, "")
        assert cache.get(-1) == "used"


def test_the_first_value_of_two_threads_stays() -> None:
    cache: Cache[int, list[int]] = Cache(10)
    first = cache.put(1, [1])
    assert cache.put(1, [1]) is first


def test_a_value_is_replaced_with_its_weight() -> None:
    cache: Cache[int, str] = Cache(10)
    cache.put(1, "old", 6)
    for _ in range(9):
        cache.replace(1, "new", 6)
    assert cache.get(1) == "new"
    assert not cache._old


def test_nothing_is_left_of_what_is_forgotten() -> None:
    cache: Cache[int, str] = Cache(10)
    cache.put(1, "one")
    cache.forget()
    assert cache.get(1) is None
