"""PostgreSQL and a broker of Kafka for tests: what rows are pushed to."""

import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path

from testbed.servers.finding import NoServerError, on_the_path
from testbed.servers.processes import ServerProcess, free_port

_DEBIAN = Path("/usr/lib/postgresql")
_HOW_TO_GET_KFAKE = "no broker of Kafka: `go build -C testbed/servers/kfake -o ~/go/bin/kfake .`"


def postgresql_server(folder: Path, password: str) -> ServerProcess:
    """A server of our own, not yet started, whose user "postgres" has this password. Root runs it as the system's user "postgres",
    who must be able to reach the folder; NoServerError without PostgreSQL or that user."""
    program = on_the_path("postgres") or next((str(path) for path in sorted(_DEBIAN.glob("*/bin/postgres"))), "")
    if not program:
        raise NoServerError("no PostgreSQL: install postgresql")
    folder.mkdir(parents=True, exist_ok=True)
    secret = folder / "password"
    secret.write_text(password)
    as_user = _as_postgres(folder, secret)
    made = [str(Path(program).with_name("initdb")), "--no-sync", "-E", "UTF8", "--locale=C", "-U", "postgres"]
    subprocess.run([*as_user, *made, "-A", "scram-sha-256", f"--pwfile={secret}", "-D", str(folder / "data")],
                   check=True, capture_output=True)  # fmt: skip
    port = free_port()
    options = ["-D", str(folder / "data"), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder)]
    address = f"postgresql://postgres@127.0.0.1:{port}/postgres"
    command = [*as_user, program, *options]
    return ServerProcess(command, port, folder, program, address, stopping=signal.SIGINT)  # SIGTERM waits for clients


def _as_postgres(folder: Path, secret: Path) -> list[str]:
    if os.getuid() != 0:
        return []
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        raise NoServerError("no PostgreSQL: it does not run as root, and there is no user postgres") from None
    if not shutil.which("setpriv"):
        raise NoServerError("no PostgreSQL: it does not run as root, and there is no setpriv")
    for path in (folder, secret):
        os.chown(path, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def kafka_server(folder: Path, password: str = "") -> ServerProcess:
    """A broker of our own, not yet started; with a password, the user "writer" must log in by SASL PLAIN."""
    program = on_the_path("kfake")
    if not program:
        raise NoServerError(_HOW_TO_GET_KFAKE)
    port = free_port()
    environment = {"KFAKE_PORT": str(port), "KFAKE_DIR": str(folder / "data"), "KFAKE_PASSWORD": password}
    return ServerProcess([program], port, folder, program, f"kafka://127.0.0.1:{port}", environment)
