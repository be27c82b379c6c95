"""Messages in the store: each is sent once, tried again later, and survives a kill; on both stores."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from analysis.delivery.channels import AnyChannel, Channel
from analysis.delivery.message import Message
from analysis.delivery.message_text import text_of
from analysis.delivery.outbox import Outbox
from pipelines.stores.alert_tables import ALERT_MESSAGES
from pipelines.stores.base import Row, Store
from pipelines.stores.opening import open_store
from tests.analysis.delivery.receivers import Got, Receiver, receiver

REPOSITORY = Path(__file__).parents[3]
HOOK: Channel = TypeAdapter(AnyChannel).validate_python({"kind": "webhook", "url_from": "HOOK"})
MESSAGE = Message("a-1", "Quake", "3 sites")


class Clock:
    time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiver() as found:
        monkeypatch.setenv("HOOK", f"{found.url}/path-that-is-secret")
        yield found


def rows(store: Store) -> list[Row]:
    return sorted(store.select(ALERT_MESSAGES), key=lambda row: row["key"])


def test_each_message_is_sent_once(store: Store, web: Receiver) -> None:
    box = Outbox(store, {"hook": HOOK}, allow_private=True)
    for _ in range(3):
        box.put(MESSAGE, "hook", alert="a", number=1)
        box.deliver()
    other = Outbox(store, {"hook": HOOK}, allow_private=True)
    assert other.deliver() == (0, 0)
    assert [got.values["id"] for got in web.got] == ["a-1-hook"]
    assert [(row["state"], row["attempts"]) for row in rows(store)] == [("sent", 1)]


def test_failures_wait_longer_and_longer_and_hide_secrets(store: Store, web: Receiver) -> None:
    clock = Clock()
    web.answer = lambda got: (503, b"", {"Retry-After": "200"} if len(web.got) == 2 else {})
    box = Outbox(store, {"hook": HOOK}, allow_private=True, clock=clock)
    box.put(MESSAGE, "hook")
    waits = []
    for _ in range(4):
        assert box.deliver() == (0, 1)
        assert box.deliver() == (0, 0)
        (row,) = rows(store)
        waits.append(row["due"] - clock.time)
        clock.time = row["due"]
    assert waits == [30.0, 200.0, 120.0, 240.0]
    assert "503" in row["error"]
    assert "path-that-is-secret" not in str(row)
    assert not web.got[-1].values["again"]
    web.answer = lambda got: (200, b"", {})
    assert box.deliver() == (1, 0)


def test_an_unknown_channel_and_a_replaced_message_are_not_sent(store: Store, web: Receiver) -> None:
    box = Outbox(store, {"hook": HOOK}, allow_private=True)
    box.put(MESSAGE, "gone", alert="b", number=1)
    box.put(MESSAGE, "hook", alert="a", number=1, due=0.0)
    box.replace("a", 2)
    box.put(Message("a-2", "Quake", "9 sites"), "hook", alert="a", number=2)
    assert box.deliver() == (1, 1)
    assert [row["state"] for row in rows(store)] == ["failed", "replaced", "sent"]
    assert [got.values["id"] for got in web.got] == ["a-2-hook"]


SENDER = """
import sys
from tests.analysis.delivery.test_outbox import HOOK, MESSAGE
from analysis.delivery.outbox import Outbox
from pipelines.stores.opening import open_store
store = open_store(sys.argv[1])
box = Outbox(store, {"hook": HOOK}, allow_private=True)
box.put(MESSAGE, "hook", alert="a", number=1)
box.deliver()
"""


def killed_while_sending(address: str, web: Receiver) -> None:
    """A process is killed with -9 when its message has arrived and before it knows."""
    process = subprocess.Popen([sys.executable, "-c", SENDER, address], cwd=REPOSITORY, env=dict(os.environ))

    def kill(got: Got) -> tuple[int, bytes, dict[str, str]]:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return 200, b"", {}

    web.answer = kill
    process.wait(60)


def test_a_message_survives_a_kill_and_says_when_it_may_come_twice(address: str, web: Receiver) -> None:
    killed_while_sending(address, web)
    web.answer = lambda got: (200, b"", {})
    store, clock = open_store(address), Clock()
    try:
        (row,) = rows(store)
        assert (row["state"], row["attempts"]) == ("sending", 1)
        clock.time = row["until"] - 1
        box = Outbox(store, {"hook": HOOK}, allow_private=True, clock=clock)
        assert box.deliver() == (0, 0)
        clock.time = row["until"] + 1
        assert box.deliver() == (1, 0)
        assert box.deliver() == (0, 0)
    finally:
        store.close()
    first, second = web.got
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == "a-1-hook"
    assert (first.values["again"], second.values["again"]) == (False, True)
    assert "duplicate" in second.values["text"]


@pytest.mark.parametrize(
    ("text", "note"),
    [("3 个站点的 9 页报道", "可能重复"), ("3 sites and 9 pages report it in 海城", "may be a duplicate")],
)
def test_a_repetition_is_said_in_the_language_of_the_message(text: str, note: str) -> None:
    assert note in text_of(HOOK, Message("k", "海城", text, again=True), 1_000)
