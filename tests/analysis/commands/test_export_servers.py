"""`scrapy export --to` PostgreSQL and Kafka: real servers, which refuse, stop and come back."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from confluent_kafka import Consumer, TopicPartition

from analysis.pushing import following, receiving, to_kafka
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.servers import ServerProcess
from testbed.servers.pushing import kafka_server, postgresql_server
from tests.conftest import started

Run = Callable[..., tuple[str, str, int]]
ROWS = 23
PASSWORD = "p@ss/word"


@pytest.fixture(scope="module")
def postgresql() -> Iterator[ServerProcess]:
    folder = Path(tempfile.mkdtemp(prefix="topicrawl-postgresql-"))  # not pytest's: another user must reach it
    try:
        with started(postgresql_server, folder, PASSWORD) as server:
            yield server
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with started(kafka_server, tmp_path_factory.mktemp("kafka"), PASSWORD) as server:
        yield server


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/a.db")) as opened:
        yield opened


def page(number: int, title: str = 'a\0 title \\u0000 "quoted" 地震') -> dict[str, object]:
    at = f"2026-11-01T00:{number:02}:00+00:00"
    return {"key": f"k{number}", "url": f"http://a.example/{number}", "title": title, "depth": number, "relevance": 0.5,
            "keywords": ["a\0", "b"], "fetched_at": at}  # fmt: skip


@pytest.fixture
def run(store: Store, tmp_path: Path, scrapy: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    store.upsert(PAGES, [page(number) for number in range(ROWS)]).result()
    monkeypatch.setattr(following, "BATCH_ROWS", 5)
    monkeypatch.setenv("PUSH_PASSWORD", PASSWORD)
    monkeypatch.setenv("WRONG", "wrong")
    return partial(scrapy, "export", STORE=f"sqlite:///{tmp_path}/a.db", DATA_DIR=str(tmp_path))


def asked(server: ServerProcess, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.address, password=PASSWORD) as client:
        return client.execute(query.encode()).fetchall()


def test_a_table_of_postgresql_has_each_row_once_in_its_newest_state(
    run: Run, store: Store, postgresql: ServerProcess, tmp_path: Path
) -> None:
    words = ("--to", f"{postgresql.address}#public.news", "--secret-from", "PUSH_PASSWORD")
    _, said, code = run(*words)
    assert (code, PASSWORD in said, f"{ROWS} rows" in said) == (0, False, True)
    one = asked(postgresql, "SELECT title, depth, relevance, keywords FROM news WHERE key = 'k3'")
    assert one == [('a title \\u0000 "quoted" 地震', 3, 0.5, ["a", "b"])]
    store.upsert(PAGES, [page(3, "new") | {"fetched_at": "2026-11-01T00:59:00+00:00"}]).result()
    assert "1 rows" in run(*words)[1]
    assert run(*words, "--cursor", str(tmp_path / "again.json"))[2] == 0  # all of them a second time
    assert asked(postgresql, "SELECT count(*), count(*) FILTER (WHERE title = 'new') FROM news") == [(ROWS, 1)]


def test_rows_wait_for_a_postgresql_that_stops(
    run: Run, postgresql: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends before the second batch and comes back during the second pause."""
    pauses: list[float] = []
    take = following.Cursor.move

    def moved(cursor: following.Cursor, taken: list[tuple[str, str]]) -> None:
        take(cursor, taken)
        if not pauses:
            postgresql.stop()

    def slept(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            postgresql.start()

    monkeypatch.setattr(following.Cursor, "move", moved)
    monkeypatch.setattr(receiving, "time", SimpleNamespace(sleep=slept))
    _, said, code = run("--to", f"{postgresql.address}#stopped", "--secret-from", "PUSH_PASSWORD")
    assert (code, said.count("the rows wait")) == (0, 1)
    assert pauses[:2] == [1.0, 2.0]
    assert asked(postgresql, "SELECT count(*) FROM stopped") == [(ROWS,)]


def taken(server: ServerProcess, topic: str, count: int) -> dict[str, list[str]]:
    """Titles of all messages under their keys; waits until all that are expected are there."""
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}
    login |= {"sasl.username": "writer", "sasl.password": PASSWORD}
    found: dict[str, list[str]] = {}
    with closing(Consumer({"bootstrap.servers": f"127.0.0.1:{server.port}", "group.id": "test", **login})) as consumer:
        consumer.assign([TopicPartition(topic, partition, 0) for partition in (0, 1)])
        while sum(map(len, found.values())) < count:
            message = consumer.poll(20.0)
            assert message is not None
            found.setdefault(message.key().decode(), []).append(json.loads(message.value())["title"])
    return found


def test_a_topic_of_kafka_gets_rows_under_their_keys_and_they_wait_while_it_is_down(
    run: Run, store: Store, kafka: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(to_kafka._PRODUCER, "message.timeout.ms", 300)
    address = f"kafka://writer@127.0.0.1:{kafka.port}/news?security.protocol=SASL_PLAINTEXT"
    words = ("--to", address, "--secret-from", "PUSH_PASSWORD")
    assert run(*words)[2] == 0
    take = to_kafka.KafkaReceiver.take

    def taken_after_a_stop(receiver: to_kafka.KafkaReceiver, rows: list[receiving.SentRow]) -> None:
        kafka.stop()
        take(receiver, rows)

    def slept(seconds: float) -> None:
        if not kafka.is_running:
            kafka.start()

    store.upsert(PAGES, [page(3, "new") | {"fetched_at": "2026-11-01T00:59:00+00:00"}]).result()
    monkeypatch.setattr(to_kafka.KafkaReceiver, "take", taken_after_a_stop)
    monkeypatch.setattr(receiving, "time", SimpleNamespace(sleep=slept))
    _, said, code = run(*words)
    assert (code, PASSWORD in said, "the rows wait" in said) == (0, False, True)
    found = taken(kafka, "news", ROWS + 1)
    assert set(found) == {f"k{number}" for number in range(ROWS)}
    assert found["k3"] == [page(3)["title"], "new"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--to", "postgresql://a/b", "--columns", "title"], "must have the key of pages: key"),
        (["--to", "postgresql://127.0.0.1:1/b"], "refused"),
        (["--to", "postgresql://127.0.0.1/b?no_such=1"], "no_such"),
        (["--to", "kafka://127.0.0.1:1/t"], "refused"),
        (["--to", "kafka:///t"], "has no host"),
        (["--to", "kafka://127.0.0.1:1/t?plugin.library.paths=/x"], "plugin.library.paths cannot be set"),
        (["--to", "kafka://127.0.0.1:1/t?security.protocol=no"], "security.protocol"),
    ],
)
def test_mistakes_are_said_in_a_sentence(
    run: Run, words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(to_kafka, "_SECONDS", 0.5)
    _, said, code = run(*words)
    assert (code, "Traceback" in said, said.count("\n")) == (1, False, 1)
    assert sentence in said


def test_a_wrong_password_is_told(
    run: Run, postgresql: ServerProcess, kafka: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(to_kafka, "_SECONDS", 0.5)
    for address in (
        postgresql.address,
        f"kafka://writer@127.0.0.1:{kafka.port}/t?security.protocol=SASL_PLAINTEXT",
    ):
        _, said, code = run("--to", address, "--secret-from", "WRONG")
        assert (code, "Traceback" in said, "authentication" in said.casefold()) == (1, False, True)
