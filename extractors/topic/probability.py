"""The probability that a page is of a topic.

A logistic model of few signs, the same for all topics; 0.7 means that 7 of 10 such pages are of the topic. What the author
declares counts on top of the text, where there is any:

    z = a·logit(lead) + b·(share of the title) + c·ln(1 + concepts in the text) + d·(address) − e
    logit P = z without tags, else f·z + g·(best tag) − h·[no tag is of the topic] − i

A classifier learned from examples (see `extractors.topic.example_model`) adds its logit m: j·logit P + k·m − l with terms, m − n without.

The constants were fitted on fifteen topics of the development web and rounded; each was checked with its topic left out. Scale and
shift of the logit (J. Platt, 1999) make it the share of pages that are of the topic. The weight of a tag is
greater than fitted: a page with a tag that is a term is kept whatever its text, for recall on short pages.
"""

import math
from dataclasses import dataclass, replace

_LEAD, _TITLE, _CONCEPTS, _ADDRESS, _TEXT_BIAS = 0.89, 5.1, 1.28, 2.2, 4.54
_TEXT, _TAG, _NO_TAG, _TAG_BIAS = 0.63, 6.0, 1.1, 0.82
_TERMS, _EXAMPLES, _WITH_TERMS, _ALONE = 0.7, 1.13, 1.2, 1.0
_MIN_LEAD, _MAX_LEAD = 0.02, 0.999
"""Bounds of the lead: a page without terms counts like one with almost none."""


@dataclass(frozen=True, slots=True)
class RelevanceSigns:
    """The components of the probability.

    Attributes:
        lead: the topical score of the text, 0 … 1. concepts: distinct concepts in the main text, weighted up for
            topics of few terms.
        title: share of the title's characters in terms. address: relevance of the address's words, 0 … 1.
        tag: greatest share of a tag's characters in terms. tagged: the page has tags.
        examples: logit by the topic's examples, None without a classifier. terms: the topic has terms.
    """

    lead: float
    concepts: float
    title: float
    address: float
    tag: float
    tagged: bool
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
        text = {
            "text": _LEAD * math.log(lead / (1 - lead)),
            "title": _TITLE * self.title,
            "different terms": _CONCEPTS * math.log1p(self.concepts),
            "address": _ADDRESS * self.address,
            "start": -_TEXT_BIAS,
        }
        if not self.tagged:
            return text
        tags = _TAG * self.tag - (_NO_TAG if not self.tag else 0.0) - _TAG_BIAS
        return {name: _TEXT * value for name, value in text.items()} | {"tags": tags}


NO_SIGNS = RelevanceSigns(0.0, 0, 0.0, 0.0, 0.0, False)


def probability(signs: RelevanceSigns) -> float:
    """The probability that a page with these signs is of the topic; 0 without examples if its text has none of the experts' terms."""
    if not signs.lead and signs.examples is None:
        return 0.0
    return 1 / (1 + math.exp(-sum(signs.weighed().values())))
