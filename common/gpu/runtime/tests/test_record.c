/* test_record.c: a call in the host's memory, recorded and repeated without the program: with other data, and in another
 * order that its streams, events and waits allow. */
#include "base/test.h"
#include "gpu/runtime/judge/judge.h"
#include "gpu/runtime/tests/support_judge.h"

#include <sys/mman.h>

/* Where the program has its buffers, and where what stands for them lies in the memory in common. Nothing is ever read
 * at these addresses. */
enum { INPUT = 0x10000, OUTPUT = 0x20000, BYTES = 1024, INPUT_OFFSET = 0, OUTPUT_OFFSET = 4096 };

static uint64_t value_of(uint32_t operation, const void *request, uint32_t bytes) {
    struct reply_value value;
    assert_int_equal(judged_ask(operation, request, bytes, &value, sizeof value), 0);
    return value.value;
}

static uint64_t allocate(uint64_t bytes) {
    struct request_allocate request = {.bytes = bytes};
    return value_of(PROTOCOL_ALLOCATE, &request, sizeof request);
}

static uint32_t new_stream(void) {
    struct request_stream_create request = {.flags = 1};
    return (uint32_t)value_of(PROTOCOL_STREAM_CREATE, &request, sizeof request);
}

static uint32_t new_event(void) {
    struct request_id request = {0};
    return (uint32_t)value_of(PROTOCOL_EVENT_CREATE, &request, sizeof request);
}

/* From the program's own memory at `host` to the device, by the transfer buffer, or back. */
static void copy(bool to_device, uint64_t device, uint64_t host, uint32_t stream, bool says_pinned) {
    struct request_copy request = {.to_pitch = BYTES,
                                   .from_pitch = BYTES,
                                   .width = BYTES,
                                   .height = 1,
                                   .host = host,
                                   .direction = to_device ? PROTOCOL_TO_DEVICE : PROTOCOL_FROM_DEVICE,
                                   .stream = stream,
                                   .pinned = says_pinned,
                                   .buffered = 1};
    *(to_device ? &request.to : &request.from) = device;
    assert_int_equal(judged_ask(PROTOCOL_COPY, &request, sizeof request, NULL, 0), 0);
}

/* From one place that the device reaches to another. */
static void copy_between(uint64_t to, uint64_t from, enum protocol_direction direction, uint32_t stream) {
    struct request_copy request = {.to = to,
                                   .to_pitch = BYTES,
                                   .from = from,
                                   .from_pitch = BYTES,
                                   .width = BYTES,
                                   .height = 1,
                                   .direction = direction,
                                   .stream = stream,
                                   .pinned = direction != PROTOCOL_IN_DEVICE};
    assert_int_equal(judged_ask(PROTOCOL_COPY, &request, sizeof request, NULL, 0), 0);
}

static void copy_inside(uint64_t to, uint64_t from, uint32_t stream) {
    copy_between(to, from, PROTOCOL_IN_DEVICE, stream);
}

static void pair(uint32_t operation, uint32_t first, uint32_t second) {
    struct request_pair request = {first, second};
    assert_int_equal(judged_ask(operation, &request, sizeof request, NULL, 0), 0);
}

static void wait_for(uint32_t what, uint32_t id, uint32_t query) {
    struct request_synchronise request = {.what = what, .id = id, .query = query};
    assert_int_equal(judged_ask(PROTOCOL_SYNCHRONISE, &request, sizeof request, NULL, 0), 0);
}

static void begin(void) {
    assert_int_equal(judged_command("everywhere 1", NULL), 0);
    assert_int_equal(judged_command("record 1", NULL), 0);
    assert_int_equal(judged_commandf("place %d %d %d", INPUT, INPUT_OFFSET, BYTES), 0);
    assert_int_equal(judged_commandf("place %d %d %d", OUTPUT, OUTPUT_OFFSET, BYTES), 0);
}

