"""The records of the published methods' regions, read as the default's are, so that only the region differs."""

import numpy as np
from lxml import etree

from extractors.html.document import Document
from extractors.records import layout, leafpaths
from extractors.records.candidates import Group
from extractors.records.model import Record
from extractors.records.reading import Reader
from extractors.records.signals import Signals


def layout_records(body: bytes, *, url: str = "") -> list[Record]:
    """Records in the region that the similarity of layout (SoL) finds."""
    page = Document(body, url)
    return _read(page, [layout.region(page.root)])


def leafpath_records(body: bytes, *, url: str = "") -> list[Record]:
    """Records in all regions that the similarity of leaf paths (POL) finds."""
    page = Document(body, url)
    return _read(page, leafpaths.regions(page.root))


def _read(page: Document, regions: list[list[etree._Element]]) -> list[Record]:
    numbers = {element: number for number, element in enumerate(page.columns.elements)}
    signals = Signals(page.columns)
    found: list[Record] = []
    for blocks in regions:
        members = [numbers[block] for block in blocks if block in numbers]
        if members:
            found += Reader(page, signals, Group(np.array(members, dtype=np.intp), "")).records()
    return found
