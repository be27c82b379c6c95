"""When an article was published."""

from datetime import UTC, datetime

import pytest

from extractors.article.published import day_of_url
from extractors.page import Page

NOW = datetime(2026, 3, 23, 0, 0, tzinfo=UTC)
CHINESE = "<p>昨天晚上，河水上涨得很快，村里的老人说，他们从来没有见过这么大的水。</p>" * 12
ENGLISH = "<p>The river had risen in the night, and nobody in the village had ever seen it so high.</p>" * 12


def published(head: str, text: str = ENGLISH, url: str = "https://daily.example/river.html") -> str:
    source = f"<html><head><title>The river rises</title>{head}</head><body><article><h1>The river rises</h1>{text}</article></body>"
    return Page(source.encode(), url).article.published


def meta(name: str, time: str) -> str:
    return f'<meta property="{name}" content="{time}">'


def test_a_time_in_utc_on_a_chinese_page_is_given_in_its_zone() -> None:
    assert published(meta("article:published_time", "2024-05-05T23:30:00Z"), CHINESE) == "2024-05-06T07:30:00+08:00"


def test_of_two_declared_times_that_are_one_instant_the_one_with_its_offset_counts() -> None:
    head = meta("article:published_time", "2024-05-06T01:30:00Z") + meta(
        "og:published_time", "2024-05-05T21:30:00-04:00"
    )
    assert published(head) == "2024-05-05T21:30:00-04:00"


def test_two_declared_instants_are_not_mixed() -> None:
    head = meta("article:published_time", "2024-05-06T01:30:00Z") + meta(
        "og:published_time", "2024-05-05T11:30:00-04:00"
    )
    assert published(head) == "2024-05-06T01:30:00+00:00"


def test_the_day_in_the_address_decides_between_neighbouring_days_of_utc() -> None:
    head = meta("article:published_time", "2024-05-06T01:30:00Z")
    assert published(head, url="https://daily.example/2024/05/05/river.html") == "2024-05-05"


def test_an_address_with_another_day_does_not_change_a_declared_time() -> None:
    head = meta("article:published_time", "2024-05-06T01:30:00Z")
    assert published(head, url="https://daily.example/2019/01/01/river.html") == "2024-05-06T01:30:00+00:00"


@pytest.mark.parametrize("declared", ["some morning", "0000-00-00", ""])
def test_what_is_no_time_leaves_the_day_of_the_address(declared: str) -> None:
    head = meta("article:published_time", declared)
    assert published(head, url="https://daily.example/2024/05/05/river.html") == "2024-05-05"


def test_a_meta_element_may_have_its_content_as_value() -> None:
    assert (
        published('<meta name="article:published_time" value="2024-05-06T07:08:09+02:00">')
        == "2024-05-06T07:08:09+02:00"
    )


def test_a_time_in_code_is_no_time_of_publication() -> None:
    assert published("", f"<pre>nginx latest 2 minutes ago\n2019-03-04 10:11:12 started</pre>{ENGLISH}") == ""


def test_a_day_without_its_year_is_not_invented() -> None:
    assert published("", f"<p>09-02</p>{ENGLISH}") == ""


def test_the_time_that_its_class_names_counts_before_other_times() -> None:
    text = f"<p>On May 1, 2019 it rained.</p><p class='post-date'>May 6, 2024</p>{ENGLISH}"
    assert published("", text) == "2024-05-06"


def test_the_time_of_a_comment_or_a_change_is_no_time_of_publication() -> None:
    assert (
        published("", f"<span class='comment-date'>May 6, 2024</span><time class='updated'>May 7, 2024</time>{ENGLISH}")
        != "2024-05-07"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mon Aug 03 12:45:00 EDT 2015", "2015-08-03T12:45:00-04:00"),
        ("20200414T00:38:07Z", "2020-04-14T00:38:07+00:00"),
    ],
)
def test_times_of_machines_are_read_whole(text: str, expected: str) -> None:
    assert published(meta("article:published_time", text)) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/2017/7/12/story", "2017-07-12"),
        ("https://a.example/2017/07/12/story", "2017-07-12"),
        ("https://a.example/news/202403/t20240305_3012345.html", "2024-03-05"),
        ("https://a.example/news/t20241399_3012345.html", ""),
        ("https://a.example/2017/7/story", ""),
        ("https://a.example/news/23-01-2022-story", "2022-01-23"),
        ("https://a.example/news/03-01-2022-story", ""),
        ("https://a.example/2017/13/12/story", ""),
    ],
)
def test_the_day_in_an_address(url: str, expected: str) -> None:
    assert day_of_url(url) == expected


