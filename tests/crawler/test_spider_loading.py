"""Spiders are found by name, each without the others."""

import subprocess
import sys
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader, get_spider_loader

from crawler.spider_loading import NamedSpiders


def _settings(modules: list[str]) -> Settings:
    return Settings({"SPIDER_MODULES": modules, "SPIDER_LOADER_CLASS": "crawler.spider_loading.NamedSpiders"})


@pytest.mark.parametrize("modules", [["crawler.spiders"], ["crawler.spiders.site", "crawler.spiders.watch"], []])
def test_what_is_found_is_what_scrapys_own_finds(modules: list[str]) -> None:
    settings = _settings(modules)
    known = SpiderLoader.from_settings(settings)
    for name in ("site", "watch", "metasearch", "base", "other", "not a name", "page_reader.x"):
        ours = get_spider_loader(settings)
        if name in known.list():
            assert ours.load(name) is known.load(name)
        else:
            with pytest.raises(KeyError, match="not found"):
                ours.load(name)
        assert sorted(ours.list()) == sorted(known.list())
    request = Request("https://some.example/")
    assert NamedSpiders(settings).find_by_request(request) == known.find_by_request(request)


def test_a_spider_whose_module_has_another_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_spiders_of_others"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "first.py").write_text("import scrapy\nclass A(scrapy.Spider):\n    name = 'second'\n")
    monkeypatch.syspath_prepend(tmp_path)
    loader = get_spider_loader(_settings(["crawler.spiders", package.name]))
    assert loader.load("second").name == "second"
    assert set(loader.list()) >= {"second", "site"}


def test_other_spiders_are_not_loaded() -> None:
    program = (
        "import sys\nfrom scrapy.utils.project import get_project_settings\n"
        "from scrapy.spiderloader import get_spider_loader\n"
        "get_spider_loader(get_project_settings()).load('site')\n"
        "print([name for name in sys.modules if name.startswith(('crawler.watching', 'crawler.metasearch'))])"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"
