"""What an operator writes for each site, and what he is told about a slip."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.checks.configuration import sites as check_sites
from crawler.commands.frontier import _show as show_frontier
from crawler.config.hours import Politeness
from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.frontier.local.sqlite import SqliteFrontier
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb, behaviours


def _write(folder: Path, **files: str) -> Path:
    (folder / "sites").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "sites" / f"{name.replace('__', '.')}.yaml").write_text(text, encoding="utf-8")
    return folder / "sites"


def test_a_host_has_its_own_file_or_its_domains_or_the_default(tmp_path: Path) -> None:
    folder = _write(
        tmp_path, default="delay: 2\nrender: auto", example__cn="delay: 5", news__example__cn="concurrency: 9"
    )
    sites = Sites(folder)
    assert sites.of("example.cn").delay == 5
    assert sites.of("bbs.Example.cn").delay == 5
    assert sites.of("a.news.example.cn").concurrency == 9
    assert sites.of("news.example.cn").delay == 2  # left out there, so from the default
    assert sites.of("news.example.cn").render == "auto"
    assert sites.of("notexample.cn").delay == 2
    assert sites.pace("news.example.cn", Politeness(1, 4)) == Politeness(2, 9)


def test_an_engines_host_goes_through_the_proxies_that_its_engine_names(tmp_path: Path) -> None:
    sites = Sites(_write(tmp_path, default="delay: 2"))
    assert sites.of("www.search.example").proxies == ""
    sites.send_through("www.search.example", "p.txt", "round_robin")
    site = sites.of("www.search.example")
    assert (site.proxies, site.proxy_policy, site.delay) == ("p.txt", "round_robin", 2)
    assert sites.of("search.example").proxies == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("delay: 1\nrnder: auto", "line 2, rnder: is not known"),
        ("delay: -1", "line 1, delay: Input should be greater"),
        ("zone: Asia/Beijng", "line 1, zone: is not a time zone"),
        ('hours:\n  - "09:00-12:00"\n  - "25:00-26:00"', "line 3, hours: is not a span"),
        ("render: perhaps", "line 1, render: Input should be 'never', 'always' or 'auto'"),
        ("robots: ignore", "line 1, robots: needs a reason"),
        ("article:\n  body: [.a, 'div[']", "line 2, article.body: 'div[' is not a selector"),
        ("article: {bdy: .a}", "article.bdy: is not known; there are author, body, kind, remove, time, title"),
        ("article: {kind: article}", "`kind` needs `body`"),
        ("records: {author: .a}", "records.each: is missing"),
        ("delay: [", "is not YAML"),
        ("- a", "must have keys and values"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(tmp_path: Path, text: str, said: str) -> None:
    folder = _write(tmp_path, some__site=text)
    with pytest.raises(DeclarationError) as error:
        Sites(folder)
    assert "some.site.yaml" in str(error.value)
    assert said in str(error.value)


def test_rules_are_those_of_the_host_and_its_subdomains(tmp_path: Path) -> None:
    folder = _write(tmp_path, paper__example="article: {body: .story, remove: [.a, .b]}", other__example="delay: 1")
    sites = Sites(folder)
    rules = sites.rules("www.paper.example")
    assert rules is not None
    assert (rules.name, str(rules)) == ("paper.example", "body, remove")
    assert sites.rules("other.example") is None
    with pytest.raises(DeclarationError, match="belongs in the file of the site"):
        Sites(_write(tmp_path, default="article: {body: .story}"))


def test_hours_as_minutes(tmp_path: Path) -> None:
    folder = _write(tmp_path, a='hours: ["22:00-06:30", "12:00-24:00"]')
    assert Sites(folder).of("a").minutes() == [(1320, 390), (720, 1440)]


def test_the_package_brings_a_default() -> None:
    sites = read_sites(Settings({"TOPICRAWL_SETTINGS_DIR": "/there/is/no/such/folder"}))
    assert sites.default.robots.policy == "obey"


def test_doctor_tells_of_mistakes_and_of_ignored_robots(tmp_path: Path) -> None:
    _write(tmp_path, some__site="robots: {policy: ignore, reason: we own it}")
    settings = Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)})
    assert "we own it" in check_sites(settings)[1].message
    _write(tmp_path, some__site="robots: [1]")
    assert check_sites(settings)[0].state == "fault"


def test_doctor_tells_who_sleeps_and_until_when(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    later, end = now + timedelta(hours=2), now + timedelta(hours=3)
    _write(
        tmp_path,
        night__example=f'hours: ["{later:%H:%M}-{end:%H:%M}"]',
        day__example=f'hours: ["{now - timedelta(hours=1):%H:%M}-{end:%H:%M}"]',
    )
    found = check_sites(Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)}))
    (asleep,) = [finding for finding in found if finding.subject == "Hours"]
    assert asleep.message == f"night.example is outside its hours; its requests wait until {later:%Y-%m-%d %H:%M} UTC"


def test_a_crawl_keeps_a_sites_delay_and_its_word_on_robots(tmp_path: Path) -> None:
    _write(tmp_path, slow__example="delay: 0.4\nconcurrency: 1", our__example="robots: {policy: ignore, reason: ours}")

    def shut(asked: Connection) -> None:
        asked.answer("User-agent: *\nDisallow: /", Content_Type="text/plain")

    hosts = dict.fromkeys(("slow.example", "our.example", "their.example"), behaviours.plain)
    with HostileWeb(hosts, robots={"our.example": shut, "their.example": shut}) as web:
        settings = {"FRONTIER_HOST_DELAY": 0, "TOPICRAWL_SETTINGS_DIR": tmp_path}
        starts = [f"http://slow.example/{number}" for number in range(4)]
        starts += ["http://our.example/", "http://their.example/"]
        crawl = Crawl(tmp_path / "data", starts, settings=settings, environment={"http_proxy": web.address})
        crawl.run()
    assert len([url for url in crawl.pages() if "slow" in url]) == 4
    assert "http://our.example/" in crawl.pages()
    assert "http://their.example/" not in crawl.pages()
    assert crawl.seconds > 4 * 0.4


def test_a_crawl_leaves_a_sleeping_host_and_says_until_when(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = datetime.now(UTC) + timedelta(hours=3)
    hours = f"{begin:%H:%M}-{begin + timedelta(hours=1):%H:%M}"
    _write(tmp_path, asleep__example=f'hours: ["{hours}"]')
    with HostileWeb(dict.fromkeys(("asleep.example", "awake.example"), behaviours.plain)) as web:
        settings = {"FRONTIER_HOST_DELAY": 0, "HOURS_MAX_WAIT": 0, "TOPICRAWL_SETTINGS_DIR": tmp_path}
        starts = ["http://asleep.example/", "http://awake.example/"]
        crawl = Crawl(tmp_path / "data", starts, settings=settings, environment={"http_proxy": web.address}).run()
    assert list(crawl.pages()) == ["http://awake.example/"]
    assert not [seen for seen in web.seen if seen.host == "asleep.example"]
    assert "when the first host's hours begin" in crawl.log
    assert begin.astimezone().strftime("%Y-%m-%d %H:%M") in crawl.log
    name = next((tmp_path / "data" / "frontier").glob("*.db")).stem
    frontier = SqliteFrontier(tmp_path / "data" / "frontier" / f"{name}.db")
    show_frontier(name, frontier, 20, Sites(tmp_path / "sites"))
    frontier.close()
    assert f"from {begin:%m-%d %H:%M} UTC" in capsys.readouterr().out


def test_a_crawl_with_a_mistake_does_not_begin(tmp_path: Path) -> None:
    _write(tmp_path, some__site="delay: soon")
    crawl = Crawl(tmp_path / "data", ["http://some.site/"], settings={"TOPICRAWL_SETTINGS_DIR": tmp_path})
    crawl.run()
    assert "some.site.yaml, line 1, delay" in crawl.log
    assert "Traceback" not in crawl.log
