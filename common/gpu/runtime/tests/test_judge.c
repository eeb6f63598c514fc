/* test_judge.c: a judge beside the program: it owns buffers, moves bytes that the program does not see, and
 * opens windows; outside them, and with the judge's memory, the program can do nothing. */
#include "base/test.h"
#include "gpu/runtime/server/server.h"
#include "gpu/runtime/tests/support_judge.h"

/* Before the program has said a word, and of exactly the size that was asked for. */
static void bytes_go_both_ways(void **state) {
    uint64_t address = 0;
    assert_int_equal(judged_command("allocate 1000", &address), 0);
    assert_true(address != 0);
    for (int i = 0; i < 1000; i++)
        judged.common[100 + i] = (uint8_t)(i * 7);
    assert_int_equal(judged_commandf("write %llu 100 1000", (unsigned long long)address), 0);
    assert_int_equal(judged_commandf("fill %llu 10 170", (unsigned long long)address + 20), 0);
    assert_int_equal(judged_commandf("read %llu 5000 1000", (unsigned long long)address), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(judged.common[5000 + i], i >= 20 && i < 30 ? 170 : (uint8_t)(i * 7));
    assert_int_equal(judged.common[6000], 0);
    assert_int_not_equal(judged_commandf("read %llu 0 1001", (unsigned long long)address), 0);
    assert_int_not_equal(
        judged_commandf("write %llu %d 100", (unsigned long long)address, JUDGED_COMMON_BYTES - 99), 0);
    assert_int_not_equal(judged_commandf("write %llu 18446744073709551615 2", (unsigned long long)address),
                         0);
    assert_int_not_equal(judged_commandf("free %llu", (unsigned long long)address + 512), 0);
    assert_int_equal(judged_commandf("free %llu", (unsigned long long)address), 0);
    assert_int_not_equal(judged_commandf("free %llu", (unsigned long long)address), 0);
    /* What a buffer is may be said with its size. */
    assert_int_equal(judged_command("allocate 4096 as src pixel 1 1 0 64 64 64", &address), 0);
    assert_int_equal(judged_commandf("fill %llu 4096 1", (unsigned long long)address), 0);
    assert_int_equal(judged_commandf("free %llu", (unsigned long long)address), 0);
    assert_int_not_equal(judged_command("allocate 4096 as src pixel", NULL), 0);
    assert_int_not_equal(
        judged_commandf("free %llu as src pixel 1 1 0 64 64 64", (unsigned long long)address), 0);
    assert_int_not_equal(judged_command("allocate as src pixel 1 1 0 64 64 64", NULL), 0);
    assert_int_not_equal(judged_command("allocate", NULL) + judged_command("window 2", NULL) +
                             judged_command("window 0 5", NULL) + judged_command("dance 1", NULL),
                         0);
}

static void nothing_outside_a_window(void **state) {
    uint64_t address = 0;
    judged_greet();
    assert_int_equal(judged_command("allocate 4096", &address), 0);
    struct request_fill fill = {.address = address, .pitch = 64, .width = 64, .height = 1, .value = 9};
    struct request_copy copy = {.from = address,
                                .from_pitch = 64,
                                .to_pitch = 64,
                                .width = 64,
                                .height = 1,
                                .direction = PROTOCOL_FROM_DEVICE,
                                .buffered = 1};
    struct request_transfer part = {
        .address = address, .pitch = 64, .width = 64, .height = 1, .direction = PROTOCOL_FROM_DEVICE};
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), ERROR_NOT_PERMITTED);
    judged_expect_violation("outside");
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0),
                     ERROR_NOT_PERMITTED); /* told once */
    assert_int_equal(judged_command("window 1 1000000000", NULL), 0);
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    assert_int_equal(judged_expect("fill", "bytes"), 64);
    /* A part without a copy that announced it would move bytes that nobody counts. */
    assert_int_not_equal(judged_ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), 0);
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(judged_expect("copy", "bytes"), 64);
    assert_int_equal(judged.transfer[63], 9);
    copy.buffered = 0;
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(judged_expect("copy", "bytes"), 64);
    assert_int_equal(judged_ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), 0);
    assert_int_not_equal(judged_ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), 0);
    /* Nor does calling it the host's own hide a copy. */
    copy.buffered = 1;
    copy.direction = PROTOCOL_IN_HOST;
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(judged_expect("copy", "bytes"), 64);
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), ERROR_NOT_PERMITTED);
    assert_int_equal(judged_ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), ERROR_INVALID_VALUE);
}

/* A column costs the sectors it lies in, not its bytes. */
static void columns_cost_their_sectors(void **state) {
    enum { ROWS = 1 << 20, PITCH = 64 };
    struct request_allocate allocate = {.bytes = (uint64_t)ROWS * PITCH};
    struct reply_value value;
    judged_greet();
    assert_int_equal(judged_command("window 1 1000", NULL), 0);
    assert_int_equal(judged_ask(PROTOCOL_ALLOCATE, &allocate, sizeof allocate, &value, sizeof value), 0);
    struct request_fill fill = {.address = value.value, .pitch = PITCH, .width = 1, .height = ROWS};
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    double column = judged_expect_time("fill");
    fill = (struct request_fill){.address = value.value, .pitch = 32 * ROWS, .width = 32 * ROWS, .height = 1};
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    assert_float_equal(column, judged_expect_time("fill"), 1e-6);
    struct request_copy copy = {.to = value.value + 33,
                                .to_pitch = PITCH,
                                .from = value.value,
                                .from_pitch = PITCH,
                                .width = 1,
                                .height = ROWS / 2,
                                .direction = PROTOCOL_IN_DEVICE};
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_float_equal(column, judged_expect_time("copy"), 1e-6); /* half the rows, read and written */
    /* rows of a byte are moved one by one, however near to each other they are */
    copy.from_pitch = 1;
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_float_equal(column, judged_expect_time("copy"), 1e-6);
    copy.to_pitch = 8;
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_float_equal(column, judged_expect_time("copy"), 1e-6);
}

static void buffers_are_the_judges(void **state) {
    uint64_t address = 0;
    struct request_none none = {{0}};
    judged_greet();
    assert_int_equal(judged_ask(PROTOCOL_RESET, &none, sizeof none, NULL, 0),
                     0); /* nothing is lost by it yet */
    assert_int_equal(judged_command("allocate 4096", &address), 0);
    struct request_free give_up = {.address = address, .memory = PROTOCOL_DEVICE};
    struct request_address where = {address + 100};
    struct reply_pointer pointer;
    assert_int_equal(judged_ask(PROTOCOL_POINTER, &where, sizeof where, &pointer, sizeof pointer), 0);
    assert_true(pointer.start == address && pointer.bytes == 4096);
    assert_int_equal(judged_ask(PROTOCOL_FREE, &give_up, sizeof give_up, NULL, 0), ERROR_INVALID_VALUE);
    judged_expect_violation("freed");
    assert_int_equal(judged_ask(PROTOCOL_RESET, &none, sizeof none, NULL, 0), ERROR_NOT_PERMITTED);
    assert_int_equal(judged_commandf("read %llu 0 4096", (unsigned long long)address), 0); /* still there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_go_both_ways, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(nothing_outside_a_window, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(columns_cost_their_sectors, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(buffers_are_the_judges, judged_start, judged_stop),
    };
    alarm(3600); /* a lost answer would be waited for */
    return cmocka_run_group_tests_name("judge", tests, judged_load_model, NULL);
}
