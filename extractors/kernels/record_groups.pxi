"""Kernels of `extractors.records.groups`: candidate groups and their sums."""


cdef class Numbers:
    """A number for each key, from 0 in order of appearance."""

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


cdef class Seen:
    """A set of numbers; `clear` empties it at once."""

    cdef object _keys, _rounds
    cdef uint64_t[::1] _key
    cdef int32_t[::1] _round  # the round in which a key was seen
    cdef size_t _mask
    cdef int32_t _now

    def __init__(self, Py_ssize_t most):
        cdef size_t room = 16
        while room < 2 * <size_t> most:
            room *= 2
        self._keys, self._rounds = np.empty(room, np.uint64), np.zeros(room, np.int32)
        self._key, self._round, self._mask, self._now = self._keys, self._rounds, room - 1, 1

    cdef inline void clear(self) noexcept:
        self._now += 1

    cdef inline bint add(self, uint64_t key) noexcept:
        """Add a key; returns whether it is new. The caller limits the number of keys to the capacity."""
        cdef uint64_t hashed = (key ^ key >> 31) * _HASHING
        cdef size_t slot = <size_t> (hashed ^ hashed >> 32) & self._mask
        while self._round[slot] == self._now:
            if self._key[slot] == key:
                return False
            slot = (slot + 1) & self._mask
        self._round[slot], self._key[slot] = self._now, key
        return True


def number_labels(list stems, list tokens):
    """See `extractors.records.groups`."""
    cdef Py_ssize_t names = len(stems), several = 0, filled = 0, place
    cdef dict labels = {"": 0}
    cdef tuple own
    for own in tokens:
        several += len(own)
    stems_of, tokens_of, first_of = np.empty(names, np.int64), np.empty(several, np.int64), np.zeros(names + 1, np.int64)
    cdef int64_t[::1] stem = stems_of, token = tokens_of, first = first_of
    for place in range(names):
        stem[place] = labels.setdefault(stems[place], len(labels))
    for place in range(names):
        own = tokens[place]
        for label in own:
            token[filled] = labels.setdefault(label, len(labels))
            filled += 1
        first[place + 1] = filled
    return list(labels), stems_of, tokens_of, first_of


def gather_groups(
    const int64_t[::1] place, const int64_t[::1] name, const int64_t[::1] stem, const int64_t[::1] token,
    const int64_t[::1] token_start, const int16_t[::1] tag, const int32_t[::1] parent, const unsigned char[::1] siblings,
    Py_ssize_t most
):
    """See `extractors.records.groups`."""
    cdef Py_ssize_t number = place.shape[0], step, each, entries = 0, group, kept = 0, filled = 0
    cdef int64_t at
    for step in range(number):
        entries += 2 + token_start[name[step] + 1] - token_start[name[step]]
    entry_of, of_group = np.empty((2, entries), np.int64), np.zeros((4, entries), np.int64)
    cdef int64_t[:, ::1] entry = entry_of  # group and place of each entry
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


cdef enum:
    OWN_SUMS = 14
    PARTS = 11  # bits of the parts in a member
    INNER_SUMS = 2 * PARTS + 10


def own_counts(
    const int64_t[::1] member, const int64_t[::1] start, const int32_t[::1] end, const int32_t[::1] parent,
    const int64_t[:, ::1] values, const unsigned char[::1] silent, const int64_t[::1] ending, int64_t short
):
    """See `extractors.records.groups.stats`."""
    cdef Py_ssize_t number = start.shape[0], several = member.shape[0], group, place, first, last, largest = 0
    cdef int64_t at, top, times, text, reached
    for group in range(number):
        last = start[group + 1] if group + 1 < number else several
        if not 0 <= start[group] < last:
            raise ValueError("groups must have members and be in order")
        largest = max(largest, last - start[group])
    found, own_of = np.zeros((number, OWN_SUMS), np.int64), np.empty((2, several), np.int64)
    stack_of = np.empty(largest, np.intp)
    cdef int64_t[:, ::1] sums = found, own = own_of
    cdef Py_ssize_t[::1] stack = stack_of
    cdef Py_ssize_t open_members
    cdef Seen seen = Seen(largest)
    for group in range(number):
        first, last = start[group], start[group + 1] if group + 1 < number else several
        seen.clear()
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


