"""Further kinds of sites for the living web: daily papers, whose issue appears at once under its day, and running reports.

The simulator takes them under the name `extra_sites`, see `benchmarks.living.world_of`.
"""

import random
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

_DAY, _HOUR = 86_400.0, 3_600.0
_PAPERS = (
    ("/html/{d:%Y-%m}/{d:%d}/node_{p}.htm", "/html/{d:%Y-%m}/{d:%d}/content_{id}.htm", "第{p:02}版：{name}", "moved"),
    (
        "/pc/layout/{d:%Y%m}/{d:%d}/node_{p:02}.html",
        "/pc/content/{d:%Y%m}/{d:%d}/content_{id}.html",
        "{p:02}版",
        "pages",
    ),
    ("/paper/{d:%Y%m%d}/A{p:02}.html", "/paper/{d:%Y%m%d}/A{p:02}-{n}.html", "A{p:02} {name}", "pages"),
    ("/{d:%Y}/{d:%m}/{d:%d}/", "/{d:%Y}/{d:%m}/{d:%d}/art-{x}.html", "今日报纸", "pages"),
)
"""Addresses of a page of the paper and of an article, the name of a link to a page, and what the home page shows: it is moved to
the first page, or it links to all pages. {id} grows with time, {n} is the place on the page, {x} says nothing."""
_REPORTS = (
    ("/live/{id}.html", "【直播】{t}", '<div class="live-item"><span class="time">{c}</span><p>{x}</p></div>', True),
    ("/a/{id}.html", "{t}", "<p>{c} {x}</p>", False),
    ("/{d:%Y-%m}/{d:%d}/c{id}.html", "{t}（持续更新）", '<li class="update"><b>{c}</b><div>{x}</div></li>', True),
)
"""Address, title and paragraph of a running report, and whether the newest paragraph comes first."""


def extend(living: Any) -> tuple[list[Any], dict[str, Any], list[tuple[str, str]]]:
    """Further layouts, kinds and sites of the simulator `living`."""
    living.RATES |= {"paper": (1.0, 0.0, 0.0, 1.0, "news"), "live": (30.0, 0.6, 0.2, 1_800.0, "news")}
    paper, report = _paper_kind(living), _report_kind(living)
    mix = [("paper", str(n)) for n in range(len(_PAPERS))] + [("live", str(n)) for n in range(len(_REPORTS))]
    return [], {"paper": paper, "live": report}, mix


def _paper_kind(living: Any) -> Any:
    class Paper(living.Site):  # type: ignore[misc]  # the simulator has no types
        """A daily paper: each morning an issue of several pages, each with a few articles."""

        kind = "paper"

        def publish(self, events: list[Any]) -> None:
            super().publish([])
            rng, issues, self.leaf = self.rng, [], []
            self.shape = _PAPERS[int(self.quirk)]
            hour, pages = (
                rng.uniform(0.2, 7),
                1 if self.shape[3] == "pages" and "{p" not in self.shape[0] else rng.randint(4, 12),
            )
            for day in range(-int(self.world.history), int(self.world.end / _DAY) + 1):
                at = day * _DAY + hour * _HOUR + rng.uniform(-600, 600)
                for page in range(1, pages + 1):
                    issues += [(at, page, n) for n in range(1, rng.randint(3, 8) + (20 if pages == 1 else 0))]
            self._set_articles([each for each in issues if each[0] < self.world.end])

        def _set_articles(self, issues: list[tuple[float, int, int]]) -> None:
            rng, count = self.rng, len(issues)
            self.t, self.leaf = [at for at, _, _ in issues], [(page, n) for _, page, n in issues]
            self.event, self.section, self.promoted = [None] * count, [0] * count, [True] * count
            self.finance = [rng.random() < 0.11 for _ in issues]
            self.titles = [self.world.title(rng, each) for each in self.finance]
            self.corrected, self.deleted = [living.NEVER] * count, [living.NEVER] * count
            for i, at in enumerate(self.t):
                if rng.random() < living.CORRECTED:
                    self.corrected[i] = at + living.CORRECTED_AFTER * 2.718 ** rng.gauss(0, 1.3)
                if rng.random() < living.DELETED:
                    self.deleted[i] = at + living.DELETED_AFTER * 2.718 ** rng.gauss(0, 1.3)
            self.places = {self.url(i): i for i in range(count)}

        def url(self, i: int) -> str:
            page, n = self.leaf[i]
            mark = f"{zlib.crc32(f'{self.number}.{i}'.encode()):08x}"
            return str(self.shape[1].format(d=living.moment(self.t[i]), p=page, n=n, id=300_000 + 3 * i, x=mark))

        def item_of(self, target: str) -> int:
            return int(self.places.get(target.partition("?")[0], -1))

        def hubs(self) -> list[tuple[str, str]]:
            return [("/", "home")]

        def best_hubs(self) -> list[tuple[str, float, str]]:
            return [("/", len(self.t) / (self.world.end / _DAY + self.world.history), "")]

        def page(self, target: str, vt: float, run: Any) -> Any:
            if target == "/" and self.shape[3] == "moved":
                at = self._issue(vt)
                where = f"http://{self.host}{self._pages(at)[1]}"
                return living.Answer(302, b"", "home", headers=[("Location", where)])
            for at in sorted({each for each in self.t if each <= vt}):
                for page, address in self._pages(at).items():
                    if target == address:
                        return self._page_of(at, page, vt, run)
            return super().page(target, vt, run)

        def _issue(self, vt: float) -> float:
            return float(self.t[bisect_right(self.t, vt) - 1])

        def _pages(self, at: float) -> dict[int, str]:
            mine = sorted({self.leaf[i][0] for i in self._articles(at)})
            return {page: self.shape[0].format(d=living.moment(at), p=page) for page in mine}

        def _articles(self, at: float) -> list[int]:
            return [i for i, each in enumerate(self.t) if each == at]

        def _links(self, at: float) -> str:
            names = ["要闻", "国内新闻", "国际", "经济周刊", "文化", "体育", "评论", "社会"]
            rows = (
                f'<li><a href="{url}">{self.shape[2].format(p=page, name=names[page % 8])}</a></li>'
                for page, url in self._pages(at).items()
            )
            before = sorted({each for each in self.t if each < at})[-3:]
            older = (f'<a href="{self._pages(each)[1]}">{living.moment(each):%d}</a> ' for each in before)
            return f'<ul class="pages">{"".join(rows)}</ul><div class="days">{"".join(older)}</div>'

        def home(self, vt: float, run: Any) -> Any:
            return self.html("数字报", self._links(self._issue(vt)), vt, run, "home")

        def _page_of(self, at: float, page: int, vt: float, run: Any) -> Any:
            mine = [i for i in self._articles(at) if self.leaf[i][0] == page and self.deleted[i] > vt]
            main = self._links(at) + self.rows(mine, vt, run)
            return self.html(f"第{page}版", main, vt, run, "list", shown=self._shown(mine, vt))

    return Paper


