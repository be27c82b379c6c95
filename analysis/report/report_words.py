"""The words of a report in the language of its readers; names, titles and quotes stay in their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml

from analysis.mood import MoodSpread
from crawler.config import with_values

Language = Literal["zh", "en"]
_LANGUAGES = ("zh", "en")


@cache
def _catalogue() -> Mapping[str, tuple[str, str]]:
    text = files("analysis.report").joinpath("report_words.yaml").read_text(encoding="utf-8")
    return {str(key): (each[0], each[1]) for key, each in yaml.safe_load(text).items()}


@dataclass(frozen=True, slots=True)
class ReportWords:
    """Words by key, filled as `with_values` does; KeyError for an unknown key or value."""

    language: Language = "en"

    def __call__(self, key: str, /, **values: object) -> str:
        return with_values(_catalogue()[key][_LANGUAGES.index(self.language)], values)

    def known(self, prefix: str, name: str) -> str:
        """The word for a stored value, itself if there is none."""
        return self(f"{prefix}.{name}") if f"{prefix}.{name}" in _catalogue() else name

    def spread(self, spread: MoodSpread) -> str:
        """The numbers of a spread as a phrase."""
        if not spread.total:
            return "0"
        counts = (self("mood.count", mood=self.known("mood", each), n=n) for each, n in spread.texts.items())
        joined = ("、" if self.language == "zh" else ", ").join(counts)
        return self("mood.shown", total=spread.total, counts=joined, **_shares(spread))

    def share(self, spread: MoodSpread) -> str:
        """The negative share with its range, a dash without texts."""
        return self("mood.range", **_shares(spread)) if spread.total else "–"


def _shares(spread: MoodSpread) -> dict[str, str]:
    return {"share": f"{spread.negative_share:.0%}", "low": f"{spread.low:.0%}", "high": f"{spread.high:.0%}"}
