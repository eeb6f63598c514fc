/* test_judge.c: a judge beside the program: it owns buffers, moves bytes that the program does not see, and
 * opens windows; outside them, and with the judge's memory, the program can do nothing. The server runs in
 * this process, on a thread. */
#include "cudart/channel.h"
#include "cudart/server.h"
#include "cudart/tests/support_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { COMMON_BYTES = 1 << 16 };

static struct gpu_model model;
static struct server server;
static int program, judge; /* the other ends of the server's sockets */
static uint8_t *common;
static uint8_t *transfer; /* what the program has in common with the server */
static pthread_t thread;
static char error[512];

static void *serve(void *context) {
    server_run(&server, error, sizeof error);
    shutdown(server.options.socket, SHUT_RDWR);
    return context;
}

/* Send a request of the program's; its error. `reply` may be NULL. */
static uint32_t ask(uint32_t operation, const void *request, uint32_t bytes, void *reply,
                    size_t reply_bytes) {
    struct request_header header = {operation, bytes};
    struct reply_header answer = {0};
    char rest[4096];
    int descriptor = -1;
    assert_true(channel_send(program, &header, sizeof header, -1) &&
                channel_send(program, request, bytes, -1) &&
                channel_receive(program, &answer, sizeof answer, &descriptor));
    if (descriptor >= 0) {
        transfer = mmap(NULL, PROTOCOL_TRANSFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        assert_true(transfer != MAP_FAILED);
        close(descriptor);
    }
    assert_true(answer.bytes + answer.message_bytes < sizeof rest);
    assert_true(channel_receive(program, rest, answer.bytes + answer.message_bytes, NULL));
    if (reply != NULL)
        memcpy(reply, rest, reply_bytes);
    return answer.error;
}

/* The next line of the report. */
static json_t *next_line(void) {
    char line[1024];
    size_t length = 0;
    while (length < sizeof line && read(judge, line + length, 1) == 1 && line[length] != '\n')
        length++;
    json_t *object = json_loadb(line, length, 0, NULL);
    assert_non_null(object);
    return object;
}

/* A line that must be of this kind; what it says under `key`, as a number. */
static uint64_t expect_line(const char *kind, const char *key) {
    json_t *line = next_line();
    const json_t *object = json_object_get(line, kind);
    if (object == NULL) {
        char *text = json_dumps(line, JSON_COMPACT);
        fail_msg("%s expected: %s", kind, text);
    }
    uint64_t value = (uint64_t)json_integer_value(json_object_get(object, key));
    json_decref(line);
    return value;
}

static void expect_violation(const char *kind) {
    json_t *line = next_line();
    const char *text = json_string_value(json_object_get(json_object_get(line, "violation"), "kind"));
    assert_non_null(text);
    assert_string_equal(text, kind);
    json_decref(line);
}

/* Give a command; its error, and its value. */
static uint64_t command(const char *text, uint64_t *value) {
    assert_int_equal(send(judge, text, strlen(text), MSG_NOSIGNAL), (int)strlen(text));
    assert_int_equal(send(judge, "\n", 1, MSG_NOSIGNAL), 1);
    json_t *line = next_line();
    const json_t *answer = json_object_get(line, "answer");
    assert_non_null(answer);
    assert_string_equal(json_string_value(json_object_get(answer, "command")), text);
    uint64_t failed = (uint64_t)json_integer_value(json_object_get(answer, "error"));
    if (value != NULL)
        *value = (uint64_t)json_integer_value(json_object_get(answer, "value"));
    json_decref(line);
    return failed;
}

__attribute__((format(printf, 1, 2))) static uint64_t commandf(const char *format, ...) {
    char text[LAUNCH_REPORT_COMMAND_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return command(text, NULL);
}

static int start(void **state) {
    (void)state;
    int socket[2], report[2], memory = memfd_create("test", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, COMMON_BYTES) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) != 0)
        return -1;
    common = mmap(NULL, COMMON_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    struct server_options options = {.socket = socket[1],
                                     .report = report[1],
                                     .memory = memory,
                                     .model = &model,
                                     .host_threads = 1,
                                     .strict = true,
                                     .caches = false};
    if (common == MAP_FAILED || !server_open(&server, &options, error, sizeof error))
        return -1;
    program = socket[0];
    judge = report[0];
    return pthread_create(&thread, NULL, serve, NULL);
}

static int stop(void **state) {
    (void)state;
    close(program);
    pthread_join(thread, NULL);
    close(server.options.socket);
    close(server.options.report);
    close(judge);
    server_close(&server);
    munmap(common, COMMON_BYTES);
    if (transfer != NULL)
        munmap(transfer, PROTOCOL_TRANSFER_BYTES);
    transfer = NULL;
    return 0;
}

static void greet(void) {
    struct request_hello hello = {PROTOCOL_VERSION};
    assert_int_equal(ask(PROTOCOL_HELLO, &hello, sizeof hello, NULL, 0), 0);
}

/* Before the program has said a word, and of exactly the size that was asked for. */
static void bytes_go_both_ways(void **state) {
    (void)state;
    uint64_t address = 0;
    assert_int_equal(command("allocate 1000", &address), 0);
    assert_true(address != 0);
    for (int i = 0; i < 1000; i++)
        common[100 + i] = (uint8_t)(i * 7);
    assert_int_equal(commandf("write %llu 100 1000", (unsigned long long)address), 0);
    assert_int_equal(commandf("fill %llu 10 170", (unsigned long long)address + 20), 0);
    assert_int_equal(commandf("read %llu 5000 1000", (unsigned long long)address), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(common[5000 + i], i >= 20 && i < 30 ? 170 : (uint8_t)(i * 7));
    assert_int_equal(common[6000], 0);
    assert_int_not_equal(commandf("read %llu 0 1001", (unsigned long long)address), 0);
    assert_int_not_equal(commandf("write %llu %d 100", (unsigned long long)address, COMMON_BYTES - 99), 0);
    assert_int_not_equal(commandf("write %llu 18446744073709551615 2", (unsigned long long)address), 0);
    assert_int_not_equal(commandf("free %llu", (unsigned long long)address + 512), 0);
    assert_int_equal(commandf("free %llu", (unsigned long long)address), 0);
    assert_int_not_equal(commandf("free %llu", (unsigned long long)address), 0);
    /* What a buffer is may be said with its size. */
    assert_int_equal(command("allocate 4096 as src pixel 1 1 0 64 64 64", &address), 0);
    assert_int_equal(commandf("fill %llu 4096 1", (unsigned long long)address), 0);
    assert_int_equal(commandf("free %llu", (unsigned long long)address), 0);
    assert_int_not_equal(command("allocate 4096 as src pixel", NULL), 0);
    assert_int_not_equal(commandf("free %llu as src pixel 1 1 0 64 64 64", (unsigned long long)address), 0);
    assert_int_not_equal(command("allocate as src pixel 1 1 0 64 64 64", NULL), 0);
    assert_int_not_equal(command("allocate", NULL) + command("window 2", NULL) + command("window 0 5", NULL) +
                             command("dance 1", NULL),
                         0);
}

static void nothing_outside_a_window(void **state) {
    (void)state;
    uint64_t address = 0;
    greet();
    assert_int_equal(command("allocate 4096", &address), 0);
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
    assert_int_equal(ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), ERROR_NOT_PERMITTED);
    expect_violation("outside");
    assert_int_equal(ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), ERROR_NOT_PERMITTED); /* told once */
    assert_int_equal(command("window 1 1000000000", NULL), 0);
    assert_int_equal(ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    assert_int_equal(expect_line("fill", "bytes"), 64);
    /* A part without a copy that announced it would move bytes that nobody counts. */
    assert_int_not_equal(ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), 0);
    assert_int_equal(ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(expect_line("copy", "bytes"), 64);
    assert_int_equal(transfer[63], 9);
    copy.buffered = 0;
    assert_int_equal(ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(expect_line("copy", "bytes"), 64);
    assert_int_equal(ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), 0);
    assert_int_not_equal(ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), 0);
    /* Nor does calling it the host's own hide a copy. */
    copy.buffered = 1;
    copy.direction = PROTOCOL_IN_HOST;
    assert_int_equal(ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(expect_line("copy", "bytes"), 64);
    assert_int_equal(command("window 0", NULL), 0);
    assert_int_equal(ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), ERROR_NOT_PERMITTED);
    assert_int_equal(ask(PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), ERROR_INVALID_VALUE);
}

