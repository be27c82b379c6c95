"""Topics as operators write them, right and wrong."""

from pathlib import Path

import pytest

from crawler.config.topics import read_topic, topic_path
from crawler.config.yaml_file import DeclarationError
from extractors.topic.model import Term, TermClass

REPOSITORY = Path(__file__).parents[3]


def _read(folder: Path, text: str) -> None:
    (folder / "topics").mkdir(exist_ok=True)
    (folder / "topics" / "tax.yaml").write_text(text, encoding="utf-8")
    read_topic(topic_path(folder, "tax"))


def test_the_example_is_right() -> None:
    topic = read_topic(topic_path(REPOSITORY / "settings", "tax"))
    assert Term("税务局", TermClass.SUBJECT, 1.0, ("国税机关", "税务机关", "税务总局")) in topic.terms
    assert {term.term_class for term in topic.terms} == set(TermClass)
    assert topic.seeds
    assert 0 < topic.threshold < 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("terms:\n  subject: [税]\nthreshhold: 1\n", "line 3, threshhold: is not known"),
        ("terms:\n  subject: [税]\n  verbs: [查]\n", "line 3, terms.verbs: is not a class"),
        ("terms:\n  subject: 税\n", "line 2, terms.subject: must be a list"),
        ("terms:\n  subject:\n    - 税\n    - wort: 法\n", "line 4, terms.subject: a term is a word"),
        ("terms:\n  subject:\n    - {word: 税, weight: 3}\n", "line 3, terms.subject.weight: must be above 0"),
        ("terms:\n  subject:\n    - {word: 税, synonyms: 法}\n", "line 3, terms.subject.synonyms: must be a list"),
        ("terms:\n  subject:\n    - {word: 税, class: x}\n", "line 3, terms.subject.class: is not known"),
        ("terms: [税]\n", "line 1, terms: must hold lists"),
        ("terms:\n  subject: []\n", "line 1, terms: holds no term"),
        ("terms:\n", "terms: must hold lists"),
        ("terms:\n  subject: [税]\nthreshold: 2\n", "line 3, threshold: must be between 0 and 1"),
        ("terms:\n  subject: [税]\nseeds: http://a.example/\n", "line 3, seeds: must be a list"),
        ("terms: [\n", "is not YAML"),
        ("- 税\n", "must have keys and values"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_key(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(DeclarationError) as raised:
        _read(tmp_path, text)
    assert complaint in str(raised.value)
    assert "tax.yaml" in str(raised.value)


def test_a_topic_of_examples_needs_no_terms(tmp_path: Path) -> None:
    path = tmp_path / "tax.yaml"
    path.write_text("name: tax\n", encoding="utf-8")
    assert read_topic(path).terms == ()


def test_a_topic_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match="There is no topic law"):
        topic_path(tmp_path, "law")


def test_words_of_the_topics_thesaurus_stand_for_its_terms(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("税务局 国税 > 税务所 < 机关\n", encoding="utf-8")
    path = tmp_path / "tax.yaml"
    path.write_text(
        "terms:\n  subject: [{word: 税务局, synonyms: [地税]}, 税]\nthesaurus: words.txt\n", encoding="utf-8"
    )
    assert [term.synonyms for term in read_topic(path).terms] == [("地税", "国税", "税务所"), ()]


def test_a_thesaurus_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tax.yaml"
    path.write_text("terms:\n  subject: [税]\nthesaurus: nosuch.txt\n", encoding="utf-8")
    with pytest.raises(DeclarationError, match=r"tax\.yaml, line 3, thesaurus: .*nosuch\.txt"):
        read_topic(path)
