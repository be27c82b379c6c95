"""Long queues of hosts in Redis: the best requests of a host form its head, the others are in compressed blocks.

`work.lua` assigns jobs to pack, unpack or promote, `worker.py` does them, `changes.py` chooses the requests, `blocks.py` and
`columns.py` define the layout of a block.
"""
