"""No parser takes what a server answers for the name of a file or an address."""

import ast
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from crawler.engines.catalog import built_in
from crawler.engines.protocol.engine import BlockedError, Engine, NoResultsError, Reply
from crawler.links.robots_rules import RobotsRules, named_sitemaps
from crawler.login.forms import FormError, LoginFields, find_login_form, self_sent
from crawler.proxies.proxy_lists import ProxyError, read_proxies
from crawler.watching.listings import read_feed_listing
from extractors.article import decay_text, density_text, main_text
from extractors.feeds.declared_feeds import read_feed
from extractors.html.encoding import decode
from extractors.page import Page
from extractors.records import layout_records, leafpath_records
from extractors.scripted import missing_text

ROOT = Path(__file__).resolve().parents[2]
URL = "http://a.example/t/1.html"
SECRET = "thesecretofthismachine"


def form_of(body: bytes) -> Any:
    """Both ways of reading a form."""
    response = HtmlResponse(URL, body=body, request=Request(URL))
    try:
        return self_sent(response), find_login_form(response, LoginFields(), at_login=True)
    except FormError as error:
        return str(error)


def engine_answer(engine: Engine) -> Callable[[bytes], Any]:
    """How an engine's answer is read; its own errors are fine."""

    def read(body: bytes) -> Any:
        try:
            return engine.results(Reply(URL, 200, body, {"content-type": "application/rss+xml"}))
        except (BlockedError, NoResultsError, ValueError, KeyError) as error:
            return str(error)

    return read


def page_of(body: bytes) -> Any:
    page = Page(body, URL)
    return page.article, page.records, page.links, missing_text(page)


PARSERS: dict[str, Callable[[bytes], Any]] = {
    "feed": lambda body: read_feed(body, URL),
    "source": lambda body: read_feed_listing(body, URL),
    "robots": lambda body: (RobotsRules(body).allowed(URL, "topicrawl"), named_sitemaps(body)),
    "page": page_of,
    "text": lambda body: (main_text(body), density_text(body), decay_text(body)),
    "records": lambda body: (layout_records(body), leafpath_records(body)),
    "charset": lambda body: (
        decode(body).text,
        decode(b"\xff\xfe\xfd", f"text/html; charset={body.decode('latin-1')}").text,
    ),
    "forms": form_of,
    "proxies": lambda body: proxies_in(body),
    **{f"engine {name}": engine_answer(engine) for name, engine in built_in().items()},
}


def proxies_in(body: bytes) -> Any:
    """What a provider of proxies answers."""
    try:
        return read_proxies(body.decode("utf-8", "replace"), "provider", own=False)
    except ProxyError as error:
        return str(error)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this machine that each of these parsers would like."""
    path = tmp_path_factory.mktemp("secret") / "local.xml"
    path.write_text(
        f"<rss><channel><item><title>{SECRET}</title><link>http://a.example/{SECRET}</link></item></channel></rss>"
    )
    return path


def names(local: Path) -> Iterator[bytes]:
    """What could be taken for a name or an address: alone, as a reference, and as an entity or inclusion of XML."""
    for name in (
        str(local),
        f"file://{local}",
        "/dev/zero",
        "/dev/stdin",
        "http://127.0.0.1:9/inside",
        "${TOPICRAWL_SECRET}",
    ):
        yield name.encode()
        yield f" \n{name}\n".encode()
        yield json.dumps(name).encode()
        yield f"http://{name}@a.example:80".encode()
        yield f'<!DOCTYPE r [<!ENTITY e SYSTEM "{name}">]><rss><channel><item><link>&e;</link></item></channel></rss>'.encode()
        yield f'<?xml version="1.0"?><!DOCTYPE urlset SYSTEM "{name}"><urlset><url><loc>&e;</loc></url></urlset>'.encode()
        yield f'<?xml-stylesheet href="{name}"?><rss xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="{name}"/></rss>'.encode()
        yield f"<html><base href='{name}'><link rel=stylesheet href='{name}'><form action='{name}'><input type=password></form>".encode()


OPENED: list[str] = []
_watching = False


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching and event in (
        "open",
        "socket.connect",
        "socket.getaddrinfo",
        "urllib.Request",
        "os.system",
        "subprocess.Popen",
    ):
        OPENED.append(f"{event} {arguments[:2]!r}")


sys.addaudithook(_audit)


@pytest.mark.parametrize("parser", PARSERS)
def test_no_answer_opens_anything(parser: str, local: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    global _watching
    monkeypatch.setenv("TOPICRAWL_SECRET", SECRET)
    PARSERS[parser](b"<html><p>text</p>")  # what is read once, is read now
    for body in names(local):
        OPENED.clear()
        _watching = True
        try:
            found = PARSERS[parser](body)
        finally:
            _watching = False
        opened = [each for each in OPENED if any(word in each for word in (str(local), "/dev/", "127.0.0.1", "socket"))]
        assert not opened, body
        assert SECRET not in repr(found), body


LIBRARIES = {
    "feedparser",
    "lxml",
    "htmldate",
    "dateparser",
    "yaml",
    "xml",
    "bs4",
    "parsel",
    "resiliparse",
    "html5lib",
    "pickle",
}
READERS = {
    "crawler/checks/rules_by_example.py": "rules of the operator",
    "crawler/commands/site.py": "rules of the operator",
    "crawler/config/topic_file.py": "files of the operator",
    "crawler/config/topics.py": "files of the operator",
    "crawler/config/translation.py": "sentences of the project",
    "crawler/config/yaml_file.py": "files of the operator",
    "crawler/identities/secrets.py": "a file of the operator",
    "crawler/metasearch/queries.py": "a file of the operator",
    "crawler/engines/protocol/rules.py": "selectors of the operator",
    "crawler/login/forms.py": "forms",
    "crawler/sources/recipe_text.py": "nothing: it writes YAML",
    "pipelines/propagation.py": "nothing: it writes XML",
}
"""Modules that use such a library, and what they read with it: one of `PARSERS`, or nothing that a server sends."""


def test_no_other_module_parses() -> None:
    """Of `extractors` all is reached by `feed`, `page`, `text`, `records` and `charset`."""
    found = set()
    for path in [*ROOT.glob("crawler/**/*.py"), *ROOT.glob("pipelines/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(module.split(".")[0] in LIBRARIES for module in modules):
                found.add(str(path.relative_to(ROOT)))
    assert found == set(READERS)
