"""The titles of a list that may be near by the bits of their marks; see `extractors.titles.list_marks`.

With registers of 256 bits eight marks are read at a time, with the same result.
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

    enum { TOPICRAWL_BITS = 27, TOPICRAWL_EIGHT = 8 };

    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
    #include <immintrin.h>

    /* for each of the 256 subsets of eight titles, the numbers of its members, a byte each */
    static uint64_t topicrawl_sets[256];

    static void topicrawl_list_sets(void) {
        for (int set = 1; set < 256; set++)
            for (int at = TOPICRAWL_EIGHT - 1; at >= 0; at--)
                if (set >> at & 1)
                    topicrawl_sets[set] = topicrawl_sets[set] << 8 | (uint64_t) at;
    }

    __attribute__((target("avx2,popcnt"))) static ptrdiff_t topicrawl_sharing_eights(
        const uint32_t *marks, ptrdiff_t eights, uint32_t mask, const uint32_t *classes, uint32_t *kept
    ) {
        uint8_t limits[32] = {0};
        const __m256i ones = _mm256_set1_epi8(1), nibble = _mm256_set1_epi8(15), last = _mm256_set1_epi32(15);
        const __m256i counts = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
        );
        const __m256i wanted = _mm256_set1_epi32((int) mask);
        ptrdiff_t left = 0;
        for (int bits = 0; bits <= TOPICRAWL_BITS; bits++)
            limits[bits] = (uint8_t) classes[bits];
        const __m256i few = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *) limits));
        const __m256i many = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *) (limits + 16)));
        for (ptrdiff_t at = 0; at < TOPICRAWL_EIGHT * eights; at += TOPICRAWL_EIGHT) {
            const __m256i read = _mm256_loadu_si256((const __m256i *) (marks + at)), shared = _mm256_and_si256(read, wanted);
            const __m256i low = _mm256_shuffle_epi8(counts, _mm256_and_si256(shared, nibble));
            const __m256i high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(shared, 4), nibble));
            const __m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), ones);
            const __m256i number = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
            const __m256i limit = _mm256_blendv_epi8(
                _mm256_shuffle_epi8(few, number), _mm256_shuffle_epi8(many, number), _mm256_cmpgt_epi32(number, last)
            );
            const __m256i above = _mm256_cmpgt_epi32(
                _mm256_and_si256(limit, _mm256_set1_epi32(255)), _mm256_srli_epi32(read, TOPICRAWL_BITS)
            );
            const int set = _mm256_movemask_ps(_mm256_castsi256_ps(above));
            const __m256i places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long) topicrawl_sets[set]));
            _mm256_storeu_si256((__m256i *) (kept + left), _mm256_add_epi32(places, _mm256_set1_epi32((int) at)));
            left += __builtin_popcount((unsigned) set);
        }
        return left;
    }

    static int topicrawl_has_eights(void) {
        if (!topicrawl_sets[1 << 1])
            topicrawl_list_sets();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    }
    #else
    #define topicrawl_has_eights() 0
    #define topicrawl_sharing_eights(marks, eights, mask, classes, kept) 0
    #endif

    /* the titles whose mark has a class below the limit for its number of bits shared with the mask; returns their number.
       `kept` needs space for eight more than the number of titles. */
    WIDEST static ptrdiff_t topicrawl_sharing(
        const uint32_t *marks, ptrdiff_t number, uint32_t mask, const uint32_t *classes, uint32_t *kept
    ) {
        ptrdiff_t eights = number >= 4 * TOPICRAWL_EIGHT && topicrawl_has_eights() ? number / TOPICRAWL_EIGHT : 0;
        ptrdiff_t left = eights ? topicrawl_sharing_eights(marks, eights, mask, classes, kept) : 0;
        for (ptrdiff_t at = TOPICRAWL_EIGHT * eights; at < number; at++) {
            kept[left] = (uint32_t) at;
            left += marks[at] >> TOPICRAWL_BITS < classes[TOPICRAWL_POPCOUNT(marks[at] & mask)];
        }
        return left;
    }
    """
    enum: TOPICRAWL_BITS
    enum: TOPICRAWL_EIGHT
    Py_ssize_t topicrawl_sharing(const uint32_t*, Py_ssize_t, uint32_t, const uint32_t*, uint32_t*) noexcept nogil
    int TOPICRAWL_POPCOUNT(uint64_t) noexcept nogil
