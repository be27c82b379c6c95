"""The part of XPath that rules for sites need: steps down the tree with conditions, each read as a mask over the page.

`//div[@id='main']/p[2]`, `.//span[contains(@class, 'time')]`, `//meta[@name='author']/@content`, `//h1/text()`,
`//th[.='来源']/following-sibling::td[1]`, `(//time)[1]`, `//tr[position()>1]`, `//div[.//img]/..`, several with `|`.
"""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NoReturn

import numpy as np

from extractors.html.columns import Columns
from extractors.html.tree_masks import Mask, SelectorError, with_attribute, with_own_text, with_text
from extractors.html.xpath_axes import AXES, PathStep, Test, has_sides, leading, place_in_parent

_TOKEN = re.compile(r"\s*(//|/|\[|\]|\(|\)|\||,|!=|<=|>=|=|<|>|@|::|\"[^\"]*\"|'[^']*'|[\w.*-]+)", re.ASCII)
_TEXT_OF = re.compile(r"(?:normalize-space|string)\s*\((.*)\)")
"""Asks for the text on one line, as every value is given."""
_NAME = re.compile(r"[a-zA-Z][\w-]*|\*")
_COMPARISONS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_CLASS_WORD = re.compile(
    r"contains\s*\(\s*concat\s*\(\s*(['\"]) \1\s*,\s*(?:normalize-space\s*\(\s*@class\s*\)|@class)\s*,\s*(['\"]) \2\s*\)\s*,"
    r"\s*(['\"]) ([^'\"]+) \3\s*\)"
)
"""An XPath condition for one word of a class."""
_MAX_NESTED_CONDITIONS = 20


@dataclass(frozen=True, slots=True)
class Path:
    """A path: `mask` of a page and of the elements from which it begins; `attribute` that it ends with, "" for none."""

    mask: Test
    attribute: str = ""


def read(text: str) -> Path:
    """The path of a text. Raises SelectorError for what is not known here."""
    if whole := _TEXT_OF.fullmatch(text):
        text = whole[1].strip()
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
        path = self._union()
        if self._tokens[0]:
            self._fail(f"{self._tokens[0]!r} is not known here")
        return path

    def _union(self) -> Path:
        paths = [self._one_path()]
        while self._takes("|"):
            paths.append(self._one_path())
        if len({path.attribute for path in paths}) > 1:
            self._fail("the paths joined by | must end with the same attribute")
        return Path(
            lambda columns, start: reduce(np.logical_or, (path.mask(columns, start) for path in paths)),
            paths[0].attribute,
        )

    def _one_path(self) -> Path:
        steps: list[Test] = [self._grouped()] if self._tokens[0] == "(" else []
        self._takes(".")
        if not steps and self._takes("@"):
            return Path(_chained([]), self._next())
        while self._tokens[0] in ("/", "//"):
            far = self._next() == "//"
            if self._takes("@"):
                steps += [AXES["descendant-or-self"]] if far else []
                return Path(_chained(steps), self._next())
            if self._takes("text", "(", ")"):
                break
            steps.append(self._first_step(far) if not steps else self._step(far))
        if not steps:
            self._fail("a path begins with // or /")
        return Path(_chained(steps))

    def _grouped(self) -> Test:
        """`(…)[n]`: the number counts over all that the path finds."""
        self._expect("(")
        path = self._union()
        self._expect(")")
        if path.attribute:
            self._fail("an attribute belongs behind the brackets")
        if not self._takes("["):
            return path.mask
        place = -1 if self._takes("last", "(", ")") else self._number() - 1
        self._expect("]")

        def chosen(columns: Columns, mask: Mask) -> Mask:
            found = np.zeros(len(columns), np.bool_)
            places = np.flatnonzero(path.mask(columns, mask))
            found[places[place : place + 1 or None]] = True
            return found

        return chosen

    def _first_step(self, far: bool) -> Test:
        """The page's own element is a child of the page."""
        step = self._step(far)
        of_page = PathStep("self", step.name, step.conditions)
        if far or step.axis != "child":
            return step
        return lambda columns, mask: step(columns, mask) | (of_page(columns, mask) if mask[0] else False)

    def _step(self, far: bool) -> PathStep:
        axis, name = ("parent", "*") if self._takes("..") else self._axis_and_name()
        if far and axis != "child":
            self._fail(f"// before the axis {axis} is not read")
        axis, conditions, number = "descendant" if far else axis, list[Test](), 0
        while self._takes("["):
            if has_sides(axis) and self._tokens[0].isdecimal() and not (number or conditions):
                number = self._number()
            elif has_sides(axis) and self._tokens[0] in ("last", "position"):
                self._fail(f"a place after {axis} is read as a number only, as the first condition")
            else:
                conditions.append(self._condition())
            self._expect("]")
        return PathStep(axis, name, conditions, number)

    def _axis_and_name(self) -> tuple[str, str]:
        axis, name = "child", self._next()
        if self._takes("::"):
            axis, name = name, self._next()
        if axis not in AXES:
            self._fail(f"the axis {axis} is not known")
        if not _NAME.fullmatch(name):
            self._fail(f"{name!r} is not a name")
        return axis, name

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
            number = self._number()
            return _placed(lambda place, _: place == number)
        if self._takes("last", "(", ")"):
            return _placed(lambda place, count: place == count)
        if self._takes("position", "(", ")"):
            return self._position()
        if token == "not" and self._takes("not", "("):
            test = self._condition()
            self._expect(")")
            return lambda columns, mask: mask & ~test(columns, mask)
        if token in ("contains", "starts-with", "class-word"):
            return self._words(self._next())
        if token == "@":
            return self._attribute()
        if self._takes("text", "(", ")", "=") or self._takes(".", "="):
            return _of(with_own_text, self._text())
        return self._relative()

    def _position(self) -> Test:
        sign = self._next()
        if sign not in _COMPARISONS:
            self._fail(f"{sign!r} is not a comparison")
        compare = _COMPARISONS[sign]
        if self._takes("last", "(", ")"):
            return _placed(lambda place, count: compare(place, count))
        number = self._number()
        return _placed(lambda place, _: compare(place, number))

    def _relative(self) -> Test:
        """A path from the element itself, which must find something."""
        steps, far = list[PathStep](), False
        if self._takes("."):
            far = self._next() == "//"
        while True:
            if self._tokens[0] == "@":
                steps.append(PathStep("descendant-or-self" if far else "self", "*", [self._attribute()]))
                break
            steps.append(self._step(far))
            if self._tokens[0] not in ("/", "//"):
                break
            far = self._next() == "//"
        return lambda columns, mask: mask & leading(columns, steps)

    def _number(self) -> int:
        token = self._next()
        if not token.isdecimal() or len(token) > 6 or not int(token):
            self._fail(f"a number from 1 must be in place of {token!r}")
        return int(token)

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


def _chained(steps: Sequence[Test]) -> Test:
    def found(columns: Columns, mask: Mask) -> Mask:
        for step in steps:
            mask = step(columns, mask)
        return mask

    return found


def _placed(test: Callable[[Any, Any], Any]) -> Test:
    """Those whose number among the elements of their parent, and the count of these, pass."""

    def found(columns: Columns, mask: Mask) -> Mask:
        kept = np.zeros(len(columns), np.bool_)
        kept[np.flatnonzero(mask)[test(*place_in_parent(columns, mask))]] = True
        return kept

    return found
