"""The compiled extension: the most expensive computations in compiled form; numpy computes the same without it.

`pip install` builds it with Cython and a C compiler, and continues without it if one of them is missing. It is used
if it was built from the sources beside it and for this Python; the environment variable TOPICRAWL_COMPILED=off
turns it off for the process.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, update_wrapper
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.resources import as_file, files
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, TypeVar, cast

__all__ = ["SWITCH", "forest", "forest_stack", "kernel", "state"]

Form = TypeVar("Form", bound=Callable[..., Any])
SWITCH = "TOPICRAWL_COMPILED"
_NAME = "extractors.kernels.native"


@dataclass(frozen=True, slots=True)
class ExtensionState:
    """The extension module, or None and why it is not in use."""

    module: Any
    reason: str


@dataclass(frozen=True, slots=True)
class KernelForms:
    """The two forms of a kernel; `compiled` is None if the extension is not in use."""

    numpy: Callable[..., Any]
    compiled: Callable[..., Any] | None


forms: dict[str, KernelForms] = {}
"""Both forms of each kernel by its name in the extension, for tests that compare them."""


def kernel(numpy_form: Form) -> Form:
    """Replace a function or class, once for the whole process, by the extension's one of the same name (without a
    leading underscore); keep it if the extension is not in use.

    Both forms take the same arguments and return equal values of the same types; so do the methods of a class. A compiled
    function gets the module, name and docstring of the other form, so that `help` and `pickle` find it there.

    Raises:
        AttributeError: the extension is in use and has no such function.
        ValueError: another module has a kernel of this name.
    """
    name = numpy_form.__name__.lstrip("_")
    known = forms.get(name)
    if known and known.numpy.__module__ != numpy_form.__module__:
        raise ValueError(f"{known.numpy.__module__} and {numpy_form.__module__} both have a kernel named {name!r}")
    module = state().module
    compiled = getattr(module, name) if module is not None else None
    forms[name] = KernelForms(numpy_form, compiled)
    if compiled is None:
        return numpy_form
    if not isinstance(compiled, type):
        update_wrapper(compiled, numpy_form)
    return cast(Form, compiled)


@cache
def state() -> ExtensionState:
    """The state of the extension, looked up once in a process."""
    if os.environ.get(SWITCH, "").lower() in ("off", "0", "no", "false"):
        return ExtensionState(None, f"{SWITCH} turns it off")
    try:
        module = load()
    except Exception as error:  # a module for another Python, lxml or machine may raise anything
        return ExtensionState(None, f"not built here ({error})")
    if module.source() != digest():
        return ExtensionState(None, "built from other sources: install again")
    return ExtensionState(module, "")


def load() -> Any:
    """The module for this Python; extracted temporarily from a zipped egg. ImportError if there is none."""
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
    raise ImportError("there is no build for this Python")


def digest() -> str:
    """The digest of the present sources; the module has the digest of the sources of its build."""
    sources = sorted(
        (file for file in files(__package__).iterdir() if file.name.endswith((".pyx", ".pxi"))), key=lambda f: f.name
    )
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in sources)).hexdigest()[:16]
