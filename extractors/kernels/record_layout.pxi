"""Kernels of `extractors.records.groups` for one group: nesting, owners of chunks, shared texts, titles."""


def innermost_holders(const int64_t[::1] element, const int32_t[::1] end):
    """See `extractors.records.groups.ownership`."""
    cdef Py_ssize_t number = element.shape[0], place, deep = 0
    found, stack_of = np.full(number, -1, np.int64), np.empty(number, np.intp)
    cdef int64_t[::1] holder = found
    cdef Py_ssize_t[::1] stack = stack_of
    for place in range(number):
        while deep and end[element[stack[deep - 1]]] <= element[place]:
            deep -= 1
        if deep:
            holder[place] = stack[deep - 1]
        stack[deep] = place
        deep += 1
    return found


def holders_of_shells(
    const int64_t[::1] member, const int32_t[::1] end, const int32_t[::1] parent, const int16_t[::1] tag,
    Py_ssize_t levels, Py_ssize_t unclosed
):
    """See `extractors.records.groups.ownership`."""
    cdef Py_ssize_t number = member.shape[0], level, place
    cdef bint nested, chain
    shells_of = np.array(member)
    cdef int64_t[::1] shells = shells_of, holder
    cdef Seen seen = Seen(number)
    for level in range(levels + 1):
        found = innermost_holders(shells_of, end)
        holder = found
        nested, chain = False, number >= unclosed
        for place in range(number):
            nested |= holder[place] >= 0
            chain &= holder[place] == place - 1
        if nested:
            if chain:
                break
            return found
        seen.clear()
        for place in range(number):
            shells[place] = parent[shells[place]]
            if shells[place] <= 0 or tag[shells[place]] != tag[shells[0]] or not seen.add(<uint64_t> shells[place]):
                return np.full(number, -1, np.int64)
    return np.full(number, -1, np.int64)


def text_children(Py_ssize_t element, const int32_t[::1] parent, const int32_t[::1] end, const int64_t[::1] text):
    """See `extractors.records.groups.ownership`."""
    cdef Py_ssize_t child = element + 1
    cdef list found = []
    while child < end[element]:
        if text[child] > 0:
            found.append(child)
        child = end[child]
    return found


def chunk_owners(const int64_t[::1] element, const int32_t[::1] start, const int32_t[::1] end, Py_ssize_t texts):
    """See `extractors.records.groups.ownership`."""
    cdef Py_ssize_t number, text
    found = np.full(texts, -1, np.int64)
    cdef int64_t[::1] owner = found
    for number in range(element.shape[0]):
        for text in range(start[element[number]], end[element[number]]):
            owner[text] = number
    return found


def outer_elements(const int64_t[::1] member, const int32_t[::1] end, const int32_t[::1] parent):
    """See `extractors.records.groups.ownership`."""
    cdef Py_ssize_t number = member.shape[0], place
    cdef int64_t at, above
    found = np.empty(number, np.intp)
    cdef Py_ssize_t[::1] tops = found
    for place in range(number):
        at = member[place]
        above = parent[at]
        while above > 0 and not (place and member[place - 1] >= above):
            if place + 1 < number and member[place + 1] < end[above]:
                break
            at, above = above, parent[above]
        tops[place] = at
    return found


def assign_chunks(
    const int64_t[::1] owner, const int64_t[::1] number, const int64_t[::1] element, const int32_t[::1] start,
    const int32_t[::1] end
):
    """See `extractors.records.groups.ownership`."""
    cdef Py_ssize_t place, text
    found = np.array(owner)
    cdef int64_t[::1] owned = found
    for place in range(number.shape[0]):
        for text in range(start[element[place]], end[element[place]]):
            if owned[text] < 0:
                owned[text] = number[place]
    return found


def inside_elements(
    const int64_t[::1] place, const int64_t[::1] owner, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end
):
    """See `extractors.records.groups.ownership`."""
    cdef Py_ssize_t texts = owner.shape[0], text
    found = np.zeros(texts, np.bool_)
    cdef unsigned char[::1] inside = found.view(np.uint8)
    cdef int64_t at
    for text in range(texts):
        if owner[text] >= 0:
            at = place[owner[text]]
            inside[text] = at >= 0 and chunk_start[at] <= text < chunk_end[at]
    return found


