"""Pages that never finish, and one of two gigabytes, in the browser that renders: the crawl ends, and has the page beside them."""

from pathlib import Path

from benchmarks.attacks import SKIPPED, Trial, outcome
from crawler.rendering.options import NoBrowserError, find_browser
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

_HOST = "site.example"
_RENDER_SECONDS, _MAX_SECONDS = 10, 240
_LOOPS = (
    "while(1);",
    "setInterval(()=>fetch('/x'+Math.random()),1)",
    "location.reload()",
    "for(;;)document.body.append('x'.repeat(1e6))",
)
_MAX_BYTES = 450 << 20


def attack(folder: Path, trial: Trial) -> str:
    """Scripts that never end, in an order from the seed, and a script that makes a page of two gigabytes."""
    try:
        find_browser("")
    except NoBrowserError as error:
        return f"{SKIPPED}: {error}"
    chance = trial.chance()
    scripts = [*chance.sample(_LOOPS, len(_LOOPS)), "document.body.innerHTML='y'.repeat(2**29).repeat(4)"]

    def site(asked: Connection) -> None:
        number = asked.path[1:]
        if number.isdigit() and int(number) < len(scripts):
            asked.answer(article(f"第{number}页", f"<script>{scripts[int(number)]}</script>"))
        else:
            asked.answer(
                article(
                    "首页" if asked.path == "/" else "好", links_to(*(f"/{n}" for n in range(len(scripts))), "/good")
                )
            )

    (folder / "settings" / "sites").mkdir(parents=True)
    (folder / "settings" / "sites" / "default.yaml").write_text("render: always\n")
    settings = {
        "TOPICRAWL_SETTINGS_DIR": folder / "settings",
        "RENDER_TIMEOUT": _RENDER_SECONDS,
        "RETRY_TIMES": 0,
        "FRONTIER_HOST_DELAY": 0,
    }
    with HostileWeb({_HOST: site}) as web:
        crawl = Crawl(
            folder, [f"http://{_HOST}/"], {"depth": "1", "max_pages": "20"}, settings, {"http_proxy": web.address}
        )
        crawl.run(2 * _MAX_SECONDS)
        pages = crawl.pages()
    return outcome(
        f"exit code {crawl.exit_code} after {crawl.seconds:.0f} s, {len(pages)} pages, {crawl.peak_memory >> 20} MB",
        "the good page is missing" if f"http://{_HOST}/good" not in pages else "",
        "too slow" if crawl.seconds > _MAX_SECONDS else "",
        "too much memory" if crawl.peak_memory > _MAX_BYTES else "",
    )
