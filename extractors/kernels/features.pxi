"""Places and surroundings of blocks; see `extractors.article.features`. Logarithms are computed by numpy."""


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


def card_groups(
    const uint8_t[::1] bits, const int32_t[::1] end, const int64_t[::1] group, const int64_t[::1] text_length,
    const int64_t[::1] link_length, const int32_t[:, ::1] chain, Py_ssize_t least_chars, Py_ssize_t least_number
):
    """float64[8, B]: see `extractors.article.features.cards`."""
    cdef Py_ssize_t number = bits.shape[0], levels = chain.shape[0], blocks = chain.shape[1], place, level, block, card, stop
    cdef int64_t which, most
    # for each group: cards, characters, their squares, characters in links, cards led by a link, cards with pictures, elements
    sums_of, running = np.zeros((number, 7), np.int64), np.zeros((number + 1, 3), np.int32)
    is_card, found = np.zeros(number, np.uint8), np.zeros((8, blocks), np.float64)
    cdef int64_t[:, ::1] sums = sums_of
    cdef int32_t[:, ::1] before = running
    cdef uint8_t[::1] cards = is_card
    cdef double[:, ::1] rows = found
    cdef double size, total, whole
    for place in range(number):
        before[place + 1, 0] = before[place, 0] + (bits[place] & 1)
        before[place + 1, 1] = before[place, 1] + (bits[place] >> 1 & 1)
        before[place + 1, 2] = before[place, 2] + (
            bits[place] & 4 and text_length[place] > 0 and 2 * link_length[place] >= text_length[place]
        )
    for place in range(number):
        if text_length[place] < least_chars:
            continue
        stop, which = end[place], group[place]
        sums[which, 6] += 1
        if before[stop, 0] == before[place, 0]:
            continue
        cards[place] = 1
        sums[which, 0] += 1
        sums[which, 1] += text_length[place]
        sums[which, 2] += text_length[place] * text_length[place]
        sums[which, 3] += link_length[place]
        sums[which, 4] += before[stop, 2] > before[place, 2]
        sums[which, 5] += before[stop, 1] > before[place, 1]
    whole = max(1, text_length[0]) if number else 1
    for block in range(blocks):
        most, card = 0, -1
        for level in range(levels):
            place = chain[level, block]
            which = group[place]
            if (
                cards[place] and sums[which, 0] >= least_number and 4 * sums[which, 0] >= 3 * sums[which, 6]
                and sums[which, 1] > most
            ):
                most, card = sums[which, 1], place
        if card < 0:
            continue
        which = group[card]
        size, total = <double> sums[which, 0], <double> sums[which, 1]
        rows[0, block] = size
        rows[1, block] = total / whole
        rows[2, block] = sums[which, 3] / total
        rows[3, block] = sums[which, 4] / size
        rows[4, block] = sums[which, 5] / size
        rows[5, block] = sqrt(max(0.0, size * sums[which, 2] - total * total)) / total
        rows[6, block] = total / size
        rows[7, block] = <double> link_length[card] / <double> text_length[card]
    return found
