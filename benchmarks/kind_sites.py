"""Make blogs whose pages have known kinds: themes of Hexo, filled with gold texts that may be trained on.

    npm install hexo hexo-renderer-ejs hexo-renderer-marked hexo-renderer-stylus hexo-renderer-pug \\
        hexo-generator-index hexo-generator-archive hexo-generator-category hexo-generator-tag hexo-theme-next …
    python -m benchmarks.kind_sites FOLDER --modules node_modules [--sites 45] [--shared ../shared]

Each site has another theme, other addresses and other texts, drawn by the site's number. FOLDER gets, for each site, its pages
and a JSON file that lists them: file, address, kind. Folders that are there already are kept.
"""

import argparse
import gzip
import json
import random
import re
import subprocess
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from benchmarks.trainable import is_held_out

SETS = {"zh": ("zh-news", "zh-blogs", "zh-gb", "magic-article"), "en": ("wcxb", "aeb")}
TAGS = {
    "zh": "算法 前端 后端 生活 随笔 读书笔记 旅行 数据库 摄影 面试 电影 美食 历史 经济 教育 体育 科技 健康 音乐 工具 安全".split(),
    "en": "travel cooking python linux news review health finance diary photography music sports history tools".split(),
}
CATEGORIES = {
    "zh": "技术 生活 笔记 新闻 教程 杂谈 项目".split(),
    "en": "Tech Life Notes News Tutorials Opinion".split(),
}
NAMES = ("小站", "某人的博客", "笔记", "Notes", "My Blog", "代码与诗")
PERMALINKS = (
    *(":year/:month/:day/:title/", ":title.html", "posts/:hash/", "post/:id.html", ":year/:month/:title/"),
    *(":category/:title/", "p/:id/", ":year/:month/:day/:title.html", "articles/:title/"),
)
CODE = (
    "```python\nfor i in range(10):\n    print(i)\n```",
    "```bash\nsudo apt install nginx\nsystemctl restart nginx\n```",
)
ABOUT = ("我喜欢读书和旅行。\n\n联系方式：a@b.example", "I write software and walk a lot.\n\nMail: a@b.example")
LINKS = "- [A](https://a.example)\n- [B](https://b.example)\n- [C](https://c.example)"
_HAN = re.compile("[\u4e00-\u9fff]")
_MIN_TEXT_CHARS = 400
_SECONDS = 200


@dataclass(frozen=True)
class Site:
    """What is drawn for one site."""

    number: int
    language: str
    permalink: str
    tags: str
    categories: str
    archives: str
    draw: random.Random

    @property
    def host(self) -> str:
        """No such host exists."""
        return f"blog{self.number}.example"


def site_of(number: int) -> Site:
    """The site of this number; two of three are Chinese."""
    draw = random.Random(number)
    tags, categories = draw.choice((("tags", "categories"), ("tag", "category"), ("label", "c")))
    archives = draw.choice(("archives", "archives", "archive", "timeline"))
    language = "en" if number % 3 == 2 else "zh"
    return Site(number, language, draw.choice(PERMALINKS), tags, categories, archives, draw)


