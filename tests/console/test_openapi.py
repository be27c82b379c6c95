"""The document of the JSON API says what the API does."""

import hashlib
import re
from pathlib import Path

from starlette.testclient import TestClient

import console
from console.pages import PAGES

STATIC = Path(console.__file__).parent / "static"


def test_every_page_and_every_decision_is_in_the_document(local: TestClient) -> None:
    paths = local.get("/api/openapi.json").json()["paths"]
    for page in PAGES:
        given = {each["name"] for each in paths[f"/api{page.path}"]["get"]["parameters"] if each["in"] == "query"}
        assert given == {param.name for param in page.params}
        assert all("post" in paths[f"/api{page.path}/{action.name}"] for action in page.actions)


def test_names_of_operations_are_unique(local: TestClient) -> None:
    paths = local.get("/api/openapi.json").json()["paths"]
    names = [operation["operationId"] for each in paths.values() for operation in each.values()]
    assert len(names) == len(set(names))


def test_vendored_files_are_what_the_table_says() -> None:
    table = (STATIC / "VENDORED.md").read_text(encoding="utf-8")
    for name, digest in re.findall(r"`([\w.-]+\.js)` \|.*`([0-9a-f]{96})`", table):
        assert hashlib.sha384((STATIC / name).read_bytes()).hexdigest() == digest
        assert f"console/static/{name}" in (STATIC.parent.parent / "NOTICE").read_text(encoding="utf-8")
    assert {path.name for path in STATIC.glob("*.min.js")} == set(re.findall(r"`([\w.-]+\.min\.js)` \|", table))
