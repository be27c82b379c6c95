"""Sums and marks over all subtrees of a tree; see `extractors.html.subtrees`."""


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
    """int64[N]: sums of the values[M] of chunks over each element."""
    cdef Py_ssize_t number = start.shape[0], several = values.shape[0], place
    found, running = np.empty(number, np.int64), np.empty(several + 1, np.int64)
    cdef int64_t[::1] sums = found, before = running
    if number and end[0] > several:  # the root has the largest end
        raise IndexError("there must be a value for every text")
    before[0] = 0
    for place in range(several):
        before[place + 1] = before[place] + values[place]
    for place in range(number):
        sums[place] = before[end[place]] - before[start[place]]
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


def text_lengths(
    const int32_t[::1] visible, is_link, const int32_t[::1] owner, const int32_t[::1] start, const int32_t[::1] end,
    const int32_t[::1] ends, int64_t most_chars, double most_share
):
    """int64[N], bool[M], int64[N]: see `extractors.html.subtrees`."""
    cdef const unsigned char[::1] links = is_link.view(np.uint8)
    cdef Py_ssize_t number = start.shape[0], several = visible.shape[0], place, reached = 0
    text_of, linked_of, before_of = np.empty(number, np.int64), np.empty(number, np.int64), np.empty(several + 1, np.int64)
    marks_of = np.empty(several, np.bool_)
    inside_of = np.empty(number, np.uint8)
    cdef int64_t[::1] text = text_of, linked = linked_of, before = before_of
    cdef unsigned char[::1] marks = marks_of.view(np.uint8), inside = inside_of
    cdef double limit
    if number and end[0] > several:  # the root has the largest end
        raise IndexError("there must be a value for every text")
    before[0] = 0
    for place in range(several):
        before[place + 1] = before[place] + visible[place]
    for place in range(number):
        text[place] = before[end[place]] - before[start[place]]
    limit = max(<double> most_chars, most_share * <double> (text[0] if number else 0))
    for place in range(number):
        if links[place] and <double> text[place] <= limit and ends[place] > reached:
            reached = ends[place]
        inside[place] = place < reached
    for place in range(several):
        marks[place] = inside[owner[place]]
        before[place + 1] = before[place] + (visible[place] if marks[place] else 0)
    for place in range(number):
        linked[place] = before[end[place]] - before[start[place]]
    return text_of, marks_of, linked_of
