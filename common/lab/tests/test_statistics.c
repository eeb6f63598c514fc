/* Medians, and intervals that cover as often as they say. */
#include "base/draw/draw.h"
#include "base/test.h"
#include "lab/judge/measure/measure.h"

static void test_median(void **state) {
    double odd[] = {5, 1, 9}, even[] = {4, 1, 3, 2}, one[] = {7};
    assert_true(statistics_median(odd, 3) == 5);
    assert_true(statistics_median(even, 4) == 2.5);
    assert_true(statistics_median(one, 1) == 7);
}

/* Tables of the sign test give these ranks (from 1) for 95 %. */
static void test_known_ranks(void **state) {
    static const struct {
        size_t count;
        double low, high;
    } known[] = {{6, 1, 6}, {8, 1, 8}, {9, 2, 8}, {20, 6, 15}, {30, 10, 21}, {31, 10, 22}, {100, 40, 61}};
    double sorted[100], interval[2];
    for (int i = 0; i < 100; i++)
        sorted[i] = i + 1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(statistics_median_interval(sorted, known[i].count, interval));
        assert_true(interval[0] == known[i].low && interval[1] == known[i].high);
    }
    assert_false(statistics_median_interval(sorted, 5, interval));
    assert_false(statistics_median_interval(sorted, 1, interval));
}

/* Over many samples of 31 from a skewed distribution of known median, at least 95 % of the intervals hold it.
 */
static void test_coverage(void **state) {
    unsigned held = 0, samples = 4000;
    struct draw draw;
    draw_begin(&draw, &(struct draw_key){{1}});
    for (uint32_t s = 0; s < samples; s++) {
        double values[31], interval[2];
        for (uint32_t i = 0; i < 31; i++) {
            double u = (double)draw_number(&draw) / 18446744073709551616.0;
            values[i] = u * u; /* median 0.25 */
        }
        statistics_median(values, 31);
        assert_true(statistics_median_interval(values, 31, interval));
        held += interval[0] <= 0.25 && 0.25 <= interval[1];
    }
    assert_true(held >= samples * 945 / 1000);
    assert_true(held <= samples * 985 / 1000);
}

TESTS(UNIT(test_median), UNIT(test_known_ranks), UNIT(test_coverage))
