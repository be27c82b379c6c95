"""The probability that a page is of a topic.

A logistic model of few signs, the same for all topics; 0.7 means that 7 of 10 such pages are of the topic. What the author
declares says more than the text, so pages with tags have weights of their own:

    logit P = a·logit(lead) + b·(share of the title) + c·ln(1 + concepts in the text) − d
              and with tags + e·(best tag) − f·[no tag is of the topic]

Tags in other letters than the terms ("pwn", "network") can name no term, so the text keeps its weight beside them. A tag that is a term
as a whole decides almost alone: its pages are of the topic as often where no term is in their text.

A classifier learned from examples (see `extractors.topic.example_model`) adds its logit m: j·logit P + k·m − l with terms, m − n without.

The constants were fitted on the topics of two webs, each checked with its topic left out, and rounded.
"""

import math
from dataclasses import dataclass, replace

_UNTAGGED = (0.75, 6.5, 1.25, 4.5)
"""a, b, c, d of pages without tags."""
_TAGGED = (0.25, 0.5, 1.0, 4.5)
_WHOLE_TAG = (0.0, 0.0, 0.1, 3.2)
_TAG, _NO_TAG = 6.2, 0.6
"""e, f."""
_TERMS, _EXAMPLES, _WITH_TERMS, _ALONE = 0.7, 1.13, 1.2, 1.0
_MIN_LEAD, _MAX_LEAD = 0.02, 0.999
"""Bounds of the lead: a page without terms counts like one with almost none."""


@dataclass(frozen=True, slots=True)
class RelevanceSigns:
    """The components of the probability.

    Attributes:
        lead: the topical score of the text, 0 … 1. concepts: distinct concepts in the main text, weighted up for
            topics of few terms.
        title: share of the title's characters in terms.
        tag: greatest share of a tag's characters in terms. tagged: the page has tags; foreign: all in other letters than the terms.
        examples: logit by the topic's examples, None without a classifier. terms: the topic has terms.
    """

    lead: float
    concepts: float
    title: float
    tag: float
    tagged: bool
    foreign: bool = False
    examples: float | None = None
    terms: bool = True

    def weighed(self) -> dict[str, float]:
        """Each sign with its contribution to the logit of the probability."""
        if not self.terms:
            return {"examples": (self.examples or 0.0) - _ALONE}
        if self.examples is None:
            return self._of_terms()
        terms = {name: _TERMS * value for name, value in self._of_terms().items()}
        return terms | {"examples": _EXAMPLES * self.examples - _WITH_TERMS}

    def with_examples(self, logit: float) -> "RelevanceSigns":
        """The signs with this logit by examples."""
        return replace(self, examples=logit)

    def _of_terms(self) -> dict[str, float]:
        lead = min(_MAX_LEAD, max(_MIN_LEAD, self.lead))
        by_lead, by_title, by_concepts, start = self._weights()
        text = {
            "text": by_lead * math.log(lead / (1 - lead)),
            "title": by_title * self.title,
            "different terms": by_concepts * math.log1p(self.concepts),
            "start": -start,
        }
        return text | ({"tags": _TAG * self.tag if self.tag else -_NO_TAG} if self.tagged else {})

    def _weights(self) -> tuple[float, float, float, float]:
        if self.tag >= 1:
            return _WHOLE_TAG
        return _TAGGED if self.tagged and not self.foreign else _UNTAGGED


NO_SIGNS = RelevanceSigns(0.0, 0, 0.0, 0.0, False)


def probability(signs: RelevanceSigns) -> float:
    """The probability that a page with these signs is of the topic; 0 without examples if its text has none of the experts' terms."""
    if not signs.lead and signs.examples is None:
        return 0.0
    return 1 / (1 + math.exp(-sum(signs.weighed().values())))
