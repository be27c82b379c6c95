"""Whether a host writes days before months, for pages whose own dates do not show it."""

from dataclasses import replace

from extractors.page import Page
from extractors.records import Record
from extractors.records import extract as find_records
from extractors.records.fields.times import day_order, in_order
from extractors.site_boilerplate.keys import Keys, keys_of
from extractors.site_boilerplate.memory import SiteMemory

_MIN_PAGES, _TIMES_AS_MANY = 3, 4
"""Minimum pages that show an order, and their minimum ratio to pages that show the other."""
_ORDERS = keys_of((("date order", "day"), ("date order", "month")))


def order_shown(page: Page) -> Keys:
    """uint64[0 or 1]: the order that a page's times show."""
    order = page.once(day_order)
    return _ORDERS[:0] if order is None else _ORDERS[:1] if order else _ORDERS[1:]


def in_order_of_site(page: Page, shown: Keys, memory: SiteMemory) -> Page:
    """The page with its records' times read in the order of its host's other pages.

    shown: the result of `order_shown`. Returns the same page if it shows an order itself, or its host shows none.
    """
    order = None if len(shown) else _order_of(memory)
    if order is None:
        return page
    records = tuple(_read_again(record, page, day_first=order) for record in page.records.records)
    if records == page.records.records:
        return page
    return page.having_read({find_records: replace(page.records, records=records)})


def _order_of(memory: SiteMemory) -> bool | None:
    day, month = memory.counts(_ORDERS).tolist()
    if max(day, month) < max(_MIN_PAGES, _TIMES_AS_MANY * min(day, month)):
        return None
    return bool(day > month)


def _read_again(record: Record, page: Page, *, day_first: bool) -> Record:
    time = in_order(page, record.time, record.time_text, day_first=day_first)
    last = in_order(page, record.last_time, record.last_time_text, day_first=day_first)
    return record if (time, last) == (record.time, record.last_time) else replace(record, time=time, last_time=last)
