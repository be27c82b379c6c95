"""With which characters a match of a pattern may begin, so that few texts need to be tried.

What is found may be too much, never too little: behind what is not understood, anything may follow.
"""

from importlib import import_module
from typing import Any

_WIDEST = 16
"""Characters of a set beyond which it stands for any."""


def heads(pattern: str, most: int) -> frozenset[str]:
    """The beginnings of all matches, up to so many characters each; any digit is "0", any white space is " ". A shorter
    one may be followed by anything, so that "" is in what cannot be told."""
    try:
        parser: Any = import_module("re._parser")
        return frozenset(head.rstrip(_OPEN) for head in _of(parser.parse(pattern), most))
    except Exception:  # Python's own reading of patterns is not for others: it may change
        return frozenset([""])


_OPEN = "\0"
"""Stands where anything may follow."""


def token(character: str) -> str:
    """What stands for a character in `heads`."""
    return "0" if character.isdecimal() else " " if character.isspace() else character


def _of(parts: Any, most: int) -> set[str]:
    found = {""}
    for kind, said in parts:
        following = _of_part(str(kind), said, most)
        found = {head if _is_full(head, most) else (head + more)[:most] for head in found for more in following}
        if all(_is_full(head, most) for head in found):
            break
    return found


def _is_full(head: str, most: int) -> bool:
    return len(head) >= most or head.endswith(_OPEN)


def _of_part(kind: str, said: Any, most: int) -> set[str]:
    if kind == "LITERAL":
        return {token(chr(said))}
    if kind == "IN":
        return _of_set(said)
    if kind == "BRANCH":
        return set().union(*(_of(branch, most) for branch in said[1]))
    if kind == "SUBPATTERN" and not said[1] and not said[2]:
        return _of(said[3], most)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _repeated(_of(said[2], most), said[0], said[1], most)
    return {""} if kind in _NO_WIDTH else {_OPEN}


_NO_WIDTH = ("AT", "ASSERT", "ASSERT_NOT")


def _repeated(once: set[str], least: int, at_most: int, most: int) -> set[str]:
    """So many times in a row; more than `most` times are no longer told apart."""
    found, heads = set(), {""}
    for times in range(min(int(at_most), most) + 1):
        if times >= min(least, most):
            found |= heads
        heads = {head if _is_full(head, most) else (head + more)[:most] for head in heads for more in once}
    return found


def _of_set(said: Any) -> set[str]:
    found = set()
    for kind, what in said:
        if str(kind) == "LITERAL":
            found.add(token(chr(what)))
        elif str(kind) == "RANGE" and what[1] - what[0] < _WIDEST:
            found |= {token(chr(code)) for code in range(what[0], what[1] + 1)}
        elif str(kind) == "CATEGORY" and str(what) in _CATEGORIES:
            found.add(_CATEGORIES[str(what)])
        else:
            return {_OPEN}
    return found


_CATEGORIES = {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " "}
