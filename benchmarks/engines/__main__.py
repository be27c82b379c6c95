"""Make pages of forums and comments with known records from the software's own templates, and texts of our own in ten languages.

    python -m benchmarks.engines OUTPUT                                     needs npm and pip; downloads the software into OUTPUT
    python ../shared/score/records.py extractors.records:find_records --data OUTPUT/data/records

A set for each engine, in two halves by name ("a-…", "b-…"): read failures in one half, measure on the other. The markup of
WordPress is written from memory. The same pages each time, as long as the packages are the same.
"""

import argparse
import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.engines.talk import LANGUAGES, topic

_NODEBB = ("harmony", "persona", "lavender", "peace")
_HALVES = {
    "a": (*_NODEBB, "xtd", "xtdflat"),
    "b": ("machina", "spirit", "misago", "pybb", "wordpress-html5", "wordpress-html4", "wordpress-blocks"),
}
_COMMENTS = ("xtd", "xtdflat", "wordpress-html5", "wordpress-html4", "wordpress-blocks")
_WHEELS = (
    "misago==0.39.6",
    "django-spirit==0.14.3",
    "django-machina==1.3.1",
    "pybbm==0.19.0",
    "django-comments-xtd==2.10.13",
)
_NPM = (
    "benchpressjs@2.5.5",
    "nodebb-theme-harmony@3.3.4",
    "nodebb-theme-persona@15.3.3",
    "nodebb-theme-lavender@8.1.0",
    "nodebb-theme-peace@3.1.3",
)
_SIZES = (6, 2, 12, 3, 20, 1, 8, 5, 15, 4)
_PAGES = 10

Request = dict[str, Any]


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("output", type=Path)
    output = ask.parse_args().output.resolve()
    _download(output)
    for half, engines in _HALVES.items():
        for place, engine in enumerate(engines):
            for kind in ("comments",) if engine in _COMMENTS else ("forum_thread", "forum_list"):
                requests = list(_requests(engine, kind, place))
                _write(
                    output / "data/records" / f"{half}-{engine}-{kind}",
                    engine,
                    kind,
                    requests,
                    _rendered(output, engine, requests),
                )


def _download(output: Path) -> None:
    packages, modules = output / "packages", output / "node"
    if packages.exists():
        return
    modules.mkdir(parents=True)
    subprocess.run(["npm", "init", "-y"], cwd=modules, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", *_NPM], cwd=modules, check=True)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target"]
    for each in _WHEELS:
        subprocess.run([*pip, packages / each.partition("==")[0].replace("-", "_"), each], check=True)
    subprocess.run([*pip, output / "django", "django==5.2.19", "asgiref==3.13.0", "sqlparse==0.6.1"], check=True)


def _requests(engine: str, kind: str, place: int) -> Iterator[Request]:
    languages = list(LANGUAGES)
    for number in range(_PAGES):
        language = languages[(number + place) % len(languages)]
        size = _SIZES[(number + 3 * place) % len(_SIZES)]
        seed = f"{engine} {kind} {number}"
        threads = range(size + 5) if kind == "forum_list" else (0,)
        topics = [
            topic(language, f"{seed} {each}", 1 + (each * 7 + size) % 30 if kind == "forum_list" else size).as_data()
            for each in threads
        ]
        yield {"engine": engine, "theme": engine, "language": language, "topics": topics}


def _rendered(output: Path, engine: str, requests: list[Request]) -> list[dict[str, Any]]:
    here = Path(__file__).parent
    if engine in _NODEBB:
        command = ["node", str(here / "nodebb.js"), str(output / "node/node_modules")]
        made = subprocess.run(command, input=json.dumps(requests), check=True, capture_output=True, text=True)
        return [
            {"html": html, "records": _of_nodebb(each)}
            for html, each in zip(json.loads(made.stdout), requests, strict=True)
        ]
    command = [sys.executable, "-m", "benchmarks.engines.django_pages", engine, str(output / "packages")]
    place = {"PYTHONPATH": f"{here.parent.parent}:{output / 'django'}", "PATH": "/usr/bin:/bin"}
    made = subprocess.run(command, input=json.dumps(requests), check=True, capture_output=True, text=True, env=place)
    pages: list[dict[str, Any]] = json.loads(made.stdout)
    return pages


def _of_nodebb(request: Request) -> list[dict[str, str]]:
    """The records as these pages show them: NodeBB counts a thread's posts, and shortens thousands."""
    topics = request["topics"]
    if len(topics) == 1:
        return [{name: post[name] for name in ("author", "time", "text")} for post in topics[0]["posts"]]
    views = [each["views"] for each in topics]
    shown = [f"{each / 1000:.1f}k" if each > 999 else str(each) for each in views]
    lines = [
        {name: each[name] for name in ("title", "author", "time")} | {"replies": str(each["replies"] + 1)}
        for each in topics
    ]
    return [
        line | ({} if request["theme"] == "peace" else {"views": each}) for line, each in zip(lines, shown, strict=True)
    ]


def _write(folder: Path, engine: str, kind: str, requests: list[Request], pages: list[dict[str, Any]]) -> None:
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    lines = []
    for number, (request, page) in enumerate(zip(requests, pages, strict=True)):
        name, language = f"{engine}-{number:02}", request["language"][:2]
        about = {"id": name, "site": f"{engine}.example", "engine": engine, "lang": language, "page_type": kind}
        lines.append(json.dumps(about | {"records": page["records"]}, ensure_ascii=False))
        (folder / "pages" / f"{name}.html.gz").write_bytes(gzip.compress(page["html"].encode(), mtime=0))
    (folder / "gold.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
