"""Jobs are added to the file of a plan and taken out; everything else in it stays."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.scheduling.job_plan import JobPlan, PlanError, read_plan
from crawler.scheduling.plan_file import add_job, remove_job

FILE = """# ours
timezone: Asia/Shanghai  # of the office
nodes: [http://127.0.0.1:6800]
jobs:
  # the news
  news:
    spider: site
    cron: "0 */6 * * *"
    arguments:
      url: https://some.site/

  # the quiet one
  quiet:
    spider: watch
    cron: "30 2 * * mon"
"""
NEW = JobPlan(spider="site", cron="0 6 * * *", arguments={"url": "https://新闻.example/", "max_pages": 5})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "schedule.yaml"
    made.write_text(FILE, encoding="utf-8")
    return made


def test_a_job_is_added_behind_the_others_and_comments_stay(path: Path) -> None:
    plan = add_job(path, "fresh", NEW, "UTC")
    assert list(plan.jobs) == ["news", "quiet", "fresh"]
    assert plan.jobs["fresh"] == NEW
    assert path.read_text(encoding="utf-8").startswith(FILE)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(("name", "left"), [("news", "quiet"), ("quiet", "news")])
def test_a_job_is_removed_and_put_back(path: Path, name: str, left: str) -> None:
    before = read_plan(path)
    assert list(remove_job(path, name).jobs) == [left]
    assert "# ours" in path.read_text(encoding="utf-8")
    assert add_job(path, name, before.jobs[name], "UTC").jobs == before.jobs
    remove_job(path, name)
    assert not remove_job(path, left).jobs
    assert list(add_job(path, name, before.jobs[name], "UTC").jobs) == [name]


def test_keys_behind_the_jobs_stay_behind_them(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("jobs:\n    a: {spider: site, cron: '0 1 * * *'}\n# where\nnodes: [http://127.0.0.1:6800]\n")
    assert list(add_job(path, "b", NEW, "UTC").jobs) == ["a", "b"]
    assert list(remove_job(path, "a").jobs) == ["b"]
    assert path.read_text(encoding="utf-8").endswith("# where\nnodes: [http://127.0.0.1:6800]\n")


def test_the_first_job_makes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRAPYD_NODES", "http://127.0.0.1:6800")
    plan = add_job(tmp_path / "new.yaml", "first", NEW, "Asia/Shanghai")
    assert (list(plan.jobs), str(plan.timezone)) == (["first"], "Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [(FILE, "news", "has a job news already"), (FILE, "a b", "is not a valid name"), (FILE, "../x", "is not a valid name"),
     ("jobs: {a: {spider: site, cron: '0 1 * * *'}}\nnodes: [x]\n", "b", "below each other"), ("jobs: [", "b", "is not YAML"),
     ("nodes: [x]\n", "b", "has no jobs")],
)  # fmt: skip
def test_what_cannot_be_added_is_said_and_the_file_stays(tmp_path: Path, text: str, name: str, sentence: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlanError, match=sentence):
        add_job(path, name, NEW, "UTC")
    assert path.read_text(encoding="utf-8") == text


def test_a_folder_that_cannot_be_written_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("crawler.config.yaml_file.os.replace", refused)
    with pytest.raises(PlanError, match="cannot be changed: Permission denied"):
        add_job(path, "fresh", NEW, "UTC")
    assert path.read_text(encoding="utf-8") == FILE


@settings(max_examples=40)
@given(st.text(max_size=40), st.dictionaries(st.text(min_size=1, max_size=20), st.text(max_size=40), max_size=3))
def test_any_arguments_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, url: str, more: dict[str, str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any-plan.yaml"
    path.write_text(FILE, encoding="utf-8")
    job = JobPlan(spider="site", cron="0 6 * * *", arguments={"url": url, **more})
    try:
        plan = add_job(path, "fresh", job, "UTC")
    except (PlanError, UnicodeError):
        assert path.read_text(encoding="utf-8") == FILE
        return
    assert plan.jobs["fresh"] == job
    assert remove_job(path, "fresh").jobs.keys() == {"news", "quiet"}
