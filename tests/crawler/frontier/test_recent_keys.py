"""Which keys were pushed lately is never claimed of one that was not."""

from hypothesis import given
from hypothesis import strategies as st

from crawler.frontier.recent_keys import RecentKeys

_KEYS = st.one_of(st.integers(-20, 20), st.integers(-(1 << 63), (1 << 63) - 1))


@given(st.lists(_KEYS), st.lists(_KEYS), st.integers(1, 40))
def test_only_pushed_keys_are_known(pushed: list[int], asked: list[int], size: int) -> None:
    keys = RecentKeys(size)
    for key in pushed:
        keys.add(key)
        assert keys.knows(key)
    assert not any(keys.knows(key) for key in asked if key not in pushed)
    keys.clear()
    assert not any(map(keys.knows, [*asked, *pushed]))


def test_most_of_the_latest_keys_are_known() -> None:
    keys, pushed = RecentKeys(), [number * 0x9E3779B97F4A7C15 % (1 << 64) - (1 << 63) for number in range(10_000)]
    for key in pushed:
        keys.add(key)
    assert sum(map(keys.knows, pushed)) > 9_000
