"""Work over the store that one node at a time does, and that may end at any moment: the queue of changed pages, its steps."""

from analysis.jobs.pages import StoredPage, read_pages
from analysis.jobs.work import Step, queue_all_pages, work_once

__all__ = ["Step", "StoredPage", "queue_all_pages", "read_pages", "work_once"]
