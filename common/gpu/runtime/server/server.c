/* server.c: serves one program: reads a request, checks its size, calls its handler, replies. */
#include "gpu/runtime/server/server.h"

#include "gpu/runtime/protocol.h"
#include "gpu/runtime/server/launch_report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* Largest fixed part of a request, aligned for every field. */
enum { MAX_FIXED_BYTES = 256 };

struct operation {
    const char *name;
    uint32_t fixed_bytes;
    bool variable;
    void (*handle)(struct server *server, const void *request, const uint8_t *tail, uint32_t tail_bytes,
                   struct reply *reply);
};

/* Each handler takes a request struct of its own; through void * they fit one table. */
#define ADAPTER(name, request, variable, what)                                                               \
    static void handle_##name(struct server *server, const void *fixed, const uint8_t *tail,                 \
                              uint32_t tail_bytes, struct reply *reply) {                                    \
        server_handle_##name(server, (const struct request *)fixed, tail, tail_bytes, reply);                \
    }
PROTOCOL_OPERATIONS(ADAPTER)

#define CHECK_SIZE(name, request, variable, what)                                                            \
    _Static_assert(sizeof(struct request) <= MAX_FIXED_BYTES, #request " fits");
PROTOCOL_OPERATIONS(CHECK_SIZE)
#undef CHECK_SIZE

static const struct operation operations[] = {
#define ENTRY(name, request, variable, what) {#name, sizeof(struct request), variable, handle_##name},
    PROTOCOL_OPERATIONS(ENTRY)
#undef ENTRY
};

void server_reply_say(struct reply *reply, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reply->message, sizeof reply->message, format, arguments);
    va_end(arguments);
}

void *server_reply_bytes(struct reply *reply, uint32_t size) {
    free(reply->bytes);
    reply->bytes = calloc(1, size ? size : 1);
    reply->size = reply->bytes != NULL ? size : 0;
    if (reply->bytes == NULL)
        reply->error = ERROR_MEMORY_ALLOCATION;
    return reply->bytes;
}

void server_reply_value(struct reply *reply, uint64_t value) {
    struct reply_value *answer = server_reply_bytes(reply, sizeof *answer);
    if (answer != NULL)
        answer->value = value;
}

uint32_t server_error_of(enum simt_status status) {
    switch (status) {
    case SIMT_OK: return ERROR_NONE;
    case SIMT_STACK_OVERFLOW: /* an H200's answer */
    case SIMT_ILLEGAL_ADDRESS: return ERROR_ILLEGAL_ADDRESS;
    case SIMT_MISALIGNED_ADDRESS: return ERROR_MISALIGNED_ADDRESS;
    case SIMT_ILLEGAL_INSTRUCTION: return ERROR_ILLEGAL_INSTRUCTION;
    case SIMT_INVALID_PC: return ERROR_INVALID_PC;
    case SIMT_ASSERT: return ERROR_ASSERT;
    case SIMT_TIMEOUT: return ERROR_LAUNCH_TIMEOUT;
    case SIMT_INVALID_CONFIGURATION: return ERROR_INVALID_CONFIGURATION;
    case SIMT_TOO_MANY_RESOURCES: return ERROR_LAUNCH_OUT_OF_RESOURCES;
    case SIMT_OUT_OF_MEMORY: return ERROR_MEMORY_ALLOCATION;
    case SIMT_INVALID_VALUE: return ERROR_INVALID_VALUE;
    case SIMT_NOT_SUPPORTED: return ERROR_NOT_SUPPORTED;
    case SIMT_TRAP:
    case SIMT_BARRIER_DIVERGENCE:
    case SIMT_RACE: break;
    }
    return ERROR_LAUNCH_FAILURE;
}

