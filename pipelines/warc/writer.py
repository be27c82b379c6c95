"""Writes exchanges into an archive on a thread of its own."""

import logging
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.warc.exchange import Exchange
from pipelines.warc.payloads import Origin, Payloads, payload_digest
from pipelines.warc.warc_files import WarcFiles, repair

logger = logging.getLogger(__name__)
_RETRY_SECONDS = 1.0
_BEHIND = "the archive is written more slowly than pages come"


@dataclass(frozen=True, slots=True)
class WarcOptions:
    """Where archives go and how they grow.

    Attributes:
        file_bytes: size at which the next file is begun.
        queue_bytes: size of waiting exchanges above which `WarcWriter.delay` asks for a pause.
        info: fields of the first record of each file.
    """

    folder: Path
    file_bytes: int
    queue_bytes: int
    info: Mapping[str, str]


class WarcWriter:
    """A bounded queue in front of the files. While a file cannot be written, exchanges wait, and `delay` says so.

    Attributes:
        written: exchanges in files.
        lost: exchanges in no file, because the disk failed until the end or they could not be converted.
    """

    def __init__(self, options: WarcOptions) -> None:
        from pipelines.warc.records import warcinfo  # needs an optional package

        self._options = options
        self._files = WarcFiles(options.folder, options.file_bytes, lambda name: warcinfo(name, options.info))
        self._payloads = Payloads()
        self._queue: queue.SimpleQueue[Exchange | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waiting_bytes = 0
        self._fault = ""
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self.written = self.lost = 0

    def start(self) -> None:
        """Repair the files of earlier runs, and start the thread."""
        self._thread = threading.Thread(target=self._run, name="warc", daemon=True)
        self._thread.start()

    def put(self, exchange: Exchange) -> None:
        """Queue an exchange without waiting; check `delay` before fetching more."""
        with self._lock:
            self._waiting_bytes += exchange.size
        self._queue.put(exchange)

    def delay(self) -> str:
        """Why fetching should pause; "" if it need not."""
        return self._fault or (_BEHIND if self._waiting_bytes > self._options.queue_bytes else "")

    def close(self) -> None:
        """Write waiting exchanges, and complete the file. Exchanges that cannot be written are lost, and the log has their number."""
        self._closing.set()
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        if self.lost:
            logger.error("%s answers are not in the archive %s", f"{self.lost:,}", self._options.folder)

    def _run(self) -> None:
        self._repair()
        while (exchange := self._queue.get()) is not None:
            self._write(exchange)
            with self._lock:
                self._waiting_bytes -= exchange.size
        self._complete()

    def _repair(self) -> None:
        try:
            for sentence in repair(self._options.folder):
                logger.info("%s", sentence)
        except OSError as error:
            logger.warning("A file of an earlier run in %s is not complete: %s", self._options.folder, error)

    def _write(self, exchange: Exchange) -> None:
        try:
            data, digest, origin = self._expressed(exchange)
        except Exception:
            logger.exception("%s cannot be converted to a WARC record and is not in the archive", exchange.url)
            self.lost += 1
            return
        if not self._append(data):
            self.lost += 1
            return
        self.written += 1
        if digest:
            self._payloads.add(digest, origin)

    def _expressed(self, exchange: Exchange) -> tuple[bytes, str, Origin]:
        """The record's bytes, the digest of a payload that revisits can refer to ("" for none), and its origin."""
        from pipelines.warc.records import exchange_records, warc_date

        digest, own = payload_digest(exchange.body), Origin(exchange.url, warc_date(exchange.at))
        whole = bool(exchange.body) and not exchange.truncated
        data = exchange_records(exchange, digest, self._payloads.origin(digest) if whole else None)
        return data, digest if whole else "", own

    def _append(self, data: bytes) -> bool:
        """Append with retries while that fails; False if the crawl ends first."""
        while True:
            try:
                self._files.append(data)
            except Exception as error:  # without the thread the crawl would pause for ever
                reason = getattr(error, "strerror", None) or error
                self._say(f"the archive in {self._options.folder} cannot be written: {reason}")
                if self._closing.wait(_RETRY_SECONDS):
                    return False
            else:
                self._say("")
                return True

    def _say(self, fault: str) -> None:
        if fault and not self._fault:
            logger.warning("%s; retrying every second", fault[0].upper() + fault[1:])
        self._fault = fault

    def _complete(self) -> None:
        try:
            self._files.close()
        except OSError as error:
            logger.warning("The last file in %s will be completed by the next run: %s", self._options.folder, error)
