"""Stores that analysis works on: both kinds."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipelines.stores.base import Store
from pipelines.stores.opening import open_store


@pytest.fixture(params=["sqlite", "mongodb"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of an empty store."""
    return f"sqlite:///{tmp_path}/a.db" if request.param == "sqlite" else request.getfixturevalue("mongo_uri")


@pytest.fixture
def opened(address: str) -> Iterator[Callable[[], Store]]:
    """Opens the same store again and again; all are closed at the end."""
    stores: list[Store] = []

    def opening() -> Store:
        stores.append(open_store(address))
        return stores[-1]

    yield opening
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[[], Store]) -> Store:
    return opened()
