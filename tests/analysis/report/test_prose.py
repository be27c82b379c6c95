"""Paragraphs by a language model, from a small server that also lies."""

import json
import time
from typing import Any

import pytest

from analysis.report.prose import ProseError, ProseModel, checked, write_prose
from analysis.summary import SummarySentence
from testbed.servers import wait_until
from tests.analysis.delivery.receivers import receiver

PAGES = [
    SummarySentence(1, "辽宁海城发生4.3级地震", "辽宁省海城市发生4.3级地震，震源深度10公里，没有人员伤亡。"),
    SummarySentence(2, "沈阳震感明显", "沈阳、大连震感明显，学校组织疏散。"),
]


def answered(content: Any, **model: Any) -> Any:
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    with receiver(lambda got: (200, body, {})) as web:
        found = write_prose(ProseModel(f"{web.url}/v1", "m", "secret", 5.0, True, **model), PAGES)
        (got,) = web.got
    assert got.path == "/v1/chat/completions"
    assert got.headers["authorization"] == "Bearer secret"
    assert "[1] 辽宁海城发生4.3级地震" in got.values["messages"][1]["content"]
    return found


def test_what_is_cited_and_borne_is_kept() -> None:
    found = answered("辽宁海城发生4.3级地震，没有人员伤亡[1]。沈阳震感明显，学校组织疏散 [2]。")
    assert found.sentences == (("辽宁海城发生4.3级地震，没有人员伤亡", (1,)), ("沈阳震感明显，学校组织疏散", (2,)))
    assert (found.dropped, found.by) == (0, "m (127.0.0.1)")


@pytest.mark.parametrize(
    "lie",
    [
        "辽宁海城发生4.3级地震。",
        "辽宁海城发生4.3级地震[7]。",
        "辽宁海城发生4.3级地震[1][7]。",
        "辽宁海城发生7.8级地震[1]。",
        "总统昨天宣布辞职并离开首都[1]。",
        "[1][2]",
        "",
        "震" * 5_000 + "[1]",
    ],
)  # fmt: skip
def test_a_lie_is_dropped(lie: str) -> None:
    assert answered(lie).sentences == ()


def test_a_sentence_without_a_page_goes_and_the_next_one_stays() -> None:
    sentences, dropped = checked("世界末日到了。沈阳震感明显[2]。请点击链接。", PAGES)
    assert sentences == (("沈阳震感明显", (2,)),)
    assert dropped == 2


@pytest.mark.parametrize(("status", "body"), [(500, b""), (200, b"no json"), (200, b'{"choices": []}'),
                                              (200, b'{"choices": [{"message": {"content": 5}}]}'),
                                              (200, b"[" * 300_000)])  # fmt: skip
def test_an_answer_that_cannot_be_read_is_said(status: int, body: bytes) -> None:
    with receiver(lambda got: (status, body, {})) as web, pytest.raises(ProseError):
        write_prose(ProseModel(web.url, allow_private=True), PAGES)


def test_a_slow_server_and_a_private_one() -> None:
    with receiver(lambda got: (time.sleep(0.8), (200, b"", {}))[1]) as web:  # type: ignore[func-returns-value]
        with pytest.raises(ProseError, match="did not respond"):
            write_prose(ProseModel(web.url, seconds=0.2, allow_private=True), PAGES)
        with pytest.raises(ProseError, match="private address"):
            write_prose(ProseModel(web.url), PAGES)
        wait_until(lambda: bool(web.got), "the request that nobody waits for any more")
        assert len(web.got) == 1
    assert write_prose(ProseModel("http://a.example"), []) is None


def test_hostile_answers_take_no_time() -> None:
    begun = time.process_time()
    for text in ("[1]" * 20_000, "a " * 50_000 + "[1]", "[" * 50_000, "。" * 50_000 + "[1]"):
        checked(text[:8_000], PAGES)
    assert time.process_time() - begun < 1.0
