"""Each profile of the compose file, to a crawled and analysed page that its console shows."""

import json
from dataclasses import replace
from urllib.parse import quote

from benchmarks.containers.engine import StepError, wait
from benchmarks.containers.project import FIFTH, PAGES, Project

_ACCOUNT = ("sh", "-c", "echo 'a long pass phrase 92' | scrapy console adduser anna --role admin")
_ASK = """import sys, urllib.request
asked = urllib.request.Request("http://127.0.0.1:8765" + sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})
print(urllib.request.urlopen(asked, timeout=60).read().decode())
"""
_CRAWL = ("-s", "ALLOW_PRIVATE_ADDRESSES=1", "-s", "FRONTIER_HOST_DELAY=0.1", "-s", "LOG_LEVEL=WARNING")
_OPENSEARCH = {"OPENSEARCH_URL": "http://opensearch:9200/topicrawl", "OPENSEARCH_MEMORY": "512m"}
_REDIS_CLUSTER = {"REDIS_CLUSTER": "1", "REDIS_URL": "redis://redis-1:6379,redis://redis-2:6379,redis://redis-3:6379"}


def cluster(project: Project) -> str:
    """The analysis has counted what the nodes have crawled; the console lists it."""
    project.tools(*_ACCOUNT)
    project.start("analysis")
    project.start("console")
    project.until_healthy("console")
    wait(lambda: bool(project.exported("--table", "counts", "--limit", "1")), 240, "no counts of the analysis")
    (name,) = project.names("console")
    return _shown(project, name, project.tools("scrapy", "console", "token", "anna"), "/articles")


def single(project: Project) -> str:
    """One container: an account, a crawl, the analysis, a search on the page of articles."""
    project.compose("run", "--rm", "-T", "single", *_ACCOUNT)
    project.start("single")
    project.until_healthy("single")
    (name,) = project.names("single")

    def inside(*words: str) -> str:
        return project.engine.podman("exec", name, *words)

    inside("sh", "-c", f"scrapy crawl site -a url=http://first.dns.podman:8000/ {' '.join(_CRAWL)} || test $? -eq 3")
    inside("scrapy", "analysis", "run")
    seen = _shown(project, name, inside("scrapy", "console", "token", "anna"), f"/articles?q={quote('市政府')}")
    project.compose("stop", "single")
    return seen


def search(project: Project) -> str:
    """OpenSearch has the index of what the cluster has crawled; the console searches in it."""
    project.start("opensearch")
    project.until_healthy("opensearch", seconds=240)
    project.compose("stop", "analysis", "console")
    over = _with(project, _OPENSEARCH)
    over.tools("scrapy", "analysis", "rebuild")
    over.start("console")
    over.until_healthy("console")
    (name,) = project.names("console")
    seen = _shown(project, name, over.tools("scrapy", "console", "token", "anna"), f"/articles?q={quote('市政府')}")
    (server,) = project.names("opensearch")
    counted = project.engine.podman("exec", server, "curl", "-s", "localhost:9200/_cat/indices/topicrawl*?h=docs.count")
    if not (counts := counted.split()) or not sum(map(int, counts)):
        raise StepError("OpenSearch has no document")
    return f"{seen}; {counts[0]} documents"


def _with(project: Project, variables: dict[str, str]) -> Project:
    return replace(project, engine=replace(project.engine, environment=project.engine.environment | variables))


def redis_cluster(project: Project) -> str:
    """The six servers in place of the one: a crawl over them, seen in the console of the profile cluster."""
    six = [f"redis-{number}" for number in range(1, 7)]
    project.start(*six)
    for name in six:
        project.until_healthy(name)
    project.start("redis-cluster")
    over = _with(project, _REDIS_CLUSTER)
    cluster_is_made = "cluster_state:ok"
    (first,) = project.names("redis-1")
    wait(
        lambda: cluster_is_made in project.engine.podman("exec", first, "redis-cli", "cluster", "info"),
        60,
        "no cluster",
    )
    crawl = ("scrapy", "crawl", "site", "-a", f"url=http://{FIFTH}.dns.podman:8000/", *_CRAWL)
    # podman asks the name server of one network only, and a node is in one
    over.compose("run", "--rm", "-T", "--no-deps", "node", *crawl)
    if (stored := project.stored(FIFTH)) != PAGES + 1:
        raise StepError(f"{stored} rows for {PAGES + 1} pages")
    (name,) = project.names("console")
    token = project.tools("scrapy", "console", "token", "anna")
    return _shown(project, name, token, f"/articles?host={FIFTH}.dns.podman&copies=1")  # it repeats the other sites


def _shown(project: Project, container: str, printed: str, path: str) -> str:
    """The rows of the API, of which the page shows the first title."""
    token = printed.split()[-1]

    def asked(address: str) -> str:
        return project.engine.podman("exec", container, "python", "-c", _ASK, address, token)

    rows = json.loads(asked(f"/api{path}"))["rows"]
    if not rows or rows[0]["title"] not in asked(path):
        raise StepError(f"{len(rows)} rows; the page does not show the first")
    return f"{path.partition('?')[0]} shows {rows[0]['title']} and {len(rows) - 1} more"
