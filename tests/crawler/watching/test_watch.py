"""The core of a watch over a small web in virtual time: nothing is lost, nobody is asked too often."""

import heapq
import random
from dataclasses import dataclass, field
from itertools import pairwise

from crawler.watching.answers import Listed, Listing, PageFacts, VisitAnswer
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch

HOUR = 3_600.0
HOME = "http://news.example.cn/"


@dataclass
class SmallSite:
    """Articles that appear at known times, on a home list of twenty; some change, some are deleted."""

    births: list[float]
    corrected: dict[int, float] = field(default_factory=dict)
    deleted: dict[int, float] = field(default_factory=dict)
    outage: tuple[float, float] = (0.0, 0.0)
    etag: str = ""
    kept_for: float = 0.0
    asked: list[tuple[float, str]] = field(default_factory=list)
    seen: dict[int, float] = field(default_factory=dict)

    def answer(self, visit: WatchVisit, now: float) -> VisitAnswer:
        self.asked.append((now, visit.url))
        if self.outage[0] <= now < self.outage[1]:
            return VisitAnswer(503)
        if visit.url == HOME or "/page/" in visit.url:
            if self.etag and visit.headers.get("If-None-Match") == self.etag:
                return VisitAnswer(304)
            first = 20 * (int(visit.url.rpartition("/")[2] or 1) - 1) if "/page/" in visit.url else 0
            return VisitAnswer(200, self.listing(now, first), validators=(self.etag, ""), kept_for=self.kept_for)
        if "/a/" in visit.url:
            return self.article(int(visit.url[-12:-5]) - 1_000_000, now)
        calendar = Listing(tuple(Listed(f"{HOME}a/{1_000_000 + n}.html") for n in range(3)), self.days(now))
        return VisitAnswer(200, calendar) if "/calendar/" in visit.url else VisitAnswer(404, None)

    def listing(self, now: float, first: int) -> Listing:
        born = [n for n, birth in enumerate(self.births) if birth <= now][::-1][first : first + 20]
        rows = [Listed(f"{HOME}a/{1_000_000 + n}.html", "t") for n in born]
        return Listing(tuple(rows), self.days(now), f"{HOME}page/{first // 20 + 2}")

    def days(self, now: float) -> tuple[tuple[str, str], ...]:
        return tuple((f"{HOME}calendar/{int(now) // 60}/{day}/", "list") for day in range(30))

    def article(self, number: int, now: float) -> VisitAnswer:
        if self.deleted.get(number, 1e18) <= now:
            return VisitAnswer(404)
        self.seen.setdefault(number, now)
        version = "corrected" if self.corrected.get(number, 1e18) <= now else "first"
        return VisitAnswer(200, page=PageFacts(f"{number} {version}"))


def run(site: SmallSite, hours: float, options: WatchOptions | None = None, begin: float = 1e6) -> Watch:
    watch, now = Watch(options or WatchOptions(per_hour=200)), begin
    watch.start(HOME, now)
    under_way: list[tuple[float, int, WatchVisit]] = []
    while now < begin + hours * HOUR:
        while under_way and under_way[0][0] <= now:
            _, _, visit = heapq.heappop(under_way)
            watch.answered(visit, site.answer(visit, now), now)
        while (visit_now := watch.next(now)) is not None:
            heapq.heappush(under_way, (now + 2, len(site.asked) + len(under_way), visit_now))
        now += 4.0
    return watch


def births(hours: float, a_day: float, begin: float = 1e6) -> list[float]:
    rng, now, found = random.Random(3), begin - 2 * 24 * HOUR, list[float]()
    while now < begin + hours * HOUR:
        now += rng.expovariate(a_day / 86_400)
        found.append(now)
    return found


