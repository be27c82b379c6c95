"""Which titles of a list can be near enough by their marks and signatures; see `extractors.titles.marks`.

No branch of the loops over titles depends on what is read, so that many reads from far apart are under way at once.
"""

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define TOPICRAWL_POPCOUNT(bits) __builtin_popcountll(bits)
    #else
    static int topicrawl_popcount(uint64_t bits) {
        bits -= (bits >> 1) & 0x5555555555555555ULL;
        bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL);
        return (int) ((((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
    }
    #define TOPICRAWL_POPCOUNT(bits) topicrawl_popcount(bits)
    #endif
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

    enum { TOPICRAWL_TITLES = 1024, TOPICRAWL_BITS = 27, TOPICRAWL_CLASSES = 32 };

    /* which of the titles have a mark of a class that is below the one for as many bits as it shares with the mask; how many */
    WIDEST static ptrdiff_t topicrawl_sharing(
        const uint32_t *marks, ptrdiff_t number, uint32_t mask, const uint32_t *classes, uint32_t *kept
    ) {
        ptrdiff_t left = 0;
        for (ptrdiff_t at = 0; at < number; at++) {
            kept[left] = (uint32_t) at;
            left += marks[at] >> TOPICRAWL_BITS < classes[TOPICRAWL_POPCOUNT(marks[at] & mask)];
        }
        return left;
    }

    /* those of the kept whose marks share bits that carry what their class needs, as places and their marks; how many. Their
       signatures are on their way into the cache then. */
    WIDEST TOPICRAWL_VECTORS static ptrdiff_t topicrawl_carrying(
        const uint32_t *listed, const uint32_t *marks, const uint32_t *kept, ptrdiff_t number, const uint64_t *signatures,
        const uint32_t *terms, const double *squares, ptrdiff_t asked, const double *needs, uint32_t *places, uint32_t *own
    ) {
        double masses[TOPICRAWL_TITLES];
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
            left += masses[at] >= needs[own[at] >> TOPICRAWL_BITS];
        }
        for (ptrdiff_t at = 0; at < left; at++)
            TOPICRAWL_PREFETCH(&signatures[places[at]]);
        return left;
    }

    /* those of the places whose signatures too share bits that carry what their class needs, and what each needs; how many */
    WIDEST TOPICRAWL_VECTORS static ptrdiff_t topicrawl_signed(
        uint32_t *places, const uint32_t *own, ptrdiff_t number, const uint64_t *signatures, const uint32_t *terms,
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
            places[near] = places[at];
            needed[near] = needs[own[at] >> TOPICRAWL_BITS];
            near += masses[at] >= needed[near];
        }
        return near;
    }
    """
    enum: TOPICRAWL_TITLES
    enum: TOPICRAWL_BITS
    enum: TOPICRAWL_CLASSES
    Py_ssize_t topicrawl_sharing(const uint32_t*, Py_ssize_t, uint32_t, const uint32_t*, uint32_t*) noexcept nogil
    Py_ssize_t topicrawl_carrying(
        const uint32_t*, const uint32_t*, const uint32_t*, Py_ssize_t, const uint64_t*, const uint32_t*, const double*,
        Py_ssize_t, const double*, uint32_t*, uint32_t*
    ) noexcept nogil
    Py_ssize_t topicrawl_signed(
        uint32_t*, const uint32_t*, Py_ssize_t, const uint64_t*, const uint32_t*, const double*, Py_ssize_t, const double*, double*
    ) noexcept nogil
    void TOPICRAWL_PREFETCH(const void*) noexcept nogil
    int TOPICRAWL_POPCOUNT(uint64_t) noexcept nogil
