"""Python's garbage collector, told what a crawl's objects are like."""

import gc

_NEW_OBJECTS = 20_000
"""More objects than before, after which it looks for circles. Pages are freed without it, and each has some thousand."""


def freeze_startup_objects() -> None:
    """What is loaded by now (modules, terms, weights) is looked at no more, which stopped the event loop; what comes, seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
