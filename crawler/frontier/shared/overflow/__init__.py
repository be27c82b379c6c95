"""Long queues of hosts in Redis: the best requests of a host form its head, the others are in compressed blocks.

`work.lua` assigns jobs to pack, unpack or promote, `overflow_worker.py` does them, `changes.py` chooses the requests,
`request_blocks.py` and `block_columns.py` define the layout of a block.
"""

__all__ = ["overflow_worker"]
