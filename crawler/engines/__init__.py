"""Search engines, one a file.

A new engine is a module here with `ABOUT` (its limits), `request(query, keys)` (the HTTP request of a query page), rules that
read an answer, and `ENGINE = Engine(ABOUT, request, RULES.read)`. `catalog` finds it by its file's name. A small answer in its
layout goes into `samples`. `protocol.engine` documents each part.
"""
