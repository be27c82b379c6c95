"""`scrapy reread` as people use it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pipelines.stores.base import Store
from tests.pipelines.test_rereading import _of_host, _store

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(tmp_path: Path, store: Store, scrapy: Run) -> Run:
    _store(store, [_of_host("a.example", number) for number in range(12)])
    return partial(scrapy, "reread", STORE=f"sqlite:///{tmp_path}/a.db")


def test_it_says_what_would_change_changes_it_and_has_nothing_left_to_do(run: Run) -> None:
    out, _, code = run("--dry-run", "--where", "host = a.example")
    assert ("12 pages read, 12 would change" in out, code) == (True, 0)
    out, _, code = run()
    assert ("12 pages read, 12 changed" in out, "body" in out, code) == (True, True, 0)
    assert run()[0] == "12 pages read, 0 changed\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["--limit", "-1"], "1 or more"), (["--where", "nonsense = 1"], "no column"), (["extra"], "unknown: extra")],
)
def test_mistakes_get_a_sentence(run: Run, words: list[str], sentence: str) -> None:
    out, said, code = run(*words)
    assert (sentence in out + said, code > 0) == (True, True)


def test_conditions_that_no_page_meets_are_said(run: Run) -> None:
    out, said, code = run("--where", "host = a.exmple")
    assert (said, code) == ("no stored page meets these conditions\n", 1)
    assert "0 pages read" in out
