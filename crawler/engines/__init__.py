"""Search engines, one a file; `catalog` finds it by its name.

Most are YAML files, as settings/engines/example.yaml explains them. An engine that needs more is a module with `ABOUT` (its
limits), `request(query, keys)` (the HTTP request of a query page), rules that read an answer, and
`ENGINE = Engine(ABOUT, request, RULES.read)`. A small answer in its layout goes into `samples`. `protocol.engine` documents
each part.
"""
