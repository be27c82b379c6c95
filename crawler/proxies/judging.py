"""What a proxy is worth: whether it answers, how fast, from which address, and what it tells of who is behind it."""

import ipaddress
import json
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

_TELLING = (
    "via", "forwarded", "x-forwarded-for", "x-forwarded", "x-real-ip", "client-ip", "x-client-ip", "proxy-connection",
    "x-proxy-id", "true-client-ip", "cf-connecting-ip", "x-originating-ip",
)  # fmt: skip
"""Headers by which a site knows that a request came through a proxy."""
_ADDRESS_KEYS = frozenset(("address", "origin", "ip", "remote_addr", "client_ip", "query"))
_IPV4 = r"\d{1,3}(?:\.\d{1,3}){3}"
_REMOTE = re.compile(rf"REMOTE_ADDR\W{{1,20}}({_IPV4}|[\da-f:]{{3,39}})", re.I)
_ANY = re.compile(rf"(?<![\d.])({_IPV4})(?!\.?\d)")
_MOST = 100_000
Secrecy = Literal["anonymous", "tells that it is a proxy", "leaks our address", "not told"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """On one proxy; `said` is why it does not work, `seconds` the time of one answer."""

    label: str
    works: bool
    seconds: float = 0.0
    exit_address: str = ""
    secrecy: Secrecy = "not told"
    said: str = ""


def exit_address(answer: str) -> str:
    """From which address the judge was asked: by the names of its fields, else the first in what it says."""
    text = answer[:_MOST]
    found = (
        _of_json(text) or ((match := _REMOTE.search(text)) and match[1]) or ((match := _ANY.search(text)) and match[1])
    )
    return found or ""


def secrecy_of(answer: str, own: Iterable[str]) -> Secrecy:
    """What the judge could read off the request.

    Args:
        answer: what it said: JSON or text with the request's headers.
        own: addresses of this machine, among them the one from which the judge sees it without a proxy.
    """
    text = answer[:_MOST].lower()
    if any(_holds(text, address.lower()) for address in own if address):
        return "leaks our address"
    named = text.replace("http_", "").replace("_", "-")  # as a server's variables are written
    return "tells that it is a proxy" if any(_stands(name, named) for name in _TELLING) else "anonymous"


def own_addresses() -> set[str]:
    """Of this machine in its networks, other than loopback."""
    try:
        found = {str(entry[4][0]).partition("%")[0] for entry in socket.getaddrinfo(socket.gethostname(), None)}
    except OSError:
        return set()
    return {address for address in found if not ipaddress.ip_address(address).is_loopback}


def _holds(text: str, address: str) -> bool:
    """Whether the address stands there as a whole."""
    before, after = (r"(?<![\da-f:])", r"(?![\da-f:])") if ":" in address else (r"(?<![\d.])", r"(?!\.?\d)")
    return re.search(f"{before}{re.escape(address)}{after}", text) is not None


def _stands(name: str, text: str) -> bool:
    """Whether it stands there as the name of something."""
    return re.search(rf"(?<![\w-]){name}[\"']?\s{{0,5}}[:=]", text) is not None


def _of_json(text: str) -> str:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    fields = value.items() if isinstance(value, dict) else ()
    found = next((field for name, field in fields if str(name).lower() in _ADDRESS_KEYS and isinstance(field, str)), "")
    return found.split(",")[-1].strip()
