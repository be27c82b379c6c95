"""Queues pages whose content is stored for the analysis, which runs in other processes."""

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime

from pipelines.items import HotListItem, Item, PageItem, RowsItem
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Row, Table
from pipelines.stores.tables import PAGES, RECORDS

_CONTENT = {PAGES.name: "key", RECORDS.name: "page"}
"""Tables that the analysis reads, and the column that has a page's key."""


class WaitingPipeline:
    """Adds a row to the analysis's queue for each page that has rows of content."""

    def process_item(self, item: Item) -> Item:
        if not isinstance(item, PageItem | RowsItem | HotListItem):  # of a spider of the user's own
            return item
        pages = dict.fromkeys(row[_CONTENT[table.name]] for table, row in item.rows if table.name in _CONTENT)
        item.rows.extend(waiting_rows(pages))
        return item


def waiting_rows(pages: Iterable[str]) -> list[tuple[Table, Row]]:
    """Rows of the queue for these pages, each with its own token."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return [(ANALYSIS_QUEUE, {"page": page, "token": uuid.uuid4().hex, "queued_at": now}) for page in pages]
