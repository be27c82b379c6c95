"""What is asked of a page's groups and of their records, in one walk each; see `extractors.records`."""


cdef class Seen:
    """Which numbers were seen of late; `anew` forgets them all at once."""

    cdef object _keys, _rounds
    cdef uint64_t[::1] _key
    cdef int32_t[::1] _round  # in which a key was seen
    cdef size_t _mask
    cdef int32_t _now

    def __init__(self, Py_ssize_t most):
        cdef size_t room = 16
        while room < 2 * <size_t> most:
            room *= 2
        self._keys, self._rounds = np.empty(room, np.uint64), np.zeros(room, np.int32)
        self._key, self._round, self._mask, self._now = self._keys, self._rounds, room - 1, 1

    cdef inline void anew(self) noexcept:
        self._now += 1

    cdef inline bint add(self, uint64_t key) noexcept:
        """Whether it was not there; of so many as there is room for."""
        cdef uint64_t hashed = (key ^ key >> 31) * _HASHING
        cdef size_t slot = <size_t> (hashed ^ hashed >> 32) & self._mask
        while self._round[slot] == self._now:
            if self._key[slot] == key:
                return False
            slot = (slot + 1) & self._mask
        self._round[slot], self._key[slot] = self._now, key
        return True


cdef enum:
    LOOKS = 14
    PARTS = 11  # bits of what stands in a member
    INSIDES = 2 * PARTS + 10


def group_looks(
    const int64_t[::1] member, const int64_t[::1] start, const int32_t[::1] end, const int32_t[::1] parent,
    const int64_t[:, ::1] values, const unsigned char[::1] silent, const int64_t[::1] ending, int64_t short
):
    """int64[LOOKS, G], int64[A]: see `extractors.records.sums.looks_by_numpy`. values[3, N]: text, free text, times."""
    cdef Py_ssize_t number = start.shape[0], several = member.shape[0], group, place, first, last, largest = 0
    cdef int64_t at, top, times, text, reached
    for group in range(number):
        last = start[group + 1] if group + 1 < number else several
        if not 0 <= start[group] < last:
            raise ValueError("groups must have members and stand in order")
        largest = max(largest, last - start[group])
    found, own_of = np.zeros((number, LOOKS), np.int64), np.empty((2, several), np.int64)
    stack_of = np.empty(largest, np.intp)
    cdef int64_t[:, ::1] sums = found, own = own_of
    cdef Py_ssize_t[::1] stack = stack_of
    cdef Py_ssize_t open_members
    cdef Seen seen = Seen(largest)
    for group in range(number):
        first, last = start[group], start[group + 1] if group + 1 < number else several
        seen.anew()
        reached, open_members = 0, 0
        for place in range(first, last):
            at = member[place]
            text, times = values[0, at], values[2, at]
            own[0, place], own[1, place] = text, times
            while open_members and end[member[stack[open_members - 1]]] <= at:
                open_members -= 1
            if open_members:
                own[0, stack[open_members - 1]] -= text
                own[1, stack[open_members - 1]] -= times
            stack[open_members] = place
            open_members += 1
            if reached <= at:
                reached = end[at]
                sums[group, 0] += 1
                sums[group, 5] += times
                sums[group, 6] += text
                sums[group, 7] += values[1, at]
            sums[group, 11] += silent[at]
            sums[group, 12] += seen.add(<uint64_t> ending[at] << 32 ^ <uint64_t> text)
            sums[group, 13] += parent[at] == parent[member[first]]
        for place in range(first, last):
            times, text = own[1, place], own[0, place]
            sums[group, 1] += times > 0
            sums[group, 2] += times == 1
            sums[group, 3] += times == 2
            sums[group, 4] += min(max(times, 0), 6)
            sums[group, 8] += text
            sums[group, 9] += text * text
            sums[group, 10] += text < short
    return found.T, own_of[0]


