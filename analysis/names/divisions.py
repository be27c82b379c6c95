"""The administrative divisions of China with their parents, and countries; places are written in many ways.

Codes are those of GB/T 2260: two figures for the province, two for the city, two for the county.
"""

from dataclasses import dataclass
from functools import cache

from analysis.names.english_names import english_country
from analysis.names.known import data_lines

_ENDINGS = ("特别行政区", "维吾尔自治区", "壮族自治区", "回族自治区", "自治区", "自治州", "自治县", "地区", "省", "市", "县", "区", "盟", "旗", "州")  # fmt: skip
_PEOPLES = ("土家族", "苗族", "布依族", "侗族", "藏族", "羌族", "彝族", "傣族", "景颇族", "白族", "哈尼族", "壮族", "回族", "蒙古族", "蒙古", "哈萨克", "柯尔克孜", "朝鲜族", "傈僳族", "满族", "瑶族", "黎族", "畲族", "维吾尔")  # fmt: skip
_NOT_SHORT = frozenset(
    (
        "市中",
        "城关",
        "郊",
        "矿",
        "城",
        "和平",
        "新",
        "海",
        "东",
        "西",
        "南",
        "北",
        "中",
        "开发",
        "高新",
        "解放",
        "长安",
        "红旗",
        "胜利",
    )
)
_UNNAMED = ("市辖区", "县", "省直辖县级行政区划", "自治区直辖县级行政区划")


@dataclass(frozen=True, slots=True)
class Division:
    """A province, city or county; `parents` are the full names above it, the nearest first."""

    code: str
    name: str
    parents: tuple[str, ...]


@cache
def _names() -> dict[str, str]:
    return dict(line.split(" ", 1) for line in data_lines("divisions.txt"))


@cache
def _codes() -> dict[str, tuple[str, ...]]:
    """The codes that a full or short name may mean, provinces first."""
    found: dict[str, list[str]] = {}
    for code, name in sorted(_names().items(), key=lambda entry: (_level(entry[0]), entry[0])):
        if name not in _UNNAMED:
            for form in {name, _short(name)}:
                found.setdefault(form, []).append(code)
    return {name: tuple(codes) for name, codes in found.items()}


def _level(code: str) -> int:
    return 0 if code.endswith("0000") else 1 if code.endswith("00") else 2


def _short(name: str) -> str:
    for ending in _ENDINGS:
        if name.endswith(ending) and len(name) - len(ending) >= 2:
            short = name.removesuffix(ending)
            for people in _PEOPLES:
                if people in short[2:]:
                    short = short[: short.index(people, 2)]
            return short if len(short) > 1 and short not in _NOT_SHORT else name
    return name


@cache
def _abroad() -> dict[str, str]:
    return {row[1]: row[0] for row in map(str.split, data_lines("abroad.txt"))}


def country_of(text: str) -> str:
    """The ISO code of a country, or of the country of a large city abroad, in Chinese or English; "" if it is neither."""
    return _abroad().get(text) or (english_country(text) if text.isascii() else "")


def is_division(text: str) -> bool:
    """Whether it is the full or short name of a division."""
    return text in _codes()


def codes_of(text: str) -> tuple[str, ...]:
    """The codes that the full name of a division, or the short one of a province or city, may mean; () if it is none."""
    return _codes().get(text, ()) if is_large(text) else ()


def is_large(text: str) -> bool:
    """Whether it is the full name of a division, or the short one of a province or city."""
    codes = _codes().get(text, ())
    return bool(codes) and (_level(codes[0]) < 2 or len(text) > 2)


def find_division(text: str, near: tuple[str, ...] = ()) -> Division | None:
    """The division of that name; of several, one within or above those whose codes are in `near`, else the one that is not a
    county. None if there is none, or if it stays unclear."""
    codes = _codes().get(text, ())
    if not codes:
        return None
    close = [code for code in codes if any(code[:2] == other[:2] for other in near)]
    chosen = close or [code for code in codes if _level(code) == _level(codes[0])]
    return _division(chosen[0]) if len(chosen) == 1 or _level(chosen[0]) == 0 else None


def _division(code: str) -> Division:
    above = [code[:4] + "00", code[:2] + "0000"]
    names = _names()
    parents = tuple(
        names[each] for each in dict.fromkeys(above) if each != code and names.get(each, "县") not in _UNNAMED
    )
    return Division(code, names[code], parents)
