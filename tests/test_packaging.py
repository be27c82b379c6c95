"""What is installed: every package with its types, and exact versions that pyproject.toml allows."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from crawler.exit_status import ExitCode

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# what package-data in pyproject.toml adds to the code
DATA = ("*.npz", "*.txt", "*.json", "*.yaml", "*.html", "*.css", "*.js", "*.svg")
NOT_PACKAGED = (".md", ".pyc", ".so", ".pyd")
PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)==(\S+?)(?: ;.*)?(?: \\)?$", re.M)


def pinned(name: str) -> dict[str, set[str]]:
    """The versions of each package in a file of requirements/; more than one where they depend on the Python."""
    found: dict[str, set[str]] = {}
    for package, version in PINNED.findall((ROOT / "requirements" / name).read_text(encoding="utf-8")):
        found.setdefault(canonicalize_name(package), set()).add(version)
    return found


def required(*extras: str) -> list[Requirement]:
    optional = PROJECT["project"]["optional-dependencies"]
    return [
        Requirement(text) for text in sum((optional[extra] for extra in extras), PROJECT["project"]["dependencies"])
    ]


@pytest.mark.parametrize(
    ("name", "extras"),
    [
        (
            "constraints.txt",
            ("test", "node", "parquet", "warc", "documents", "render", "socks", "impersonate", "console"),
        ),
        ("image.txt", ("node", "parquet", "postgresql", "kafka", "warc", "documents", "console")),
    ],
)
def test_exact_versions_are_ones_that_pyproject_allows(name: str, extras: tuple[str, ...]) -> None:
    versions = pinned(name)
    for requirement in required(*extras):
        exact = versions.get(canonicalize_name(requirement.name), set())
        assert exact, f"{requirement.name} is not in requirements/{name}: run requirements/renew"
        assert all(requirement.specifier.contains(version) for version in exact), f"{requirement}: {exact}"


def test_the_image_installs_the_versions_that_are_tested_and_checks_their_hashes() -> None:
    tested = pinned("constraints.txt")
    assert {name: versions for name, versions in pinned("image.txt").items() if tested.get(name) != versions} == {}
    text = (ROOT / "requirements" / "image.txt").read_text(encoding="utf-8")
    assert len(re.findall(r"^\S+==.*\\\n +--hash=sha256:[0-9a-f]{64}", text, re.M)) == len(PINNED.findall(text))


def test_the_wheel_holds_every_package_with_its_types_and_nothing_else(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "setup.py", "-q", "egg_info", "-e", str(tmp_path), "build", "-b", str(tmp_path / "build"),
         "bdist_wheel", "-d", str(tmp_path), "-b", str(tmp_path / "wheel")],
        cwd=ROOT,
        env={**os.environ, "TOPICRAWL_COMPILED": "off"},
        check=True,
        capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    names = {
        str(path.relative_to(tmp_path / "installed")) for path in (tmp_path / "installed").rglob("*") if path.is_file()
    }
    names = {name for name in names if ".dist-info/" not in name}
    rooms = {name.split("/")[0] for name in names}
    assert rooms == {path.parent.name for path in ROOT.glob("*/py.typed")}
    sources = {path for room in rooms for path in (ROOT / room).rglob("*.*") if path.is_file()}
    assert names == {str(path.relative_to(ROOT)) for path in sources if path.suffix not in NOT_PACKAGED}
    assert spiders_of_a_new_folder(tmp_path / "installed", tmp_path / "own") == ["metasearch", "site", "watch"]


def spiders_of_a_new_folder(installed: Path, folder: Path) -> list[str]:
    """What `scrapy list` prints in a folder that `topicrawl init` has made, outside of the checkout."""
    own = {**os.environ, "PYTHONPATH": str(installed)}
    subprocess.run(
        [sys.executable, "-m", "crawler.new_folder", "init", str(folder)], cwd=installed, env=own, check=True
    )
    listed = subprocess.run(
        [sys.executable, "-m", "scrapy", "list"], cwd=folder, env=own, check=True, capture_output=True, text=True
    )
    return listed.stdout.split()


def test_every_command_says_where_it_works_outside_the_projects_folder() -> None:
    commands = (path.stem for room in ROOT.glob("*/commands") for path in room.glob("[!_]*.py"))
    assert set(PROJECT["project"]["entry-points"]["scrapy.commands"]) == set(commands)


def test_a_release_has_one_version_and_one_date() -> None:
    version = PROJECT["project"]["version"]
    heading = re.findall(
        r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M
    )[0]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert heading == (version, str(cited["date-released"])) == (cited["version"], heading[1])
    sources = "".join(
        path.read_text(encoding="utf-8")
        for room in ("crawler", "pipelines", "settings")
        for path in (ROOT / room).rglob("*.py")
    )
    assert set(re.findall(r"topicrawl/(\d+\.\d+)", sources)) == {version.rpartition(".")[0]}


def test_the_notice_names_the_source_of_every_data_file_that_is_packaged() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    rooms = [path.parent for path in ROOT.glob("*/py.typed")]
    named = re.findall(rf"^((?:{'|'.join(room.name for room in rooms)})/\S+)", notice, re.M)
    packaged = [
        str(path.relative_to(ROOT)) for room in rooms for kind in DATA for path in room.rglob(kind) if path.is_file()
    ]
    assert [path for path in packaged if not any(fnmatch(path, pattern) for pattern in named)] == []
    assert [pattern for pattern in named if not any(fnmatch(path, pattern) for path in packaged)] == []


def test_the_tests_that_ci_runs_again_without_servers_are_there() -> None:
    named = re.findall(r"tests/\S+", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def extension_in_egg(folder: Path, kernel: str) -> bytes | None:
    """What an egg contains as the compiled extension, built by a machine whose compiler fails."""
    (folder / "extractors" / "kernels" / "native.pyx").write_text(kernel)
    shutil.rmtree(folder / "build", ignore_errors=True)
    subprocess.run(
        [sys.executable, "setup.py", "-q", "bdist_egg", "-d", str(folder / "egg")],
        cwd=folder,
        env={**os.environ, "TOPICRAWL_COMPILED": "", "CC": "false"},
        check=True,
        capture_output=True,
    )
    with zipfile.ZipFile(next((folder / "egg").glob("*.egg"))) as egg:
        shutil.rmtree(folder / "egg")
        found = [name for name in egg.namelist() if name.endswith(EXTENSION_SUFFIXES[0])]
        return egg.read(found[0]) if found else None


def test_an_egg_gets_the_extension_that_was_built_from_the_same_sources_without_a_compiler(tmp_path: Path) -> None:
    kernels = tmp_path / "extractors" / "kernels"
    kernels.mkdir(parents=True)
    for package in (kernels, kernels.parent):
        (package / "__init__.py").touch()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path / name)
    built = b"\x7fELF " + hashlib.sha256(b"x = 1\n").hexdigest()[:16].encode()
    (kernels / f"native{EXTENSION_SUFFIXES[0]}").write_bytes(built)
    assert extension_in_egg(tmp_path, "x = 1\n") == built
    assert extension_in_egg(tmp_path, "x = 2\n") is None


def made(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The end of a make target, with its virtual environment in the folder."""
    if not shutil.which("make"):
        pytest.skip("there is no make")
    command = ["make", "--no-print-directory", "-C", str(ROOT), f"VENV={folder / 'venv'}", *words]
    environment = {name: value for name, value in os.environ.items() if name != "URL" and not name.startswith("MAKE")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_make_crawl_asks_for_the_site_before_it_installs(tmp_path: Path) -> None:
    ended = made(tmp_path, "crawl")
    assert ended.returncode == 2
    assert "make crawl URL=https://some.site/" in ended.stdout + ended.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(("code", "ending"), [(0, 0), (ExitCode.LIMIT, 0), (ExitCode.INCOMPLETE, 2)])
def test_make_crawl_fails_where_somebody_has_to_act_and_not_at_a_limit(tmp_path: Path, code: int, ending: int) -> None:
    programs = tmp_path / "venv" / "bin"
    programs.mkdir(parents=True)
    for name, script in (("python", "exit 0"), ("scrapy", f"echo crawl: $*; exit {code}")):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    (tmp_path / "venv" / ".ready").touch()
    ended = made(tmp_path, "crawl", "URL=https://some.site/")
    assert ended.returncode == ending, ended.stderr
    assert "crawl: crawl site -a url=https://some.site/" in ended.stdout
