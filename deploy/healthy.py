"""Health check of a container: exit code 0 while this node's scrapyd answers."""

import base64
import os
import sys
import urllib.request

PORT = os.environ.get("SCRAPYD_HTTP_PORT", "6800")
USER, PASSWORD = os.environ.get("SCRAPYD_USERNAME", ""), os.environ.get("SCRAPYD_PASSWORD", "")

request = urllib.request.Request(f"http://127.0.0.1:{PORT}/daemonstatus.json")
if USER:
    request.add_header("Authorization", f"Basic {base64.b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}")
try:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=4) as answer:
        sys.exit(0 if b'"ok"' in answer.read() else 1)
except OSError as error:
    sys.exit(f"scrapyd does not answer: {error}")
