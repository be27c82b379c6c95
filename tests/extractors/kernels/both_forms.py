"""The compiled and the numpy form of a kernel, side by side."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

from extractors.html.flat_tree import FlatTree
from extractors.kernels import forms, state

needs_extension = pytest.mark.skipif(
    state().module is None, reason=f"the compiled extension is not in use: {state().reason}"
)
ARRAYS = "tags parents depths ends chunk_starts chunk_ends owners spaced links texts".split()
"""Of a tree; its methods are compared in `test_events.py`."""


def of_both(name: str, *given: Any) -> Any:
    """What the compiled form of a kernel gives, which is what the other one gives."""
    form = forms[name]
    assert form.compiled
    found = form.compiled(*given)
    assert not difference(found, form.numpy(*given))
    return found


def difference(found: Any, wanted: Any, where: str = "value") -> str:
    """Where two values differ first, "" where they are equal in type, shape and content."""
    if isinstance(wanted, FlatTree):
        return next(
            (said for one in ARRAYS if (said := difference(getattr(found, one), getattr(wanted, one), one))), ""
        )
    if isinstance(wanted, np.ndarray):
        alike = isinstance(found, np.ndarray) and (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        equal = alike and np.array_equal(found, wanted, equal_nan=wanted.dtype.kind == "f")
        return "" if equal else f"{where}: {found!r:.300} for {wanted!r:.300}"
    if isinstance(wanted, (list, tuple)) and isinstance(found, (list, tuple)):
        if len(found) != len(wanted):
            return f"{where}: {len(found)} items for {len(wanted)}"
        pairs = enumerate(zip(found, wanted, strict=True))
        return next((said for number, pair in pairs if (said := difference(*pair, f"{where}[{number}]"))), "")
    if is_dataclass(wanted):
        pairs = ((each.name, getattr(found, each.name), getattr(wanted, each.name)) for each in fields(wanted))
        return next((said for name, *pair in pairs if (said := difference(*pair, f"{where}.{name}"))), "")
    return "" if found == wanted else f"{where}: {found!r:.300} for {wanted!r:.300}"
