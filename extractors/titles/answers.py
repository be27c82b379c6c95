"""What the holders of parts say of a batch of titles, as bytes and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

import msgpack
import numpy as np
from numpy.typing import NDArray

from extractors.titles.index import Copies, Match, Verdict
from extractors.titles.rules import Rule

RULES: tuple[Rule, ...] = get_args(Rule)
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_REPOST = _VERDICTS.index("repost")
_NOTHING = Match("new")
_NOBODY = 0xFFFFFFFF

Pairs = Sequence[tuple[int, float, Rule]]
"""Earlier titles of a batch from the lower threshold on: number, cosine, and the rule that objects."""


class Nearest(NamedTuple):
    """By the title's number in the batch: the nearest title by terms to which no rule objects, else the nearest.

    Attributes:
        positions: uint32, the highest one where there is none. cosines: float64. kinds: uint8, of verdict and rule.
    """

    positions: NDArray[np.uint32]
    cosines: NDArray[np.float64]
    kinds: NDArray[np.uint8]


class Known(NamedTuple):
    """A stored title: its day, and the numbers of its terms."""

    day: int
    terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the holder of some parts says of the titles of a batch, by their numbers in the batch.

    Attributes:
        nearest: nothing where copies say that the title is a repost.
        copies: of titles that have any. within: pairs with earlier titles of the batch, of titles whose number is in one of the parts.
        known: by position, the titles that others may repeat. failed: titles on which a comparison failed.
    """

    nearest: Nearest
    copies: Mapping[int, Copies]
    within: Mapping[int, Pairs]
    known: Mapping[int, Known]
    failed: Sequence[int]


def columns_of(found: Sequence[Match]) -> Nearest:
    """As columns."""
    kinds = [RULES.index(match.rule) * len(_VERDICTS) + _VERDICTS.index(match.verdict) for match in found]
    positions = np.array([match.position & _NOBODY for match in found], np.uint32)
    return Nearest(positions, np.array([match.cosine for match in found]), np.array(kinds, np.uint8))


def best_of(found: Sequence[Nearest]) -> list[Match]:
    """For each title the best of what several holders have found: reposts before others, then by cosine, then the earliest."""
    positions, cosines, kinds = (np.stack(columns) for columns in zip(*found, strict=True))
    is_repost = kinds % len(_VERDICTS) == _REPOST
    may = is_repost | ((positions != _NOBODY) & ~is_repost.any(axis=0))
    cosines = np.where(may, cosines, -1.0)
    first = np.where(cosines == cosines.max(axis=0), positions, _NOBODY).argmin(axis=0)
    rows = np.arange(positions.shape[1])
    chosen = positions[first, rows].tolist(), cosines[first, rows].tolist(), kinds[first, rows].tolist()
    return [_match(*each) for each in zip(*chosen, strict=True)]


def _match(position: int, cosine: float, kind: int) -> Match:
    rule, verdict = divmod(kind, len(_VERDICTS))
    return _NOTHING if position == _NOBODY else Match(_VERDICTS[verdict], position, cosine, RULES[rule])


def pack_answer(answer: Answer) -> bytes:
    """As bytes."""
    copies = {at: (each.equal, each.near, each.first) for at, each in answer.copies.items()}
    within = {
        at: [(other, cosine, RULES.index(rule)) for other, cosine, rule in pairs] for at, pairs in answer.within.items()
    }
    nearest = [column.tobytes() for column in answer.nearest]
    packed: bytes = msgpack.packb((nearest, copies, within, answer.known, answer.failed))
    return packed


def unpack_answer(data: bytes) -> Answer:
    """ValueError for other bytes."""
    try:
        (positions, cosines, kinds), copies, within, known, failed = msgpack.unpackb(data, strict_map_key=False)
        return Answer(
            Nearest(np.frombuffer(positions, np.uint32), np.frombuffer(cosines), np.frombuffer(kinds, np.uint8)),
            {at: Copies(*places) for at, places in copies.items()},
            {at: [(other, cosine, RULES[rule]) for other, cosine, rule in pairs] for at, pairs in within.items()},
            {position: Known(day, tuple(terms)) for position, (day, terms) in known.items()},
            failed,
        )
    except (TypeError, ValueError, IndexError, KeyError, msgpack.UnpackException) as error:
        raise ValueError(f"no answer to a batch of titles ({error})") from error
