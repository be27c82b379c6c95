"""Times of short texts that hold little else, in any language of CLDR: "23 十一月", "3 gün önce", "18时", "вчера, 14:05", "3y".

In prose these forms are too often something else ("5 out of 10"), so longer texts are left to `dates`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from extractors.text.calendar import SECONDS
from extractors.text.calendar.cldr import cldr_names, folded
from extractors.text.clock import CLOCK

MAX_CHARS = 48
"""Of a text that may be little else than a time."""
_MAX_WORDS = 4
_NAME = r"(?P<name>[^\W\d_][^\s\d.,;:/()\[\]|-]{1,15})"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_ORDINAL = "(?:st|nd|rd|th|\\.|º|er)?"
_YEAR = r"(?:,?\s?(?:(?:de |del )?(?=(?:19|20)\d\d)|['’-](?=\d\d(?![\d:])))(?P<year>\d{2,4})(?!\d))?"
_DAY_NAME = re.compile(rf"(?<![\d.:]){_DAY}{_ORDINAL}(?:\s|-)(?:de |of |d')?{_NAME}(?![^\W\d_])\.?{_YEAR}{CLOCK}", re.I)
_NAME_DAY = re.compile(rf"(?<![^\W\d_]){_NAME}\.?\s{_DAY}{_ORDINAL}(?!\d|[.:]\d){_YEAR}{CLOCK}", re.I)
_YEAR_NAME_DAY = re.compile(rf"(?<!\d)(?P<year>(?:19|20)\d\d)\.?\s{_NAME}\s{_DAY}(?!\d)\.?{CLOCK}", re.I)
_DAY_NUMBER = re.compile(rf"^[\W_]{{0,2}}{_DAY}\s(?P<name>1[0-2]|0?[1-9])\s?[月월]{_YEAR}{CLOCK}[\W_]{{0,2}}$")
"""The dates that templates make of "j M" in languages that number their months."""
_COUNTED = re.compile(
    r"(?P<before>(?:[^\W\d_][^\s\d]*\s){0,3})(?<![\d.,:/-])(?P<amount>\d{1,3}(?:[.,]\d{1,2})?|数|數|几|幾)\s{0,3}"
    r"(?P<after>[^\W\d_][^\d,;|·]{0,24})"
)
_BARE = re.compile(
    r"^[\W_]{0,2}(?P<amount>\d{1,3})(?P<unit>[a-zA-Z]|\s?(?:[^\W\d_]{2,5}|(?![a-zA-Z])[^\W\d_]))\.?[\W_]{0,2}$"
)
"""One Latin letter stands close to its number: "3m" is a time, "3 m" a length."""
_LARGER = re.compile(
    r"(?P<amount>\d{1,3})\s?(?P<unit>[^\W\d_]{1,12}?)(?:\s?[,，、と]|\s(?:and|und|et|y|e|и|ve|i|og|och|en|ja))?\s?$"
)
"""The larger unit before the smaller one in "2 gün 3 saat önce"."""
_WORD = re.compile(r"(?P<word>[^\W\d_][^\d,;:|·]{0,20})")
_CLOCK = re.compile(CLOCK)
_WORDS = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(
    r"\d\s?[秒分时時日天周週年月个個か간일전초분시주년월]|[秒分时時日天周週年月][前间間鐘钟]|[昨今前][天日]|어제|오늘|그저께|一昨日"
    r"|[一二三四五六七八九十]月|[去近]一[个個周週年]"
)
"""Scripts that put no spaces between words."""
_WHOLE_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_WEEK_DAYS = 7
_SEVERAL = "3"
"""The number that "several" counts as."""
_ONE = frozenset(
    "a an ein eine einem einen einer un une una um uma uno een en ett et bir один одна одно одну jeden jedna jedną jednu egy o".split()
)
"""Words for one, as in "vor einem Jahr"."""
_HEDGE_WORDS = (
    "about|over|almost|nearly|around|more than|less than|etwa|fast|ungefähr|mehr als|weniger als|über|environ|presque|plus d[e']"
    "|moins d[e']|alrededor de|más de|menos de|casi|cerca de|mais de|quase|circa|quasi|più di|meno di|oltre|ongeveer|meer dan|bijna"
    "|около|больше|более|почти|меньше|менее|około|ponad|prawie|yaklaşık|neredeyse|大约|大約|超过|超過|将近|將近|約|ほぼ|약"
)
_HEDGES = re.compile(rf"(?<!\w)(?:{_HEDGE_WORDS})\s{{0,2}}|(?<=\w)\s?(?:以上|이상)(?=\s?(?:前|전))", re.I)
"""Words around the number of an age: "vor mehr als einem Jahr"."""
_PAST_WORDS = (
    "past last letzte letzter letztes letzten dernier dernière derniers dernières último última últimos últimas ultimo ultima ultimi ultime"
    " afgelopen laatste последний последнюю последние последних 过去 過去 最近 近 지난 최근"
).split()
_PAST = re.compile(
    rf"[\W_]{{0,2}}(?P<before>\d{{1,3}}\s)?(?:{'|'.join(sorted(_PAST_WORDS, reverse=True))})(?:\s|(?<![a-zа-я]))"
    r"(?P<after>(?:\d{1,3}\s?|一)?[^\W\d_]{1,12})[\W_]{0,2}",
    re.I,
)
"""A span until today, as the whole text: "past month", "letzte 6 Monate", "6 derniers mois"."""
_AS_AGE = "{} ago|vor {}|vor {}n|il y a {}|hace {}|há {}|{} fa|{} geleden|{} назад|{}前|{} 전".split("|")
"""Words for "ago" by language."""
_AGO_ALONE = ("назад", "тому", "temu")
"""Words for "ago" of languages that say "year ago" for one year."""


@dataclass(frozen=True, slots=True)
class BriefTime:
    """The time in a short text.

    Attributes:
        text: as written.
        parts: `name` and `day`, with the parts of CLOCK; or those beside a `back`; or `amount`.
        month: of the name, else 0. back: days from today, 0 or less. seconds: of the unit that `amount` counts.
    """

    text: str
    parts: Mapping[str, str | None]
    month: int = 0
    back: int = 0
    seconds: int = 0


@cache
def _known_words() -> tuple[frozenset[str], frozenset[str], Mapping[str, frozenset[str]]]:
    """Of which a text with a digit must have one; with one of which a text without must begin; and by their first words other such
    texts: "last year"."""
    names = cldr_names()
    ago = (*names.after, *(after for units in names.before.values() for after in units))
    days = [word for word, back in names.days.items() if back > -_WEEK_DAYS]
    counted = {
        word.rstrip(".") for text in (*names.months, *ago, *names.units, *days, *_PAST_WORDS) for word in text.split()
    }
    begin = frozenset((*(word.split()[0].rstrip(".") for word in days), *_PAST_WORDS))
    whole = names.days.keys() - days
    firsts = {text.split()[0] for text in whole}
    return (
        frozenset(counted),
        begin,
        {word: frozenset(each for each in whole if each.split()[0] == word) for word in firsts},
    )


@cache
def _words_of_one() -> tuple[frozenset[str], frozenset[str]]:
    """The first and the last words of times that count one without a digit: "a year ago", "vor einem Jahr", "год назад"."""
    names = cldr_names()
    hedges = (words.split()[0] for words in _HEDGE_WORDS.split("|"))
    first = _ONE.union(
        hedges, *(each.split()[:1] for each in names.before), *(each.split()[:-1] for each in names.after)
    )
    ends = (*names.after, *(after for units in names.before.values() for after in units))
    return first, frozenset(after.split()[-1].rstrip(".") for after in ends)


def may_be_brief_time(text: str, *, is_numbered: bool) -> bool:
    """Whether a text in lower case has a word of a brief time; a quick check before `brief_time`."""
    if not 1 < len(text) <= MAX_CHARS:
        return False
    if not text.isascii() and _UNSPACED.search(text):
        return True
    counted, days, whole = _known_words()
    if not is_numbered:
        first, *others = text.split(None, 1)
        if first.rstrip(",.") in days or (others and first in _words_of_one()[0] and _ends_as_one(others[0])):
            return True
        return first in whole and folded(text).strip() in whole[first]
    return not counted.isdisjoint(_WORDS.findall(text))


def _ends_as_one(others: str) -> bool:
    return others.split()[-1].rstrip(".") in _words_of_one()[1]


@lru_cache(maxsize=4_000)
def brief_time(text: str) -> BriefTime | None:
    """The time of a short text; None for longer texts, and without one."""
    if not 1 < len(text) <= MAX_CHARS:
        return None
    return _ago(text) or _named(text) or _bare(text) or _worded(text) or _of_one(text) or _hedged(text) or _past(text)


def _named(text: str) -> BriefTime | None:
    if match := _DAY_NUMBER.match(text):
        return BriefTime(text.strip(), match.groupdict(), month=int(match["name"]))
    months, has_year = cldr_names().months, _WHOLE_YEAR.search(text) is not None
    for pattern in (_YEAR_NAME_DAY, _DAY_NAME, _NAME_DAY):
        for match in pattern.finditer(text):
            month = months.get(folded(match["name"]))
            if month and (match["year"] or not has_year):  # else a form that is not known: the year would be wrong
                return BriefTime(match.group(0).strip(" ,"), match.groupdict(), month=month)
    return None


def _ago(text: str) -> BriefTime | None:
    names = cldr_names()
    for match in _COUNTED.finditer(text):
        before, after = folded(match["before"]).split(), folded(match["after"])
        for words in range(len(before) + 1):
            units = names.before.get(" ".join(before[words:]), {}) if words < len(before) else names.after
            if found := _longest(after, units):
                start = match.start("amount") if words == len(before) else match.start()
                brief = _of_amount(text[start : match.start("after") + len(found)], match["amount"], units[found])
                return _with_larger(text[:start], brief, found) if words == len(before) else brief
    return None


def _of_one(text: str) -> BriefTime | None:
    """The time of a text that counts one without a digit."""
    words, after = folded(text).split(), cldr_names().after
    if not 1 < len(words) <= _MAX_WORDS + 1 or any(map(str.isdecimal, text)):
        return None
    if words[-1] in _AGO_ALONE and (unit := after.get(" ".join(words))):
        return _of_amount(text.strip(), "1", unit)
    places = [place for place, word in enumerate(words) if word in _ONE]
    counted = (_ago(" ".join((*words[:place], "1", *words[place + 1 :]))) for place in places)
    found = next(filter(None, counted), None)
    return replace(found, text=text.strip()) if found else None


def _hedged(text: str) -> BriefTime | None:
    """The time of a text that is an age with a word for "about" or "more than"."""
    plain = _HEDGES.sub("", text.replace("’", "'"), count=1)
    if len(plain) == len(text):
        return None
    found = _ago(plain) or _of_one(plain)
    return replace(found, text=text.strip()) if found and len(found.text) == len(plain.strip()) else None


def _past(text: str) -> BriefTime | None:
    """The beginning of a span until today, that of a single hour or day left out: "last day" is more often the end of something."""
    match = _PAST.fullmatch(text)
    if not match:
        return None
    span = (match["before"] or "") + match["after"].replace("一", "1")
    is_counted = span[0].isdecimal()
    found = next(filter(None, (_ago(age.format(span if is_counted else f"1 {span}")) for age in _AS_AGE)), None)
    return replace(found, text=text.strip()) if found and (is_counted or found.seconds > SECONDS["day"]) else None


def _with_larger(before: str, brief: BriefTime, unit: str) -> BriefTime:
    """The time with the larger unit in the text before, if that unit can take the place of the smaller in `unit`."""
    match, after = _LARGER.search(before), cldr_names().after
    larger = folded(match["unit"]) if match else ""
    names = (after.get(larger + unit[end:], "") for end in range(1, len(unit)))
    seconds = SECONDS.get(next(filter(None, names), ""), 0) if match else 0
    if not match or seconds <= brief.seconds:
        return brief
    amount = float(brief.parts["amount"] or 0) + int(match["amount"]) * seconds / brief.seconds
    return BriefTime(before[match.start() :] + brief.text, {"amount": str(amount)}, seconds=brief.seconds)


def _longest(text: str, known: Mapping[str, str]) -> str:
    """The longest beginning of a text that is known and ends with a word, "" without one."""
    for end in range(min(len(text), 24), 0, -1):
        ends_word = (
            end == len(text) or not text[end].isalpha() or (not text[end - 1].isascii() and text[end - 1] >= "\u2e80")
        )
        if ends_word and text[:end] in known:
            return text[:end]
    return ""


def _bare(text: str) -> BriefTime | None:
    match = _BARE.match(text)
    unit = cldr_names().units.get(folded(match["unit"].strip())) if match else None
    return _of_amount(text.strip(), match["amount"], unit) if match and unit else None


def _of_amount(text: str, amount: str, unit: str) -> BriefTime:
    number = amount.replace(",", ".") if amount[0].isdecimal() else _SEVERAL
    return BriefTime(text, {"amount": number}, seconds=SECONDS[unit])


def _worded(text: str) -> BriefTime | None:
    """A word for a day, with or without a clock, at the beginning."""
    match = _WORD.match(text)
    days = cldr_names().days
    words = match["word"].split() if match else []
    for count in range(min(len(words), _MAX_WORDS), 0, -1):
        word = " ".join(words[:count])
        if folded(word).rstrip(".") in days or folded(word) in days:
            clock = _CLOCK.match(text, text.find(words[count - 1]) + len(words[count - 1]))
            parts = clock.groupdict() if clock else {}
            if parts.get("hour") or len(words) == count:
                back = days.get(folded(word), days.get(folded(word).rstrip("."), 0))
                return BriefTime(text[: clock.end() if clock else None].strip(), parts, back=back)
    return None
