"""Make pages of forums and comments with known records from the software's own templates, and texts of our own in ten languages.

    apt install chromium fossil public-inbox nodejs npm
    python -m benchmarks.engines OUTPUT                                     downloads the other software into OUTPUT
    python ../shared/score/records.py extractors.records:find_records --data OUTPUT/data/records

A set for each engine, in halves by name ("a-…" and "b-…", "c-…" and "d-…"): read failures in one half, measure on the other.
The markup of WordPress is from memory. The same pages each time, as long as the packages are the same;
only ages in some engines count from today.
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
    "c": ("fossil", "isso", "oscar", "hyperkitty", "artalk", "flaskbb", "waline", "mezzanine"),
    "d": ("lbforum", "publicinbox", "gitalk", "disqusjs", "twikoo", "fluent", "zinnia", "punkweb", "trac"),
}
_WIDGETS = ("waline", "artalk", "twikoo", "gitalk", "disqusjs", "isso")
_MODULES = {
    **dict.fromkeys(_WIDGETS, "widgets"),
    **dict.fromkeys(("trac", "fossil", "publicinbox"), "server_pages"),
    "flaskbb": "jinja_pages",
}
"""How an engine's pages are made, if not by `django_pages` or NodeBB's templates."""
_COMMENTS = (
    *("xtd", "xtdflat", "wordpress-html5", "wordpress-html4", "wordpress-blocks", "zinnia", "fluent", "mezzanine"),
    *_WIDGETS,
)
_ONE_KIND = (
    dict.fromkeys(_COMMENTS, "comments") | {"oscar": "reviews"} | dict.fromkeys(("trac", "publicinbox"), "forum_thread")
)
_WHEELS = (
    "misago==0.39.6",
    "django-spirit==0.14.3",
    "django-machina==1.3.1",
    "pybbm==0.19.0",
    "django-comments-xtd==2.10.13",
    "hyperkitty==1.3.12",
    "punkweb-bb==0.5.2",
    "lbforum==2.0.1",
    "django-blog-zinnia==0.20",
    "django-fluent-comments==3.0",
    "mezzanine==6.1.1",
    "django-oscar==4.2.1",
    "flaskbb==2.0.2",
    "isso==0.14.0",
    "trac==1.6",
)
_NPM = (
    "benchpressjs@2.5.5",
    "nodebb-theme-harmony@3.3.4",
    "nodebb-theme-persona@15.3.3",
    "nodebb-theme-lavender@8.1.0",
    "nodebb-theme-peace@3.1.3",
    "@waline/client@3.15.2",
    "artalk@2.9.1",
    "twikoo@1.7.9",
    "gitalk@1.8.0",
    "disqusjs@3.2.1",
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
            for kind in (_ONE_KIND[engine],) if engine in _ONE_KIND else ("forum_thread", "forum_list"):
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
    subprocess.run(
        ["npm", "install", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", *_NPM],
        cwd=modules,
        check=True,
    )
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target"]
    for each in _WHEELS:
        subprocess.run([*pip, packages / each.partition("==")[0].replace("-", "_"), each], check=True)
    subprocess.run(
        [*pip, output / "django", "django==5.2.19", "asgiref==3.13.0", "sqlparse==0.6.1", "babel==2.17.0"], check=True
    )


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
    module = f"benchmarks.engines.{_MODULES.get(engine, 'django_pages')}"
    command = [sys.executable, "-m", module, engine, str(output if engine in _WIDGETS else output / "packages")]
    place = {"PYTHONPATH": f"{here.parent.parent}:{output / 'django'}", "PATH": "/usr/bin:/bin", "HOME": str(output)}
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
