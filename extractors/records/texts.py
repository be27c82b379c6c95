"""The texts of records: what of their bodies is no template's, nobody's name and no time; and what of it is quoted."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.records.quotes import quoted_chunks

if TYPE_CHECKING:
    from extractors.records.reading import Reader


class Texts:
    """The texts of a reader's records, whose `bodies` are known and of whose chunks bool[M] are `used` otherwise."""

    def __init__(self, reader: "Reader", bodies: NDArray[np.intp], used: NDArray[np.bool_]) -> None:
        self._columns, self._kept = reader.columns, reader.signals.joined
        self._quoted = quoted_chunks(reader, bodies)
        chunks = np.flatnonzero(self._usable(reader, bodies, used))
        record = reader.record[chunks]
        order = np.argsort(record, kind="stable")
        chunks, record = chunks[order], record[order]
        numbers = np.arange(len(reader.group.members) + 1)
        own = np.flatnonzero(~reader.template[chunks])
        edges, framed = np.searchsorted(record, numbers), np.searchsorted(record[own], numbers)
        left = framed[1:] > framed[:-1]
        first, last = edges[:-1].copy(), edges[1:].copy()
        first[left], last[left] = own[framed[:-1][left]], own[framed[1:][left] - 1] + 1
        self._chunks = chunks
        self._inside = list(zip(first.tolist(), last.tolist(), strict=True))

    def of(self, number: int) -> tuple[str, str, str]:
        """(a record's text, what of it is quoted, what is not); of a template's words before and behind nothing."""
        start, end = self._inside[number]
        chunks, join = self._chunks[start:end], self._columns.join
        text = self._joined(chunks)
        if self._quoted is None or not (quoted := self._quoted[chunks]).any():
            return text, "", text
        return text, join(chunks[quoted]), join(chunks[~quoted])

    def _joined(self, chunks: NDArray[np.intp]) -> str:
        """Kept for other groups of the page: where one wraps another they have the same texts."""
        if not len(chunks):
            return ""
        name = int(chunks[0]), int(chunks[-1]), len(chunks)
        text = self._kept.get(name) if name[1] - name[0] == len(chunks) - 1 else None
        if text is None:
            text = self._kept[name] = self._columns.join(chunks)
        return text

    @staticmethod
    def _usable(reader: "Reader", bodies: NDArray[np.intp], used: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[M]: the chunks of records that are text; of those without a body, what is no template's and no time."""
        bodiless = bodies < 0
        inside = reader.within_own(bodies, reader.record)
        inside |= bodiless[reader.record] & ~reader.template & ~reader.signals.time
        return np.asarray(inside & (reader.record >= 0) & ~reader.refused & ~used)
