"""Names of the described cases: in texts, with the divisions and countries that they belong to."""

import pytest

from analysis.names import country_of, find_division, find_names
from tests.case_files import Case, cases

KINDS = {"people": "person", "places": "place", "organisations": "org"}


@pytest.mark.parametrize("case", cases("names", "text"))
def test_the_names_of_a_text(case: Case) -> None:
    """`expected` has all names of each kind that it mentions, in the order of the text."""
    names = find_names(case["text"])
    found = {kind: [name.text for name in names if name.kind == KINDS[kind]] for kind in case["expected"]}
    assert found == case["expected"]


@pytest.mark.parametrize("case", cases("names", "division"))
def test_a_division_and_its_parents(case: Case) -> None:
    """`expected` has its full name and those of its parents; `near` codes of divisions that the text names, too."""
    found = find_division(case["division"], near=tuple(case.get("near", ())))
    assert ([found.name, *found.parents] if found else []) == case["expected"]


@pytest.mark.parametrize("case", cases("names", "country"))
def test_the_country_of_a_place_abroad(case: Case) -> None:
    assert country_of(case["country"]) == case["expected"]