/* A line's time, of what kind it may be. */
static double expect_time(const char *kind) {
    json_t *line = next_line();
    const json_t *time = json_object_get(json_object_get(line, kind), "time_us");
    assert_non_null(time);
    double value = json_number_value(time);
    json_decref(line);
    return value;
}

/* A column costs the sectors it lies in, not its bytes. */
static void columns_cost_their_sectors(void **state) {
    (void)state;
    enum { ROWS = 1 << 20, PITCH = 64 };
    struct request_allocate allocate = {.bytes = (uint64_t)ROWS * PITCH};
    struct reply_value value;
    greet();
    assert_int_equal(command("window 1 1000", NULL), 0);
    assert_int_equal(ask(PROTOCOL_ALLOCATE, &allocate, sizeof allocate, &value, sizeof value), 0);
    struct request_fill fill = {.address = value.value, .pitch = PITCH, .width = 1, .height = ROWS};
    assert_int_equal(ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    double column = expect_time("fill");
    fill = (struct request_fill){.address = value.value, .pitch = 32 * ROWS, .width = 32 * ROWS, .height = 1};
    assert_int_equal(ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    assert_float_equal(column, expect_time("fill"), 1e-6);
    struct request_copy copy = {.to = value.value + 33,
                                .to_pitch = PITCH,
                                .from = value.value,
                                .from_pitch = PITCH,
                                .width = 1,
                                .height = ROWS / 2,
                                .direction = PROTOCOL_IN_DEVICE};
    assert_int_equal(ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_float_equal(column, expect_time("copy"), 1e-6); /* half the rows, read and written */
}

static void buffers_are_the_judges(void **state) {
    (void)state;
    uint64_t address = 0;
    struct request_none none = {{0}};
    greet();
    assert_int_equal(ask(PROTOCOL_RESET, &none, sizeof none, NULL, 0), 0); /* nothing is lost by it yet */
    assert_int_equal(command("allocate 4096", &address), 0);
    struct request_free give_up = {.address = address, .memory = PROTOCOL_DEVICE};
    struct request_address where = {address + 100};
    struct reply_pointer pointer;
    assert_int_equal(ask(PROTOCOL_POINTER, &where, sizeof where, &pointer, sizeof pointer), 0);
    assert_true(pointer.start == address && pointer.bytes == 4096);
    assert_int_equal(ask(PROTOCOL_FREE, &give_up, sizeof give_up, NULL, 0), ERROR_INVALID_VALUE);
    expect_violation("freed");
    assert_int_equal(ask(PROTOCOL_RESET, &none, sizeof none, NULL, 0), ERROR_NOT_PERMITTED);
    assert_int_equal(commandf("read %llu 0 4096", (unsigned long long)address), 0); /* still there */
}

static void shared_memory_is_told(void **state) {
    (void)state;
    struct request_allocate_shared pinned = {.bytes = 8192, .memory = PROTOCOL_PINNED};
    struct reply_value value;
    greet();
    int descriptor_before = transfer != NULL;
    uint8_t *kept = transfer;
    assert_int_equal(ask(PROTOCOL_ALLOCATE_SHARED, &pinned, sizeof pinned, &value, sizeof value), 0);
    munmap(transfer, PROTOCOL_TRANSFER_BYTES); /* ask took the descriptor for another transfer buffer */
    transfer = kept;
    assert_true(descriptor_before);
    assert_int_equal(expect_line("shared", "bytes"), 8192);
    struct request_free give_up = {.address = value.value, .memory = PROTOCOL_PINNED};
    assert_int_equal(ask(PROTOCOL_FREE, &give_up, sizeof give_up, NULL, 0), 0);
    assert_int_equal(expect_line("shared", "bytes"), 0);
}

static int load_model(void **state) {
    (void)state;
    return gpu_model_load(NULL, "h200", &model, error, sizeof error) ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_go_both_ways, start, stop),
        cmocka_unit_test_setup_teardown(nothing_outside_a_window, start, stop),
        cmocka_unit_test_setup_teardown(columns_cost_their_sectors, start, stop),
        cmocka_unit_test_setup_teardown(buffers_are_the_judges, start, stop),
        cmocka_unit_test_setup_teardown(shared_memory_is_told, start, stop),
    };
    alarm(30); /* a lost answer would be waited for */
    return cmocka_run_group_tests_name("judge", tests, load_model, NULL);
}
