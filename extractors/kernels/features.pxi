"""Features of blocks; see the functions of the same names in `extractors.article.features` and `extractors.article.cut`.

Logarithms are left to numpy: its own differ from the C library's in the last digit.
"""

from libc.stdlib cimport qsort


def block_counts(
    const int32_t[:, ::1] kinds, linked, const int64_t[::1] chunks, const int64_t[::1] start,
    Py_ssize_t cjk, Py_ssize_t stop, Py_ssize_t comma
):
    cdef const unsigned char[::1] is_linked = linked.view(np.uint8)
    cdef Py_ssize_t number = start.shape[0], several = kinds.shape[0], block, kind, place, end
    found, shares = np.zeros((several + 3, number), np.int64), np.empty((2, number), np.float64)
    cdef int64_t[:, ::1] counts = found
    cdef double[:, ::1] ratios = shares
    cdef int64_t chunk
    if max(cjk, stop, comma) >= several or min(cjk, stop, comma) < 0:
        raise ValueError("no such kind of characters")
    for block in range(number):
        end = start[block + 1] if block + 1 < number else chunks.shape[0]
        for place in range(start[block], end):
            chunk = chunks[place]
            for kind in range(several):
                counts[kind, block] += kinds[kind, chunk]
            if is_linked[chunk]:
                counts[several, block] += kinds[0, chunk]
        counts[several + 1, block] = counts[0, block] - counts[several, block]
        ratios[0, block] = <double> counts[cjk, block] + <double> (counts[0, block] - counts[cjk, block]) / 4.5
        ratios[1, block] = <double> counts[several, block] / <double> max(counts[0, block], 1)
        if ratios[0, block] >= 12 and ratios[1, block] < 0.4 and counts[stop, block] + counts[comma, block] > 0:
            counts[several + 2, block] = counts[several + 1, block]
    return found, shares


def block_places(
    const int64_t[::1] length, const int64_t[::1] prose, const int32_t[::1] depth, headings, const int32_t[::1] home
):
    cdef const unsigned char[::1] heading = headings.view(np.uint8)
    cdef Py_ssize_t number = length.shape[0], block, first = -1, first_prose = -1, last_prose = 0
    found = np.empty((8, number))
    cdef double[:, ::1] rows = found
    cdef int64_t before = 0, prose_before = 0, total = 0, all_prose = 0, at_heading = 0, after
    for block in range(number):
        if first < 0 and heading[home[block]]:
            first, at_heading = block, total
        if prose[block]:
            last_prose = block
            if first_prose < 0:
                first_prose = block
        total += length[block]
        all_prose += prose[block]
    first, first_prose, total, all_prose = max(first, 0), max(first_prose, 0), max(total, 1), max(all_prose, 1)
    for block in range(number):
        after = block - first
        rows[0, block] = (<double> block / <double> number)
        rows[1, block] = (<double> before / <double> total)
        rows[2, block] = <double> depth[home[block]]
        rows[3, block] = (<double> (before - at_heading) / <double> total)
        rows[4, block] = <double> min(max(after, -50), 200)
        rows[5, block] = <double> (block - first_prose)
        rows[6, block] = <double> (last_prose - block)
        rows[7, block] = (<double> prose_before / <double> all_prose)
        before += length[block]
        prose_before += prose[block]
    return found


def ancestor_chains(const int32_t[::1] parent, const int32_t[::1] home, Py_ssize_t levels):
    cdef Py_ssize_t number = home.shape[0], block, level
    found = np.empty((levels, number), np.int32)
    cdef int32_t[:, ::1] chain = found
    cdef int32_t at
    for block in range(number):
        at = home[block]
        for level in range(levels):
            chain[level, block] = at
            at = parent[at] if parent[at] > 0 else 0
    return found


def prose_below(
    const int32_t[::1] chunk_start, const int32_t[::1] chunk_end, Py_ssize_t texts, const int64_t[::1] chunks,
    const int64_t[::1] start, const int64_t[::1] prose
):
    cdef Py_ssize_t number = chunk_start.shape[0], place
    found, running = np.empty((2, number), np.int64), np.zeros((2, texts + 1), np.int64)
    cdef int64_t[:, ::1] below = found, before = running
    for place in range(start.shape[0]):
        before[0, chunks[start[place]] + 1] = prose[place]
        before[1, chunks[start[place]] + 1] = 1
    for place in range(texts):
        before[0, place + 1] += before[0, place]
        before[1, place + 1] += before[1, place]
    for place in range(number):
        below[0, place] = before[0, chunk_end[place]] - before[0, chunk_start[place]]
        below[1, place] = before[1, chunk_end[place]] - before[1, chunk_start[place]]
    return found


