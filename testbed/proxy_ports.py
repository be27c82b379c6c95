"""A page links and redirects to other ports of the operator's proxy, which has a private address."""

import socket
from pathlib import Path

from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to


def attack(folder: Path) -> str:
    """Directly (NO_PROXY) and through the proxy; the machine's own name is the proxy's."""
    name = socket.gethostname()
    results = (_reached(folder / way, name, no_proxy) for way, no_proxy in (("direct", name), ("through", "")))
    return "; ".join(filter(None, results))


def _reached(folder: Path, name: str, no_proxy: str) -> str:
    with HostileWeb({name: lambda asked: asked.answer("secret")}) as inside:
        target = f"http://{name}:{inside.port}/secret"

        def outside(asked: Connection) -> None:
            if asked.path == "/":
                asked.answer(article("首页", links_to("/redirect", target)))
            else:
                asked.answer(status=302, Location=target)

        with HostileWeb({"outside.example": outside, name: lambda asked: asked.answer("secret")}) as web:
            environment = {"http_proxy": f"http://{name}:{web.port}", "no_proxy": no_proxy}
            settings = {
                "ALLOW_PRIVATE_ADDRESSES": False,
                "FRONTIER_HOST_DELAY": 0,
                "RETRY_DELAY": 0.05,
                "DOWNLOAD_TIMEOUT": 3,
            }
            crawl = Crawl(
                folder, ["http://outside.example/"], {"allow": f"{name},outside.example"}, settings, environment
            ).run()
            seen = [*inside.seen, *web.asked(name)]
            if "http://outside.example/" not in crawl.pages():
                return "the crawl got no page: the attack proves nothing"
    return f"{len(seen)} requests for {target}" if seen else ""
