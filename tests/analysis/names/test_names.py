"""What holds for the names of any text."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.names import find_division, find_names


def test_a_division_has_its_parents() -> None:
    division = find_division("永吉县")
    assert division
    assert (division.code, division.name, division.parents) == ("220221", "永吉县", ("吉林市", "吉林省"))


@given(st.text(alphabet="王建国李记者说的在北京市上海·广东省公安厅大学欧阳司马修龙及与第次大A1 ，。", max_size=60))
def test_names_lie_in_order_and_do_not_overlap(text: str) -> None:
    assert_in_order(text)


def assert_in_order(text: str) -> None:
    at = 0
    for name in find_names(text):
        assert at <= name.start < name.end <= len(text)
        assert text[name.start : name.end] == name.text
        at = name.end


@given(
    st.lists(
        st.sampled_from(
            "Mr President University of the and John Smith Paris, Ltd. IN said New York U.S. — 's (FBI)".split()
        ),
        max_size=20,
    )
)
def test_english_names_lie_in_order(words: list[str]) -> None:
    assert_in_order(" ".join(words))


@given(st.text(max_size=100))
def test_no_text_fails(text: str) -> None:
    find_names(text)
