"""Rates and hourly profiles come near the truth and forget what is long past."""

import random

import pytest

from crawler.watching.hourly_profile import DAY, HOUR, HourlyProfile
from crawler.watching.rates import HALF_LIFE_SECONDS, Rate


def test_rate_comes_near_the_truth_whatever_the_distances_between_visits() -> None:
    rng, rate, now = random.Random(1), Rate(), 0.0
    for _ in range(400):
        elapsed = rng.choice((60.0, 600.0, 3_600.0))
        now += elapsed
        rate.see(sum(rng.random() < 1 / 900 for _ in range(int(elapsed))), elapsed, 1.0, now)
    assert 0.7 / 900 < rate.mean < 1.4 / 900


def test_what_is_long_past_is_forgotten() -> None:
    rate = Rate()
    rate.see(100, HOUR, 1.0, HOUR)
    before = rate.mean
    rate.see(0, 10 * HALF_LIFE_SECONDS, 1.0, 11 * HALF_LIFE_SECONDS)
    assert rate.mean < before / 100


def test_hourly_profile_learns_which_hours_are_busy_and_keeps_its_mean_at_1() -> None:
    profile = HourlyProfile()
    for day in range(20):
        for hour in range(24):
            begin = day * DAY + hour * HOUR
            profile.add(begin, begin + HOUR, 4.0, 8.0 if 8 <= hour < 20 else 0.5)
    factors = [profile.factor(hour * HOUR + 60) for hour in range(24)]
    assert factors[12] > 1.4
    assert factors[2] < 0.4
    assert abs(sum(profile.factor(hour * HOUR + 60) for hour in range(168)) / 168 - 1) < 0.1


def test_hourly_profile_of_a_site_departs_from_the_common_one_and_is_stored() -> None:
    common = HourlyProfile()
    common.add(0.0, HOUR, 10.0, 30.0)
    site = HourlyProfile(common)
    site.add(5 * HOUR, 6 * HOUR, 10.0, 40.0)
    again = HourlyProfile.from_row(site.to_row(), common)
    assert again.factor(5.5 * HOUR) == pytest.approx(site.factor(5.5 * HOUR), rel=1e-3)
    assert site.factor(5.5 * HOUR) > site.factor(12 * HOUR)
    assert HourlyProfile.from_row("nonsense").factor(0.0) == 1.0
