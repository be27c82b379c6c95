"""The machine: Python, packages, disk, name server."""

import os
import re
import shutil
import socket
import sys
from importlib import metadata
from pathlib import Path
from urllib.request import getproxies

from packaging.requirements import Requirement
from scrapy.settings import BaseSettings

from crawler.checks.base import Finding
from extractors.kernels import SWITCH, state

OLDEST_PYTHON = (3, 11)
LITTLE_DISK = 1_000_000_000
"""Bytes; a million pages take about ten times as much."""
_WELL_KNOWN = "example.com"
_EXTRA = re.compile(r"extra\s*==")


def python(settings: BaseSettings) -> list[Finding]:
    """Its version."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= OLDEST_PYTHON:
        return [Finding("ok", "Python", version)]
    return [
        Finding("fault", "Python", f"{version} is too old", "Install Python 3.11 or newer and make a new environment.")
    ]


def packages(settings: BaseSettings) -> list[Finding]:
    """Installed packages against the tested versions."""
    try:
        named = [Requirement(text) for text in metadata.requires("topicrawl") or [] if not _EXTRA.search(text)]
    except metadata.PackageNotFoundError:
        return [Finding("ok", "Packages", "topicrawl is run from its folder; the packages' versions are not known")]
    wrong = [problem for requirement in named if (problem := _problem(requirement))]
    if not wrong:
        return [Finding("ok", "Packages", f"{len(named)} in their tested versions")]
    return [Finding("fault", "Packages", "; ".join(wrong), "Run: python -m pip install --upgrade -e .")]


def _problem(requirement: Requirement) -> str:
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is missing"
    tested = requirement.specifier.contains(version, prereleases=True)
    return "" if tested else f"{requirement.name} is {version}, tested is {requirement.specifier}"


def compiled(settings: BaseSettings) -> list[Finding]:
    """Whether pages are read by machine code."""
    found = state()
    if found.module:
        return [Finding("ok", "Machine code", "pages are read by what was compiled here")]
    said = f"{found.reason}; numpy does the same, in more time for each page"
    if os.environ.get(SWITCH):
        return [Finding("ok", "Machine code", said)]
    return [Finding("warning", "Machine code", said, "Install a C compiler, then run: python -m pip install -e .")]


def disk(settings: BaseSettings) -> list[Finding]:
    """The data folder: may it be written, and is there room."""
    folder = Path(settings["DATA_DIR"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        advice = "Choose another folder with -s DATA_DIR=PATH, or give this user the right to write there."
        return [Finding("fault", "Data folder", f"{folder.resolve()} cannot be written: {error.strerror}", advice)]
    said = f"{folder.resolve()}, {free / 1e9:.1f} GB free"
    if free < LITTLE_DISK:
        return [Finding("warning", "Data folder", said, "Make room: a page takes 6 to 10 kB with KEEP_SOURCE.")]
    return [Finding("ok", "Data folder", said)]


def names(settings: BaseSettings) -> list[Finding]:
    """Whether host names can be resolved."""
    if proxy := getproxies().get("http"):
        return [Finding("ok", "DNS", f"left to the proxy {proxy.rsplit('@', 1)[-1]}")]
    try:
        address = socket.getaddrinfo(_WELL_KNOWN, 80, type=socket.SOCK_STREAM)[0][4][0]
    except OSError as error:
        advice = "Check the network and /etc/resolv.conf; behind a proxy, set http_proxy and https_proxy."
        return [Finding("fault", "DNS", f"{_WELL_KNOWN} cannot be resolved: {error.strerror or error}", advice)]
    return [Finding("ok", "DNS", f"{_WELL_KNOWN} is {address}")]
