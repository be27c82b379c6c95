"""The few requests of OpenSearch that the search index makes."""

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urlsplit, urlunsplit
from urllib.request import ProxyHandler, Request, build_opener

from pipelines.stores.base import StoreError

_SECONDS = 60.0
_INDEX = "topicrawl"
_BULK_BYTES = 10_000_000
"""Of one request; OpenSearch takes at most 100 MB."""
_opener = build_opener(ProxyHandler({}))
"""Proxies are for crawls."""


class Client:
    """One index of a server.

    Args:
        address: https://user:password@host:9200/index; without a path the index is "topicrawl".

    Raises StoreError for an address that is none; so does every request that fails, without the password.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise StoreError("OPENSEARCH_URL must be like https://user:password@host:9200/index")
        self.index = parts.path.strip("/") or _INDEX
        self._base = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "", "", ""))
        self._headers = {"Content-Type": "application/x-ndjson"}
        if parts.username:
            secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {base64.b64encode(secret.encode()).decode()}"

    @property
    def location(self) -> str:
        """For people; without passwords."""
        return f"{self._base}/{self.index}"

    def describe(self) -> Mapping[str, Any] | None:
        """Settings and mappings of the index; None if there is none."""
        answer = self._ask("GET", "", missing=True)
        return answer and dict(next(iter(answer.values())))

    def create(self, index: Mapping[str, Any]) -> None:
        """An empty index in the place of the one that is there."""
        self._ask("DELETE", "", missing=True)
        self._ask("PUT", "", index)

    def bulk(self, actions: Iterable[Sequence[Mapping[str, Any]]]) -> None:
        """Index and delete documents; they are found when this returns. To delete what is not there is no error.

        Args:
            actions: each with its document, if it has one.
        """
        waiting, size = list[bytes](), 0
        for action in actions:
            waiting.append("".join(f"{json.dumps(part)}\n" for part in action).encode())
            size += len(waiting[-1])
            if size > _BULK_BYTES:
                self._send(b"".join(waiting))
                waiting, size = [], 0
        if waiting:
            self._send(b"".join(waiting))

    def _send(self, body: bytes) -> None:
        answer = self._ask("POST", "/_bulk?refresh=true", body) or {}
        for item in answer.get("items", ()):
            for result in item.values():
                if result.get("error"):
                    raise StoreError(f"OpenSearch refuses a document: {str(result['error'])[:300]}")

    def search(self, query: Mapping[str, Any]) -> Mapping[str, Any]:
        """The whole answer: hits, aggregations."""
        answer = self._ask("POST", "/_search", query) or {}
        if answer.get("timed_out") or (answer.get("_shards") or {}).get("failed"):
            raise StoreError("OpenSearch has answered from a part of its index only; try again")
        return answer

    def _ask(self, method: str, path: str, sent: Any = None, *, missing: bool = False) -> dict[str, Any] | None:
        """The answer; None for what is missing, if that may be."""
        body = sent if sent is None or isinstance(sent, bytes) else json.dumps(sent).encode()
        request = Request(f"{self._base}/{quote(self.index)}{path}", body, self._headers, method=method)
        try:
            with _opener.open(request, timeout=_SECONDS) as answer:
                return dict(json.loads(answer.read() or b"{}"))
        except HTTPError as error:
            if missing and error.code == 404:
                return None
            reason = error.read(300).decode(errors="replace")
            raise StoreError(f"OpenSearch answers {error.code} to {method} {self.index}{path}: {reason}") from None
        except (OSError, ValueError) as error:
            raise StoreError(f"OpenSearch at {self._base} cannot be asked: {error}") from None
