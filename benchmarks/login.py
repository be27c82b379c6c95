"""Sites behind a log-in whose sessions run out: `python -m benchmarks.login`."""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.login_sites import PASSWORD, USERNAME, LoginWeb, Pages
from tests.crawling import Crawl

SITES = {
    "pages.example": "identities: [reader]\nlogin:\n  page: http://pages.example/login\n",
    "library.example": "identities: [reader]\nlogin:\n  hosts: [sso.campus.example]\n",
}
_KEPT_IN = "identities.db"


def crawl_of(folder: Path, web: LoginWeb, **settings: object) -> Crawl:
    """A crawl of both sites, as one who may log in; it tells all that it ever tells."""
    (folder / "sites").mkdir(exist_ok=True)
    for host, text in SITES.items():
        (folder / "sites" / f"{host}.yaml").write_text(text)
    base = {"TOPICRAWL_SETTINGS_DIR": folder, "FRONTIER_HOST_DELAY": 0, "TITLES_ENABLED": False, "LOG_LEVEL": "DEBUG"}
    crawl = Crawl(folder / "data", [f"http://{host}/" for host in SITES], settings=base | settings)
    crawl.environment = {
        "http_proxy": web.address,
        "LOGIN_USERNAME_READER": USERNAME,
        "LOGIN_PASSWORD_READER": PASSWORD,
    }
    return crawl


def leaks(folder: Path, web: LoginWeb) -> Iterator[str]:
    """Files below the folder that hold a password, a session or a ticket; sessions may stand where identities are kept."""
    lasting = {USERNAME.encode(), PASSWORD.encode()}
    passing = {name.encode() for site in (web.by_form, web.by_sign_on) for name in site.secrets}
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            found = lasting if path.name.startswith(_KEPT_IN) else lasting | passing
            if any(secret in content for secret in found):
                yield path.name


def _report(name: str, site: Pages) -> None:
    print(f"{name:28}{len(site.served)} of {site.count} pages, {site.counts['expired']} sessions expired, ", end="")
    print(f"{site.counts['logins']} log-ins, {site.counts['left']} times logged out")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--session", type=int, default=50, help="pages for which a session is good")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, LoginWeb(given.pages, given.session) as web:
        crawl = crawl_of(Path(name), web).run(600)
        _report("log-in by form", web.by_form)
        _report("sign-on over two hosts", web.by_sign_on)
        print(f"{'pages stored':28}{len(crawl.pages())} of {2 * given.pages}")
        print(f"{'files with a secret':28}{', '.join(leaks(Path(name), web)) or 'none'}")
        print(f"{'seconds':28}{crawl.seconds:.0f}")


if __name__ == "__main__":
    main()