def group_insides(
    const int64_t[::1] member, const int64_t[::1] start, const int32_t[::1] end, const int32_t[::1] parent,
    const int64_t[:, ::1] values, const unsigned char[::1] identified, const int64_t[::1] parts,
    const int64_t[::1] in_territory, Py_ssize_t levels
):
    """int64[INSIDES, G], float64[A], intp[A]: see `extractors.records.sums.insides_by_numpy`."""
    cdef Py_ssize_t number = start.shape[0], several = member.shape[0], elements = end.shape[0]
    cdef Py_ssize_t group, place, first, last, part, level, which
    cdef int64_t at, above, inside
    cdef double share, size
    cdef bint alike, gained
    found, around_of, tops_of = np.zeros((number, INSIDES), np.int64), np.empty(several), np.empty(several, np.intp)
    before_of, largest_of = np.zeros((elements + 1, PARTS), np.int32), np.zeros(elements, np.int64)
    cdef int64_t[:, ::1] sums = found
    cdef double[::1] around = around_of
    cdef Py_ssize_t[::1] tops = tops_of
    cdef int32_t[:, ::1] before = before_of
    cdef int64_t[::1] largest = largest_of
    for place in range(elements):
        for part in range(PARTS):
            before[place + 1, part] = before[place, part] + (parts[place] >> part & 1)
    for group in range(number):
        first, last = start[group], start[group + 1] if group + 1 < number else several
        for place in range(first, last):
            largest[member[place]] = max(largest[member[place]], last - first)
    for group in range(number):
        first, last = start[group], start[group + 1] if group + 1 < number else several
        size = <double> (last - first)
        for place in range(first, last):
            at = above = member[place]
            for part in range(PARTS):
                inside = before[end[at], part] - before[at, part]
                sums[group, part] += inside > 0
                sums[group, PARTS + part] += inside == 1
            sums[group, 2 * PARTS] += identified[at]
            share, gained = 0, False
            for level in range(levels):
                above = max(parent[above], 0)
                if <double> largest[above] >= 0.8 * size:
                    share = max(share, min(2.0, <double> largest[above] / size))
                    gained |= values[2, above] > values[2, at]
            around[place] = share
            sums[group, 2 * PARTS + 1] += gained
            above = parent[at]
            for level in range(levels):
                if above <= 0 or place > first and member[place - 1] >= above:
                    break
                if place + 1 < last and member[place + 1] < end[above]:
                    break
                at, above = above, parent[above]
            tops[place] = at
            sums[group, 2 * PARTS + 2] += at != member[place]
            sums[group, 2 * PARTS + 4] += values[2, at] > 0
            sums[group, 2 * PARTS + 5] += values[0, at]
            for which in range(in_territory.shape[0]):
                part = in_territory[which]
                sums[group, 2 * PARTS + 7 + which] += before[end[at], part] > before[at, part]
        above = max(parent[tops[first]], 0)
        for place in range(first, last):
            if max(parent[tops[place]], 0) == above:
                sums[group, 2 * PARTS + 3] += 1
                sums[group, 2 * PARTS + 6] += values[2, tops[place]]
    return found.T, around_of, tops_of


def territories(const int64_t[::1] member, const int32_t[::1] end, const int32_t[::1] parent):
    """intp[R]: the largest element around each of these, in document order, that holds no other of them."""
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


def owners(const int64_t[::1] element, const int32_t[::1] start, const int32_t[::1] end, Py_ssize_t texts):
    """int64[M]: the number of the last of these elements that holds a text, −1 for none."""
    cdef Py_ssize_t number, place
    found = np.full(texts, -1, np.int64)
    cdef int64_t[::1] owner = found
    for number in range(element.shape[0]):
        for place in range(start[element[number]], end[element[number]]):
            owner[place] = number
    return found


def claimed(
    const int64_t[::1] owner, const int64_t[::1] number, const int64_t[::1] element, const int32_t[::1] start,
    const int32_t[::1] end
):
    """int64[M]: the owners of texts, those of texts without one put down as elements claim them, the first one first."""
    cdef Py_ssize_t place, text
    found = np.array(owner)
    cdef int64_t[::1] owned = found
    for place in range(number.shape[0]):
        for text in range(start[element[place]], end[element[place]]):
            if owned[text] < 0:
                owned[text] = number[place]
    return found


def shared_texts(
    const int64_t[::1] text, const int64_t[::1] length, const int64_t[::1] around, const unsigned char[::1] left_out,
    Py_ssize_t records, Py_ssize_t long_from
):
    """bool[M]: see `extractors.records.reading.shared_by_numpy`."""
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


def containing(const int64_t[::1] shell, const int32_t[::1] end):
    """The number of the innermost earlier element that holds each of these, −1 for none."""
    cdef Py_ssize_t number = shell.shape[0], place, deep = 0
    cdef list found = []
    stack_of = np.empty(number, np.intp)
    cdef Py_ssize_t[::1] stack = stack_of
    for place in range(number):
        while deep and end[shell[stack[deep - 1]]] <= shell[place]:
            deep -= 1
        found.append(stack[deep - 1] if deep else -1)
        stack[deep] = place
        deep += 1
    return found


