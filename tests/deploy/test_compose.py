"""The compose file: what it says about Redis is tried with a real one, and it gives no password away."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from scrapy.settings import Settings

from crawler.scheduling.job_plan import read_plan
from pipelines.redis_client import connect
from testbed.servers import free_port, listens, wait_until

ROOT = Path(__file__).resolve().parents[2]
SECRETS = ("REDIS_PASSWORD", "MONGO_PASSWORD", "MONGO_ROOT_PASSWORD", "SCRAPYD_PASSWORD")


REDIS_CLUSTER = tuple(f"redis-{number}" for number in range(1, 7))


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return found


def test_secrets_have_no_default_and_only_this_machine_reaches_a_port(compose: dict[str, Any]) -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for name in SECRETS:
        uses = re.findall(rf"\$\{{{name}[^}}]*\}}", text)
        assert uses
        assert all(use.startswith(f"${{{name}:?") for use in uses)
        assert f"{name}=\n" in (ROOT / "deploy" / "example.env").read_text()
    published = {name: service["ports"] for name, service in compose["services"].items() if "ports" in service}
    assert published == {"single": ["127.0.0.1:8765:8765"]}


def test_what_keeps_data_has_a_volume_what_serves_a_health_check_and_all_a_bounded_log(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name in ("single", "redis", *REDIS_CLUSTER, "mongo", "node", "console", "opensearch"):
        assert services[name]["healthcheck"]["test"]
        assert services[name]["volumes"][-1].split(":")[0] in {*compose["volumes"], "./deploy/mongo-user.js"}
    for service in services.values():
        assert service["logging"]["options"]["max-size"]
    stop = int(services["node"]["stop_grace_period"].removesuffix("s"))
    assert stop > services["node"]["environment"]["NODE_STOP_SECONDS"]


def test_stored_pages_are_analysed_without_being_asked_for(compose: dict[str, Any]) -> None:
    service = compose["services"]["analysis"]
    assert service["command"] == ["scrapy", "analysis", "run", "--follow"]
    assert service["profiles"] == ["cluster"]
    assert service["environment"]["SCRAPY_PROJECT"] == "cluster"


def test_profiles_start_what_belongs_together(compose: dict[str, Any]) -> None:
    profiles: dict[str, set[str]] = {}
    for name, service in compose["services"].items():
        (profile,) = service["profiles"]
        profiles.setdefault(profile, set()).add(name)
    assert profiles == {
        "single": {"single"},
        "cluster": {"redis", "mongo", "node", "scheduler", "analysis", "console"},
        "search": {"opensearch"},
        "redis-cluster": {*REDIS_CLUSTER, "redis-cluster"},
        "watch": {"watch"},
        "tools": {"tools"},
    }
    assert "\nCOMPOSE_PROFILES=cluster\n" in (ROOT / "deploy" / "example.env").read_text()


def test_opensearch_is_there_by_profile_and_out_of_reach_of_nodes(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["opensearch"]["profiles"] == ["search"]
    reach = {name for name, service in services.items() if "search" in service.get("networks", ["default"])}
    assert reach == {"opensearch", "analysis", "console", "tools"}
    assert services["opensearch"]["networks"] == ["search"]
    given = {name for name, service in services.items() if "OPENSEARCH_URL" in service["environment"]}
    assert given == reach - {"opensearch"}
    assert "=http://opensearch:9200/topicrawl\n" in (ROOT / "deploy" / "example.env").read_text()


def test_no_service_runs_as_root_gains_rights_or_writes_outside_its_volumes(compose: dict[str, Any]) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for name, service in compose["services"].items():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert int(service["user"].split(":")[0]) if "build" not in service else "\nUSER topicrawl\n" in dockerfile, (
            name
        )


def test_images_have_exact_versions_and_digests(compose: dict[str, Any]) -> None:
    images = [service["image"] for service in compose["services"].values() if "build" not in service]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.M)
    assert all(re.fullmatch(r"(\w+/)?\w+:\d+\.\d+\.\d+(-\w+)*@sha256:[0-9a-f]{64}", image) for image in images), images


def test_the_image_installs_packages_by_their_hashes_and_no_compiler() -> None:
    _, build, final = (ROOT / "Dockerfile").read_text().split("\nFROM ")
    installs = re.findall(r"pip install (.*)", build)
    assert installs
    assert all("--require-hashes --requirement requirements/image.txt" in words for words in installs)
    assert "install" not in final


@pytest.mark.parametrize(
    ("user", "start"), [("topicrawl", "mongodb://topicrawl:p%40ss@"), ("", "mongodb://mongo:27017/")]
)
def test_a_password_never_takes_the_place_of_the_user(user: str, start: str) -> None:
    environment = {**os.environ, "MONGO_USER": user, "MONGO_PASSWORD": "p@ss", "MONGO_HOSTS": "mongo:27017"}
    environment.pop("TOPICRAWL_STORE", None)
    command = [sys.executable, "-c", "import settings.cluster; print(settings.cluster.STORE)"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(start)


def test_every_file_that_is_named_is_there(compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRAPYD_NODES", "http://node:6800")
    assert read_plan(ROOT / "deploy" / "schedule.yaml").jobs
    dockerfile = (ROOT / "Dockerfile").read_text()
    for path in re.findall(r"/app/(\S+?\.py)", dockerfile + str(compose)):
        assert (ROOT / path).exists()


def test_the_redis_of_the_compose_file(compose: dict[str, Any], tmp_path: Path) -> None:
    if not shutil.which("redis-server"):
        pytest.skip("no redis-server on the PATH")
    port, command = free_port(), compose["services"]["redis"]["command"]
    own = f"redis-server - --port {port} --dir {tmp_path} --bind 127.0.0.1"
    script = command[2].replace("$$", "$").replace("redis-server -", own, 1)
    environment = {**os.environ, "REDIS_PASSWORD": "pass word", "REDIS_MEMORY": "64mb", "REDIS_OPTIONS": ""}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([*command[:2], script], env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: listens(port), "starting Redis")
        with redis.Redis(port=port) as nobody, pytest.raises(redis.AuthenticationError):
            nobody.ping()
        with redis.Redis(port=port, password="pass word") as client:
            wanted = {"appendonly": "yes", "appendfsync": "everysec", "maxmemory-policy": "noeviction"}
            for name, value in wanted.items():
                assert client.config_get(name) == {name: value}
            assert client.config_get("maxmemory") == {"maxmemory": "67108864"}
    finally:
        process.terminate()
        process.wait(120)
    assert not listens(port)  # what is told to stop is the server itself
    assert "User requested shutdown" in (tmp_path / "log").read_text()


def shape_of(settings: dict[str, Any]) -> tuple[int, int]:
    """Masters and replicas of a cluster in which a value can be stored."""
    client: Any = connect(Settings(settings))
    with contextlib.suppress(redis.exceptions.ClusterDownError):  # for a moment after it was made
        client.set("any", 1)
        return len(client.get_primaries()), len(client.get_replicas())
    return 0, 0


def test_the_redis_cluster_of_the_compose_file(compose: dict[str, Any], tmp_path: Path) -> None:
    if not (shutil.which("redis-server") and shutil.which("redis-cli")):
        pytest.skip("no redis-server or redis-cli on the PATH")
    services, port = compose["services"], free_port()
    assert {name for name, service in services.items() if service.get("profiles") == ["redis-cluster"]} == {
        *REDIS_CLUSTER,
        "redis-cluster",
    }
    resolver = tmp_path / "getent"  # names of services are addresses here
    resolver.write_text("#!/bin/sh\necho $2 $2\n")
    resolver.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "REDIS_PASSWORD": "pass word"}
    environment |= {"REDISCLI_AUTH": "pass word", "REDIS_MEMORY": "64mb"}
    processes = []
    try:
        for number, name in enumerate(REDIS_CLUSTER, 2):
            (tmp_path / name).mkdir()
            own = f"redis-server - --port {port} --dir {tmp_path / name} --bind 127.0.0.{number}"
            own += f" --cluster-announce-ip 127.0.0.{number}"
            command = services[name]["command"]
            script = command[2].replace("$$", "$").replace("redis-server -", own, 1)
            given = environment | {"REDIS_OPTIONS": services[name]["environment"]["REDIS_OPTIONS"]}
            processes.append(subprocess.Popen([*command[:2], script], env=given, stdout=subprocess.DEVNULL))
        command = services["redis-cluster"]["command"]
        script = command[2].replace("$$", "$").replace("6379", str(port)).replace("redis-cli", f"redis-cli -p {port}")
        script = re.sub(r"\bredis-([1-6])\b", lambda found: f"127.0.0.{int(found[1]) + 1}", script)
        for _ in range(2):  # the second time it only tells the servers their addresses
            subprocess.run([*command[:2], script], env=environment, check=True, stdout=subprocess.DEVNULL, timeout=60)
        given = {
            "REDIS_CLUSTER": True,
            "REDIS_URL": f"redis://127.0.0.3:{port}",
            "REDIS_PARAMS": {"password": "pass word"},
        }
        wait_until(lambda: shape_of(given) == (3, 3), "three replicas")
    finally:
        for process in processes:
            process.terminate()
            process.wait(120)
