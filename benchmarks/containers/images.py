"""Stand-ins for the images that no registry gives here: Debian by debootstrap, under the names in the project's files."""

import re
import shutil
from pathlib import Path

import yaml

from benchmarks.containers.engine import ROOT, Engine
from testbed.servers.searching import SOURCES, fetched_jars

_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_REDIS = """RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server \\
 && groupadd -o -g 1000 redisdata && mkdir /data && chown 999:1000 /data
WORKDIR /data
"""
# the health check of the compose file calls mongosh
_MONGO = """COPY ferretdb /usr/local/bin/ferretdb
RUN printf '#!/bin/sh\\nexec python3 -c "import socket; socket.create_connection((\\\\"127.0.0.1\\\\", 27017), 3); print(1)"\\n' \\
 > /usr/local/bin/mongosh && chmod +x /usr/local/bin/mongosh && mkdir -p /data/db && chown 999:999 /data/db
ENV FERRETDB_LISTEN_ADDR=0.0.0.0:27017 FERRETDB_SQLITE_URL=file:/data/db/
CMD ["ferretdb"]
"""
# the core of OpenSearch, as the tests use it
_OPENSEARCH = """RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless curl \\
 && mkdir -p /usr/share/opensearch/data /usr/share/opensearch/config && chown -R 1000:1000 /usr/share/opensearch
COPY opensearch /opt/opensearch
CMD ["sh", "-c", "exec java $OPENSEARCH_JAVA_OPTS -cp '/opt/opensearch:/opt/opensearch/*' Launch /usr/share/opensearch 9200 0.0.0.0"]
"""


def without_digest(text: str) -> str:
    """Names of images without their digest: a stand-in has another."""
    return re.sub(r"@sha256:[0-9a-f]{64}", "", text)


def base_images(engine: Engine) -> str:
    """Python, Redis, FerretDB for MongoDB, and OpenSearch; what is there already is used again."""
    python = next(
        without_digest(line.split()[1])
        for line in (ROOT / "Dockerfile").read_text().splitlines()
        if line.startswith("FROM")
    )
    if not _exists(engine, python):
        _import_debian(engine, python)
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    engine.run(str(ROOT / "testbed/servers/ferretdb/build"), str(engine.work / "ferretdb"))
    _fetch_opensearch(engine)
    for service, text in (("redis", _REDIS), ("mongo", _MONGO), ("opensearch", _OPENSEARCH)):
        _build(engine, without_digest(services[service]["image"]), f"FROM docker.io/library/{python}\n{text}")
    return "Python, Redis, OpenSearch, MongoDB's stand-in"


def _fetch_opensearch(engine: Engine) -> None:
    folder = engine.work / "opensearch"
    shutil.rmtree(folder, ignore_errors=True)
    classes = fetched_jars(folder)
    for jar in classes.split(":"):
        shutil.copy(jar, folder)
    engine.run("javac", "-cp", classes, "-d", str(folder), str(SOURCES / "Launch.java"))


def _exists(engine: Engine, name: str) -> bool:
    return engine.podman("images", "-q", f"docker.io/library/{name}").strip() != ""


def _import_debian(engine: Engine, name: str) -> None:
    base, archive = engine.work / "base", engine.work / "base.tar"
    shutil.rmtree(base, ignore_errors=True)
    packages = "python3,python3-dev,python3-venv,python3-pip,ca-certificates"
    mirror = ("bookworm", str(base), "http://deb.debian.org/debian")
    engine.run("debootstrap", "--variant=minbase", f"--include={packages}", *mirror)
    (base / "usr/bin/python").symlink_to("python3")
    if _CERTIFICATES.exists():  # a proxy between this machine and PyPI may have an authority of its own
        shutil.copy(_CERTIFICATES, base / _CERTIFICATES.relative_to("/"))
    engine.run("tar", "-C", str(base), "-cf", str(archive), ".")
    engine.podman("import", "--change", f"ENV PIP_CERT={_CERTIFICATES}", str(archive), f"docker.io/library/{name}")
    archive.unlink()
    shutil.rmtree(base)


def _build(engine: Engine, name: str, text: str) -> None:
    file = engine.work / "Containerfile"
    file.write_text(text)
    engine.podman("build", "-q", "-t", f"docker.io/library/{name}", "-f", str(file), str(engine.work))
