"""Runs pytest with the given arguments and fails too if a process of it complains at its exit.

Python reports what is left open, and errors while it ends, after pytest's last report and in a worker after its last
message; stderr is the only place that has them. Tests' own output is captured, so stderr has nothing else.
"""

import os
import re
import subprocess
import sys

_COMPLAINT = re.compile(
    r"ResourceWarning|Exception ignored|was destroyed but it is pending|never awaited|left open at the end of the session"
)


def main(arguments: list[str]) -> int:
    """Pytest's exit code; 1 if its tests passed and something was left open."""
    command = [sys.executable, "-m", "pytest", *arguments]
    complaints = list[str]()
    # hundreds of short processes are started: each would compile all modules itself
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace", env=environment) as process:
        assert process.stderr is not None
        for line in process.stderr:
            sys.stderr.write(line)
            if _COMPLAINT.search(line):
                complaints.append(line)
    if complaints:
        print(f"not closed at the end: {len(complaints)} lines of stderr above say so, the first:\n{complaints[0]}")
    return process.returncode or bool(complaints)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
