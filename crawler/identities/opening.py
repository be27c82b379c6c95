"""From settings to the store of identities."""

from pathlib import Path

from scrapy.settings import BaseSettings

from crawler.identities.base import IdentityError, IdentityStore
from crawler.identities.sqlite import SqliteIdentities
from crawler.login.secrets import Secrets
from crawler.sites import read_sites


def open_identities(settings: BaseSettings) -> IdentityStore:
    """The store that IDENTITIES names, a file in DATA_DIR or the Redis of the crawl; IdentityError if it cannot be used."""
    kind = settings["IDENTITIES"]
    if kind == "local":
        return SqliteIdentities(Path(settings["DATA_DIR"]) / "identities.db")
    raise IdentityError(f"IDENTITIES is local or redis, not {kind!r}")


def check_identities(settings: BaseSettings) -> None:
    """IdentityError or SecretsError, with a sentence, if a site has a log-in and crawls could not use it."""
    if not any(site.login for site in read_sites(settings).all()):
        return
    if not settings.getbool("COOKIES_ENABLED"):
        raise IdentityError("A log-in needs cookies: leave COOKIES_ENABLED on, or take `login` out of the site's file.")
    Secrets(settings)
    open_identities(settings).close()
