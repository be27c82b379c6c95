"""Days and months change places between countries: what a page does not show, the other pages of its host may."""

from datetime import UTC, datetime

import pytest

from extractors.page import Page
from extractors.site_boilerplate import NOTHING_KNOWN, mended, page_lines

NOW = datetime(2020, 6, 1, tzinfo=UTC)
WORDS = (
    "the bridge was closed again",
    "nobody saw it coming at all",
    "we waited two hours there",
    "it is open since noon",
)


def _thread(number: int, *dates: str) -> Page:
    posts = "".join(
        f'<div class="post" id="p{number}{place}"><a class="username" href="/u/{place}">walker{place}</a>'
        f'<span class="date">{date}</span><div class="message">{number} {WORDS[place]}, {WORDS[place - 1]}</div></div>'
        for place, date in enumerate(dates)
    )
    return Page(
        f"<title>Thread {number}</title><body><div class='posts'>{posts}</div>".encode(),
        f"http://board.example/thread-{number}.html",
        fetched_at=NOW,
    )


DAY_FIRST = [_thread(number, "25/12/2019 10:00", "26/12/2019 11:00", "27/12/2019 12:30") for number in range(3)]
MONTH_FIRST = [_thread(number, "12/25/2019 10:00", "12/26/2019 11:00", "12/27/2019 12:30") for number in range(3, 6)]
UNCLEAR = _thread(9, "04/03/2020 10:00", "04/03/2020 11:00", "05/03/2020 12:30")


def _times(page: Page, known: list[Page]) -> list[str]:
    memory = NOTHING_KNOWN
    for other in known:
        memory = memory.with_page(page_lines(other).all_keys(), other.url)
    return [record.time[:10] for record in mended(page, page_lines(page), memory).records.records]


@pytest.mark.parametrize(
    ("known", "days"),
    [
        (DAY_FIRST, ["2020-03-04", "2020-03-04", "2020-03-05"]),
        (MONTH_FIRST, ["2020-04-03", "2020-04-03", "2020-05-03"]),
        (DAY_FIRST[:2], ["2020-04-03", "2020-04-03", "2020-05-03"]),
        (DAY_FIRST + MONTH_FIRST, ["2020-04-03", "2020-04-03", "2020-05-03"]),
    ],
)
def test_a_page_that_shows_no_order_has_the_one_of_its_host(known: list[Page], days: list[str]) -> None:
    assert _times(UNCLEAR, known) == days


def test_a_page_that_shows_its_order_keeps_it() -> None:
    assert _times(MONTH_FIRST[0], DAY_FIRST) == ["2019-12-25", "2019-12-26", "2019-12-27"]
