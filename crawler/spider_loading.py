"""Spiders found by their names."""

import builtins
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec

from scrapy import Request, Spider
from scrapy.spiderloader import SpiderLoader


class NamedSpiders(SpiderLoader):
    """Scrapy's loader imports the modules of all spiders with their libraries. This one imports the module that has the requested
    spider's name, and all others only for `list` and `find_by_request`."""

    _are_all_loaded = False

    def _load_all_spiders(self) -> None:
        """On demand."""

    def load(self, spider_name: str) -> type[Spider]:
        """Raises KeyError if there is none of that name."""
        if spider_name not in self._spiders and not self._are_all_loaded:
            for package in self.spider_modules if spider_name.isidentifier() else ():
                with suppress(ModuleNotFoundError):  # a package that is a module has none inside
                    if find_spec(f"{package}.{spider_name}"):
                        self._load_spiders(import_module(f"{package}.{spider_name}"))
            if spider_name not in self._spiders:
                self._load_all()
        return super().load(spider_name)

    def list(self) -> builtins.list[str]:
        self._load_all()
        return super().list()

    def find_by_request(self, request: Request) -> builtins.list[str]:
        self._load_all()
        return super().find_by_request(request)

    def _load_all(self) -> None:
        if not self._are_all_loaded:
            self._are_all_loaded = True
            self._spiders.clear()
            self._found.clear()
            super()._load_all_spiders()
