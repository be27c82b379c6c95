"""A refusal that looks like a short page is told from the short pages that sites have."""

import random

from crawler.bans.refusals import UsualSizes

_REFUSAL = b"<html><body><p>We are busy. Number 4711, /page/%d</p></body></html>"


def _ordinary(sizes: UsualSizes, count: int, first: int = 0) -> None:
    chance = random.Random(first)
    for number in range(first, first + count):
        size = int(chance.lognormvariate(10, 0.5))
        assert sizes.classify("h", f"http://h/page/{number}", b"x" * size) == "usual"


def test_the_same_small_answer_to_everything_is_a_refusal_and_each_page_is_had_afterwards() -> None:
    sizes = UsualSizes()
    _ordinary(sizes, 30)
    said = [sizes.classify("h", f"http://h/page/{number}", _REFUSAL % number) for number in range(100, 106)]
    assert said == ["again"] * 3 + ["refusal"] * 3
    _ordinary(sizes, 10, 100)


def test_deleted_pages_that_all_look_the_same_are_taken_once_others_come() -> None:
    sizes = UsualSizes()
    _ordinary(sizes, 30)
    deleted = [f"http://h/gone/{number}" for number in range(8)]
    first = [sizes.classify("h", url, b"<p>deleted</p>") for url in deleted]
    assert "usual" not in first
    _ordinary(sizes, 1, 200)
    assert [sizes.classify("h", url, b"<p>deleted</p>", 2) for url in deleted] == ["usual"] * 8


def test_a_page_that_is_short_by_itself_is_taken_after_a_few_tries() -> None:
    sizes = UsualSizes()
    _ordinary(sizes, 30)
    assert [sizes.classify("h", "http://h/short", b"<p>short</p>", n) for n in (1, 2, 3)] == ["again", "again", "usual"]


def test_hosts_of_short_pages_and_hosts_that_are_not_known_yet_are_left_alone() -> None:
    sizes = UsualSizes()
    for number in range(200):
        assert sizes.classify("short", f"http://short/{number}", b"<p>a few words</p>" * (1 + number % 5)) == "usual"
    for number in range(19):
        sizes.classify("new", f"http://new/{number}", b"x" * 50_000)
    assert sizes.classify("new", "http://new/x", b"<p>small</p>") == "usual"
    for number in range(5_000):
        sizes.classify(f"h{number}", "http://h/", b"x")
    assert len(sizes._hosts) == 2_000