cdef class Numbers:
    """A number for each key, first come first, from 0 on."""

    cdef object _keys, _slots
    cdef uint64_t[::1] _key
    cdef int32_t[::1] _slot
    cdef size_t _mask
    cdef int32_t many

    def __init__(self, Py_ssize_t most):
        cdef size_t room = 16
        while room < 2 * <size_t> most:
            room *= 2
        self._keys, self._slots = np.empty(room, np.uint64), np.full(room, -1, np.int32)
        self._key, self._slot, self._mask, self.many = self._keys, self._slots, room - 1, 0

    cdef inline int32_t of(self, uint64_t key) noexcept:
        cdef uint64_t hashed = (key ^ key >> 31) * _HASHING
        cdef size_t slot = <size_t> (hashed ^ hashed >> 32) & self._mask
        while self._slot[slot] >= 0:
            if self._key[slot] == key:
                return self._slot[slot]
            slot = (slot + 1) & self._mask
        self._slot[slot], self._key[slot] = self.many, key
        self.many += 1
        return self.many - 1


def best_bodies(
    const int64_t[::1] readable, const int64_t[::1] member, const int64_t[::1] record, const int64_t[::1] worth,
    const int64_t[::1] kind, const int32_t[::1] depth, const int32_t[::1] end, const int32_t[::1] chunk_start,
    const int32_t[::1] chunk_end, int64_t largest
):
    """intp[R]: see `extractors.records.bodies.bodies_by_numpy`."""
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
    cdef int64_t[:, ::1] of_kind = by_kind  # what it is worth; its last record, and the best value and place in that
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


cdef int _ascending(const void* one, const void* other) noexcept nogil:
    cdef int64_t first = (<const int64_t*> one)[0], second = (<const int64_t*> other)[0]
    return (first > second) - (first < second)


def link_kinds(
    const int64_t[::1] place, const int64_t[::1] kind_start, const int64_t[::1] target, const int64_t[::1] owner,
    const int64_t[::1] member, bint inside, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end,
    const int64_t[::1] text
):
    """int64[K] four times: places, records, targets of the longest link of each kind in each record, kind after kind, and
    where kinds begin; see `extractors.records.heads`. `inside`: links in members alone count."""
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


def link_worths(
    const int64_t[::1] place, const int64_t[::1] target, const int64_t[::1] start, const int32_t[::1] chunk_start,
    const int64_t[::1] text, const unsigned char[::1] template, const unsigned char[::1] time,
    const unsigned char[::1] profile, const unsigned char[::1] titled, const unsigned char[::1] headings,
    const int16_t[::1] tag, const int32_t[::1] parent, const int32_t[::1] end, Py_ssize_t short, Py_ssize_t longest
):
    """float64[K]: what the links of each kind say; see `extractors.records.heads`."""
    cdef Py_ssize_t kinds = start.shape[0], links = place.shape[0], kind, step, last
    cdef int64_t at, above, strange, said, different, size
    cdef bint refused, called
    found = np.zeros(kinds)
    cdef double[::1] worth = found
    cdef Seen seen = Seen(links)
    for kind in range(kinds):
        last = start[kind + 1] if kind + 1 < kinds else links
        strange = said = different = 0
        size = last - start[kind]
        seen.anew()
        for step in range(start[kind], last):
            at = place[step]
            refused = template[chunk_start[at]] or time[chunk_start[at]] and text[at] < short
            strange += refused or profile[at]
            said += 0 if refused else min(longest, text[at])
            different += seen.add(<uint64_t> target[step])
        if 2 * strange <= size:
            at = place[start[kind]]
            above = max(parent[at], 0)
            called = titled[at] or titled[above] or titled[min(at + 1, end[at] - 1)] or headings[tag[above]]
            worth[kind] = <double> (said * different) / <double> size * (2 if called else 1)
    return found


def first_of_kinds(
    const int64_t[::1] place, const int64_t[::1] kind_start, const unsigned char[::1] usable, const int64_t[::1] around,
    const int32_t[::1] chunk_start, Py_ssize_t records, double share
):
    """int64[K] twice and where kinds begin: see `extractors.records.authors.first_by_numpy`."""
    cdef Py_ssize_t places = place.shape[0], kinds = kind_start.shape[0], kind, step, last, begun, filled = 0, found = 0
    cdef int64_t at, record
    chosen_of, starts_of, seen_of = np.empty((2, places), np.int64), np.empty(kinds, np.int64), np.full(records, -1, np.int64)
    cdef int64_t[:, ::1] chosen = chosen_of
    cdef int64_t[::1] starts = starts_of, seen = seen_of
    for kind in range(kinds):
        begun = filled
        last = kind_start[kind + 1] if kind + 1 < kinds else places
        for step in range(kind_start[kind], last):
            at = place[step]
            record = around[chunk_start[at]]
            if usable[chunk_start[at]] and seen[record] != kind:
                seen[record] = kind
                chosen[0, filled], chosen[1, filled] = at, record
                filled += 1
        if filled > begun and <double> (filled - begun) >= share * <double> records:
            starts[found] = begun
            found += 1
        else:
            filled = begun
    return chosen_of[0, :filled], chosen_of[1, :filled], starts_of[:found]


