"""The first characters that a match of a pattern may have, so that few texts need to be tried.

The result may have too many prefixes, never too few: an unsupported construct may match anything.
"""

from importlib import import_module
from typing import Any

_MAX_SET_CHARS = 16
"""Larger sets of characters count as any character."""


def possible_prefixes(pattern: str, max_chars: int) -> frozenset[str]:
    """The first `max_chars` characters of all possible matches; "0" stands for any digit, " " for any white space. Anything may
    follow a shorter prefix, so the result contains "" if a match may begin with anything."""
    try:
        parser: Any = import_module("re._parser")
        return frozenset(prefix.rstrip(_OPEN) for prefix in _of(parser.parse(pattern), max_chars))
    except Exception:  # the parser is private to Python and may change
        return frozenset([""])


_OPEN = "\0"
"""Ends a prefix after which anything may follow."""


def token(character: str) -> str:
    """The token of a character in a prefix."""
    return "0" if character.isdecimal() else " " if character.isspace() else character


def _of(parts: Any, max_chars: int) -> set[str]:
    found = {""}
    for kind, argument in parts:
        following = _of_part(str(kind), argument, max_chars)
        found = {
            prefix if _is_full(prefix, max_chars) else (prefix + more)[:max_chars]
            for prefix in found
            for more in following
        }
        if all(_is_full(prefix, max_chars) for prefix in found):
            break
    return found


def _is_full(prefix: str, max_chars: int) -> bool:
    return len(prefix) >= max_chars or prefix.endswith(_OPEN)


def _of_part(kind: str, argument: Any, max_chars: int) -> set[str]:
    if kind == "LITERAL":
        return {token(chr(argument))}
    if kind == "IN":
        return _of_set(argument)
    if kind == "BRANCH":
        return set().union(*(_of(branch, max_chars) for branch in argument[1]))
    if kind == "SUBPATTERN" and not argument[1] and not argument[2]:
        return _of(argument[3], max_chars)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _repeated(_of(argument[2], max_chars), argument[0], argument[1], max_chars)
    return {""} if kind in _NO_WIDTH else {_OPEN}


_NO_WIDTH = ("AT", "ASSERT", "ASSERT_NOT")


def _repeated(once: set[str], least: int, at_most: int, max_chars: int) -> set[str]:
    """Prefixes of `least` to `at_most` repetitions; more than `max_chars` of them make no difference."""
    found, prefixes = set(), {""}
    for times in range(min(int(at_most), max_chars) + 1):
        if times >= min(least, max_chars):
            found |= prefixes
        prefixes = {
            prefix if _is_full(prefix, max_chars) else (prefix + more)[:max_chars]
            for prefix in prefixes
            for more in once
        }
    return found


def _of_set(argument: Any) -> set[str]:
    found = set()
    for kind, what in argument:
        if str(kind) == "LITERAL":
            found.add(token(chr(what)))
        elif str(kind) == "RANGE" and what[1] - what[0] < _MAX_SET_CHARS:
            found |= {token(chr(code)) for code in range(what[0], what[1] + 1)}
        elif str(kind) == "CATEGORY" and str(what) in _CATEGORIES:
            found.add(_CATEGORIES[str(what)])
        else:
            return {_OPEN}
    return found


_CATEGORIES = {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " "}
