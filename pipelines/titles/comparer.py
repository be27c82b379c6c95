"""The title index: compares each title with all earlier ones. Its state depends only on the titles and their order."""

import logging
from dataclasses import dataclass
from typing import Any

from extractors.titles import Rule, Rules, SuffixLearner, TitleIndex, TitleMatch, TitleText, Verdict, title_text
from extractors.titles.additions import added, fill
from extractors.titles.snapshot import addition_of, columns_of, damaged
from extractors.topic.words import Segmenter
from pipelines.titles.title_requests import TitleEntry

_KEY_BYTES = 10
_NEW = TitleMatch("new")
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TitleDecision:
    """The verdict by the title alone: `matched` is the key of the page with the nearest title, also if a rule objects."""

    verdict: Verdict
    matched: str = ""
    cosine: float = 0.0
    rule: Rule = ""


class TitleComparer:
    """Index, learned suffixes, and the pages of the stored titles.

    Its segmenter has no topic words: these change during a crawl, and the index could not be rebuilt from the store.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None, segmenter: Segmenter | None = None) -> None:
        self.segmenter = segmenter or Segmenter()
        self.index, self.learner = TitleIndex(threshold, rules), SuffixLearner()
        self._keys = bytearray()

    @property
    def description(self) -> str:
        """The parameters in words: comparers with equal descriptions decide alike."""
        rules = self.index.rules
        parts = [f"a threshold of {self.index.threshold}", f"the segmenter {self.segmenter.used_engine}"]
        parts += ["the rule on numbers"] if rules.numbers else []
        parts += [f"the rule on wording above {rules.lower_threshold}"] if rules.wording else []
        parts += [f"a window of {rules.window_days} days"] if rules.window_days else []
        return ", ".join(parts)

    def compare(self, entry: TitleEntry) -> TitleDecision:
        """Decide on a title, and store it."""
        title = self._read(entry)
        if title is None:
            return TitleDecision("new")
        found = self._search(entry, title)
        self._enter(entry, title, found)
        if found.position < 0:
            return TitleDecision("new")
        matched = self.key(found.position)
        if not found.rule:
            return TitleDecision("repost", matched, found.cosine)
        if matched == entry.key:
            return TitleDecision("new")
        near = found.cosine >= self.index.threshold
        return TitleDecision("suspected" if near else "new", matched, found.cosine, found.rule)

    def restore(self, entry: TitleEntry, *, is_repost: bool) -> None:
        """Store a title that was compared before, in the same order; only reposts by title need a search."""
        title = self._read(entry)
        if title is not None:
            self._enter(entry, title, self._search(entry, title) if is_repost else _NEW)

    def key(self, position: int) -> str:
        """The page of a stored title."""
        return self._keys[position * _KEY_BYTES : (position + 1) * _KEY_BYTES].hex()

    def _read(self, entry: TitleEntry) -> TitleText | None:
        """Learn the title's endings, and remove known names of site and section; None on failure."""
        try:
            self.learner.learn(entry.title, entry.host)
            clean = self.learner.without_suffix(entry.title, entry.host, entry.source)
            return title_text(clean, self.segmenter, self.learner.fingerprint(entry.title))
        except Exception:
            _logger.exception("A title cannot be read: %s", ascii(entry.title))
            return None

    def _search(self, entry: TitleEntry, title: TitleText) -> TitleMatch:
        try:
            return self.index.search(title, entry.day) if title.terms else _NEW
        except Exception:  # one title must not block all others, also after a restart
            _logger.exception("A title cannot be compared: %s", ascii(entry.title))
            return _NEW

    def _enter(self, entry: TitleEntry, title: TitleText, found: TitleMatch) -> None:
        """Store a title, unless it is stored already, or repeats an earlier title of its page."""
        if found.verdict == "repost" and (
            self.key(found.position) == entry.key or self.index.words(found.position) == title
        ):
            self.index.note(title, found.position)
            return
        self.index.add(title, entry.day)
        self._keys += bytes.fromhex(entry.key)[:_KEY_BYTES].ljust(_KEY_BYTES, b"\0")

    def state(self) -> dict[str, Any]:
        """The whole state as texts, bytes and plain lists, for `load`."""
        return {"index": columns_of(added(self.index)), "keys": bytes(self._keys), "learned": self.learner.state()}

    def load(self, state: dict[str, Any]) -> None:
        """Load a `state` into an empty comparer; SnapshotError for anything else."""
        try:
            index = fill(TitleIndex(self.index.threshold, self.index.rules), addition_of(state["index"]))
            learner, keys = SuffixLearner.from_state(state["learned"]), bytearray(state["keys"])
            if len(keys) != len(index) * _KEY_BYTES:
                raise ValueError("titles and pages do not match")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise damaged(error) from error
        self.index, self.learner, self._keys = index, learner, keys
