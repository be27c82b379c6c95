"""Titles whose wordings cannot agree; see `extractors.titles.wording_bound`."""

cdef enum:
    MOST_LETTERS = 200
    LETTER_SLOTS = 512
    AHEAD = 16


cdef extern from "<math.h>" nogil:
    double log1p(double)


cdef struct SeenLetter:
    # a letter or a pair of letters, its count in a title, and the last of the other titles with it
    uint64_t key
    uint32_t times
    uint32_t seen


cdef SeenLetter* letter_slot(SeenLetter* slots, uint64_t key, uint32_t since) noexcept:
    """The slot with this key, or a free slot: one unused since title `since`."""
    cdef uint32_t at = <uint32_t> (key * <uint64_t> 0x9E3779B97F4A7C15 >> 55)
    while slots[at].seen >= since and slots[at].key != key:
        at = (at + 1) & (LETTER_SLOTS - 1)
    return &slots[at]


cdef double han_of(const Py_UCS4* letters, Py_ssize_t number, Py_ssize_t* han) noexcept:
    cdef Py_ssize_t at
    cdef Py_UCS4 letter
    han[0] = 0
    for at in range(number):
        letter = letters[at]
        han[0] += 0x3400 <= letter <= 0x4dbf or 0x4e00 <= letter <= 0x9fff or 0xf900 <= letter <= 0xfaff
    return <double> han[0] + <double> (number - han[0]) / 4


cdef Py_ssize_t append_letters(str text, Py_UCS4* letters, Py_ssize_t number) noexcept:
    """The number of letters including the text's, or one above the maximum."""
    cdef Py_ssize_t at, several = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if number + several > MOST_LETTERS:
        return MOST_LETTERS + 1
    for at in range(several):
        letters[number + at] = PyUnicode_READ(kind, data, at)
    return number + several


cdef struct Wording:
    # a title's letters, their length, its distinct pairs, and all of these by key
    Py_UCS4[MOST_LETTERS] letters
    Py_ssize_t number, han, pairs
    double length
    SeenLetter[LETTER_SLOTS] of_letters, of_pairs, of_others


cdef void read_wording(Wording* one) noexcept:
    cdef Py_ssize_t at
    cdef SeenLetter* slot
    memset(one.of_letters, 0, sizeof(one.of_letters))
    memset(one.of_pairs, 0, sizeof(one.of_pairs))
    memset(one.of_others, 0, sizeof(one.of_others))
    one.length, one.pairs = han_of(one.letters, one.number, &one.han), 0
    for at in range(one.number):
        slot = letter_slot(one.of_letters, <uint64_t> one.letters[at], 1)
        slot.key, slot.seen = <uint64_t> one.letters[at], 1
        slot.times += 1
        if at:
            slot = letter_slot(one.of_pairs, pair_at(one.letters, at), 1)
            one.pairs += not slot.seen
            slot.key, slot.seen = pair_at(one.letters, at), 1


cdef inline uint64_t pair_at(const Py_UCS4* letters, Py_ssize_t at) noexcept:
    return <uint64_t> letters[at - 1] << 32 | <uint64_t> letters[at]


cdef struct Common:
    # another title's distinct pairs of letters, shared pairs, common letters, and strange letters
    Py_ssize_t pairs, shared, known, strange


cdef Common compare_letters(Wording* one, const Py_UCS4* letters, Py_ssize_t number, uint32_t turn) noexcept:
    """turn: above 1, a different number for each compared title."""
    cdef Py_ssize_t at
    cdef SeenLetter* slot
    cdef Common found = Common(0, 0, 0, 0)
    for at in range(number):
        slot = letter_slot(one.of_letters, <uint64_t> letters[at], 1)
        if not slot.seen:
            found.strange += 1
        elif slot.seen != turn:
            slot.seen = turn
            found.known += slot.times
        if not at:
            continue
        slot = letter_slot(one.of_others, pair_at(letters, at), turn)
        if slot.seen == turn:
            continue
        slot.key, slot.seen = pair_at(letters, at), turn
        found.pairs += 1
        found.shared += letter_slot(one.of_pairs, pair_at(letters, at), 1).seen == 1
    return found


