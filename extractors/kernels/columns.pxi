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


def nearest(
    const int16_t[::1] tag, const unsigned char[::1] is_passed, const int32_t[::1] parent, const int32_t[::1] begun
):
    """int32[B]: of each element in begun[B] itself or the first above it whose tag is not passed by; the root is not."""
    cdef Py_ssize_t number = parent.shape[0], place
    above_of, found = np.empty(number, np.int32), np.empty(begun.shape[0], np.int32)
    cdef int32_t[::1] above = above_of, homes = found
    for place in range(number):
        above[place] = above[parent[place]] if is_passed[tag[place]] and parent[place] >= 0 else place
    for place in range(begun.shape[0]):
        homes[place] = above[begun[place]]
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


cdef Py_ssize_t topic_subtree(
    const int32_t[::1] end, const int64_t[::1] text, const int64_t[::1] non_link, double threshold
) noexcept:
    """From the root down the child with the most non-link text until it drops."""
    cdef Py_ssize_t node = 0, child, heaviest, children
    while True:
        child, heaviest, children = node + 1, -1, 0
        while child < end[node]:
            if text[child] > 0:
                children += 1
                if heaviest < 0 or non_link[child] > non_link[heaviest]:
                    heaviest = child
            child = end[child]
        if heaviest < 0:
            return node
        if children > 1 or non_link[heaviest] < non_link[node]:
            if not non_link[node] or <double> (non_link[node] - non_link[heaviest]) > threshold * <double> non_link[node]:
                return node
        node = heaviest


def decayed(
    const unsigned char[::1] dropped, const int32_t[::1] visible, const unsigned char[::1] linked,
    const int32_t[::1] owner, const int32_t[::1] end, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end,
    double threshold, double highest_density
):
    """bool[M]: the texts that are body; see `extractors.article.decay`. dropped[N]: elements that are not read."""
    cdef Py_ssize_t elements = end.shape[0], texts = owner.shape[0], place, topic
    cdef int64_t reached = 0
    if not elements:
        raise ValueError("there must be an element")
    body = np.empty(texts, np.bool_)
    marks_of, text_of, free_of = np.empty(elements, np.uint8), np.empty(elements, np.int64), np.empty(elements, np.int64)
    cdef unsigned char[::1] kept = body.view(np.uint8), marks = marks_of
    cdef int64_t[::1] text = text_of, free = free_of
    sums_of = np.empty((2, texts + 1), np.int64)
    cdef int64_t[:, ::1] sums = sums_of
    for place in range(elements):
        if dropped[place] and end[place] > reached:
            reached = end[place]
        marks[place] = place < reached
    sums[0, 0] = sums[1, 0] = 0
    for place in range(texts):
        kept[place] = not marks[owner[place]]
        sums[0, place + 1] = sums[0, place] + (visible[place] if kept[place] else 0)
        sums[1, place + 1] = sums[1, place] + (visible[place] if kept[place] and not linked[place] else 0)
    for place in range(elements):
        text[place] = sums[0, chunk_end[place]] - sums[0, chunk_start[place]]
        free[place] = sums[1, chunk_end[place]] - sums[1, chunk_start[place]]
    topic = topic_subtree(end, text, free, threshold)
    reached = 0
    for place in range(elements):
        if topic < place < end[topic] and end[place] > reached:
            if <double> (text[place] - free[place]) > highest_density * <double> text[place]:
                reached = end[place]
        marks[place] = place < reached
    for place in range(texts):
        if not chunk_start[topic] <= place < chunk_end[topic] or marks[owner[place]]:
            kept[place] = False
    return body


def lines(
    const int16_t[::1] tag, const unsigned char[::1] is_unread, const int32_t[::1] end, const int32_t[::1] owner,
    const unsigned char[::1] begins, Py_ssize_t most
):
    """int64[C]: the texts that stand in no element that is not read, told by its tag; int64[B]: where among them each
    line begins, at most so many; int32[B]: who holds its first text."""
    cdef Py_ssize_t texts = owner.shape[0], place, count = 0, number = 0, elements = tag.shape[0], reached = 0
    inside = np.empty(elements, np.uint8)
    cdef unsigned char[::1] unread = inside
    for place in range(elements):
        if is_unread[tag[place]] and end[place] > reached:
            reached = end[place]
        unread[place] = place < reached
    cdef bint due = True
    read, starts, holders = np.empty(texts, np.int64), np.empty(texts, np.int64), np.empty(texts, np.int32)
    cdef int64_t[::1] chunks = read, start = starts
    cdef int32_t[::1] first = holders
    for place in range(texts):
        due = due or begins[place]
        if unread[owner[place]]:
            continue
        if due:
            if number == most:
                break
            start[number], first[number] = count, owner[place]
            number += 1
            due = False
        chunks[count] = place
        count += 1
    return read[:count], starts[:number], holders[:number]


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