/* The transfer buffer is simgpu's and sealed: a program cannot shrink it to make simgpu fault. */
static bool open_transfer(struct server *server, char *error, size_t size) {
    int descriptor = memfd_create("simgpu-transfer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, PROTOCOL_TRANSFER_BYTES) < 0) {
        snprintf(error, size, "no shared memory for copies");
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
        snprintf(error, size, "the shared memory for copies cannot be sealed");
        close(descriptor);
        return false;
    }
    void *bytes = mmap(NULL, PROTOCOL_TRANSFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (bytes == MAP_FAILED) {
        snprintf(error, size, "the shared memory for copies cannot be mapped");
        close(descriptor);
        return false;
    }
    server->transfer = bytes;
    server->transfer_descriptor = descriptor;
    return true;
}

bool server_open(struct server *server, const struct server_options *options, char *error, size_t size) {
    memset(server, 0, sizeof *server);
    server->options = *options;
    server->transfer_descriptor = -1;
    server->races = options->races;
    server->check = options->check;
    server->results_alone = options->results_alone;
    server->timeline_told = options->timeline;
    server->what_ifs = options->memory < 0; /* a judge says when */
    server->seen.most_bytes = server->solved.most_bytes = SERVER_SEEN_BYTES;
    launch_report_open(&server->report, options->report);
    simulation_config(options->model, &server->config);
    server->config.host_threads = options->host_threads;
    server->config.instruction_budget = options->budget;
    server->config.strict = options->strict;
    server->config.simulate_caches = options->caches;
    server->judged = options->memory >= 0;
    if (open_transfer(server, error, size)) {
        if (!server_device_open(server))
            snprintf(error, size, "out of memory for the simulated GPU");
        else if ((server->judge = options->hooks->open(server, error, size)) != NULL)
            return true;
    }
    server_close(server);
    return false;
}

void server_close(struct server *server) {
    server_device_close(server);
    order_free(&server->order);
    if (server->judge != NULL)
        server->options.hooks->close(server->judge);
    if (server->transfer != NULL)
        munmap(server->transfer, PROTOCOL_TRANSFER_BYTES);
    if (server->transfer_descriptor >= 0)
        close(server->transfer_descriptor);
    pthread_mutex_destroy(&server->report.writing);
    server_drop_output(server);
    memo_free(&server->seen);
    memo_free(&server->solved);
    free(server->remarks);
    server->judge = NULL;
    server->remarks = NULL;
    server->transfer = NULL;
    server->transfer_descriptor = -1;
}

void server_drop_output(struct server *server) {
    free(server->output);
    server->output = NULL;
    server->output_bytes = server->output_capacity = 0;
    server->output_cut = false;
}

static bool send_reply(struct server *server, struct reply *reply) {
    struct reply_header header = {
        .error = reply->error,
        .sticky = server->sticky,
        .bytes = reply->size,
        .message_bytes = (uint32_t)strlen(reply->message),
        .output_bytes = server->judged ? server->launched : server->output_bytes,
    };
    int socket = server->options.socket;
    return channel_send(socket, &header, sizeof header, reply->descriptor) &&
           channel_send(socket, reply->bytes, reply->size, -1) &&
           channel_send(socket, reply->message, header.message_bytes, -1);
}

/* Whether a broken context still serves an operation: reading printed text, or a reset. */
static bool works_when_broken(uint32_t operation) {
    return operation == PROTOCOL_HELLO || operation == PROTOCOL_OUTPUT || operation == PROTOCOL_RESET ||
           operation == PROTOCOL_END;
}

static bool serve(struct server *server, const struct request_header *header, char *error, size_t size) {
    if (header->operation >= PROTOCOL_OPERATION_COUNT) {
        snprintf(error, size, "request %u is none that this simgpu knows", header->operation);
        return false;
    }
    const struct operation *operation = &operations[header->operation];
    if (header->bytes < operation->fixed_bytes || header->bytes > PROTOCOL_MAX_REQUEST_BYTES ||
        (!operation->variable && header->bytes != operation->fixed_bytes)) {
        snprintf(error, size, "%s with %u bytes, %u expected", operation->name, header->bytes,
                 operation->fixed_bytes);
        return false;
    }
    if (!server->greeted && header->operation != PROTOCOL_HELLO) {
        snprintf(error, size, "%s before HELLO", operation->name);
        return false;
    }
    _Alignas(8) uint8_t fixed[MAX_FIXED_BYTES];
    uint32_t tail_bytes = header->bytes - operation->fixed_bytes;
    uint8_t *tail = malloc(tail_bytes + 1); /* with a NUL at the end, for names */
    if (tail == NULL) {
        snprintf(error, size, "out of memory for a request of %u bytes", header->bytes);
        return false;
    }
    struct reply reply = {.descriptor = -1};
    bool received = channel_receive(server->options.socket, fixed, operation->fixed_bytes, NULL) &&
                    channel_receive(server->options.socket, tail, tail_bytes, NULL);
    bool sent = false;
    if (received) {
        tail[tail_bytes] = 0;
        double before = server->timeline.host;
        if (server->sticky && !works_when_broken(header->operation)) {
            reply.error = server->sticky;
        } else {
            operation->handle(server, fixed, tail, tail_bytes, &reply);
            server->options.hooks->answered(server->judge, header->operation, fixed, tail_bytes, &reply);
        }
        if (server->timeline.host > before && header->operation != PROTOCOL_HOST)
            server_span(server, SPAN_KIND_HOST, -1, operation->name, 0, before,
                        server->timeline.host - before);
        if (header->operation == PROTOCOL_END) {
            pthread_mutex_lock(&server->report.writing);
            server_say_remarks(server);
            pthread_mutex_unlock(&server->report.writing);
        }
        sent = send_reply(server, &reply);
    }
    if (reply.descriptor >= 0)
        close(reply.descriptor);
    free(reply.bytes);
    free(tail);
    if (!sent)
        error[0] = '\0'; /* the program has ended, which is no error */
    return sent;
}

/* Waits for the program's next request, and obeys the judge meanwhile. */
static void wait_for_request(struct server *server) {
    struct pollfd sources[] = {{.fd = server->options.socket, .events = POLLIN},
                               {.fd = server->report.descriptor, .events = POLLIN}};
    for (;;) {
        server->options.hooks->obey(server->judge); /* commands that came before, too */
        if (poll(sources, server->report.commands ? 2 : 1, -1) < 0 && errno == EINTR)
            continue;
        if (!server->report.commands || sources[1].revents == 0)
            return;
    }
}

bool server_run(struct server *server, char *error, size_t size) {
    struct request_header header;
    error[0] = '\0';
    while (wait_for_request(server), channel_receive(server->options.socket, &header, sizeof header, NULL)) {
        if (!serve(server, &header, error, size))
            return error[0] == '\0';
    }
    return true;
}

HANDLER(END, request_none) {
    /* The loop prints the remarks once the judging half has added its own. */
}

HANDLER(HELLO, request_hello) {
    const struct gpu_model *model = server->options.model;
    const struct simt_config *config = &server->config;
    struct reply_hello *hello = server_reply_bytes(reply, sizeof *hello);
    if (hello == NULL)
        return;
    if (request->version != PROTOCOL_VERSION) {
        reply->error = ERROR_INITIALIZATION;
        server_reply_say(reply, "libcudart.so and simgpu are of different builds: rebuild both (make)");
        return;
    }
    server->greeted = true;
    *hello = (struct reply_hello){
        .version = PROTOCOL_VERSION,
        .compute_major = model->compute_major,
        .compute_minor = model->compute_minor,
        .sm_count = model->sm_count,
        .max_threads_per_sm = model->max_threads_per_sm,
        .max_blocks_per_sm = model->max_blocks_per_sm,
        .max_threads_per_block = model->max_threads_per_block,
        .registers_per_sm = model->registers_per_sm,
        .registers_per_block = model->registers_per_block,
        .shared_per_sm = model->shared_per_sm,
        .shared_per_block = model->shared_per_block,
        .shared_per_block_optin = model->shared_per_block_optin,
        .shared_reserved = model->shared_reserved,
        .memory_bytes = model->memory_bytes,
        .l2_bytes = model->l2_bytes,
        .l2_persisting_bytes = model->l2_persisting_bytes,
        .l2_window_bytes = model->l2_window_bytes,
        .clock_khz = (uint32_t)(model->clock_mhz * 1000),
        .memory_clock_khz = (uint32_t)(model->memory_clock_mhz * 1000),
        .memory_bus_bits = model->memory_bus_bits,
        .stack = server->stack,
        .heap = server->heap,
        .print = server->print,
    };
    memcpy(hello->id, model->id, sizeof hello->id);
    memcpy(hello->name, model->name, sizeof hello->name);
    memcpy(hello->max_block, config->max_block, sizeof hello->max_block);
    memcpy(hello->max_grid, config->max_grid, sizeof hello->max_grid);
    reply->descriptor = dup(server->transfer_descriptor);
    if (reply->descriptor < 0) {
        reply->error = ERROR_INITIALIZATION;
        server_reply_say(reply, "no descriptor is left for the shared memory of copies");
    }
}

HANDLER(OUTPUT, request_none) {
    char lost[256] = "";
    if (server->output_cut)
        snprintf(lost, sizeof lost,
                 "kernels printed more than the printf buffer of %llu bytes holds; the rest is lost "
                 "(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...), or synchronise more often)",
                 (unsigned long long)server->print);
    free(reply->bytes);
    reply->bytes = NULL;
    if (server->judged) {
        /* The judge shows what kernels print. The program gets none of it, not even whether there
         * was any: it would bring an input to the host. */
        launch_report_printed(&server->report, server->output, server->output_bytes);
        launch_report_printed(&server->report, lost, strlen(lost));
    } else {
        /* Hands the buffer over as the reply. */
        reply->bytes = (uint8_t *)server->output;
        reply->size = (uint32_t)server->output_bytes;
        server_reply_say(reply, "%s", lost);
        server->output = NULL;
    }
    server_drop_output(server);
    server->launched = false;
}

HANDLER(RESET, request_none) {
    struct server_work work = {.kind = SERVER_RESET, .name = "cudaDeviceReset"};
    if (!server->options.hooks->allows(server->judge, &work, reply))
        return;
    server_device_close(server);
    server->sticky = 0;
    if (!server_device_open(server)) {
        server->sticky = ERROR_MEMORY_ALLOCATION;
        reply->error = ERROR_MEMORY_ALLOCATION;
        server_reply_say(reply, "out of memory for the simulated GPU");
    }
}

HANDLER(LIMITS, request_limits) {
    /* The printf buffer lives in simgpu. Sizes that hardware refuses are refused here too. */
    if (request->print > (1u << 30) || request->stack > (512u << 10) ||
        request->heap > server->config.memory_bytes) {
        reply->error = ERROR_MEMORY_ALLOCATION;
        return;
    }
    server->stack = request->stack;
    server->heap = request->heap;
    server->print = request->print;
    simt_device_set_limits(server->device, server->stack, server->heap, server->print);
}