/* Repeated with an input of 9s: the byte that its output is full of; -1: it did not come to its end, or has several. */
static int repeated(const char *order) {
    uint64_t ended = 0;
    memset(judged.common + INPUT_OFFSET, 9, BYTES);
    memset(judged.common + OUTPUT_OFFSET, 0xaa, BYTES);
    assert_int_equal(judged_command(order, &ended), 0);
    for (int i = 1; i < BYTES; i++)
        if (judged.common[OUTPUT_OFFSET + i] != judged.common[OUTPUT_OFFSET])
            return -1;
    return ended == 1 ? judged.common[OUTPUT_OFFSET] : -1;
}

/* From input to output by the device: other data have their own result, whatever the program sent. */
static void other_data_take_the_same_way(void **state) {
    judged_greet();
    uint64_t a = allocate(BYTES), b = allocate(BYTES);
    begin();
    memset(judged.transfer, 5, BYTES);
    copy(true, a, INPUT, 0, false);
    copy_inside(b, a, 0);
    copy(false, b, OUTPUT, 0, false);
    assert_int_equal(judged.transfer[7], 5);
    assert_int_equal(judged_command("record 0", NULL), 0);
    assert_string_equal(judged.failed, "");
    assert_int_equal(repeated("repeat 0"), 9);
    assert_int_equal(repeated("repeat 1"), 9);
    assert_int_equal(repeated("repeat 0"), 9); /* as often as one likes */
    assert_int_equal(judged_command("release 1", NULL), 0);
    assert_int_equal(repeated("repeat 0"), -1);
}

/* What the host brings from elsewhere is brought again as it was: right for what it was computed for, and no more. */
static void what_the_host_made_stays_what_it_was(void **state) {
    judged_greet();
    uint64_t a = allocate(BYTES);
    begin();
    memset(judged.transfer, 5, BYTES);
    copy(true, a, OUTPUT + 8 * BYTES, 0, false);
    copy(false, a, OUTPUT, 0, false);
    assert_int_equal(judged_command("record 0", NULL), 0);
    assert_int_equal(repeated("repeat 0"), 5);
    /* and what was there before the call is there again */
    begin();
    copy(false, a, OUTPUT, 0, false);
    memset(judged.transfer, 6, BYTES);
    copy(true, a, 0, 0, false);
    assert_int_equal(judged_command("record 0", NULL), 0);
    assert_int_equal(repeated("repeat 0"), 5);
}

/* Memory that both sides have: the judge's buffer in place of it, and of the program's pages nothing. */
static void memory_of_both_sides_is_exchanged(void **state) {
    judged_greet();
    struct request_allocate_shared request = {.bytes = 2 * BYTES, .memory = PROTOCOL_PINNED};
    uint64_t pinned = value_of(PROTOCOL_ALLOCATE_SHARED, &request, sizeof request);
    assert_int_equal(judged_command("everywhere 1", NULL), 0);
    assert_int_equal(judged_command("record 1", NULL), 0);
    assert_int_equal(judged_commandf("place %llu %d %d", (unsigned long long)pinned, INPUT_OFFSET, BYTES), 0);
    assert_int_equal(
        judged_commandf("place %llu %d %d", (unsigned long long)pinned + BYTES, OUTPUT_OFFSET, BYTES), 0);
    memset(judged.shared, 5, BYTES);
    copy_inside(pinned + BYTES, pinned, 0);
    assert_int_equal(judged_command("record 0", NULL), 0);
    assert_int_equal(judged.shared[BYTES], 5);
    assert_int_equal(repeated("repeat 0"), 9);
    assert_int_equal(judged.shared[0], 5); /* the program sees nothing of it */
    assert_int_equal(judged.shared[BYTES], 5);
    assert_int_equal(judged_commandf("place %d %d %d", INPUT, JUDGED_COMMON_BYTES - 8, 16),
                     ERROR_INVALID_VALUE);
}

enum ordered { NOTHING, EVENT, HOST_EVENT, HOST_STREAM, QUERY, ORDERED };

