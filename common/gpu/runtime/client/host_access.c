/* host_access.c: the host dereferences a device pointer. That is a segmentation fault, as with a GPU;
 * before it, one sentence says which allocation the pointer leads into. */
#include "gpu/runtime/client/client.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST = 1024 }; /* the latest that are remembered */

/* The handler reads this without a lock: the program is at its end. */
static struct {
    struct {
        uint64_t address, bytes;
    } allocations[MOST];
    uint32_t count; /* of successful allocations, as simgpu numbers them */
    struct sigaction earlier;
} world;

void client_host_allocated(uint64_t address, uint64_t bytes) {
    world.allocations[world.count % MOST].address = address;
    world.allocations[world.count % MOST].bytes = bytes;
    world.count++;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    enum { IS_STORE = 2 };
    uint64_t address = (uintptr_t)info->si_addr;
    char text[400], place[160] = "device memory";
    const ucontext_t *at = context;
    for (uint32_t i = world.count; i > 0 && i + MOST > world.count; i--) {
        uint64_t offset = address - world.allocations[(i - 1) % MOST].address;
        uint64_t bytes = world.allocations[(i - 1) % MOST].bytes;
        if (offset >= bytes)
            continue;
        snprintf(place, sizeof place, "byte %" PRIu64 " of the %" PRIu64 " bytes of cudaMalloc #%" PRIu32, offset,
                 bytes, i);
        break;
    }
    int length = snprintf(text, sizeof text,
                          "simulated GPU: the host %s %s: a device pointer is for kernels; copy the data with "
                          "cudaMemcpy, or use cudaMallocManaged\n",
                          at->uc_mcontext.gregs[REG_ERR] & IS_STORE ? "writes" : "reads", place);
    if (client_is_device_address(address) && length > 0 && write(STDERR_FILENO, text, (size_t)length) < 0)
        _exit(128 + number);
    sigaction(number, &world.earlier, NULL); /* the access is repeated, and ends the program */
}

bool client_host_is_watched(const struct sigaction *action) {
    return action->sa_sigaction == on_fault;
}

void client_host_watch(void) {
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, now;
    if (sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == SIG_DFL) /* else the program's own stays */
        (void)sigaction(SIGSEGV, &ours, &world.earlier);
}
