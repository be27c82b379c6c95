"""What methods without training say of blocks; see `extractors.article.votes`, whose rows these are."""


def paragraph_scores(
    const double[::1] words, const int64_t[::1] commas, const double[::1] density, double least, double long
):
    """float64[B]: see `extractors.article.votes.paragraph_scores`; least: words of a paragraph; long: for one more point."""
    cdef Py_ssize_t number = words.shape[0], block
    found = np.zeros(number, np.float64)
    cdef double[::1] scores = found
    for block in range(number):
        if words[block] >= least and density[block] < 0.5:
            scores[block] = <double> (1 + commas[block]) + min(words[block] / long, 3.0)
    return found


def candidates(
    const int32_t[:, ::1] chain, const int16_t[::1] tag, const unsigned char[::1] is_paragraph, const double[::1] score,
    const int64_t[::1] linked, const int64_t[::1] text, const int32_t[::1] depth, const int32_t[::1] end, Py_ssize_t near,
    double[:, ::1] rows
):
    """Into rows[3, B]: whether a home lies in the best candidate, the best points near it, how deep below the best it is.
    The best one's points. is_paragraph: by tag."""
    cdef Py_ssize_t level, elements = text.shape[0], number = chain.shape[1], block, best = 0, above
    points_of, half_of = np.zeros(elements, np.float64), np.zeros(elements, np.float64)
    cdef double[::1] points = points_of, half = half_of
    cdef double top, most
    if near > chain.shape[0] or chain.shape[0] < 3:
        raise ValueError("a chain must have so many levels")
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
    return top


def alike(
    const int64_t[::1] classes, const int16_t[::1] tag, const int32_t[::1] home, const int32_t[::1] above,
    const int64_t[::1] prose, double[:, ::1] rows
):
    """Into rows[2, B]: the share of all prose in blocks of one class, name and parent's name; how many blocks these are."""
    cdef Py_ssize_t number = home.shape[0], block
    cdef size_t room = 16, slot
    while room < 2 * <size_t> number:
        room *= 2
    slots, firsts = np.full(room, -1, np.int32), np.empty(number, np.int32)
    held_of, many_of = np.zeros(number, np.float64), np.zeros(number, np.int64)
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


def after_title(
    const unsigned char[::1] in_title, const unsigned char[::1] heading, const int64_t[::1] start,
    const int64_t[::1] length, int64_t preferred, double[:, ::1] rows
):
    """Into rows[2, B], all 0 before: how far behind the block that says the title, in blocks and in text."""
    cdef Py_ssize_t number = length.shape[0], block, title = -1
    cdef int64_t best = 0, total = 0, before = 0, at_title = 0, value
    for block in range(number):
        if in_title[block]:
            value = start[block] + (preferred if heading[block] else 0)
            if title < 0 or value > best:
                title, best, at_title = block, value, total
        total += length[block]
    if title < 0:
        return
    for block in range(number):
        rows[0, block] = <double> min(max(block - title, -50), 200)
        rows[1, block] = <double> (before - at_title) / <double> max(1, total)
        before += length[block]


def runs(const int64_t[::1] prose, int64_t gap, double[:, ::1] rows):
    """Into rows[2, B]: the share of all prose in the run of prose that a block belongs to, and in the longest run."""
    cdef Py_ssize_t number = prose.shape[0], block, run = 0
    runs_of, held_of = np.empty(number, np.int64), np.zeros(number + 1, np.float64)
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
