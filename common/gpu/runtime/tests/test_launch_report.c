/* test_launch_report.c: lines out, commands in. */
#include "base/test.h"
#include "gpu/runtime/server/launch_report.h"

#include <sys/socket.h>

static int sockets[2];
static struct launch_report report;

static int start(void **state) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return -1;
    launch_report_open(&report, sockets[1]);
    return 0;
}

static int stop(void **state) {
    close(sockets[0]);
    close(sockets[1]);
    return 0;
}

static void give(const char *text) {
    assert_int_equal(write(sockets[0], text, strlen(text)), (int)strlen(text));
}

static void expect(const char *command) {
    char line[LAUNCH_REPORT_COMMAND_BYTES];
    bool there = launch_report_command(&report, line);
    assert_int_equal(there, command != NULL);
    if (command != NULL)
        assert_string_equal(line, command);
}

static void commands(void **state) {
    expect(NULL); /* none has come: no waiting */
    give("races 1\ncounts 0\n");
    expect("races 1");
    expect("counts 0");
    expect(NULL);
    give("races");
    expect(NULL);
    give(" 0\n\n"); /* in two pieces */
    expect("races 0");
    expect("");
    for (int i = 0; i < 100; i++) /* no command is so long: dropped, to its end and no further */
        give("nonsense that goes on and on ");
    give("\nwindow 1\n");
    expect("window 1");
    expect(NULL);
    shutdown(sockets[0], SHUT_WR);
    expect(NULL);
    assert_false(report.commands);
}

static void lines(void **state) {
    char text[4096];
    struct simt_fault fault = {.status = SIMT_ILLEGAL_ADDRESS,
                               .kernel = "blur",
                               .file = "k\xff.cu", /* no UTF-8 */
                               .line = 7,
                               .block = {1, 2, 3},
                               .thread = {4, 5, UINT32_MAX},
                               .address = 0x300000000190,
                               .message = "one \"line\"\nand another"};
    assert_true(launch_report_copy(&report, SPAN_KIND_TO_DEVICE, 1ull << 40, 1.5));
    assert_true(launch_report_fault(&report, 700, &fault));
    ssize_t n = read(sockets[0], text, sizeof text - 1);
    assert_true(n > 0);
    text[n] = '\0';
    static const char first[] =
        "{\"copy\":{\"direction\":\"HtoD\",\"bytes\":1099511627776,\"time_us\":1.5}}\n{\"fault\":{";
    assert_memory_equal(text, first, sizeof first - 1);
    char *fault_line = strchr(text, '\n') + 1;
    json_t *fault_object = json_loads(fault_line, 0, NULL);
    assert_non_null(fault_object);
    const json_t *inside = json_object_get(fault_object, "fault");
    assert_int_equal(json_integer_value(json_object_get(inside, "cuda_error")), 700);
    assert_string_equal(json_string_value(json_object_get(inside, "address")), "0x300000000190");
    assert_string_equal(json_string_value(json_object_get(inside, "message")), fault.message);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(inside, "thread"), 2)), UINT32_MAX);
    json_decref(fault_object);
    struct simt_remark remark = {.kind = "unwritten",
                                 .kernel = "blur",
                                 .file = "k.cu",
                                 .line = 9,
                                 .block = {1, 2, 3},
                                 .thread = {4, 5, 6},
                                 .count = 12,
                                 .message = "reads"};
    assert_true(launch_report_remark(&report, &remark));
    remark.kernel[0] = '\0';
    assert_true(launch_report_remark(&report, &remark));
    n = read(sockets[0], text, sizeof text - 1);
    assert_true(n > 0);
    text[n] = '\0';
    assert_string_equal(
        text, "{\"remark\":{\"kind\":\"unwritten\",\"kernel\":\"blur\",\"file\":\"k.cu\",\"line\":9,"
              "\"block\":[1,2,3],\"thread\":[4,5,6],\"message\":\"reads\",\"count\":12}}\n"
              "{\"remark\":{\"kind\":\"unwritten\",\"kernel\":\"\",\"file\":\"k.cu\",\"line\":9,"
              "\"block\":null,\"thread\":null,\"message\":\"reads\",\"count\":12}}\n");
}

static void nobody_reads(void **state) {
    shutdown(sockets[0], SHUT_RD);
    close(sockets[0]);
    sockets[0] = dup(sockets[1]);
    assert_false(launch_report_copy(&report, SPAN_KIND_TO_DEVICE, 1, 0)); /* an answer, not a signal */
    struct launch_report none;
    launch_report_open(&none, -1);
    assert_true(launch_report_copy(&none, SPAN_KIND_TO_DEVICE, 1, 0)); /* no report is wanted */
}

TESTS(cmocka_unit_test_setup_teardown(commands, start, stop),
      cmocka_unit_test_setup_teardown(lines, start, stop),
      cmocka_unit_test_setup_teardown(nobody_reads, start, stop))
