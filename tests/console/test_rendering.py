"""Templates are compiled before the console serves."""

import jinja2
import pytest
from starlette.testclient import TestClient

from console.frame.html_rendering import prepare


def test_nothing_is_compiled_when_a_prepared_console_answers(
    local: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare()
    monkeypatch.delattr(jinja2.Environment, "compile")
    for path in ("/today", "/runs", "/login", "/nowhere"):
        assert local.get(path).status_code in (200, 404), path
