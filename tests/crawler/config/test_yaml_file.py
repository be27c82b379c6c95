"""An operator's files in a folder, and in a zipped egg, where a deployed job finds them."""

import zipfile
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.config.topics import read_topic, thesaurus_of, topic_names, topic_path
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.engines.catalog import read_catalog
from crawler.metasearch.queries import read_search_terms

FILES = {
    "settings/engines/mine.yaml": "url: https://mine.example/?q={query}\nhtml: li\nfields: {url: a}\n",
    "settings/topics/water.yaml": "terms:\n  subject: [水]\n  intelligence: [洪水]\nthesaurus: words.txt\n",
    "settings/topics/words.txt": "水 清水\n",
}


def test_engines_and_topics_are_read_in_an_egg(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "project.egg", "w") as egg:
        for name, text in FILES.items():
            egg.writestr(name, text)
    folder = zipfile.Path(tmp_path / "project.egg", "settings/")
    assert read_catalog(folder / "engines").on == ("mine",)
    assert topic_names(folder / "topics") == ["water"]
    path = topic_path(folder, "water")
    topic = read_topic(path)
    assert (topic.name, topic.terms[0].synonyms) == ("water", ("清水",))
    beside = thesaurus_of(path)
    assert beside is not None
    assert beside.read_text(encoding="utf-8").startswith("水")
    assert read_search_terms(path).aspects == ("洪水",)
    with pytest.raises(DeclarationError, match="Topics there: water"):
        topic_path(folder, "wind")


def test_where_there_is_no_such_folder_the_packages_own_is_taken(tmp_path: Path) -> None:
    own = settings_folder(Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path / "nowhere")}))
    assert "tax" in topic_names(own / "topics")
    assert "example" in read_catalog(own / "engines").off
    assert settings_folder(Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)})) == tmp_path
