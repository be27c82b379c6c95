"""Names have the numbers and texts that a dictionary and a list would give them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.kernels import forms, state
from extractors.titles.names import TitleNames

LETTERS = st.one_of(st.characters(), st.sampled_from("ab词é\ud83d\ude00😀\0\uffff"))
TEXTS = st.lists(st.text(LETTERS, max_size=6), max_size=60, unique=True)
FORMS = ["numpy", "compiled"]


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "compiled" and state().module is None:
        pytest.skip(f"the compiled extension is not in use: {state().reason}")
    monkeypatch.setattr("extractors.titles.names.NameTable", getattr(forms["NameTable"], request.param))
    return str(request.param)


@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_names_are_found_by_text_and_by_number(form: str) -> None:
    @settings(max_examples=150, deadline=None)
    @given(TEXTS, TEXTS, TEXTS)
    def check(first: list[str], then: list[str], others: list[str]) -> None:
        names, known = TitleNames(), list(first)
        names.extend(first)
        for text in then:
            if text not in known:
                assert names.add(text) == len(known)
                known.append(text)
        assert list(names) == known
        assert len(names) == len(known)
        asked = [*others, *known]
        assert names.find(asked) == [known.index(text) if text in known else -1 for text in asked]
        assert names.texts(range(len(known))[::-1]) == tuple(known[::-1])

    check()


@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_many_names_are_found_and_a_number_that_is_not_there_is_refused(form: str) -> None:
    names, texts = TitleNames(), [f"词{number}" for number in range(9_000)]
    for text in texts[:5_000]:
        names.add(text)
    names.extend(texts[5_000:])
    assert names.find(texts) == list(range(9_000))
    assert names.find(["词9000", ""]) == [-1, -1]
    assert names[8_999] == "词8999"
    with pytest.raises(IndexError):
        names.texts([9_000])


@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_texts_with_the_same_hash_are_told_apart(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = TitleNames()
    names.extend(["甲", "乙"])
    alike = names.slots.copy()
    names.slots[:] = 0
    for number, entry in enumerate(sorted(alike[alike > 0].tolist(), key=lambda entry: entry & 0xFFFFFFFF)):
        names.slots[(hash("乙") + number) % len(names.slots)] = (hash("乙") & 0xFFFFFFFF) << 32 | entry & 0xFFFFFFFF
    assert names.find(["乙"]) == [1]
