/* Timelines: read, cut to the run, added up, drawn in 80 columns. */
#include "base/test.h"
#include "report/document/spans.h"
#include <math.h>

static struct spans spans;

static void add(json_t *array, const char *kind, const char *name, double begin, double time) {
    assert_int_equal(json_array_append_new(array, json_pack("{s:s, s:s, s:f, s:f}", "kind", kind, "name",
                                                            name, "begin_us", begin, "time_us", time)),
                     0);
}

/* Six rounds of 10 us: a copy of 4, kernels of 5; then the host waits, and frees for 7. */
static json_t *six_rounds(void) {
    json_t *array = json_array();
    add(array, "host", "ALLOCATE", 0, 20);
    for (int round = 0; round < 6; round++) {
        double begin = 100 + 10 * round;
        add(array, "kernel", "push(int*)", begin + 5, 3);
        add(array, "kernel", "deposit(int*)", begin + 3, 2);
        add(array, "HtoD", "", begin - 1, 4);
        add(array, "mark", "", begin, 0);
    }
    add(array, "host", "SYNCHRONISE", 104, 55);
    add(array, "host", "FREE", 159, 7);
    return array;
}

static void a_run_is_cut_out(void **state) {
    json_auto_t *array = six_rounds();
    assert_true(spans_read(&spans, array, 60));
    assert_int_equal(spans.count, 19); /* neither ALLOCATE, nor FREE, nor marks */
    assert_true(spans.from_us == 99 && spans.to_us == 159);
    assert_true(fabs(spans_share(&spans, SPAN_KERNELS, SPAN_WORKS) - 0.5) < 1e-9);
    assert_true(fabs(spans_share(&spans, SPAN_TO_DEVICE, SPAN_WORKS) - 0.4) < 1e-9);
    assert_true(fabs(spans_share(&spans, SPAN_HOST, SPAN_WAITS) - 55.0 / 60) < 1e-9);
    assert_true(spans_share(&spans, SPAN_HOST, SPAN_WORKS) == 0);
    double from, to;
    uint32_t rounds;
    spans_middle(&spans, &from, &to, &rounds);
    assert_true(from == 133 && to == 153 && rounds == 6);
    spans_free(&spans);
    assert_true(spans_read(&spans, array, (double)NAN));
    assert_int_equal(spans.count, 21);
    spans_free(&spans);
    json_array_append_new(array, json_string("no span"));
    assert_false(spans_read(&spans, array, 60));
}

/* Overlaps count once. */
static void overlaps_count_once(void **state) {
    json_auto_t *array = json_array();
    add(array, "kernel", "a", 0, 10);
    add(array, "kernel", "b", 2, 4);
    add(array, "kernel", "c", 8, 7);
    add(array, "DtoH", "", 15, 5);
    assert_true(spans_read(&spans, array, (double)NAN));
    assert_true(fabs(spans_share(&spans, SPAN_KERNELS, SPAN_WORKS) - 0.75) < 1e-9);
    double from, to;
    uint32_t rounds;
    spans_middle(&spans, &from, &to, &rounds);
    assert_true(from == 0 && to == 20 && rounds == 0);
    spans_free(&spans);
}

static char *drawn(bool picture) {
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    assert_non_null(memory);
    const struct terminal terminal = {memory, false, 0};
    if (picture)
        spans_svg(memory, &spans, "<a> & b", "modelled");
    else
        spans_print(&terminal, &spans);
    fclose(memory);
    return text;
}

/* Two pieces of work that nothing orders: the part around them is drawn, and both are marked. */
static void unordered_spans_are_marked(void **state) {
    json_auto_t *array = six_rounds();
    add(array, "mark", "unordered", 123, 2); /* the third deposit */
    add(array, "mark", "unordered", 129, 4); /* the copy after it */
    assert_true(spans_read(&spans, array, 60));
    double from, to;
    uint32_t rounds;
    spans_middle(&spans, &from, &to, &rounds);
    assert_true(from == 118 && to == 138 && rounds == 0);
    FREED char *text = drawn(false), *picture = drawn(true);
    assert_non_null(strstr(text, "! nothing orders these two"));
    const char *first = strstr(picture, "#d00000");
    assert_true(first != NULL && strstr(first + 1, "#d00000") != NULL);
    spans_free(&spans);
}

