"""The machine: Python, disk, name server."""

import socket
import sys
from pathlib import Path
from urllib.request import getproxies

from scrapy.settings import BaseSettings

from crawler.checks.finding import Finding
from crawler.frontier.disk import data_folders, free_and_reserved

OLDEST_PYTHON = (3, 11)
MIN_FREE_BYTES = 1_000_000_000
"""A million pages take about ten times as much."""
_KNOWN_HOST = "example.com"


def python(settings: BaseSettings) -> list[Finding]:
    """Whether Python is new enough."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= OLDEST_PYTHON:
        return [Finding("ok", "Python", version)]
    return [
        Finding("fault", "Python", f"{version} is too old", "Install Python 3.11 or newer and make a new environment.")
    ]


def disk(settings: BaseSettings) -> list[Finding]:
    """Whether the data folder can be written, and has room."""
    folder = Path(settings["DATA_DIR"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
        rooms = [
            free_and_reserved(each, settings.getint("DISK_RESERVE")) for each in data_folders(settings) if each.is_dir()
        ]
    except OSError as error:
        advice = "Choose another folder with -s DATA_DIR=PATH, or give this user the right to write there."
        return [Finding("fault", "Data folder", f"{folder.resolve()} cannot be written: {error.strerror}", advice)]
    free = min(free for free, _ in rooms)
    message = f"{folder.resolve()}, {free / 1e9:.1f} GB free"
    if any(free < reserved for free, reserved in rooms):
        return [Finding("fault", "Data folder", f"{message}: a crawl pauses", "Make room, or set DISK_RESERVE lower.")]
    if free < MIN_FREE_BYTES:
        return [Finding("warning", "Data folder", message, "Make room: a page takes 6 to 10 kB with KEEP_SOURCE.")]
    return [Finding("ok", "Data folder", message)]


def dns(settings: BaseSettings) -> list[Finding]:
    """Whether host names can be resolved."""
    if proxy := getproxies().get("http"):
        return [Finding("ok", "DNS", f"left to the proxy {proxy.rsplit('@', 1)[-1]}")]
    try:
        address = socket.getaddrinfo(_KNOWN_HOST, 80, type=socket.SOCK_STREAM)[0][4][0]
    except OSError as error:
        advice = "Check the network and /etc/resolv.conf; behind a proxy, set http_proxy and https_proxy."
        return [Finding("fault", "DNS", f"{_KNOWN_HOST} cannot be resolved: {error.strerror or error}", advice)]
    return [Finding("ok", "DNS", f"{_KNOWN_HOST} is {address}")]
