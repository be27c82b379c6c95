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
