"""The installed packages and their locations, and the machine: Python, disk, DNS."""

import os
import re
import socket
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from urllib.request import getproxies

from packaging.requirements import Requirement
from scrapy.settings import BaseSettings
from scrapy.utils.conf import closest_scrapy_cfg

from crawler.checks import Finding
from crawler.frontier.disk import data_folders, free_and_reserved
from extractors.kernels import SWITCH, state
from extractors.kernels.forest import PACKAGED, ForestError, packaged_forest

_EXTRA = re.compile(r"extra\s*==")
_PACKAGES = ("console", "analysis", "crawler", "pipelines", "extractors", "settings")
_INSTALL = "python -m pip install -e ."


def packages(settings: BaseSettings) -> list[Finding]:
    try:
        required = [Requirement(text) for text in metadata.requires("topicrawl") or [] if not _EXTRA.search(text)]
    except metadata.PackageNotFoundError:
        return [Finding("ok", "Packages", "topicrawl runs from its folder; the packages' versions are not known")]
    wrong = [problem for requirement in required if (problem := _problem(requirement))]
    if not wrong:
        own = metadata.version("topicrawl")
        return [Finding("ok", "Packages", f"topicrawl {own}, and {len(required)} others in their tested versions")]
    needed = " ".join(f'"{each}"' for each in required if _problem(each))
    checkout = f"{_INSTALL} --upgrade --constraint requirements/constraints.txt"
    advice = f"Run: {checkout if _is_checkout() else f'python -m pip install {needed}'}"
    return [Finding("fault", "Packages", "; ".join(wrong), advice)]


def _problem(requirement: Requirement) -> str:
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is missing"
    tested = requirement.specifier.contains(version, prereleases=True)
    return "" if tested else f"{requirement.name} is {version}, tested is {requirement.specifier}"


def shadows(settings: BaseSettings) -> list[Finding]:
    """Packages and files with our packages' names, which are or may be imported instead of the project's own."""
    cfg = closest_scrapy_cfg()
    project = Path(cfg).parent if cfg else None
    found = [*_installed_copies(project), *_files_in_the_way(Path.cwd(), project)]
    return found or [Finding("ok", "Imports", f"the code runs from {Path(_location('crawler')).parent}")]


def _installed_copies(project: Path | None) -> list[Finding]:
    """The project's packages that are imported from elsewhere, so that edits in the folder have no effect."""
    if project is None:
        return []
    own = [name for name in _PACKAGES if (project / name / "__init__.py").is_file()]
    other = {name: place for name in own if (place := _location(name)) != str(project.resolve() / name)}
    advice = f"Let the folder itself be installed: {_INSTALL}   (or remove the copy: python -m pip uninstall topicrawl)"
    return [
        Finding(
            "warning", "Imports", f"{name} is imported from {place}: edits in {project / name} have no effect", advice
        )
        for name, place in other.items()
    ]


def _files_in_the_way(folder: Path, project: Path | None) -> list[Finding]:
    """Modules in the working folder that `python -m scrapy`, started there, would import instead of ours."""
    if folder == project:
        return []
    advice = "Rename it, or start commands from another folder."
    return [
        Finding("warning", "Imports", f"{place} has the name of one of topicrawl's packages", advice)
        for name in _PACKAGES
        for place in (folder / name / "__init__.py", folder / f"{name}.py")
        if place.is_file() and str(place.resolve().parent) != _location(name)
    ]


def _location(package: str) -> str:
    """The folder that the package is imported from, also inside an egg; "" if there is none."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return ""
    return str(Path(spec.origin).resolve().parent) if spec and spec.origin else ""


def weights(settings: BaseSettings) -> list[Finding]:
    """Whether the trained forests can be read, and where they come from."""
    try:
        found = {f"{room}/{name}": packaged_forest(room, name).provenance for room, name in PACKAGED}
    except ForestError as error:
        message, _, advice = str(error).partition(". ")
        return [Finding("fault", "Weights", message, advice)]
    parts = (
        f"{name}: {sum(known.pages.values())} examples ({known.digest}), code {known.code}"
        for name, known in found.items()
    )
    return [Finding("ok", "Weights", "; ".join(parts))]


def compiled(settings: BaseSettings) -> list[Finding]:
    found = state()
    if found.module:
        return [Finding("ok", "Compiled extension", "in use")]
    message = f"{found.reason}; numpy does the same work, more slowly"
    if os.environ.get(SWITCH):
        return [Finding("ok", "Compiled extension", message)]
    # pip would reuse the wheel that it built without a compiler
    again = "python -m pip install --force-reinstall --no-deps --no-cache-dir FILE, with the file it came from"
    advice = f"Install a C compiler and Python's headers (Debian: gcc, python3-dev), then run: {_INSTALL if _is_checkout() else again}"
    return [Finding("warning", "Compiled extension", message, advice)]


def _is_checkout() -> bool:
    """Whether the code runs from a checkout instead of a copy made by pip."""
    return (Path(_location("crawler")).parent / "pyproject.toml").is_file()


OLDEST_PYTHON = (3, 11)
MIN_FREE_BYTES = 1_000_000_000
"""A million pages take about ten times that."""
_KNOWN_HOST = "example.com"


def python(settings: BaseSettings) -> list[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= OLDEST_PYTHON:
        return [Finding("ok", "Python", version)]
    return [
        Finding("fault", "Python", f"{version} is too old", "Install Python 3.11 or newer and make a new environment.")
    ]


def disk(settings: BaseSettings) -> list[Finding]:
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
    if proxy := getproxies().get("http"):
        return [Finding("ok", "DNS", f"left to the proxy {proxy.rsplit('@', 1)[-1]}")]
    try:
        address = socket.getaddrinfo(_KNOWN_HOST, 80, type=socket.SOCK_STREAM)[0][4][0]
    except OSError as error:
        advice = "Check the network and /etc/resolv.conf; behind a proxy, set http_proxy and https_proxy."
        return [Finding("fault", "DNS", f"{_KNOWN_HOST} cannot be resolved: {error.strerror or error}", advice)]
    return [Finding("ok", "DNS", f"{_KNOWN_HOST} is {address}")]
