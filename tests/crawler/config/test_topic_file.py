"""A topic is changed in its file: what people wrote beside it stays, every version can be had back, and nobody's change is lost."""

from dataclasses import replace
from pathlib import Path

import pytest

from crawler.config.topic_file import DeclaredTopic
from crawler.config.topics import declared_topic, read_topic, restore_topic, save_topic, version_of
from crawler.config.yaml_file import DeclarationError
from extractors.topic.model import Term, TermClass

FILE = """# Ours: ask Anna before you change it.
name: tax
description: 税收  # of the whole country

# The words.
terms:
  subject: [税务局]  # inside
  professional:
    - {word: 税率, weight: 0.8, synonyms: [税负]}

# From here on.
threshold: 0.5
seeds:
  - https://a.example/
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "tax.yaml"
    made.write_text(FILE, encoding="utf-8")
    return made


def test_only_what_differs_is_written(path: Path) -> None:
    topic = replace(declared_topic(path), threshold=0.6)
    saved = save_topic(path, topic, version_of(path)[0])
    assert path.read_text(encoding="utf-8") == FILE.replace("threshold: 0.5", "threshold: 0.6")
    assert saved.lost == 0
    assert declared_topic(path) == topic


def test_comments_inside_a_changed_part_are_counted_and_kept_in_the_version_before(path: Path) -> None:
    before = declared_topic(path)
    changed = replace(before, terms=(*before.terms, Term("稽查", TermClass.INTELLIGENCE)), languages=("zh",))
    saved = save_topic(path, changed, version_of(path)[0])
    text = path.read_text(encoding="utf-8")
    assert saved.lost == 1
    for comment in ("# Ours", "# of the whole country", "# The words.", "# From here on."):
        assert comment in text
    assert declared_topic(path) == changed
    restore_topic(path, saved)
    assert path.read_text(encoding="utf-8") == FILE


def test_a_new_topic_is_readable_and_goes_when_it_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "topics" / "侨情.yaml"
    topic = replace(declared_topic_of(tmp_path), name="侨情", languages=("zh",))
    saved = save_topic(path, topic, "")
    assert "侨胞" in path.read_text(encoding="utf-8")
    assert read_topic(path).name == "侨情"
    restore_topic(path, saved)
    assert not path.exists()


def declared_topic_of(folder: Path) -> DeclaredTopic:
    path = folder / "x.yaml"
    path.write_text("terms: {professional: [侨胞]}", encoding="utf-8")
    return declared_topic(path)


def test_a_change_by_somebody_else_is_never_overwritten(path: Path) -> None:
    seen = version_of(path)[0]
    topic = replace(declared_topic(path), threshold=0.7)
    saved = save_topic(path, topic, seen)
    with pytest.raises(DeclarationError, match="changed meanwhile"):
        save_topic(path, replace(topic, threshold=0.8), seen)
    path.write_text(path.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    with pytest.raises(DeclarationError, match="changed since"):
        restore_topic(path, saved)


@pytest.mark.parametrize(
    "text", ["{name: tax, terms: {professional: [a]}}\n", "name: tax\nterms: {professional: &x [a]}\nlanguages: *x\n"]
)
def test_other_ways_to_write_yaml_are_changed_whole_or_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tax.yaml"
    path.write_text(text, encoding="utf-8")
    topic = replace(declared_topic(path), terms=(Term("b"),))
    try:
        save_topic(path, topic, version_of(path)[0])
    except DeclarationError:
        assert path.read_text(encoding="utf-8") == text
    else:
        assert declared_topic(path) == topic
    assert [each.name for each in tmp_path.glob(".*.new")] == []
