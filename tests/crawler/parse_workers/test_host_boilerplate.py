"""A process takes out of a page what the crawl's own process would."""

import pytest

from crawler.parse_workers.frames import ParseTask
from crawler.parse_workers.host_boilerplate import load_precleaned
from crawler.parse_workers.process import read
from crawler.parse_workers.reads import READS, wanted
from crawler.parse_workers.values import unpack
from extractors.page import Page
from pipelines.discussion import rows_of_records
from pipelines.site_boilerplate import SiteMemories, precleaned
from tests.crawler.forum import Forum
from tests.pipelines.test_site_boilerplate import _page

NAMES = wanted(records=True, markdown=True, source=False, topic=False)
_FORUM = Forum([30] * 6)
PAGES = {
    "articles": [_page(number) for number in range(6)],
    "threads": [
        Page(_FORUM.page(number, part).encode(), f"http://bbs.example/thread-{number}-{part}-1.html")
        for number in range(3)
        for part in (1, 2)
    ],
}


def read_elsewhere(page: Page, memories: SiteMemories) -> Page:
    memory = memories.of_host(page.url.split("/")[2], None).to_bytes()
    reading = read(ParseTask(page.url, page.body, page.content_type, page.fetched_at.isoformat(), NAMES, memory))
    known = {READS[name]: unpack(value) for name, value in reading.values.items()}
    known[precleaned] = load_precleaned(reading.mended, page.url.split("/")[2])
    return Page(b"", page.url, fetched_at=page.fetched_at, known=known)


@pytest.mark.parametrize("kind", PAGES)
def test_pages_are_mended_as_in_the_crawls_own_process(kind: str) -> None:
    here, there, changed = SiteMemories(9), SiteMemories(9), 0
    for page in PAGES[kind]:
        alone, _ = here.mended(page.unread(), page.url, page.url, None)
        helped, _ = there.mended(read_elsewhere(page, there), page.url, page.url, None)
        assert helped.article == alone.article
        assert helped.records == alone.records
        assert helped.markdown == alone.markdown
        assert list(helped.once(rows_of_records)) == alone.once(rows_of_records)
        assert (
            here.of_host(page.url.split("/")[2], None).to_bytes()
            == there.of_host(page.url.split("/")[2], None).to_bytes()
        )
        changed += alone.article != page.article
    assert changed == (4 if kind == "articles" else 0)


def test_a_page_of_another_host_than_was_thought_is_mended_again() -> None:
    pages, memories = PAGES["articles"], SiteMemories(9)
    for page in pages[:4]:
        memories.mended(page.unread(), "http://b.example/", page.url, None)
    read_before = read_elsewhere(pages[4], memories)
    helped = Page(pages[4].body, pages[4].url, known={precleaned: read_before.once(precleaned)})
    mended, _ = memories.mended(helped, "http://b.example/", pages[4].url, None)
    assert "手机客户端" in pages[4].article.text
    assert "手机客户端" not in mended.article.text
