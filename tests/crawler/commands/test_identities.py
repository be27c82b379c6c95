"""`scrapy identities` as users call it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from crawler.commands.identities import _chosen
from crawler.config.sites import Sites
from crawler.identities.base import IdentityError
from testbed.crawling import REPOSITORY, Crawl
from testbed.login_crawl import crawl_of
from testbed.login_sites import PASSWORD, LoginWeb


def _identities(crawl: Crawl, *words: str) -> subprocess.CompletedProcess[str]:
    settings = {"DATA_DIR": crawl.folder, **crawl.settings, "LOG_LEVEL": "ERROR"}
    command = [sys.executable, "-m", "scrapy", "identities", *words]
    command += [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return subprocess.run(
        command, cwd=REPOSITORY, env=dict(crawl.environment), capture_output=True, text=True, timeout=120
    )


def test_identities_are_logged_in_checked_listed_and_their_cookies_imported(tmp_path: Path) -> None:
    with LoginWeb(10, 3) as web:
        crawl = crawl_of(tmp_path, web)
        done = _identities(crawl, "login", "pages.example")
        assert (done.returncode, done.stdout) == (0, "pages.example  reader  logged in\n"), done.stderr
        rows = json.loads(_identities(crawl, "list", "--json").stdout)
        assert [(row["site"], row["state"]) for row in rows] == [
            ("library.example", "not logged in yet"),
            ("pages.example", "has a session"),
        ]
        assert not any(secret in str(rows) for secret in web.by_form.secrets | {PASSWORD})
        (session,) = web.by_form.secrets
        exported = tmp_path / "cookies.txt"
        exported.write_text(
            f"pages.example\tFALSE\t/\tFALSE\t0\tsid\t{session}\nelse.example\tFALSE\t/\tFALSE\t0\tx\t1\n"
        )
        done = _identities(crawl, "import", "pages.example", "reader", str(exported))
        assert "1 cookies for reader at pages.example; 1 for other sites or expired were left out" in done.stdout
        site = tmp_path / "sites" / "pages.example.yaml"
        site.write_text(site.read_text() + "  check: http://pages.example/5\n")
        assert _identities(crawl, "check", "pages.example").stdout == "pages.example  reader  logged in\n"
        web.by_form.sessions.clear()
        done = _identities(crawl, "check", "pages.example")
        assert (done.returncode, done.stdout) == (1, "pages.example  reader  not logged in\n")
        assert web.by_form.counts["logins"] == 1


def test_an_identity_that_is_not_there_is_said_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "some.example.yaml").write_text("identities: [a, b]")
    (tmp_path / "other.example.yaml").write_text("identities: [c]")
    sites = Sites(tmp_path)
    assert [key.identity for key in _chosen(sites, [])] == ["c", "a", "b"]
    assert [key.identity for key in _chosen(sites, ["some.example", "b"])] == ["b"]
    with pytest.raises(IdentityError, match=r"no site with identities 'x'. There are: other.example, some.example."):
        _chosen(sites, ["x"])
    with pytest.raises(IdentityError, match=r"no identity 'c'. There are: a, b."):
        _chosen(sites, ["some.example", "c"])
