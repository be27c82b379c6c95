"""What is held goes when nobody holds it any more, in another thread."""

import gc
import threading
from weakref import WeakSet

from crawler.parse_workers.deferred_free import DeferredFree


class Element:
    """Something that a page has very often."""


def test_elements_go_when_the_last_page_has_gone() -> None:
    elements = [Element() for _ in range(1_000)]
    alive = WeakSet(elements)
    pages = [{DeferredFree: (held := DeferredFree(elements))}, {DeferredFree: held}]
    del elements, held
    gc.collect()
    assert len(alive) == 1_000
    pages.pop()
    assert len(alive) == 1_000
    pages.clear()
    for thread in threading.enumerate():
        if thread.name == "freeing":
            thread.join()
    assert not alive
