"""Authors are counted from the records of both stores."""

import pytest

from pipelines.authors import AUTHORS, author_rows
from pipelines.stores.base import Store
from pipelines.stores.tables import PAGES, RECORDS

PROFILE = "https://a.example/space-uid-7.html"


pytestmark = pytest.mark.every_store


@pytest.fixture
def store(store: Store) -> Store:
    pages = [
        {"key": key, "url": f"https://{host}/{key}", "host": host}
        for key, host in (("1", "a.example"), ("2", "a.example"), ("3", "b.example"))
    ]
    store.upsert(PAGES, pages).result()
    said = (
        ("1", "r1", "江边听雨", PROFILE, "2026-11-01T08:00:00+00:00"),
        ("2", "r2", "江边听雨改名了", PROFILE, "2026-11-03T08:00:00+00:00"),
        ("1", "r3", "小鹿", "", "2026-11-02T08:00:00+00:00"),
        ("1", "r4", "小鹿", "", ""),
        ("1", "r5", "小鹿", "", "2026-11-04T08:00:00+00:00"),
        ("3", "r6", "小鹿", "", "2026-10-01T08:00:00+00:00"),
        ("3", "r7", "", "", "2026-10-02T08:00:00+00:00"),
    )
    rows = [
        {
            "page": page,
            "key": key,
            "author": author,
            "author_url": url,
            "time_at": time,
            "first_seen": "2026-11-20T08:00:00+00:00",
        }
        for page, key, author, url, time in said
    ]
    store.upsert(RECORDS, rows).result()
    return store


def test_one_person_on_a_site_is_one_author(store: Store) -> None:
    rows = list(author_rows(store))
    assert [(row["site"], row["author"], row["records"], row["pages"], row["names"]) for row in rows] == [
        ("a.example", "小鹿", 3, 1, 1),
        ("a.example", "江边听雨改名了", 2, 2, 2),
        ("b.example", "小鹿", 1, 1, 1),
    ]
    assert [row["first_seen"][:10] for row in rows] == ["2026-11-02", "2026-11-01", "2026-10-01"]
    assert rows[1]["last_seen"][:10] == "2026-11-03"
    assert all(set(row) == {column.name for column in AUTHORS.columns} for row in rows)


def test_masked_authors_have_codes_that_say_nothing(store: Store) -> None:
    rows, others = list(author_rows(store, masked=True)), list(author_rows(store, masked=True))
    assert [row["records"] for row in rows] == [3, 2, 1]
    assert len({row["author"] for row in rows}) == 3
    assert not any(name in str(row) for row in rows for name in ("小鹿", "江边", "uid"))
    assert {row["author"] for row in rows}.isdisjoint(row["author"] for row in others)