/* Pinned memory of the call, for which what lies there in common stands. */
static uint64_t pinned_at(int offset) {
    struct request_allocate_shared shared = {.bytes = BYTES, .memory = PROTOCOL_PINNED};
    uint64_t pinned = value_of(PROTOCOL_ALLOCATE_SHARED, &shared, sizeof shared);
    assert_int_equal(judged_commandf("place %llu %d %d", (unsigned long long)pinned, offset, BYTES), 0);
    return pinned;
}

/* A copy to the device on one stream, the way on on another: between them comes a wait, or nothing. */
static void cross_streams(enum ordered how) {
    uint64_t a = allocate(BYTES);
    uint32_t one = new_stream(), two = new_stream(), event = new_event();
    begin();
    memset(judged.transfer, 5, BYTES);
    copy_between(a, pinned_at(INPUT_OFFSET), PROTOCOL_TO_DEVICE, one);
    pair(PROTOCOL_EVENT_RECORD, event, one);
    if (how == EVENT)
        pair(PROTOCOL_STREAM_WAIT, two, event);
    else if (how == HOST_EVENT)
        wait_for(PROTOCOL_WAIT_EVENT, event, 0);
    else if (how == HOST_STREAM)
        wait_for(PROTOCOL_WAIT_STREAM, one, 0);
    else if (how == QUERY)
        wait_for(PROTOCOL_WAIT_STREAM, one, 1);
    copy(false, a, OUTPUT, two, false);
    wait_for(PROTOCOL_WAIT_DEVICE, 0, 0);
    assert_int_equal(judged_command("record 0", NULL), 0);
}

static void a_missing_wait_shows(void **state) {
    double times[ORDERED];
    judged_greet();
    for (enum ordered how = NOTHING; how < ORDERED; how++) {
        cross_streams(how);
        times[how] = judged.recorded_us;
        assert_int_equal(repeated("repeat 0"), 9);
        assert_int_equal(repeated("repeat 1"), how == NOTHING ? 0 : 9);
    }
    /* whoever asks whether it is done, until it is, has waited */
    assert_true(times[QUERY] > times[NOTHING]);
    assert_float_equal(times[QUERY], times[HOST_STREAM], 1e-6);
}

/* What is taken back on a second stream is overwritten on the first, which does not wait for that: nothing shows unless the
 * second is late. */
static void a_late_stream_shows(void **state) {
    judged_greet();
    for (int waits = 0; waits < 2; waits++) {
        uint64_t a = allocate(BYTES), ended = 0;
        uint32_t one = new_stream(), two = new_stream(), made = new_event(), taken = new_event();
        struct request_fill fill = {
            .address = a, .pitch = BYTES, .width = BYTES, .height = 1, .value = 3, .stream = one};
        begin();
        memset(judged.transfer, 5, BYTES);
        copy(true, a, INPUT, one, false);
        pair(PROTOCOL_EVENT_RECORD, made, one);
        pair(PROTOCOL_STREAM_WAIT, two, made);
        /* given before the way back, so that this goes first of the two */
        copy_inside(allocate(BYTES), a, one);
        copy_between(pinned_at(OUTPUT_OFFSET), a, PROTOCOL_FROM_DEVICE, two);
        pair(PROTOCOL_EVENT_RECORD, taken, two);
        if (waits)
            pair(PROTOCOL_STREAM_WAIT, one, taken);
        assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
        wait_for(PROTOCOL_WAIT_DEVICE, 0, 0);
        assert_int_equal(judged_command("record 0", NULL), 0);
        for (int order = 0; order < 3; order++)
            assert_int_equal(repeated((const char *[]){"repeat 0", "repeat 1", "repeat 2"}[order]), 9);
        assert_int_equal(repeated("repeat 3"), waits ? 9 : 3);
        assert_int_equal(judged_command("repeat 4", &ended), 0);
        assert_int_equal(ended, 2);
    }
}

