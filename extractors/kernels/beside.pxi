"""What is left out of the text that is taken; see `extractors.article.beside` and `extractors.article.copies`."""


def without_beside(
    const float[:, :] features, Py_ssize_t comments, const int64_t[::1] parts, const float[::1] probability,
    const unsigned char[::1] taken, const int64_t[::1] length, float sure, float comment, double article, double rest
):
    """bool[B]: the taken blocks without comments that stand beside an article, and without those for which a feature of
    `parts` is set, if enough is left."""
    cdef Py_ssize_t number = length.shape[0], block, part
    cdef int64_t of_article = 0, all_text = 0, left = 0
    cdef bint any_sure = False
    if taken.shape[0] != number or probability.shape[0] != number or features.shape[1] != number:
        raise ValueError("it must be said of every block")
    if not 0 <= comments < features.shape[0]:
        raise ValueError("a feature that is not there")
    for part in range(parts.shape[0]):
        if not 0 <= parts[part] < features.shape[0]:
            raise ValueError("a feature that is not there")
    read_of, rest_of = np.empty(number, np.bool_), np.empty(number, np.bool_)
    cdef unsigned char[::1] read = read_of.view(np.uint8), others = rest_of.view(np.uint8)
    for block in range(number):
        if taken[block]:
            all_text += length[block]
            if features[comments, block] <= 0 and probability[block] >= sure:
                any_sure = True
                of_article += length[block]
    any_sure = any_sure and <double> of_article >= article * <double> all_text
    all_text = 0
    for block in range(number):
        read[block] = taken[block]
        if any_sure and features[comments, block] > 0 and probability[block] < comment:
            read[block] = False
        others[block] = read[block]
        for part in range(parts.shape[0]):
            if features[parts[part], block] > 0:
                others[block] = False
        all_text += length[block] if read[block] else 0
        left += length[block] if others[block] else 0
    return rest_of if <double> left >= rest * <double> all_text else read_of


def is_much(const unsigned char[::1] part, const unsigned char[::1] taken, const int64_t[::1] length, double share):
    """Whether there is a part, and it has this share of the text that is taken."""
    cdef Py_ssize_t number = length.shape[0], block
    cdef int64_t held = 0, all_text = 0
    cdef bint is_any = False
    if taken.shape[0] != number or part.shape[0] != number:
        raise ValueError("it must be said of every block")
    for block in range(number):
        is_any |= part[block]
        held += length[block] if part[block] else 0
        all_text += length[block] if taken[block] else 0
    return is_any and <double> held >= share * <double> all_text
