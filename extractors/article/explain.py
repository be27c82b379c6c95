"""Explains why the default method chose a block or not, for tuning."""

from dataclasses import dataclass

import numpy as np

from extractors.article.body import find_body
from extractors.article.features import block_features
from extractors.html.document import Document
from extractors.kernels.forest import packaged_forest

_MAX_REASONS = 4
_YES_OR_NO = ("home ", "named ", "inside ", "in ", "begins ", "ends ")


@dataclass(frozen=True, slots=True)
class BlockVerdict:
    """One block of a page.

    Attributes:
        probability: 0 … 1, of being main text. chosen: whether it was chosen as main text.
        element: the block element around it, with its class and id.
        reasons: the features with most weight, each with its contribution to the log odds (+ or −), without features of
            the whole page. "body of a post" comes first if the page is read as a thread.
        text: the block's text.
    """

    probability: float
    chosen: bool
    element: str
    reasons: tuple[str, ...]
    text: str


def explain(page: Document) -> tuple[BlockVerdict, ...]:
    """A verdict for every block of the page, in document order."""
    body = page.once(find_body)
    if not len(body.blocks):
        return ()
    features, names = block_features(body.blocks)
    of_page = np.array([name.startswith("page ") for name in names])
    verdicts = []
    for number, row in enumerate(features.T):
        added = packaged_forest("article", "body").reasons(row)
        loudest = np.argsort(np.where(of_page, 0, -np.abs(added)))[:_MAX_REASONS]
        reasons = tuple(_reason(names[place], float(row[place]), float(added[place])) for place in loudest.tolist())
        if body.posts[number]:
            reasons = ("body of a post", *reasons)
        columns, place = page.columns, int(body.blocks.home[number])
        marks = "".join(f" {name}={value!r}" for name in ("id", "class") if (value := columns.value(place, name)))
        verdicts.append(
            BlockVerdict(
                probability=round(float(body.probability[number]), 3),
                chosen=bool(body.chosen[number]),
                element=f"<{columns.tag_name(place)}{marks}>",
                reasons=reasons,
                text=body.blocks.text(number),
            )
        )
    return tuple(verdicts)


def _reason(name: str, value: float, added: float) -> str:
    """The feature, its value, and its contribution to the log odds."""
    shown = ("no", "yes")[int(value)] if name.startswith(_YES_OR_NO) and value in (0, 1) else f"{value:.3g}"
    return f"{name} {shown} ({added:+.2f})"
