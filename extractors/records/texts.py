"""The texts of records: what of their bodies is no template's, nobody's name and no time; and what of it is quoted."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native
from extractors.records.quotes import quoted_chunks

if TYPE_CHECKING:
    from extractors.records.reading import Reader


_Chunks = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]


class Texts:
    """The texts of a reader's records, whose `bodies` are known and of whose chunks bool[M] are `used` otherwise."""

    def __init__(self, reader: "Reader", bodies: NDArray[np.intp], used: NDArray[np.bool_]) -> None:
        self._columns, self._kept = reader.columns, reader.signals.joined
        self._quoted = quoted_chunks(reader, bodies)
        found = self._by_record(reader, bodies, used) if native() else self.chunks_by_numpy(reader, bodies, used)
        self._chunks, self._first, self._last = found
        self._texts = self._columns.join_each(*found) if native() else self._known(*found)

    @staticmethod
    def _by_record(reader: "Reader", bodies: NDArray[np.intp], used: NDArray[np.bool_]) -> "_Chunks":
        masks = reader.template, reader.signals.time, reader.refused, used
        tree = reader.columns.chunk_start, reader.columns.chunk_end
        found: _Chunks = native().record_texts(reader.record, bodies, *tree, *(mask.view(np.uint8) for mask in masks))
        return found

    @staticmethod
    def chunks_by_numpy(reader: "Reader", bodies: NDArray[np.intp], used: NDArray[np.bool_]) -> "_Chunks":
        """The chunks of texts, record after record; and by record where its own begin and end: the first and the last are no
        template's, unless all are."""
        chunks = np.flatnonzero(Texts._usable(reader, bodies, used))
        record = reader.record[chunks]
        order = np.argsort(record, kind="stable")
        chunks, record = chunks[order], record[order]
        numbers = np.arange(len(reader.group.members) + 1)
        own = np.flatnonzero(~reader.template[chunks])
        edges, framed = np.searchsorted(record, numbers), np.searchsorted(record[own], numbers)
        left = framed[1:] > framed[:-1]
        first, last = edges[:-1].copy(), edges[1:].copy()
        first[left], last[left] = own[framed[:-1][left]], own[framed[1:][left] - 1] + 1
        return chunks, first, last

    def chunks(self, number: int) -> NDArray[np.intp]:
        """The chunks of a record's text."""
        return self._chunks[self._first[number] : self._last[number]]

    def of(self, number: int) -> tuple[str, str, str]:
        """(a record's text, what of it is quoted, what is not); of a template's words before and behind nothing."""
        text = self._texts[number]
        if self._quoted is None:
            return text, "", text
        chunks, join = self.chunks(number), self._columns.join
        if not (quoted := self._quoted[chunks]).any():
            return text, "", text
        return text, join(chunks[quoted]), join(chunks[~quoted])

    def _known(self, chunks: NDArray[np.intp], first: NDArray[np.intp], last: NDArray[np.intp]) -> list[str]:
        """`Columns.join_each`, kept for other groups of the page: where one wraps another they have the same texts."""
        names = list(zip(first.tolist(), last.tolist(), strict=True))
        return [self._joined(chunks[start:end]) for start, end in names]

    def _joined(self, chunks: NDArray[np.intp]) -> str:
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
