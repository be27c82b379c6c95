"""Long queues of hosts in Redis: the best requests of a host are its head, the others lie in compressed blocks.

`work.lua` says what is to be packed, unpacked or promoted, `worker.py` does it, `changes.py` chooses which requests go where,
`blocks.py` and `columns.py` lay out a block.
"""
