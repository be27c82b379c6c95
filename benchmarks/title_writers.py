"""Four nodes that write to one log of titles; one is killed and the server hangs on the way: does every replica decide alike?"""

import hashlib
import io
import multiprocessing
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgpack
import redis
from scrapy.settings import BaseSettings

from benchmarks.title_files import lines
from pipelines.stores.base import StoreAwayError
from pipelines.titles.log import Entry
from pipelines.titles.replica import Replica
from pipelines.titles.shared import SharedTitles
from pipelines.titles.stream import open_stream
from tests.servers import ServerProcess, redis_server

_T = TypeVar("_T")
_WRITERS = 4
_BATCH = 20
_KEY = "{bench}"
_SNAPSHOT_EVERY = 50_000
_HANGS = 8.0
"""Seconds for which the server does not answer: longer than a node waits."""


def writers_table(data: Path, titles: int) -> None:
    """Run them; print what differs from a serial replay, which has to be nothing."""
    texts = [line["title"] for line in lines(data / "titles_zh.jsonl.gz")]
    with tempfile.TemporaryDirectory() as name:
        server = redis_server(Path(name) / "redis")
        server.start()
        try:
            _run(server, Path(name), random.Random(3).sample(texts, min(len(texts), titles)), titles)
        finally:
            server.stop()


def _run(server: ServerProcess, folder: Path, texts: list[str], titles: int) -> None:
    context, address, hung = multiprocessing.get_context("spawn"), server.address, False
    writers = [context.Process(target=_write, args=(address, str(folder), texts, number)) for number in range(_WRITERS)]
    for writer in writers:
        writer.start()
    log, entries = open_stream(BaseSettings({"REDIS_URL": address, "TITLES_KEY": _KEY})), []
    while any(writer.is_alive() for writer in writers) or log.read(entries[-1][0]):
        more = log.read(entries[-1][0] if entries else "")
        entries.extend(more)
        if len(entries) >= titles:  # a quarter of all
            writers[0].kill()
        if len(entries) >= 2 * titles and not hung:
            hung = True
            server.pause()
            time.sleep(_HANGS)
            server.resume()
        if not more:
            time.sleep(0.001)
    if any(writer.exitcode for writer in writers[1:]):
        raise RuntimeError("a writer that was not killed has failed")
    late = SharedTitles(log, Replica(), _SNAPSHOT_EVERY)
    digests = {path.read_text() for path in folder.glob("*.digest")} | {_digest(late.replica)}
    _report(folder, entries, digests)


def _write(address: str, folder: str, texts: list[str], number: int) -> None:
    """Tell all of them in an order of one's own, some with a site's name behind; note what each was found to be."""
    client = redis.Redis.from_url(address, socket_timeout=10 * _HANGS)
    log, order = open_stream(BaseSettings({"REDIS_URL": address, "TITLES_KEY": _KEY})), list(enumerate(texts))
    titles = _patiently(partial(SharedTitles, log, Replica(), _SNAPSHOT_EVERY))
    random.Random(number).shuffle(order)
    started, count = time.process_time(), 0
    with (Path(folder) / f"{number}.decisions").open("wb", buffering=0) as file:
        for start in range(0, len(order), _BATCH):
            batch = [_entry(place, text, number) for place, text in order[start : start + _BATCH]]
            decided = _patiently(partial(titles.decide, batch))
            file.write(
                b"".join(msgpack.packb((e.key, d.verdict, d.story)) for e, d in zip(batch, decided, strict=True))
            )
            count += len(batch)
    spent = time.process_time() - started
    if number:
        client.incr("done")
    while int(client.get("done") or 0) < _WRITERS - 1:
        time.sleep(0.05)
    titles.replica.catch_up(titles.log)
    (Path(folder) / f"{number}.digest").write_text(_digest(titles.replica))
    print(
        f"writer {number}: {count:,} titles brought, {spent / titles.replica.applied * 1e6:.0f} µs CPU a title applied"
    )


def _patiently(call: Callable[[], _T]) -> _T:
    """As a crawl does: again when the server is back."""
    while True:
        try:
            return call()
        except StoreAwayError:
            time.sleep(0.5)


def _entry(place: int, text: str, writer: int) -> Entry:
    ending = " - 大河新闻网" if (place + writer) % 4 == 0 else ""
    return Entry(f"{writer:04x}{place:016x}", text + ending, f"site{writer}.example")


def _digest(replica: Replica) -> str:
    return hashlib.sha256(b"".join(replica.snapshot().parts)).hexdigest()


def _report(folder: Path, entries: list[tuple[str, Entry]], digests: set[str]) -> None:
    serial, right, texts, again, changed = Replica(), {}, {}, 0, 0
    for place, entry in entries:
        decision = serial.apply(place, entry)
        told = decision.verdict, decision.story
        again += entry.key in right
        changed += right.setdefault(entry.key, told) != told
        texts[entry.key] = entry.title
    differ, accepted, told = 0, Counter[str](), Counter[str]()
    for path in folder.glob("*.decisions"):
        told[path.stem] = 0
        for key, verdict, story in msgpack.Unpacker(io.BytesIO(path.read_bytes())):
            told[path.stem] += 1
            differ += right[key] != (verdict, story)
            accepted[texts[key]] += verdict != "repost"
    print(f"{len(entries):,} titles in the log; decisions read: {dict(sorted(told.items()))} (0 was killed)")
    print(
        f"replicas (three writers, a late node) that differ from a serial replay: {len(digests | {_digest(serial)}) - 1}"
    )
    print(f"entries that came again: {again}, decided otherwise than at first: {changed}")
    print(f"decisions that differ from a serial replay: {differ}")
    print(
        f"the same title accepted as new or suspected more than once: {sum(count > 1 for count in accepted.values())}"
    )