/* The kernels' own share is what the report and a prediction give: fills are told apart. */
static void fills_are_told_apart(void **state) {
    json_auto_t *array = json_array();
    add(array, "host", "SYNCHRONISE", 0, 20);
    add(array, "kernel", "push(int*)", 0, 10);
    add(array, "fill", "", 10, 4);
    assert_true(spans_read(&spans, array, (double)NAN));
    assert_true(fabs(spans_share(&spans, SPAN_KERNELS, SPAN_WORKS) - 0.7) < 1e-9);
    assert_true(fabs(spans_share(&spans, SPAN_KERNELS, SPAN_FILLS) - 0.2) < 1e-9);
    char *text = drawn(false);
    assert_non_null(strstr(text, "kernels       70 %; of that, fills and copies in the device: 20 %\n"));
    free(text);
    spans_free(&spans);
}

static void it_is_drawn(void **state) {
    json_auto_t *array = six_rounds();
    assert_true(spans_read(&spans, array, 60));
    char *text = drawn(false);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != '\0'))
        assert_true(strcspn(at, "\n") <= 80);
    assert_non_null(strstr(text, "rounds 4 and 5 of 6"));
    assert_non_null(strstr(text, "  host        wwwwwwwww"));
    assert_non_null(strstr(text, "  kernels     ################"));
    assert_non_null(strstr(text, "  to the host ........"));
    free(text);
    text = drawn(true);
    assert_non_null(strstr(text, "&lt;a&gt; &amp; b"));
    assert_non_null(strstr(text, "<title>push, "));
    assert_non_null(strstr(text, "</svg>\n"));
    free(text);
    spans_free(&spans);
    assert_true(spans_read(&spans, NULL, 1)); /* nothing happened */
    text = drawn(false);
    assert_non_null(strstr(text, "Nothing was asked"));
    free(text);
    free(drawn(true));
    spans_free(&spans);
}

/* A graph that is one span has a row of its own: its kernels are unknown. */
static void graphs_have_a_row(void **state) {
    json_t *array = json_array();
    add(array, "host", "GRAPH", 0, 5);
    add(array, "graph", "", 4, 16);
    assert_true(spans_read(&spans, array, (double)NAN));
    assert_true(fabs(spans_share(&spans, SPAN_GRAPHS, SPAN_WORKS) - 0.8) < 1e-9);
    assert_true(spans_share(&spans, SPAN_KERNELS, SPAN_WORKS) == 0);
    char *text = drawn(false);
    assert_non_null(strstr(text, "  graphs      ......"));
    assert_non_null(strstr(text, "  kernels     ............."));
    assert_non_null(strstr(text, "????????????????\n  to the host"));
    assert_non_null(strstr(text, "0 %; in graphs: not known\n"));
    assert_non_null(strstr(text, "80 %\n"));
    free(text);
    text = drawn(true);
    assert_non_null(strstr(text, ">graphs</text>"));
    assert_non_null(strstr(text, "The whole run: 20.00 us, modelled<"));
    free(text);
    spans_free(&spans);
    json_decref(array);
    array = six_rounds();
    assert_true(spans_read(&spans, array, 60));
    text = drawn(false);
    assert_null(strstr(text, "graphs"));
    assert_null(strchr(text, '?'));
    free(text);
    spans_free(&spans);
    json_decref(array);
}

TESTS(UNIT(a_run_is_cut_out), UNIT(unordered_spans_are_marked), UNIT(overlaps_count_once), UNIT(it_is_drawn),
      UNIT(fills_are_told_apart), UNIT(graphs_have_a_row))
