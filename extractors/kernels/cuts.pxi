"""Features of the cuts of a page's probabilities; see `extractors.article.cut.cut_table`.

Sums are computed in the order of falling probability, like numpy's running sums. Logarithms are computed by numpy.
"""


def cut_table(
    const float[:, :] features, const int64_t[::1] means, const int64_t[::1] of_page, const float[::1] probability,
    const int64_t[::1] length, const int64_t[::1] order, const float[::1] cuts, const float[::1] bins, float possible
):
    cdef Py_ssize_t number = probability.shape[0], several = means.shape[0], tried = cuts.shape[0]
    cdef Py_ssize_t fixed = 17 + bins.shape[0] + of_page.shape[0], some = 0, kept = 0, cut, block, one, row
    cdef int64_t all_text = 0, possible_text = 0
    cdef double all_hits = 0, size, more, moved
    cdef float laxest, highest
    if not number or not tried or length.shape[0] != number or order.shape[0] != number or features.shape[1] != number:
        raise ValueError("there must be a length and features for every block, and a cut")
    for one in range(several):
        if not 0 <= means[one] < features.shape[0]:
            raise ValueError("a feature that is not there")
    for one in range(of_page.shape[0]):
        if not 0 <= of_page[one] < features.shape[0]:
            raise ValueError("a feature that is not there")
    chosen, counted, spread = np.empty(tried, np.int64), np.zeros(tried, np.int64), np.zeros(bins.shape[0] + 1)
    totals, running_sums = np.empty((tried, several + 3)), np.zeros(several + 3)
    rows = np.empty((fixed + 2 * several, tried))
    cdef double[:, ::1] table = rows
    cdef int64_t[::1] which = chosen, blocks = counted
    cdef double[::1] running = running_sums, histogram = spread
    cdef double[:, ::1] held = totals
    cdef int64_t at
    laxest, highest = cuts[0], probability[0]
    for cut in range(tried):
        laxest = min(laxest, cuts[cut])
    for block in range(number):
        all_text += length[block]
        all_hits += <double> probability[block] * <double> length[block]
        highest = max(highest, probability[block])
        if probability[block] >= possible:
            possible_text += length[block]
        row = 0
        while row < bins.shape[0] and bins[row] <= probability[block]:
            row += 1
        histogram[row] += <double> length[block]
        some += probability[block] >= laxest
    for cut in range(tried):
        for block in range(some):
            blocks[kept] += probability[order[block]] >= cuts[cut]
        for one in range(kept):
            if blocks[one] == blocks[kept]:
                break
        else:
            which[kept] = cut
            kept += 1
            continue
        blocks[kept] = 0
    for block in range(some):
        at = order[block]
        size = <double> length[at]
        for one in range(several):
            running[one] += <double> features[means[one], at] * size
        running[several] += size
        running[several + 1] += <double> probability[at] * size
        running[several + 2] += 1
        for cut in range(kept):
            if blocks[cut] == block + 1:
                held[cut, :] = running
    for cut in range(kept):
        more = 1 if blocks[cut] > blocks[0] else -1
        _cut_amounts(cuts[which[cut]], cuts[0], highest, &held[cut, several], &held[0, several], all_hits, more, cut, table)
        _cut_edges(probability, cuts[which[cut]], cut, table)
        table[7, cut] = held[cut, several] / <double> max(all_text, 1)
        table[8, cut] = held[cut, several + 2] / <double> number
        for one in range(bins.shape[0]):
            table[17 + one, cut] = histogram[one + 1] / <double> max(possible_text, 1)
        for one in range(of_page.shape[0]):
            table[17 + bins.shape[0] + one, cut] = features[of_page[one], 0]
        moved = (held[cut, several] - held[0, several]) * more
        table[6, cut], table[9, cut], table[15, cut] = held[cut, several], held[cut, several + 2], moved * more
        for one in range(several):
            table[fixed + one, cut] = held[cut, one] / max(held[cut, several], 1.0)
            table[fixed + several + one, cut] = (held[cut, one] - held[0, one]) * more / max(moved, 1.0) - (
                1.0 if moved == 0 else 0.0
            )
    return chosen[:kept], rows[:, :kept]


def best_prefix(const float[::1] probability, const int64_t[::1] length, const int64_t[::1] order):
    cdef Py_ssize_t number = order.shape[0], place, best = 0
    cdef double all_hits = 0, hits = 0, f1, highest = -1
    cdef int64_t chars = 0
    for place in range(number):
        all_hits += <double> probability[order[place]] * <double> length[order[place]]
    for place in range(number):
        hits += <double> probability[order[place]] * <double> length[order[place]]
        chars += length[order[place]]
        f1 = 2 * hits / max(<double> chars + all_hits, 1e-9)
        if f1 > highest:
            best, highest = place, f1
    return best


cdef void _cut_amounts(
    float at, float expected, float highest, const double* held, const double* first, double all_hits, double more,
    Py_ssize_t cut, double[:, ::1] table
):
    """The first rows; held and first: characters, expected hits and blocks of this cut and of the expected one."""
    cdef double moved = (held[0] - first[0]) * more
    table[0, cut], table[1, cut], table[2, cut], table[16, cut] = at, expected, at - expected, highest
    table[3, cut] = 2 * held[1] / max(held[0] + all_hits, 1.0)
    table[4, cut] = held[1] / max(held[0], 1.0)
    table[5, cut] = held[1] / max(all_hits, 1.0)
    table[12, cut] = moved / max(first[0], 1.0) * more
    table[13, cut] = (held[1] - first[1]) * more / max(moved, 1.0)
    table[14, cut] = held[2] - first[2]


cdef void _cut_edges(const float[::1] probability, float at, Py_ssize_t cut, double[:, ::1] table):
    """The number of times that chosen text begins or ends inside the page, absolute and relative to the chosen blocks."""
    cdef Py_ssize_t block, edges = 0, taken = probability[0] >= at
    for block in range(1, probability.shape[0]):
        taken += probability[block] >= at
        edges += (probability[block] >= at) != (probability[block - 1] >= at)
    table[10, cut] = <double> edges
    table[11, cut] = <double> edges / <double> max(taken, 1)
