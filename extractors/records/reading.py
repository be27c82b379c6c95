"""The fields of a chosen group's records."""

from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from extractors.dates import parse_time
from extractors.page import Page
from extractors.records.candidates import Group, Signals, says
from extractors.records.fields import Fields, target_of
from extractors.records.hints import NOT_BODY, PROFILE, TITLE, class_tokens
from extractors.records.keys import record_keys
from extractors.records.model import Record
from extractors.records.nesting import answered
from extractors.records.quotes import called_quotes, quoted_chunks
from extractors.tags import tag_set

_NEVER_BODY = tag_set("form", "button", "select", "textarea", "label", "time", "nav")
_LONGEST_NAME = 40
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Reader:
    """Reads the records of one group; every record owns its chunks but those of records nested in it."""

    def __init__(self, page: Page, signals: Signals, group: Group) -> None:
        self.page, self.signals, self.group, self.columns = page, signals, group, page.columns
        columns = self.columns
        self.record = np.full(len(columns.texts), -1)
        self.parents = answered(columns, group.members)
        for number, member in enumerate(group.members.tolist()):
            self.record[columns.chunk_start[member] : columns.chunk_end[member]] = number
        self.around = self._territories()
        names = [""] * len(columns)
        for place, (classes, identity) in zip(columns.named[0].tolist(), columns.named[1], strict=True):
            names[place] = f"{classes} {identity}".strip().lower()
        self.names = names
        self.quotes = called_quotes(columns, names, group.members)
        self.template = self._shared_chunks()
        refused = _NEVER_BODY[columns.tag] | np.array([says(NOT_BODY, name) for name in names])
        refused[group.members] = False
        above = np.zeros(len(columns), dtype=bool)
        above[: group.members[0]] = True
        self.refused = columns.within(refused & ~above)[columns.owner]
        self.heads = self._heads()
        self.is_list = self._is_list()

    def records(self) -> list[Record]:
        """The records in document order; elements without text or title are left out."""
        bodies = self._bodies()
        self.quoted = quoted_chunks(self, bodies)
        self.fields = Fields(self, bodies)
        found = [self._read(number, bodies) for number in range(len(self.group.members))]
        kept = [number for number, record in enumerate(found) if record is not None]
        place = {number: position for position, number in enumerate(kept)}
        records = [record for record in found if record is not None]
        keys = record_keys(self.columns, self.group.members[kept].tolist(), records, is_list=self.is_list)
        return [
            replace(record, parent=place.get(self.parents[number], -1), is_first=not at and not self.is_list, key=key)
            for at, (number, record, key) in enumerate(zip(kept, records, keys, strict=True))
        ]

    def _territories(self) -> NDArray[np.intp]:
        """int[M]: the record to which a chunk belongs, where what stands beside a record belongs to it as well.

        A record's territory is the largest element around it that holds no other record.
        """
        columns, members = self.columns, self.group.members
        mask = np.zeros(len(columns), dtype=np.int32)
        mask[members] = 1
        alone = columns.subtree(mask) == 1
        around = self.record.copy()
        for number, member in enumerate(members.tolist()):
            place = member
            while (above := int(columns.parent[place])) > 0 and alone[above]:
                place = above
            if place != member:
                own = slice(int(columns.chunk_start[place]), int(columns.chunk_end[place]))
                around[own] = np.where(around[own] < 0, number, around[own])
        return around

    def _shared_chunks(self) -> NDArray[np.bool_]:
        """bool[M]: a text that stands in at least 40 % of the records, and in more than one; not what some quote."""
        places = np.flatnonzero((self.around >= 0) & ~self.columns.within(self.quotes)[self.columns.owner])
        texts = [self.columns.texts[place].strip().lower() for place in places.tolist()]
        pairs = set(zip(texts, self.around[places].tolist(), strict=True))
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
                        self.parent_classes(place),
                    )
                )
                runs.setdefault(name, {}).setdefault(number, []).append(float(value[place]))
                if number not in inside.setdefault(name, {}) or value[place] > value[inside[name][number]]:
                    inside[name][number] = place
        best = max(runs, key=lambda name: sum(min(1500.0, max(each)) for each in runs[name].values()), default=None)
        return inside[best] if best is not None else {}

    def parent_classes(self, place: int) -> tuple[str, ...]:
        return class_tokens(self.columns.elements[max(0, int(self.columns.parent[place]))].get("class", ""))

    def _heads(self) -> dict[int, int]:
        """The element that is each record's title: of all kinds of link inside the records, the one that says most.

        Links alike by their own and their parent's class are of one kind; those of a template, of people and of times are
        left out, and a kind whose links all lead to few places is none.
        """
        kinds = self._links_by_kind()
        worth = {kind: self._head_worth(inside) for kind, inside in kinds.items()}
        best = max(kinds, key=lambda kind: worth[kind], default=None)
        if best is None or worth[best] <= 0:
            return {}
        heads = dict(kinds[best])
        if 0.4 * len(self.group.members) <= len(heads) < len(self.group.members):
            self._complete(heads, best, kinds)
        return heads

    def _links_by_kind(self) -> dict[tuple[object, ...], dict[int, int]]:
        columns, members = self.columns, self.group.members
        kinds: dict[tuple[object, ...], dict[int, int]] = {}
        numbers = columns.tagged("a").nonzero()[0]
        numbers = numbers[
            (columns.chunk_end[numbers] > columns.chunk_start[numbers]) & (columns.text_length[numbers] > 1)
        ]
        for place in numbers[self.record[columns.chunk_start[numbers]] >= 0].tolist():
            number = int(self.record[columns.chunk_start[place]])
            element = columns.elements[place]
            if place < members[number] or element.get("href", "#").startswith(("#", "javascript:")):
                continue
            kind = (class_tokens(element.get("class", "")), self.parent_tag(place), self.parent_classes(place))
            inside = kinds.setdefault(kind, {})
            if number not in inside or columns.text_length[place] > columns.text_length[inside[number]]:
                inside[number] = place
        return kinds

    def _complete(
        self, heads: dict[int, int], best: tuple[object, ...], kinds: dict[tuple[object, ...], dict[int, int]]
    ) -> None:
        """Titles of records without a link of the best kind: links named alike, else what holds such links elsewhere."""
        columns = self.columns
        for kind, inside in kinds.items():
            if kind != best and (
                kind[0] == best[0] if best[0] else kind[1] == best[1] not in ("div", "span", "p", "li")
            ):
                for number, place in inside.items():
                    heads.setdefault(number, place)
        first = next(iter(heads.values()))
        holder = int(columns.parent[first])
        if not best[2] or columns.text_length[holder] > columns.text_length[first] + 6:
            return
        alike = np.flatnonzero((columns.tag == columns.tag[holder]) & (columns.text_length > 1))
        for place in alike[self.record[columns.chunk_start[alike]] >= 0].tolist():
            if class_tokens(columns.elements[place].get("class", "")) == best[2]:
                heads.setdefault(int(self.record[columns.chunk_start[place]]), place)

    def parent_tag(self, place: int) -> str:
        return str(self.columns.elements[max(0, int(self.columns.parent[place]))].tag)

    def _head_worth(self, inside: dict[int, int]) -> float:
        columns, places = self.columns, np.array(list(inside.values()))
        targets = [columns.elements[place].get("href", "") for place in places.tolist()]
        chunks = columns.chunk_start[places]
        refused = self.template[chunks] | (self.signals.time[chunks] & (columns.text_length[places] < _LONGEST_NAME))
        people = [PROFILE.search(target[:200]) is not None for target in targets]
        if np.mean(refused | people) > 0.5:
            return 0.0
        length = float(np.minimum(60, columns.text_length[places])[~refused].sum())
        first = int(places[0])
        titled = TITLE.search(f"{self.names[first]} {self.names[max(0, int(columns.parent[first]))]}") is not None
        heading = self.parent_tag(first) in ("h1", "h2", "h3", "h4", "h5")
        return length * len(set(targets)) / len(inside) * (2 if titled or heading else 1)

    def _is_list(self) -> bool:
        """Whether the records are lines of a list: most have a title that leads on, and little text besides."""
        columns, members = self.columns, self.group.members
        if len(self.heads) < 0.7 * len(members):
            return False
        own = np.bincount(self.record[self.record >= 0], self.signals.length[self.record >= 0], len(members))
        numbers = np.array(list(self.heads))
        length = columns.text_length[np.array(list(self.heads.values()))]
        targets = {columns.elements[head].get("href") or str(head) for head in self.heads.values()}
        if len(targets) < 0.7 * len(numbers):
            return False
        share = float(np.median(length / np.maximum(own[numbers], 1)))
        return bool(
            (share > 0.2 and np.median(own) < 260) or (share > 0.08 and np.median(own) < 450 and self._titled())
        )

    def _titled(self) -> bool:
        """Whether the titles are called so, or are headings."""
        first = next(iter(self.heads.values()))
        above = self.names[max(0, int(self.columns.parent[first]))]
        return TITLE.search(f"{self.names[first]} {above}") is not None or self.parent_tag(first).startswith("h")

    def _read(self, number: int, bodies: dict[int, int]) -> Record | None:
        chunks = np.flatnonzero(self.record == number)
        if not len(chunks):
            return None
        author, author_url = self.fields.author(number)
        time_text = self.fields.time(number)
        title, url = self._title(number)
        if self.is_list and not title:
            return None
        text, quote, own_text = self._text(number, chunks, bodies)
        if self.is_list and text == title:
            text = own_text = ""
        if not (title or text):
            return None
        numbers = self.fields.counts(number)
        time = parse_time(time_text, now=self.page.fetched_at) if time_text else ""
        last_time, last_time_text = self.fields.last_time(number)
        return Record(
            author=author,
            author_url=author_url,
            time=time,
            time_text=time_text,
            last_time=last_time,
            last_time_text=last_time_text,
            title=title,
            url=url,
            text=text,
            quote=quote,
            own_text=own_text,
            replies=numbers["replies"],
            views=numbers["views"],
            likes=numbers["likes"],
            floor=numbers["floor"],
        )

    def _title(self, number: int) -> tuple[str, str]:
        head = self.heads.get(number, -1)
        if head < 0 or not (self.is_list or self._titled()):
            return "", ""
        element = self.columns.elements[head]
        return " ".join(self.columns.text(self._titled_part(head)).split()), target_of(self.page, element)

    def _titled_part(self, head: int) -> int:
        """Of a link around a whole record the part that is its title; else the link itself."""
        columns = self.columns
        if columns.chunk_end[head] - columns.chunk_start[head] < 3:
            return head
        inside = range(head + 1, int(columns.end[head]))
        headings = (place for place in inside if columns.elements[place].tag in _HEADINGS)
        named = (place for place in inside if columns.text_length[place] and TITLE.search(self.names[place]))
        return next(headings, next(named, head))

    def _text(self, number: int, chunks: NDArray[np.intp], bodies: dict[int, int]) -> tuple[str, str, str]:
        """(the record's text, what of it is quoted, what is not)."""
        columns, body = self.columns, bodies.get(number, -1)
        usable = chunks
        if body >= 0:
            usable = chunks[(chunks >= columns.chunk_start[body]) & (chunks < columns.chunk_end[body])]
        usable = usable[~self.refused[usable] & ~self.fields.used[usable]]
        if body < 0:
            usable = usable[~self.template[usable] & ~self.signals.time[usable]]
        text, quoted = columns.join(usable), self.quoted[usable]
        return (text, columns.join(usable[quoted]), columns.join(usable[~quoted])) if quoted.any() else (text, "", text)
