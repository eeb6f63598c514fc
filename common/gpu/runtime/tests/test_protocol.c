/* test_protocol.c: a simgpu whose program is hostile: whatever bytes come, it answers or ends the connection,
 * and never touches what it should not (the sanitizer looks on). The server runs in this process, on a
 * thread. */
#include "base/test.h"
#include "gpu/runtime/judge/judge.h"
#include "gpu/runtime/protocol.h"
#include "gpu/runtime/tests/support_programs.h"

#include <sys/mman.h>
#include <sys/socket.h>

static struct gpu_model model;

struct session {
    int socket;
    pthread_t thread;
    struct server server;
    char error[512];
    bool clean;     /* the server took the end as the program's own */
    char said[256]; /* with its last answer */
};

static void *serve(void *context) {
    struct session *session = context;
    session->clean = server_run(&session->server, session->error, sizeof session->error);
    shutdown(session->server.options.socket, SHUT_RDWR);
    return NULL;
}

static void start(struct session *session) {
    int pair[2];
    memset(session, 0, sizeof *session);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    struct server_options options = {.socket = pair[1],
                                     .report = -1,
                                     .memory = -1,
                                     .hooks = &judge_hooks,
                                     .model = &model,
                                     .host_threads = 1,
                                     .strict = true,
                                     .caches = false};
    if (!server_open(&session->server, &options, session->error, sizeof session->error))
        fail_msg("%s", session->error);
    session->socket = pair[0];
    assert_int_equal(pthread_create(&session->thread, NULL, serve, session), 0);
}

static void stop(struct session *session) {
    close(session->socket);
    pthread_join(session->thread, NULL);
    close(session->server.options.socket);
    server_close(&session->server);
}

/* Send a request; the reply's error, or -1 when the server hung up. `reply` takes as much as fits. */
static int ask(struct session *session, uint32_t operation, const void *request, uint32_t bytes, void *reply,
               size_t reply_bytes) {
    struct request_header header = {operation, bytes};
    struct reply_header answer;
    int descriptor = -1;
    if (!channel_send(session->socket, &header, sizeof header, -1) ||
        !channel_send(session->socket, request, bytes, -1) ||
        !channel_receive(session->socket, &answer, sizeof answer, &descriptor))
        return -1;
    if (descriptor >= 0)
        close(descriptor);
    size_t size = (size_t)answer.bytes + answer.message_bytes;
    char *rest = malloc(size + 1);
    assert_non_null(rest);
    assert_true(channel_receive(session->socket, rest, size, NULL));
    snprintf(session->said, sizeof session->said, "%.*s", (int)answer.message_bytes, rest + answer.bytes);
    if (reply != NULL)
        memcpy(reply, rest, reply_bytes < answer.bytes ? reply_bytes : answer.bytes);
    free(rest);
    return (int)answer.error;
}