def page_amounts(
    const int64_t[:, ::1] counts, const int8_t[::1] kinds, const int16_t[::1] tag, Py_ssize_t visible, Py_ssize_t cjk,
    int date, int comment, int h1, int article, int pre, int code, int img
):
    cdef Py_ssize_t row, block, several = 0, last = counts.shape[0] - 1
    cdef int64_t most = 0
    sums_of, kinds_of, tags_of = np.zeros(counts.shape[0], np.int64), np.zeros(128, np.int64), np.zeros(512, np.int64)
    cdef int64_t[::1] sums = sums_of, by_kind = kinds_of, by_tag = tags_of
    cdef double length
    for row in range(counts.shape[0]):
        for block in range(counts.shape[1]):
            sums[row] += counts[row, block]
    for block in range(counts.shape[1]):
        several += counts[last, block] != 0
        most = max(most, counts[last, block])
        by_kind[kinds[block] & 127] += 1
    for block in range(tag.shape[0]):
        by_tag[tag[block] & 511] += 1
    length = <double> max(sums[visible], 1)
    return np.array([
        <double> counts.shape[1], length, <double> sums[last - 2] / length, <double> sums[last],
        <double> sums[last] / length, <double> several, <double> most, <double> sums[cjk] / length,
        <double> by_kind[date], <double> by_kind[comment], <double> by_tag[h1], <double> by_tag[article],
        <double> (by_tag[pre] + by_tag[code]), <double> by_tag[img],
    ])


def element_bits(
    const int16_t[::1] tag, const int64_t[::1] of_tag, const int64_t[::1] named, const int64_t[::1] groups,
    const int64_t[::1] group, int groups_from, sectioning, const int64_t[::1] signs, const int64_t[::1] sign,
    int signs_from
):
    cdef const unsigned char[::1] asked = sectioning.view(np.uint8)
    cdef Py_ssize_t number = tag.shape[0], place, at = 0
    found = np.empty(number, np.int64)
    cdef int64_t[::1] bits = found
    for place in range(number):
        bits[place] = of_tag[tag[place]]
    for place in range(named.shape[0]):
        bits[named[place]] |= groups[group[place]] << groups_from
    for place in range(number):
        if asked[place]:
            bits[place] |= signs[sign[at]] << signs_from
            at += 1
    return found


def text_densities(
    const int64_t[::1] text, const int64_t[::1] linked, const int32_t[::1] end, const int32_t[:, ::1] chain
):
    cdef Py_ssize_t level, block
    cdef int32_t at
    found = np.empty((chain.shape[0], chain.shape[1]))
    cdef double[:, ::1] raw = found
    for level in range(raw.shape[0]):
        for block in range(chain.shape[1]):
            at = chain[level, block]
            raw[level, block] = <double> (text[at] - linked[at]) / <double> (end[at] - at)
    return found


def markup_flags(
    const int64_t[::1] bits, const int16_t[::1] tag, bold_tags, const int32_t[::1] parent, const int32_t[::1] end,
    const int32_t[::1] home, const int32_t[::1] owner, const int64_t[::1] prose, const int64_t[:, ::1] wanted,
    const int64_t[::1] of_pages
):
    cdef const unsigned char[::1] is_bold = bold_tags.view(np.uint8)
    cdef Py_ssize_t number = home.shape[0], elements = bits.shape[0], block, row, several = wanted.shape[0], reached = 0
    near_of, above_of, bold_of = np.empty((3, number), np.int64), np.empty(elements, np.int64), np.empty(elements, np.uint8)
    cdef int64_t[:, ::1] near = near_of
    cdef int64_t[::1] above = above_of
    cdef unsigned char[::1] bold = bold_of
    cdef int32_t at
    inside = np.zeros(of_pages.shape[0], np.int64)
    cdef int64_t[::1] sums = inside
    found = np.empty((several + 1, number), np.uint8)
    cdef unsigned char[:, ::1] rows = found
    for block in range(elements):
        above[block] = bits[block] | (above[parent[block]] if parent[block] >= 0 else 0)
        if is_bold[tag[block]] and end[block] > reached:
            reached = end[block]
        bold[block] = block < reached
    for block in range(number):
        at = home[block]
        near[0, block] = bits[at]
        near[1, block] = bits[at] | bits[owner[block]] | bits[parent[at] if parent[at] > 0 else 0]
        near[2, block] = above[at]
        rows[several, block] = bold[owner[block]]
        for row in range(of_pages.shape[0]):
            sums[row] += prose[block] * (above[at] >> of_pages[row] & 1)
    for row in range(several):
        for block in range(number):
            rows[row, block] = near[wanted[row, 0], block] >> wanted[row, 1] & 1
    return found, inside


