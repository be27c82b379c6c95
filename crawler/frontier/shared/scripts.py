"""The Lua scripts of the shared frontier: package data, run by their digest."""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from redis import Redis

_PARTS = {
    "exchange": ("common", "exchange"),
    "join": ("common", "forgetting", "join"),
    "dismiss": ("common", "dismiss"),
    "leave": ("common", "forgetting", "leave"),
    "purge": ("common", "forgetting", "purge"),
    "requeue": ("common", "requeue"),
    "pace": ("common", "pace"),
    "view": ("common", "view"),
    "start_urls": ("start_urls",),
}


@cache
def script_text(name: str) -> str:
    """The script with what it shares with others, as the server gets it."""
    folder = resources.files(__package__) / "lua"
    return "\n".join((folder / f"{part}.lua").read_text(encoding="utf-8") for part in _PARTS[name])


class Scripts:
    """Runs scripts by name over one client."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._scripts = {name: client.register_script(script_text(name)) for name in _PARTS}

    def run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """The script's reply; the server learns a script when it is first asked for it."""
        return self._scripts[name](keys=list(keys), args=list(arguments))
