"""MDR (mining data records): runs of adjacent siblings, one to ten nodes each, whose strings of tags are alike.

Generalised nodes of 1 … 10 siblings are compared with the next ones by normalised edit distance (at most 0.3); of each node's
children the run that covers most nodes is its data region. Of all regions of a page the one with most text is read.

Posts differ more than the products for which that was made: `AT_ITS_BEST` are the settings that gave the highest F1 on the shared
pages, of distances .3 … .5 and of three ways to weigh how many siblings make a node.
"""

from dataclasses import dataclass
from itertools import pairwise

from lxml import etree
from rapidfuzz.distance import Levenshtein

LONGEST_NODE = 10
_LEAST_DEPTH = 3
_MOST_TAGS = 2_000
_MOST_CHILDREN = 300

Records = list[list[etree._Element]]


@dataclass(frozen=True, slots=True)
class Manner:
    """Up to which distance nodes are alike, and by which power of its width a run of wider nodes counts less."""

    farthest: float
    power: float


AS_PUBLISHED = Manner(0.3, 0.0)
AT_ITS_BEST = Manner(0.5, 0.5)


def data_regions(root: etree._Element, manner: Manner = AS_PUBLISHED) -> list[Records]:
    """The records of every region, each record as its sibling elements; regions inside others' records are left out."""
    codes: dict[str, str] = {}
    strings = _tag_strings(root, codes)
    found: list[Records] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        children = [child for child in node if isinstance(child.tag, str)]
        region = _longest_run(children[:_MOST_CHILDREN], strings, manner) if _depth_reaches(node) else []
        if region:
            found.append(region)
        covered = {element for record in region for element in record}
        waiting.extend(child for child in reversed(children) if child not in covered)
    return found


def _tag_strings(root: etree._Element, codes: dict[str, str]) -> dict[etree._Element, str]:
    """The tags of each subtree in document order, a character each, the first 2,000."""
    strings: dict[etree._Element, str] = {}
    for element in reversed([each for each in root.iter() if isinstance(each.tag, str)]):
        code = codes.setdefault(str(element.tag), chr(0x100 + len(codes)))
        below = "".join(strings[child] for child in element if isinstance(child.tag, str))
        strings[element] = (code + below)[:_MOST_TAGS]
    return strings


def _depth_reaches(node: etree._Element) -> bool:
    """Whether the subtree has at least three levels."""
    level = [node]
    for _ in range(_LEAST_DEPTH - 1):
        level = [child for element in level for child in element if isinstance(child.tag, str)]
    return bool(level)


def _longest_run(children: list[etree._Element], strings: dict[etree._Element, str], manner: Manner) -> Records:
    """The generalised nodes of the run that covers most children; fewer nodes each where runs cover as many."""
    best: tuple[int, int, int] = (0, 1, 0)
    for width in range(1, min(LONGEST_NODE, len(children) // 2) + 1):
        for start in range(min(width, len(children) - width)):
            run = _run(children, strings, width, start, manner.farthest)
            best = max(best, run, key=lambda run: run[0] / run[1] ** manner.power)
    covered, width, first = best
    region = [children[place : place + width] for place in range(first, first + covered, width)]
    return (
        region
        if width == 1 or not _alike_within(region, strings, manner.farthest)
        else [[each] for node in region for each in node]
    )


def _alike_within(region: Records, strings: dict[etree._Element, str], farthest: float) -> bool:
    """Whether the siblings of most generalised nodes are alike themselves: then each sibling is a record."""
    alike = [
        all(_are_alike(strings[one], strings[other], farthest) for one, other in pairwise(node)) for node in region
    ]
    return 2 * sum(alike) > len(alike)


def _are_alike(first: str, second: str, farthest: float) -> bool:
    return Levenshtein.normalized_distance(first, second, score_cutoff=farthest) <= farthest


def _run(
    children: list[etree._Element], strings: dict[etree._Element, str], width: int, start: int, farthest: float
) -> tuple[int, int, int]:
    """(children covered, width, first child) of the longest run of alike neighbours from this start on."""
    texts = [
        "".join(strings[child] for child in children[place : place + width])
        for place in range(start, len(children) - width + 1, width)
    ]
    best, length = (0, width, start), 1
    for place in range(1, len(texts)):
        length = length + 1 if _are_alike(texts[place - 1], texts[place], farthest) else 1
        if length > 1 and length * width > best[0]:
            best = (length * width, width, start + (place - length + 1) * width)
    return best
