"""The fields of a chosen group's records."""

import hashlib
import re
from collections import Counter
from dataclasses import replace
from urllib.parse import urljoin

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from extractors.dates import find_time, parse_time
from extractors.page import Page
from extractors.records.candidates import Group, Signals
from extractors.records.hints import AUTHOR, NOT_BODY, PROFILE, QUOTE, class_tokens
from extractors.records.model import Record
from extractors.tags import tag_set

_NEVER_BODY = tag_set("form", "button", "select", "textarea", "label", "time", "nav")
_QUOTES = tag_set("blockquote", "q")
_REPLIES = re.compile(r"repl|comment|answer|回复|回帖|回應|评论|antwort|réponse|respuesta")
_VIEWS = re.compile(r"view|hits|reads?\b|查看|浏览|点击|阅读|aufruf|lecture|vues")
_LIKES = re.compile(r"like|vote|score|point|赞|up-?count|good|karma")
_FLOOR = re.compile(r"^(?:#\s?(\d{1,6})|(\d{1,6})\s?[#楼樓F]|第\s?(\d{1,6})\s?[楼樓])$")
_NUMBER = re.compile(r"^\D{0,12}(\d[\d.,\s]{0,12}[kKwWmM万]?)\D{0,14}$")
_BY = re.compile(r"^(?:by|作者|楼主|发布者|von|par)[:：\s]+", re.I)


