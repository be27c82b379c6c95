"""Terms and sites in files that people edit: CSV with a header, or text with one per line; imports their decisions."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from crawler.terms.term_store import TermStore
from extractors.topic.library import DynamicTerm, TermState, TopicLibrary
from extractors.topic.model import Term, TermClass
from extractors.topic.words import fold

COLUMNS = ("word", "decision", "class", "weight", "synonyms", "origin", "score", "pages", "example")
_DECISIONS = {
    "": None,
    "accept": TermState.ACCEPTED,
    "reject": TermState.REJECTED,
    "candidate": TermState.CANDIDATE,
} | {str(state): state for state in TermState}
_DECISION_OF_STATE = {TermState.ACCEPTED: "accept", TermState.REJECTED: "reject", TermState.CANDIDATE: ""}
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_SEPARATOR = "|"


class TermFileError(ValueError):
    """An invalid file; the message names file, line and column."""


@dataclass(frozen=True, slots=True)
class TermLine:
    """A term of a file, with decision, class, weight and synonyms if given."""

    number: int
    word: str
    state: TermState | None = None
    term_class: TermClass | None = None
    weight: float | None = None
    synonyms: tuple[str, ...] | None = None


def to_csv(entries: Iterable[DynamicTerm], given: Sequence[Term] = ()) -> str:
    """CSV of a library's terms for a spreadsheet: UTF-8 with a byte order mark, without cells that run as formulas."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for term in given:
        rows.writerow(_cells(term, "given", "topic file", "", "", ""))
    for entry in entries:
        decision = _DECISION_OF_STATE[entry.state]
        rows.writerow(_cells(entry.term, decision, entry.origin, f"{entry.score:.4g}", str(entry.pages), entry.example))
    return "\ufeff" + out.getvalue()


def _cells(term: Term, decision: str, *rest: str) -> list[str]:
    cells = [term.word, decision, str(term.term_class), f"{term.weight:g}", _SEPARATOR.join(term.synonyms), *rest]
    return [f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell for cell in cells]


def read_terms(path: Path) -> list[TermLine]:
    """Terms of a CSV or text file; raises TermFileError with file, line and column."""
    text = _text(path)
    first = text.split("\n", 1)[0]
    if "," not in first and first.strip().lower() != "word":
        lines = enumerate(text.splitlines(), 1)
        found = [TermLine(number, line.strip()) for number, line in lines if line.strip() and not line.startswith("#")]
    else:
        found = list(_csv_lines(path, text))
    if not found:
        raise TermFileError(f"{path}: contains no terms")
    return found


def _csv_lines(path: Path, text: str) -> Iterable[TermLine]:
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="more")
    names = [name.strip().lower() for name in reader.fieldnames or ()]
    if "word" not in names:
        raise TermFileError(f"{path}, line 1: no column `word`; the columns are {', '.join(COLUMNS)}")
    reader.fieldnames = names
    try:
        for row in reader:
            if (row.get("decision") or "").strip() != "given" and (row["word"] or "").strip():
                yield _line(f"{path}, line {reader.line_num}", reader.line_num, row)
    except csv.Error as error:
        raise TermFileError(f"{path}, line {reader.line_num}: is not CSV: {error}") from error


def _line(place: str, number: int, row: dict[str, str]) -> TermLine:
    values = {name: _plain(value) for name, value in row.items() if isinstance(value, str)}
    decision, term_class = values.get("decision", "").lower(), values.get("class", "").lower()
    if decision not in _DECISIONS:
        raise TermFileError(f"{place}, decision: {decision!r} is not known; write accept, reject or nothing")
    if term_class and term_class not in set(TermClass):
        raise TermFileError(f"{place}, class: {term_class!r} is not known; there are {', '.join(TermClass)}")
    synonyms = values.get("synonyms")
    return TermLine(
        number,
        values["word"],
        _DECISIONS[decision],
        TermClass(term_class) if term_class else None,
        _weight(place, values.get("weight", "")),
        None if synonyms is None else tuple(word.strip() for word in synonyms.split(_SEPARATOR) if word.strip()),
    )


def _plain(value: str) -> str:
    value = value.strip()
    return value[1:] if value.startswith("'") and value[1:].startswith(_FORMULA_STARTS) else value


def _weight(place: str, text: str) -> float | None:
    if not text:
        return None
    try:
        weight = float(text)
    except ValueError:
        weight = 0.0
    if not 0 < weight <= 1:
        raise TermFileError(f"{place}, weight: must be above 0 and at most 1, not {text!r}")
    return weight


def import_decisions(
    store: TermStore, lines: Iterable[TermLine], *, by: str, otherwise: TermState | None = None
) -> str:
    """Store the decisions of these lines at once; a line without one gets `otherwise`, or counts as undecided.

    Returns the counts, for people.
    """
    library, counts = store.library(), Counter[str]()
    entries: dict[str, DynamicTerm] = {}
    for line in lines:
        state = line.state or otherwise
        if library.is_given(line.word):
            counts["in the topic's file already"] += 1
        elif state is None:
            counts["without a decision"] += 1
        else:
            entries[fold(line.word)] = _decided(library, line, state, by)
            counts["waiting for review" if state is TermState.CANDIDATE else str(state)] += 1
    store.save(entries.values(), decided=True)
    kinds = ("accepted", "rejected", "waiting for review", "without a decision", "in the topic's file already")
    return ", ".join(f"{counts[kind]:,} {kind}" for kind in kinds if counts[kind]) or "nothing changed"


def _decided(library: TopicLibrary, line: TermLine, state: TermState, by: str) -> DynamicTerm:
    if library.get(line.word) is None:
        library.add(DynamicTerm(Term(line.word, dynamic=True), TermState.CANDIDATE, f"file of {by}"))
    return library.decide(
        line.word,
        state,
        by=by,
        now=datetime.now(UTC),
        term_class=line.term_class,
        weight=line.weight,
        synonyms=line.synonyms,
    )


def read_sites(path: Path) -> list[str]:
    """Addresses or hosts, one per line, or from the column url, home, site or host, else the first column, of a CSV file."""
    rows = list(csv.reader(io.StringIO(_text(path), newline="")))
    names = [cell.strip().lower() for cell in rows[0]] if rows else []
    column = next((names.index(name) for name in ("url", "home", "site", "host") if name in names), -1)
    cells = [row[max(0, column)].strip() for row in rows[1 if column >= 0 else 0 :] if len(row) > max(0, column)]
    sites = [cell for cell in cells if cell and not cell.startswith("#")]
    for site in sites:
        if "." not in site or any(character.isspace() for character in site):
            raise TermFileError(f"{path}: {site!r} is not the address of a site; write https://some.site/ or some.site")
    if not sites:
        raise TermFileError(f"{path}: contains no sites")
    return list(dict.fromkeys(sites))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return _in_gb18030(path)
    except OSError as error:
        raise TermFileError(f"{path}: cannot be read: {error.strerror}") from error


def _in_gb18030(path: Path) -> str:
    """The text in the encoding of spreadsheets on Chinese Windows."""
    try:
        return path.read_text(encoding="gb18030")
    except UnicodeDecodeError as error:
        raise TermFileError(f"{path}: is neither UTF-8 nor GB18030") from error
