"""Reposts by title. `pipelines.titles.TitlesPipeline`, the pipeline's former path, is read for one more version."""

import logging
from importlib import import_module


def __getattr__(name: str) -> object:
    if name != "TitlesPipeline":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    path = "pipelines.titles.pipeline"
    logging.getLogger(__name__).warning("TitlesPipeline is in %s now; please change the setting", path)
    return getattr(import_module(path), name)
