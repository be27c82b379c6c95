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
    merge, order = GroupWriter._merge_in, list[tuple[str, str]]()

    async def slow(writer: GroupWriter, name: str, changes: Any) -> None:
        if name == PAGES.name:
            await asyncio.sleep(0.3)
        await merge(writer, name, changes)
        order.extend((name, str(change.identity)) for change in changes)

    monkeypatch.setattr(GroupWriter, "_merge_in", slow)
    with closing(open_store(mongo_uri)) as store:
        store.write([*waiting_rows(["p1"]), (PAGES, {"key": "p1", "title": "one"})]).result()
        page, queue = (PAGES.name, "p1"), (ANALYSIS_QUEUE.name, "p1")
        assert [each for each in order if each in (page, queue)] == [page, queue], order
        assert store.count(ANALYSIS_QUEUE) == 1
