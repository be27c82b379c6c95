"""What is left out of the main text; see `extractors.article.boilerplate` and `extractors.article.duplicates`."""


def drop_comments_and_parts(
    const float[:, :] features, Py_ssize_t comments, const int64_t[::1] parts, const float[::1] probability,
    chosen, const int64_t[::1] length, float sure, float comment, double article, double least
):
    cdef const unsigned char[::1] taken = chosen.view(np.uint8)
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
    without_comments, without_parts = np.empty(number, np.bool_), np.empty(number, np.bool_)
    cdef unsigned char[::1] read = without_comments.view(np.uint8), others = without_parts.view(np.uint8)
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
    return without_parts if <double> left >= least * <double> all_text else without_comments


def has_share(some, chosen, const int64_t[::1] length, double share):
    cdef const unsigned char[::1] part = some.view(np.uint8), taken = chosen.view(np.uint8)
    cdef Py_ssize_t number = length.shape[0], block
    cdef int64_t held = 0, all_text = 0
    cdef bint is_any = False
    if taken.shape[0] != number or part.shape[0] != number:
        raise ValueError("it must be said of every block")
    for block in range(number):
        is_any |= part[block]
        held += length[block] if part[block] else 0
        all_text += length[block] if taken[block] else 0
    return bool(is_any and <double> held >= share * <double> all_text)