def decay_shares(
    const int32_t[::1] chunk_start, const int32_t[::1] chunk_end, const int64_t[::1] text, body_chunks,
    const int32_t[::1] visible, const int64_t[::1] chunks, const int64_t[::1] start, const int32_t[::1] above
):
    cdef const unsigned char[::1] decayed = body_chunks.view(np.uint8)
    cdef Py_ssize_t number = start.shape[0], texts = decayed.shape[0], place
    found, before_of = np.empty((2, number)), np.empty(texts + 1, np.int64)
    cdef double[:, ::1] rows = found
    cdef int64_t[::1] before = before_of
    cdef int32_t at
    before[0] = 0
    for place in range(texts):
        before[place + 1] = before[place] + (visible[place] if decayed[place] else 0)
    for place in range(number):
        at = above[place]
        rows[0, place] = decayed[chunks[start[place]]]
        rows[1, place] = <double> (before[chunk_end[at]] - before[chunk_start[at]]) / <double> max(text[at], 1)
    return found


def blocks_since(marks):
    cdef const unsigned char[::1] marked = np.ascontiguousarray(marks).view(np.uint8)
    cdef Py_ssize_t number = marked.shape[0], place, last = -60
    found = np.empty(number, np.int64)
    cdef int64_t[::1] distances = found
    for place in range(number):
        if marked[place]:
            last = place
        distances[place] = min(place - last, 60)
    return found


def container_shares(
    const int64_t[::1] prose, const int64_t[::1] blocks, const int64_t[::1] text, const int64_t[::1] linked,
    const int32_t[:, ::1] chain, int64_t total
):
    cdef Py_ssize_t number = chain.shape[1], block, level
    cdef int32_t at
    cdef double length
    found = np.empty((16, number))
    cdef double[:, ::1] rows = found
    for level in range(4):
        for block in range(number):
            at = chain[level + 1, block]
            length = <double> (text[at] if text[at] > 1 else 1)
            rows[4 * level, block] = <double> prose[at] / <double> total
            rows[4 * level + 1, block] = <double> linked[at] / length
            rows[4 * level + 2, block] = <double> blocks[at]
            rows[4 * level + 3, block] = <double> prose[at] / length
    return found


def sibling_repetition(
    const int64_t[::1] group, const int64_t[::1] prose, const int32_t[:, ::1] chain, int64_t total
):
    cdef Py_ssize_t elements = group.shape[0], number = chain.shape[1], block, level
    cdef int64_t most = 0, of
    for block in range(elements):
        if group[block] < 0:
            raise ValueError("a group's number is negative")
        most = max(most, group[block])
    sizes_of, held_of, found = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.float64), np.empty((3, number))
    cdef double[:, ::1] rows = found
    cdef int64_t[::1] sizes = sizes_of
    cdef double[::1] held = held_of
    cdef double share, best
    cdef int64_t size
    for block in range(elements):
        sizes[group[block]] += 1
        held[group[block]] += <double> prose[block]
    for block in range(number):
        best, size = -1.0, 1
        for level in range(chain.shape[0]):
            of = group[chain[level, block]]
            share = held[of] / <double> total if sizes[of] >= 3 else 0.0
            if share > best:
                best, size = share, sizes[of]
        rows[0, block] = <double> sizes[group[chain[0, block]]]
        rows[1, block] = <double> (size if best > 0 else 1)
        rows[2, block] = best
    return found


