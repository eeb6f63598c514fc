/*
 * fuzz_server.c: any bytes as what a program and a judge say to simgpu, in any order. Each message is a byte of kind and
 * two bytes of length, then so many bytes: a judge's command, or an operation and its request. The first words that
 * every program says come by themselves.
 */
#include "gpu/runtime/judge/judge.h"
#include "gpu/runtime/protocol.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COMMON_BYTES = 1 << 16, ROOM = 4 << 20, JUDGE = 0xff };

struct sides {
    int program[2], judge[2]; /* [0] ours, [1] the server's */
    struct server server;
};

/* Both ends do not wait: what does not fit, or has not come, ends a conversation. */
static void connect_sides(int pair[2]) {
    int room = ROOM;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        abort();
    for (int i = 0; i < 2; i++)
        (void)setsockopt(pair[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

static void open_server(struct sides *sides) {
    static struct gpu_model model;
    char error[512];
    int memory = memfd_create("common", MFD_CLOEXEC);
    if (model.sm_count == 0 && !gpu_model_load(NULL, "h200", &model, error, sizeof error))
        abort();
    model.memory_bytes = 16 << 20; /* so that a fill of all of it takes no time */
    model.sm_count = 4;
    connect_sides(sides->program);
    connect_sides(sides->judge);
    if (memory < 0 || ftruncate(memory, COMMON_BYTES) != 0)
        abort();
    struct server_options options = {.socket = sides->program[1],
                                     .report = sides->judge[1],
                                     .memory = memory,
                                     .hooks = &judge_hooks,
                                     .model = &model,
                                     .host_threads = 1,
                                     .budget = 20000,
                                     .strict = true,
                                     .races = true,
                                     .check = true};
    if (!server_open(&sides->server, &options, error, sizeof error))
        abort();
}

static void close_server(struct sides *sides) {
    server_close(&sides->server);
    for (int i = 0; i < 2; i++) {
        close(sides->program[i]);
        close(sides->judge[i]);
    }
}

/* Away with what has been answered. */
static void drain(int socket) {
    char bytes[65536];
    while (recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        continue;
}

/* Have the server take what was sent: the byte after it begins a message that never comes, and ends its waiting. False: it
 * broke the connection, for a reason that it says. */
static bool run(struct sides *sides) {
    char error[512] = "";
    if (!channel_send(sides->program[0], "", 1, -1))
        return false;
    bool right = server_run(&sides->server, error, sizeof error);
    if (!right && (error[0] == '\0' || strchr(error, '\n') != NULL))
        abort();
    drain(sides->program[0]);
    drain(sides->judge[0]);
    return right;
}

static bool request(struct sides *sides, uint32_t operation, const void *bytes, uint32_t count) {
    struct request_header header = {operation, count};
    return channel_send(sides->program[0], &header, sizeof header, -1) &&
           channel_send(sides->program[0], bytes, count, -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sides sides;
    struct request_hello hello = {PROTOCOL_VERSION};
    open_server(&sides);
    bool alive = request(&sides, PROTOCOL_HELLO, &hello, sizeof hello) && run(&sides);
    while (alive && size >= 3) {
        uint8_t kind = data[0];
        size_t count = (size_t)data[1] | (size_t)data[2] << 8;
        count = count < size - 3 ? count : size - 3;
        if (kind == JUDGE)
            alive = channel_send(sides.judge[0], data + 3, count, -1) &&
                    channel_send(sides.judge[0], "\n", 1, -1);
        else
            alive = request(&sides, kind % PROTOCOL_OPERATION_COUNT, data + 3, (uint32_t)count);
        alive = alive && run(&sides);
        data += 3 + count;
        size -= 3 + count;
    }
    close_server(&sides);
    return 0;
}