static void greet(struct session *session) {
    struct request_hello hello = {PROTOCOL_VERSION};
    assert_int_equal(ask(session, PROTOCOL_HELLO, &hello, sizeof hello, NULL, 0), 0);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* A message of the wrong length, of no known kind, or before HELLO ends the connection with a line that says
 * so. */
static void broken_frames(void **state) {
    struct session session;
    struct request_hello hello = {PROTOCOL_VERSION + 1};
    char bytes[300] = {0};
    start(&session);
    assert_int_equal(ask(&session, PROTOCOL_OPERATION_COUNT, bytes, 4, NULL, 0), -1);
    stop(&session);
    assert_false(session.clean);
    assert_non_null(strstr(session.error, "none that this simgpu knows"));

    start(&session);
    assert_int_equal(ask(&session, PROTOCOL_HELLO, bytes, 3, NULL, 0), -1);
    stop(&session);
    assert_non_null(strstr(session.error, "HELLO with 3 bytes"));

    start(&session);
    assert_int_equal(ask(&session, PROTOCOL_ALLOCATE, bytes, sizeof(struct request_allocate), NULL, 0), -1);
    stop(&session);
    assert_non_null(strstr(session.error, "ALLOCATE before HELLO"));

    start(&session);
    assert_int_equal(ask(&session, PROTOCOL_HELLO, &hello, sizeof hello, NULL, 0), ERROR_INITIALIZATION);
    stop(&session);
    assert_true(session.clean);

    start(&session);
    struct request_header endless = {PROTOCOL_MODULE_LOAD, UINT32_MAX};
    greet(&session);
    assert_true(channel_send(session.socket, &endless, sizeof endless, -1));
    assert_false(channel_receive(session.socket, bytes, 1, NULL));
    stop(&session);
    assert_non_null(strstr(session.error, "MODULE_LOAD with 4294967295 bytes"));

    start(&session); /* cut off in the middle of a request */
    struct request_header half = {PROTOCOL_MODULE_LOAD, 1000};
    greet(&session);
    assert_true(channel_send(session.socket, &half, sizeof half, -1));
    assert_true(channel_send(session.socket, bytes, 100, -1));
    stop(&session);
    assert_true(session.clean);
}

static const uint32_t fixed_bytes[] = {
#define BYTES(name, request, variable, what) sizeof(struct request),
    PROTOCOL_OPERATIONS(BYTES)
#undef BYTES
};

static const bool has_tail[] = {
#define TAIL(name, request, variable, what) variable,
    PROTOCOL_OPERATIONS(TAIL)
#undef TAIL
};

/* A number that is likely to be near something: a small one, an address the server gave, a limit, anything. */
static uint64_t likely(uint64_t *random, uint64_t address) {
    static const uint64_t edges[] = {0,          1,          4095,      4096,       UINT32_MAX,
                                     1ull << 32, 1ull << 47, INT64_MAX, 1ull << 63, UINT64_MAX};
    uint64_t r = next_random(random);
    switch (r % 5) {
    case 0: return r >> 8 & 7;
    case 1: return address + (r >> 8) % 5000;
    case 2: return edges[(r >> 8) % (sizeof edges / sizeof *edges)];
    case 3: return (r >> 8) & 0xffff;
    default: return r;
    }
}

/* Well-formed requests with nonsense in them: each is answered. Kernels' names, memory and handles that exist
 * are mixed in, so that the nonsense reaches beyond the first check. */
static void random_requests(void **state) {
    struct session session;
    uint64_t random = 0x9e3779b97f4a7c15, address = 0;
    size_t fatbin_bytes;
    unsigned char *fatbin = read_fat_binary("zstd", &fatbin_bytes);
    unsigned refused = 0, done = 0;
    start(&session);
    greet(&session);
    struct request_module nothing_linked = {0};
    struct request_none none = {{0}};
    unsigned char *load = malloc(sizeof nothing_linked + fatbin_bytes);
    memcpy(load, &nothing_linked, sizeof nothing_linked);
    memcpy(load + sizeof nothing_linked, fatbin, fatbin_bytes);
    assert_int_equal(
        ask(&session, PROTOCOL_MODULE_LOAD, load, (uint32_t)(sizeof nothing_linked + fatbin_bytes), NULL, 0),
        0);
    for (int round = 0; round < 20000; round++) {
        _Alignas(8) unsigned char bytes[512];
        uint32_t operation = (uint32_t)(next_random(&random) % PROTOCOL_OPERATION_COUNT);
        uint32_t size = fixed_bytes[operation];
        for (uint32_t i = 0; i < size; i += 4) {
            uint64_t value = likely(&random, address);
            if (i % 8 == 0 && size - i >= 8 && next_random(&random) % 2) {
                memcpy(bytes + i, &value, 8);
                i += 4;
            } else {
                memcpy(bytes + i, &value, size - i < 4 ? size - i : 4);
            }
        }
        if (operation == PROTOCOL_HELLO || operation == PROTOCOL_RESET) /* keep what was built up */
            continue;
        /* A machine's memory is not what this test is about. */
        if (operation == PROTOCOL_ALLOCATE || operation == PROTOCOL_ALLOCATE_SHARED) {
            uint64_t *field = (uint64_t *)(bytes + (operation == PROTOCOL_ALLOCATE ? 0 : 8));
            *field %= 100000;
        }
        if (operation == PROTOCOL_FILL || operation == PROTOCOL_COPY)
            memset(bytes + size - 16, 0, 4); /* the default stream, more often than not */
        if (has_tail[operation]) {
            static const char *const names[] = {"smooth",  "gather", "bounded", "counter",
                                                "weights", "none",   ""};
            const char *name = names[next_random(&random) % 7];
            size_t length = strlen(name);
            if (operation == PROTOCOL_KERNEL || operation == PROTOCOL_VARIABLE)
                memcpy(bytes, &(uint32_t){1}, 4);
            if (operation == PROTOCOL_LAUNCH)
                length = next_random(&random) % 64;
            for (size_t i = 0; i < length; i++)
                bytes[size + i] = operation == PROTOCOL_LAUNCH ? (unsigned char)next_random(&random)
                                                               : (unsigned char)name[i];
            size += (uint32_t)length;
        }
        uint64_t reply = 0;
        int error = ask(&session, operation, bytes, size, &reply, sizeof reply);
        if (error < 0)
            fail_msg("request %u in round %d: the server hung up: %s", operation, round, session.error);
        if (error == 0 && (operation == PROTOCOL_ALLOCATE || operation == PROTOCOL_ALLOCATE_SHARED))
            address = reply;
        if (error >= ERROR_ILLEGAL_ADDRESS && error != ERROR_ALREADY_REGISTERED &&
            error != ERROR_NOT_REGISTERED && error != ERROR_NOT_SUPPORTED &&
            error != ERROR_LAUNCH_OUT_OF_RESOURCES && error != ERROR_COOPERATIVE_TOO_LARGE) {
            /* A launch went astray, as it may: start anew. */
            assert_int_equal(ask(&session, PROTOCOL_RESET, &none, sizeof none, NULL, 0), 0);
            assert_int_equal(ask(&session, PROTOCOL_MODULE_LOAD, load,
                                 (uint32_t)(sizeof nothing_linked + fatbin_bytes), NULL, 0),
                             0);
        }
        refused += error != 0;
        done += error == 0;
    }
    assert_true(refused > 1000);
    assert_true(done > 1000);
    stop(&session);
    assert_true(session.clean);
    free(load);
    free(fatbin);
}

/* A program of units: what does not hold what it says is refused, and the session goes on. */
static void modules_of_units(void **state) {
    struct session session;
    size_t whole, relocatable;
    unsigned char *fatbin = read_fat_binary("zstd", &whole),
                  *unit = read_fat_binary("separate", &relocatable);
    start(&session);
    greet(&session);
    unsigned char *load = malloc(sizeof(struct request_module) + whole + 2 * relocatable);
    assert_non_null(load);
    unsigned char *bytes = load + sizeof(struct request_module);
    memcpy(bytes, fatbin, whole);
    memcpy(bytes + whole, unit, relocatable);
    memcpy(bytes + whole + relocatable, unit, relocatable); /* twice: its kernels are defined twice */
    const struct {
        uint32_t units;
        size_t bytes;
        bool loads;
    } cases[] = {{1, whole + relocatable, true},
                 {2, whole + relocatable, false},
                 {UINT32_MAX, whole, false},
                 {1, whole + relocatable - 8, false},
                 {2, whole + 2 * relocatable, false},
                 {1, whole + 20, false},
                 {0, whole, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(load, &(struct request_module){cases[i].units}, sizeof(struct request_module));
        uint64_t id = 0;
        int code = ask(&session, PROTOCOL_MODULE_LOAD, load,
                       (uint32_t)(sizeof(struct request_module) + cases[i].bytes), &id, sizeof id);
        assert_int_equal(code == 0, cases[i].loads);
    }
    stop(&session);
    assert_true(session.clean);
    free(load);
    free(fatbin);
    free(unit);
}

/* A name that is longer than the protocol takes is refused with the reason, a kernel's and a variable's. */
static void names_too_long(void **state) {
    struct session session;
    size_t whole;
    unsigned char *fatbin = read_fat_binary("zstd", &whole);
    start(&session);
    greet(&session);
    unsigned char *load = malloc(sizeof(struct request_module) + whole);
    assert_non_null(load);
    memcpy(load, &(struct request_module){0}, sizeof(struct request_module));
    memcpy(load + sizeof(struct request_module), fatbin, whole);
    uint32_t id[2] = {0};
    assert_int_equal(ask(&session, PROTOCOL_MODULE_LOAD, load,
                         (uint32_t)(sizeof(struct request_module) + whole), id, sizeof id),
                     0);
    static unsigned char request[sizeof(struct request_id) + PROTOCOL_MAX_NAME_BYTES + 1];
    memset(request, 'k', sizeof request);
    memcpy(request, &(struct request_id){id[0]}, sizeof(struct request_id));
    const uint32_t operations[] = {PROTOCOL_KERNEL, PROTOCOL_VARIABLE};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ask(&session, operations[i], request, sizeof request, NULL, 0), ERROR_INVALID_VALUE);
        assert_non_null(strstr(session.said, "kkk...' has 16385 characters"));
        assert_true(ask(&session, operations[i], request, sizeof request - 1, NULL, 0) > 0);
        assert_null(strstr(session.said, "characters"));
    }
    stop(&session);
    free(load);
    free(fatbin);
}

