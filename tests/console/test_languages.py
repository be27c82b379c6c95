"""No page says an English sentence to Chinese readers, nor a Chinese word to English ones; what was collected stays as it is."""

import re
from collections.abc import Iterator, Sequence

import lxml.html
import pytest
from lxml.html import HtmlElement
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from testbed.console_views import views
from tests.console.alerting import fill_alerts
from tests.console.collecting import fill_collecting
from tests.console.conftest import LogIn, filled
from tests.console.filling import fill
from tests.console.happenings import fill_events
from tests.console.steering import fill_steering

app_context = filled(fill, fill_events, fill_alerts, fill_collecting, fill_steering)
NOT_READ = ("bdi", "code", "pre", "script", "style", "q", "textarea")
"""Elements with collected text, commands and what readers have typed."""
SHOWN = ("title", "placeholder", "aria-label", "data-l", "alt")
SENTENCE = re.compile(r"(?:[A-Za-z][a-z']*,? ){3,}[a-z']+")
HAN = re.compile(r"[\u4e00-\u9fff]+")


def texts(element: HtmlElement) -> Iterator[str]:
    if element.tag in NOT_READ or not isinstance(element.tag, str):
        return
    yield from (element.get(name, "") for name in SHOWN)
    yield element.text or ""
    for child in element:
        yield from texts(child)
        yield child.tail or ""


def others(
    client: TestClient, paths: Sequence[str], language: str, pattern: re.Pattern[str]
) -> Iterator[tuple[str, str]]:
    """What pages in this language say in the other one, and nothing collected says too."""
    for path in paths:
        answer = client.get(f"{path}?lang={language}")
        page = lxml.html.document_fromstring(answer.text)
        collected = "\n".join(element.text_content() for name in ("bdi", "q") for element in page.iter(name))
        found = (words for text in texts(page) for words in pattern.findall(text))
        yield from ((path, words) for words in found if words != "中文" and words not in collected)


def test_each_page_is_in_one_language(app_context: AppContext, log_in: LogIn) -> None:
    client = log_in("admin")
    html = {path for path in views(app_context.store, most=1) if not path.startswith("/api") and "?" not in path}
    html.discard("/reports/report.html")  # it quotes pages, and has tests of its own
    paths = sorted(path for path in html if "text/html" in client.head(path).headers["content-type"])
    assert len(paths) > 25
    assert list(others(client, paths, "zh", SENTENCE)) == []
    assert list(others(client, paths, "en", HAN)) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_refusals_are_in_the_readers_language(log_in: LogIn, language: str) -> None:
    client = log_in("admin")
    answer = client.get(f"/articles?lang={language}&q=NOT")
    assert ("NOT 之后缺少词" in answer.text) is (language == "zh")
    assert ("a word is missing behind NOT" in answer.text) is (language == "en")
