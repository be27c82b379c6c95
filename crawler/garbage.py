"""Garbage-collector settings for a crawl."""

import gc

_NEW_OBJECTS = 20_000
"""Threshold of a collection. Pages, each of some thousand objects, are freed by reference counting."""


def freeze_startup_objects() -> None:
    """Exempt all loaded objects (modules, terms, weights) from collections, which stop the event loop, and collect less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
