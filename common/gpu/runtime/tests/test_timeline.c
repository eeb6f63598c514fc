/* test_timeline.c: when things happen: order inside a stream, overlap between streams, the default stream,
 * the host. */
#include "base/test.h"
#include "gpu/runtime/server/timeline.h"

static struct timeline timeline;
static struct timeline_stream one, two, apart;

static int start(void **state) {
    static const struct gpu_model model = {
        .host_link_gbs = 55, .host_pageable_gbs = 9.6, .dram_gbs = 4000, .launch_us = 2};
    timeline_start(&timeline, &model);
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    apart = (struct timeline_stream){.non_blocking = true};
    return 0;
}

static double now(struct timeline_stream *stream) {
    return timeline_begin(&timeline, stream);
}

static void a_stream_is_in_order(void **state) {
    timeline_kernel(&timeline, &one, 10, 0.1);
    timeline_kernel(&timeline, &one, 5, 0.1);
    assert_float_equal(now(&one), 15, 1e-9);
    assert_float_equal(now(&two), 0, 1e-9);
}

static void small_kernels_overlap_large_ones_do_not(void **state) {
    timeline_kernel(&timeline, &one, 10, 0.5);
    timeline_kernel(&timeline, &two, 10, 0.5);
    assert_float_equal(timeline.last, 10, 1e-9);
    timeline_kernel(&timeline, &apart, 10, 0.25); /* no room before the others end */
    assert_float_equal(now(&apart), 20, 1e-9);
}

static void the_default_stream_waits_and_is_waited_for(void **state) {
    timeline_kernel(&timeline, &one, 10, 0.1);
    timeline_kernel(&timeline, &apart, 50, 0.1);
    timeline_kernel(&timeline, NULL, 5, 0.1); /* after `one`, not after `apart` */
    assert_float_equal(timeline.standard.ready, 15, 1e-9);
    assert_float_equal(now(&two), 15, 1e-9);
    assert_float_equal(now(&apart), 50, 1e-9);
}

static void copies_overlap_kernels_and_each_direction(void **state) {
    timeline_kernel(&timeline, &one, 100, 1);
    timeline_copy(&timeline, &two, TIMELINE_TO_DEVICE, 55000, true, false);     /* 1 us of link */
    timeline_copy(&timeline, &apart, TIMELINE_FROM_DEVICE, 55000, true, false); /* the other engine */
    assert_float_equal(now(&two), now(&apart), 1e-9);
    assert_true(now(&two) < 100);
    double first = now(&two);
    timeline_copy(&timeline, &apart, TIMELINE_TO_DEVICE, 55000, true,
                  false); /* waits for the engine, not the stream */
    assert_float_equal(now(&apart), 2 * first, 1e-9);
}

static void pageable_memory_is_slower_and_the_host_waits(void **state) {
    timeline_copy(&timeline, NULL, TIMELINE_TO_DEVICE, 1 << 20, true, true);
    double pinned = timeline.host;
    timeline_copy(&timeline, NULL, TIMELINE_TO_DEVICE, 1 << 20, false, true);
    assert_true(timeline.host - pinned > 1.5 * pinned);
}

static void work_starts_after_what_the_host_waited_for(void **state) {
    timeline_host_wait(&timeline, 40);
    timeline_kernel(&timeline, &one, 1, 0.1);
    assert_float_equal(now(&one), 41, 1e-9);
    timeline_stream_wait(&timeline, &two, 99);
    assert_float_equal(now(&two), 99, 1e-9);
}

/* A call takes the host its time, in a graph none; and work begins when its call has ended. */
static void the_host_spends_time(void **state) {
    static const struct gpu_model model = {.host_link_gbs = 55,
                                           .host_pageable_gbs = 9.6,
                                           .dram_gbs = 4000,
                                           .host_launch_us = 2,
                                           .host_wait_us = 3};
    timeline_start(&timeline, &model);
    assert_float_equal(timeline_kernel(&timeline, &one, 10, 0.1), 2, 1e-9);
    assert_float_equal(timeline_kernel(&timeline, &two, 10, 0.1), 4, 1e-9);
    timeline.in_graph = true;
    assert_float_equal(timeline_kernel(&timeline, &apart, 10, 0.1), 4, 1e-9);
    timeline.in_graph = false;
    timeline_host_wait(&timeline, 14);
    assert_float_equal(timeline.host, 17, 1e-9);
    /* Not pinned: the host waits for it all the same. */
    double begin = timeline_copy(&timeline, &one, TIMELINE_TO_DEVICE, 96000, false, false);
    assert_float_equal(timeline.host, begin + 10 + 3, 1e-9);
}

/* Hundreds of kernels that the host never waits for: the list of those running stays short, the order right. */
static void many_kernels(void **state) {
    for (int i = 0; i < 1000; i++)
        timeline_kernel(&timeline, i % 2 ? &one : &two, 1, 0.001);
    assert_float_equal(now(&one), 500, 1.0);
    assert_float_equal(now(&two), 500, 1.0);
}

TESTS(cmocka_unit_test_setup(a_stream_is_in_order, start),
      cmocka_unit_test_setup(small_kernels_overlap_large_ones_do_not, start),
      cmocka_unit_test_setup(the_default_stream_waits_and_is_waited_for, start),
      cmocka_unit_test_setup(copies_overlap_kernels_and_each_direction, start),
      cmocka_unit_test_setup(pageable_memory_is_slower_and_the_host_waits, start),
      cmocka_unit_test_setup(work_starts_after_what_the_host_waited_for, start),
      cmocka_unit_test_setup(the_host_spends_time, start), cmocka_unit_test_setup(many_kernels, start))
