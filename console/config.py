"""Network configuration of the console."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings

from crawler.config.yaml_file import time_zone

LOOPBACK_NAMES = frozenset(("localhost", "127.0.0.1", "::1"))


class ConsoleError(ValueError):
    """The console cannot start; the message gives the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class ConsoleConfig:
    """The settings whose names begin with CONSOLE_.

    Attributes:
        host, port: listening address.
        origin: `https://some.host` of the public URL; "" if clients connect directly.
        prefix: path of the public URL, "" or "/console".
        session_hours: lifetime of a session.
        zone: time zone for clients whose own is unknown.
    """

    host: str
    port: int
    origin: str
    prefix: str
    session_hours: float
    zone: str

    @property
    def is_tls(self) -> bool:
        return self.origin.startswith("https:")

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def address(self) -> str:
        """The URL to open."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.origin or f'http://{host}:{self.port}'}{self.prefix}/"


def is_loopback(host: str) -> bool:
    """Whether this name or address is the machine itself."""
    try:
        return host in LOOPBACK_NAMES or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_config(settings: BaseSettings) -> ConsoleConfig:
    """The configuration from settings; raises ConsoleError for an invalid value."""
    parts = urlsplit(str(settings.get("CONSOLE_URL") or ""))
    if parts.geturl() and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise ConsoleError("CONSOLE_URL is the public URL, for instance https://some.host/console")
    return ConsoleConfig(
        host=str(settings.get("CONSOLE_HOST") or "127.0.0.1"),
        port=settings.getint("CONSOLE_PORT"),
        origin=f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else "",
        prefix=parts.path.rstrip("/"),
        session_hours=settings.getfloat("CONSOLE_SESSION_HOURS"),
        zone=str(settings["TIME_ZONE"]),
    )


def is_zone(name: str) -> bool:
    try:
        time_zone(name)
    except ValueError:
        return False
    return True