def texts_of(shared: Path, language: str) -> list[tuple[str, str]]:
    """Titles ("" if not known) and texts."""
    found = []
    for name in SETS[language]:
        with gzip.open(shared / "data" / "articles" / name / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                text = row.get("text") or ""
                is_chinese = len(_HAN.findall(text)) > len(text) / 4
                if len(text) > _MIN_TEXT_CHARS and is_chinese == (language == "zh") and not is_held_out(row):
                    found.append((row.get("title") or "", text))
    return found


def make(folder: Path, modules: Path, themes: list[str], site: Site, texts: list[tuple[str, str]]) -> int:
    """Write the site's pages and their list; returns how many there are."""
    draw = site.draw
    (folder / "source" / "_posts").mkdir(parents=True)
    (folder / "themes").mkdir()
    (folder / "node_modules").symlink_to(modules.resolve())
    package = json.loads((modules.parent / "package.json").read_text())
    version = json.loads((modules / "hexo" / "package.json").read_text())["version"]
    (folder / "package.json").write_text(json.dumps(package | {"hexo": {"version": version}}))
    (folder / "_config.yml").write_text(_settings(site, themes[site.number % len(themes)]))
    has_excerpts = draw.random() < 0.6
    for number, (title, text) in enumerate(draw.sample(texts, min(len(texts), draw.randint(14, 40)))):
        name = draw.choice((blake2b(text.encode(), digest_size=4).hexdigest(), f"post-{number}"))
        (folder / "source" / "_posts" / f"{name}.md").write_text(_post(site, title, text, has_excerpts))
    for name, body in (("about", draw.choice(ABOUT)), ("tags", ""), ("categories", ""), ("links", LINKS)):
        (folder / "source" / name).mkdir()
        layout = f"type: {name}\nlayout: {name}\n" if name in ("tags", "categories") else ""
        (folder / "source" / name / "index.md").write_text(f"---\ntitle: {name}\n{layout}---\n{body}\n")
    command = ["node", "node_modules/hexo/bin/hexo", "generate", "--silent"]
    subprocess.run(command, cwd=folder, capture_output=True, timeout=_SECONDS, check=True)
    rows = [_row(site, file, folder / "public") for file in (folder / "public").rglob("*.html")]
    folder.with_suffix(".json").write_text(json.dumps(rows))
    return len(rows)


def _settings(site: Site, theme: str) -> str:
    draw = site.draw
    return f"""title: "{draw.choice(NAMES)} {site.number}"
author: "{draw.choice(("李明", "Ann Bell", "wanderer", "陈小鱼"))}"
language: {"zh-CN" if site.language == "zh" else "en"}
url: https://{site.host}
permalink: {site.permalink}
tag_dir: {site.tags}
category_dir: {site.categories}
archive_dir: {site.archives}
theme: {theme}
per_page: {draw.choice((5, 8, 10))}
index_generator: {{path: '', per_page: {draw.choice((4, 8, 10))}, order_by: -date}}
archive_generator: {{per_page: {draw.choice((0, 10))}, yearly: true, monthly: true}}
syntax_highlighter: {draw.choice(("highlight.js", "prismjs"))}
highlight: {{line_number: {draw.choice(("true", "false"))}, wrap: true}}
excerpt_link: {draw.choice(("Read More", "阅读全文"))}
"""


def _post(site: Site, title: str, text: str, has_excerpts: bool) -> str:
    draw = site.draw
    length = draw.choice((1, 2, 3, draw.randint(4, 40), draw.randint(4, 40)))
    paragraphs = [line.strip() for line in text.replace("{", "(").replace("<", "&lt;").split("\n") if line.strip()][
        :length
    ]
    parts: list[str] = []
    for number, paragraph in enumerate(paragraphs):
        if number and draw.random() < 0.12:
            parts.append("## " + re.split("[。，,.:：]", paragraph)[0][:24])
        parts.append(draw.choices(("", "- ", "> "), (0.92, 0.05, 0.03))[0] + paragraph)
        parts += [draw.choice(CODE)] if draw.random() < 0.04 else []
        parts += ["<!-- more -->"] if number == 1 and has_excerpts else []
    headline = re.sub(r'[{}"\\\n]', " ", title or re.split("[。！？.!?\n]", text)[0])[:60]
    day = f"{draw.randint(2012, 2024)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02} {draw.randint(10, 23)}:05:00"
    tags = ", ".join(draw.sample(TAGS[site.language], draw.randint(1, 4)))
    head = f'title: "{headline}"\ndate: {day}\ntags: [{tags}]\ncategories: {draw.choice(CATEGORIES[site.language])}'
    return f"---\n{head}\n---\n\n" + "\n\n".join(parts) + "\n"


def _row(site: Site, file: Path, root: Path) -> dict[str, str]:
    path = "/" + file.relative_to(root).as_posix().removesuffix("index.html")
    return {"url": f"https://{site.host}{path}", "file": str(file), "kind": _kind(site, path)}


def _kind(site: Site, path: str) -> str:
    """By the address: the generator has written each kind into a folder of its own."""
    first = path.strip("/").split("/")[0]
    if path == "/" or first in ("page", site.tags, site.categories, site.archives, "tags", "categories", "links"):
        return "list"
    return {"about": "profile", "404.html": "error"}.get(first, "article")


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--modules", type=Path, required=True, help="the folder node_modules with Hexo and its themes")
    ask.add_argument("--sites", type=int, default=45)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    args = ask.parse_args()
    themes = sorted(path.name.removeprefix("hexo-theme-") for path in args.modules.glob("hexo-theme-*"))
    texts = {language: texts_of(args.shared, language) for language in SETS}
    for number in range(args.sites):
        site, folder = site_of(number), (args.folder / f"{number:03}").resolve()
        if folder.exists():
            continue
        try:
            pages = make(folder, args.modules, themes, site, texts[site.language])
        except subprocess.SubprocessError as error:  # not every theme takes every version of Hexo
            print(f"{folder}: {error}", flush=True)
        else:
            print(f"{folder}: {pages} pages", flush=True)


if __name__ == "__main__":
    main()