TEASERS = "<div><div class='date'>1.5.2019</div><a href='/a'>Rain falls</a></div>" * 3


@pytest.mark.parametrize("line", ["<div class='date'>News, 06.05.2024</div>", "<p>Jane Roe | 6. Mai 2024</p>"])
def test_a_time_right_before_the_title_counts_before_those_of_teasers(line: str) -> None:
    source = f"<body><article>{line}<h1>The river rises</h1>{ENGLISH}</article>{TEASERS}</body>"
    assert Page(source.encode(), "https://daily.example/river").article.published == "2024-05-06"


def test_a_line_that_is_a_day_alone_counts_before_named_elements_further_on() -> None:
    text = "<p><em>06.05.2024</em></p><p>It rained.</p><a class='publication'>No. 34 of May 1, 2019</a>" + ENGLISH
    assert published("", text) == "2024-05-06"


def test_what_follows_a_word_for_publication_counts_before_the_time_of_a_comment() -> None:
    text = f"{ENGLISH * 6}<p>Veröffentlicht am 06.05.2024</p><div><time>7. Mai 2024</time></div>"
    assert published("", text) == "2024-05-06"


def test_a_shown_time_counts_before_the_meta_element_date() -> None:
    head = '<meta name="date" content="2024-05-09">'
    assert published(head, f"<time datetime='2024-05-06'>May 6</time>{ENGLISH}") == "2024-05-06"
    assert published(head) == "2024-05-09"


def test_a_time_in_utc_is_given_in_the_zone_of_the_host() -> None:
    head = meta("article:published_time", "2024-05-06T01:30:00Z")
    assert published(head, url="https://diario.example.ar/rio") == "2024-05-05T22:30:00-03:00"


def test_a_clock_time_alone_is_not_recent() -> None:
    assert published("", f"<p class='date'>06月24日 11時30分</p>{CHINESE}") == ""


def declared(published: str, modified: str) -> str:
    return meta("article:published_time", published) + meta("article:modified_time", modified)


@pytest.mark.parametrize(
    ("published_at", "modified", "url", "expected"),
    [
        ("2025-11-20T16:02:00Z", "2025-11-20T16:02:00Z", "", "2024-05-06"),
        ("2025-11-20T16:02:10Z", "2025-11-20T16:02:00Z", "", "2024-05-06"),
        ("2025-11-20T16:02:00Z", "2025-12-01T10:00:00Z", "", "2025-11-20T16:02:00+00:00"),
        ("2024-03-01T16:02:00Z", "2024-03-01T16:02:00Z", "", "2024-03-01T16:02:00+00:00"),
        (
            "2025-11-20T16:02:00Z",
            "2025-11-20T16:02:00Z",
            "https://a.example/2025/11/river",
            "2025-11-20T16:02:00+00:00",
        ),
    ],
)
def test_a_stamp_of_the_last_change_is_less_than_an_earlier_day_beside_the_title(
    published_at: str, modified: str, url: str, expected: str
) -> None:
    text = f"<p class='date'>May 6, 2024</p>{ENGLISH}"
    assert published(declared(published_at, modified), text, url or "https://daily.example/river") == expected


@pytest.mark.parametrize("name", ["acme:publishDate", "og:article:published_time", "published-date", "published"])
def test_other_names_of_the_time_of_publication(name: str) -> None:
    assert published(meta(name, "2024-05-06")) == "2024-05-06"


@pytest.mark.parametrize("name", ["unpublished", "acme:modifiedDate", "date-of-birth"])
def test_names_of_other_times(name: str) -> None:
    assert published(meta(name, "2024-05-06")) == ""


def test_of_other_names_and_the_shown_time_the_earliest_counts() -> None:
    head = meta("published-time", "2026-03-09T08:45:32Z") + meta("published-date", "2021-02-16")
    assert published(head) == "2021-02-16"
    assert published(head, f"<p class='date'>May 6, 2020</p>{ENGLISH}") == "2020-05-06"