def shared_texts(
    const int64_t[::1] text, const int64_t[::1] length, const int64_t[::1] around, const unsigned char[::1] left_out,
    Py_ssize_t records, Py_ssize_t long_from
):
    """See `extractors.records.groups.layout`."""
    cdef Py_ssize_t number = text.shape[0], place
    cdef int64_t which
    cdef double least
    found, following_of, first_of = np.zeros(number, np.bool_), np.empty(number, np.int64), np.full(number, -1, np.int64)
    count_of, stamp_of = np.zeros(number, np.int64), np.full(records, -1, np.int64)
    cdef unsigned char[::1] shared = found.view(np.uint8)
    cdef int64_t[::1] following = following_of, first = first_of, count = count_of, stamp = stamp_of
    for place in range(number - 1, -1, -1):
        if around[place] >= 0 and not left_out[place]:
            following[place], first[text[place]] = first[text[place]], place
    for which in range(number):
        place = first[which]
        while place >= 0:
            if stamp[around[place]] != which:
                stamp[around[place]] = which
                count[which] += 1
            place = following[place]
    for place in range(number):
        if around[place] >= 0 and not left_out[place]:
            least = (0.4 if length[place] <= long_from else 0.8) * <double> records
            shared[place] = count[text[place]] >= 2 and <double> count[text[place]] >= least
    return found


cdef int _ascending(const void* one, const void* other) noexcept nogil:
    cdef int64_t first = (<const int64_t*> one)[0], second = (<const int64_t*> other)[0]
    return (first > second) - (first < second)


def longest_links(
    const int64_t[::1] place, const int64_t[::1] kind_start, const int64_t[::1] target, const int64_t[::1] owner,
    const int64_t[::1] member, bint inside, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end,
    const int64_t[::1] text
):
    """See `extractors.records.groups.titles`."""
    cdef Py_ssize_t links = place.shape[0], kinds = kind_start.shape[0], kind, step, filled = 0, begun, last
    cdef int64_t at, record
    cdef bint sorted
    places_of, records_of, targets_of = (np.empty(links, np.int64) for _ in range(3))
    slot_of, starts_of = np.full(member.shape[0], -1, np.int64), np.empty(kinds, np.int64)
    keys_of, copies_of = np.empty(links, np.int64), np.empty((2, links), np.int64)
    cdef int64_t[::1] places = places_of, records = records_of, targets = targets_of, slot = slot_of, starts = starts_of
    cdef int64_t[::1] keys = keys_of
    cdef int64_t[:, ::1] copies = copies_of
    cdef Py_ssize_t found = 0
    for kind in range(kinds):
        begun, sorted = filled, True
        last = kind_start[kind + 1] if kind + 1 < kinds else links
        for step in range(kind_start[kind], last):
            at = place[step]
            record = owner[chunk_start[at]]
            if record < 0 or owner[chunk_end[at] - 1] != record or inside and at < member[record]:
                continue
            if slot[record] < begun:
                sorted &= filled == begun or records[filled - 1] < record
                slot[record] = filled
                records[filled], places[filled], targets[filled] = record, at, target[step]
                filled += 1
            elif text[at] > text[places[slot[record]]]:
                places[slot[record]], targets[slot[record]] = at, target[step]
        if filled > begun:
            starts[found] = begun
            found += 1
        if not sorted:
            for step in range(begun, filled):
                keys[step - begun] = records[step] << 32 | step
                copies[0, step], copies[1, step] = places[step], targets[step]
            qsort(&keys[0], filled - begun, sizeof(int64_t), _ascending)
            for step in range(begun, filled):
                at = keys[step - begun] & 0xFFFFFFFF
                records[step] = keys[step - begun] >> 32
                places[step], targets[step] = copies[0, at], copies[1, at]
    return places_of[:filled], records_of[:filled], targets_of[:filled], starts_of[:found]


def link_scores(
    const int64_t[::1] place, const int64_t[::1] target, const int64_t[::1] start, const int32_t[::1] chunk_start,
    const int64_t[::1] text, const unsigned char[::1] template, const unsigned char[::1] time,
    const unsigned char[::1] profile, const unsigned char[::1] titled, const unsigned char[::1] headings,
    const int16_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] end, Py_ssize_t short, Py_ssize_t longest
):
    """See `extractors.records.groups.titles`."""
    cdef Py_ssize_t kinds = start.shape[0], links = place.shape[0], kind, step, last
    cdef int64_t at, above, strange, chars, different, size
    cdef bint excluded, called
    found = np.zeros(kinds)
    cdef double[::1] worth = found
    cdef Seen seen = Seen(links)
    for kind in range(kinds):
        last = start[kind + 1] if kind + 1 < kinds else links
        strange = chars = different = 0
        size = last - start[kind]
        seen.clear()
        for step in range(start[kind], last):
            at = place[step]
            excluded = template[chunk_start[at]] or time[chunk_start[at]] and text[at] < short
            strange += excluded or profile[at]
            chars += 0 if excluded else min(longest, text[at])
            different += seen.add(<uint64_t> target[step])
        if 2 * strange <= size:
            at = place[start[kind]]
            above = max(parent[at], 0)
            called = titled[at] or titled[above] or titled[min(at + 1, end[at] - 1)] or headings[tag[above]]
            worth[kind] = <double> (chars * different) / <double> size * (2 if called else 1)
    return found
