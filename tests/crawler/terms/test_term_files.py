"""Terms go to a spreadsheet and come back as they were."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.terms.term_files import TermLine, read_sites, read_terms, to_csv
from extractors.topic.library import DynamicTerm, TermState
from extractors.topic.model import Term, TermClass

WORDS = (
    st.text(alphabet='税务ab"=+-@,;#\t x', min_size=1, max_size=8)
    .map(str.strip)
    .filter(lambda word: word not in ("", "'") and not word.startswith("#"))
)
SYNONYMS = st.lists(st.text(alphabet='税ab",x', min_size=1, max_size=4), max_size=3, unique=True).map(tuple)
TERMS = st.builds(Term, WORDS, st.sampled_from(TermClass), st.sampled_from([0.25, 0.5, 1.0]), SYNONYMS, st.just(True))
ENTRIES = st.lists(
    st.builds(DynamicTerm, TERMS, st.sampled_from(TermState), st.just("pages"), st.floats(-9, 9), st.integers(0, 99)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=150, deadline=None)
@given(ENTRIES)
def test_a_sheet_comes_back_as_it_was(entries: list[DynamicTerm]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.csv"
        path.write_text(to_csv(entries, [Term("given")]), encoding="utf-8", newline="")
        lines = read_terms(path)
    states = {TermState.ACCEPTED: TermState.ACCEPTED, TermState.REJECTED: TermState.REJECTED, TermState.CANDIDATE: None}
    expected = [
        (entry.term.word, states[entry.state], entry.term.term_class, entry.term.weight, entry.term.synonyms)
        for entry in entries
    ]
    assert [_values(line) for line in lines] == expected


def _values(line: TermLine) -> tuple[object, ...]:
    return line.word, line.state, line.term_class, line.weight, line.synonyms


def test_no_cell_runs_as_a_formula() -> None:
    entry = DynamicTerm(Term("=1+1", dynamic=True), TermState.CANDIDATE, "@crawl", example="-2")
    cells = to_csv([entry]).splitlines()[1].split(",")
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_sites_in_plain_text_and_in_columns(tmp_path: Path) -> None:
    path = tmp_path / "sites.txt"
    path.write_text("# 官方\nhttps://a.example/\nb.example\n\nb.example\n", encoding="utf-8")
    assert read_sites(path) == ["https://a.example/", "b.example"]
    path.write_text("名称,host\n甲,a.example\n乙,b.example\n", encoding="utf-8")
    assert read_sites(path) == ["a.example", "b.example"]
