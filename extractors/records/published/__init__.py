"""The records of the published methods' regions, read as the default's are, so that only the region differs."""

from collections.abc import Sequence

import numpy as np
from lxml import etree

from extractors.html.document import Document
from extractors.records.groups.candidates import Group
from extractors.records.groups.layout import layout_of
from extractors.records.published import layout_similarity, leaf_paths
from extractors.records.read.model import Record
from extractors.records.read.records import read_group, records_of


def layout_records(body: bytes, *, url: str = "") -> list[Record]:
    """Records in the region that the similarity of layout (SoL) finds."""
    page = Document(body, url)
    return region_records(page, layout_similarity.region(page.root))


def leafpath_records(body: bytes, *, url: str = "") -> list[Record]:
    """Records in all regions that the similarity of leaf paths (POL) finds."""
    page = Document(body, url)
    return [record for blocks in leaf_paths.regions(page.root) for record in region_records(page, blocks)]


def region_records(page: Document, blocks: Sequence[etree._Element]) -> list[Record]:
    """The records of blocks of a page that some method has found, read as the default's are."""
    numbers = page.once(_element_numbers)
    members = sorted(numbers[block] for block in blocks if block in numbers)
    if not members:
        return []
    return records_of(read_group(layout_of(page, Group(np.array(members, dtype=np.intp), ""))))


def _element_numbers(page: Document) -> dict[etree._Element, int]:
    return {element: number for number, element in enumerate(page.columns.elements)}
