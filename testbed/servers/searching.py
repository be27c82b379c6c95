"""A real OpenSearch for tests: its core, fetched from Maven Central by `mvn` into ~/.m2, in a Java process on loopback."""

import shutil
import subprocess
from pathlib import Path

from testbed.servers.finding import NoServerError
from testbed.servers.processes import ServerProcess, free_port

SOURCES = Path(__file__).parent / "opensearch"
_FETCH_SECONDS = 300
_MEMORY = ("-Xms256m", "-Xmx512m", "-XX:TieredStopAtLevel=1")


def opensearch_server(folder: Path) -> ServerProcess:
    """A server of our own, not yet started; NoServerError without Java 17, Maven, or what they need from Maven Central."""
    missing = [program for program in ("java", "mvn") if not shutil.which(program)]
    if missing:
        raise NoServerError(f"no OpenSearch: {' and '.join(missing)} is not installed (a JDK of version 17, Maven)")
    port = free_port()
    command = ["java", *_MEMORY, "-cp", fetched_jars(folder), str(SOURCES / "Launch.java"), str(folder), str(port)]
    return ServerProcess(command, port, folder, "OpenSearch", f"http://127.0.0.1:{port}")


def fetched_jars(folder: Path) -> str:
    """The class path, which Maven fetches; a file of this folder keeps it. NoServerError if that fails."""
    (folder / "config").mkdir(parents=True, exist_ok=True)
    written = folder / "classpath.txt"
    asked = [
        "mvn",
        "-q",
        "-B",
        "-f",
        str(SOURCES / "pom.xml"),
        "dependency:build-classpath",
        f"-Dmdep.outputFile={written}",
    ]
    try:
        subprocess.run(asked, check=True, capture_output=True, timeout=_FETCH_SECONDS)
    except (subprocess.SubprocessError, OSError) as error:
        said = (getattr(error, "stdout", b"") or b"").decode(errors="replace").strip().splitlines()
        raise NoServerError(f"no OpenSearch: Maven cannot fetch it: {said[0] if said else error}") from None
    return written.read_text().strip()
