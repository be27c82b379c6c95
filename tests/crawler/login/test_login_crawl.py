"""Crawls of sites behind a log-in: every page is had, each lost session is renewed once, nothing secret is told."""

import gzip
import stat
from pathlib import Path

import pytest
import redis
from scrapy.settings import Settings

from crawler.config.yaml_file import DeclarationError
from crawler.identities.base import IdentityError
from crawler.identities.opening import check_identities
from crawler.identities.secrets import SecretsError
from testbed.login_crawl import crawl_of, keys_with_secrets, leaks, run_nodes
from testbed.login_sites import USERNAME, LoginWeb


def test_sessions_that_run_out_are_renewed_once_each_and_survive_a_restart(tmp_path: Path) -> None:
    pytest.importorskip("warcio")
    with LoginWeb(24, 9) as web:
        crawl = crawl_of(tmp_path, web, WARC_DIR=tmp_path / "warc").run()
        for path in (tmp_path / "warc").iterdir():
            archived = gzip.decompress(path.read_bytes())
            assert archived.count(b"WARC-Type: request") > 48
            (tmp_path / "archived").write_bytes(archived)
        for site in (web.by_form, web.by_sign_on):
            assert len(site.served) == 24
            assert site.counts["expired"] >= 2
            assert site.counts["logins"] <= site.counts["expired"] + 1
            assert not site.counts["left"]
        assert len(crawl.pages()) == 48
        assert web.by_sign_on.counts["passwords"] < web.by_sign_on.counts["logins"]
        assert not list(leaks(tmp_path, web))
        kept = crawl.folder / "identities.db"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        before = web.by_form.counts["logins"]
        web.by_form.per_session = 1_000
        crawl_of(tmp_path, web).run()
        assert web.by_form.counts["logins"] == before
    assert not crawl.errors


def test_two_nodes_share_their_sessions_and_log_in_once_for_each_that_runs_out(tmp_path: Path, redis_url: str) -> None:
    with LoginWeb(24, 9) as web:
        crawls = run_nodes(tmp_path, web, redis_url)
        for site in (web.by_form, web.by_sign_on):
            assert len(site.served) == 24
            assert site.counts["expired"] >= 2
            assert site.counts["logins"] <= site.counts["expired"] + 1
        assert len({url for crawl in crawls for url in crawl.pages()}) == 48
        assert not list(leaks(tmp_path, web))
        assert not list(keys_with_secrets(redis_url, web))
        client = redis.Redis.from_url(redis_url, decode_responses=True)
        found = [client.hget(key, "cookies") or "" for key in client.keys("{identities}:*")]
        client.close()
        secrets = web.by_form.secrets | web.by_sign_on.secrets
        assert [any(secret in text for secret in secrets) for text in found] == [True, True]


def test_a_wrong_password_is_tried_once_and_its_pages_are_had_as_somebody_else(tmp_path: Path) -> None:
    with LoginWeb(20, 12) as web:
        crawl = crawl_of(tmp_path, web)
        site = tmp_path / "sites" / "pages.example.yaml"
        site.write_text(site.read_text().replace("[reader]", "[stranger, reader]"))
        crawl.urls = crawl.urls[:1]
        wrong = {"LOGIN_USERNAME_STRANGER": USERNAME, "LOGIN_PASSWORD_STRANGER": "wr0ng-one"}
        crawl.environment = dict(crawl.environment) | wrong
        crawl.run()
        assert len(web.by_form.served) == 20
        assert web.by_form.counts["logins"] <= web.by_form.counts["expired"] + 2
    assert "its form was sent back" in crawl.log
    assert "wr0ng-one" not in crawl.log
    assert not crawl.errors


def test_a_page_that_always_asks_fails_without_further_log_ins(tmp_path: Path) -> None:
    with LoginWeb(15, 1_000) as web:
        refused: list[str] = []
        answer = web.by_form.answer

        def answering(asked: object) -> None:
            if asked.path in ("/7", "/8", "/9"):  # type: ignore[attr-defined]
                refused.append(asked.path)  # type: ignore[attr-defined]
                asked.send_to("/login?more=rights")  # type: ignore[attr-defined]
            else:
                answer(asked)  # type: ignore[arg-type]

        web.hosts["pages.example"] = answering
        crawl = crawl_of(tmp_path, web, RETRY_DELAY=0.1).run()
        assert len(web.by_form.served) == 12
        assert web.by_form.counts["logins"] <= 3
        assert len(refused) <= 3 * 6 + web.by_form.counts["logins"] * 3
    assert not crawl.errors


def test_mistakes_are_told_before_anything_starts(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.yaml"
    secrets.write_text("reader: {username: a, password: b}")
    secrets.chmod(0o644)
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "some.example.yaml").write_text("identities: [reader]\nlogin: {}")
    given = {
        "TOPICRAWL_SETTINGS_DIR": tmp_path,
        "DATA_DIR": tmp_path,
        "COOKIES_ENABLED": True,
    }
    with pytest.raises(SecretsError, match="chmod 600"):
        check_identities(Settings(given | {"LOGIN_SECRETS": str(secrets)}))
    with pytest.raises(IdentityError, match="needs cookies"):
        check_identities(Settings(given | {"COOKIES_ENABLED": False}))
    (tmp_path / "sites" / "some.example.yaml").write_text("login:\n  page: /login")
    with pytest.raises(DeclarationError, match=r"line 2, login\.page: is not an address"):
        check_identities(Settings(given))
    (tmp_path / "sites" / "some.example.yaml").write_text("delay: 1\nlogin: {}")
    with pytest.raises(DeclarationError, match="line 2, login: needs `identities`"):
        check_identities(Settings(given))
    (tmp_path / "sites" / "default.yaml").write_text("identities: [reader]\nlogin: {}")
    with pytest.raises(DeclarationError, match="line 2, login: belongs in the file of the site"):
        check_identities(Settings(given))
