"""robots.txt by RFC 9309, parsed in one pass; a query takes about the same time for any length of the file.

Scrapy's default parser takes time for each pair of user agent and rule, so that a server can make it take seconds.
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urlsplit

from scrapy.crawler import Crawler
from scrapy.robotstxt import RobotParser

MAX_BYTES = 512 * 1024
"""The rest is ignored. RFC 9309 requires at least 500 KiB."""
_CODED_START = 64
_MAX_PATTERN_CHARS = 2_000
_MAX_WILDCARDS = 1_000
_MAX_WILDCARD_CHARS = 50_000
"""Total of all rules with an inner "*". Further ones are cut before the first "*", and dropped if only "/" is left."""
_MAX_SITEMAPS = 20
_MAX_KNOWN_AGENTS = 200
_LINE = re.compile(
    r"[^\S\n]*+(?:(?:(user[- ]?agent)|(allow)|(dis{1,2}?al{1,2}ow|diasllow|disallaw)"
    r"|(crawl[- ]delay)|(site-?maps?|host)|request[- ]rate|visit[- ]time)"
    # without a colon of its own the line must have none that ends a name
    r"(?:[^\S\n]*+:|(?=[^\S\n#]|$)(?![^:#\n]*+:(?:\s|$)))|[^:#\n]++:)[^\S\n]*+([^#\n]*+)",
    re.I,
)
_SITEMAP = re.compile(r"^[^\S\r\n]*+site-?maps?[^\S\r\n]*+:?[^\S\r\n]*+([^\s#]++)", re.I | re.M)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_DELIMITERS = frozenset("/?#%*$")
"""Characters that mean something else when they are escaped."""
_KEPT = "/?%*$="
Rule = tuple[str, bool]
"""A pattern, and whether it allows its matches."""


def _decoded(body: bytes) -> str:
    """The text as UTF-8, as RFC 9309 requires; as UTF-16 with a byte order mark or with zero bytes between letters."""
    start = body[:_CODED_START]
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif len(start) > 1 and not start[1::2].strip(b"\0"):
        encoding = "utf-16-le"
    else:
        encoding = "utf-16-be" if start and not start[::2].strip(b"\0") else "utf-8-sig"
    return body[:MAX_BYTES].decode(encoding, "replace")


def named_sitemaps(body: bytes) -> list[str]:
    """The addresses of sitemaps that a robots.txt names; at most twenty."""
    found = _SITEMAP.finditer(_decoded(body))
    return [match[1] for match, _ in zip(found, range(_MAX_SITEMAPS), strict=False)]


class RobotsRules(RobotParser):
    """The rules in the first `MAX_BYTES` of a robots.txt. Never raises."""

    def __init__(self, body: bytes) -> None:
        self._agents: dict[str, list[int]] = {}
        self._rules: list[list[Rule]] = []
        self._delays: dict[int, float] = {}
        self._read(_decoded(body))
        self._matcher = lru_cache(_MAX_KNOWN_AGENTS)(self._make_matcher)

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> "RobotsRules":
        return cls(robotstxt_body)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Whether this agent may fetch the address."""
        return self._matcher(_text(user_agent)).allows(_path(_text(url)))

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """The file's seconds between requests for this agent; None if it sets none."""
        return max(
            (self._delays[group] for group in self._groups(_text(user_agent)) if group in self._delays), default=None
        )

    def _read(self, text: str) -> None:
        group, open_for_agents = -1, False
        for line in re.split(r"[\r\n]+", text):
            if not (found := _LINE.match(line)):
                continue
            agent, allow, disallow, delay, of_site, value = found.groups()
            value = value.strip()
            if of_site:  # it does not end a group
                continue
            if agent and not open_for_agents:
                self._rules.append([])
                group = len(self._rules) - 1
            open_for_agents = bool(agent)
            if agent and value:
                for name in {value.lower(), value.lower().replace("*", "") or "*"}:
                    self._agents.setdefault(name, []).append(group)
            elif group >= 0 and value and (allow or disallow) and len(value) <= _MAX_PATTERN_CHARS:
                self._rules[group].append((_pattern(value), bool(allow)))
            elif group >= 0 and delay:
                self._keep_delay(group, value)

    def _keep_delay(self, group: int, value: str) -> None:
        if re.fullmatch(r"\d{1,7}(?:\.\d{1,6})?", value):
            self._delays[group] = float(value)

    def _groups(self, user_agent: str) -> list[int]:
        """The groups of the longest name in the file that is a word of the agent's, else of "*"."""
        agent = user_agent.strip().lower()
        names = (name for name in self._agents if name in agent and re.search(rf"(?<![\w-]){re.escape(name)}", agent))
        return self._agents.get(max(names, key=len, default="*"), [])

    def _make_matcher(self, user_agent: str) -> "_Matcher":
        return _Matcher(rule for group in self._groups(user_agent) for rule in self._rules[group])


