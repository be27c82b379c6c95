"""The settings of each site: settings/sites/HOST.yaml overrides settings/sites/default.yaml."""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator
from scrapy.settings import BaseSettings

from crawler.config.article_rules import ArticleRule, RecordsRule, SavedPage
from crawler.config.hours import Hours, Politeness
from crawler.config.yaml_file import Declaration, DeclarationError, Strict, TimeZone, settings_folder
from extractors.page import SiteRules, declared_rules, site_rules

_HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|24:00)")
__all__ = ("Login", "LoginFields", "Robots", "SavedPage", "SiteSettings", "Sites", "read_sites")
_OF_ONE_SITE = {"login", "article", "records", "test"}
_HOST = re.compile(r"[\w.-]+", re.ASCII)


def _is_hours(value: str) -> str:
    if not _HOURS.fullmatch(value):
        raise ValueError("is not a span of hours; write it like 22:00-06:30 or 18:00-24:00")
    return value


def _is_address(value: str) -> str:
    if not value.startswith(("http://", "https://")) or not urlsplit(value).hostname:
        raise ValueError("is not an address; write it like https://some.site/login")
    return value


class Robots(Strict):
    """The use of the site's robots.txt; ignoring it requires a reason."""

    policy: Literal["obey", "ignore"] = "obey"
    reason: str = ""

    @model_validator(mode="after")
    def _has_reason(self) -> "Robots":
        if self.policy == "ignore" and not self.reason.strip():
            raise ValueError("needs a reason beside `policy: ignore`")
        return self


class LoginFields(Strict):
    """The CSS selector of the log-in form and the names of its fields, for sites where they are not found automatically."""

    form: str = ""
    username: str = ""
    password: str = ""


class Login(Strict):
    """The log-in of the site's identities; every key is optional."""

    page: Annotated[str, AfterValidator(_is_address)] = ""
    check: Annotated[str, AfterValidator(_is_address)] = ""
    holds: str = ""
    lost: str = ""
    hosts: list[Annotated[str, Field(pattern=_HOST.pattern)]] = []
    fields: LoginFields = LoginFields()
    extra: dict[str, str] = {}


class SiteSettings(Strict):
    """The settings of one site, explained in settings/sites/default.yaml. None means the setting of the crawl."""

    delay: Annotated[float, Field(ge=0)] | None = None
    concurrency: Annotated[int, Field(ge=1)] | None = None
    hours: list[Annotated[str, AfterValidator(_is_hours)]] = []
    zone: TimeZone = "UTC"
    user_agent: str = Field(default="own", min_length=1)
    proxies: str = ""
    proxy_policy: Literal["sticky", "round_robin", "least_failed"] = "sticky"
    identities: list[Annotated[str, Field(min_length=1)]] = []
    render: Literal["never", "always", "auto"] = "never"
    impersonate: Literal["", "chrome", "edge", "firefox", "safari"] = ""
    robots: Robots = Robots()
    login: Login | None = None
    article: ArticleRule | None = None
    records: RecordsRule | None = None
    test: list[SavedPage] = []

    @field_validator("robots", mode="before")
    @classmethod
    def _policy_alone(cls, value: Any) -> Any:
        return {"policy": value} if isinstance(value, str) else value

    @field_validator("login")
    @classmethod
    def _has_identities(cls, value: Login | None, known: ValidationInfo) -> Login | None:
        if value and not known.data.get("identities"):
            raise ValueError("needs `identities`: the names of the identities that log in")
        return value

    @property
    def opening_hours(self) -> Hours | None:
        """`hours` in `zone`; None without limit."""
        return Hours(tuple(self.minutes()), self.zone) if self.hours else None

    def rules(self, name: str) -> SiteRules | None:
        """The rules for reading the pages of the site of this name; None for the usual way."""
        if self.article is None and self.records is None:
            return None
        article, records = (part.model_dump(exclude_none=True) if part else {} for part in (self.article, self.records))
        return site_rules(name, declared_rules(article, records))

    def minutes(self) -> list[tuple[int, int]]:
        """Spans of `hours` in minutes of the day, end exclusive; a span over midnight has an end before its start."""
        spans = []
        for text in self.hours:
            first, last = (int(part[:2]) * 60 + int(part[3:]) for part in text.split("-"))
            spans.append((first, last))
        return spans


class Sites:
    """The settings of every site.

    Args:
        folder: holds default.yaml and HOST.yaml.

    Raises:
        DeclarationError: for the first mistake in any file; names file, line and key.
    """

    def __init__(self, folder: Traversable | None = None) -> None:
        there = sorted(folder.iterdir(), key=lambda path: path.name) if folder is not None and folder.is_dir() else []
        given = {path.name.removesuffix(".yaml").lower(): path for path in there if path.name.endswith(".yaml")}
        for name, path in given.items():
            if not _HOST.fullmatch(name):
                raise DeclarationError(f"{path}: the name of the file must be a host, like news.example.cn.yaml")
        fallback = given.pop("default", None)
        common: dict[str, Any] = {}
        self.default = SiteSettings()
        if fallback is not None:
            read = Declaration(fallback)
            for key in _OF_ONE_SITE & read.values.keys():
                read.fail(key, "belongs in the file of the site")
            self.default, common = read.checked(SiteSettings), read.values
        self.named = {host: Declaration(path).checked(SiteSettings, common) for host, path in given.items()}
        self.of = lru_cache(maxsize=20_000)(self._of)
        self.rules = lru_cache(maxsize=20_000)(self._rules)
        self.name_of = lru_cache(maxsize=20_000)(self._name_of)

    def _of(self, host: str) -> SiteSettings:
        """The settings of a host: its own, else those of the nearest parent domain that has a file, else the default."""
        return self.named.get(self.name_of(host), self.default)

    def _name_of(self, host: str) -> str:
        """The name of the file with the settings of the host; "" for the default."""
        name = host.lower().rstrip(".")
        while name and name not in self.named:
            name = name.partition(".")[2]
        return name

    def _rules(self, host: str) -> SiteRules | None:
        """The rules for reading the pages of a host; None for the usual way."""
        return self.of(host).rules(self.name_of(host))

    def send_through(self, host: str, proxies: str, policy: str) -> None:
        """Override the list of proxies of a host. Call it before middlewares are created."""
        self.named[host] = self.of(host).model_copy(update={"proxies": proxies, "proxy_policy": policy})
        self.of.cache_clear()
        self.name_of.cache_clear()

    def pace(self, host: str, usual: Politeness) -> Politeness:
        """Delay, concurrency and hours of the host, with `usual` for those that it does not set."""
        site = self.of(host)
        delay = usual.delay if site.delay is None else site.delay
        return Politeness(delay, site.concurrency or usual.concurrency, site.opening_hours)

    def all(self) -> Iterator[SiteSettings]:
        yield self.default
        yield from self.named.values()


def read_sites(settings: BaseSettings) -> Sites:
    """The sites of the folder TOPICRAWL_SETTINGS_DIR. Raises DeclarationError for a mistake in a file."""
    return Sites(settings_folder(settings) / "sites")
