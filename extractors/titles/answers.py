"""What the holders of parts say of a batch of titles, as bytes and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

import msgpack
import numpy as np

from extractors.titles.index import NO_COPIES, Copies, Match, Verdict
from extractors.titles.rules import Rule

RULES: tuple[Rule, ...] = get_args(Rule)
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_NOTHING = Match("new")
_NOBODY = 0xFFFFFFFF

Pairs = Sequence[tuple[int, float, Rule]]
"""Earlier titles of a batch from the lower threshold on: number, cosine, and the rule that objects."""


class Said(NamedTuple):
    """Of one title: the nearest title by terms to which no rule objects, else the nearest, and the titles with the same full
    wording. Where these say that it is a repost, terms were not compared."""

    nearest: Match = _NOTHING
    copies: Copies = NO_COPIES


class Known(NamedTuple):
    """A stored title: its day, and the numbers of its terms."""

    day: int
    terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the holder of some parts says of the titles of a batch, by their numbers in the batch.

    Attributes:
        within: pairs with earlier titles of the batch, of those titles whose number is in one of the parts.
        known: by position, the titles that others may repeat. failed: titles on which a comparison failed.
    """

    said: Sequence[Said]
    within: Mapping[int, Pairs]
    known: Mapping[int, Known]
    failed: Sequence[int]


def pack_answer(answer: Answer) -> bytes:
    """As bytes."""
    nearest = [said.nearest for said in answer.said]
    kinds = [RULES.index(found.rule) * len(_VERDICTS) + _VERDICTS.index(found.verdict) for found in nearest]
    packed: bytes = msgpack.packb(
        (
            np.array([found.position & _NOBODY for found in nearest], np.uint32).tobytes(),
            np.array([found.cosine for found in nearest]).tobytes(),
            bytes(kinds),
            {
                at: (s.copies.equal, s.copies.near, s.copies.first)
                for at, s in enumerate(answer.said)
                if s.copies.first >= 0
            },
            {
                at: [(other, cosine, RULES.index(rule)) for other, cosine, rule in pairs]
                for at, pairs in answer.within.items()
            },
            answer.known,
            answer.failed,
        )
    )
    return packed


def unpack_answer(data: bytes) -> Answer:
    """ValueError for other bytes."""
    try:
        positions, cosines, kinds, copies, within, known, failed = msgpack.unpackb(data, strict_map_key=False)
        columns = zip(np.frombuffer(positions, np.uint32).tolist(), np.frombuffer(cosines).tolist(), kinds, strict=True)
        return Answer(
            [
                Said(_match(*each), Copies(*copies[at]) if at in copies else NO_COPIES)
                for at, each in enumerate(columns)
            ],
            {at: [(other, cosine, RULES[rule]) for other, cosine, rule in pairs] for at, pairs in within.items()},
            {position: Known(day, tuple(terms)) for position, (day, terms) in known.items()},
            failed,
        )
    except (TypeError, ValueError, IndexError, KeyError, msgpack.UnpackException) as error:
        raise ValueError(f"no answer to a batch of titles ({error})") from error


def _match(position: int, cosine: float, kind: int) -> Match:
    rule, verdict = divmod(kind, len(_VERDICTS))
    return _NOTHING if position == _NOBODY else Match(_VERDICTS[verdict], position, cosine, RULES[rule])
