"""A small HTTP server in the place of OpenSearch: it keeps documents, and evaluates the few clauses that the search index sends.

It is written from the public description of the query language, and is no OpenSearch: what it does not know it refuses with 400.
With TOPICRAWL_TEST_OPENSEARCH_URL=http://127.0.0.1:9200 in the environment the tests run a second time against that server, whose
indexes "web" and "other" they replace.
"""

import fnmatch
import json
import math
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

REAL_VARIABLE = "TOPICRAWL_TEST_OPENSEARCH_URL"
Found = dict[str, float]
"""Documents that match, by their id, with their scores."""


class _Index:
    def __init__(self, settings: Mapping[str, Any]) -> None:
        similarity = settings["settings"]["similarity"]["default"]
        self.k1, self.b = similarity["k1"], similarity["b"]
        self.columns = set(settings["mappings"]["properties"])
        self.documents: dict[str, dict[str, Any]] = {}
        self.terms: dict[str, Counter[str]] = {}

    def put(self, key: str, document: dict[str, Any]) -> None:
        if set(document) - self.columns:
            raise ValueError("strict_dynamic_mapping_exception")
        self.documents[key], self.terms[key] = document, Counter(document["terms"].split())

    def drop(self, key: str) -> None:
        self.documents.pop(key, None)
        self.terms.pop(key, None)

    def found(self, query: Mapping[str, Any]) -> Found:
        [(kind, inner)] = query.items()
        if kind == "match_all":
            return dict.fromkeys(self.documents, float(inner.get("boost", 1)))
        if kind == "bool":
            return self._bool(inner)
        [(column, wanted)] = inner.items()
        if kind == "term" and column == "terms":
            return self._bm25(wanted)
        return {key: 1.0 for key, row in self.documents.items() if _has(kind, row.get(column), wanted)}

    def _bool(self, parts: Mapping[str, Any]) -> Found:
        unknown = set(parts) - {"must", "filter", "should", "must_not", "minimum_should_match"}
        if unknown:
            raise ValueError(f"unknown: {unknown}")
        found = dict.fromkeys(self.documents, 0.0)
        for each in parts.get("must", ()):
            scores = self.found(each)
            found = {key: score + scores[key] for key, score in found.items() if key in scores}
        for each in parts.get("filter", ()):
            kept = self.found(each)
            found = {key: score for key, score in found.items() if key in kept}
        for each in parts.get("must_not", ()):
            hidden = self.found(each)
            found = {key: score for key, score in found.items() if key not in hidden}
        several = [self.found(each) for each in parts.get("should", ())]
        if several:
            found = {
                key: score + sum(scores.get(key, 0.0) for scores in several)
                for key, score in found.items()
                if any(key in scores for scores in several)
            }
        return found

    def _bm25(self, term: str) -> Found:
        """Without the factor k1 + 1, as Lucene has it since version 8."""
        having = {key: counts[term] for key, counts in self.terms.items() if counts[term]}
        weight = math.log(1 + (len(self.terms) - len(having) + 0.5) / (len(having) + 0.5))
        lengths = {key: sum(counts.values()) for key, counts in self.terms.items()}
        mean = sum(lengths.values()) / max(1, len(lengths))
        return {
            key: weight * often / (often + self.k1 * (1 - self.b + self.b * lengths[key] / mean))
            for key, often in having.items()
        }


def _has(kind: str, value: Any, wanted: Any) -> bool:
    if value is None:
        return False
    if kind == "range":
        return all({"gte": value >= bound, "lt": value < bound}[name] for name, bound in wanted.items())
    if kind not in ("term", "wildcard") or not wanted["case_insensitive"]:
        raise ValueError(f"unknown: {kind}")
    pattern = wanted["value"].lower()
    return value.lower() == pattern if kind == "term" else fnmatch.fnmatchcase(value.lower(), pattern)


class SearchServer(ThreadingHTTPServer):
    """`indexes` by name; `requests`: method and path of each, with its Authorization."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.indexes: dict[str, _Index] = {}
        self.requests: list[tuple[str, str, str]] = []

    def count(self, name: str) -> int:
        """The documents of an index."""
        return len(self.indexes[name].documents)

    def drop(self, name: str) -> None:
        """Remove an index."""
        del self.indexes[name]

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        name, _, action = path.lstrip("/").partition("/")
        if method == "PUT":
            self.indexes[name] = _Index(json.loads(body))
        elif name not in self.indexes:
            return 404, {"error": "index_not_found_exception"}
        elif method == "DELETE":
            del self.indexes[name]
        elif action == "_bulk?refresh=true":
            return 200, self._bulk(self.indexes[name], [json.loads(line) for line in body.splitlines()])
        elif action == "_search":
            return 200, {
                "timed_out": False,
                "_shards": {"failed": 0},
                "hits": {"hits": self._hits(self.indexes[name], json.loads(body))},
            }
        elif method != "HEAD":
            return 400, {"error": "unknown"}
        return 200, {}

    def _bulk(self, index: _Index, lines: list[Any]) -> dict[str, Any]:
        items, rest = [], iter(lines)
        for action in rest:
            [(kind, where)] = action.items()
            if kind == "index":
                index.put(where["_id"], next(rest))
            else:
                index.drop(where["_id"])
            items.append({kind: {"_id": where["_id"]}})
        return {"items": items}

    def _hits(self, index: _Index, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
        scored = [(-score, index.documents[key]) for key, score in index.found(asked["query"]).items()]
        ordered = sorted(scored, key=lambda entry: (entry[0], entry[1]["number"]))
        after = asked.get("search_after")
        if after:
            ordered = [entry for entry in ordered if (entry[0], entry[1]["number"]) > (-after[0], after[1])]
        return [
            {"_source": {name: row[name] for name in asked["_source"] if name in row}, "sort": [-score, row["number"]]}
            for score, row in ordered[: asked["size"]]
        ]


class _Forwarding(SearchServer):
    """In front of a real OpenSearch."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address, self._opener = address.rstrip("/"), build_opener(ProxyHandler({}))

    def count(self, name: str) -> int:
        return int(self.answer("GET", f"/{name}/_count", b"")[1]["count"])

    def drop(self, name: str) -> None:
        self.answer("DELETE", f"/{name}", b"")

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/x-ndjson" if "_bulk" in path else "application/json"}
        request = Request(self._address + path, body or None, headers, method=method)
        try:
            with self._opener.open(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except HTTPError as error:
            return error.code, {"error": error.read().decode()}


class _Handler(BaseHTTPRequestHandler):
    server: SearchServer

    def _any(self) -> None:
        self.server.requests.append((self.command, self.path, self.headers.get("Authorization", "")))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            status, values = self.server.answer(self.command, self.path, body)
        except (ValueError, KeyError) as error:
            status, values = 400, {"error": str(error)}
        sent = b"" if self.command == "HEAD" else json.dumps(values).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _any  # noqa: N815

    def log_message(self, format: str, *values: Any) -> None:
        """Say nothing."""


@contextmanager
def search_server(address: str = "") -> Iterator[SearchServer]:
    """Running, on a free port; with the address of an OpenSearch everything is forwarded to that."""
    server = _Forwarding(address) if address else SearchServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
