"""Votes of untrained methods; see the functions of the same names in `extractors.article.features.votes`."""


def best_candidate(
    const int32_t[:, ::1] chain, const int16_t[::1] tag, paragraph_tags, const double[::1] score,
    const int64_t[::1] linked, const int64_t[::1] text, const int32_t[::1] depth, const int32_t[::1] end, Py_ssize_t near
):
    cdef const unsigned char[::1] is_paragraph = paragraph_tags.view(np.uint8)
    cdef Py_ssize_t level, elements = text.shape[0], number = chain.shape[1], block, best = 0, above
    points_of, half_of, found = np.zeros(elements), np.zeros(elements), np.empty((3, number))
    cdef double[:, ::1] rows = found
    cdef double[::1] points = points_of, half = half_of
    cdef double top, most
    if near > chain.shape[0] or chain.shape[0] < 3:
        raise ValueError("the chain has fewer levels")
    for block in range(number):
        level = is_paragraph[tag[chain[0, block]]]
        points[chain[level, block]] += score[block]
        half[chain[level + 1, block]] += score[block] / 2
    for block in range(elements):
        points[block] = (points[block] + half[block]) * (
            1 - <double> linked[block] / <double> max(text[block], 1)
        )
        if points[block] > points[best]:
            best = block
    top = max(points[best], 1e-9)
    for block in range(number):
        rows[0, block] = best <= chain[0, block] < end[best]
        most = points[chain[0, block]]
        for above in range(1, near):
            most = max(most, points[chain[above, block]])
        rows[1, block] = most / top
        rows[2, block] = <double> (depth[chain[0, block]] - depth[best])
    return found, top


def alike_blocks(
    const int64_t[::1] classes, const int16_t[::1] tag, const int32_t[::1] home, const int32_t[::1] above,
    const int64_t[::1] prose
):
    cdef Py_ssize_t number = home.shape[0], block
    cdef size_t room = 16, slot
    while room < 2 * <size_t> number:
        room *= 2
    slots, firsts = np.full(room, -1, np.int32), np.empty(number, np.int32)
    held_of, many_of, found = np.zeros(number, np.float64), np.zeros(number, np.int64), np.empty((2, number))
    cdef double[:, ::1] rows = found
    cdef int32_t[::1] at = slots, first = firsts
    cdef double[::1] held = held_of
    cdef int64_t[::1] many = many_of
    cdef double total = 0
    cdef int32_t other
    for block in range(number):
        slot = <size_t> (
            ((<uint64_t> classes[home[block]] + 1) * _HASHING ^ <uint64_t> (tag[home[block]] * 512 + tag[above[block]]))
            * _HASHING >> 20
        ) & (room - 1)
        while True:
            other = at[slot]
            if other < 0:
                other = at[slot] = block
                break
            if (
                classes[home[other]] == classes[home[block]] and tag[home[other]] == tag[home[block]]
                and tag[above[other]] == tag[above[block]]
            ):
                break
            slot = (slot + 1) & (room - 1)
        first[block] = other
        held[other] += <double> prose[block]
        many[other] += 1
        total += <double> prose[block]
    for block in range(number):
        rows[0, block] = held[first[block]] / max(1.0, total)
        rows[1, block] = <double> many[first[block]]
    return found


def after_title(
    titled, headings, const int64_t[::1] start, const int64_t[::1] length, int64_t preferred
):
    cdef const unsigned char[::1] in_title = titled.view(np.uint8), heading = headings.view(np.uint8)
    cdef Py_ssize_t number = length.shape[0], block, title = -1
    found = np.zeros((2, number))
    cdef double[:, ::1] rows = found
    cdef int64_t best = 0, total = 0, before = 0, at_title = 0, value
    for block in range(number):
        if in_title[block]:
            value = start[block] + (preferred if heading[block] else 0)
            if title < 0 or value > best:
                title, best, at_title = block, value, total
        total += length[block]
    if title < 0:
        return found
    for block in range(number):
        rows[0, block] = <double> min(max(block - title, -50), 200)
        rows[1, block] = <double> (before - at_title) / <double> max(1, total)
        before += length[block]
    return found


def prose_runs(const int64_t[::1] prose, int64_t gap):
    cdef Py_ssize_t number = prose.shape[0], block, run = 0
    runs_of, held_of, found = np.empty(number, np.int64), np.zeros(number + 1, np.float64), np.empty((2, number))
    cdef double[:, ::1] rows = found
    cdef int64_t[::1] of = runs_of
    cdef double[::1] held = held_of
    cdef int64_t since = gap, total = 0
    cdef double longest = 0
    for block in range(number):
        if prose[block] > 0:
            run += since >= gap - 1
            since = 0
        elif since < gap:
            since += 1
        of[block] = run if since < gap else -1
        held[run] += <double> prose[block]
        total += prose[block]
    for block in range(run + 1):
        held[block] = held[block] / <double> max(1, total)
        longest = max(longest, held[block])
    for block in range(number):
        rows[0, block] = held[of[block]] if of[block] >= 0 else 0
        rows[1, block] = longest
    return found
