"""Why the default method takes a block or leaves it, for people who tune."""

from dataclasses import dataclass

import numpy as np

from extractors.article.body import article_forest
from extractors.article.features import block_features
from extractors.page import Page

_REASONS = 4


@dataclass(frozen=True, slots=True)
class BlockVerdict:
    """One block of a page.

    Attributes:
        probability: 0 … 1, that it is main text; taken: whether it is.
        element: the block element it stands in, with its class and id.
        reasons: the features that spoke loudest, each with what it added (+) or took (−) in log odds.
        text: the block's text.
    """

    probability: float
    taken: bool
    element: str
    reasons: tuple[str, ...]
    text: str


def explain(page: Page) -> tuple[BlockVerdict, ...]:
    """A verdict for every block of the page, in document order."""
    body = page.lines
    if not len(body.blocks):
        return ()
    features, names = block_features(body.blocks)
    verdicts = []
    for number, row in enumerate(features.T):
        added = article_forest().reasons(row)
        loudest = np.argsort(-np.abs(added))[:_REASONS]
        reasons = tuple(f"{names[place]} = {row[place]:.3g} ({added[place]:+.2f})" for place in loudest.tolist())
        element = page.columns.elements[body.blocks.home[number]]
        marks = "".join(f" {name}={element.get(name)!r}" for name in ("id", "class") if element.get(name))
        verdicts.append(
            BlockVerdict(
                probability=round(float(body.probability[number]), 3),
                taken=bool(body.taken[number]),
                element=f"<{element.tag}{marks}>",
                reasons=reasons,
                text=body.blocks.text(number),
            )
        )
    return tuple(verdicts)
