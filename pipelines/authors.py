"""The authors of records: one person's records on a site are those with one profile address, or without it one name."""

from collections.abc import Iterator
from hashlib import blake2b
from secrets import token_bytes

from extractors.links.urls import canonical_url, host_of
from pipelines.stores.base import Column, MutableRow, Row, Store, Table
from pipelines.stores.tables import PAGES, RECORDS

AUTHORS = Table(
    "authors",
    (
        *(Column(name, "text") for name in ("site", "author", "author_url")),
        *(Column(name, "integer") for name in ("records", "pages", "names")),
        *(Column(name, "text") for name in ("first_seen", "last_seen")),
    ),
    key=("site", "author_url", "author"),
)
"""Computed from the records on request, never stored. `author` is the name in the last record; `names` is their number
for a profile. `first_seen` and `last_seen` are times of records, or of their fetching where they have none."""
_READ = ("page", "author", "author_url", "time_at", "first_seen")

_Key = tuple[str, str]


def author_rows(store: Store, *, masked: bool = False) -> Iterator[MutableRow]:
    """A row for each author, the one with most records first.

    Args:
        masked: names and profile addresses are replaced by codes, which are the same within one call only.
    """
    hosts = {
        row["key"]: row["host"] or host_of(row["url"] or "")
        for row in store.select(PAGES, columns=("key", "host", "url"))
    }
    found: dict[_Key, MutableRow] = {}
    for record in store.select(RECORDS, columns=_READ):
        if record["author"]:
            _count(found, record, hosts)
    secret = token_bytes(16)
    for row in sorted(found.values(), key=lambda row: (-row["records"], row["site"], row["author"])):
        shown = row | {"pages": len(row["pages"]), "names": len(row["names"])}
        yield {**shown, **_codes(shown, secret)} if masked else shown


def _count(found: dict[_Key, MutableRow], record: Row, hosts: dict[str, str]) -> None:
    url = record["author_url"] or ""
    site = hosts.get(record["page"], "") or host_of(url)
    who = (canonical_url(url) or url) if url else f"\0{record['author']}"
    seen = record["time_at"] or record["first_seen"] or ""
    row = found.setdefault(
        (site, who),
        {"site": site, "author": record["author"], "author_url": url, "records": 0, "pages": set(), "names": set()}
        | {"first_seen": seen, "last_seen": seen},
    )
    row["records"] += 1
    row["pages"].add(record["page"])
    row["names"].add(record["author"])
    if seen >= row["last_seen"]:
        row["last_seen"], row["author"] = seen, record["author"]
    row["first_seen"] = min(filter(None, (row["first_seen"], seen)), default="")


def _codes(row: Row, secret: bytes) -> Row:
    who = row["author_url"] or f"{row['site']}\0{row['author']}"
    code = blake2b(who.encode("utf-8", "replace"), digest_size=6, key=secret).hexdigest()
    return {"author": f"author {code}", "author_url": ""}
