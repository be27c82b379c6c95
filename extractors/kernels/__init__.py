"""Machine code for what every page costs most, where it was built; everything it does is done by numpy without it.

`pip install` builds it with Cython and a C compiler, and goes on without it where one of them is missing. It is used
when it was built from the sources that lie beside it, for this Python and for libxml2's layout of a tree; the
environment variable TOPICRAWL_COMPILED=off turns it off.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.resources import as_file, files
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, ParamSpec, TypeVar

from lxml import etree

P = ParamSpec("P")
R = TypeVar("R")
SWITCH = "TOPICRAWL_COMPILED"
_NAME = "extractors.kernels.native"


@dataclass(frozen=True, slots=True)
class State:
    """The extension module, or None and why it is not in use."""

    module: Any
    reason: str


_OFF = State(None, "turned off for a comparison")
_turned_off = False


def state() -> State:
    """Looked up once in a process."""
    return _OFF if _turned_off else found_here()


def native() -> Any:
    """The extension module, None where it is not in use."""
    return None if _turned_off else found_here().module


@dataclass(frozen=True, slots=True)
class Forms:
    """The two forms of a kernel: the compiled one is None where the extension is not in use."""

    numpy: Callable[..., Any]
    compiled: Callable[..., Any] | None


forms: dict[str, Forms] = {}
"""Both forms of each kernel by its name, for tests that compare them."""


def kernel(numpy_form: Callable[P, R]) -> Callable[P, R]:
    """Bind a function, once and for the whole process, to the extension's function of the same name (a leading
    underscore aside), else to itself. Both take and give the same; AttributeError where an extension in use lacks it."""
    name = numpy_form.__name__.lstrip("_")
    module = found_here().module
    compiled = getattr(module, name) if module is not None else None
    forms[name] = Forms(numpy_form, compiled)
    return compiled or numpy_form


@contextmanager
def turned_off() -> Iterator[None]:
    """Numpy does everything meanwhile; for comparisons in one process and one thread."""
    global _turned_off
    before, _turned_off = _turned_off, True
    try:
        yield
    finally:
        _turned_off = before


@cache
def found_here() -> State:
    """See `state`."""
    if os.environ.get(SWITCH, "").lower() in ("off", "0", "no", "false"):
        return State(None, f"{SWITCH} turns it off")
    try:
        module = load()
    except Exception as error:  # a module of another Python, another lxml, another machine: each fails in its own way
        return State(None, f"not built here ({error})")
    if module.source() != digest():
        return State(None, "built from other sources: install again")
    if module.libxml_major() != etree.LIBXML_VERSION[0]:
        return State(None, "built for another libxml2: install again")
    return State(module, "")


def load() -> Any:
    """The module for this Python; one in a zipped egg is copied out of it for as long as that takes. ImportError if
    there is none."""
    if _NAME in sys.modules:
        return sys.modules[_NAME]
    here = files(__package__)
    for file in (here / f"native{suffix}" for suffix in EXTENSION_SUFFIXES):
        if file.is_file():
            with as_file(file) as path:
                spec = spec_from_file_location(_NAME, path)
                if spec and spec.loader:
                    module = module_from_spec(spec)
                    spec.loader.exec_module(module)
                    return sys.modules.setdefault(_NAME, module)
    raise ImportError("there is no file of it for this Python")


def digest() -> str:
    """Of the sources that lie here; the one of those that were built is in the module."""
    sources = sorted(
        (file for file in files(__package__).iterdir() if file.name.endswith((".pyx", ".pxi"))), key=lambda f: f.name
    )
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in sources)).hexdigest()[:16]
