"""Store-wide work done by one node at a time and killable at any moment: the queue of changed pages and its steps."""

from analysis.jobs.stored_page import StoredPage, instant, read_pages
from analysis.jobs.work import Step, queue_all_pages, work_once

__all__ = ["Step", "StoredPage", "instant", "queue_all_pages", "read_pages", "work_once"]
