/* test_format.c: the form of numbers of every size. */
#include "report/tests/support_analysis.h"
#include "report/writers/format.h"

#include <math.h>

static void times(void **state) {
    char text[FORMAT_SIZE];
    const struct {
        double us;
        const char *text;
    } cases[] = {
        {105.6, "105.6 us"}, {28.0, "28.00 us"},   {9.9996, "10.00 us"}, {999.96, "1.000 ms"},
        {2742, "2.742 ms"},  {0, "0.000 us"},      {1.5e6, "1.500 s"},   {NAN, "-"},
        {INFINITY, "-"},     {999.94, "999.9 us"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(format_time(text, cases[i].us), cases[i].text);
}

static void counts_ratios_shares(void **state) {
    char text[FORMAT_SIZE];
    assert_string_equal(format_count(text, 0), "0");
    assert_string_equal(format_count(text, 6272), "6272");
    assert_string_equal(format_count(text, 9999), "9999");
    assert_string_equal(format_count(text, 10000), "10.0 k");
    assert_string_equal(format_count(text, 30364232), "30.4 M");
    assert_string_equal(format_count(text, 999999999), "1.00 G");
    assert_string_equal(format_count(text, UINT64_MAX), "18.4 E");
    assert_string_equal(format_grouped(text, 0), "0");
    assert_string_equal(format_grouped(text, 999), "999");
    assert_string_equal(format_grouped(text, 1000), "1,000");
    assert_string_equal(format_grouped(text, 959091984), "959,091,984");
    assert_string_equal(format_grouped(text, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(format_bytes(text, 512), "512 B");
    assert_string_equal(format_bytes(text, 16400000), "16.4 MB");
    assert_string_equal(format_ratio(text, 1.843), "1.84x");
    assert_string_equal(format_ratio(text, 12.47), "12.5x");
    assert_string_equal(format_ratio(text, 133.3), "133x");
    assert_string_equal(format_ratio(text, 0.0994), "0.1x");
    assert_string_equal(format_ratio(text, 0.00347), "0.003x");
    assert_string_equal(format_ratio(text, 0), "0.00x");
    assert_string_equal(format_ratio(text, NAN), "-");
    assert_string_equal(format_interval(text, 55.312, 55.42), "55.31 .. 55.42 us");
    assert_string_equal(format_interval(text, 999.94, 1001), "999.9 us .. 1.001 ms");
    assert_string_equal(format_interval(text, 4120, 4131), "4.120 .. 4.131 ms");
    assert_string_equal(format_interval(text, NAN, 3), "- .. 3.000 us");
    assert_string_equal(format_share(text, 0.954), "95 %");
    assert_string_equal(format_share(text, 0.001), "<1 %");
    assert_string_equal(format_share(text, 0), "0 %");
    assert_string_equal(format_share(text, NAN), "-");
}

static void plain_numbers(void **state) {
    char text[FORMAT_SIZE];
    const struct {
        double value;
        const char *text;
    } cases[] = {{1.8, "1.8"},        {40, "40"},        {0, "0"},       {0.944, "0.94"},
                 {6272000, "6.27 M"}, {123.45, "123.5"}, {-2.5, "-2.5"}, {100, "100"},
                 {999999, "999999"},  {NAN, "-"},        {99.999, "100"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(format_number(text, cases[i].value), cases[i].text);
}

static void bars(void **state) {
    char text[FORMAT_SIZE];
    assert_string_equal(format_bar(text, 0.5, 4), "##..");
    assert_string_equal(format_bar(text, 0, 4), "....");
    assert_string_equal(format_bar(text, 7, 4), "####");
    assert_string_equal(format_bar(text, -1, 4), "....");
    assert_string_equal(format_bar(text, NAN, 4), "    ");
    assert_int_equal(strlen(format_bar(text, 1, 1000)), FORMAT_SIZE - 1);
}

TESTS(UNIT(times), UNIT(counts_ratios_shares), UNIT(plain_numbers), UNIT(bars))
