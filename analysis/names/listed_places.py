"""Lists of places in texts in letters, by the word for what they are: eleven districts, including Kamrup and Golaghat."""

import re

from analysis.names.capital_runs import RUN

_BEHIND = re.compile(r"(?:,? and)? (?:towns|villages|districts|cities|provinces|suburbs|counties|rivers|valleys)\b")
"""The Ghaggar, Tangri and Markanda rivers."""
_BETWEEN = re.compile(r", (?:and )?| and ")
_MAX_LISTED = 20
_MAX_LIST_CHARS = 300
_BEFORE = re.compile(
    r"\b(?:towns|villages|districts|cities|provinces|suburbs|counties|countries|states|regions),? (?:of|including|like|such as) "
)
"""Eleven districts, including Kamrup and Golaghat."""
_ASIDE = re.compile(r" \([^()]{0,40}\)")


def is_listed_place(text: str, start: int, end: int) -> bool:
    """Whether a capitalised run is in a list of names whose kind stands before or behind the list."""
    return end - start > 1 and (_is_before_kinds(text, end) or _is_behind_kinds(text, start))


def _is_before_kinds(text: str, end: int) -> bool:
    for _ in range(_MAX_LISTED):
        if _BEHIND.match(text, end):
            return True
        if not (between := _BETWEEN.match(text, end)) or not (following := RUN.match(text, between.end())):
            return False
        end = following.end()
    return False


def _is_behind_kinds(text: str, start: int) -> bool:
    """Whether there are nothing but names between the word for what they are and this place."""
    for kinds in _BEFORE.finditer(text, max(0, start - _MAX_LIST_CHARS), start):
        at = kinds.end()
        while name := RUN.match(text, at):
            if start < name.end():
                return True
            aside = _ASIDE.match(text, name.end())
            if not (between := _BETWEEN.match(text, aside.end() if aside else name.end())):
                break
            at = between.end()
    return False
