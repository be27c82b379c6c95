"""A topic as a form: what is typed is what the file says, a preview changes nothing, and what is wrong is said."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from crawler.config.topics import declared_topic, read_topic
from tests.console.conftest import LogIn, MakeAppContext, send
from tests.console.filling import ATTACK, fill
from tests.console.steering import settings_folder

FIELDS = {
    "name": "侨情",
    "subject": "侨联",
    "professional": "侨胞 = 华侨、华人 * 0.8\n归侨",
    "seeds": "https://a.example/",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(settings_folder(tmp_path))


@pytest.fixture
def app_context(make: MakeAppContext, folder: Path) -> AppContext:
    made = make(TOPICRAWL_SETTINGS_DIR=str(folder))
    fill(made.store)
    return made


def test_a_topic_is_made_changed_and_taken_back(local: TestClient, folder: Path) -> None:
    path = folder / "topics" / "侨情.yaml"
    made = send(local, "/terms/topic/save", **FIELDS)
    assert "侨情" in local.get(made.headers["location"]).text
    terms = {term.word: (str(term.term_class), term.weight, term.synonyms) for term in read_topic(path).terms}
    assert terms["侨胞"] == ("professional", 0.8, ("华侨", "华人"))
    shown = local.get("/api/terms/topic?topic=侨情").json()
    assert shown["terms"]["professional"] == FIELDS["professional"]
    again = {**FIELDS, "professional": "侨务", "version": shown["version"]}
    assert send(local, "/terms/topic/save", **again).status_code == 303
    stale = send(local, "/terms/topic/save", **again)
    assert (stale.status_code, "已被他人修改" in stale.text) == (409, True)
    key = made.headers["location"].rpartition("done=")[2]
    assert send(local, f"/decisions/{key}/undo").status_code == 409
    assert [term.word for term in declared_topic(path).terms] == ["侨联", "侨务"]


def test_a_file_stays_what_it_is_but_for_what_was_changed(local: TestClient, folder: Path) -> None:
    shown = local.get("/api/terms/topic?topic=housing").json()
    fields = {
        "name": "housing",
        **shown["terms"],
        "description": "楼市",
        "version": shown["version"],
        "languages": "zh",
    }
    saved = send(local, "/terms/topic/save", **fields)
    text = (folder / "topics" / "housing.yaml").read_text(encoding="utf-8")
    assert "professional: [首付, {word: 房贷, synonyms: [住房贷款]}]" in text
    assert "languages:" in text
    key = saved.headers["location"].rpartition("done=")[2]
    assert send(local, f"/decisions/{key}/undo").status_code == 303
    assert "languages" not in (folder / "topics" / "housing.yaml").read_text(encoding="utf-8")


def test_a_preview_judges_stored_pages_with_reasons_and_saves_nothing(local: TestClient, folder: Path) -> None:
    answer = send(local, "/api/terms/topic/preview", **{**FIELDS, "professional": "银行", "threshold": "0.1"})
    found = answer.json()["preview"]
    assert found["kept"] + found["dropped"] == found["judged"] > 0
    assert found["breadth"]["few"]
    assert all(row["score"] < 0.1 for row in found["misses"])
    assert not (folder / "topics" / "侨情.yaml").exists()
    page = send(
        local, "/terms/topic/preview", **{**FIELDS, "professional": ATTACK.replace("=", "").replace("*", "")[:90]}
    )
    assert page.status_code == 200
    assert "So few terms" in page.text or "词太少" in page.text
    assert "<script>alert" not in page.text
    assert local.get("/api/decisions").json()["rows"] == []


@pytest.mark.parametrize(
    "fields",
    [{"name": "../x"}, {"name": "-x"}, {"name": "a/b"}, {"professional": "a * 7"}, {"professional": "= b"}, {"threshold": "3"},
     {"professional": "", "subject": ""}, {"seeds": "javascript:x"}, {"seeds": "http://[::1"},
     {"professional": "x" * 101}, {"professional": "x\n" * 10_001}],
)  # fmt: skip
def test_what_is_wrong_is_refused(local: TestClient, folder: Path, fields: dict[str, str]) -> None:
    before = sorted((folder / "topics").iterdir())
    assert send(local, "/terms/topic/save", **{**FIELDS, **fields}).status_code == 400
    assert sorted((folder / "topics").iterdir()) == before
    assert local.get("/terms/topic?topic=nothing").status_code == 404


def test_a_copy_has_everything_but_the_name(local: TestClient) -> None:
    copy = local.get("/api/terms/topic?copy=housing").json()
    assert (copy["name"], copy["version"]) == ("", "")
    assert "房贷 = 住房贷款" in copy["terms"]["professional"]


def test_viewers_look_only(log_in: LogIn) -> None:
    viewer = log_in("viewer")
    assert viewer.get("/terms/topic?topic=housing").status_code == 200
    assert send(viewer, "/terms/topic/save", "/articles", **FIELDS).status_code == 403