def neighbours(const double[:, ::1] near, const int64_t[:, ::1] counts, const int64_t[::1] windows):
    cdef Py_ssize_t number = near.shape[1], block, kind, step, at, window, several = windows.shape[0]
    cdef Py_ssize_t row = 0, behind, ahead
    cdef Py_ssize_t[4] steps = [-2, -1, 1, 2]
    cdef Py_ssize_t last = counts.shape[0] - 1
    cdef Py_ssize_t[3] amounts = [last, last - 2, last - 1]
    cdef int64_t[::1] before
    found = np.empty((12 + 6 * several + 2, number))
    cdef double[:, ::1] rows = found
    for step in range(4):
        for kind in range(3):
            for block in range(number):
                at = block + steps[step]
                rows[row, block] = near[kind, at] if 0 <= at < number else 0
            row += 1
    running = np.zeros(number + 1, np.int64)
    before = running
    for kind in range(3):
        for block in range(number):
            before[block + 1] = before[block] + counts[amounts[kind], block]
        for window in range(several):
            for block in range(number):
                behind = block - windows[window] if block > windows[window] else 0
                ahead = block + 1 + windows[window] if block + 1 + windows[window] < number else number
                rows[row + 6 * window + 2 * kind, block] = <double> (before[block] - before[behind])
                rows[row + 6 * window + 2 * kind + 1, block] = <double> (before[ahead] - before[block + 1])
    row += 6 * several
    at = -60
    for block in range(number):
        if counts[last, block] > 0:
            at = block
        rows[row, block] = block - at if block - at < 60 else 60
    at = number + 60
    for block in range(number - 1, -1, -1):
        if counts[last, block] > 0:
            at = block
        rows[row + 1, block] = at - block if at - block < 60 else 60
    return found


def line_distances(const int8_t[::1] kinds, const int64_t[::1] length, int64_t shorter, Py_ssize_t several):
    cdef Py_ssize_t number = kinds.shape[0], kind, block, at
    found = np.empty((2 * several, number), np.int16)
    cdef int16_t[:, ::1] rows = found
    for kind in range(several):
        at = -60
        for block in range(number):
            if kinds[block] == kind + 1 and length[block] < shorter:
                at = block
            rows[kind, block] = <int16_t> min(block - at, 60)
        at = number + 60
        for block in range(number - 1, -1, -1):
            if kinds[block] == kind + 1 and length[block] < shorter:
                at = block
            rows[several + kind, block] = <int16_t> min(at - block, 60)
    return found


def lines_end_with(list texts, const int64_t[::1] chunks, const int64_t[::1] start, str signs):
    cdef Py_ssize_t number = start.shape[0], place, last
    found = np.zeros(number, np.bool_)
    cdef unsigned char[::1] marks = found.view(np.uint8)
    cdef str text
    cdef Py_UCS4 character
    for place in range(number):
        text = texts[chunks[(start[place + 1] if place + 1 < number else chunks.shape[0]) - 1]]
        last = len(text)
        while last > 0 and text[last - 1].isspace():
            last -= 1
        if last == 0:
            marks[place] = True
        else:
            character = text[last - 1]
            marks[place] = character in signs
    return found


cdef struct Pairings:
    # which characters follow one another in a text, by what is left of both: a text in which two do not is not within
    unsigned char[4096] seen


cdef void note_pairings(str text, Pairings* found):
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place
    memset(found, 0, sizeof(Pairings))
    for place in range(len(text) - 1):
        found.seen[pairing(PyUnicode_READ(kind, data, place), PyUnicode_READ(kind, data, place + 1))] = True


cdef inline uint32_t pairing(Py_UCS4 first, Py_UCS4 second) noexcept:
    return (<uint32_t> first * 61 + <uint32_t> second) & 4095


cdef bint is_within(str text, str whole, const Pairings* pairings):
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t last = len(text) - 1
    if not pairings.seen[pairing(PyUnicode_READ(kind, data, 0), PyUnicode_READ(kind, data, 1))]:
        return False
    if not pairings.seen[pairing(PyUnicode_READ(kind, data, last - 1), PyUnicode_READ(kind, data, last))]:
        return False
    return text in whole


