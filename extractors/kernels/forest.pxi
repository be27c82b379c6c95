"""Symmetric decision trees, several rows at a time; see `extractors.kernels.forest`. `forest_wide.pxi` takes 64 at once
if the processor has the registers for it.

The leaves of a row are summed in the order of the trees, as numpy does: the same sums, bit for bit.
"""

cdef extern from *:
    """
    #include <stdint.h>
    #include <stddef.h>

    /* use wider registers if compiler and C library can select them at load time */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
    #define WIDEST __attribute__((target_clones("avx2", "default")))
    #else
    #define WIDEST
    #endif

    /* ROWS rows at once; a compile-time constant, so that loops over rows become few instructions */
    #define FOREST(ROWS) \
    WIDEST static void topicrawl_answer_##ROWS( \
        const float *values, const float *thresholds, ptrdiff_t questions, uint8_t *restrict answers \
    ) { \
        for (ptrdiff_t question = 0; question < questions; question++, answers += ROWS) \
            for (int row = 0; row < ROWS; row++) answers[row] = values[row] > thresholds[question]; \
    } \
    WIDEST static void topicrawl_add_trees_##ROWS( \
        const uint8_t *answers, const int32_t *questions, ptrdiff_t trees, int depth, const float *leaves, \
        float *restrict sums \
    ) { \
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaves += (ptrdiff_t) 1 << depth) { \
            uint8_t leaf[ROWS] = {0}; \
            for (int level = depth - 1; level >= 0; level--) { \
                const uint8_t *said = answers + (ptrdiff_t) questions[level * trees + tree] * ROWS; \
                for (int row = 0; row < ROWS; row++) leaf[row] = (uint8_t) (leaf[row] + leaf[row] + said[row]); \
            } \
            for (int row = 0; row < ROWS; row++) sums[row] += leaves[leaf[row]]; \
        } \
    }
    FOREST(8)
    FOREST(16)
    FOREST(32)
    FOREST(64)
    """
    void topicrawl_answer_8(const float*, const float*, Py_ssize_t, unsigned char*) noexcept nogil
    void topicrawl_answer_16(const float*, const float*, Py_ssize_t, unsigned char*) noexcept nogil
    void topicrawl_answer_32(const float*, const float*, Py_ssize_t, unsigned char*) noexcept nogil
    void topicrawl_answer_64(const float*, const float*, Py_ssize_t, unsigned char*) noexcept nogil
    void topicrawl_add_trees_8(
        const unsigned char*, const int32_t*, Py_ssize_t, int, const float*, float*
    ) noexcept nogil
    void topicrawl_add_trees_16(
        const unsigned char*, const int32_t*, Py_ssize_t, int, const float*, float*
    ) noexcept nogil
    void topicrawl_add_trees_32(
        const unsigned char*, const int32_t*, Py_ssize_t, int, const float*, float*
    ) noexcept nogil
    void topicrawl_add_trees_64(
        const unsigned char*, const int32_t*, Py_ssize_t, int, const float*, float*
    ) noexcept nogil


cdef void answer(
    Py_ssize_t width, const float* values, const float* thresholds, Py_ssize_t questions, unsigned char* answers
) noexcept nogil:
    if width == 8:
        topicrawl_answer_8(values, thresholds, questions, answers)
    elif width == 16:
        topicrawl_answer_16(values, thresholds, questions, answers)
    elif width == 32:
        topicrawl_answer_32(values, thresholds, questions, answers)
    else:
        topicrawl_answer_64(values, thresholds, questions, answers)


cdef void add_trees(
    Py_ssize_t width, const unsigned char* answers, const int32_t* questions, Py_ssize_t trees, int depth,
    const float* leaves, float* sums
) noexcept nogil:
    if width == 8:
        topicrawl_add_trees_8(answers, questions, trees, depth, leaves, sums)
    elif width == 16:
        topicrawl_add_trees_16(answers, questions, trees, depth, leaves, sums)
    elif width == 32:
        topicrawl_add_trees_32(answers, questions, trees, depth, leaves, sums)
    else:
        topicrawl_add_trees_64(answers, questions, trees, depth, leaves, sums)


