"""Requests are looked at once more when their turn has come."""

from collections.abc import Sequence

import pytest
from scrapy import Request

from crawler.frontier.rescorer import Rescorer, When
from crawler.meta import DEPTH_KEY
from crawler.priorities import BAND, LAST_PRIORITY
from crawler.strategies.base import SiteStrategy

URL = "http://a.example/x/1"


class Learned(SiteStrategy):
    """Links are worth these scores by now."""

    def __init__(self, *scores: float | None) -> None:
        self.scores: Sequence[float | None] = scores

    def present_score(self, url: str) -> float | None:
        first, *self.scores = self.scores
        return first


@pytest.mark.parametrize(
    ("priority", "present", "then"),
    [
        (8 * BAND, 0.2, 2 * BAND),
        (8 * BAND, 0.9, 8 * BAND),
        (8 * BAND, 0.75, 8 * BAND),
        (8 * BAND, None, 8 * BAND),
        (20 * BAND, 0.2, 20 * BAND),
    ],
    ids=["less", "more", "a little less", "unknown", "a start page"],
)
def test_what_is_worth_less_by_now_waits_on(priority: int, present: float | None, then: int) -> None:
    request = Request(URL, priority=priority, meta={DEPTH_KEY: 1})
    assert Rescorer(Learned(present)).at(request) is (When.LATER if then < priority else When.NOW)
    assert request.priority == then


def test_a_request_is_put_off_for_its_score_three_times_at_most() -> None:
    look, request = Rescorer(Learned(0.7, 0.5, 0.3, 0.1)), Request(URL, priority=10 * BAND, meta={DEPTH_KEY: 1})
    for priority in (7 * BAND, 5 * BAND, 3 * BAND, 3 * BAND):
        look.at(request)
        assert request.priority == priority


def test_pages_of_a_kind_that_is_gone_wait_to_the_end_and_most_are_never_asked_for() -> None:
    look = Rescorer(None)
    waiting = [Request(f"http://a.example/x/{number}", priority=BAND) for number in range(500)]
    asked = 0
    while waiting:
        request = waiting.pop(0)
        when = look.at(request)
        if when is When.NOW:
            asked += 1
            look.found(request.url, missing=True)
        elif when is When.LATER:
            assert request.priority == LAST_PRIORITY
            waiting.append(request)
    assert asked == 40


def test_only_pages_that_are_read_wait() -> None:
    look = Rescorer(Learned(0.0))
    request = Request(URL, method="POST", priority=8 * BAND)
    assert look.at(request) is When.NOW
