"""The part of XPath that rules for sites need: steps down the tree with conditions, each read as a mask over the page.

`//div[@id='main']/p[2]`, `.//span[contains(@class, 'time')]`, `//meta[@name='author']/@content`, `//h1/text()`, several with `|`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import NoReturn

import numpy as np

from extractors.html.columns import Columns
from extractors.html.tree_masks import (
    Mask,
    SelectorError,
    above,
    below,
    counted_by,
    earlier_sibling,
    inside,
    named,
    with_attribute,
    with_own_text,
    with_text,
)

_TOKEN = re.compile(r"\s*(//|/|\[|\]|\(|\)|\||,|!=|=|@|::|\"[^\"]*\"|'[^']*'|[\w.*-]+)", re.ASCII)
_CLASS_WORD = re.compile(
    r"contains\s*\(\s*concat\s*\(\s*(['\"]) \1\s*,\s*(?:normalize-space\s*\(\s*@class\s*\)|@class)\s*,\s*(['\"]) \2\s*\)\s*,"
    r"\s*(['\"]) ([^'\"]+) \3\s*\)"
)
"""How XPath asks for one of the words of a class."""
_MAX_NESTED_CONDITIONS = 20
Test = Callable[[Columns, Mask], Mask]
"""Of a page and the elements reached so far: those that pass."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path: `mask` of a page and of the elements from which it begins; `attribute` that it ends with, "" for none."""

    mask: Test
    attribute: str = ""


