"""Stores whose search index is in each of the two engines."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from testbed.servers.searching import opensearch_server
from tests.conftest import started


@pytest.fixture(scope="session")
def opensearch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the session's OpenSearch server."""
    with started(opensearch_server, tmp_path_factory.mktemp("opensearch")) as server:
        yield server.address


@pytest.fixture(params=["tantivy", "opensearch"])
def address(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Of an empty SQLite store; the environment says where its index is."""
    if request.param == "opensearch":
        monkeypatch.setenv("OPENSEARCH_URL", f"{request.getfixturevalue('opensearch')}/i{uuid.uuid4().hex}")
    return f"sqlite:///{tmp_path}/a.db"
