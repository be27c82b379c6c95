"""Sources: what their files may say, which addresses they have, and what is read of their answers."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request
from scrapy.settings import Settings

from crawler.config.topics import read_topic, topic_path
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.meta import SOURCE_KEY
from crawler.sources.list_addresses import ListAddress
from crawler.sources.list_answers import ListAnswer, ListReader, read_source
from crawler.sources.recipe_text import recipe_text, with_test
from crawler.sources.recipe_text import test_text as text_of_test
from crawler.sources.source_catalog import SourceCatalog, read_sources
from crawler.sources.source_file import Source, declared_source
from crawler.sources.source_requests import as_values, prepared
from crawler.sources.trying import check_saved, try_answer
from extractors.topic.model import TermClass

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
SHIPPED = read_sources(Settings())
ITEMS = [{"id": number, "t": f"Story {number}", "at": 1764200000, "hot": f"{number}.5万"} for number in (1, 2, 3)]


def source(folder: Path, text: str, name: str = "mine") -> Source:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return declared_source(path)


def read(folder: Path, text: str, body: str | bytes, url: str = "https://some.example/list") -> ListAnswer:
    raw = body if isinstance(body, bytes) else body.encode()
    return read_source(raw, url, source(folder, text).recipe, "", NOW)


def urls(answer: ListAnswer) -> list[str]:
    assert answer.feed is not None, answer.fault
    return [entry.url for entry in answer.feed.entries]


# -- the sources that come with the project ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED.sources)
def test_a_shipped_source_reads_its_saved_answer_and_is_short(name: str) -> None:
    found = SHIPPED.sources[name]
    assert check_saved(found) == ""
    assert isinstance(found.path, Path)
    lines = [line for line in found.path.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) <= 15


def test_some_twenty_sources_are_shipped_and_most_hot_lists_have_heat() -> None:
    assert len(SHIPPED.sources) >= 20
    hot = [each for each in SHIPPED.sources.values() if each.is_hot]
    assert sum("heat" in each.recipe.fields for each in hot) >= 10


@pytest.mark.parametrize("name", ["qiaoqing", "finance"])
def test_a_starter_topic_has_terms_of_all_classes_sites_and_sources(name: str) -> None:
    topic = read_topic(topic_path(settings_folder(Settings()), name))
    assert {term.term_class for term in topic.terms} == set(TermClass)
    assert topic.seeds
    assert SHIPPED.named(topic.sources)


# -- files -------------------------------------------------------------------------------------------------------------

WRONG = {
    "url: some.site": "line 1, url: must begin with http",
    "url: https://a.example/\n": "url: needs one of list, json_in, html and xml",
    "url: https://a.example/\nlist: x\n": "fields: needs url, unless there is a url_template",
    "url: https://a.example/\nlist: x\nfields: {url: u}\n": "fields: needs title",
    "url: https://a.example/{channel}\nlist: feed\n": "{channel} is not known",
    "url: https://a.example/{page:%Y}\nlist: feed\n": "{page} is not known",
    "url: https://a.example/\nlist: x\nxml: li\n": "xml: cannot stand beside list",
    "url: https://a.example/\nhtml: 'li['\n": "html: 'li\\[' is not a selector",
    "url: https://a.example/\nlist: feed\nevery: often\n": "line 3, every: must be a time like 10m",
    "url: https://a.example/\nlist: feed\nzone: Mars\n": "line 3, zone: is not a time zone",
    "url: https://a.example/\nlist: feed\nkid: x\n": "line 3, kid: is not known",
    "url: https://a.example/\nlist: feed\nfields: {cost: x}\n": "fields.cost",
    "url: https://a.example/{a}{b}\nwith: {a: [%s], b: [%s]}\nlist: feed\n" % ((",".join(map(str, range(40))),) * 2): "1,600 addresses",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_file_is_refused_with_its_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match=WRONG[text]):
        source(tmp_path, text)


# -- addresses ---------------------------------------------------------------------------------------------------------

PAGED = """
url: https://some.example/json/{channel}/{date:%Y-%m/%d}/list.json?p={page}
with: {channel: [china, world]}
pages: 3
list: data
fields: {url: u, title: t}
zone: Asia/Shanghai
"""


def test_a_source_has_an_address_for_each_value_and_day(tmp_path: Path) -> None:
    mine = source(tmp_path, PAGED)
    found = [each.url for each in SourceCatalog().first_addresses([mine], datetime(2026, 11, 28, 20, tzinfo=UTC))]
    assert found == [f"https://some.example/json/{each}/2026-11/29/list.json?p=1" for each in ("china", "world")]


def catalog(folder: Path, *texts: str) -> SourceCatalog:
    (folder / "sources").mkdir()
    for number, text in enumerate(texts):
        (folder / "sources" / f"mine{number}.yaml").write_text(text, encoding="utf-8")
    return read_sources(Settings({"TOPICRAWL_SETTINGS_DIR": str(folder)}))


def test_an_address_is_recognised_as_that_of_its_source(tmp_path: Path) -> None:
    known = catalog(tmp_path, PAGED, "url: https://some.example/json/\nlist: feed\n")
    found = known.of("https://some.example/json/world/2026-01/02/list.json?p=7")
    assert found is not None
    assert (found.source.name, dict(found.values)) == ("mine0", {"channel": "world"})
    assert known.of("https://some.example/json/sport/2026-01/02/list.json?p=7") is None
    assert (other := known.of("https://some.example/json/")) is not None
    assert other.source.name == "mine1"


def further(address: ListAddress, said: str, has_items: bool = True) -> str:
    found = address.further(said, address.url, NOW, has_items=has_items)
    return found.url if found is not None else ""


def test_further_pages_are_counted_or_follow_what_the_answer_says(tmp_path: Path) -> None:
    (counted,) = SourceCatalog().first_addresses([source(tmp_path, PAGED.replace("china, ", ""))], NOW)
    assert further(counted, "").endswith("p=2")
    assert further(counted, "", has_items=False) == ""
    last = counted.further("", counted.url, NOW, has_items=True)
    assert last is not None
    assert further(last, "").endswith("p=3")
    bound = last.further("", last.url, NOW, has_items=True)
    assert bound is not None
    assert further(bound, "") == ""
    cursor = "url: https://some.example/list?after={next}\nlist: d\nnext: c\nfields: {url: u, title: t}\n"
    (first,) = SourceCatalog().first_addresses([source(tmp_path, cursor)], NOW)
    assert first.url == "https://some.example/list?after="
    assert further(first, "abc") == "https://some.example/list?after=abc"
    assert further(first, "") == ""
    assert (
        further(first, "https://some.example/list?after=x/y")
        == "https://some.example/list?after=https%3A//some.example/list%3Fafter%3Dx/y"
    )
    said = "url: https://some.example/list\nlist: d\nnext: n\nfields: {url: u, title: t}\n"
    (plain,) = SourceCatalog().first_addresses([source(tmp_path, said)], NOW)
    assert further(plain, "/list?page=2") == "https://some.example/list?page=2"


def test_a_request_has_the_headers_the_form_and_the_place_of_its_source(tmp_path: Path) -> None:
    form = 'body: \'{"page": {page}, "size": 20}\'\nheaders: {Referer: "https://some.example/"}\n'
    text = f"url: https://some.example/q\n{form}list: d\nfields: {{url: u, title: t}}\n"
    (address,) = SourceCatalog().first_addresses([source(tmp_path, text)], NOW)
    request = prepared(Request(address.url), address)
    assert (request.method, request.body, request.headers["Referer"]) == (
        "POST",
        b'{"page": 1, "size": 20}',
        b"https://some.example/",
    )
    assert request.meta[SOURCE_KEY] == as_values(address)


# -- what is read ------------------------------------------------------------------------------------------------------

JSON = "url: https://some.example/list\nlist: data.list\nfields: {title: t, time: at, heat: hot}\nurl_template: https://some.example/a/{id}.html\n"


def test_json_by_paths_with_addresses_made_of_identities(tmp_path: Path) -> None:
    found = read(tmp_path, JSON, json.dumps({"data": {"list": [*ITEMS, {"t": "no id"}]}}))
    assert urls(found) == [f"https://some.example/a/{number}.html" for number in (1, 2, 3)]
    assert found.feed is not None
    first = found.feed.entries[0]
    assert (first.title, first.published, first.rank, first.heat) == (
        "Story 1",
        "2025-11-26T23:33:20+00:00",
        1,
        15000.0,
    )


VALUES: dict[str, tuple[str, Any, str]] = {
    "a pattern": (
        "time_format: '%d|%m|%Y %H:%M'\nzone: Asia/Shanghai\n",
        "27|11|2026 08:30",
        "2026-11-27T08:30:00+08:00",
    ),
    "milliseconds": ("time_format: ms\n", 1764200000000, "2025-11-26T23:33:20+00:00"),
    "a zone": ("zone: Asia/Shanghai\n", "2026-11-27 08:30:00", "2026-11-27T08:30:00+08:00"),
    "digits": ("", "20261127083000", "2026-11-27T08:30:00"),
    "an age": ("", "3 hours ago", "2026-11-28T09:00+00:00"),
    "of .NET": ("", "/Date(1764200000000+0800)/", "2025-11-26T23:33:20+00:00"),
    "nonsense": ("", "10" * 5_000, ""),
}


@pytest.mark.parametrize("name", VALUES)
def test_times_of_all_forms(name: str, tmp_path: Path) -> None:
    more, written, expected = VALUES[name]
    found = read(tmp_path, JSON + more, json.dumps({"data": {"list": [{"id": 1, "t": "Story", "at": written}]}}))
    assert found.feed is not None
    assert found.feed.entries[0].published == expected


LINES = "\n".join(
    f'<li><a class="c" href="/cat">Cat</a><a class="t" href="/a/{n}">Story {n}</a><i>2026-11-2{n}</i></li>'
    for n in (1, 2)
)
STATE = json.dumps({"list": [{"t": f"Story {n}", "u": f"/a/{n}"} for n in (1, 2)]})
FIELDS = "fields: {url: u, title: t}\n"
ENTRIES = "".join(f"<entry><at>/a/{n}</at><name>Story {n}</name></entry>" for n in (1, 2))
POSTS = "".join(f"<item><link>/a/{n}</link><title>Story {n}</title></item>" for n in (1, 2))
SHAPES = {
    "css": ("html: ul.news > li\nfields: {url: a.t, title: a.t, time: i}\n", f"<ul class=news>{LINES}</ul>"),
    "xpath": (
        "html: //ul/li\nfields: {url: './a[2]/@href', title: './a[2]', time: ./i/text()}\n",
        f"<ul>{LINES}</ul>",
    ),
    "a script": (
        f"json_in: script#__NEXT_DATA__\nlist: list\n{FIELDS}",
        f"<script id=__NEXT_DATA__ type=application/json>{STATE}</script>",
    ),
    "an assignment": (
        f"json_in: window.__STATE__\nlist: list\n{FIELDS}",
        f'<script>window.__STATE__ = {STATE[:-1]}, "user": undefined}};run()</script>',
    ),
    "a text for JSON.parse": (
        f"json_in: window.__DATA__\nlist: list\n{FIELDS}",
        f"<script>window.__DATA__ = JSON.parse({json.dumps(STATE)});</script>",
    ),
    "a comment": (f"json_in: 's-data:'\nlist: list\n{FIELDS}", f"<div><!--s-data:{STATE}--></div>"),
    "xml": ("xml: entry\nfields: {url: at, title: name}\n", f"<r xmlns='urn:x'>{ENTRIES}</r>"),
    "markup in JSON": (
        "list: data.html\nhtml: li\nfields: {url: a.t, title: a.t, time: i}\n",
        json.dumps({"data": {"html": LINES}}),
    ),
    "markup in XML": (
        "xml: record\nfields: {url: 'a.t', title: 'a.t'}\n",
        "<store>" + "".join(f"<record><![CDATA[{line}]]></record>" for line in LINES.split("\n")) + "</store>",
    ),
    "a feed": ("list: feed\n", f"<rss><channel>{POSTS}</channel></rss>"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_lists_of_all_shapes(name: str, tmp_path: Path) -> None:
    recipe, body = SHAPES[name]
    found = read(tmp_path, f"url: https://some.example/list\n{recipe}", body)
    assert urls(found) == ["https://some.example/a/1", "https://some.example/a/2"]
    assert found.feed is not None
    assert [entry.title for entry in found.feed.entries] == ["Story 1", "Story 2"]


FAULTS = {
    "not JSON": ("<html>", "it is not JSON"),
    "another shape": ('{"result": []}', "there is nothing at list: data.list"),
    "other fields": ('{"data": {"list": [{"name": "x"}]}}', "of 1 items none has an address"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_the_recipe_does_not_fit_is_said(name: str, tmp_path: Path) -> None:
    body, sentence = FAULTS[name]
    found = read(tmp_path, JSON, body)
    assert found.feed is None
    assert sentence in found.fault


def test_an_empty_list_is_no_fault(tmp_path: Path) -> None:
    assert urls(read(tmp_path, JSON, '{"data": {"list": []}}')) == []


def test_an_answer_is_read_by_the_source_of_its_request(tmp_path: Path) -> None:
    reader = ListReader(catalog(tmp_path, JSON), lambda response, answer: answer)
    body = json.dumps({"data": {"list": ITEMS}}).encode()
    request = Request("https://some.example/list", meta={"redirect_urls": []})
    found = reader.read_now(HtmlResponse("https://some.example/list", body=body, request=request))
    assert found.address is not None
    assert len(urls(found)) == 3


# -- proposals ---------------------------------------------------------------------------------------------------------


def test_a_proposed_recipe_reads_the_answer_it_was_made_from(tmp_path: Path) -> None:
    body = json.dumps({"hot": {"rows": [{"name": f"新闻标题第{n}条", "share": f"/s/{n}"} for n in range(5)]}}).encode()
    tried = try_answer(body, "https://some.example/api", "application/json", NOW, ["第3条"])
    assert tried.recipe is not None
    assert tried.feed is not None
    text = recipe_text("https://some.example/api", tried.recipe) + text_of_test("x.json", tried.feed, "2026-11-28")
    (tmp_path / "x.json").write_bytes(body)
    assert check_saved(source(tmp_path, text)) == ""
    other = with_test(text, "test: {answer: x.json, items: 9}\n")
    assert check_saved(source(tmp_path, other)) == "5 items instead of 9"


def test_a_list_without_addresses_gets_a_template_to_complete() -> None:
    body = json.dumps({"data": [{"contId": str(n), "name": f"Story {n}"} for n in range(5)]}).encode()
    tried = try_answer(body, "https://some.example/api", "", NOW)
    assert tried.feed is None
    assert tried.recipe is not None
    assert tried.recipe.url_template == "https://SITE/PATH/{contId}"
    assert "complete url_template" in tried.fault


HTML = (
    "<nav>" + "".join(f'<a href="/nav/{n}">A section of the site {n}</a>' for n in range(3)) + "</nav>"
    '<div class="main"><ul class="news">'
    + "".join(f'<li><a href="/a/{n}">A long enough title {n}</a><span class="date">2026-11-0{n}</span></li>' for n in range(1, 9))
    + "</ul></div>"
)  # fmt: skip


@pytest.mark.parametrize("like", [(), ("title 3",), ("title 3", "title 7")])
def test_the_list_of_a_page_is_proposed_with_its_times(like: tuple[str, ...]) -> None:
    tried = try_answer(HTML.encode(), "https://some.example/", "text/html", NOW, like)
    assert tried.recipe is not None
    assert tried.recipe.html == "ul.news > li"
    assert tried.recipe.fields == {"time": "span.date"}
    assert tried.feed is not None
    assert len(tried.feed.entries) == 8
    assert tried.feed.entries[0].published == "2026-11-01"


def test_a_list_that_the_page_carries_goes_before_its_menu() -> None:
    state = json.dumps({"rows": [{"title": f"Story {n}", "url": f"/a/{n}", "time": 1764200000} for n in range(9)]})
    menu = HTML.partition("</nav>")[0] + "</nav>"
    body = f"{menu}<script>window.__STATE__ = {state};</script>".encode()
    tried = try_answer(body, "https://some.example/", "text/html", NOW)
    assert tried.recipe is not None
    assert (tried.recipe.json_in, tried.recipe.list) == ("window.__STATE__", "rows")
    assert tried.feed is not None
    assert len(tried.feed.entries) == 9


def test_titles_that_no_list_has_are_named() -> None:
    tried = try_answer(HTML.encode(), "https://some.example/", "text/html", NOW, ["Nowhere"])
    assert tried.feed is None
    assert "'Nowhere'" in tried.fault
