"""The arrays of objects in a JSON document, by their paths."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_MAX_NODES, _MAX_DEPTH, _MAX_PATHS = 100_000, 14, 400
_MAX_CHILDREN, _MAX_KEYS, _MAX_COMPARED = 2_000, 500, 50
_MIN_MAP_ITEMS = 2
_ID_KEY = re.compile(r"[\w:-]{0,3}\d[\w:-]*")


def arrays_of(value: Any) -> dict[str, list[dict[str, Any]]]:
    """Arrays of objects by their paths; those at one path, such as the lists of several sections, are one."""
    found: dict[str, list[dict[str, Any]]] = {}
    waiting: list[tuple[Any, str, int]] = [(value, "", 0)]
    for _ in range(_MAX_NODES):
        if not waiting:
            break
        node, path, depth = waiting.pop()
        for child, below, is_item in _children(node, path) if depth < _MAX_DEPTH else ():
            if is_item and (below in found or len(found) < _MAX_PATHS):
                found.setdefault(below, []).append(child)
            waiting.append((child, below, depth + 1))
    return found


def _children(node: Any, path: str) -> Iterator[tuple[Any, str, bool]]:
    """The values of a node that may hold lists, with their paths, and whether each is an item of a list."""
    if isinstance(node, list):
        held = (each for each in node[:_MAX_CHILDREN] if isinstance(each, dict | list))
        yield from ((each, f"{path}[]", isinstance(each, dict)) for each in held)
    elif is_map(node):
        yield from ((each, joined(path, "*"), True) for each in list(node.values())[:_MAX_CHILDREN])
    elif isinstance(node, dict):
        held_by = ((name, each) for name, each in list(node.items())[:_MAX_KEYS] if isinstance(each, dict | list))
        yield from ((each, joined(path, name), False) for name, each in held_by if is_plain(name))


def is_map(node: Any) -> bool:
    """Whether an object is a list by keys that are identities."""
    if not isinstance(node, dict) or len(node) < _MIN_MAP_ITEMS:
        return False
    held: Mapping[str, Any] = node
    if not all(isinstance(each, dict) for each in held.values()):
        return False
    first = set(next(iter(held.values())))
    return all(map(_ID_KEY.fullmatch, list(held)[:_MAX_COMPARED])) and all(
        first & set(each) for each in list(held.values())[:_MAX_COMPARED]
    )


def is_plain(name: str) -> bool:
    """Whether a key can stand in a path."""
    return bool(name) and not set(name) & set(".[]|*")


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
