"""Line starts, and separators of texts; see `extractors.html.joining`."""


def edges(
    const int16_t[::1] tag, block_tags, const int32_t[::1] start, const int32_t[::1] end, Py_ssize_t texts
):
    cdef const unsigned char[::1] is_block = block_tags.view(np.uint8)
    cdef Py_ssize_t place
    found = np.zeros(texts + 1, np.bool_)
    cdef unsigned char[::1] marks = found.view(np.uint8)
    for place in range(tag.shape[0]):
        if is_block[tag[place]]:
            marks[start[place]] = marks[end[place]] = True
    marks[0] = True
    return found[:texts]


def separators(
    line_starts, const int16_t[::1] tag, cell_tags, const int32_t[::1] parent, const int32_t[::1] start, spaces
):
    """uint8[M]: nothing (0), a space (1), a new line (2) or the border of a cell (3)."""
    cdef const unsigned char[::1] line = line_starts.view(np.uint8), space = spaces.view(np.uint8)
    cdef const unsigned char[::1] is_cell = cell_tags.view(np.uint8)
    cdef Py_ssize_t elements = tag.shape[0], texts = line.shape[0], place
    cdef int32_t previous
    found, lasts = np.empty(texts, np.uint8), np.zeros(elements, np.int32)
    cdef unsigned char[::1] between = found
    cdef int32_t[::1] last = lasts  # the last child so far of each element
    for place in range(texts):
        between[place] = 2 if line[place] else space[place]
    for place in range(elements):
        if parent[place] < 0:
            continue
        previous, last[parent[place]] = last[parent[place]], <int32_t> place
        if is_cell[tag[place]] and is_cell[tag[previous]] and start[place] < texts and line[start[place]]:
            between[start[place]] = 3
    return found
