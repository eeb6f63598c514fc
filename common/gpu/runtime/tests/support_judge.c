/* support_judge.c: a server with a judge and a program, in this process. */
#include "gpu/runtime/tests/support_judge.h"
#include "base/test.h"

#include "gpu/runtime/judge/judge.h"
#include "gpu/runtime/protocol.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>

struct judged judged;
static struct server server;
static int program, judge; /* the other ends of the server's sockets */
static pthread_t thread;
static char error[512];

static void *serve(void *context) {
    server_run(&server, error, sizeof error);
    shutdown(server.options.socket, SHUT_RDWR);
    return context;
}

/* Send a request of the program's; its error. `reply` may be NULL. */
uint32_t judged_ask(uint32_t operation, const void *request, uint32_t bytes, void *reply,
                    size_t reply_bytes) {
    struct request_header header = {operation, bytes};
    struct reply_header answer = {0};
    char rest[4096];
    int descriptor = -1;
    assert_true(channel_send(program, &header, sizeof header, -1) &&
                channel_send(program, request, bytes, -1) &&
                channel_receive(program, &answer, sizeof answer, &descriptor));
    if (descriptor >= 0) {
        void *memory = mmap(NULL, PROTOCOL_TRANSFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        assert_true(memory != MAP_FAILED);
        close(descriptor);
        *(operation == PROTOCOL_HELLO ? &judged.transfer : &judged.shared) = memory;
    }
    assert_true(answer.bytes + answer.message_bytes < sizeof rest);
    assert_true(channel_receive(program, rest, answer.bytes + answer.message_bytes, NULL));
    if (reply != NULL)
        memcpy(reply, rest, reply_bytes);
    return answer.error;
}

/* The next line of the report. */
static json_t *next_line(void) {
    char line[16384];
    size_t length = 0;
    while (length < sizeof line && read(judge, line + length, 1) == 1 && line[length] != '\n')
        length++;
    json_t *object = json_loadb(line, length, 0, NULL);
    assert_non_null(object);
    return object;
}

/* A line that must be of this kind; what it says under `key`, as a number. */
uint64_t judged_expect(const char *kind, const char *key) {
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

void judged_expect_violation(const char *kind) {
    json_t *line = next_line();
    const char *text = json_string_value(json_object_get(json_object_get(line, "violation"), "kind"));
    assert_non_null(text);
    assert_string_equal(text, kind);
    json_decref(line);
}

static uint64_t number(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

/* What is said when a window closes or a recording ends, before the answer. False: it is something else. */
static bool take_end_of_call(const json_t *line) {
    const json_t *crossed = json_object_get(line, "flow"), *forgotten = json_object_get(line, "forgotten");
    const char *what = json_string_value(json_object_get(forgotten, "what"));
    if (crossed != NULL) {
        judged.flow = (struct server_flow){.from_device = number(crossed, "from_device"),
                                           .to_device = number(crossed, "to_device"),
                                           .learned = number(crossed, "learned"),
                                           .carried = number(crossed, "carried"),
                                           .time_us = json_number_value(json_object_get(crossed, "time_us")),
                                           .idle_us = json_number_value(json_object_get(crossed, "idle_us")),
                                           .unseen = json_is_true(json_object_get(crossed, "unseen"))};
        snprintf(judged.unordered, sizeof judged.unordered, "%s",
                 json_string_value(json_object_get(crossed, "unordered")));
    }
    if (what != NULL)
        snprintf(judged.missed, sizeof judged.missed, "%s", what);
    const json_t *left = json_object_get(line, "left"), *names = json_object_get(left, "what");
    if (left != NULL) {
        judged.left[0] = '\0';
        for (size_t i = 0; i < json_array_size(names); i++)
            snprintf(judged.left + strlen(judged.left), sizeof judged.left - strlen(judged.left), "%s%s",
                     i > 0 ? ", " : "", json_string_value(json_array_get(names, i)));
    }
    const json_t *recorded = json_object_get(line, "recorded"), *repeated = json_object_get(line, "repeated");
    if (recorded != NULL) {
        judged.recorded_us = json_number_value(json_object_get(recorded, "time_us"));
        snprintf(judged.failed, sizeof judged.failed, "%s",
                 json_string_value(json_object_get(recorded, "failed")));
    }
    return crossed != NULL || what != NULL || left != NULL || recorded != NULL || repeated != NULL;
}

/* Give a command; its error, and its value. */
uint64_t judged_command(const char *text, uint64_t *value) {
    assert_int_equal(send(judge, text, strlen(text), MSG_NOSIGNAL), (int)strlen(text));
    assert_int_equal(send(judge, "\n", 1, MSG_NOSIGNAL), 1);
    json_t *line = next_line();
    while (take_end_of_call(line)) {
        json_decref(line);
        line = next_line();
    }
    const json_t *answer = json_object_get(line, "answer");
    assert_non_null(answer);
    assert_string_equal(json_string_value(json_object_get(answer, "command")), text);
    uint64_t failed = (uint64_t)json_integer_value(json_object_get(answer, "error"));
    if (value != NULL)
        *value = (uint64_t)json_integer_value(json_object_get(answer, "value"));
    json_decref(line);
    return failed;
}

uint64_t judged_commandf(const char *format, ...) {
    char text[LAUNCH_REPORT_COMMAND_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return judged_command(text, NULL);
}

int judged_start(void **state) {
    int socket[2], report[2], memory = memfd_create("test", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, JUDGED_COMMON_BYTES) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) != 0)
        return -1;
    judged.common = mmap(NULL, JUDGED_COMMON_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    struct server_options options = {.socket = socket[1],
                                     .report = report[1],
                                     .memory = judged.alone ? -1 : memory,
                                     .hooks = &judge_hooks,
                                     .model = &judged.model,
                                     .host_threads = 1,
                                     .strict = true,
                                     .time_by_code = judged.ptxas != NULL,
                                     .caches = false};
    ptxas_init(&options.ptxas, judged.ptxas);
    if (judged.common == MAP_FAILED || !server_open(&server, &options, error, sizeof error))
        return -1;
    program = socket[0];
    judge = report[0];
    return pthread_create(&thread, NULL, serve, NULL);
}

int judged_stop(void **state) {
    close(program);
    pthread_join(thread, NULL);
    close(server.options.socket);
    close(server.options.report);
    close(judge);
    server_close(&server);
    munmap(judged.common, JUDGED_COMMON_BYTES);
    if (judged.transfer != NULL)
        munmap(judged.transfer, PROTOCOL_TRANSFER_BYTES);
    if (judged.shared != NULL)
        munmap(judged.shared, PROTOCOL_TRANSFER_BYTES);
    judged.missed[0] = judged.left[0] = '\0';
    judged.transfer = judged.shared = NULL;
    return 0;
}

void judged_greet(void) {
    struct request_hello hello = {PROTOCOL_VERSION};
    assert_int_equal(judged_ask(PROTOCOL_HELLO, &hello, sizeof hello, NULL, 0), 0);
}

/* A line's time, of what kind it may be. */
double judged_expect_time(const char *kind) {
    json_t *line = next_line();
    const json_t *time = json_object_get(json_object_get(line, kind), "time_us");
    assert_non_null(time);
    double value = json_number_value(time);
    json_decref(line);
    return value;
}

int judged_load_model(void **state) {
    return gpu_model_load(NULL, "h200", &judged.model, error, sizeof error) ? 0 : -1;
}
