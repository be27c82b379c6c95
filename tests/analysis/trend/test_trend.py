"""Baselines, bursts, forecasts, tags and pictures of counts."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from numpy.typing import NDArray

from analysis.counts import Series
from analysis.trend import expected, find_bursts, forecast, tag_cloud, trend_of, trend_svg
from analysis.trend.trend import collecting_from

DAY = np.array([0, 0, 0, 0, 0, 0, 1, 2, 4, 6, 6, 5, 3, 4, 6, 6, 5, 4, 3, 3, 3, 2, 1, 0])
START = datetime(2026, 10, 4, 16, tzinfo=UTC)  # Monday 0:00 in China
WEEKS = 5


def rhythm(weeks: int = WEEKS, scale: float = 1.0) -> NDArray[np.int64]:
    week = np.concatenate([DAY * 1.2] * 5 + [DAY * 0.5] * 2) * scale
    return np.round(np.tile(week, weeks)).astype(np.int64)


def noisy(scale: float = 1.0, seed: int = 1) -> NDArray[np.int64]:
    return np.random.default_rng(seed).poisson(
        np.tile(np.concatenate([DAY * 1.2] * 5 + [DAY * 0.5] * 2) * scale, WEEKS)
    )


def test_the_baseline_knows_hours_and_weekdays() -> None:
    usual = expected(rhythm())
    last = usual[-7 * 24 :].reshape(7, 24)
    assert last[0, 10] == pytest.approx(7, rel=0.25)
    assert last[0, 2] < 1
    assert last[6, 10] == pytest.approx(3, rel=0.35)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=400), st.integers(0, 167), st.data())
def test_an_hour_is_expected_from_earlier_hours_only(counts: list[int], first: int, data: st.DataObject) -> None:
    whole = np.array(counts)
    stop = data.draw(st.integers(0, len(counts)))
    for total in (None, whole + 1):
        usual = expected(whole, total, first)
        assert (usual >= 0).all()
        assert np.isfinite(usual).all()
        cut = whole.copy()
        cut[stop:] = 0
        part = expected(cut, None, first)
        if total is None and stop:
            assert part[: stop + 1] == pytest.approx(usual[: stop + 1])


def test_a_burst_has_start_peak_and_end() -> None:
    counts = noisy()
    at = 4 * 168 + 34  # Tuesday at ten
    counts[at : at + 6] += [6, 15, 25, 14, 8, 4]
    (burst,) = [burst for burst in find_bursts(counts, expected(counts)) if burst.noticed >= at - 24]
    assert at <= burst.noticed <= at + 2
    assert at - 2 <= burst.start <= at + 1
    assert burst.peak == at + 2
    assert burst.end is not None
    assert at + 5 <= burst.end <= at + 12
    assert burst.count > 2 * burst.usual


def test_a_burst_at_the_end_goes_on() -> None:
    counts = noisy()
    counts[-3:] += 30
    assert find_bursts(counts, expected(counts))[-1].end is None


def test_the_rhythm_of_the_week_is_no_burst() -> None:
    assert [burst for burst in find_bursts(rhythm(), expected(rhythm())) if burst.noticed > 168] == []
    alarms = [
        burst.noticed for seed in range(20) for burst in find_bursts(noisy(seed=seed), expected(noisy(seed=seed)))
    ]
    assert sum(hour > 2 * 168 for hour in alarms) <= 20 * (WEEKS - 2)  # one a week


def test_what_is_noticed_does_not_change_later() -> None:
    counts = noisy()
    counts[500:506] += 20
    noticed = [burst.noticed for burst in find_bursts(counts, expected(counts))]
    early = [burst.noticed for burst in find_bursts(counts[:504], expected(counts[:504]))]
    assert early == [hour for hour in noticed if hour < 504]
    assert early


def test_a_crawler_that_collects_more_is_no_trend() -> None:
    counts, total = noisy(), noisy(10, seed=2)
    last = len(counts) - 48
    counts[last:], total[last:] = noisy(4, seed=3)[last:], noisy(40, seed=4)[last:]
    assert any(burst.noticed >= last for burst in find_bursts(counts, expected(counts)))
    assert not any(burst.noticed >= last for burst in find_bursts(counts, expected(counts, total)))


def test_the_forecast_of_a_rhythm_says_its_error() -> None:
    coming = forecast(noisy())
    assert coming.trials == 14
    assert coming.error is not None
    assert coming.error < 0.4
    assert coming.low < DAY.sum() * 1.2 < coming.high  # the next day is a Monday
    assert coming.hours[10] > 5 * coming.hours[2]


def test_a_forecast_without_history_has_no_error() -> None:
    coming = forecast(np.array([3]))
    assert (coming.error, coming.trials) == (None, 0)
    assert coming.low <= coming.total <= coming.high


@pytest.mark.parametrize("hours", [3 * 24, 7 * 24, 21 * 24])
@pytest.mark.parametrize("rate", [1, 12, 200])
def test_what_is_frequent_is_not_held_down_by_a_first_guess(rate: int, hours: int) -> None:
    counts = np.full(hours, rate)
    assert expected(counts, ahead=24)[-24:].sum() == pytest.approx(24 * rate, rel=0.05)
    assert forecast(counts, 3 * counts).total == pytest.approx(24 * rate, rel=0.05)


def test_what_never_came_is_expected_now_and_then() -> None:
    assert 0 < expected(np.zeros(14 * 24, np.int64), ahead=24)[-24:].sum() < 0.2


def test_what_is_left_of_a_burst_fades() -> None:
    counts = noisy()
    calm = forecast(counts).hours
    counts[-6:] += 20
    risen = forecast(counts).hours - calm
    assert risen[0] > 5
    assert risen[20] < risen[0] / 3


def test_a_trend_shows_the_wanted_time_only() -> None:
    counts = noisy()
    counts[-30:-24] += 20
    counts[100:106] += 20
    series = Series(START, counts)
    trend = trend_of(series, Series(START, noisy(5, seed=3)), series.end - timedelta(days=7))
    assert len(trend.series.counts) == len(trend.usual) == len(trend.total) == 168
    assert [trend.at(burst.peak) >= trend.series.start for burst in trend.bursts] == [True]
    assert 138 <= trend.bursts[0].peak < 144
    assert trend.share.max() <= 1000
    assert trend.coverage == pytest.approx(1, abs=0.4)


@pytest.mark.parametrize("hours", [0, 1, 30, 300, 9_000])
def test_the_picture_is_well_formed_whatever_the_title(hours: int) -> None:
    series = Series(START, np.ones(hours, np.int64))
    picture = trend_svg(trend_of(series, series, START), '<script>alert("x")</script> & 余震')
    tree = etree.fromstring(picture.encode())
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert not tree.findall(".//{*}script")
    assert len(tree.findall(".//{*}rect")) <= 260


def test_old_pages_that_are_found_later_are_not_what_is_usual() -> None:
    start, old, days = datetime(2026, 10, 1, tzinfo=UTC), 20, 7
    counts = np.concatenate([np.zeros(old * 24, np.int64), np.full(days * 24, 12)])
    counts[[5, 100, 250, 400]] = 1
    series = Series(start, counts)
    assert collecting_from(counts) == old * 24
    trend = trend_of(series, series, start + timedelta(days=old - 2))
    assert trend.bursts == ()
    assert int(trend.series.counts.sum()) == days * 24 * 12
    assert 0.97 * 24 * 12 <= trend.forecast.total <= 1.03 * 24 * 12
    assert trend.coverage < 1.7
    assert collecting_from(np.full(200, 3)) == collecting_from(np.zeros(200, np.int64)) == 0


def test_tags_have_counts_and_change() -> None:
    cloud = tag_cloud(
        {"term": {"余震": 8, "四川": 9, "今天": 8}, "place": {"四川": 9}}, {"term": {"余震": 1, "今天": 8}}, 20, 20
    )
    tags = {tag.text: tag for tag in cloud.tags}
    assert (tags["四川"].kind, len(cloud.tags)) == ("place", 3)
    assert tags["余震"].change > 2 > 0.1 > abs(tags["今天"].change)
    assert tags["余震"].weight > tags["今天"].weight
    assert (cloud.pages, cloud.pages_before) == (20, 20)


def test_where_nothing_was_collected_nothing_is_expected() -> None:
    nothing = np.zeros(28 * 24, np.int64)
    assert forecast(nothing, nothing).total < 1
    assert expected(nothing, nothing, ahead=24).max() < 0.1