def inner_counts(
    const int64_t[::1] member, const int64_t[::1] start, const int32_t[::1] end, const int32_t[::1] parent,
    const int64_t[:, ::1] values, const unsigned char[::1] numbered, const int64_t[::1] parts,
    const int64_t[::1] outer_parts, Py_ssize_t levels
):
    """See `extractors.records.groups.stats`."""
    cdef Py_ssize_t number = start.shape[0], several = member.shape[0], elements = end.shape[0]
    cdef Py_ssize_t group, place, first, last, part, level, which
    cdef int64_t at, above, inside
    cdef double share, size
    cdef bint alike, gained
    found, around_of, tops_of = np.zeros((number, INNER_SUMS), np.int64), np.empty(several), np.empty(several, np.intp)
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
            sums[group, 2 * PARTS] += numbered[at]
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
            for which in range(outer_parts.shape[0]):
                part = outer_parts[which]
                sums[group, 2 * PARTS + 7 + which] += before[end[at], part] > before[at, part]
        above = max(parent[tops[first]], 0)
        for place in range(first, last):
            if max(parent[tops[place]], 0) == above:
                sums[group, 2 * PARTS + 3] += 1
                sums[group, 2 * PARTS + 6] += values[2, tops[place]]
    return found.T, around_of, tops_of


def part_bits(
    const int16_t[::1] tag, const int64_t[::1] tag_bits, const int64_t[::1] words, const int64_t[:, ::1] word_parts, profiles,
    const int64_t[::1] text_length, int64_t long_from, int link, int long_link, int profile
):
    """See `extractors.records.groups.stats`."""
    cdef const unsigned char[::1] is_profile = profiles.view(np.uint8)
    cdef Py_ssize_t place, pair
    found = np.empty(tag.shape[0], np.int64)
    cdef int64_t[::1] bits = found
    for place in range(tag.shape[0]):
        bits[place] = tag_bits[tag[place]] | <int64_t> is_profile[place] << profile
        if bits[place] >> link & 1 and text_length[place] >= long_from:
            bits[place] |= <int64_t> 1 << long_link
        if words[place]:
            for pair in range(word_parts.shape[0]):
                if words[place] & word_parts[pair, 0]:
                    bits[place] |= <int64_t> 1 << word_parts[pair, 1]
    return found


def outermost_members(const int64_t[::1] member, const int64_t[::1] start, const int32_t[::1] end):
    """See `extractors.records.groups.stats`."""
    cdef Py_ssize_t several = member.shape[0], number = start.shape[0], group, place, last
    cdef int64_t reached
    found = np.empty(several, np.bool_)
    cdef unsigned char[::1] outermost = found.view(np.uint8)
    for group in range(number):
        last = start[group + 1] if group + 1 < number else several
        reached = 0
        for place in range(start[group], last):
            outermost[place] = reached <= member[place]
            reached = max(reached, end[member[place]])
    return found


def member_sums(
    const int64_t[::1] member, const int64_t[::1] start, const int32_t[::1] end, const int64_t[::1] outer,
    const int64_t[:, ::1] weights, const int64_t[::1] acts, quotes, const double[::1] larger_around,
    const double[::1] log_text
):
    """See `extractors.records.groups.stats`."""
    cdef const unsigned char[::1] quoted = quotes.view(np.uint8)
    cdef Py_ssize_t several = member.shape[0], number = start.shape[0], group, place, last
    cdef int64_t at, top, reached
    found = np.zeros((9, number))
    cdef double[:, ::1] sums = found
    for group in range(number):
        last = start[group + 1] if group + 1 < number else several
        reached = 0
        for place in range(start[group], last):
            at, top = member[place], outer[place]
            sums[0, group] += log_text[place]
            sums[1, group] += 1 - <double> weights[1, at] / <double> max(weights[0, at], 1)
            sums[2, group] += larger_around[place]
            sums[3, group] += quoted[at]
            sums[4, group] += <double> weights[0, at] / <double> max(weights[0, top], 1)
            sums[5, group] += acts[at] > 0
            sums[6, group] += acts[top] > 0
            sums[7, group] += acts[top] == 1
            if reached <= at:
                reached = end[at]
                sums[8, group] += acts[at]
    return found
