"""Search engines, one per file; `catalog` finds them by name.

Most are YAML files, explained in settings/engines/example.yaml. An engine that needs more is a module with `ABOUT` (its
limits), `request(query, keys)` (the HTTP request of a query page), rules that read an answer, and
`ENGINE = Engine(ABOUT, request, RULES.read)`. A small answer in its layout goes into `samples`. `protocol.engine` documents
each part.
"""

__all__ = ["catalog", "protocol"]
