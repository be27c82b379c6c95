"""The row of an event, from its members and their readings."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from analysis.names import division_of
from pipelines.stores.base import Row

_MAX_TITLES = 200
_DAY = timedelta(days=1)
_NOW = re.compile(r"现在|如今|目前|当前|眼下|此刻|now|currently", re.I)
"""Words that say nothing of when it happened but that it is not over."""
_GAP = re.compile(r"[ ·]")
_DOTS = str.maketrans("•・‧", "···")
_EXACT = ("second", "minute", "hour", "part", "day")


def event_row(
    event: str,
    members: Sequence[Row],
    readings: Mapping[str, Row],
    published: Mapping[str, str],
    name: str,
    *,
    dropped: bool,
) -> dict[str, Any]:
    """The row of an event; `readings` has the rows of its earliest members, `published` the times of its first and last page."""
    ordered = in_time(members)
    first, last = ordered[0], ordered[-1]
    return {
        "event": event,
        "story": first["story"],
        "name": name or central_title([row["title"] for row in ordered[:_MAX_TITLES]]),
        "state": "dropped" if dropped else "open",
        "topic": Counter(row["topic"] for row in ordered).most_common(1)[0][0],
        "first_at": first["at"],
        "last_at": last["at"],
        "first_published": published.get(first["page"], ""),
        "last_published": published.get(last["page"], ""),
        "first_page": first["page"],
        "first_site": first["site"],
        **_happening(_elements(ordered, readings)),
        **_spread(ordered),
    }


def _happening(elements: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of when, where and who."""
    when, where = elements.get("when"), elements.get("where")
    return {
        "begin": when["begin"] if when else "",
        "end": when["end"] if when else "",
        "place": where["text"] if where else "",
        "place_code": where["code"] if where else "",
        "people": elements["people"],
        "elements": [each for each in (when, where, *elements["who"]) if each],
    }


def _spread(ordered: Sequence[Row]) -> dict[str, Any]:
    """The columns of sites and numbers."""
    sites: dict[str, str] = {}
    for row in ordered:
        sites.setdefault(row["site"], row["at"])
    day_before = (datetime.fromisoformat(ordered[-1]["at"]) - _DAY).isoformat()
    return {
        "sites": [{"site": site, "at": at} for site, at in sites.items()],
        "pages": len(ordered),
        "site_count": len(sites),
        "comments": sum(row["comments"] or 0 for row in ordered),
        "reposts": sum(row["repost"] or 0 for row in ordered),
        "pages_24h": sum(1 for row in ordered if row["at"] >= day_before),
    }


def in_time(members: Iterable[Row]) -> list[Row]:
    """Members in the order of their instants."""
    return sorted(members, key=lambda row: (row["at"], row["page"]))


def central_title(titles: Sequence[str]) -> str:
    """The title whose pairs of characters most other titles have; of one or two titles the first."""
    if len(titles) < 3:
        return titles[0]
    pairs = [{title[at : at + 2] for at in range(len(title) - 1)} for title in titles]
    common = Counter(pair for each in pairs for pair in each)
    scores = [sum(common[pair] - 1 for pair in each) / (len(each) + 8) for each in pairs]
    return titles[max(range(len(titles)), key=lambda place: scores[place])]


def _elements(ordered: Sequence[Row], readings: Mapping[str, Row]) -> dict[str, Any]:
    """When, where and who, as most members say it; each with the sentence of the first that says so."""
    read = [(row["page"], readings[row["page"]]["elements"] or {}) for row in ordered if row["page"] in readings]
    times = [(page, each) for page, found in read for each in found.get("times", ())[:1] if not _NOW.fullmatch(each[0])]
    places = [(page, each) for page, found in read for each in found.get("places", ())[:1]]
    people = [(page, [each[0].translate(_DOTS), *each[1:]]) for page, found in read for each in found.get("people", ())]
    exact = [entry for entry in times if entry[1][4] in _EXACT] or times
    when = _most(exact, key=lambda each: each[2][:10])
    where = _most(places, key=lambda each: each[2] or each[0])
    who = _several(people)
    return {
        "when": when and _quoted("when", when) | {"begin": when[1][2], "end": when[1][3]},
        "where": where and _quoted("where", where) | {"code": where[1][2], "parents": _parents(where[1][2])},
        "who": [_quoted("who", each) for each in who],
        "people": [each[0] for _, each in who],
    }


def _quoted(kind: str, entry: tuple[str, Any]) -> dict[str, Any]:
    """An element with the page and the sentence that say so."""
    return {"kind": kind, "page": entry[0], "text": entry[1][0], "sentence": entry[1][1]}


def _parents(code: str) -> list[str]:
    division = division_of(code)
    return list(division.parents) if division else []


def _most(entries: Sequence[tuple[str, Any]], key: Any) -> tuple[str, Any] | None:
    counts = Counter(key(each) for _, each in entries)
    if not counts:
        return None
    wanted = max(counts.values())
    return next(entry for entry in entries if counts[key(entry[1])] == wanted)


def _several(people: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The three people that most members name first, each once, with the whole name where that is known."""
    entries = list(people)
    whole = _whole_names({each[0] for _, each in entries})
    counts = Counter(whole[each[0]] for _, each in entries)
    ordered = sorted(dict.fromkeys(whole[each[0]] for _, each in entries), key=lambda name: -counts[name])
    first = {entry[1][0]: entry for entry in reversed(entries)}
    return [first[name] for name in ordered[:3]]


def _whole_names(names: set[str]) -> dict[str, str]:
    """Of a surname the only person whose name ends with it (Trump: Donald Trump), of others the name itself."""
    longer = defaultdict[str, set[str]](set)
    for name in names:
        for gap in _GAP.finditer(name):
            longer[name[gap.end() :]].add(name)
    return {name: _one(longer[name], name) for name in names}


def _one(longer: set[str], name: str) -> str:
    """The longest, if all others are parts of it that it ends with."""
    longest = max(longer, key=len, default=name)
    return longest if all(longest.endswith(each) for each in longer) else name
