"""The files of sealed months, which the database has no copy of."""

from contextlib import closing
from importlib.util import find_spec

from scrapy.settings import BaseSettings

from crawler.checks import Finding
from pipelines.sealing.parts import SEALED, WRITTEN, file_of, parts, sealed_folder
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import TABLES


def sealed(settings: BaseSettings) -> list[Finding]:
    """Whether all files are there and can be read; nothing where no month is sealed."""
    try:
        with closing(open_store(store_address(settings), must_exist=True)) as store:
            rows = [row for row in parts(store) if row["state"] in (WRITTEN, SEALED)]
    except StoreError:
        return []  # the check of the database says why
    if not rows:
        return []
    folder = sealed_folder(settings).absolute()
    files = [file_of(folder, row["part"], TABLES[name]) for row in rows for name, count in row["rows"].items() if count]
    if missing := [file for file in files if not file.is_file()]:
        message = f"{len(missing)} of {len(files)} files are missing, the first is {missing[0]}"
        return [Finding("fault", "Sealed months", message, "Bring them back, or set SEALED_DIR to their folder.")]
    if find_spec("pyarrow") is None:
        advice = "python -m pip install 'topicrawl[parquet]'"
        return [Finding("fault", "Sealed months", "pyarrow, which reads them, is not installed", advice)]
    months = [row["month"] for row in rows]
    span = " to ".join(sorted({min(months), max(months)}))
    return [Finding("ok", "Sealed months", f"{span}: all files ({len(files)}) are in {folder}")]