def read(text: str) -> Path:
    """The path of a text. Raises SelectorError for what is not known here."""
    return _Reader(_CLASS_WORD.sub(lambda found: f"class-word('{found[4].strip()}')", text), text).path()


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, text: str, written: str) -> None:
        self._written, self._nested = written, 0
        self._tokens, place = list[str](), 0
        while place < len(text.rstrip()):
            found = _TOKEN.match(text, place)
            if found is None:
                self._fail(f"{text[place:].strip()[:20]!r} is not known")
            self._tokens.append(found[1])
            place = found.end()
        self._tokens.append("")

    def path(self) -> Path:
        paths = [self._one_path()]
        while self._takes("|"):
            paths.append(self._one_path())
        if self._tokens[0]:
            self._fail(f"{self._tokens[0]!r} is not known here")
        if len({path.attribute for path in paths}) > 1:
            self._fail("the paths joined by | must end with the same attribute")
        return Path(
            lambda columns, start: reduce(np.logical_or, (path.mask(columns, start) for path in paths)),
            paths[0].attribute,
        )

    def _one_path(self) -> Path:
        self._takes(".")
        steps: list[Test] = []
        while self._tokens[0] in ("/", "//"):
            far = self._next() == "//"
            if self._takes("@"):
                if far:
                    steps.append(lambda columns, mask: below(columns, mask) | mask)
                return Path(_chained(steps), self._next())
            if self._tokens[:3] == ["text", "(", ")"]:
                del self._tokens[:3]
                break
            steps.append(self._step(far, first=not steps))
        if not steps:
            self._fail("a path begins with // or /")
        return Path(_chained(steps))

    def _step(self, far: bool, first: bool) -> Test:
        axis, name = "child", self._next()
        if self._takes("::"):
            axis, name = name, self._next()
        if not re.fullmatch(r"[a-zA-Z][\w-]*|\*", name):
            self._fail(f"{name!r} is not a name")
        moves: dict[str, Callable[[Columns, Mask], Mask]] = {
            "child": below if far else inside,
            "descendant": below,
            "following-sibling": earlier_sibling,
        }
        if axis not in moves or (far and axis == "following-sibling"):
            self._fail(f"the axis {axis} is not known")
        move, conditions = moves[axis], list[Test]()
        while self._takes("["):
            if axis == "following-sibling" and (self._tokens[0].isdecimal() or self._tokens[0] == "last"):
                self._fail("a number after following-sibling is not read")
            conditions.append(self._condition())
            self._expect("]")

        def found(columns: Columns, mask: Mask) -> Mask:
            reached = move(columns, mask)
            if first and not far and mask[0]:  # the page's own element is a child of the page
                reached = reached | mask
            return _chained(conditions)(columns, reached & named(columns, name))

        return found

    def _condition(self) -> Test:
        self._nested += 1
        if self._nested > _MAX_NESTED_CONDITIONS:
            self._fail("it has too many conditions")
        each = [self._all_of()]
        while self._takes("or"):
            each.append(self._all_of())
        return lambda columns, mask: reduce(np.logical_or, (test(columns, mask) for test in each))

    def _all_of(self) -> Test:
        tests = [self._test()]
        while self._takes("and"):
            tests.append(self._test())
        return lambda columns, mask: reduce(np.logical_and, (test(columns, mask) for test in tests))

    def _test(self) -> Test:
        token = self._tokens[0]
        if token.isdecimal():
            number = int(self._next())
            return lambda columns, mask: _numbered(columns, mask, number)
        if token == "last" and self._takes("last", "(", ")"):
            return lambda columns, mask: _numbered(columns, mask, 0)
        if token == "not" and self._takes("not", "("):
            test = self._condition()
            self._expect(")")
            return lambda columns, mask: mask & ~test(columns, mask)
        if token in ("contains", "starts-with", "class-word"):
            return self._words(self._next())
        if token == "@":
            return self._attribute()
        if self._takes("text", "(", ")", "="):
            return _of(with_own_text, self._text())
        name = self._next()
        if not re.fullmatch(r"[a-zA-Z][\w-]*", name):
            self._fail(f"{name!r} is not known in a condition")
        return lambda columns, mask: mask & above(columns, named(columns, name), direct=True)

    def _attribute(self) -> Test:
        self._expect("@")
        name = self._next()
        if self._tokens[0] not in ("=", "!="):
            return lambda columns, mask: mask & with_attribute(columns, name, lambda _: True)
        is_same, wanted = self._next() == "=", self._text()
        return lambda columns, mask: mask & with_attribute(columns, name, lambda value: (value == wanted) is is_same)

    def _words(self, function: str) -> Test:
        self._expect("(")
        if function == "class-word":
            word = self._text()
            self._expect(")")
            return lambda columns, mask: mask & with_attribute(columns, "class", lambda value: word in value.split())
        if self._takes("@"):
            name = self._next()
            self._expect(",")
            wanted = self._text()
            self._expect(")")
            if function == "starts-with":
                return lambda columns, mask: (
                    mask & with_attribute(columns, name, lambda value: value.startswith(wanted))
                )
            return lambda columns, mask: mask & with_attribute(columns, name, lambda value: wanted in value)
        own = self._takes("text", "(", ")")
        if function == "starts-with" or not (own or self._takes(".")):
            self._fail(f"{function}() is read of an attribute, and contains() also of . or text()")
        self._expect(",")
        test = _of(with_own_text if own else with_text, self._text())
        self._expect(")")
        return test

    def _text(self) -> str:
        token = self._next()
        if token[:1] not in ("'", '"'):
            self._fail(f"a text in quotes must be in place of {token!r}")
        return token[1:-1]

    def _takes(self, *tokens: str) -> bool:
        if self._tokens[: len(tokens)] != list(tokens):
            return False
        del self._tokens[: len(tokens)]
        return True

    def _expect(self, token: str) -> None:
        if not self._takes(token):
            self._fail(f"{token!r} is missing before {self._tokens[0]!r}")

    def _next(self) -> str:
        return self._tokens.pop(0) if len(self._tokens) > 1 else self._fail("it ends too early")

    def _fail(self, reason: str) -> NoReturn:
        raise SelectorError(f"{self._written!r} is not an XPath that is read here: {reason}")


def _of(test: Callable[[Columns, str], Mask], wanted: str) -> Test:
    return lambda columns, mask: mask & test(columns, wanted)


def _chained(steps: list[Test]) -> Test:
    def found(columns: Columns, mask: Mask) -> Mask:
        for step in steps:
            mask = step(columns, mask)
        return mask

    return found


def _numbered(columns: Columns, mask: Mask, number: int) -> Mask:
    """The elements with this number among those of the mask in their parent; 0 for the last."""
    places = np.flatnonzero(mask)
    parents = columns.parent[places].astype(np.int64)
    counted = counted_by(parents) if number else counted_by(parents[::-1])[::-1]
    found = np.zeros(len(columns), np.bool_)
    found[places[counted == (number or 1)]] = True
    return found