def repeated_beginnings(list beginnings, str title, str summary):
    cdef Py_ssize_t number = len(beginnings), block
    cdef dict first = {}
    cdef list seen = []
    cdef str text
    cdef Py_ssize_t length, at
    found, earlier = np.empty((4, number)), np.empty(number, np.int64)
    cdef double[:, ::1] rows = found
    cdef int64_t[::1] place = earlier
    cdef Pairings of_title, of_summary
    note_pairings(title, &of_title)
    note_pairings(summary, &of_summary)
    for block in range(number):
        text = beginnings[block]
        length = len(text)
        at = first.setdefault(text, block)
        place[block] = at
        rows[2, block] = at < block
        rows[1, block] = 0
        rows[1, at] += 1
        if at < block:
            rows[0, block], rows[3, block] = rows[0, at], rows[3, at]
        else:
            rows[0, block] = length > 3 and is_within(text, title, &of_title)
            rows[3, block] = length > 8 and is_within(text, summary, &of_summary)
    for block in range(number):
        rows[1, block] = rows[1, place[block]]
    return found


def text_shares(
    const int64_t[:, ::1] counts, const double[::1] words, const double[::1] density, const int64_t[::1] start,
    Py_ssize_t chunks, const int64_t[::1] divided, Py_ssize_t stop, Py_ssize_t comma
):
    cdef Py_ssize_t number = words.shape[0], block, kind
    cdef double length
    found = np.empty((10, number))
    cdef double[:, ::1] rows = found
    for block in range(number):
        length = <double> max(counts[0, block], 1)
        rows[0, block], rows[1, block] = words[block], density[block]
        for kind in range(4):
            rows[2 + kind, block] = <double> counts[divided[kind], block] / length
        rows[6, block] = <double> counts[stop, block]
        rows[7, block] = rows[6, block] / length
        rows[8, block] = <double> counts[comma, block]
        rows[9, block] = <double> ((start[block + 1] if block + 1 < number else chunks) - start[block])
    return found


def prose_holders(
    const int64_t[::1] prose, const int32_t[::1] end, const int32_t[::1] depth, const int32_t[::1] home,
    const double[::1] least, deep
):
    cdef const unsigned char[::1] with_depth = deep.view(np.uint8)
    cdef Py_ssize_t number = home.shape[0], block, share, row = 0, holder
    found = np.empty((least.shape[0] + np.count_nonzero(deep), number), np.int32)
    cdef int32_t[:, ::1] rows = found
    for share in range(least.shape[0]):
        holder = 0
        if prose[0]:
            for block in range(prose.shape[0] - 1, -1, -1):
                if <double> prose[block] >= least[share]:
                    holder = block
                    break
        for block in range(number):
            rows[row, block] = holder <= home[block] < end[holder]
        row += 1
        if with_depth[share]:
            for block in range(number):
                rows[row, block] = depth[home[block]] - depth[holder]
            row += 1
    return found


cdef struct Ranked:
    float value
    int32_t place


cdef int _by_rank(const void* one, const void* other) noexcept nogil:
    """Large values first, of equal ones the first."""
    cdef const Ranked* first = <const Ranked*> one
    cdef const Ranked* second = <const Ranked*> other
    if first.value != second.value:
        return -1 if first.value > second.value else 1
    return first.place - second.place


def falling_order(const float[::1] values):
    cdef Py_ssize_t number = values.shape[0], place
    order = np.empty(number, np.int64)
    cdef int64_t[::1] places = order
    if not number:
        return order
    cdef Ranked* ranked = <Ranked*> &places[0]  # as long as a place is
    for place in range(number):
        ranked[place].value, ranked[place].place = values[place], <int32_t> place
    qsort(ranked, number, sizeof(Ranked), &_by_rank)
    for place in range(number):
        places[place] = ranked[place].place
    return order


def best_cut(const float[::1] probability, const int64_t[::1] length, const int64_t[::1] order):
    cdef Py_ssize_t number = order.shape[0], block, best = 0
    if not number or length.shape[0] != number or probability.shape[0] != number:
        raise ValueError("there must be a length for every block")
    cdef double hits = 0, all_hits = 0, f1, highest = -1
    cdef int64_t taken = 0
    for block in range(number):
        all_hits += <double> probability[order[block]] * <double> length[order[block]]
    for block in range(number):
        hits += <double> probability[order[block]] * <double> length[order[block]]
        taken += length[order[block]]
        f1 = 2 * hits / max(<double> taken + all_hits, 1e-9)
        if f1 > highest:
            highest, best = f1, block
    return probability[order[best]]