def test_every_article_is_found_within_minutes_and_none_that_was_there_comes_first() -> None:
    site = SmallSite(births(24, 60))
    run(site, 24)
    new = [n for n, birth in enumerate(site.births) if 1e6 + 60 < birth < 1e6 + 23 * HOUR]
    delays = sorted(site.seen[n] - site.births[n] for n in new)
    assert delays[len(delays) // 2] < 180
    assert delays[-1] < 1_800


def test_the_budget_and_the_host_are_kept_to() -> None:
    site = SmallSite(births(6, 400))
    run(site, 6, WatchOptions(per_hour=100, per_host=60, most_per_host=60))
    assert len(site.asked) <= 6 * 60 + 20
    for at, _ in site.asked:
        assert sum(at - 600 < other <= at for other, _ in site.asked) <= 12


def test_nothing_is_lost_in_an_outage_or_when_a_list_runs_over() -> None:
    begin = 1e6
    burst = [begin + 5 * HOUR + n for n in range(60)]
    site = SmallSite(sorted([*births(12, 100), *burst]), outage=(begin + 4.5 * HOUR, begin + 6.5 * HOUR))
    run(site, 14, WatchOptions(per_hour=200, per_host=150))
    missing = [
        n for n, birth in enumerate(site.births) if begin + 60 < birth < begin + 12 * HOUR and n not in site.seen
    ]
    assert missing == []
    assert sum(begin + 4.5 * HOUR < at < begin + 6.5 * HOUR for at, _ in site.asked) < 40


def test_an_etag_that_lies_is_found_out_within_an_hour() -> None:
    site = SmallSite(births(24, 100), etag='"always"')
    watch = run(site, 24)
    late = [n for n, birth in enumerate(site.births) if 1e6 + 3 * HOUR < birth < 1e6 + 23 * HOUR]
    assert all(site.seen[n] - site.births[n] < 1_800 for n in late)
    source = watch.sources.find(HOME)
    assert source is not None
    assert source.validators.lied


def test_a_list_from_a_cache_is_not_asked_again_before_the_cache_asks() -> None:
    site = SmallSite(births(6, 300), kept_for=500.0)
    run(site, 6)
    times = [at for at, url in site.asked if url == HOME]
    assert len(times) > 20
    assert min(later - earlier for earlier, later in pairwise(times)) >= 500


def test_corrections_and_deletions_are_noticed() -> None:
    site = SmallSite(births(36, 20))
    born = [n for n, birth in enumerate(site.births) if 1e6 + HOUR < birth < 1e6 + 20 * HOUR]
    site.corrected = {n: site.births[n] + HOUR for n in born[::2]}
    site.deleted = {n: site.births[n] + 3 * HOUR for n in born[1::2]}
    watch = run(site, 36)
    states = [watch.pages.known[f"{HOME}a/{1_000_000 + n}.html"] for n in born]
    assert all(page.digest.endswith("corrected") and page.changed_at for page in states[::2])
    assert all(page.state == "gone" for page in states[1::2])


def test_calendars_end_after_three_tries() -> None:
    site = SmallSite(births(24, 30))
    run(site, 24)
    tried = {url for _, url in site.asked if "/calendar/" in url}
    assert 0 < len(tried) <= 3
    assert sum("/calendar/" in url for _, url in site.asked) < 0.2 * len(site.asked)


def test_people_can_pin_and_drop() -> None:
    site = SmallSite(births(6, 1))
    watch = Watch(WatchOptions(per_hour=200))
    watch.start(HOME, 0.0)
    source = watch.sources.find(HOME)
    assert source is not None
    watch.sources.drop(source)
    visits = [watch.next(float(now)) for now in range(0, 600, 10)]
    assert {visit.kind for visit in visits if visit} <= {"robots"}
    watch = run(site, 6)
    source = watch.sources.find(HOME)
    assert source is not None
    watch.sources.pin(source, 300.0)
    assert watch.sources.queue.values(watch.sources.queue.visited(source.row) + 301)[source.row] == float("inf")


def test_sitemaps_of_an_index_are_watched_and_visited_when_it_says_that_they_changed() -> None:
    watch, asked = Watch(WatchOptions(per_hour=100)), list[tuple[float, str]]()
    watch.start(HOME, 0.0)
    changes = 3 * HOUR

    def answer(visit: WatchVisit, now: float) -> VisitAnswer:
        asked.append((now, visit.url))
        if visit.kind == "robots":
            return VisitAnswer(200, Listing(candidates=((f"{HOME}index.xml", "map"),)))
        if visit.url == f"{HOME}index.xml":
            stamps = {n: f"m2026-01-{n:02}" for n in range(1, 30)} | ({3: "m2026-02-01"} if now >= changes else {})
            return VisitAnswer(
                200, Listing(tuple(Listed(f"{HOME}{n}.xml", stamp) for n, stamp in stamps.items()), is_index=True)
            )
        if visit.url.endswith(".xml"):
            more = [Listed(f"{HOME}a/9{n}.html", "t") for n in range(int(now >= changes))]
            return VisitAnswer(200, Listing((*more, *(Listed(f"{HOME}a/1{n}.html", "t") for n in range(5)))))
        return VisitAnswer(404) if visit.url == HOME else VisitAnswer(200, page=PageFacts(visit.url))

    now = 0.0
    while now < 5 * HOUR:
        while (visit := watch.next(now)) is not None:
            watch.answered(visit, answer(visit, now), now)
        now += 30.0
    maps = {url for at, url in asked if url.endswith(".xml") and at < changes} - {f"{HOME}index.xml"}
    assert maps == {f"{HOME}{n}.xml" for n in (27, 28, 29)}
    seen = min(at for at, url in asked if url == f"{HOME}index.xml" and at >= changes)
    assert any(seen <= at <= seen + 300 for at, url in asked if url == f"{HOME}3.xml") or f"{HOME}3.xml" not in {
        url for _, url in asked
    }
    index = watch.sources.find(f"{HOME}index.xml")
    assert index is not None
    assert index.state == "watched"


def test_the_search_of_a_site_is_a_source_for_the_words_of_a_topic() -> None:
    watch = Watch(WatchOptions(per_hour=100, words=("股市", "利率")))
    watch.start(HOME, 0.0)
    rows = tuple(Listed(f"{HOME}a/{n}.html", "t") for n in range(5))
    searched = list[str]()
    for now in range(0, 3_600, 30):
        while (visit := watch.next(float(now))) is not None:
            listing = Listing(rows, search=f"{HOME}s?q={{query}}", charset="gb18030")
            watch.answered(
                visit, VisitAnswer(200, listing) if visit.url in (HOME, *searched) else VisitAnswer(404), float(now)
            )
            searched += [visit.url] if "?q=" in visit.url else []
    assert {url.partition("?q=")[2] for url in searched} == {"%B9%C9%CA%D0", "%C0%FB%C2%CA"}


def test_what_another_site_has_told_first_is_not_new_on_a_list_of_hot_things() -> None:
    hot, host = "http://hot.example/", "news.example.cn"
    watch = Watch(WatchOptions())
    watch.start(HOME, 1e6)
    watch.start(hot, 1e6)
    for moment, newest in ((1e6, 5), (1e6 + HOUR, 9)):
        things = tuple(Listed(f"{HOME}a/{1_000_000 + n}.html", "t") for n in range(newest, 0, -1))
        watch.answered(WatchVisit("list", HOME, host, HOME), VisitAnswer(200, Listing(things)), moment)
        for thing in things:
            visit = WatchVisit("page", thing.url, host, HOME)
            watch.answered(visit, VisitAnswer(200, page=PageFacts(thing.url)), moment + 1)
        watch.answered(WatchVisit("list", hot, "hot.example", hot), VisitAnswer(200, Listing(things[::-1])), moment + 2)
    home, other = watch.sources.find(HOME), watch.sources.find(hot)
    assert home is not None
    assert other is not None
    assert (home.items_first_seen_here, other.items_first_seen_here) == (4, 0)
    assert home.rate.count > 3
    assert other.rate.count == 0
