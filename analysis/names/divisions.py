"""The administrative divisions of China with their parents, and countries; places are written in many ways.

Codes are those of GB/T 2260: two figures for the province, two for the city, two for the county. It has none for what lies in Hong Kong
and Taiwan: these are this project's own.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from analysis.names.english_names import english_country
from analysis.names.known import cues, data_lines
from extractors.topic.words import simplify

_ENDINGS = ("特别行政区", "维吾尔自治区", "壮族自治区", "回族自治区", "自治区", "自治州", "自治县", "地区", "省", "市", "县", "新区", "区", "盟", "旗", "州", "镇", "乡")  # fmt: skip
_PEOPLES = tuple(cues("peoples"))
_NOT_SHORT = cues("not_short_divisions")
_NOT_SHORT_DISTRICTS = cues("not_short_districts")
"""Words of their own also behind the name of a city: 台东 + 成功."""
_WITH_DISTRICTS = ("71", "81")
_UNNAMED = ("市辖区", "县", "省直辖县级行政区划", "自治区直辖县级行政区划")


_FORMS = {"自治州": "州", "自治县": "县", "自治旗": "旗"}
"""临夏州, 漾濞县: how the name of an autonomous division ends in short."""
_AREA = re.compile("(?<=..)(?:口岸|(?:国家级)?(?:经济技术|高新技术产业|高新)?开发区|经开区|高新区|保税区|国际陆港区)$")
_SITES = ("机场", "火车站", "高铁站", "经开区", "高新区", "会展中心", "奥体中心")
_CHANGED = re.compile(r"(?P<stem>.{2,}?)(?:(?P<county>[市县区])|(?P<city>地区|专区))")


@dataclass(frozen=True, slots=True)
class Division:
    """A province, city or county; `parents` are the full names above it, the nearest first."""

    code: str
    name: str
    parents: tuple[str, ...]


@cache
def _present() -> dict[str, str]:
    return dict(line.split(" ", 1) for line in data_lines("divisions.txt"))


@cache
def _former() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Of divisions that were renamed, joined or split: their names by code, and the codes of what they are part of now."""
    names, successors = dict[str, str](), dict[str, list[str]]()
    for _, code, name, successor, _ in map(str.split, data_lines("division_changes.txt")):
        if code != "-":
            names[code] = name
            successors.setdefault(code, []).append(successor)
    return names, {code: tuple(codes) for code, codes in successors.items()}


@cache
def _codes() -> dict[str, tuple[str, ...]]:
    """The codes that a full or short name may mean, provinces first; those of former divisions included."""
    found: dict[str, list[str]] = {}
    for code, name in sorted(_present().items(), key=lambda entry: (_level(entry[0]), entry[0])):
        if name not in _UNNAMED:
            for form in {name} if _is_district(code) else _forms(name):
                found.setdefault(simplify(form), []).append(code)  # 乾县 is 干县 in what is read
    for form, code in _former_names():
        found.setdefault(form, []).append(code)
    return {
        form: tuple(sorted(dict.fromkeys(codes), key=lambda code: (_level(code), code)))
        for form, codes in found.items()
    }


@cache
def _short_districts() -> dict[str, tuple[str, ...]]:
    """The codes that the short name of a district of Taiwan or Hong Kong may mean; too common to be read without its city."""
    found: dict[str, list[str]] = {}
    for code, name in _present().items():
        if _is_district(code) and (short := _short(name)) != name and short not in _NOT_SHORT_DISTRICTS:
            found.setdefault(short, []).append(code)
    return {short: tuple(codes) for short, codes in found.items()}


def _is_district(code: str) -> bool:
    return code[:2] in _WITH_DISTRICTS and _level(code) == 2


def _former_names() -> Iterator[tuple[str, str]]:
    """Names of former divisions with the code of what they are now, or their own if they were split."""
    present, (former, successors) = _present(), _former()
    for code, name in former.items():
        now = successors[code][0] if len(successors[code]) == 1 else code
        if present.get(now) != name:
            yield name, now


def _forms(name: str) -> set[str]:
    short = _short(name)
    ending = next((end for end in _FORMS if name.endswith(end)), "")
    return {name, short, short + _FORMS[ending]} if ending and short != name else {name, short}


def _level(code: str) -> int:
    return 0 if code.endswith("0000") else 1 if code.endswith("00") else 2


def _short(name: str) -> str:
    for ending in _ENDINGS:
        if name.endswith(ending) and len(name) - len(ending) >= 2:
            short = name.removesuffix(ending)
            short = short[: min((at for people in _PEOPLES if (at := short.find(people, 2)) > 0), default=None)]
            return short if len(short) > 1 and short not in _NOT_SHORT else name
    return name


@cache
def _abroad() -> dict[str, str]:
    return {row[1]: row[0] for row in map(str.split, data_lines("abroad.txt"))}


@cache
def first_letters() -> frozenset[str]:
    """The first characters of cities."""
    return frozenset(name[0] for code, name in _present().items() if _level(code) == 1 and name not in _UNNAMED)


