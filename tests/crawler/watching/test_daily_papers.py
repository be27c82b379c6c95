"""A daily paper, whose issue appears at once under a path of its day: each issue is read, and its articles are read again."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.watching.answers import Listed, Listing, PageFacts, VisitAnswer
from crawler.watching.issues import day_of_list, next_issue
from crawler.watching.listings import read_page
from crawler.watching.rows import WatchRows
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from extractors.page import Page

HOME, FIRST = "http://paper.example.cn/", datetime(2026, 3, 2, 6, tzinfo=UTC)
PAGES = range(1, 7)


class Paper:
    """A home page that links to the pages of the day's issue, and to a calendar; each page lists four articles."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, visit: WatchVisit, now: datetime) -> VisitAnswer:
        self.asked.append(visit.url)
        if visit.url == HOME:
            days = [*(f"{HOME}{now:%Y-%m/%d}/node_{page}.htm" for page in PAGES), f"{HOME}2026-02/11/node_1.htm"]
            return VisitAnswer(200, Listing((), tuple((url, "list") for url in days)))
        if "/node_" in visit.url:
            folder, page = visit.url.split("/node_")
            articles = (Listed(f"{folder}/art_{page[0]}-{n}.htm", "t") for n in range(4))
            return VisitAnswer(200, Listing(tuple(articles)))
        return VisitAnswer(200, page=PageFacts(visit.url)) if "/art_" in visit.url else VisitAnswer(404)


def run(watch: Watch, paper: Paper, begin: datetime, hours: float) -> None:
    now = begin
    while now < begin + timedelta(hours=hours):
        while (visit := watch.next(now.timestamp())) is not None:
            watch.answered(visit, paper.answer(visit, now), now.timestamp())
        now += timedelta(seconds=30)


def started() -> tuple[Watch, Paper]:
    watch, paper = Watch(WatchOptions(per_hour=400, per_host=400)), Paper()
    watch.start(HOME, FIRST.timestamp())
    run(watch, paper, FIRST, 30)
    return watch, paper


def test_each_issue_is_read_in_the_place_of_the_last_one_and_its_articles_are_read_again() -> None:
    watch, paper = started()
    lists = [source.url for source in watch.sources.rows if "/node_" in source.url]
    assert sorted(lists) == [f"{HOME}2026-03/03/node_{page}.htm" for page in PAGES]
    assert all(watch.sources.find(url) for url in lists)
    articles = [url for url in paper.asked if "/03/art_" in url]
    assert len(set(articles)) == 4 * len(PAGES)
    assert len(articles) >= 2 * len(set(articles))
    assert not any("/2026-02/" in url for url in paper.asked)


def test_a_list_whose_place_was_taken_is_not_loaded_again() -> None:
    watch, _ = started()
    states = {row["url"]: row["state"] for _, row in WatchRows("paper", watch).changed(0.0) if "/node_" in row["url"]}
    assert {state for url, state in states.items() if day_of_list(url) == "2026-03-02"} == {"dead"}
    watch.start(f"{HOME}2026-03/02/node_1.htm", FIRST.timestamp())
    assert watch.sources.find(f"{HOME}2026-03/02/node_1.htm") is None


def test_a_start_page_of_a_day_goes_on_with_the_page_of_the_next_one() -> None:
    watch, now, start = Watch(WatchOptions(per_hour=400, per_host=400)), FIRST, f"{HOME}2026-03/02/node_1.htm"
    watch.start(start, now.timestamp())
    while now < FIRST + timedelta(hours=33):
        while (visit := watch.next(now.timestamp())) is not None:
            is_out = visit.url == start or now > FIRST + timedelta(hours=30)
            watch.answered(visit, Paper().answer(visit, now) if is_out else VisitAnswer(404), now.timestamp())
        now += timedelta(minutes=2)
    assert [source.url for source in watch.sources.rows if source.depth == 0] == [f"{HOME}2026-03/03/node_1.htm"]
    assert watch.pages.known[f"{HOME}2026-03/03/art_1-3.htm"].state == "known"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.cn/html/2026-02/28/node_1.htm", "http://a.cn/html/2026-03/02/node_1.htm"),
        ("http://a.cn/paper/20260228/A01_20260228.html", "http://a.cn/paper/20260302/A01_20260302.html"),
        ("http://a.cn/202602/28/node_01.html", "http://a.cn/202603/02/node_01.html"),
        ("http://a.cn/2026/2/8/", "http://a.cn/2026/3/2/"),
        ("http://a.cn/2026-03/02/node_1.htm", ""),
        ("http://a.cn/news/", ""),
    ],
)
def test_todays_list_is_predicted_as_the_address_writes_its_day(url: str, expected: str) -> None:
    assert next_issue(url, FIRST.timestamp()) == expected


def test_pages_of_a_paper_are_lists_whatever_their_names() -> None:
    names = ("第01版：国内新闻报道", "A02 经济与社会周刊", "Page 3 of the morning paper")
    links = "".join(f'<a href="/2026-03/02/node_{n}.htm">{name}</a>' for n, name in enumerate(names))
    read = read_page(Page(f"<html><body>{links}</body></html>".encode(), HOME))
    assert [url[-10:] for url, _ in read.candidates] == ["node_0.htm", "node_1.htm", "node_2.htm"]
    assert not read.items