cdef double wording_bound(
    Wording* one, const Py_UCS4* letters, Py_ssize_t number, uint32_t turn, double cosine, const double[:, ::1] models,
    const double** model
) noexcept:
    """An upper bound of the score of a title's wording, without lacking and added terms; and its model."""
    cdef Py_ssize_t han
    cdef double length = han_of(letters, number, &han), score
    cdef Common common = compare_letters(one, letters, number, turn)
    if length < one.length:
        model[0] = &models[0 if 2 * han >= number else 1, 0]
    else:
        model[0] = &models[0 if 2 * one.han >= one.number else 1, 0]
    score = model[0][6] + model[0][0] * cosine
    score += model[0][1] * (<double> common.shared / sqrt(<double> (one.pairs * common.pairs)))
    score += model[0][2] * (<double> common.shared / <double> min(one.pairs, common.pairs))
    score += model[0][3] * max(
        <double> (one.number - common.known) / <double> one.number, <double> common.strange / <double> number
    )
    score += model[0][4] * log1p(min(one.length, length))
    return score + model[0][5] * (<double> min(one.number, number) / <double> max(one.number, number))


cdef void fetch_names(
    list places, const uint8_t[::1] letters, const uint32_t[::1] begins, const uint32_t[::1] starts, const uint32_t[::1] terms
):
    """Prefetch the names of titles, which are scattered in memory."""
    cdef Py_ssize_t place, term, titles = starts.shape[0] - 1, turn
    for turn in range(2):
        for place in places:
            if 0 <= place < titles:
                for term in range(starts[place], starts[place + 1]):
                    if terms[term] + 1 >= <uint32_t> begins.shape[0]:
                        continue
                    if turn:
                        TOPICRAWL_PREFETCH(&letters[begins[terms[term]]])
                    else:
                        TOPICRAWL_PREFETCH(&begins[terms[term]])


cdef Py_ssize_t append_name(const uint8_t* code, Py_ssize_t size, Py_UCS4* letters, Py_ssize_t number) noexcept:
    """The number of letters including those of a UTF-8 text, or one above the maximum."""
    cdef Py_ssize_t at = 0
    while at < size:
        if number == MOST_LETTERS:
            return MOST_LETTERS + 1
        at += code_letter(code + at, <uint32_t*> &letters[number])
        number += 1
    return number


def unlike_wordings(
    str letters, list numbers, Py_ssize_t strangers, list places, list cosines, const double[:, ::1] models,
    const uint8_t[::1] name_letters, const uint32_t[::1] begins, const uint32_t[::1] starts, const uint32_t[::1] terms
):
    cdef Py_ssize_t several = len(numbers), titles = starts.shape[0] - 1, at, term, number, place, other, mine, theirs
    cdef Py_UCS4[MOST_LETTERS] own
    cdef const double* model
    cdef double cosine, score
    cdef uint64_t mask = 0
    cdef uint32_t begin
    cdef list found = []
    if models.shape[0] != 2 or models.shape[1] != 9 or len(places) != len(cosines):
        raise ValueError("weights, places and cosines do not fit")
    cdef Wording* one = <Wording*> malloc(sizeof(Wording) + 2 * several * sizeof(uint32_t))
    if one == NULL:
        raise MemoryError
    cdef uint32_t* asked = <uint32_t*> (one + 1)
    cdef uint32_t* last = asked + several
    try:
        one.number = append_letters(letters, one.letters, 0)
        if not 1 < one.number <= MOST_LETTERS:
            return [False] * len(places)
        read_wording(one)
        for at in range(several):
            asked[at], last[at] = numbers[at], 0
            mask |= <uint64_t> 1 << (asked[at] & 63)
        for at in range(len(places)):
            if not at % AHEAD:
                fetch_names(places[at : at + AHEAD], name_letters, begins, starts, terms)
            place, cosine, number = places[at], cosines[at], 0
            if not 0 <= place < titles:
                raise IndexError("a title that is not there")
            mine, theirs = several + strangers, 0
            for term in range(starts[place], starts[place + 1]):
                if terms[term] + 1 >= <uint32_t> begins.shape[0]:
                    raise IndexError("a term that is not there")
                if number <= MOST_LETTERS:
                    begin = begins[terms[term]]
                    number = append_name(&name_letters[begin], begins[terms[term] + 1] - begin, own, number)
                other = several
                if mask >> (terms[term] & 63) & 1:
                    for other in range(several):
                        if asked[other] == terms[term]:
                            break
                    else:
                        other = several
                if other == several:
                    theirs += 1
                elif last[other] != <uint32_t> at + 1:
                    last[other] = <uint32_t> at + 1
                    mine -= 1
            if cosine > 0.999999 or not 1 < number <= MOST_LETTERS or (
                number == one.number and not memcmp(own, one.letters, number * sizeof(Py_UCS4))
            ):
                found.append(False)
                continue
            score = wording_bound(one, own, number, <uint32_t> at + 2, cosine, models, &model)
            score += model[7] * <double> min(mine, theirs) + model[8] * <double> (mine == 0 or theirs == 0)
            found.append(score < 0)
    finally:
        free(one)
    return found
