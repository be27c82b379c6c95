"""A page is in the store before the queue names it."""

import asyncio
from contextlib import closing
from typing import Any

import pytest

from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.mongo.writing import GroupWriter
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows


def test_a_queued_page_is_there_however_slowly_it_is_written(mongo_uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    merge, order = GroupWriter._merge_in, list[tuple[str, int]]()

    async def slow(writer: GroupWriter, name: str, changes: Any) -> None:
        if name == PAGES.name:
            await asyncio.sleep(0.3)
        await merge(writer, name, changes)
        order.append((name, len(changes)))

    monkeypatch.setattr(GroupWriter, "_merge_in", slow)
    with closing(open_store(mongo_uri)) as store:
        queued = store.write([*waiting_rows(["p1"]), (PAGES, {"key": "p1", "title": "one"})])
        store.upsert(PAGES, [{"key": "p2", "title": "two"}]).result()
        queued.result()
        assert order[-1] == (ANALYSIS_QUEUE.name, 1)
        assert {name for name, _ in order[:-1]} == {PAGES.name}
        assert store.count(ANALYSIS_QUEUE) == 1