def author_worths(
    const int64_t[::1] place, const int64_t[::1] record, const int64_t[::1] start, const int64_t[::1] member,
    const int64_t[::1] signs, const unsigned char[::1] other, const int64_t[::1] said, const unsigned char[::1] plain,
    const unsigned char[::1] led, const int64_t[::1] around, const int32_t[::1] chunk_start, const int32_t[::1] cell,
    const unsigned char[::1] author_cells, const unsigned char[::1] other_cells, Py_ssize_t sample, Py_ssize_t weighed,
    Py_ssize_t early_until
):
    """float64[K]: see `extractors.records.authors.worth_by_numpy`. Cells, by number + 1, of columns that are headed so."""
    cdef Py_ssize_t kinds = start.shape[0], number = place.shape[0], kind, step, last, size, sampled, looked
    cdef int64_t at, chunk, ranks, others, early, plainly, distinct
    cdef double rank, weight, some
    found = np.empty(kinds)
    cdef double[::1] worth = found
    cdef Seen seen = Seen(sample)
    for kind in range(kinds):
        last = start[kind + 1] if kind + 1 < kinds else number
        size = last - start[kind]
        sampled, looked = min(size, sample), min(size, weighed)
        ranks = others = early = plainly = distinct = 0
        seen.anew()
        for step in range(start[kind], start[kind] + sampled):
            at = place[step]
            chunk = chunk_start[at]
            if step < start[kind] + looked:
                ranks += signs[at]
                if chunk and led[chunk] and around[chunk] == around[chunk - 1]:
                    ranks += 12
                if author_cells.shape[0] and author_cells[cell[at] + 1]:
                    ranks += 10
                others += other[at] or other_cells.shape[0] and other_cells[cell[at] + 1]
            early += chunk - chunk_start[member[record[step]]] <= early_until
            plainly += plain[said[at]]
            distinct += seen.add(<uint64_t> said[at])
        rank = <double> ranks / <double> (10 * looked)
        weight = (1 - 0.6 * (<double> others / <double> looked)) * (<double> size / <double> member.shape[0])
        some = rank + min(1.0, 1.5 * <double> distinct / <double> sampled) + 0.4 * (<double> early / <double> sampled)
        worth[kind] = weight * some * (<double> plainly / <double> sampled)
        if distinct == 1 and sampled > 2 and rank < 2:
            worth[kind] = 0
    return found


def within_own(
    const int64_t[::1] place, const int64_t[::1] owner, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end
):
    """bool[M]: a text stands inside the element of the record that owns it, −1 for none."""
    cdef Py_ssize_t texts = owner.shape[0], text
    found = np.zeros(texts, np.bool_)
    cdef unsigned char[::1] inside = found.view(np.uint8)
    cdef int64_t at
    for text in range(texts):
        if owner[text] >= 0:
            at = place[owner[text]]
            inside[text] = at >= 0 and chunk_start[at] <= text < chunk_end[at]
    return found


def record_texts(
    const int64_t[::1] record, const int64_t[::1] body, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end,
    const unsigned char[::1] template, const unsigned char[::1] time, const unsigned char[::1] refused,
    const unsigned char[::1] used
):
    """int64[T], int64[R] twice: see `extractors.records.texts.chunks_by_numpy`."""
    cdef Py_ssize_t texts = record.shape[0], records = body.shape[0], text, number
    cdef int64_t at, place
    kept_of, edges_of = np.zeros(texts, np.bool_), np.zeros(records + 1, np.int64)
    ranges_of = np.full((2, records), -1, np.int64)
    cdef unsigned char[::1] kept = kept_of.view(np.uint8)
    cdef int64_t[::1] edges = edges_of
    cdef int64_t[:, ::1] ranges = ranges_of
    for text in range(texts):
        number = record[text]
        if number < 0 or refused[text] or used[text]:
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