class Reader:
    """Reads the records of one group; every record owns its chunks but those of records nested in it."""

    def __init__(self, page: Page, signals: Signals, group: Group) -> None:
        self.page, self.signals, self.group, self.columns = page, signals, group, page.columns
        columns = self.columns
        self.record = np.full(len(columns.texts), -1)
        self.parents: list[int] = []
        stack: list[int] = []
        members = group.members.tolist()
        for number, member in enumerate(members):
            while stack and columns.end[members[stack[-1]]] <= member:
                stack.pop()
            self.parents.append(stack[-1] if stack else -1)
            stack.append(number)
            self.record[columns.chunk_start[member] : columns.chunk_end[member]] = number
        self.template = self._shared_chunks()
        names = [""] * len(columns)
        for place, (classes, identity) in zip(columns.named[0].tolist(), columns.named[1], strict=True):
            names[place] = f"{classes} {identity}".strip().lower()
        self.names = names
        refused = _NEVER_BODY[columns.tag] | np.array(
            [bool(name) and NOT_BODY.search(name) is not None for name in names]
        )
        quotes = _QUOTES[columns.tag] | np.array([bool(name) and QUOTE.search(name) is not None for name in names])
        refused[group.members] = quotes[group.members] = False
        above = np.zeros(len(columns), dtype=bool)
        above[: group.members[0]] = True
        self.refused = columns.within(refused & ~above)[columns.owner]
        self.quoted = columns.within(quotes & ~above)[columns.owner]
        self.is_list = self._is_list()

    def records(self) -> list[Record]:
        """The records in document order; elements without text or title are left out."""
        bodies = self._bodies()
        found = [self._read(number, bodies) for number in range(len(self.group.members))]
        kept = [number for number, record in enumerate(found) if record is not None]
        place = {number: position for position, number in enumerate(kept)}
        finished: list[Record] = []
        for number in kept:
            record = found[number]
            assert record is not None
            parent = place.get(self.parents[number], -1)
            finished.append(
                replace(record, parent=parent, is_first=not finished and not self.is_list, key=_key(record))
            )
        return finished

    def _shared_chunks(self) -> NDArray[np.bool_]:
        """bool[M]: a text that stands in at least 40 % of the records, and in more than one."""
        places = np.flatnonzero(self.record >= 0)
        texts = [self.columns.texts[place].strip().lower() for place in places.tolist()]
        pairs = set(zip(texts, self.record[places].tolist(), strict=True))
        count = Counter(text for text, _ in pairs)
        least = max(2, 0.4 * len(self.group.members))
        shared = np.zeros(len(self.record), dtype=bool)
        shared[places] = [count[text] >= least for text in texts]
        return shared

    def _worth(self) -> NDArray[np.float64]:
        """float[M]: what a chunk adds to a body that holds it; template, times and names take away."""
        length = self.signals.length.astype(float)
        worth = np.where(self.signals.linked, -0.3 * length, length)
        bad = self.template | self.signals.time | self.refused
        worth[bad] = -12 - np.minimum(length[bad], 40)
        worth[self.record < 0] = 0
        return worth

    def _bodies(self) -> dict[int, int]:
        """Which element is a record's body: of all kinds of element inside the records, the one worth most over all."""
        columns, worth = self.columns, self._worth()
        value = columns.subtree_chunks(worth)
        runs: dict[object, dict[int, list[float]]] = {}
        inside: dict[object, dict[int, int]] = {}
        tags, members = columns.tag.tolist(), self.group.members
        seen = set(members.tolist())
        starts, ends = columns.chunk_start, columns.chunk_end
        for number, member in enumerate(members.tolist()):
            for place in range(member, int(columns.end[member])):
                if place != member and place in seen:
                    break
                if ends[place] == starts[place] or self.record[starts[place]] != number:
                    continue
                classes = class_tokens(columns.elements[place].get("class", ""))
                relative = int(columns.depth[place] - columns.depth[member])
                name: object = (
                    (tags[place], classes)
                    if classes
                    else (
                        tags[place],
                        relative,
                        self._parent_classes(place),
                    )
                )
                runs.setdefault(name, {}).setdefault(number, []).append(float(value[place]))
                if number not in inside.setdefault(name, {}) or value[place] > value[inside[name][number]]:
                    inside[name][number] = place
        best = max(runs, key=lambda name: sum(min(1500.0, max(each)) for each in runs[name].values()), default=None)
        return inside[best] if best is not None else {}

    def _parent_classes(self, place: int) -> tuple[str, ...]:
        return class_tokens(self.columns.elements[max(0, int(self.columns.parent[place]))].get("class", ""))

    def _is_list(self) -> bool:
        """Whether the records are lines of a list: most have a title link that outweighs their free text."""
        columns, members = self.columns, self.group.members
        text = columns.text_length[members]
        heads = [self._title_link(number) for number in range(len(members))]
        lengths = np.array([columns.text_length[head] if head >= 0 else 0 for head in heads])
        targets = {columns.elements[head].get("href") for head in heads if head >= 0}
        return bool(
            np.median(lengths / np.maximum(text, 1)) > 0.22
            and np.median(text) < 260
            and len(targets) > 0.6 * len(members)
        )

    def _title_link(self, number: int) -> int:
        columns, member = self.columns, int(self.group.members[number])
        places = [
            place
            for place in range(member, int(columns.end[member]))
            if columns.elements[place].tag == "a" and columns.elements[place].get("href")
        ]
        return max(places, key=lambda place: int(columns.text_length[place]), default=-1)

    def _read(self, number: int, bodies: dict[int, int]) -> Record | None:
        columns = self.columns
        chunks = np.flatnonzero(self.record == number)
        if not len(chunks):
            return None
        author, author_url = self._author(number)
        time_text = self._time(number, chunks)
        title = url = text = quote = ""
        if self.is_list:
            head = self._title_link(number)
            if head < 0:
                return None
            title, url = " ".join(columns.text(head).split()), self._target(columns.elements[head])
        else:
            body = bodies.get(number, -1)
            usable = chunks
            if body >= 0:
                usable = chunks[(chunks >= columns.chunk_start[body]) & (chunks < columns.chunk_end[body])]
            usable = usable[~self.refused[usable]]
            if body < 0:
                usable = usable[~self.template[usable] & ~self.signals.time[usable]]
            quoted = self.quoted[usable]
            text, quote = columns.join(usable), columns.join(usable[quoted])
        if not (title or text):
            return None
        numbers = self._counts(chunks)
        time = parse_time(time_text, now=self.page.fetched_at) if time_text else ""
        return Record(
            author=author,
            author_url=author_url,
            time=time,
            time_text=time_text,
            title=title,
            url=url,
            text=text,
            quote=quote,
            replies=numbers["replies"],
            views=numbers["views"],
            likes=numbers["likes"],
            floor=numbers["floor"],
        )

    def _target(self, element: etree._Element) -> str:
        try:
            return urljoin(self.page.base_url, element.get("href", "").strip())
        except ValueError:
            return ""

    def _author(self, number: int) -> tuple[str, str]:
        """By microdata or class, then by a link to a profile, then the first short link; the best-ranked, earliest."""
        columns, member = self.columns, int(self.group.members[number])
        best: tuple[int, int] | None = None
        for place in range(member, int(columns.end[member])):
            start = columns.chunk_start[place]
            length = columns.text_length[place]
            if (
                not 1 < length <= 40
                or self.record[start] != number
                or self.signals.time[start : columns.chunk_end[place]].any()
            ):
                continue
            rank = self._author_rank(place)
            if rank and (best is None or rank > best[0]):
                best = (rank, place)
        if best is None:
            return "", ""
        element = columns.elements[best[1]]
        name = _BY.sub("", " ".join(columns.text(best[1]).split())).strip(" :：,，")
        return name, self._target(element) if element.get("href") else ""

    def _author_rank(self, place: int) -> int:
        element = self.columns.elements[place]
        if self.template[self.columns.chunk_start[place]] and len(self.group.members) > 4:
            return 0
        named = bool(self.names[place]) and AUTHOR.search(self.names[place]) is not None
        profile = element.tag == "a" and PROFILE.search(element.get("href", "")) is not None
        micro = element.get("itemprop", "") in ("author", "creator", "name") or element.get("rel", "") == "author"
        if not (named or profile or micro):
            return 0
        return 1 + 2 * profile + 2 * named + 3 * micro

    def _time(self, number: int, chunks: NDArray[np.intp]) -> str:
        for place in chunks[self.signals.time[chunks]].tolist():
            if found := find_time(self.columns.texts[place]):
                return found
        member = int(self.group.members[number])
        for place in range(member, int(self.columns.end[member])):
            element = self.columns.elements[place]
            value = element.get("datetime") or (
                element.get("title") if element.tag in ("abbr", "span", "time", "a") else ""
            )
            if value and (found := find_time(value)):
                return found
        return ""

    def _counts(self, chunks: NDArray[np.intp]) -> dict[str, str]:
        found = {"replies": "", "views": "", "likes": "", "floor": ""}
        for place in chunks[self.signals.length[chunks] <= 24].tolist():
            text = " ".join(self.columns.texts[place].split())
            if floor := _FLOOR.match(text):
                found["floor"] = found["floor"] or next(part for part in floor.groups() if part)
                continue
            number = _NUMBER.match(text)
            if not number or self.signals.time[place]:
                continue
            owner = int(self.columns.owner[place])
            about = f"{text} {self.names[owner]} {self.names[max(0, int(self.columns.parent[owner]))]}".lower()
            for field, pattern in (("replies", _REPLIES), ("views", _VIEWS), ("likes", _LIKES)):
                if not found[field] and pattern.search(about):
                    found[field] = number.group(1).strip()
                    break
        return found


def _key(record: Record) -> str:
    content = "\0".join((record.url, record.author, record.title, record.text))
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=12).hexdigest()
