"""The titles of a list that can be near enough by their marks and signatures; see `extractors.titles.list_marks`.

No branch of the loops over titles depends on the data, so that many scattered reads run in parallel.
"""

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define TOPICRAWL_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define TOPICRAWL_PREFETCH(address)
    #endif
    #if defined(__GNUC__) && !defined(__clang__)
    #define TOPICRAWL_VECTORS __attribute__((optimize("O3")))
    #else
    #define TOPICRAWL_VECTORS
    #endif

    enum { TOPICRAWL_TITLES = 1024, TOPICRAWL_CLASSES = 32 };

    /* the kept titles whose marks share bits that carry the mass that their class needs: places, marks and masses; returns
       their number */
    WIDEST TOPICRAWL_VECTORS static ptrdiff_t topicrawl_carrying(
        const uint32_t *listed, const uint32_t *marks, const uint32_t *kept, ptrdiff_t number, const uint32_t *terms,
        const double *squares, ptrdiff_t asked, const double *needs, uint32_t *places, uint32_t *own, double *masses
    ) {
        ptrdiff_t left = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            own[at] = marks[kept[at]];
            masses[at] = 0.0;
        }
        for (ptrdiff_t term = 0; term < asked; term++) {
            const uint32_t bit = terms[term] % TOPICRAWL_BITS;
            const double square = squares[term];
            for (ptrdiff_t at = 0; at < number; at++)
                masses[at] += (double) (int32_t) (own[at] >> bit & 1) * square;
        }
        for (ptrdiff_t at = 0; at < number; at++) {
            own[left] = own[at];
            places[left] = listed[kept[at]];
            const double carried = masses[at];
            masses[left] = carried;
            left += carried >= needs[own[at] >> TOPICRAWL_BITS];
        }
        return left;
    }

    /* the places inside the window, or with the mass needed outside; returns their number, and sets which are outside */
    static ptrdiff_t topicrawl_inside(
        uint32_t *places, uint32_t *own, const double *masses, ptrdiff_t number, const int32_t *days, int64_t day, int64_t width,
        const double *outer, uint8_t *far
    ) {
        ptrdiff_t left = 0;
        for (ptrdiff_t at = 0; at < number; at++)
            TOPICRAWL_PREFETCH(&days[places[at]]);
        for (ptrdiff_t at = 0; at < number; at++) {
            const int64_t known = days[places[at]], apart = known > day ? known - day : day - known;
            const int outside = (known != 0) & (apart > width);
            const int enough = masses[at] >= outer[own[at] >> TOPICRAWL_BITS];
            places[left] = places[at];
            own[left] = own[at];
            far[left] = (uint8_t) outside;
            left += outside <= enough;
        }
        return left;
    }

    /* the places whose signatures also share bits that carry the mass that their class needs, inside or outside, and the need
       of each; returns their number */
    WIDEST TOPICRAWL_VECTORS static ptrdiff_t topicrawl_signed(
        uint32_t *places, const uint32_t *own, uint8_t *far, ptrdiff_t number, const uint64_t *signatures, const uint32_t *terms,
        const double *squares, ptrdiff_t asked, const double *needs, double *needed
    ) {
        double masses[TOPICRAWL_TITLES];
        uint64_t signed_[TOPICRAWL_TITLES];
        ptrdiff_t near = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            signed_[at] = signatures[places[at]];
            masses[at] = 0.0;
        }
        for (ptrdiff_t term = 0; term < asked; term++) {
            const uint32_t bit = terms[term] % TOPICRAWL_BITS, low = terms[term] & 63;
            const double square = squares[term];
            for (ptrdiff_t at = 0; at < number; at++)
                masses[at] += (double) (int32_t) (own[at] >> bit & signed_[at] >> low & 1) * square;
        }
        for (ptrdiff_t at = 0; at < number; at++) {
            const double enough = needs[(ptrdiff_t) far[at] * TOPICRAWL_CLASSES + (own[at] >> TOPICRAWL_BITS)];
            places[near] = places[at];
            far[near] = far[at];
            needed[near] = enough;
            near += masses[at] >= enough;
        }
        return near;
    }
    """
    enum: TOPICRAWL_TITLES
    enum: TOPICRAWL_CLASSES
    Py_ssize_t topicrawl_carrying(
        const uint32_t*, const uint32_t*, const uint32_t*, Py_ssize_t, const uint32_t*, const double*, Py_ssize_t, const double*,
        uint32_t*, uint32_t*, double*
    ) noexcept nogil
    Py_ssize_t topicrawl_inside(
        uint32_t*, uint32_t*, const double*, Py_ssize_t, const int32_t*, int64_t, int64_t, const double*, uint8_t*
    ) noexcept nogil
    Py_ssize_t topicrawl_signed(
        uint32_t*, const uint32_t*, uint8_t*, Py_ssize_t, const uint64_t*, const uint32_t*, const double*, Py_ssize_t, const double*,
        double*
    ) noexcept nogil
    void TOPICRAWL_PREFETCH(const void*) noexcept nogil