/* Rows that lie on each other would be without end in memory that ends: refused as the runtime does. */
static void rows_that_overlap(void **state) {
    struct session session;
    struct request_allocate allocate = {.bytes = 4096};
    uint64_t address = 0;
    start(&session);
    greet(&session);
    assert_int_equal(ask(&session, PROTOCOL_ALLOCATE, &allocate, sizeof allocate, &address, sizeof address),
                     0);
    for (uint64_t pitch = 0; pitch < 2; pitch++) {
        uint64_t rows = pitch ? 4000 : (uint64_t)1 << 32;
        struct request_fill fill = {.address = address, .pitch = pitch, .width = 2, .height = rows};
        struct request_copy inside = {.to = address,
                                      .to_pitch = 2,
                                      .from = address,
                                      .from_pitch = pitch,
                                      .width = 2,
                                      .height = rows,
                                      .direction = PROTOCOL_IN_DEVICE};
        struct request_copy out = {.from = address,
                                   .from_pitch = pitch,
                                   .to_pitch = 2,
                                   .width = 2,
                                   .height = rows,
                                   .direction = PROTOCOL_FROM_DEVICE};
        struct request_transfer part = {.address = address,
                                        .pitch = pitch,
                                        .width = 2,
                                        .height = 4000,
                                        .direction = PROTOCOL_FROM_DEVICE};
        assert_int_equal(ask(&session, PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), ERROR_INVALID_VALUE);
        assert_int_equal(ask(&session, PROTOCOL_COPY, &inside, sizeof inside, NULL, 0), ERROR_INVALID_PITCH);
        inside.to_pitch = pitch;
        inside.from_pitch = 2;
        assert_int_equal(ask(&session, PROTOCOL_COPY, &inside, sizeof inside, NULL, 0), ERROR_INVALID_PITCH);
        assert_int_equal(ask(&session, PROTOCOL_COPY, &out, sizeof out, NULL, 0), ERROR_INVALID_PITCH);
        assert_int_equal(ask(&session, PROTOCOL_TRANSFER, &part, sizeof part, NULL, 0), ERROR_INVALID_PITCH);
    }
    struct request_fill row = {.address = address, .width = 4096, .height = 1}; /* no next row: no pitch */
    assert_int_equal(ask(&session, PROTOCOL_FILL, &row, sizeof row, NULL, 0), 0);
    stop(&session);
    assert_true(session.clean);
}

