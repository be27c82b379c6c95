"""The methods that find records: the product's and its rivals, all from bytes and an address."""

import importlib.util
from collections.abc import Sequence
from typing import Any

from lxml import etree

from benchmarks.record_scores import Method
from extractors.page import Page
from extractors.records import find_records, layout_records, leafpath_records
from extractors.records.published_methods import region_records


def methods() -> dict[str, Method]:
    """Every method whose package is installed, ours first."""
    peers = {
        "MDR": ("rapidfuzz", mdr),
        "MDR at its best": ("rapidfuzz", mdr_at_its_best),
        "trafilatura comments": ("trafilatura", trafilatura_comments),
        "schema.org (extruct)": ("extruct", declared),
    }
    own: dict[str, Method] = {
        "topicrawl": lambda body, url: find_records(body, url=url),
        "SoL (layout)": lambda body, url: layout_records(body, url=url),
        "POL (leafpaths)": lambda body, url: leafpath_records(body, url=url),
    }
    return own | {name: method for name, (package, method) in peers.items() if importlib.util.find_spec(package)}


def mdr(body: bytes, url: str) -> Sequence[Any]:
    """The data region with most text; records of several siblings are their joined texts."""
    from benchmarks.rivals.mdr import AS_PUBLISHED

    return _by_mdr(body, url, AS_PUBLISHED)


def mdr_at_its_best(body: bytes, url: str) -> Sequence[Any]:
    """The same with the settings that suit these pages best."""
    from benchmarks.rivals.mdr import AT_ITS_BEST

    return _by_mdr(body, url, AT_ITS_BEST)


def _by_mdr(body: bytes, url: str, manner: Any) -> Sequence[Any]:
    from benchmarks.rivals.mdr import data_regions

    page = Page(body, url)
    regions = data_regions(page.root, manner)
    if not regions:
        return []
    best = max(regions, key=lambda region: sum(len(text_of(element)) for record in region for element in record))
    if all(len(record) == 1 for record in best):
        return region_records(page, [record[0] for record in best])
    return [{"text": " ".join(text_of(element) for element in record)} for record in best]


def trafilatura_comments(body: bytes, url: str) -> Sequence[Any]:
    """Each line of what trafilatura takes for comments."""
    from trafilatura import bare_extraction

    found = bare_extraction(body, url=url or None, include_comments=True)
    lines = (found.comments or "").split("\n") if found is not None else []
    return [{"text": line} for line in lines if line.strip()]


def declared(body: bytes, url: str) -> Sequence[Any]:
    """What the page declares in schema.org's words, read by extruct."""
    from benchmarks.rivals.schema import records

    return records(Page(body, url).text, url)


def text_of(element: etree._Element) -> str:
    """All text below an element but scripts and styles."""
    return " ".join(element.xpath(".//text()[not(ancestor::script or ancestor::style)]"))
