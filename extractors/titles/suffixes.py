"""Endings of titles that name a site or its section, learned host by host.

A host writes its name after every title ("… - 滴答网", "… | BBC News"). Copies of one news item then differ in their
endings, and different items of one host share theirs; both mislead a comparison. A last segment is cut off if

- it ended at least 5 % of this host's titles, after different beginnings, and 20 titles were seen;
- or it ended titles with many beginnings on any host, as names do and news does not;
- or it reads like a site's name (… 网, … 日报, … Times, … .com).

Once a name is cut off, a short segment before it, the section, is cut off too.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from extractors.titles.fingerprints import fingerprint
from extractors.titles.labels import without_labels
from extractors.titles.site_suffix_candidates import FewCandidates, ManyCandidates, SuffixCandidates
from extractors.topic.words import fold

_MIN_HOST_TITLES = 20
_MIN_HOST_SHARE = 0.05
_MIN_HEADS_ANYWHERE = 8
_MAX_ENDINGS = 400_000
_MAX_HOST_ENDINGS = 2_000
_MAX_ENDING_CHARS = 40
_MIN_HEAD_CHARS = 4
_MAX_SEGMENTS = 4
_SECTION = re.compile(r"[\u4e00-\u9fff]{1,4}|[\u4e00-\u9fff]{1,6}(?:频道|栏目|专题|资讯|版)")
_SEPARATOR = re.compile(
    r"\s*[|｜_]+\s*|\s+[-–—·•»]+\s*|\s*[–—]+\s*|(?<=[^\x00-\x7f])-+\s*(?=[^\d\s])|(?<=[^\d\s])-+\s*(?=[\u4e00-\u9fff])|-\s+"
)
_MAY_SEPARATE = re.compile("[-|｜_·•»–—]")
_NAME = re.compile(
    r"[^，。！？；、：:?!,;\d]{1,12}(?:网|网站|论坛|频道|日报|晚报|早报|时报|周刊|周报|新闻|在线|资讯|博客|社区|门户|电视台|报)"
    r"|(?:[\w.&'’-]{1,20} ){0,4}[\w.&'’-]{0,20}"
    r"(?:news|times|post|journal|today|herald|daily|tribune|gazette|magazine|online|network|tv|\.com|\.net|\.org|\.cn|\.in)"
)


@dataclass(slots=True)
class _HostSuffixes:
    titles: int = 0
    tails: FewCandidates = field(default_factory=lambda: FewCandidates({}))


class SuffixLearner:
    """Learns endings and cuts them off; the same calls in the same order give the same state."""

    def __init__(self) -> None:
        self._hosts: dict[str, _HostSuffixes] = {}
        self._everywhere = ManyCandidates({})
        self._last: tuple[str, list[tuple[str, str]]] = "", []

    def learn(self, title: str, host: str = "") -> None:
        """Count a title's last segments."""
        known = self._hosts.setdefault(host, _HostSuffixes()) if host else None
        if known is not None:
            known.titles += 1
        for head, tail in self._endings(title):
            if known is not None:
                _count(known.tails, tail, head, _MAX_HOST_ENDINGS)
            _count(self._everywhere, tail, head, _MAX_ENDINGS)

    def without_suffix(self, title: str, host: str = "", source: str = "") -> str:
        """The title without labels and the names of site and section; source: the site's name, if known."""
        left, named = title.strip(), False
        for head, tail in self._endings(title):
            is_name = self._is_name(tail, host) or (bool(source) and tail == _key(source))
            if not is_name and not (named and len(head) >= 2 * _MIN_HEAD_CHARS and _SECTION.fullmatch(tail)):
                break
            left, named = head, named or is_name
        return without_labels(left)

    def fingerprint(self, title: str) -> int:
        """The fingerprint of a title with an ending that was or could be cut off, 0 for other titles."""
        return fingerprint(title) if self._endings(title) else 0

    def _endings(self, title: str) -> list[tuple[str, str]]:
        """See `_endings`. Cached for the last title, since most titles are learned and then cut."""
        if self._last[0] is not title:
            self._last = title, list(_endings(title, _split(title)))
        return self._last[1]

    def _is_name(self, tail: str, host: str) -> bool:
        known = self._hosts.get(host)
        if known is not None and known.titles >= _MIN_HOST_TITLES:
            seen = known.tails.get(tail)
            if seen and seen[0] >= max(3, _MIN_HOST_SHARE * known.titles):
                return True
        seen = self._everywhere.get(tail)
        return (seen is not None and seen[0] >= _MIN_HEADS_ANYWHERE) or _NAME.fullmatch(tail) is not None

    def state(self) -> dict[str, Any]:
        """The learned endings as plain lists and mappings."""
        hosts = {name: [host.titles, host.tails.plain()] for name, host in self._hosts.items()}
        return {"hosts": hosts, "everywhere": self._everywhere.plain()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> "SuffixLearner":
        """The learner with this state."""
        learner = cls()
        learner._hosts = {
            name: _HostSuffixes(titles, FewCandidates(tails)) for name, (titles, tails) in state["hosts"].items()
        }
        learner._everywhere = ManyCandidates(state["everywhere"])
        return learner


def _count(tails: SuffixCandidates, tail: str, head: str, most: int) -> None:
    """Count a title with this ending, unless the last such title had the same beginning."""
    checksum = sum(map(ord, head)) & 0x7FFFFFFF
    seen = tails.get(tail)
    if seen is None and len(tails) >= most:
        tails.forget_rare()
    if seen is None or seen[1] != checksum:
        tails.put(tail, seen[0] + 1 if seen else 1, checksum)


def _split(title: str) -> list[tuple[int, int]]:
    """Bounds of separators, the last first, at most `_MAX_SEGMENTS`."""
    if not _MAY_SEPARATE.search(title):
        return []
    title = title[:1_000]
    return [match.span() for match in _SEPARATOR.finditer(title)][: -_MAX_SEGMENTS - 1 : -1]


def _endings(title: str, separators: Iterable[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Heads and the folded segment after each, from the end inwards."""
    end = len(title)
    for start, stop in separators:
        tail, head = _key(title[stop:end]), title[:start].strip()
        if not tail or len(tail) > _MAX_ENDING_CHARS or len(head) < _MIN_HEAD_CHARS:
            return
        yield head, tail
        end = start


def _key(tail: str) -> str:
    return fold(tail).strip()