def names_kept_whole() -> frozenset[str]:
    """Full names of divisions, and short ones of provinces and cities, several of which dictionaries lack: 岳阳, 黔西市."""
    names = [(_level(code), simplify(name)) for code, name in _present().items() if name not in _UNNAMED]
    short = {_short(name) for level, name in names if level < 2}
    return frozenset(short | {name for _, name in names if len(name) > 2})


def country_of(text: str) -> str:
    """The ISO code of a country, or of the country of a large city abroad, in Chinese or English; "" if it is neither."""
    return _abroad().get(text) or (english_country(text) if text.isascii() else "")


def is_division(text: str) -> bool:
    """Whether it is the full or short name of a division."""
    return text in _codes()


def is_town(text: str) -> bool:
    """Whether it is the short name of a district or township of Taiwan or Hong Kong."""
    return text in _short_districts()


def codes_of(text: str) -> tuple[str, ...]:
    """The codes that the full name of a division, or the short one of a province or city, may mean; () if it is none."""
    text = simplify(text)
    return _codes().get(text, ()) if is_large(text) else ()


def is_large(text: str) -> bool:
    """Whether it is the full name of a division, or the short one of a province or city."""
    codes = _codes().get(text, ())
    return bool(codes) and (_level(codes[0]) < 2 or len(text) > 2)


def sure_code(text: str) -> str:
    """The code of a division that the text alone names; "" if it is none, or may be several."""
    codes = _likely(text, codes_named(text))
    return codes[0] if codes and (len(codes) == 1 or _level(codes[0]) == 0) else ""


@lru_cache(maxsize=20_000)
def codes_named(text: str) -> tuple[str, ...]:
    """The codes that a name in either script may mean, also one of an earlier kind of division: 萧山市 is 萧山区 now; or of
    an area that has its name from a division: 霍尔果斯口岸."""
    simple = simplify(text)
    text = _AREA.sub("", simple)
    if codes := _codes().get(text) or _codes_of_site(simple):
        return codes
    if not (match := _CHANGED.fullmatch(text)):
        return ()
    level = 2 if match["county"] else 1
    return tuple(
        code
        for code in (*_codes().get(match["stem"], ()), *_short_districts().get(match["stem"], ()))
        if _level(code) == level
    )


def _districts_near(text: str, near: tuple[str, ...]) -> tuple[str, ...]:
    """Of a short name, the districts whose city is near."""
    cities = {code[:4] for code in near}
    return tuple(code for code in _short_districts().get(text, ()) if code[:4] in cities)


def _codes_of_site(text: str) -> tuple[str, ...]:
    """Those of the city or province with which the name of an airport or the like begins: 上海浦东国际机场."""
    if not text.endswith(_SITES):
        return ()
    ends = (end for end in range(len(text) - 2, 1, -1) if is_large(text[:end]))
    return _codes().get(text[: next(ends, 0)], ())


def _likely(text: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    """Without districts of Hong Kong and Taiwan if there are others: 中山区; only these where it is in traditional characters."""
    is_traditional = simplify(text) != text
    return tuple(code for code in codes if _is_district(code) == is_traditional) or codes


def is_within(text: str, code: str) -> bool:
    """Whether a division of that name lies within the division of that code."""
    prefix = code.rstrip("0") if _level(code) < 2 else code
    prefix += "0" * (len(prefix) % 2)
    districts = _short_districts().get(text, ()) if code[:2] in _WITH_DISTRICTS and _level(code) == 1 else ()
    return any(each.startswith(prefix) and each != code for each in (*_codes().get(text, ()), *districts))


def find_division(text: str, near: Iterable[str] = ()) -> Division | None:
    """The division of that name, the present one if it was renamed.

    Of several it is the one in the city, else the province, of the first code in `near` that has one; a province, or the only
    city of that name, needs no such code. None if there is none, or if it stays unclear.
    """
    near = tuple(near)
    codes = codes_named(text) or _districts_near(simplify(text), near)
    if len(codes) > 1 and _level(codes[0]) > 0 and (close := _close(codes, near)):
        return division_of(close)
    chosen = _only(_likely(text, codes))
    return division_of(chosen) if chosen else None


def _close(codes: tuple[str, ...], near: tuple[str, ...]) -> str:
    only = _only(codes)
    if only and any(code[:2] == only[:2] for code in near):
        return only
    for other in near:
        for figures in (4, 2) if _level(other) else (2,):
            if chosen := _only(tuple(code for code in codes if code[:figures] == other[:figures])):
                return chosen
    return ""


def _only(codes: tuple[str, ...]) -> str:
    """The one of the highest level; "" without one, or with several that are no province."""
    highest = [code for code in codes if _level(code) == _level(codes[0])]
    return highest[0] if highest and (len(highest) == 1 or _level(highest[0]) == 0) else ""


def division_of(code: str) -> Division | None:
    """The division of that code; None if there is none."""
    present, (former, _) = _present(), _former()
    name = present.get(code) or former.get(code)
    if not name:
        return None
    above = dict.fromkeys((code[:4] + "00", code[:2] + "0000"))
    parents = (present.get(each, "县") for each in above if each != code)
    return Division(code, name, tuple(parent for parent in parents if parent not in _UNNAMED))