cdef inline Py_ssize_t width_for(Py_ssize_t rows) noexcept nogil:
    """The number of rows to process together: padding rows cost as much as others."""
    return 8 if rows <= 8 else 16 if rows <= 16 else 32 if rows <= 48 else 64


def leaf_sums(
    const float[:, ::1] features, const int32_t[::1] asked, const float[::1] thresholds, const int32_t[:, ::1] questions,
    const float[:, ::1] leaves
):
    """float32[R]: the sums of the leaves that R rows reach, features[F, R].

    asked, thresholds: the Q distinct comparisons, `features[asked] > threshold`. questions[D, T]: the comparison of
    each tree at each level. leaves[T, 2^D]; D at most 8.
    """
    cdef Py_ssize_t rows = features.shape[1], trees = leaves.shape[0], number = asked.shape[0]
    cdef int depth = <int> questions.shape[0]
    if rows == 0 or trees == 0 or number == 0:
        raise ValueError("a forest needs rows, trees and questions")
    cdef bint wide = _IS_WIDE and depth <= TOPICRAWL_WIDE_DEPTH
    cdef Py_ssize_t width = 64 if wide else width_for(rows), size = 8 if wide else width  # bytes of an answer
    found, answers_of = np.zeros(rows + 64, np.float32), np.empty(number * size, np.uint8)
    cdef unsigned char[::1] answers = answers_of
    cdef float[::1] sums = found
    cdef float[64] padded
    cdef const float* values
    cdef Py_ssize_t start = 0, question, last
    if questions.shape[1] != trees or thresholds.shape[0] != number or leaves.shape[1] != 1 << depth or depth > 8:
        raise ValueError("these are not the parts of one forest")
    for question in range(number):
        if not 0 <= asked[question] < features.shape[0]:
            raise ValueError("a question about a feature that is not there")
    for question in range(depth * trees):
        if not 0 <= (&questions[0, 0])[question] < number:
            raise ValueError("a tree asks a question that is not there")
    memset(padded, 0, sizeof(padded))
    with nogil:
        while start < rows:
            if not wide:
                width = size = width_for(rows - start)
            question = 0
            while question < number:  # comparisons of one feature are adjacent
                last = question
                while last < number and asked[last] == asked[question]:
                    last += 1
                values = &features[asked[question], start]
                if rows - start < width:
                    memcpy(padded, values, (rows - start) * sizeof(float))
                    values = padded
                if wide:
                    topicrawl_answer_wide(
                        values, &thresholds[question], last - question, <uint64_t*> &answers[question * size]
                    )
                else:
                    answer(width, values, &thresholds[question], last - question, &answers[question * size])
                question = last
            if wide:
                topicrawl_add_trees_wide(
                    <uint64_t*> &answers[0], &questions[0, 0], trees, depth, &leaves[0, 0], &sums[start]
                )
            else:
                add_trees(width, &answers[0], &questions[0, 0], trees, depth, &leaves[0, 0], &sums[start])
            start += width
    return found[:rows]


def running_leaf_sums(
    const float[::1] row, const int32_t[:, ::1] feature, const float[:, ::1] threshold, const float[:, ::1] leaves,
    const int32_t[::1] ends
):
    """float64[K]: sums of the leaves of row[F] in the first ends[0], ends[1] ... trees."""
    cdef Py_ssize_t trees = leaves.shape[0], tree, level, leaf, at = 0
    cdef Py_ssize_t depth = feature.shape[1]
    cdef double total = 0
    if (
        feature.shape[0] != trees or threshold.shape[0] != trees or threshold.shape[1] != depth
        or leaves.shape[1] != 1 << depth
    ):
        raise ValueError("these are not the parts of one stack of forests")
    found = np.zeros(ends.shape[0], np.float64)
    cdef double[::1] sums = found
    for tree in range(trees):
        leaf = 0
        for level in range(depth):
            if not 0 <= feature[tree, level] < row.shape[0]:
                raise ValueError("a question about a feature that is not there")
            leaf |= <Py_ssize_t> (row[feature[tree, level]] > threshold[tree, level]) << level
        total += leaves[tree, leaf]
        while at < ends.shape[0] and ends[at] == tree + 1:
            sums[at] = total
            at += 1
    if at != ends.shape[0]:
        raise ValueError("the ends of forests do not ascend to the number of trees")
    return found