/* Any bytes at all, whole sessions of them. */
static void random_bytes(void **state) {
    uint64_t random = 0x123456789abcdef;
    for (int round = 0; round < 300; round++) {
        struct session session;
        uint64_t bytes[64];
        start(&session);
        if (round % 2)
            greet(&session);
        for (size_t i = 0; i < 64; i++)
            bytes[i] = next_random(&random);
        if (round % 4 > 1) { /* a header that holds, with what follows at random */
            struct request_header header = {(uint32_t)(random % PROTOCOL_OPERATION_COUNT), 0};
            header.bytes = fixed_bytes[header.operation];
            memcpy(bytes, &header, sizeof header);
        }
        (void)channel_send(session.socket, bytes, sizeof bytes, -1);
        shutdown(session.socket, SHUT_WR);
        char sink[256];
        while (read(session.socket, sink, sizeof sink) > 0)
            continue;
        stop(&session);
    }
}

/* The program may do to the shared buffer what it likes, but not take it away. */
static void the_transfer_buffer_is_sealed(void **state) {
    struct session session;
    start(&session);
    assert_int_equal(ftruncate(session.server.transfer_descriptor, 0), -1);
    assert_int_equal(ftruncate(session.server.transfer_descriptor, 1 << 30), -1);
    stop(&session);
}

static int load_model(void **state) {
    char error[512];
    if (gpu_model_load(NULL, "t4", &model, error, sizeof error))
        return 0;
    print_error("%s\n", error);
    return -1;
}

/* Terabytes that nobody touches still cost what is kept of each sector, and time at each launch. */
static void shared_memory_has_an_end(void **state) {
    struct session session;
    struct request_allocate_shared request = {.memory = PROTOCOL_MANAGED, .bytes = (uint64_t)5 << 40};
    struct reply_value value = {0};
    struct request_free release = {.memory = PROTOCOL_MANAGED};
    start(&session);
    greet(&session);
    assert_int_equal(ask(&session, PROTOCOL_ALLOCATE_SHARED, &request, sizeof request, NULL, 0),
                     ERROR_MEMORY_ALLOCATION);
    assert_non_null(strstr(session.said, "managed memory of 5242880.0 MiB cannot be had"));
    request.bytes = (uint64_t)200 << 30;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            ask(&session, PROTOCOL_ALLOCATE_SHARED, &request, sizeof request, &value, sizeof value), 0);
        assert_int_equal(ask(&session, PROTOCOL_ALLOCATE_SHARED, &request, sizeof request, NULL, 0),
                         ERROR_MEMORY_ALLOCATION);
        release.address = value.value;
        assert_int_equal(ask(&session, PROTOCOL_FREE, &release, sizeof release, NULL, 0), 0);
    }
    stop(&session);
}

TESTS_BETWEEN(load_model, NULL, UNIT(broken_frames), UNIT(modules_of_units), UNIT(names_too_long),
              UNIT(random_requests), UNIT(rows_that_overlap), UNIT(random_bytes),
              UNIT(the_transfer_buffer_is_sealed), UNIT(shared_memory_has_an_end))
