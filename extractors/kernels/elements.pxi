"""Queries on elements by tags and places; see `extractors.html.columns` and `extractors.article.features`."""


def tag_places(const int16_t[::1] tag, int code):
    cdef Py_ssize_t place
    cdef list found = []
    for place in range(tag.shape[0]):
        if tag[place] == code:
            found.append(place)
    return found


def element_bits(
    const int16_t[::1] tag, const int64_t[::1] tag_bits, const int64_t[::1] text_length, const int64_t[::1] groups,
    const int64_t[::1] group, asked_tags, const int64_t[::1] signs, const int64_t[::1] sign
):
    cdef const unsigned char[::1] is_asked = asked_tags.view(np.uint8)
    cdef Py_ssize_t number = tag.shape[0], place, readable = 0, asked = 0
    found = np.empty(number, np.int64)
    cdef int64_t[::1] bits = found
    for place in range(number):
        bits[place] = tag_bits[tag[place]]
        if not text_length[place]:
            continue
        if readable == group.shape[0]:
            raise ValueError("there must be a group for every element with text")
        bits[place] |= groups[group[readable]]
        readable += 1
        if is_asked[tag[place]]:
            if asked == sign.shape[0]:
                raise ValueError("there must be a sign for every element that is asked")
            bits[place] |= signs[sign[asked]]
            asked += 1
    return found


def ancestor_chain(const int32_t[::1] parent, const int32_t[::1] home, Py_ssize_t levels):
    cdef Py_ssize_t number = home.shape[0], block, level
    cdef int32_t at
    found = np.empty((levels, number), np.int32)
    cdef int32_t[:, ::1] chain = found
    for block in range(number):
        at = home[block]
        for level in range(levels):
            chain[level, block] = at
            at = parent[at] if parent[at] > 0 else 0
    return found


def heading_amounts(
    const int16_t[::1] tag, heading_tags, const int64_t[::1] text_length, const int64_t[::1] link_length
):
    cdef const unsigned char[::1] is_heading = heading_tags.view(np.uint8)
    cdef Py_ssize_t place, full = 0, linked = 0
    cdef int64_t total = 0
    for place in range(tag.shape[0]):
        if is_heading[tag[place]] and text_length[place] > 0:
            full += 1
            linked += 2 * link_length[place] > text_length[place]
            total += text_length[place]
    return full, linked, total
