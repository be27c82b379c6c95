"""Opens the store of identities that the settings name."""

from pathlib import Path

from scrapy.settings import BaseSettings

from crawler.config.sites import read_sites
from crawler.identities.base import IdentityError, IdentityStore
from crawler.identities.secrets import Secrets
from crawler.identities.sqlite_identities import SqliteIdentities


def open_identities(settings: BaseSettings) -> IdentityStore:
    """The store of sessions: a file in DATA_DIR, or Redis beside a shared frontier. Raises IdentityError if it cannot be used."""
    if settings["FRONTIER"] == "shared":
        return _shared(settings)
    return SqliteIdentities(Path(settings["DATA_DIR"]) / "identities.db")


def _shared(settings: BaseSettings) -> IdentityStore:
    """The store in Redis, whose client is imported only here, so that a crawl on one machine does not load it."""
    from crawler.identities.redis_identities import RedisIdentities
    from pipelines.redis_client import RedisSettingsError, connect

    try:
        return RedisIdentities(connect(settings), f"{settings.get('REDIS_PREFIX', '')}{{identities}}")
    except RedisSettingsError as error:
        raise IdentityError(str(error)) from None


def check_identities(settings: BaseSettings) -> None:
    """Raises IdentityError or SecretsError if sites have identities that a crawl cannot use."""
    sites = list(read_sites(settings).all())
    if not any(site.identities for site in sites):
        return
    if any(site.login for site in sites) and not settings.getbool("COOKIES_ENABLED"):
        raise IdentityError("A log-in needs cookies: leave COOKIES_ENABLED on, or remove `login` from the site's file.")
    Secrets(settings)
    open_identities(settings).close()
