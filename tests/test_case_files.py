"""Every case file can be read, and every case says what is expected and why."""

from pathlib import Path

import pytest

from tests.case_files import FOLDER, KINDS, files, read

INPUTS = {
    "articles": {"html"},
    "dates": {"text", "texts", "stored"},
    "dating": {"pieces"},
    "events": {"text", "pair"},
    "names": {"text", "division", "country"},
    "records": {"html"},
    "robots": {"robots"},
    "times": {"text", "sentence"},
    "titles": {"pair"},
}
OPTIONAL = {
    "language",
    "path",
    "now",
    "url",
    "charset",
    "zone",
    "day_first",
    "near",
    "title",
    "written",
    "objection",
    "xfail",
}
EVERY = [path for kind in KINDS for path in files(kind)]


@pytest.mark.parametrize("path", EVERY, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_case_has_a_description_one_input_what_is_expected_and_the_source_of_its_rule(path: Path) -> None:
    kind = path.relative_to(FOLDER).parts[0]
    for case in read(path):
        assert {"description", "expected", "rule"} <= case.keys(), case
        assert len(INPUTS[kind] & case.keys()) == 1, case
        assert case.keys() <= {"description", "expected", "rule"} | INPUTS[kind] | OPTIONAL, case
        assert case.get("xfail", "a reason"), case


@pytest.mark.parametrize("kind", KINDS)
def test_descriptions_are_unique_within_a_kind(kind: str) -> None:
    descriptions = [case["description"] for path in files(kind) for case in read(path)]
    assert [each for each in descriptions if descriptions.count(each) > 1] == []


def test_no_file_stands_where_it_is_not_read() -> None:
    assert sorted(path for path in FOLDER.rglob("*") if path.is_file()) == sorted(EVERY)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"articles"}))
def test_a_part_of_the_cases_is_held_out(kind: str) -> None:
    held_out = sum(len(read(path)) for path in files(kind) if path.parent.name == "held_out")
    assert held_out >= 0.2 * sum(len(read(path)) for path in files(kind))
