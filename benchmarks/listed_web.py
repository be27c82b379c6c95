"""Twenty sources on loopback, read by recipes: ten of JSON, six of HTML, two of JSON in HTML and two feeds, as sites mix them.

    python -m benchmarks.listed_web visits     three crawls of `site` while they publish, then one after each has changed its shape
    python -m benchmarks.listed_web watch      a watch with a clock 360 times as fast: waits of new items by the shape of their list

An item is right if its page is stored once, with the title of the page and the time that the list says.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from pipelines.stores.base import Row
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.stores.watch_tables import LIST_STATES
from testbed.hostile import Connection, HostileWeb

BEGIN = 1764000000
SENTENCE = (
    "The council has met and spoken about the budget of the coming year, and the report names each of the works. "
)
_SPEED, _SECONDS, _EVERY_SECONDS = 360.0, 60.0, 1_800.0
_SETTINGS = {"ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0, "TITLES_ENABLED": False, "RETRY_DELAY": 0.1}
Render = Callable[[str, list[int], bool], tuple[str, str]]


def said(number: int) -> int:
    """When an item was published, in seconds since 1970."""
    return BEGIN + 3_600 * number


def title(host: str, number: int) -> str:
    return f"Report {number} of {host.partition('.')[0]} on the river works"


def _shown(number: int, form: str) -> str:
    return datetime.fromtimestamp(said(number), UTC).strftime(form)


def _items(
    host: str, numbers: list[int], changed: bool, names: dict[str, str], stamp: Callable[[int], Any]
) -> list[Any]:
    """Items as objects; their keys are others once the shape has changed."""
    rows = [{"title": title(host, n), "url": f"/a/{n}.html", "id": n, "time": stamp(n)} for n in numbers]
    prefix = "x_" if changed else ""
    return [{prefix + names.get(key, key): value for key, value in row.items() if names.get(key, key)} for row in rows]


def _json(
    around: Callable[[list[Any]], Any], names: dict[str, str], stamp: Callable[[int], Any], before: str = ""
) -> Render:
    def render(host: str, numbers: list[int], changed: bool) -> tuple[str, str]:
        text = json.dumps(around(_items(host, numbers, changed, names, stamp)), ensure_ascii=False)
        return f"{before}{text}{');' if before.endswith('(') else ''}", "application/json"

    return render


def _html(line: str, around: str, other: str) -> Render:
    def render(host: str, numbers: list[int], changed: bool) -> tuple[str, str]:
        lines = (
            line.format(n=n, title=title(host, n), day=_shown(n, "%Y-%m-%d %H:%M"), iso=_shown(n, "%Y-%m-%dT%H:%M:%SZ"))
            for n in numbers
        )
        form = (other if changed else around).replace("LINES", "".join(lines))
        return f"<html><body><nav><a href='/'>Home</a></nav>{form}</body></html>", "text/html; charset=utf-8"

    return render


def _carried(place: str, names: dict[str, str]) -> Render:
    def render(host: str, numbers: list[int], changed: bool) -> tuple[str, str]:
        state = json.dumps({"props": {"list": _items(host, numbers, changed, names, lambda n: said(n) * 1_000)}})
        return f"<html><body><div id=app></div>{place.replace('HERE', state)}</body></html>", "text/html"

    return render


def _feed(host: str, numbers: list[int], changed: bool) -> tuple[str, str]:
    lines = "".join(
        f"<item><title>{title(host, n)}</title><link>http://{host}/a/{n}.html</link>"
        f"<pubDate>{_shown(n, '%a, %d %b %Y %H:%M:%S GMT')}</pubDate></item>"
        for n in numbers
    )
    return (f"<html>{lines}" if changed else f"<rss><channel>{lines}</channel></rss>"), "application/rss+xml"


_ID = {"url": ""}
SHAPES: dict[str, tuple[Render, str]] = {
    "json0": (_json(lambda rows: {"data": {"list": rows}}, {}, said), "list: data.list\nfields: {url: url, title: title, time: time}"),
    "json1": (_json(lambda rows: rows, {"title": "headline", "time": "ts"}, lambda n: said(n) * 1_000), "fields: {url: url, title: headline, time: ts}"),
    "json2": (_json(lambda rows: {"hits": [{"_source": row} for row in rows]}, _ID, said), "list: hits[]._source\nfields: {title: title, time: time}\nurl_template: http://HOST/a/{id}.html"),
    "json3": (_json(lambda rows: {"sections": [{"rows": rows[::2]}, {"rows": rows[1::2]}]}, {"url": "link"}, partial(_shown, form="%Y-%m-%dT%H:%M:%SZ")), "list: sections[].rows\nfields: {url: link, title: title, time: time}"),
    "json4": (_json(lambda rows: {"result": {str(row.get("id", place)): row for place, row in enumerate(rows)}}, {}, said), "list: result.*\nfields: {url: url, title: title, time: time}"),
    "json5": (_json(lambda rows: {"list": rows}, {}, said, before="callback("), "list: list\nfields: {url: url, title: title, time: time}"),
    "json6": (_json(lambda rows: {"items": rows}, {"time": "published"}, partial(_shown, form="%d|%m|%Y %H:%M")), "list: items\nfields: {url: url, title: title, time: published}\ntime_format: '%d|%m|%Y %H:%M'\nzone: UTC"),
    "json7": (_json(lambda rows: {"data": [{"item": json.dumps(row)} for row in rows]}, {}, said), "list: data[].item\nfields: {url: url, title: title, time: time}"),
    "json8": (_json(lambda rows: {"d": {"n": [{"target": row} for row in rows]}}, _ID, said), "list: d.n\nfields: {title: target.title, time: target.time}\nurl_template: http://HOST/a/{target.id}.html"),
    "json9": (_json(lambda rows: {"ok": 1, "rows": rows}, {"url": "path"}, partial(_shown, form="%Y-%m-%d %H:%M:%S")), "list: rows\nfields: {url: href | path, title: title, time: time}\nzone: UTC"),
    "html0": (_html('<li><a href="/a/{n}.html">{title}</a><span>{day}</span></li>', "<ul class=news>LINES</ul>", "<ol class=fresh>LINES</ol>"), "html: ul.news > li\nfields: {time: span}\nzone: UTC"),
    "html1": (_html('<tr><td>{n}</td><td><a href="/a/{n}.html" title="{title}">Report…</a></td><td>{day}</td></tr>', "<table id=list>LINES</table>", "<table id=other>LINES</table>"), "html: '#list tr'\nfields: {time: 'td:nth-child(3)'}\nzone: UTC"),
    "html2": (_html('<article><h2>{title}</h2><time datetime="{iso}">then</time><a class=more href="/a/{n}.html">More</a></article>', "<main>LINES</main>", "<section>LINES</section>"), "html: main > article\nfields: {url: a.more, title: h2, time: time}"),
    "html3": (_html('<div class=row data-at="{iso}"><a href="/c/x">Cat</a><a class=t href="/a/{n}.html">{title}</a></div>', "<div class=rows>LINES</div>", "<div class=lines>LINES</div>"), "html: //div[@class='rows']/div\nfields: {url: './a[2]', title: './a[2]', time: ./@data-at}"),
    "html4": (_html('<a class=card href="/a/{n}.html"><b>{title}</b><i>{day}</i></a>', "<div id=cards>LINES</div>", "<div id=tiles>LINES</div>"), "html: '#cards > a.card'\nfields: {url: ., title: b, time: i}\nzone: UTC"),
    "html5": (_html('<dd><p><a href="/a/{n}.html">{title}</a></p><em>({day})</em></dd>', "<dl>LINES</dl>", "<div>LINES</div>"), "html: dl > dd\nfields: {time: em}\nzone: UTC"),
    "carried0": (_carried('<script id="__NEXT_DATA__" type="application/json">HERE</script>', {}), "json_in: script#__NEXT_DATA__\nlist: props.list\nfields: {url: url, title: title, time: time}"),
    "carried1": (_carried("<script>window.__INITIAL_STATE__ = HERE;</script>", _ID), "json_in: window.__INITIAL_STATE__\nlist: props.list\nfields: {title: title, time: time}\nurl_template: http://HOST/a/{id}.html"),
    "feed0": (_feed, "list: feed"),
    "feed1": (_feed, "list: feed"),
}  # fmt: skip


@dataclass
class ListedWeb:
    """What the twenty sources show at present; paged sources show six items a page."""

    published: Callable[[int], int]
    changed: bool = False

    def handler(self, name: str, place: int) -> Callable[[Connection], None]:
        render, host = SHAPES[name][0], f"{name}.example"

        def answer(asked: Connection) -> None:
            if asked.path.startswith("/a/"):
                number = int(asked.path[3:].partition(".")[0])
                text = f"<h1>{title(host, number)}</h1><p>{SENTENCE * 8}</p><p>{SENTENCE * 6}</p>"
                asked.answer(f"<html><head><title>{title(host, number)}</title></head><body>{text}</body></html>")
                return
            numbers = list(range(self.published(place), 0, -1))[:12]
            body, kind = render(host, numbers, self.changed)
            tag = f'"{numbers[0]}-{self.changed}"'
            if asked.headers.get("if-none-match") == tag:
                asked.answer(status=304, ETag=tag)
            else:
                asked.answer(body, Content_Type=kind, ETag=tag)

        return answer


def recipes(folder: Path) -> None:
    """Write the recipe of each source."""
    (folder / "sources").mkdir(parents=True, exist_ok=True)
    for name, (_, recipe) in SHAPES.items():
        text = f"url: http://{name}.example/list\n{recipe.replace('HOST', name + '.example')}\n"
        assert len(text.splitlines()) <= 15
        (folder / "sources" / f"{name}.yaml").write_text(text, encoding="utf-8")


def _command(folder: Path, spider: str, more: dict[str, object]) -> list[str]:
    given = (
        _SETTINGS | {"DATA_DIR": folder, "STORE": f"sqlite:///{folder}/a.db", "TOPICRAWL_SETTINGS_DIR": folder} | more
    )
    words = ["scrapy", "crawl", spider, "-a", f"sources={','.join(SHAPES)}"]
    return words + [word for name, value in given.items() for word in ("-s", f"{name}={value}")]


def _run(folder: Path, web: HostileWeb, spider: str, speed: float = 1.0, seconds: float = 300.0, **more: object) -> int:
    program = (
        f"import sys; from crawler.clock import set_speed; set_speed({speed}); "
        f"from scrapy.cmdline import execute; execute({_command(folder, spider, more)!r})"
    )
    environment = os.environ | {"http_proxy": web.address, "no_proxy": "127.0.0.1"}
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=log, stderr=log)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.terminate()
        return process.wait(60)


def rows(folder: Path) -> dict[str, Row]:
    """Stored pages by address."""
    store = open_store(f"sqlite:///{folder}/a.db")
    try:
        return {row["url"]: row for row in store.select(PAGES)}
    finally:
        store.close()


def right(page: Row | None, host: str, number: int) -> bool:
    """Whether an item is stored with its title and the time of its list, to the minute."""
    if page is None or page["title"] != title(host, number) or page["published_by"] != "list":
        return False
    return str(page["published_at"])[:16] == _shown(number, "%Y-%m-%dT%H:%M")


def visits(folder: Path) -> None:
    """Three visits while the sources publish, and one after they have changed."""
    visit = [0]
    listed = ListedWeb(lambda place: 12 + 3 * visit[0])
    with HostileWeb({f"{name}.example": listed.handler(name, place) for place, name in enumerate(SHAPES)}) as web:
        recipes(folder)
        for visit[0] in range(3):
            code = _run(folder, web, "site")
            last = 12 + 3 * visit[0]
            stored, wanted = rows(folder), [(f"{name}.example", n) for name in SHAPES for n in range(1, last + 1)]
            good = sum(right(stored.get(f"http://{host}/a/{n}.html"), host, n) for host, n in wanted)
            pages = sum("/a/" in url for url in stored)
            print(f"visit {visit[0] + 1}: exit code {code}; {good} of {len(wanted)} items right, {pages} stored")
        listed.changed = True
        code = _run(folder, web, "site")
    print(f"after the change: exit code {code}; {_alarms(folder)} of {len(SHAPES)} lists are layout_changed")


def _alarms(folder: Path) -> int:
    store = open_store(f"sqlite:///{folder}/a.db")
    try:
        return sum(row["state"] == "layout_changed" for row in store.select(LIST_STATES, columns=("key", "state")))
    finally:
        store.close()


def watched(folder: Path) -> None:
    """Waits of new items in a watch, by the kind of their list."""
    begun = time.monotonic()

    def published(place: int) -> int:
        passed = (time.monotonic() - begun) * _SPEED
        return 12 + int(max(0.0, passed + place * 90) // _EVERY_SECONDS)

    listed = ListedWeb(published)
    more = {"WATCH_REQUESTS_PER_HOUR": 2_000, "WATCH_HOST_REQUESTS_PER_HOUR": 300}
    with HostileWeb({f"{name}.example": listed.handler(name, place) for place, name in enumerate(SHAPES)}) as web:
        recipes(folder)
        _run(folder, web, "watch", _SPEED, _SECONDS, **more)
        waits, twice = _waits(web, begun)
    stored = rows(folder)
    for kind, found in sorted(waits.items()):
        print(f"{kind:8} {len(found):4} new items fetched, median wait {median(found):5.0f} s")
    print(f"{len(twice)} pages were fetched as new twice; {len(stored)} stored")


def _waits(web: HostileWeb, begun: float) -> tuple[dict[str, list[float]], list[str]]:
    """Seconds of the watch from the publication of each new item to its first request, by kind; items requested within minutes again."""
    waits: dict[str, list[float]] = defaultdict(list)
    first: dict[str, float] = {}
    twice = []
    for host, path, at in _articles(web):
        number, name = int(path[3:].partition(".")[0]), host.partition(".")[0]
        key = host + path
        if key in first:
            if (at - first[key]) * _SPEED < _EVERY_SECONDS:
                twice.append(key)
            continue
        first[key] = at
        born = (number - 12) * _EVERY_SECONDS - list(SHAPES).index(name) * 90
        if number > 12 and born > 0:
            waits[name.rstrip("0123456789")].append((at - begun) * _SPEED - born)
    return waits, twice


def _articles(web: HostileWeb) -> Iterator[tuple[str, str, float]]:
    yield from ((seen.host, seen.path, seen.at) for seen in web.seen if seen.path.startswith("/a/"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("visits", "watch"))
    what = parser.parse_args().what
    with tempfile.TemporaryDirectory() as folder:
        (visits if what == "visits" else watched)(Path(folder))
        if os.environ.get("KEEP_LOG"):
            print((Path(folder) / "log").read_text(errors="replace")[-3000:])


if __name__ == "__main__":
    main()
