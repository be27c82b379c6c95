"""The interpretation of a page's times: zone and order of day and month, by its language or its host's country."""

from dataclasses import dataclass
from datetime import timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from extractors.links.urls import host_of
from extractors.text.dates import CHINA

_OF_LANGUAGES = {"zh": CHINA, "ja": timezone(timedelta(hours=9)), "ko": timezone(timedelta(hours=9))}
"""Zones of languages that are mostly used in one zone."""
_OF_COUNTRIES = {
    country: f"{area}/{city}"
    for area, cities in {
        "Europe": "de:Berlin at:Vienna ch:Zurich fr:Paris it:Rome es:Madrid pt:Lisbon nl:Amsterdam be:Brussels lu:Luxembourg"
        " dk:Copenhagen se:Stockholm no:Oslo fi:Helsinki pl:Warsaw cz:Prague sk:Bratislava hu:Budapest ro:Bucharest bg:Sofia"
        " gr:Athens ua:Kyiv by:Minsk ee:Tallinn lv:Riga lt:Vilnius uk:London ie:Dublin tr:Istanbul rs:Belgrade hr:Zagreb si:Ljubljana",
        "America": "ar:Argentina/Buenos_Aires bo:La_Paz br:Sao_Paulo cl:Santiago co:Bogota cr:Costa_Rica do:Santo_Domingo"
        " ec:Guayaquil gt:Guatemala hn:Tegucigalpa ni:Managua pa:Panama pe:Lima py:Asuncion sv:El_Salvador uy:Montevideo ve:Caracas",
        "Asia": "cn:Shanghai tw:Taipei hk:Hong_Kong sg:Singapore jp:Tokyo kr:Seoul th:Bangkok vn:Ho_Chi_Minh ph:Manila"
        " my:Kuala_Lumpur in:Kolkata pk:Karachi bd:Dhaka lk:Colombo np:Kathmandu il:Jerusalem ae:Dubai sa:Riyadh",
        "Africa": "eg:Cairo za:Johannesburg ng:Lagos ke:Nairobi ma:Casablanca tn:Tunis dz:Algiers gh:Accra",
        "Pacific": "nz:Auckland",
    }.items()
    for country, city in (pair.split(":") for pair in cities.split())
}
"""By top-level domain: countries with one zone, or with nearly all newspapers in one zone."""


_MONTH_FIRST = frozenset(("", "zh", "ja", "ko"))
"""Languages in which 4/3/2020 is not a common date format; "" is an unknown language."""
_ENGLISH_DAY_FIRST = frozenset("uk ie au nz za in pk bd lk ng ke gh sg my hk mt".split())
"""Countries where English is written with the day first; elsewhere the month comes first."""


@dataclass(frozen=True, slots=True)
class TimeStyle:
    """The interpretation of a page's times; made by `time_style`.

    Attributes:
        zone: of times without a zone, and of times in UTC; None if the language has many.
        day_first: whether 4/3/2020 is the fourth of March.
    """

    zone: tzinfo | None = None
    day_first: bool = False


def time_style(language: str, url: str = "") -> TimeStyle:
    """The style of pages in this language (ISO 639-1, "" if unknown) at this address."""
    if language == "en":
        return TimeStyle(None, host_of(url).rpartition(".")[2].lower() in _ENGLISH_DAY_FIRST)
    return TimeStyle(_OF_LANGUAGES.get(language), language not in _MONTH_FIRST)


def zone_of_host(url: str) -> tzinfo | None:
    """The zone of the country of an address's domain; None without a country, or if it has several zones."""
    return _zone(host_of(url).rpartition(".")[2].lower())


@cache
def _zone(country: str) -> tzinfo | None:
    try:
        return ZoneInfo(_OF_COUNTRIES[country])
    except (KeyError, ValueError, OSError):  # an unknown country, or no zone files on this machine
        return None