def common(
    const int64_t[::1] place, const int64_t[::1] name, const int64_t[::1] stem, const int64_t[::1] token,
    const int64_t[::1] token_start, const int16_t[::1] tag, const int32_t[::1] parent, const unsigned char[::1] siblings,
    Py_ssize_t most
):
    """int64[P]: members, group after group; int64[5, G]: where each group begins, its size, the sum of its places, its rank and
    the number of its label. See `extractors.records.candidates.gathered_by_numpy`."""
    cdef Py_ssize_t number = place.shape[0], step, each, entries = 0, group, kept = 0, filled = 0
    cdef int64_t at
    for step in range(number):
        entries += 2 + token_start[name[step] + 1] - token_start[name[step]]
    entry_of, of_group = np.empty((2, entries), np.int64), np.zeros((4, entries), np.int64)
    cdef int64_t[:, ::1] entry = entry_of  # group and place of each
    cdef int64_t[:, ::1] groups = of_group  # size, sum of places, rank, label
    cdef Numbers numbers = Numbers(entries)
    entries = 0
    for step in range(number):
        at = place[step]
        if siblings[tag[at]]:
            group = numbers.of(<uint64_t> (<int64_t> tag[at] << 32 | <int64_t> (parent[at] + 1)) << 2)
            _put(entry, groups, entries, group, at, 0, 0)
            entries += 1
        if stem[name[step]]:
            group = numbers.of(<uint64_t> (<int64_t> tag[at] << 32 | stem[name[step]]) << 2 | 1)
            _put(entry, groups, entries, group, at, 1, stem[name[step]])
            entries += 1
        for each in range(token_start[name[step]], token_start[name[step] + 1]):
            group = numbers.of(<uint64_t> (<int64_t> tag[at] << 32 | token[each]) << 2 | 2)
            _put(entry, groups, entries, group, at, 2 + each - token_start[name[step]], token[each])
            entries += 1
    rows_of, place_of = np.empty((5, numbers.many), np.int64), np.full(numbers.many, -1, np.int64)
    members_of = np.empty(entries, np.int64)
    cdef int64_t[:, ::1] rows = rows_of
    cdef int64_t[::1] next_place = place_of, members = members_of
    for group in range(numbers.many):
        if 1 < groups[0, group] <= most:
            rows[0, kept], rows[1, kept], rows[2, kept] = filled, groups[0, group], groups[1, group]
            rows[3, kept], rows[4, kept] = groups[2, group], groups[3, group]
            next_place[group] = filled
            filled += groups[0, group]
            kept += 1
    for step in range(entries):
        group = entry[0, step]
        if next_place[group] >= 0:
            members[next_place[group]] = entry[1, step]
            next_place[group] += 1
    return members_of[:filled], rows_of[:, :kept]


cdef inline void _put(
    int64_t[:, ::1] entry, int64_t[:, ::1] groups, Py_ssize_t place, Py_ssize_t group, int64_t at, int64_t rank, int64_t label
) noexcept:
    entry[0, place], entry[1, place] = group, at
    if not groups[0, group]:
        groups[2, group], groups[3, group] = rank, label
    groups[0, group] += 1
    groups[1, group] += at


def naming_chunks(
    const int64_t[::1] place, const int32_t[::1] chunk_start, const int32_t[::1] chunk_end,
    const unsigned char[::1] usable, const unsigned char[::1] longer, Py_ssize_t most
):
    """int64: the chunk of each element that may name somebody; see `extractors.records.people`."""
    cdef Py_ssize_t number
    cdef int64_t chunk
    found = np.full(place.shape[0], -1, np.int64)
    cdef int64_t[::1] chosen = found
    for number in range(place.shape[0]):
        for chunk in range(chunk_start[place[number]], min(chunk_end[place[number]], chunk_start[place[number]] + most)):
            if longer[chunk]:
                chosen[number] = chunk
                break
            if usable[chunk] and chosen[number] < 0:
                chosen[number] = chunk
    return found


def member_overlaps(list groups, const int32_t[::1] end):
    """int64[G, G] twice: of each group's members how many are each other's, and how many lie in one of each other's."""
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


def leading_links(const int64_t[::1] place, dict targets, tuple nowhere):
    """Which of these links lead to another place, bool, and the number of the address of each of these, int64."""
    cdef Py_ssize_t number, filled = 0
    cdef dict numbers = {}
    cdef str target
    kept_of, found = np.zeros(place.shape[0], np.bool_), np.empty(place.shape[0], np.int64)
    cdef unsigned char[::1] kept = kept_of.view(np.uint8)
    cdef int64_t[::1] known = found
    for number in range(place.shape[0]):
        target = targets.get(place[number], "")
        if target and not target.startswith(nowhere):
            kept[number] = True
            known[filled] = numbers.setdefault(target, len(numbers))
            filled += 1
    return kept_of, found[:filled]
