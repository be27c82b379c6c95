"""A report as numbers: small enough to hold 300,000 in memory, and deterministic."""

import struct
import zlib
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from analysis.events.frequencies import expected_share
from analysis.events.report import EventReport, pairs_of

_PROVINCES = (
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82".split()
)
"""A region is a bit: provinces have one each, other countries share the rest."""
_HEAD = struct.Struct("<dQQB3iI")
_SITE = struct.Struct("<I")
MAX_TITLE_TERMS = 24
"""Maximum number of character pairs kept per title."""
_TITLE_NUMBERS = (1 << 16) - 1
_NO_DAY = -1
_EPOCH = datetime(1970, 1, 1)
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class ReportReading:
    """The numeric form of a report for comparison.

    Attributes:
        days: the time of the report in days since 1970.
        ids: 32-bit numbers of its terms in ascending order, odd for pairs of characters; counts: 1 + log of how often; shares: in
            which share of reports of general language they are.
        regions, magnitudes: sets of bits; named: up to three ordinals of days that the text names.
        site: the number of its site, 0 if that is not known.
        title: of a Chinese text, numbers from 1 to 65,535 of its title's pairs of characters.
        topic: the number of its topic (`topic_number`); not packed, since a page's topic may change.
    """

    days: float
    ids: NDArray[np.uint32]
    counts: NDArray[np.float32]
    shares: NDArray[np.float32]
    regions: int
    magnitudes: int
    named: tuple[int, ...]
    chinese: bool
    short: bool
    site: int = 0
    title: tuple[int, ...] = ()
    topic: int = 0

    def pack(self) -> bytes:
        """For the store."""
        named = (*self.named, _NO_DAY, _NO_DAY, _NO_DAY)[:3]
        flags = int(self.chinese) | int(self.short) << 1 | int(bool(self.site)) << 2 | int(bool(self.title)) << 3
        head = _HEAD.pack(self.days, self.regions, self.magnitudes, flags, *named, len(self.ids))
        tail = (_SITE.pack(self.site) if self.site else b"") + np.array(self.title, "<u2").tobytes()
        return head + self.ids.tobytes() + self.counts.tobytes() + self.shares.tobytes() + tail

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """The inverse of `pack`."""
        days, regions, magnitudes, flags, *named, count = _HEAD.unpack_from(packed)
        ids = np.frombuffer(packed, np.uint32, count, _HEAD.size)
        counts = np.frombuffer(packed, np.float32, count, _HEAD.size + 4 * count)
        shares = np.frombuffer(packed, np.float32, count, _HEAD.size + 8 * count)
        kept = tuple(day for day in named if day != _NO_DAY)
        end = _HEAD.size + 12 * count
        site = _SITE.unpack_from(packed, end)[0] if flags & 4 else 0
        title = np.frombuffer(packed, "<u2", offset=end + _SITE.size * bool(site)).tolist() if flags & 8 else ()
        return cls(
            days, ids, counts, shares, regions, magnitudes, kept, bool(flags & 1), bool(flags & 2), site, tuple(title)
        )


def reading_of(report: EventReport) -> ReportReading:
    """The numeric form of a report."""
    counted = (*report.terms.items(), *report.pairs.items())
    rows = sorted(
        {
            number: (count, share) for term, count in counted for number, share in (_numbered(term, report.language),)
        }.items()
    )
    return ReportReading(
        (report.time - _EPOCH).total_seconds() / _DAY,
        np.array([row[0] for row in rows], np.uint32),
        np.array([row[1][0] for row in rows], np.float32),
        np.array([row[1][1] for row in rows], np.float32),
        sum({1 << _region_bit(region) for region in report.regions}),
        sum({1 << int(float(magnitude) * 10) % 64 for magnitude in report.magnitudes}),
        report.days[:3],
        report.chinese,
        report.short,
        zlib.crc32(report.site.encode("utf-8", "replace")),
        _title(report) if report.chinese and not report.short else (),
    )


def topic_number(topic: str) -> int:
    """The number of a topic by name, 0 without one."""
    return zlib.crc32(topic.encode("utf-8", "replace"))


def _title(report: EventReport) -> tuple[int, ...]:
    """Of a long title the pairs with the least numbers, so that those of two titles stay comparable."""
    return tuple(sorted({_id(pair) % _TITLE_NUMBERS + 1 for pair in pairs_of(report.title)})[:MAX_TITLE_TERMS])


@lru_cache(maxsize=100_000)
def _numbered(term: str, language: str) -> tuple[int, float]:
    """31 bits of a checksum with whether the term is a pair of characters; and its share in general language."""
    return _id(term), expected_share(term, language)


def _id(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "replace")) & ~1 | int(term.startswith("+"))


def _region_bit(region: str) -> int:
    if region in _PROVINCES:
        return _PROVINCES.index(region)
    return len(_PROVINCES) + zlib.crc32(region.encode()) % (64 - len(_PROVINCES))
