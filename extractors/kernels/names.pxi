"""Names of elements and attributes as numbers, found without a Python object."""

from extractors.html.tags import NOTED, SILENT, TAG

cdef enum:
    SLOTS = 512

_CODES = {name.encode(): code for name, code in TAG.items()}
_NOTED = {name.encode(): number for number, name in enumerate(NOTED, 1)}
cdef int16_t _LINK = TAG["a"]
cdef int16_t _PRE = TAG["pre"]
cdef int16_t _SCRIPT = TAG["script"]
cdef int16_t _HREF = _NOTED[b"href"]
cdef int16_t _TYPE = _NOTED[b"type"]
cdef bint[512] _IS_SILENT
for _place in range(512):
    _IS_SILENT[_place] = _place < len(SILENT) and bool(SILENT[_place])


cdef struct Names:
    # hash table of known names, or of the names of one document, each stored once
    const char* name[SLOTS]
    int16_t code[SLOTS]
    int filled


cdef Names _TAGS, _ATTRIBUTES


cdef int know(Names* table, dict codes) except -1:
    """Store known names; the dict must outlive the look-ups."""
    cdef bytes name
    cdef size_t slot
    if 2 * len(codes) > SLOTS:
        raise ValueError("more names than there is room for")
    memset(table, 0, sizeof(Names))
    for name, code in codes.items():
        slot = slot_of(name)
        while table.name[slot] is not NULL:
            slot = (slot + 1) % SLOTS
        table.name[slot], table.code[slot] = name, code
    return 0


cdef inline size_t slot_of(const char* name) noexcept nogil:
    cdef size_t hashed = 0
    while name[0]:
        hashed = hashed * 31 + <unsigned char> name[0]
        name += 1
    return (hashed ^ hashed >> 9) % SLOTS


cdef int16_t looked_up(const Names* known, const char* name) noexcept nogil:
    cdef size_t slot = slot_of(name)
    while known.name[slot] is not NULL:
        if strcmp(known.name[slot], name) == 0:
            return known.code[slot]
        slot = (slot + 1) % SLOTS
    return 0


cdef inline int16_t number_of(const char* name, Names* met, const Names* known) noexcept nogil:
    """The number of a name, 0 for an unknown name; its slot shows whether it occurred before."""
    cdef size_t slot = ((<size_t> name) >> 3 ^ (<size_t> name) >> 12) % SLOTS
    while met.name[slot] is not NULL:
        if met.name[slot] is name:
            return met.code[slot]
        slot = (slot + 1) % SLOTS
    cdef int16_t code = looked_up(known, name)
    if met.filled < SLOTS // 2:
        met.name[slot], met.code[slot] = name, code
        met.filled += 1
    return code


know(&_TAGS, _CODES)
know(&_ATTRIBUTES, _NOTED)
