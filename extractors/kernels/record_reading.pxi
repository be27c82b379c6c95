"""Kernels of `extractors.records` for the fields and texts of a group's records, and for the comparison of groups."""


def best_bodies(
    const int64_t[::1] readable, const int64_t[::1] member, const int64_t[::1] record, const int64_t[::1] worth,
    const int64_t[::1] kind, const int32_t[::1] depth, const int32_t[::1] end, const int32_t[::1] chunk_start,
    const int32_t[::1] chunk_end, int64_t largest
):
    """See `extractors.records.read.texts`."""
    cdef Py_ssize_t number = member.shape[0], several = readable.shape[0], texts = record.shape[0], step, at = -1, begun = 0
    cdef int64_t place, value, deep, last_place
    cdef int32_t which, best = -1
    while begun < several and readable[begun] < member[0]:
        begun += 1
    readable, several = readable[begun:], several - begun
    found, running_of = np.full(number, -1, np.intp), np.empty(texts + 1, np.int64)
    kinds_of, values_of = np.full(several, -1, np.int32), np.empty(several, np.int64)
    by_kind = np.zeros((4, several), np.int64)
    cdef Py_ssize_t[::1] bodies = found
    cdef int64_t[::1] running = running_of, values = values_of
    cdef int32_t[::1] kinds = kinds_of
    cdef int64_t[:, ::1] of_kind = by_kind  # value of a kind; its last record, and the best value and place there
    cdef Numbers numbers = Numbers(several)
    running[0] = 0
    for step in range(texts):
        running[step + 1] = running[step] + worth[step]
    for step in range(several):
        place = readable[step]
        while at + 1 < number and member[at + 1] <= place:
            at += 1
        if at < 0 or record[chunk_start[place]] != at or place >= end[member[at]]:
            continue
        deep = 0
        if kind[place] & 1:
            deep = min(max(depth[place] - depth[member[at]], 0), 255)
        which = numbers.of(<uint64_t> (kind[place] << 8 | deep))
        value = running[chunk_end[place]] - running[chunk_start[place]]
        kinds[step], values[step] = which, value
        if of_kind[1, which] != at + 1:
            if of_kind[1, which]:
                of_kind[0, which] += min(largest, of_kind[2, which])
            of_kind[1, which], of_kind[2, which] = at + 1, value
        elif value > of_kind[2, which]:
            of_kind[2, which] = value
    for which in range(numbers.many):
        of_kind[0, which] += min(largest, of_kind[2, which])
        if best < 0 or of_kind[0, which] > of_kind[0, best]:
            best = which
    at = -1
    for step in range(several):
        place = readable[step]
        while at + 1 < number and member[at + 1] <= place:
            at += 1
        if kinds[step] == best and best >= 0 and (bodies[at] < 0 or values[step] > value):
            bodies[at], value = place, values[step]
    return found


def text_chunks(
    const int64_t[::1] record, const int64_t[::1] body, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end,
    const unsigned char[::1] template, const unsigned char[::1] time, const unsigned char[::1] no_text,
    const unsigned char[::1] used
):
    """See `extractors.records.read.texts`."""
    cdef Py_ssize_t texts = record.shape[0], records = body.shape[0], text, number
    cdef int64_t at, place
    kept_of, edges_of = np.zeros(texts, np.bool_), np.zeros(records + 1, np.int64)
    ranges_of = np.full((2, records), -1, np.int64)
    cdef unsigned char[::1] kept = kept_of.view(np.uint8)
    cdef int64_t[::1] edges = edges_of
    cdef int64_t[:, ::1] ranges = ranges_of
    for text in range(texts):
        number = record[text]
        if number < 0 or no_text[text] or used[text]:
            continue
        at = body[number]
        kept[text] = chunk_start[at] <= text < chunk_end[at] if at >= 0 else not template[text] and not time[text]
        edges[number + 1] += kept[text]
    for number in range(records):
        edges[number + 1] += edges[number]
    chunks_of, filled_of = np.empty(edges[records], np.int64), np.array(edges_of)
    cdef int64_t[::1] chunks = chunks_of, filled = filled_of
    for text in range(texts):
        if kept[text]:
            number = record[text]
            place = filled[number]
            chunks[place] = text
            filled[number] += 1
            if not template[text]:
                if ranges[0, number] < 0:
                    ranges[0, number] = place
                ranges[1, number] = place + 1
    for number in range(records):
        if ranges[0, number] < 0:
            ranges[0, number], ranges[1, number] = edges[number], edges[number + 1]
    return chunks_of, ranges_of[0], ranges_of[1]


