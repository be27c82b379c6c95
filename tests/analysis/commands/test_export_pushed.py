"""`scrapy export --to`: each row at least once, whatever dies when."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from analysis.delivery.post import webhook_sign
from analysis.pushing import following, receiving
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.local_server import AnsweringHandler, serving

Run = Callable[..., tuple[str, str, int]]
ROWS = 95


def page(number: int, minute: int) -> dict[str, str]:
    return {
        "key": f"k{number}",
        "url": f"http://a.example/{number}",
        "fetched_at": f"2026-11-01T00:{minute:02}:00+00:00",
    }


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/a.db")) as opened:
        yield opened


@pytest.fixture
def run(store: Store, tmp_path: Path, scrapy: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    store.upsert(PAGES, [page(number, number % 60) for number in range(ROWS)]).result()
    monkeypatch.setattr(following, "BATCH_ROWS", 5)
    monkeypatch.chdir(tmp_path)
    Path("damaged").write_text("{")
    settings = {"STORE": f"sqlite:///{tmp_path}/a.db", "DATA_DIR": str(tmp_path), "ALLOW_PRIVATE_ADDRESSES": True}
    return partial(scrapy, "export", **settings)


def lines(path: Path) -> list[str]:
    return [json.loads(line)["key"] for line in path.read_bytes().splitlines()]


def test_ten_kills_lose_no_row_and_a_later_run_sends_only_what_is_new(
    run: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, whole = 0, os.fsync

    def killed(handle: int) -> None:
        """Half of the deaths come after a batch is on the disk and before the place is, the others after both."""
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise KeyboardInterrupt
        whole(handle)

    out = tmp_path / "rows.jsonl"
    monkeypatch.setattr(os, "fsync", killed)
    for _ in range(10):
        assert run("--to", "rows.jsonl")[2] == 130
        with out.open("ab") as file:
            file.write(b'{"key": "a line that was cut')
    monkeypatch.setattr(os, "fsync", whole)
    assert run("--to", "rows.jsonl")[2] == 0
    assert set(lines(out)) == {f"k{number}" for number in range(ROWS)}
    before = len(lines(out))
    store.upsert(PAGES, [page(ROWS, 45), page(3, 59)]).result()  # one that arrives late, and one that has changed
    assert "2 rows" in run("--to", "rows.jsonl")[1]
    assert sorted(lines(out)[before:]) == ["k3", f"k{ROWS}"]


def test_a_webhook_gets_signed_batches_until_it_accepts_them(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[str] = []
    answers = [503, 429, 200]

    class Receiver(AnsweringHandler):
        def do_POST(self) -> None:  # the library's name
            body = self.rfile.read(int(self.headers["Content-Length"]))
            key, seconds = self.headers["webhook-id"], int(self.headers["webhook-timestamp"])
            assert self.headers["webhook-signature"] == webhook_sign("secret", key, seconds, body)
            status = answers.pop(0) if answers else 200
            if status == 200:
                got.extend(row["key"] for row in json.loads(body)["rows"])
            self.answer(status=status)

    monkeypatch.setenv("ROWS_SECRET", "secret")
    monkeypatch.setattr(receiving.time, "sleep", lambda seconds: None)
    with serving(Receiver) as server:
        words = ("--to", f"http://127.0.0.1:{server.server_port}/rows?token=x", "--secret-from", "ROWS_SECRET")
        _, said, code = run(*words)
        assert (code, "token" in said) == (0, False)
        answers.append(400)
        assert run(*words, "--table", "urls")[2] == 0  # nothing to send
        _, said, code = run(*words, "--cursor", "other.json")
        assert (code, "status 400" in said) == (1, True)
    assert sorted(got) == sorted(f"k{number}" for number in range(ROWS))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--follow"], "needs --to"),
        (["--to", "ftp://a/b"], "must begin with https"),
        (["--to", "x.jsonl", "--table", "authors"], "is computed"),
        (["--to", "x.jsonl", "--cursor", "damaged"], "not the place of an export"),
        (["--to", "http://a/", "--secret-from", "NO_SUCH"], "NO_SUCH is not in the environment"),
    ],
)
def test_mistakes_are_said_in_a_sentence(run: Run, words: list[str], sentence: str) -> None:
    _, said, code = run(*words)
    assert (code, "Traceback" in said) == (1, False)
    assert sentence in said
