"""A page's blocks, and the method `decay`; see `extractors.article.blocks` and `extractors.article.decay`."""


def find_lines(
    const int16_t[::1] tag, unread_tags, const int32_t[::1] end, const int32_t[::1] owner, line_starts, Py_ssize_t most
):
    cdef const unsigned char[::1] is_unread = unread_tags.view(np.uint8), begins = line_starts.view(np.uint8)
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


def nearest_blocks(const int16_t[::1] tag, inline_tags, const int32_t[::1] parent, const int32_t[::1] begun):
    cdef const unsigned char[::1] is_passed = inline_tags.view(np.uint8)
    cdef Py_ssize_t number = parent.shape[0], place
    above_of, found = np.empty(number, np.int32), np.empty(begun.shape[0], np.int32)
    cdef int32_t[::1] above = above_of, homes = found
    for place in range(number):
        above[place] = above[parent[place]] if is_passed[tag[place]] and parent[place] >= 0 else place
    for place in range(begun.shape[0]):
        homes[place] = above[begun[place]]
    return found


def line_beginnings(list texts, const int64_t[::1] chunks, const int64_t[::1] start, Py_ssize_t length):
    cdef list found = []
    cdef Py_ssize_t number = start.shape[0], block, begin, end
    cdef str text
    for block in range(number):
        text = texts[chunks[start[block]]]
        begin, end = 0, len(text)
        while begin < end and text[begin].isspace():
            begin += 1
        if end - begin >= length:
            found.append(text[begin : begin + length])
            continue
        text = text[begin:]
        if (start[block + 1] if block + 1 < number else chunks.shape[0]) - start[block] > 1:
            text = (text + <str> texts[chunks[start[block] + 1]])[:length]
        found.append(text)
    return found


cdef Py_ssize_t topic_subtree(
    const int32_t[::1] end, const int64_t[::1] text, const int64_t[::1] non_link, double threshold
) noexcept:
    """Walk down from the root to the child with the most non-link text until it drops."""
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


def body_chunks(
    const int16_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] end, const int32_t[::1] owner,
    const int32_t[::1] chunk_start, const int32_t[::1] chunk_end, const int32_t[::1] visible, in_links, dropped_tags,
    double threshold, double highest_density
):
    cdef const unsigned char[::1] linked = in_links.view(np.uint8), dropped = dropped_tags.view(np.uint8)
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
        if dropped[tag[place]] and end[place] > reached:
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
