"""Reports: complete, linked, and safe whatever pages say."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from lxml import etree, html

from analysis import running
from analysis.report import (
    Report,
    collect,
    report_excel,
    report_html,
    report_markdown,
    report_message,
    report_word,
)
from analysis.report.listed import pages_by_mood, pages_by_tag, pages_within
from analysis.report.report_words import Language
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE, EVENTS, MEMBERS
from pipelines.stores.base import Store
from pipelines.stores.tables import PAGES, QUERIES, RECORDS, RUNS, URLS

UNTIL = datetime(2026, 11, 9, tzinfo=UTC)
SINCE = UNTIL - timedelta(days=7)
HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&`|](javascript:alert(3))\u202e\x1b[31m"


def page(number: int, **columns: Any) -> dict[str, Any]:
    return {
        "key": f"p{number}",
        "url": f"https://site{number % 3}.example/{number}",
        "host": f"site{number % 3}.example",
        "kind": "article",
        "title": f"四川地震第{number}号通报",
        "body": "救援队已经抵达震中。道路仍然中断，居民非常失望。",
        "topic": "quake",
        "published_at": (SINCE + timedelta(hours=5 * number)).isoformat(timespec="seconds"),
        "published_precision": "minute",
        **columns,
    }


def put(store: Store, *pages: dict[str, Any]) -> None:
    store.upsert(PAGES, pages).result()
    running.rebuild(store)


@pytest.fixture
def report(store: Store) -> Report:
    at = (SINCE + timedelta(hours=1)).isoformat(timespec="seconds")
    store.upsert(
        RECORDS,
        [
            {"page": "p1", "key": "1", "text": "救援太慢了，非常失望", "author": "甲", "time_at": at},
            {"page": "p1", "key": "2", "text": "感谢救援人员，很感动", "author": "<b>乙</b>", "time_at": at},
        ],
    ).result()
    event = {"event": "p0", "name": "四川地震", "state": "quiet", "topic": "quake", "first_at": at, "last_at": at}
    store.upsert(QUERIES, [{"key": "q", "topic": "quake", "state": "blocked", "asked_at": at}]).result()
    store.upsert(URLS, [{"key": "u", "state": "refused", "fetched_at": at}]).result()
    store.upsert(RUNS, [{"key": "r", "finished": at, "exit_code": 1}]).result()
    put(store, *(page(number) for number in range(12)), page(50, topic="other"))
    for table in (EVENTS, MEMBERS):  # one event that is known in every detail, in place of those that were found
        store.remove(table, []).result()
    store.upsert(EVENTS, [event | {"pages": 2, "site_count": 2, "place": "四川省"}]).result()
    store.upsert(
        MEMBERS, [{"page": f"p{number}", "event": "p0", "at": at, "comments": number} for number in (0, 1)]
    ).result()
    return collect(store, "quake", SINCE, UNTIL)


def test_the_facts_are_those_of_the_store(report: Report) -> None:
    assert int(report.trend.series.counts.sum()) == 12
    assert (len(report.pages), report.left_out, report.posts, report.before) == (12, 0, 2, 0)
    assert dict(report.sites) == {"site0.example": 4, "site1.example": 4, "site2.example": 4}
    assert report.page_moods.total == 12
    assert [quote.mood for quote in report.quotes] == ["negative", "positive"] or len(report.quotes) == 2
    assert (report.coverage.queries["blocked"], report.coverage.urls["refused"]) == (1, 1)
    assert (report.coverage.runs, report.coverage.runs_failed) == (1, 1)
    (event,) = report.events
    assert (event.name, event.page_count, len(event.pages)) == ("四川地震", 2, 2)
    assert event.summary
    assert (event.page_moods.total, event.post_moods.texts["negative"], event.post_moods.total) == (2, 1, 2)
    assert event.post_moods.shown in report_html(report)
    assert {tag.text for tag in report.tags.tags} & {"地震", "四川"}
    assert (report.coverage.asked, report.coverage.blocked, report.coverage.missed) == (2, 2, 0)
    (one,) = (page.number for page in report.pages if page.url.endswith("/1"))
    assert report.post_pages == {"positive": (one,), "neutral": (), "negative": (one,), "unsure": ()}


def test_with_too_little_history_every_format_says_so_and_none_has_a_ratio(report: Report) -> None:
    message = report_message(report, "", with_file=False).text
    sheets = report_excel(report)
    with ZipFile(BytesIO(sheets)) as book:
        cells = "".join(book.read(name).decode() for name in book.namelist() if name.endswith(".xml"))
    for text in (report_html(report), report_markdown(report), message, cells):
        assert "Less than a week was collected: too little to compare" in text
        assert "was not wholly collected" in text
        assert "times the usual" not in text
        assert "Next 24 hours" not in text
        assert "×" not in text


def test_every_tag_and_mood_leads_to_pages(report: Report) -> None:
    tags, moods = pages_by_tag(report), pages_by_mood(report)
    for tag in report.tags.tags:
        assert len(tags[tag.kind, tag.text]) == tag.count
    assert {label: len(moods.get(label, ())) for label in report.page_moods.texts} == report.page_moods.texts
    assert pages_within(report, SINCE, SINCE + timedelta(hours=11)) == [10, 11, 12]
    tree = html.fromstring(report_html(report))
    assert all(span.findall(".//a") for span in tree.find_class("tags")[0].findall("span"))


def test_a_report_of_all_topics_lists_what_it_counts(store: Store) -> None:
    topics = ("quake", "flood", "")
    at = (SINCE + timedelta(hours=1)).isoformat(timespec="seconds")
    store.upsert(QUERIES, [{"key": "q", "topic": "flood", "state": "blocked", "asked_at": at}]).result()
    put(store, *(page(number, topic=topics[number % 3]) for number in range(9)))
    report = collect(store, "", SINCE, UNTIL)
    assert len(report.pages) == int(report.trend.series.counts.sum()) == sum(dict(report.sites).values()) == 9
    assert report.page_moods.total == sum(len(each) for each in pages_by_mood(report).values()) == 9
    tags = pages_by_tag(report)
    assert {tag.text: tag.count for tag in report.tags.tags}["地震"] == 9
    assert [tag for tag in report.tags.tags if len(tags[tag.kind, tag.text]) != tag.count] == []
    assert sum(event.page_count for event in report.events) == 9
    assert report.coverage.queries["blocked"] == 1


def test_a_page_has_the_mood_by_which_it_is_counted(store: Store) -> None:
    """Only the beginning of title and text is judged, by counts and by lists alike."""
    title, calm = "四川地震通报" * 30, "救援队抵达震中。" * 60
    put(store, *(page(n, title=title, body=calm + "居民非常失望，太差了，愤怒。" * 30) for n in range(3)))
    report = collect(store, "quake", SINCE, UNTIL)
    assert {
        label: len(pages_by_mood(report).get(label, ())) for label in report.page_moods.texts
    } == report.page_moods.texts


def test_the_period_before_is_exactly_as_long(store: Store) -> None:
    since, until = SINCE + timedelta(days=1), SINCE + timedelta(days=2, minutes=40)
    ages = (timedelta(hours=24, minutes=39), timedelta(hours=24, minutes=50), timedelta(hours=25, minutes=10))
    put(
        store,
        *(page(n, published_at=(since - age).isoformat(timespec="seconds")) for n, age in enumerate(ages)),
        page(9, published_at=since.isoformat(timespec="seconds")),
    )
    assert collect(store, "quake", since, until).before == 1


@pytest.mark.parametrize(
    ("zone", "name", "begin"),
    [("Asia/Shanghai", "UTC+8", "2026-11-02 08:00"), ("Asia/Kolkata", "UTC+5:30", "2026-11-02 05:30"),
    ("America/New_York", "UTC-5", "2026-11-01 19:00"), ("UTC", "UTC", "2026-11-02 00:00")],
)  # fmt: skip
def test_times_are_those_of_the_zone_and_every_format_names_it(store: Store, zone: str, name: str, begin: str) -> None:
    put(store, page(0))
    report = collect(store, "quake", SINCE, UNTIL, zone=ZoneInfo(zone))
    assert report.pages[0].at == begin
    with ZipFile(BytesIO(report_excel(report))) as book:
        cells = "".join(book.read(each).decode() for each in book.namelist() if each.endswith(".xml"))
    with ZipFile(BytesIO(report_word(report))) as document:
        written = document.read("word/document.xml").decode()
    title = report_message(report, "", with_file=False).title
    for text in (report_html(report), report_markdown(report), cells, written, title):
        assert begin in text
        assert name in text


def test_a_begin_within_an_hour_of_utc_is_that_of_counts_and_of_the_list(store: Store) -> None:
    since = datetime(2026, 11, 3, 0, 30, tzinfo=ZoneInfo("Asia/Kolkata"))  # 19:00 UTC
    begin = since.replace(minute=0)  # 18:30 UTC
    put(
        store,
        *(
            page(n, published_at=(begin + timedelta(minutes=10 * n - 20)).isoformat(timespec="seconds"))
            for n in range(6)
        ),
    )
    report = collect(store, "quake", begin, UNTIL)
    assert len(report.pages) == int(report.trend.series.counts.sum()) == 6 - sum(10 * n - 20 < -30 for n in range(6))


def test_the_chart_of_over_a_year_does_not_add_days_of_different_years(store: Store) -> None:
    old = UNTIL - timedelta(days=365, hours=1)
    put(
        store,
        *(
            page(n, published_at=at.isoformat(timespec="seconds"))
            for n, at in enumerate((old, old + timedelta(days=365)))
        ),
    )
    with ZipFile(BytesIO(report_word(collect(store, "quake", UNTIL - timedelta(days=380), UNTIL)))) as document:
        values = re.findall(r"<c:v>(\d+)</c:v>", document.read("word/charts/chart.xml").decode())
    assert max(map(int, values)) == 1


def test_every_number_of_a_page_leads_to_it_and_nothing_is_loaded(report: Report) -> None:
    tree = html.fromstring(report_html(report))
    anchors = {element.get("id") for element in tree.iter() if element.get("id")}
    inner = [link.get("href")[1:] for link in tree.iter("a") if link.get("href").startswith("#")]
    assert inner
    assert set(inner) <= anchors
    assert {link.get("href") for link in tree.iter("a") if not link.get("href").startswith("#")} == {
        row.url for row in report.pages
    }
    assert not list(tree.iter("script", "img", "link", "iframe", "object", "base"))
    assert tree.findall(".//{*}svg") or tree.xpath("//*[local-name()='svg']")


def test_hostile_text_stays_text(store: Store) -> None:
    put(store, page(1, title=HOSTILE, host=HOSTILE, topic="quake"), page(2, url="javascript:alert(4)"))
    text = report_html(collect(store, "quake", SINCE, UNTIL))
    tree = html.fromstring(text)
    assert not list(tree.iter("script", "img"))
    assert not [
        name
        for element in tree.iter()
        if isinstance(element.tag, str)
        for name in element.attrib
        if name.startswith("on")
    ]
    assert all(link.get("href").startswith(("https://", "#")) for link in tree.iter("a"))
    assert "\x1b" not in text
    assert "\u202e" not in text
    markdown = report_markdown(collect(store, "quake", SINCE, UNTIL))
    assert "<script" not in markdown
    assert not re.search(r"(?<!\\)\]\(javascript", markdown)
    assert "\u202e" not in markdown


def test_a_topic_without_pages_has_a_report(store: Store) -> None:
    running.rebuild(store)
    report = collect(store, "nothing", SINCE, UNTIL)
    assert "No burst" in report_html(report)
    assert "# nothing" in report_markdown(report)


def test_markdown_has_the_same_pages(report: Report) -> None:
    text = report_markdown(report)
    assert all(row.url in text for row in report.pages)


@pytest.mark.parametrize(
    ("language", "title", "body", "other"),
    [
        ("zh", "第{}号通报", "居民非常失望。", r"(?:[A-Za-z][a-z']*,? ){3,}[a-z']+"),
        ("en", "Flood {}", "People are very disappointed.", "[\u4e00-\u9fff]+"),
    ],
)
def test_a_report_is_in_one_language(store: Store, language: Language, title: str, body: str, other: str) -> None:
    put(store, *(page(number, title=title.format(number), body=body) for number in range(12)))
    report = replace(collect(store, "quake", SINCE, UNTIL), language=language)
    message = report_message(report, "", with_file=False)
    shown = html.document_fromstring(report_html(report)).find("body").text_content()
    with ZipFile(BytesIO(report_excel(report))) as book:
        files = "\n".join(book.read(name).decode() for name in ("xl/workbook.xml", "xl/sharedStrings.xml"))
    cells = "\n".join(re.findall(r'(?<=sheet name=")[^"]*|(?<=<t>)[^<]*', files))
    for said in (message.title, message.text, shown, report_markdown(report), cells):
        assert re.findall(other, said) == []


def word_parts(made: bytes) -> dict[str, Any]:
    """The parts of a document, by their paths."""
    with ZipFile(BytesIO(made)) as file:
        return {name: etree.fromstring(file.read(name)) for name in file.namelist()}


def test_word_says_what_html_says_and_links_where_it_links(report: Report) -> None:
    parts = word_parts(report_word(report))
    text, tree = parts["word/document.xml"], html.fromstring(report_html(report))
    said = "".join(text.itertext("{*}t"))
    for block in tree.xpath(
        "//body/*[not(self::ul or self::div) and not(local-name()='svg') and not(@class='legend')] | //li | //td | //th"
    ):
        assert block.text_content().replace("\n", " ") in said
    anchors = set(text.xpath("//*[local-name()='bookmarkStart']/@*[local-name()='name']"))
    inner = text.xpath("//*[local-name()='hyperlink']/@*[local-name()='anchor']")
    assert len(inner) == len(tree.xpath("//a[starts-with(@href, '#')]"))
    assert set(inner) <= anchors
    links = parts["word/_rels/document.xml.rels"].xpath("//*[@TargetMode='External']/@Target")
    assert set(links) == {row.url for row in report.pages}
    counts = parts["word/charts/chart.xml"].xpath("//*[local-name()='val']//*[local-name()='v']/text()")
    assert sum(map(int, counts)) == 12


def test_hostile_text_stays_text_in_word(store: Store) -> None:
    long = page(3, url="https://long.example/" + "a" * 3_000)
    put(store, page(1, title=HOSTILE, host=HOSTILE, topic="quake"), page(2, url="javascript:alert(4)"), long)
    parts = word_parts(report_word(collect(store, "quake", SINCE, UNTIL)))
    assert not parts["word/document.xml"].xpath("//*[local-name()='script']")
    links = parts["word/_rels/document.xml.rels"].xpath("//*[@TargetMode='External']/@Target")
    assert links
    assert all(link.startswith("https://site") for link in links)
    assert "<script>alert(1)" in "".join(parts["word/document.xml"].itertext("{*}t"))


def test_every_format_says_how_many_pages_wait_for_the_analysis(store: Store) -> None:
    put(store, *(page(number) for number in range(3)))
    store.upsert(PAGES, [page(number) for number in (3, 4)]).result()
    store.upsert(ANALYSIS_QUEUE, [{"page": f"p{number}"} for number in (3, 4)]).result()
    report = collect(store, "quake", SINCE, UNTIL)
    said = "2 pages wait for the analysis: no figure has their latest text."
    message = report_message(report, "", with_file=False).text
    assert all(said in text for text in (report_html(report), report_markdown(report), message))
    running.run(store)
    assert "wait for the analysis" not in report_html(collect(store, "quake", SINCE, UNTIL))


def test_the_numbers_of_a_day_are_those_of_its_pages(store: Store) -> None:
    put(store, *(page(number) for number in range(33)))
    until = UNTIL - timedelta(hours=7, minutes=20)
    report = collect(store, "quake", until - timedelta(days=1), until)
    listed = {host: sum(each.host == host for each in report.pages) for host in {each.host for each in report.pages}}
    assert 0 < len(report.pages) == report.trend.series.counts.sum() == report.tags.pages
    assert dict(report.sites) == listed
    assert report.page_moods.total == len(report.pages)
    assert report.left_out == 0


def test_complaints_say_of_how_many_posts_they_are(store: Store) -> None:
    at = (SINCE + timedelta(hours=1)).isoformat(timespec="seconds")
    texts = ("救援太慢了，非常失望", "感谢救援人员，很感动")
    posts = [{"page": "p1", "key": f"{n:03}", "text": texts[n % 2], "author": "甲", "time_at": at} for n in range(300)]
    store.upsert(RECORDS, posts).result()
    put(store, *(page(number) for number in range(3)))
    report = collect(store, "quake", SINCE, UNTIL)
    assert (report.posts, report.posts_read, report.post_moods.total) == (300, 40, 200)
    assert max(count for _, count, _ in report.complaints) <= 40
    text = report_html(report)
    assert "Complaints in 40 posts: " in text
    assert "in the first 200 posts of a page at most" in text
