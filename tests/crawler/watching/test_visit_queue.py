"""The next visit goes where waiting has cost most; visits elsewhere take away what they show too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.watching.coverage import ListCoverage, unseen_moments
from crawler.watching.rates import Rate
from crawler.watching.shortlist import Shortlist
from crawler.watching.visit_queue import VisitQueue

READY = np.array([True])


def queue_of(*rates: float) -> VisitQueue:
    queue = VisitQueue()
    for count in rates:
        row = queue.add(0, 0.0, unseen=0.0)
        queue.set_rate(row, Rate(count=count, seconds=86_400.0), 1.0)
        queue.set_list(row, size=1e9, importance=1.0, interval=0.0)
    return queue


def visits_of(queue: VisitQueue, seconds: int) -> list[int]:
    counts, shortlist = [0] * queue.rows, Shortlist(queue)
    for now in range(60, seconds, 60):
        row, _ = shortlist.best(float(now), READY, 1.0)
        counts[row] += 1
        queue.see(row, now)
        queue.set_unseen(np.array([row]), np.zeros(1), np.zeros(1), now)
    return counts


def test_visits_follow_the_square_root_of_the_rate() -> None:
    counts = visits_of(queue_of(*[100.0] * 6, *[1_600.0] * 6), 400_000)
    assert sum(counts[6:]) / sum(counts[:6]) == pytest.approx(4.0, rel=0.15)


@given(st.lists(st.floats(0.0, 1e4), min_size=1, max_size=20))
def test_no_source_starves(rates: list[float]) -> None:
    counts = visits_of(queue_of(*rates), 100 * 60 * len(rates))
    assert min(counts) > 0 or max(rates) > 1e3 * (min(rates) + 1)


def test_a_pinned_source_is_visited_in_time() -> None:
    queue = queue_of(0.0, 1e4)
    queue.set_list(0, size=20, importance=1.0, interval=600.0)
    assert visits_of(queue, 36_000)[0] >= 55


def test_a_burst_makes_a_source_hot_and_it_cools_down() -> None:
    queue, rate = queue_of(20.0), Rate(count=20.0, seconds=86_400.0)
    before = queue.rates(1_000.0)[0]
    rate.see(5, 60.0, 1.0, 1_000.0)
    queue.set_rate(0, rate, 1.0)
    assert queue.rates(1_000.0)[0] > 3 * before
    assert queue.rates(1_000.0 + 20_000)[0] < 2 * before


@given(st.integers(1, 200), st.integers(0, 2**31))
def test_a_shortlist_chooses_what_weighing_all_chooses(sources: int, seed: int) -> None:
    """Within the life of a list too: visits, hosts that are not ready, and sources that have something new."""
    rng = np.random.default_rng(seed)
    queue = queue_of(*rng.exponential(300.0, sources))
    shortlist, now, ready = Shortlist(queue), 20_000.0, np.array([True])
    for _ in range(60):
        row, value = shortlist.best(now, ready, 30.0)
        rows = queue.waiting(now, ready, 30.0)
        values = queue.values(now, rows)
        assert (row < 0) == (not len(rows) or values.max() < 3.0)
        if row >= 0:
            assert value == queue.values(now)[row] == pytest.approx(values.max(), rel=1e-3)
            queue.see(row, now)
            queue.set_unseen(np.array([row]), np.zeros(1), np.zeros(1), now)
        if rng.random() < 0.2:
            queue.hurry(int(rng.integers(sources)), now, 1e4)
        now += 0.02


@given(st.integers(2, 12), st.integers(0, 2**31))
def test_unseen_time_is_the_integral_over_what_nobody_has_shown(sources: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    visited, shares = rng.integers(0, 90, sources).astype(float), rng.random((sources, sources))
    np.fill_diagonal(shares, 0.0)
    seconds, moments = unseen_moments(visited, visited, shares, 100.0)
    for source in range(sources):
        births = np.arange(visited[source], 100.0, 0.25) + 0.125
        weights = np.ones(len(births))
        for other in range(sources):
            weights *= np.where(visited[other] > births, 1 - shares[source, other], 1.0)
        assert seconds[source] == pytest.approx(weights.sum() * 0.25, abs=1e-6)
        assert moments[source] == pytest.approx((weights * (100 - births)).sum() * 0.25, abs=1e-6)


def test_coverage_learns_who_shows_what_others_show() -> None:
    """0 shows all, 1 every second item, 2 other items; all are visited in turns."""
    coverage, items = ListCoverage(), [list[int](), list[int](), list[int]()]
    for turn in range(120):
        items[0].append(turn)
        if turn % 2:
            items[1].append(turn)
        items[2].append(1_000 + turn)
        for source in range(3):
            listed = items[source][-20:]
            coverage.visit(source, turn * 60.0 + source, listed[-1:], set(listed))
    shares = coverage.shares(3)
    assert shares[1, 0] > 0.95
    assert 0.35 < shares[0, 1] < 0.65
    assert shares[0, 2] == shares[2, 0] == 0


def test_coverage_learns_that_a_source_is_late() -> None:
    coverage, first, late = ListCoverage(), list[int](), list[int]()
    for turn in range(100):
        first.append(turn)
        coverage.visit(0, turn * 60.0, [turn], set(first[-20:]))
        late = first[:-5]
        coverage.visit(1, turn * 60.0 + 1, late[-1:], set(late[-20:]))
    assert coverage.shares(2)[0, 1] > 0.8
    assert 150 < coverage.lags(2)[1] < 400
    assert coverage.lags(2)[0] == 0


def test_a_box_of_most_read_items_says_nothing_of_what_lists_share() -> None:
    """0 shows every second item of 1, and others; 1 shows those of the others that were new two hours ago."""
    coverage, half, whole, others = ListCoverage(), list[int](), list[int](), list[int]()
    for turn in range(120):
        whole.append(turn)
        half += [turn] if turn % 2 else []
        others.append(1_000 + turn)
        fresh = [turn, 1_000 + turn] if turn % 2 else [1_000 + turn]
        coverage.visit(0, turn * 600.0, fresh, {*half[-20:], *others[-5:]})
        coverage.visit(1, turn * 600.0 + 1, [turn], {*whole[-20:], *others[-13:-12]})
    assert 0.4 < coverage.shares(2)[1, 0] < 0.6
