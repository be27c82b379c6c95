"""Symmetric decision trees, 64 rows at a time in registers of 512 bits; see `forest.pxi` for other processors.

A comparison gives one bit for each row. The leaves of a tree are in up to four registers, from which they are selected by number,
and are summed in the order of the trees: the same sums, bit for bit.
"""

cdef extern from *:
    """
    #include <stdint.h>
    #include <stddef.h>

    enum { TOPICRAWL_WIDE_DEPTH = 6 };

    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
    #include <immintrin.h>
    #define WIDE __attribute__((target("avx512f,avx512bw")))

    static int topicrawl_has_wide(void) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    }

    WIDE static void topicrawl_answer_wide(
        const float *values, const float *thresholds, ptrdiff_t questions, uint64_t *answers
    ) {
        __m512 one = _mm512_loadu_ps(values), two = _mm512_loadu_ps(values + 16);
        __m512 three = _mm512_loadu_ps(values + 32), four = _mm512_loadu_ps(values + 48);
        for (ptrdiff_t question = 0; question < questions; question++) {
            __m512 threshold = _mm512_set1_ps(thresholds[question]);
            answers[question] = (uint64_t) _mm512_cmp_ps_mask(one, threshold, _CMP_GT_OQ)
                | (uint64_t) _mm512_cmp_ps_mask(two, threshold, _CMP_GT_OQ) << 16
                | (uint64_t) _mm512_cmp_ps_mask(three, threshold, _CMP_GT_OQ) << 32
                | (uint64_t) _mm512_cmp_ps_mask(four, threshold, _CMP_GT_OQ) << 48;
        }
    }

    /* sixteen rows of the tree; the numbers of their leaves are part PART of `leaf` */
    #define ADD_LEAVES(PART) { \
        __m512i number = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(leaf, PART)); \
        __m512 low = _mm512_permutex2var_ps(parts[0], number, parts[1]); \
        __m512 high = _mm512_permutex2var_ps(parts[2], number, parts[3]); \
        __mmask16 is_high = _mm512_test_epi32_mask(number, _mm512_set1_epi32(32)); \
        total[PART] = _mm512_add_ps(total[PART], _mm512_mask_blend_ps(is_high, low, high)); \
    }

    WIDE static void topicrawl_add_trees_wide(
        const uint64_t *answers, const int32_t *questions, ptrdiff_t trees, int depth, const float *leaves, float *sums
    ) {
        __m512 total[4], parts[4];
        __mmask16 filled[4];
        const __m512i one = _mm512_set1_epi8(1);
        for (int part = 0; part < 4; part++) {
            int left = (1 << depth) - 16 * part;
            filled[part] = (__mmask16) (left >= 16 ? 0xFFFF : left > 0 ? (1 << left) - 1 : 0);
            total[part] = _mm512_loadu_ps(sums + 16 * part);
        }
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaves += (ptrdiff_t) 1 << depth) {
            __m512i leaf = _mm512_setzero_si512();
            for (int level = depth - 1; level >= 0; level--) {
                leaf = _mm512_add_epi8(leaf, leaf);
                leaf = _mm512_mask_add_epi8(leaf, answers[questions[level * trees + tree]], leaf, one);
            }
            for (int part = 0; part < 4; part++) parts[part] = _mm512_maskz_loadu_ps(filled[part], leaves + 16 * part);
            ADD_LEAVES(0)
            ADD_LEAVES(1)
            ADD_LEAVES(2)
            ADD_LEAVES(3)
        }
        for (int part = 0; part < 4; part++) _mm512_storeu_ps(sums + 16 * part, total[part]);
    }
    #else
    static int topicrawl_has_wide(void) { return 0; }
    static void topicrawl_answer_wide(const float *a, const float *b, ptrdiff_t c, uint64_t *d) {}
    static void topicrawl_add_trees_wide(
        const uint64_t *a, const int32_t *b, ptrdiff_t c, int d, const float *e, float *f
    ) {}
    #endif
    """
    enum:
        TOPICRAWL_WIDE_DEPTH
    bint topicrawl_has_wide() noexcept nogil
    void topicrawl_answer_wide(const float*, const float*, Py_ssize_t, uint64_t*) noexcept nogil
    void topicrawl_add_trees_wide(
        const uint64_t*, const int32_t*, Py_ssize_t, int, const float*, float*
    ) noexcept nogil


cdef bint _IS_WIDE = topicrawl_has_wide()


def wide_registers(bint wanted):
    """Enable or disable the wide registers; returns whether they are used, which needs a processor that has them."""
    global _IS_WIDE
    _IS_WIDE = wanted and topicrawl_has_wide()
    return _IS_WIDE
