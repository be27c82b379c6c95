"""A page without what its host repeats, as another process has made it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.site_boilerplate.keys import distinct


@dataclass(frozen=True, slots=True)
class Precleaned:
    """What is counted of a page, and what of it is mended.

    Attributes:
        host: whose memory was used.
        keys, record_keys: uint64 of its lines and parts of its title, and of its records; see `PageLines`.
        changed: what is now read of the page, by what reads it; empty if its host repeats nothing of it.
    """

    host: str
    keys: NDArray[np.uint64]
    record_keys: NDArray[np.uint64]
    changed: Mapping[Any, Any]

    def all_keys(self, *, records: bool) -> NDArray[np.uint64]:
        """Each key once, ascending."""
        return distinct(self.keys, self.record_keys if records else self.record_keys[:0])


def precleaned(page: Document) -> Precleaned | None:
    """None where no other process has mended the page; see `Document.once`."""
    return None
