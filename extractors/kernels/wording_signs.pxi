"""Wording signs of two compared titles; see `extractors.titles.wording`."""

cdef enum:
    MOST_COUNTED = 3


cdef Py_ssize_t first_letters(str text, Py_UCS4* letters) noexcept:
    """Copy the letters to compare; returns their number."""
    cdef Py_ssize_t at, number = min(PyUnicode_GET_LENGTH(text), MOST_LETTERS)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    for at in range(number):
        letters[at] = PyUnicode_READ(kind, data, at)
    return number


cdef double han_in(str text, Py_ssize_t* han) noexcept:
    """The length of a text's letters in equivalent Chinese characters."""
    cdef Py_ssize_t at, number = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 letter
    han[0] = 0
    for at in range(number):
        letter = PyUnicode_READ(kind, data, at)
        han[0] += 0x3400 <= letter <= 0x4dbf or 0x4e00 <= letter <= 0x9fff or 0xf900 <= letter <= 0xfaff
    return <double> han[0] + <double> (number - han[0]) / 4


cdef bint is_han(str one, str other) noexcept:
    cdef Py_ssize_t mine, theirs
    if han_in(other, &theirs) < han_in(one, &mine):
        return 2 * theirs >= PyUnicode_GET_LENGTH(other)
    return 2 * mine >= PyUnicode_GET_LENGTH(one)


cdef tuple letter_signs(str one, str other, Wording* mine):
    """The signs of pairs of letters, of strange letters, and of lengths."""
    cdef Py_UCS4[MOST_LETTERS] letters
    cdef Py_ssize_t number = first_letters(other, letters), han
    cdef double length = han_of(letters, number, &han), shared
    cdef Common common
    mine.number = first_letters(one, mine.letters)
    read_wording(mine)
    common = compare_letters(mine, letters, number, 2)
    if mine.number < 2 or number < 2:
        common.shared = one == other
        mine.pairs, common.pairs = max(1, mine.pairs), max(1, common.pairs)
    shared = <double> common.shared
    return (
        shared / sqrt(<double> (mine.pairs * common.pairs)),
        shared / <double> min(mine.pairs, common.pairs),
        max(
            <double> (mine.number - common.known) / <double> max(1, mine.number),
            <double> common.strange / <double> max(1, number),
        ),
        log1p(min(mine.length, length)),
        <double> min(mine.number, number) / <double> max(1, max(mine.number, number)),
    )


cdef Py_ssize_t letters_of(tuple terms, Py_ssize_t begin, Py_ssize_t end):
    """The number of characters of the terms from one place to another."""
    cdef Py_ssize_t at, number = 0
    for at in range(begin, end):
        number += len(<str> terms[at])
    return number


cdef tuple change_signs(tuple one, tuple other, Py_ssize_t shorter):
    """The signs of replaced and added parts."""
    cdef Py_ssize_t mine = len(one), theirs = len(other), least = min(mine, theirs), before = 0, behind = 0
    while before < least and one[before] == other[before]:
        before += 1
    while behind < least - before and one[mine - 1 - behind] == other[theirs - 1 - behind]:
        behind += 1
    mine, theirs = mine - behind, theirs - behind
    cdef bint added = (mine == before) != (theirs == before)
    cdef bint replaced = (
        mine > before and theirs > before and -1 <= mine - theirs <= 1
        and set(one[before:mine]).isdisjoint(other[before:theirs])
    )
    cdef bint small = letters_of(one, before, mine) + letters_of(other, before, theirs) < shorter
    return (
        <double> (replaced and behind > 0 and small), <double> (replaced and before == 0 and small),
        <double> (replaced and behind == 0 and before > 0), <double> added, <double> (added and before > 0 and behind > 0),
    )


cdef Py_ssize_t lacking_terms(tuple terms, tuple others, str letters):
    cdef Py_ssize_t number = 0
    for term in set(terms).difference(others):
        number += term not in letters
    return number


def wording_signs(str one, str other, tuple mine, tuple theirs):
    cdef Wording* wording = <Wording*> malloc(sizeof(Wording))
    cdef str letters = one[:MOST_LETTERS], others = other[:MOST_LETTERS]
    cdef Py_ssize_t first, second, shorter = min(len(letters), len(others))
    cdef tuple read
    if wording == NULL:
        raise MemoryError
    try:
        read = letter_signs(one, other, wording)
    finally:
        free(wording)
    first, second = lacking_terms(mine, theirs, others), lacking_terms(theirs, mine, letters)
    return (
        <double> is_han(one, other), *read, <double> min(first, second), <double> min(<Py_ssize_t> MOST_COUNTED, max(first, second)),
        *change_signs(mine, theirs, shorter), <double> (("回应" in letters) != ("回应" in others)),
    )
