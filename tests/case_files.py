"""The described cases in tests/cases: KIND/developed/*.yaml and KIND/held_out/*.yaml.

A file is a mapping. `cases` lists its cases; every other key is a default for each of them. All scalars are text.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parent / "cases"
KINDS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
Case = dict[str, Any]


def files(kind: str) -> list[Path]:
    """The case files of a kind, developed-on ones first."""
    return [path for part in ("developed", "held_out") for path in sorted((FOLDER / kind / part).glob("*.yaml"))]


@cache
def read(path: Path) -> tuple[Case, ...]:
    """The cases of a file with its defaults."""
    content = yaml.load(path.read_text(encoding="utf-8"), yaml.CBaseLoader)  # no number, date or boolean is guessed
    defaults = {key: value for key, value in content.items() if key != "cases"}
    return tuple(defaults | case for case in content["cases"])


def cases(kind: str, *inputs: str) -> list[Any]:
    """Parameters for pytest: the cases of a kind that have one of these inputs. A case with `xfail` must fail."""
    chosen = [case for path in files(kind) for case in read(path) if any(name in case for name in inputs)]
    return [pytest.param(case, id=case["description"], marks=_marks(case)) for case in chosen]


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=case["xfail"], raises=AssertionError, strict=True)] if "xfail" in case else []
