"""Questions about all subtrees of a tree at once; see `extractors.html.columns`."""


def within(const unsigned char[::1] mask, const int32_t[::1] end):
    """bool[N]: the element or one of its ancestors is in the mask."""
    cdef Py_ssize_t number = mask.shape[0], place, reached = 0
    if end.shape[0] != number:
        raise ValueError("a mask must tell of every element")
    found = np.empty(number, np.bool_)
    cdef unsigned char[::1] inside = found.view(np.uint8)
    for place in range(number):
        if mask[place] and end[place] > reached:
            reached = end[place]
        inside[place] = place < reached
    return found


def chunk_sums(const int64_t[::1] values, const int32_t[::1] start, const int32_t[::1] end):
    """int64[N]: the values[M] of chunks summed over each element."""
    cdef Py_ssize_t number = start.shape[0], several = values.shape[0], place
    found, running = np.empty(number, np.int64), np.empty(several + 1, np.int64)
    cdef int64_t[::1] sums = found, before = running
    if number and end[0] > several:  # the root's end is everybody's last
        raise IndexError("there must be a value for every text")
    before[0] = 0
    for place in range(several):
        before[place + 1] = before[place] + values[place]
    for place in range(number):
        sums[place] = before[end[place]] - before[start[place]]
    return found


def edges(
    const int16_t[::1] tag, const unsigned char[::1] is_block, const int32_t[::1] start, const int32_t[::1] end,
    Py_ssize_t texts
):
    """bool[M]: a block element begins or ends before the text, or nothing stands there."""
    cdef Py_ssize_t place
    found = np.zeros(texts + 1, np.bool_)
    cdef unsigned char[::1] marks = found.view(np.uint8)
    marks[0] = True
    for place in range(start.shape[0]):
        if is_block[tag[place]]:
            marks[start[place]] = marks[end[place]] = True
    return found[:texts]


def cell_starts(
    const int16_t[::1] tag, const unsigned char[::1] is_cell, const int32_t[::1] parent, const int32_t[::1] start,
    Py_ssize_t texts
):
    """bool[M]: a cell begins with the text whose sibling before it is a cell too. is_cell: by tag."""
    cdef Py_ssize_t number = tag.shape[0], place
    found = np.zeros(texts + 1, np.bool_)
    cdef unsigned char[::1] marks = found.view(np.uint8)
    cdef int32_t[::1] last
    cdef bint any_cell = False
    for place in range(number):
        any_cell |= is_cell[tag[place]]
    if not any_cell:
        return found[:texts]
    last_child = np.full(number, -1, np.int32)
    last = last_child
    for place in range(1, number):
        if is_cell[tag[place]] and last[parent[place]] >= 0 and is_cell[tag[last[parent[place]]]]:
            marks[start[place]] = True
        last[parent[place]] = <int32_t> place
    return found[:texts]


def between(const unsigned char[::1] line, const unsigned char[::1] cell, const unsigned char[::1] space):
    """uint8[M]: what parts each text from the one before: a new line (2), which may begin a cell (3), a space (1) or
    nothing (0)."""
    cdef Py_ssize_t number = line.shape[0], place
    found = np.empty(number, np.uint8)
    cdef unsigned char[::1] kinds = found
    if cell.shape[0] != number or space.shape[0] != number:
        raise ValueError("it must be said of every text")
    for place in range(number):
        kinds[place] = (3 if cell[place] else 2) if line[place] else space[place]
    return found


def sibling_groups(const int32_t[::1] parent, const int16_t[::1] tag, const int64_t[::1] first):
    """int64[N]: a number for each group of elements with the same parent, tag and number in `first`."""
    cdef Py_ssize_t number = parent.shape[0], place
    cdef size_t room = 16, slot
    while room < 2 * <size_t> number:
        room *= 2
    found, seen = np.empty(number, np.int64), np.full(room, -1, np.int32)
    cdef int64_t[::1] groups = found
    cdef int32_t[::1] at = seen
    cdef int32_t other
    cdef int64_t many = 0
    for place in range(number):
        slot = <size_t> (
            ((<uint64_t> (parent[place] + 1) * _HASHING ^ <uint64_t> first[place]) * _HASHING ^ <uint64_t> tag[place])
            * _HASHING >> 20
        ) & (room - 1)
        while True:
            other = at[slot]
            if other < 0:
                at[slot] = place
                groups[place] = many
                many += 1
                break
            if parent[other] == parent[place] and tag[other] == tag[place] and first[other] == first[place]:
                groups[place] = groups[other]
                break
            slot = (slot + 1) & (room - 1)
    return found