_Strength = tuple[int, bool]
"""The length of a rule's pattern, and whether it allows. The strongest matching rule decides."""
_NONE: _Strength = (-1, True)


class _Matcher:
    """Answers for one agent."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._prefixes: dict[str, _Strength] = {}
        self._exact: dict[str, _Strength] = {}
        self._wildcards: list[tuple[_Strength, _Wildcard]] = []
        self._wildcard_chars = 0
        for pattern, allows in rules:
            self._add(pattern, allows)
            if pattern.endswith("$"):  # some files mean a literal "$"
                self._add(f"{pattern[:-1]}%24", allows)
            if allows and pattern.endswith("/index.html"):
                self._add(pattern.removesuffix("index.html") + "$", allows)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})
        self._wildcards.sort(key=lambda rule: rule[0], reverse=True)

    def _add(self, pattern: str, allows: bool) -> None:
        head, star, rest = pattern.partition("*")
        strength = len(pattern), allows
        if not star and pattern.endswith("$"):
            self._exact[pattern[:-1]] = max(strength, self._exact.get(pattern[:-1], strength))
        elif not rest.strip("*"):
            self._prefixes[head] = max(strength, self._prefixes.get(head, strength))
        elif len(self._wildcards) < _MAX_WILDCARDS and self._wildcard_chars + len(pattern) <= _MAX_WILDCARD_CHARS:
            self._wildcard_chars += len(pattern)
            self._wildcards.append((strength, _Wildcard.of(pattern)))
        elif not allows and len(head) > 1:
            self._prefixes.setdefault(head, (len(head), False))

    def allows(self, path: str) -> bool:
        """Whether an address with this path and query may be fetched."""
        if path.partition("?")[0] == "/robots.txt":
            return True
        lengths = self._lengths[: bisect_right(self._lengths, len(path))]
        found = [self._prefixes.get(path[:length], _NONE) for length in lengths]
        best = max(found, default=_NONE)
        best = max(best, self._exact.get(path, _NONE))
        for strength, pattern in self._wildcards:
            if strength <= best:
                break
            if pattern.matches(path):
                return strength[1]
        return best[1]


@dataclass(frozen=True, slots=True)
class _Wildcard:
    """A pattern with an inner "*", as the parts between; the last part may be anchored to the end of the path."""

    parts: tuple[str, ...]
    ends: bool

    @classmethod
    def of(cls, pattern: str) -> "_Wildcard":
        return cls(tuple(re.sub(r"\*+", "*", pattern.removesuffix("$")).split("*")), pattern.endswith("$"))

    def matches(self, path: str) -> bool:
        """Whether the path matches; each part is matched at its first occurrence, so that one pass is enough."""
        first, *middle, last = self.parts
        if not path.startswith(first):
            return False
        place = len(first)
        for part in middle:
            found = path.find(part, place)
            if found < 0:
                return False
            place = found + len(part)
        return path.endswith(last) and len(path) - len(last) >= place if self.ends else path.find(last, place) >= 0


def _path(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    path = (parts.path or "/") + (f"?{parts.query}" if "?" in url.partition("#")[0] else "")
    return _normal(path[:_MAX_PATTERN_CHARS]).replace("$", "%24").replace("*", "%2A")


def _normal(path: str) -> str:
    """One spelling of each character: escaped, in upper case, or not."""
    return quote(_ESCAPE.sub(_unescaped, path), safe=_KEPT)


def _pattern(value: str) -> str:
    """A rule's value with normalised escapes; a "$" before the end is a literal. An absolute address is a path like any other."""
    normal = _normal(f"/{value}" if value.startswith(("http://", "https://")) else value)
    return normal[:-1].replace("$", "%24") + normal[-1:]


def _unescaped(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character if "!" <= character <= "~" and character not in _DELIMITERS else escape[0].upper()


def _text(value: str | bytes) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
