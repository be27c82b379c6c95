"""Both forms of every kernel give equal values for all that pages ask of them."""

import gzip
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import extractors
from extractors.article import decay_text, density_text
from extractors.article.blocks import find_blocks
from extractors.article.plain_text import to_text
from extractors.kernels import forms
from extractors.page import Page
from extractors.records import layout_records, leafpath_records
from extractors.scripted import missing_text
from extractors.titles import TitleIndex, title_text
from extractors.titles.additions import added, fill
from extractors.titles.wording import signs_of
from extractors.topic import grams
from extractors.topic.concepts import ConceptFinder
from extractors.topic.model import Term
from testbed.shared_data import SHARED
from tests.extractors.kernels.both_forms import difference, needs_extension
from tests.extractors.records.engines import ENGINES, LISTS
from tests.extractors.records.engines.content import furniture, lines, nested, posts, with_quotes

for _module in pkgutil.walk_packages(extractors.__path__, "extractors."):
    if _module.name != "extractors.kernels.native":
        import_module(_module.name)

pytestmark = needs_extension

NOW = datetime(2026, 1, 2, tzinfo=UTC)
URL = "http://www.some.site/thread-7-2-1.html"
STORY = (
    "<html lang=zh><meta charset=utf-8><title>市政府召开会议 - 新闻网</title>"
    "<meta name=author content=张三><script type=application/ld+json>{'@type': 'NewsArticle'}</script><body class=page>"
    "<div class='nav side'><a href=/>首页</a><a href=/b/>财经</a></div><div id=content class='article main'><h1>市政府召开会议</h1>"
    "<p class=info>2024-05-01 10:00 来源：新闻网 责任编辑：李四</p>"
    + "<p>昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见。与会者说，<b>今年</b>的工作比往年多。</p>"
    * 9
    + "<pre>x = 1\n  y = 2</pre><ul><li>一</li><li>二</li></ul><table><tr><td>a</td><td>b</td></tr></table>"
    "<h2>相关阅读</h2><ul class=related><li><a href=/a/1.html>另一条新闻</a><li><a href=/a/2.html>再一条新闻</a></ul></div>"
    "<div class=comments><div class=comment><b>王五</b><p>说得好</p></div></div><a href=?page=2>下一页</a>"
    "<div class=footer style=display:none>© 2024 版权所有</div><p>昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见。</p>"
)
PIECES = (STORY, STORY.replace("<p>", "<div>"), "", "x", "<p>x", "<a " + "b=1 " * 3_000 + ">x", "<div>x" * 300)


@dataclass
class Tried:
    """How often each kernel was called, and for which calls its forms differ."""

    calls: Counter[str] = field(default_factory=Counter)
    differences: dict[str, list[str]] = field(default_factory=dict)

    def compare(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """What the compiled form gives, or an object of both forms for a class; differences are put down."""
        compiled, numpy = forms[name].compiled, forms[name].numpy
        assert compiled
        if isinstance(numpy, type):
            return Both(self, name, compiled(*arguments, **named), numpy(*arguments, **named))
        return self.call(name, compiled, numpy, arguments, named)

    def call(
        self, name: str, compiled: Callable[..., Any], numpy: Callable[..., Any], arguments: Any, named: Any
    ) -> Any:
        """What `compiled` gives, compared with what `numpy` gives for copies of the arrays."""
        given = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
        found, wanted = compiled(*arguments, **named), numpy(*given, **named)
        self.calls[name] += 1
        if where := difference(found, wanted) or difference(arguments, given, "arguments"):
            self.differences.setdefault(name, []).append(where)
        return found


@dataclass
class Both:
    """An object of a kernel's class in both forms; calls of methods are compared."""

    tried: Tried
    name: str
    compiled: Any
    numpy: Any

    def __getattr__(self, method: str) -> Callable[..., Any]:
        ours, theirs = getattr(self.compiled, method), getattr(self.numpy, method)
        return lambda *arguments, **named: self.tried.call(self.name, ours, theirs, arguments, named)


def pages() -> Iterator[bytes]:
    """Pages of every kind that records and articles come in."""
    yield from (piece.encode() for piece in PIECES)
    yield STORY.encode("gb18030")
    for build, _, _, told in ENGINES.values():
        content = nested(with_quotes(posts(1, chinese="english" not in told)))
        yield f"<meta charset=utf-8><body>{build(content)}".encode()
    for build, *_ in LISTS.values():
        yield f"<meta charset=utf-8><body>{furniture()}{build(lines(1))}".encode()


def read(body: bytes) -> None:
    """All that is read of a page."""
    page = Page(body, URL, fetched_at=NOW)
    _ = page.records, page.article, page.links, missing_text(page)
    blocks = find_blocks(page.columns)
    to_text(blocks, np.ones(len(blocks), np.bool_))
    for method in (density_text, decay_text, layout_records, leafpath_records):
        method(body)
    terms = [Term(word, dynamic=word == "计划") for word in ("市政府", "政府", "计划", "会议", "the")]
    ConceptFinder(terms).find(page.columns.texts)
    grams.grams(page.columns.texts, most=400)
    index = TitleIndex()
    for text in (page.article.title, *(link.text for link in page.links[:40])):
        title = title_text(text)
        index.search(title)
        index.add(title)
        signs_of(title, title_text(f"{text} 续"), 0.6)
    fill(TitleIndex(), added(index))


@pytest.fixture(scope="module")
def tried() -> Tried:
    """The pages of this file, read with each call of a kernel answered by both of its forms."""
    return compared(pages())


def compared(bodies: Iterable[bytes]) -> Tried:
    """The calls of kernels while these pages are read."""
    found = Tried()
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, found.compare)
        forget()
        for body in bodies:
            read(body)
    forget()
    return found


def forget() -> None:
    """Drops what functions keep, objects of kernels' classes among it."""
    for module in [module for name, module in sys.modules.items() if name.startswith("extractors.")]:
        for value in vars(module).values():
            if clear := getattr(value, "cache_clear", None):
                clear()


def watch(patch: pytest.MonkeyPatch, compare: Callable[[str, tuple[Any, ...], dict[str, Any]], Any]) -> None:
    """Has every module call kernels through `compare`."""
    names = {form.compiled: name for name, form in forms.items()}

    def watched(name: str) -> Callable[..., Any]:
        return lambda *arguments, **named: compare(name, arguments, named)

    for module in [module for name, module in sys.modules.items() if name.startswith("extractors.")]:
        for attribute, value in list(vars(module).items()):
            if callable(value) and module.__name__ != "extractors.kernels.native" and is_one(value, names):
                patch.setattr(module, attribute, watched(names[value]))


def is_one(value: Any, names: dict[Any, str]) -> bool:
    """Whether it is a kernel's compiled form; what cannot be hashed is none."""
    try:
        return value in names
    except TypeError:
        return False


@pytest.mark.parametrize("name", sorted(forms))
def test_both_forms_give_the_same(name: str, tried: Tried) -> None:
    assert tried.calls[name], "no page calls it"
    assert not tried.differences.get(name)


@pytest.mark.shared
def test_both_forms_give_the_same_for_pages_of_the_web() -> None:
    paths = sorted(path for path in (SHARED / "data").rglob("*.html.gz") if crc32(path.name.encode()) % 400 == 0)
    tried = compared(gzip.decompress(path.read_bytes()) for path in paths)
    assert tried.calls
    assert not tried.differences