@pytest.mark.parametrize(
    ("host", "language", "expected"),
    [
        ("diario.example.com", "es", "2024-03-05"),
        ("daily.example.co.uk", "en", "2024-03-05"),
        ("daily.example.com", "en", "2024-05-03"),
    ],
)
def test_whether_the_day_or_the_month_comes_first_is_said_by_language_and_country(
    host: str, language: str, expected: str
) -> None:
    source = f"<html lang='{language}'><title>The river rises</title><h1>The river rises</h1><p class='date'>05/03/2024</p>{ENGLISH}"
    assert Page(source.encode(), f"https://{host}/river").article.published == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Course: 28.01.2022 – 29.01.2022", ""),
        ("Oct 3, 2025 to Oct 5, 2025", ""),
        ("Joined: Sun Dec 17, 2023", ""),
        ("Registriert: 18.09.2008, 05:56", ""),
        ("21.01.2022 - 13:30", "2022-01-21T13:30"),
        ("Oct 3, 2025 – 4 min read", "2025-10-03"),
        ("Oct 3, 2025 - Updated Oct 5, 2025", "2025-10-03"),
    ],
)
def test_a_span_of_days_and_the_day_of_joining_are_no_time_of_publication(line: str, expected: str) -> None:
    assert published("", f"<p>{line}</p>{ENGLISH}") == expected


BOX = """<html lang="de"><body><nav><a href="/">Start</a></nav><h1>Der Deich wird im Sommer erhöht</h1>
<aside class="teaser"><a href="/andere">Andere Meldung aus der Stadt</a> <span class="teaser-time">Gestern 17:26</span></aside>
<div class="zeile">22.03.2026 - 14:08 Uhr | Rathaus</div>
<p>Der Rat hat beschlossen, den Deich am Hafen um einen halben Meter zu erhöhen. Die Arbeiten beginnen im Mai und dauern drei Monate.</p>
<p>Die Kosten trägt das Land. Anwohner können die Pläne bis Ende April einsehen und Einwände vorbringen.</p></body></html>"""
OLD_YEAR = """<html lang="zh"><body><h2>大桥通车后的第一个早高峰</h2><div id="zoom">
　　2013年5月4日，这座大桥开工建设，当时预计工期为四年。工程因为资金问题两次停工，直到去年才恢复施工。<br><br>
　　今天早上，第一批通勤的车辆驶上了大桥，交警在两端的路口疏导交通，车流总体平稳有序，没有发生事故。<br><br></div>
<div class="bj">{}</div></body></html>"""


def test_the_relative_time_of_another_item_does_not_beat_the_absolute_one_of_the_page() -> None:
    found = Page(BOX.encode(), "https://zeitung.example/deich", made_at=NOW).article
    assert (found.published, found.published_by) == ("2026-03-22T14:08", "head")


def test_an_old_year_in_the_text_does_not_beat_the_time_of_the_page() -> None:
    found = Page(OLD_YEAR.format("发布时间：2026-03-02 09:15").encode(), "https://news.example/a/1.htm").article
    assert (found.published, found.published_by) == ("2026-03-02T09:15+08:00", "head")


def test_an_old_year_in_the_text_alone_is_said_to_be_of_the_text() -> None:
    found = Page(OLD_YEAR.format("编辑：小编").encode(), "https://news.example/a/1.htm").article
    assert (found.published, found.published_by) == ("2013-05-04", "text")


def test_hours_ago_are_an_hour() -> None:
    text = "<p>正文内容在这里，说的是今天早上发生的事情。</p>"
    body = f'<html lang="zh"><body><h1>今天的新闻标题在这里</h1><em>3小时前</em>{text}</body></html>'
    found = Page(body.encode(), "https://news.example/a/1.htm", made_at=NOW).article
    assert found.published == "2026-03-23T04+08:00"


@pytest.mark.parametrize(
    ("head", "url", "evidence"),
    [
        (meta("article:published_time", "2024-05-06T09:30:00+08:00"), "https://news.example/a/1.htm", "declared"),
        ("", "https://news.example/2024/05/06/1.htm", "address"),
        ("", "https://news.example/1.htm", ""),
    ],
)
def test_the_place_that_says_it(head: str, url: str, evidence: str) -> None:
    assert (
        Page(f"<html><head>{head}</head><body><h1>A title</h1></body></html>".encode(), url).article.published_by
        == evidence
    )
