"""What a node says of the titles of a batch that it has searched for, as bytes and back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

import msgpack
import numpy as np
from numpy.typing import NDArray

from extractors.titles.index import Match, TitleIndex, Verdict
from extractors.titles.rules import Rule
from extractors.titles.title_text import TitleText
from extractors.titles.within import Pairs, pairs_within

SHARES = 60
"""Of a batch: title number n is in share n modulo this. It divides by many numbers of nodes without a rest."""
RULES: tuple[Rule, ...] = get_args(Rule)
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_NOTHING = Match("new")
_NOBODY = 0xFFFFFFFF


class Nearest(NamedTuple):
    """By the title's number in the batch what `TitleIndex.nearest` has found among the titles before the batch.

    Attributes:
        positions: uint32, the highest one where there is none. cosines: float64. kinds: uint8, of verdict and rule.
    """

    positions: NDArray[np.uint32]
    cosines: NDArray[np.float64]
    kinds: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of the titles of some shares of a batch, by their numbers in the batch.

    Attributes:
        nearest: of all titles; nothing of those of other shares. within: pairs with earlier titles of the batch.
        failed: titles on which a comparison failed.
    """

    nearest: Nearest
    within: Mapping[int, Pairs]
    failed: Sequence[int]


def answer_to(
    index: TitleIndex, titles: Sequence[TitleText | None], days: Sequence[int], shares: Collection[int]
) -> Answer:
    """For titles that follow the last one of the index, not more than `Vocabulary.left` of them.

    None stands for a title that cannot be compared.
    """
    index.prepare(title for title in titles if title is not None)
    nearest, failed = [_NOTHING] * len(titles), list[int]()
    asked = [at for at, title in enumerate(titles) if at % SHARES in shares and title is not None and title.terms]
    for at in asked:
        title = titles[at]
        try:
            if title is not None and index.copies(title, days[at]).near < 0:
                nearest[at] = index.nearest(title, days[at])
        except Exception:  # as where one node searches alone: the title is new
            failed.append(at)
    within, wrong = pairs_within(titles, days, asked, index)
    return Answer(_columns_of(nearest), within, failed + wrong)


def _columns_of(found: Sequence[Match]) -> Nearest:
    kinds = [RULES.index(match.rule) * len(_VERDICTS) + _VERDICTS.index(match.verdict) for match in found]
    positions = np.array([match.position & _NOBODY for match in found], np.uint32)
    return Nearest(positions, np.array([match.cosine for match in found]), np.array(kinds, np.uint8))


def together(found: Sequence[Nearest]) -> list[Match]:
    """What was found for each title, by whoever was to search for it."""
    positions, cosines, kinds = (np.stack(columns) for columns in zip(*found, strict=True))
    first, rows = positions.argmin(axis=0), np.arange(positions.shape[1])
    chosen = positions[first, rows].tolist(), cosines[first, rows].tolist(), kinds[first, rows].tolist()
    return [_match(*each) for each in zip(*chosen, strict=True)]


def _match(position: int, cosine: float, kind: int) -> Match:
    rule, verdict = divmod(kind, len(_VERDICTS))
    return _NOTHING if position == _NOBODY else Match(_VERDICTS[verdict], position, cosine, RULES[rule])


def pack_answer(answer: Answer) -> bytes:
    """As bytes."""
    within = {
        at: [(other, cosine, RULES.index(rule)) for other, cosine, rule in pairs] for at, pairs in answer.within.items()
    }
    packed: bytes = msgpack.packb(([column.tobytes() for column in answer.nearest], within, answer.failed))
    return packed


def unpack_answer(data: bytes) -> Answer:
    """ValueError for other bytes."""
    try:
        (positions, cosines, kinds), within, failed = msgpack.unpackb(data, strict_map_key=False)
        return Answer(
            Nearest(np.frombuffer(positions, np.uint32), np.frombuffer(cosines), np.frombuffer(kinds, np.uint8)),
            {at: [(other, cosine, RULES[rule]) for other, cosine, rule in pairs] for at, pairs in within.items()},
            failed,
        )
    except (TypeError, ValueError, IndexError, KeyError, msgpack.UnpackException) as error:
        raise ValueError(f"no answer to a batch of titles ({error})") from error