/* The default stream and those that wait for it are in order; what nobody waited for in the end is not done. */
static void streams_of_the_default_kind(void **state) {
    judged_greet();
    for (int waits = 0; waits < 2; waits++) {
        uint64_t a = allocate(BYTES), b = allocate(BYTES);
        struct request_stream_create blocking = {.flags = 0};
        uint32_t stream = (uint32_t)value_of(PROTOCOL_STREAM_CREATE, &blocking, sizeof blocking);
        struct request_fill fill = {.address = b, .pitch = BYTES, .width = BYTES, .height = 1, .value = 3};
        begin();
        memset(judged.transfer, 5, BYTES);
        copy(true, a, INPUT, stream, false);
        copy_inside(b, a, 0);
        copy_inside(a, b, stream);
        copy(false, a, OUTPUT, stream, false);
        fill.stream = stream;
        assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
        copy_inside(a, b, stream);
        if (waits)
            copy(false, a, OUTPUT, stream, false);
        assert_int_equal(judged_command("record 0", NULL), 0);
        assert_int_equal(repeated("repeat 1"), waits ? 3 : 9);
    }
}

/* What the program says of its memory counts for nothing: pageable memory costs what it costs. */
static void memory_is_pinned_where_it_is(void **state) {
    double times[2];
    judged_greet();
    uint64_t a = allocate(BYTES);
    for (int says = 0; says < 2; says++) {
        begin();
        copy(true, a, INPUT, 0, says == 1);
        assert_int_equal(judged_command("record 0", NULL), 0);
        times[says] = judged.recorded_us;
    }
    assert_true(times[0] > judged.model.pageable_copy_us);
    assert_float_equal(times[0], times[1], 1e-6);
}

/* Memory that the call frees is there when it is repeated, and free when the recording is. */
static void what_is_freed_lives_as_long_as_the_recording(void **state) {
    judged_greet();
    begin();
    uint64_t a = allocate(BYTES);
    struct request_free request = {.address = a, .memory = PROTOCOL_DEVICE};
    memset(judged.transfer, 5, BYTES);
    copy(true, a, INPUT, 0, false);
    copy(false, a, OUTPUT, 0, false);
    assert_int_equal(judged_ask(PROTOCOL_FREE, &request, sizeof request, NULL, 0), 0);
    assert_int_equal(judged_ask(PROTOCOL_FREE, &request, sizeof request, NULL, 0), ERROR_INVALID_VALUE);
    request.address = a + 8;
    assert_int_equal(judged_ask(PROTOCOL_FREE, &request, sizeof request, NULL, 0), ERROR_INVALID_VALUE);
    assert_int_equal(judged_command("record 0", NULL), 0);
    assert_int_equal(repeated("repeat 0"), 9);
    assert_int_equal(judged_command("release 1", NULL), 0);
    struct request_address where = {a};
    assert_int_equal(judged_ask(PROTOCOL_POINTER, &where, sizeof where, NULL, 0), ERROR_INVALID_VALUE);
}

/* There is an end to what is kept, and it is told. */
static void a_recording_has_an_end(void **state) {
    judged_greet();
    uint64_t a = allocate(BYTES);
    begin();
    for (int i = 0; i < 16385; i++)
        copy_inside(a, a, 0);
    assert_int_equal(judged_command("record 0", NULL), 0);
    assert_non_null(strstr(judged.failed, "more than 16384"));
    assert_int_equal(repeated("repeat 0"), -1);
    begin();
    for (int i = 0; i < ORDER_LANES + 1; i++)
        copy_inside(a, a, new_stream());
    assert_int_equal(judged_command("record 0", NULL), 0);
    assert_non_null(strstr(judged.failed, "32 streams"));
    assert_int_equal(repeated("repeat 1"), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(other_data_take_the_same_way, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(what_the_host_made_stays_what_it_was, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(memory_of_both_sides_is_exchanged, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(a_missing_wait_shows, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(a_late_stream_shows, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(streams_of_the_default_kind, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(memory_is_pinned_where_it_is, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(what_is_freed_lives_as_long_as_the_recording, judged_start,
                                        judged_stop),
        cmocka_unit_test_setup_teardown(a_recording_has_an_end, judged_start, judged_stop),
    };
    alarm(3600); /* a lost answer would be waited for */
    return cmocka_run_group_tests_name("record", tests, judged_load_model, NULL);
}
