"""How many JSON shapes of public APIs are read without a recipe.

`benchmarks/json_shapes.yaml` has the shapes as their documentation shows them, with contents of our own. An item is read if its
address, its title and the day of its time are those that a reader of the documentation expects.
"""

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from extractors.feeds import FeedEntry, UnreadableError, read_json_feed

SHAPES = Path(__file__).with_suffix(".yaml")
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
_ITEMS = 3


def shapes() -> dict[str, dict[str, Any]]:
    """Each shape by name: url, wrap, item, first."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(SHAPES.read_text("utf-8"))
    return found


def document(shape: dict[str, Any]) -> bytes:
    """The answer of a shape."""
    written = json.dumps(shape["item"], ensure_ascii=False)
    items = [json.loads(written.replace("{n}", str(number))) for number in range(1, _ITEMS + 1)]
    held = {"ITEMS": items, "MAP": {f"D{number}": item for number, item in enumerate(items, 1)}}
    return json.dumps(_put(shape["wrap"], held), ensure_ascii=False).encode()


def _put(node: Any, held: dict[str, Any]) -> Any:
    if isinstance(node, str):
        return held.get(node, node)
    if isinstance(node, dict):
        return {name: _put(each, held) for name, each in node.items()}
    return [_put(each, held) for each in node] if isinstance(node, list) else node


def differences(shape: dict[str, Any]) -> list[str]:
    """What is not read as expected; empty for a shape that is."""
    try:
        entries = read_json_feed(document(shape), shape["url"], now=NOW).feed.entries
    except UnreadableError as error:
        return [str(error)]
    if len(entries) != _ITEMS:
        return [f"{len(entries)} items instead of {_ITEMS}"]
    return list(_wrong(entries[0], shape["first"]))


def _wrong(entry: FeedEntry, first: dict[str, Any]) -> Iterator[str]:
    titles = first["title"] if isinstance(first["title"], list) else [first["title"]]
    for name, found, wanted in (("url", entry.url, first["url"]), ("title", entry.title, titles)):
        if found not in wanted:
            yield f"{name} {found!r}"
    if entry.published[:10] != first["day"]:
        yield f"time {entry.published!r}"


def main() -> None:
    """Print a line for each shape, and the number of those that are read."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    read = 0
    for name, shape in shapes().items():
        wrong = differences(shape)
        read += not wrong
        print(f"{name:20} {'read' if not wrong else '; '.join(wrong)}")
    print(f"{read} of {len(shapes())} shapes are read without a recipe")


if __name__ == "__main__":
    main()