def first_of_kinds(
    const int64_t[::1] place, const int64_t[::1] kind_start, const unsigned char[::1] usable, const int64_t[::1] around,
    const int32_t[::1] chunk_start, Py_ssize_t records, double share
):
    """See `extractors.records.fields.record_authors`."""
    cdef Py_ssize_t places = place.shape[0], kinds = kind_start.shape[0], chunks = min(around.shape[0], usable.shape[0])
    cdef Py_ssize_t kind, step, last, begun, filled = 0, found = 0
    cdef int64_t at, record
    chosen_of, starts_of, seen_of = np.empty((2, places), np.int64), np.empty(kinds, np.int64), np.full(records, -1, np.int64)
    cdef int64_t[:, ::1] chosen = chosen_of
    cdef int64_t[::1] starts = starts_of, seen = seen_of
    for kind in range(kinds):
        begun = filled
        last = kind_start[kind + 1] if kind + 1 < kinds else places
        for step in range(kind_start[kind], last):
            at = place[step]
            if chunk_start[at] >= chunks or not usable[chunk_start[at]]:
                continue
            record = around[chunk_start[at]]
            if 0 <= record < records and seen[record] != kind:
                seen[record] = kind
                chosen[0, filled], chosen[1, filled] = at, record
                filled += 1
        if filled > begun and <double> (filled - begun) >= share * <double> records:
            starts[found] = begun
            found += 1
        else:
            filled = begun
    return chosen_of[0, :filled], chosen_of[1, :filled], starts_of[:found]


def author_scores(
    const int64_t[::1] place, const int64_t[::1] record, const int64_t[::1] start, const int64_t[::1] member,
    const int64_t[::1] signs, const unsigned char[::1] other, const int64_t[::1] label, const unsigned char[::1] plain,
    const unsigned char[::1] led, const int64_t[::1] around, const int32_t[::1] chunk_start, const int32_t[::1] cell,
    const unsigned char[::1] author_cells, const unsigned char[::1] other_cells, Py_ssize_t sample, Py_ssize_t signs_sample,
    Py_ssize_t early_until
):
    """See `extractors.records.fields.record_authors`."""
    cdef Py_ssize_t kinds = start.shape[0], number = place.shape[0], kind, step, last, size, sampled, judged
    cdef int64_t at, chunk, ranks, others, early, plainly, distinct
    cdef double rank, weight, some
    found = np.empty(kinds)
    cdef double[::1] worth = found
    cdef Seen seen = Seen(sample)
    for kind in range(kinds):
        last = start[kind + 1] if kind + 1 < kinds else number
        size = last - start[kind]
        sampled, judged = min(size, sample), min(size, signs_sample)
        ranks = others = early = plainly = distinct = 0
        seen.clear()
        for step in range(start[kind], start[kind] + sampled):
            at = place[step]
            chunk = chunk_start[at]
            if step < start[kind] + judged:
                ranks += signs[at]
                if chunk and led[chunk] and around[chunk] == around[chunk - 1]:
                    ranks += 12
                if author_cells.shape[0] and author_cells[cell[at] + 1]:
                    ranks += 10
                others += other[at] or other_cells.shape[0] and other_cells[cell[at] + 1]
            early += chunk - chunk_start[member[record[step]]] <= early_until
            plainly += plain[label[at]]
            distinct += seen.add(<uint64_t> label[at])
        rank = <double> ranks / <double> (10 * judged)
        weight = (1 - 0.6 * (<double> others / <double> judged)) * (<double> size / <double> member.shape[0])
        some = rank + min(1.0, 1.5 * <double> distinct / <double> sampled) + 0.4 * (<double> early / <double> sampled)
        worth[kind] = weight * some * (<double> plainly / <double> sampled)
        if distinct == 1 and sampled > 2 and rank < 2:
            worth[kind] = 0
    return found


def member_overlaps(list groups, const int32_t[::1] end):
    """See `extractors.records.choose.reading_features`."""
    cdef Py_ssize_t number = len(groups), one, other, place, at
    shared_of, lying_of = np.zeros((number, number), np.int64), np.zeros((number, number), np.int64)
    cdef int64_t[:, ::1] shared = shared_of, lying = lying_of
    cdef const int64_t[::1] members, others
    cdef int64_t reached
    for one in range(number):
        members = groups[one]
        for other in range(number):
            others = groups[other]
            at, reached = 0, 0
            for place in range(members.shape[0]):
                while at < others.shape[0] and others[at] < members[place]:
                    reached = max(reached, end[others[at]])
                    at += 1
                shared[one, other] += at < others.shape[0] and others[at] == members[place]
                lying[one, other] += reached > members[place]
    return shared_of, lying_of


def holds_each(const int64_t[::1] outer, const int64_t[::1] inner, const int32_t[::1] end):
    """See `extractors.records.choose`."""
    cdef Py_ssize_t place
    for place in range(outer.shape[0]):
        if not outer[place] <= inner[place] < end[outer[place]]:
            return False
    return True
