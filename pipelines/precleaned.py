"""A page whose boilerplate another process has removed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.site_boilerplate import distinct


@dataclass(frozen=True, slots=True)
class Precleaned:
    """The keys to be counted of a page, and its cleaned parts.

    Attributes:
        host: whose memory was used.
        keys, record_keys: uint64 of its lines and parts of its title, and of its records; see `PageLines`.
        changed: by function of the page, its result without boilerplate; empty if the host repeats nothing of the page.
    """

    host: str
    keys: NDArray[np.uint64]
    record_keys: NDArray[np.uint64]
    changed: Mapping[Any, Any]

    def all_keys(self, *, records: bool) -> NDArray[np.uint64]:
        """Each key once, ascending."""
        return distinct(self.keys, self.record_keys if records else self.record_keys[:0])


def precleaned(page: Document) -> Precleaned | None:
    """None if no other process has cleaned the page; see `Document.once`."""
    return None
