"""Health check of a container: exit code 0 while this node's scrapyd answers, or a console at the port that is named."""

import base64
import os
import sys
import urllib.error
import urllib.request

PORT = os.environ.get("SCRAPYD_HTTP_PORT", "6800")
USER, PASSWORD = os.environ.get("SCRAPYD_USERNAME", ""), os.environ.get("SCRAPYD_PASSWORD", "")
CONSOLE = sys.argv[1] if len(sys.argv) > 1 else ""

request = urllib.request.Request(
    f"http://127.0.0.1:{CONSOLE}/login" if CONSOLE else f"http://127.0.0.1:{PORT}/daemonstatus.json"
)
if USER and not CONSOLE:
    request.add_header("Authorization", f"Basic {base64.b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}")
try:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=4) as answer:
        sys.exit(0 if CONSOLE or b'"ok"' in answer.read() else 1)
except urllib.error.HTTPError as error:
    sys.exit(0 if CONSOLE and error.code < 500 else f"status {error.code}")
except OSError as error:
    sys.exit(f"{'the console' if CONSOLE else 'scrapyd'} does not answer: {error}")
