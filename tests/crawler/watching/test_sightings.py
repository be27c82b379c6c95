"""What a watch hands on with a page: what lists said of it, and between which visits it appeared."""

from crawler.meta import LISTED_KEY
from crawler.watching.answers import Listed, Listing, VisitAnswer
from crawler.watching.listings import read_feed_listing
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch

HOME = "https://small.example/"
BEGIN = 1_772_000_000.0
FEED = b"""<rss version="2.0"><channel><item><link>https://small.example/a/1.html</link>
<pubDate>Mon, 02 Mar 2026 09:05:00 +0800</pubDate></item></channel></rss>"""
SITEMAP = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url>
<loc>https://small.example/a/1.html</loc><lastmod>2026-03-05</lastmod><news:news><news:publication_date>2026-03-02</news:publication_date>
</news:news></url></urlset>"""


def visits_of_pages(*numbers: range, said: str = "") -> dict[str, WatchVisit]:
    """The visits of pages that a list shows at its visits, half an hour apart."""
    watch, found = Watch(WatchOptions(per_hour=10_000, per_host=5_000)), dict[str, WatchVisit]()
    watch.start(HOME, BEGIN)
    for turn, shown in enumerate(numbers):
        items = tuple(Listed(f"{HOME}a/{n}.html", "t", said=said) for n in reversed(shown))
        watch.answered(
            WatchVisit("list", HOME, "small.example", HOME), VisitAnswer(200, Listing(items)), BEGIN + 1_800 * turn
        )
    for second in range(200):
        if (visit := watch.next(BEGIN + 1_800 * len(numbers) + 30 * second)) and visit.kind in ("page", "backlog"):
            found[visit.url] = visit
    return found


def test_a_page_that_appears_between_two_visits_is_surely_new_where_numbers_grow() -> None:
    visits = visits_of_pages(range(5_000, 5_010), range(5_001, 5_011))
    assert visits[f"{HOME}a/5010.html"].listed == {
        "after": "2026-02-25T06:13:20+00:00",
        "by": "2026-02-25T06:43:20+00:00",
        "new": "yes",
    }


def test_a_page_that_was_there_when_the_watch_began_was_only_shown() -> None:
    watch = Watch(WatchOptions())
    watch.start(HOME, BEGIN)
    listing = Listing((Listed(f"{HOME}a/5009.html", "t"),))
    watch.answered(WatchVisit("list", HOME, "small.example", HOME), VisitAnswer(200, listing), BEGIN)
    assert watch.pages.known[f"{HOME}a/5009.html"].listed == {"by": "2026-02-25T06:13:20+00:00"}


def test_the_request_of_a_page_has_what_lists_showed() -> None:
    visit = visits_of_pages(range(5_000, 5_010), range(5_001, 5_011), said="2026-02-20")[f"{HOME}a/5010.html"]
    assert visit.request(print, print).meta[LISTED_KEY]["said"] == "2026-02-20"


def test_feeds_and_news_sitemaps_say_when_a_page_was_published() -> None:
    for body, said in ((FEED, "Mon, 02 Mar 2026 09:05:00 +0800"), (SITEMAP, "2026-03-02")):
        listing = read_feed_listing(body, f"{HOME}list.xml")
        assert listing is not None
        assert [item.said for item in listing.items] == [said]
