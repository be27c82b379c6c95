"""Opens a store with its sealed months."""

from scrapy.settings import BaseSettings

from pipelines.sealing.parts import sealed_folder
from pipelines.sealing.reading import WholeStore
from pipelines.stores.opening import open_store, store_address


def open_whole_store(settings: BaseSettings, *, must_exist: bool = False, scans: bool = True) -> WholeStore:
    """The store that STORE names, with the months in SEALED_DIR; arguments as for `open_store` and `WholeStore`."""
    store = open_store(store_address(settings), must_exist=must_exist)
    return WholeStore(store, sealed_folder(settings), scans=scans)
