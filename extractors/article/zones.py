"""In which zone a page's times are meant: by its language, or by the country of its host."""

from datetime import timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from extractors.links.urls import host_of
from extractors.text.dates import CHINA

_OF_LANGUAGES = {"zh": CHINA, "ja": timezone(timedelta(hours=9)), "ko": timezone(timedelta(hours=9))}
"""Of the languages that are written in one zone, or nearly so."""
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
"""By top-level domain: countries with one zone, or where nearly all papers are in one."""


def zone_of(language: str) -> tzinfo | None:
    """The zone of times that name none, and of those in UTC, on pages in this language (ISO 639-1); None if it has many."""
    return _OF_LANGUAGES.get(language)


def zone_of_host(url: str) -> tzinfo | None:
    """The zone of the country that an address belongs to by its domain; None if it has none, or several zones."""
    return _zone(host_of(url).rpartition(".")[2].lower())


@cache
def _zone(country: str) -> tzinfo | None:
    try:
        return ZoneInfo(_OF_COUNTRIES[country])
    except (KeyError, ValueError, OSError):  # no such country; no zone files on this machine
        return None