def _report_kind(living: Any) -> Any:
    class Report(living.Site):  # type: ignore[misc]  # the simulator has no types
        """A news site of which every tenth article is a report that grows for hours."""

        kind = "live"

        def publish(self, events: list[Any]) -> None:
            self.kind = "portal"
            super().publish(events)
            self.kind, self.shape = "live", _REPORTS[int(self.quirk)]
            rng, self.said = random.Random(f"{self.world.seed}:{self.number}:said"), dict[int, list[float]]()
            for i, at in enumerate(self.t):
                if rng.random() < 0.1 and self.event[i] is None:
                    pause, times = rng.choice((300.0, 900.0, 1_800.0)), [at]
                    end = at + rng.uniform(1, 8) * _HOUR
                    while times[-1] < end:
                        times.append(times[-1] + rng.expovariate(1 / pause))
                    self.said[i] = [each for each in times[1:] if each < self.world.end]
                    self.titles[i] = self.shape[1].format(t=self.titles[i])
                    self.corrected[i] = self.deleted[i] = living.NEVER
            self.report_urls = {self.url(i): i for i in self.said}

        def url(self, i: int) -> str:
            if i not in getattr(self, "said", {}):
                return str(super().url(i))
            return str(self.shape[0].format(id=700_000 + 11 * i, d=living.moment(self.t[i])))

        def item_of(self, target: str) -> int:
            found = self.report_urls.get(target.partition("?")[0], -1)
            return int(found if found >= 0 else super().item_of(target))

        def article(self, i: int, vt: float, run: Any) -> Any:
            if i not in self.said or self.t[i] > vt:
                return super().article(i, vt, run)
            shown, key = self.said[i][: bisect_right(self.said[i], vt)], self.key(i)
            rows = [self._paragraph(i, n, at) for n, at in enumerate(shown)]
            lead = self.world.texts.paragraphs(self.lead(i), self.finance[i], 2)
            paragraphs = [self.layout.paragraph.format(each) for each in lead] + (rows[::-1] if self.shape[3] else rows)
            main = self.layout.article.format(
                t=self.titles[i],
                d=living.written(self.layout.article_date, self.t[i], vt),
                i=living.written("iso", self.t[i], vt),
                p="".join(paragraphs),
                s=self.name,
                e="小编",
            )
            return self.html(self.titles[i], main, vt, run, "article", key, [(key, 3 + len(shown))])

        def _paragraph(self, i: int, n: int, at: float) -> str:
            text = self.world.texts.paragraphs(f"{self.number}.{i}.{n}", self.finance[i], 1)[0]
            return self.shape[2].format(c=f"{living.moment(at):%H:%M}", x=text)

        def posts(self) -> Iterator[tuple[str, int, float, bool, bool]]:
            for i, times in self.said.items():
                yield from ((self.key(i), n + 3, at, False, self.finance[i]) for n, at in enumerate(times) if at >= 0)

    return Report
