"""What a host repeats is known to all nodes and to the next run, and rows get the mended page."""

import pytest

from extractors.page import Page
from pipelines.content import ContentPipeline
from pipelines.items import PageItem
from pipelines.site_boilerplate import SiteMemories, stored_memory
from pipelines.stores.base import Row, Store, Table
from pipelines.stores.tables import PAGES, SITE_MEMORY

FOOT = "<p>更多消息请关注本站的手机客户端，每日清晨为您送上第一手的新闻。</p>"
WORDS = (
    "河水漫过了堤岸",
    "学校在九月开学",
    "工程将于明年完工",
    "山路已经恢复通行",
    "市民可以免费参观",
    "春天的天气很好",
)


def _page(number: int) -> Page:
    own = "".join(
        f"<p>{WORDS[(number + n) % 6]}，这是第{number}条消息的第{n}段，{WORDS[(number * 2 + n) % 6]}。</p>"
        for n in range(5)
    )
    return Page(
        f"<meta charset=utf-8><title>消息{number}</title><h1>消息{number}</h1><div>{own}{FOOT}</div>".encode(),
        f"http://a.example/{number}",
    )


def _crawl(memories: SiteMemories, store: Store, numbers: range) -> None:
    for number in numbers:
        page = _page(number)
        page, rows = memories.mended(page, page.url, page.url, store)
        item = PageItem(page.url, page.url, 200, page, ())
        item.rows.extend(rows)
        store.write(ContentPipeline(keep_source=False).process_item(item).rows).result()


def _bodies(store: Store) -> dict[str, str]:
    return {row["url"].rsplit("/", 1)[1]: row["body"] for row in store.select(PAGES, columns=["url", "body"])}


def test_the_third_page_is_mended_and_the_next_run_knows_it_from_the_first(store: Store) -> None:
    _crawl(SiteMemories(10), store, range(3))
    assert ["手机客户端" in body for _, body in sorted(_bodies(store).items())] == [True, True, False]
    _crawl(SiteMemories(10), store, range(3, 4))
    assert "手机客户端" not in _bodies(store)["3"]
    assert "第3条消息的第4段" in _bodies(store)["3"]


def test_nodes_know_what_the_others_have_counted(store: Store) -> None:
    first, second = SiteMemories(10), SiteMemories(10)
    _crawl(first, store, range(1))
    _crawl(second, store, range(1, 2))
    _crawl(first, store, range(2, 3))
    assert stored_memory(store, "a.example").page_count == 3
    _crawl(second, store, range(3, 4))
    assert "手机客户端" not in _bodies(store)["3"]


def test_few_hosts_stay_in_memory_and_none_is_lost(store: Store) -> None:
    memories = SiteMemories(2)
    for number in range(40):
        page = _page(number)
        url = f"http://host{number % 4}.example/{number}"
        store.write(memories.mended(page, url, url, store)[1]).result()
    assert len(memories._hosts) == 2
    assert all(stored_memory(store, f"host{number}.example").page_count >= 8 for number in range(4))


def test_a_damaged_row_is_no_memory(store: Store) -> None:
    store.upsert(SITE_MEMORY, [{"host": "a.example", "lines": b"noise", "changed_at": ""}]).result()
    _crawl(SiteMemories(10), store, range(3))
    assert stored_memory(store, "a.example").page_count == 3


def test_a_row_of_this_node_that_is_written_late_is_not_taken_for_another_nodes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories, late = SiteMemories(10), list[list[tuple[Table, Row]]]()
    for number in range(8):
        _, rows = memories.mended(_page(number), _page(number).url, _page(number).url, store)
        late.append(rows)
        if number >= 2:
            store.write(late[number - 2]).result()
        if number == 1:
            monkeypatch.setattr("pipelines.site_boilerplate._memory_read", _must_not_be_read)
    assert memories.of_host("a.example", store).page_count == 8


def _must_not_be_read(stored: bytes) -> None:
    pytest.fail("the row was read again")
