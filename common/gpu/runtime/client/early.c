/* early.c: with CHECK=1, finds host accesses to memory before the host has waited for the work that
 * writes or reads it. Here work runs when it is issued, so the host sees the result; on a GPU it may
 * not. After each call simgpu says what of managed and pinned memory its unfinished work may
 * touch (PROTOCOL_PENDING). These pages are closed to the host, or to its stores where work only reads.
 *
 * An access to a closed page comes as SIGSEGV. The page is opened, and the access is sent to simgpu
 * before the next request: it knows whose bytes they are. System calls get their pages opened first
 * (system_calls.c). A program with a SIGSEGV handler of its own, or with system calls that
 * system_calls.c lacks, is not watched.
 *
 * The same handler, without CHECK=1 too, says what allocation a device pointer leads into that the
 * host dereferences. The program then ends as on a GPU. */
#include "base/wrap.h"
#include "gpu/runtime/client/client.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST_REGIONS = 64, MOST_TOUCHES = 256, MOST_ALLOCATIONS = 1024 };
enum closed { OPEN, CLOSED_TO_STORES, CLOSED };

/* Watched memory that host and device share. */
struct watched {
    uint64_t address, bytes, pages;
    uint8_t *closed; /* enum closed of each page */
    uint8_t *wanted; /* what it is while the library does nothing */
};

/* The signal handler's state: the handler takes no lock and reads nothing else. */
static struct {
    bool installed, on;
    bool asks; /* requests were sent since simgpu was asked */
    struct sigaction earlier;
    volatile uint32_t count;
    struct watched watched[MOST_REGIONS];
    volatile uint32_t touches;
    struct request_early touched[MOST_TOUCHES];
    struct {
        uint64_t address, bytes;
    } allocations[MOST_ALLOCATIONS]; /* the latest, number i of the program's at i % MOST_ALLOCATIONS */
    uint32_t allocated;
} world;

static void set_pages(struct watched *w, uint64_t first, uint64_t end, enum closed closed) {
    static const int protections[] = {
        [OPEN] = PROT_READ | PROT_WRITE, [CLOSED_TO_STORES] = PROT_READ, [CLOSED] = PROT_NONE};
    mprotect((void *)(uintptr_t)(w->address + first * page_bytes()), (end - first) * page_bytes(),
             protections[closed]);
    memset(w->closed + first, closed, end - first);
}

static void open_pages(struct watched *w, uint64_t first, uint64_t end) {
    while (first < end) {
        uint64_t next = first;
        while (next < end && w->closed[next] != OPEN)
            next++;
        if (next > first)
            set_pages(w, first, next, OPEN);
        first = next > first ? next : next + 1;
    }
}

/* The host accesses these bytes of the region, whose pages are opened. */
static void touch(struct watched *w, uint64_t offset, uint64_t bytes, bool is_store, const void *site) {
    open_pages(w, offset / page_bytes(), (offset + bytes - 1) / page_bytes() + 1);
    if (world.touches < MOST_TOUCHES)
        world.touched[world.touches++] =
            (struct request_early){w->address + offset, bytes, client_site(site), is_store};
}

void client_early_allocated(uint64_t address, uint64_t bytes) {
    world.allocations[++world.allocated % MOST_ALLOCATIONS].address = address;
    world.allocations[world.allocated % MOST_ALLOCATIONS].bytes = bytes;
}

/* "main.cu:83: ", the line of an instruction of the program by its debugging information; "": there
 * is none. The process ends soon; a handler of a signal may make these calls. */
static void name_line(const void *instruction, char *text, size_t size) {
    char program[512] = "", address[32];
    int ends[2];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1), got = 0;
    text[0] = '\0';
    if (length <= 0 || pipe(ends) != 0)
        return;
    snprintf(address, sizeof address, "0x%" PRIx64, client_site(instruction));
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(STDERR_FILENO);
        execlp("addr2line", "addr2line", "-s", "-e", program, address, (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    if (child > 0)
        got = read(ends[0], text, size - 3);
    close(ends[0]);
    waitpid(child, NULL, 0);
    text[got > 0 ? got : 0] = '\0';
    size_t end = strcspn(text, " \n");
    if (text[0] == '?' || strstr(text, ":?") != NULL || strstr(text, ":0") != NULL)
        end = 0;
    memcpy(text + end, end > 0 ? ": " : "", end > 0 ? 3 : 1);
}

static void tell_device_pointer(uint64_t address, bool is_store, const void *instruction) {
    char text[480], line[128], place[128] = "device memory";
    for (uint32_t i = world.allocated; i > 0 && i + MOST_ALLOCATIONS > world.allocated; i--) {
        uint64_t offset = address - world.allocations[i % MOST_ALLOCATIONS].address,
                 bytes = world.allocations[i % MOST_ALLOCATIONS].bytes;
        if (offset < bytes) {
            snprintf(place, sizeof place, "byte %" PRIu64 " of the %" PRIu64 " bytes of cudaMalloc #%" PRIu32,
                     offset, bytes, i);
            break;
        }
    }
    name_line(instruction, line, sizeof line);
    (void)snprintf(
        text, sizeof text,
        "%sthe host %s %s: a device pointer is for kernels; copy the data with cudaMemcpy, or use "
        "cudaMallocManaged%s",
        line, is_store ? "writes" : "reads", place,
        line[0] == '\0' && client_site(instruction) != 0 ? " (built with nvcc -g, its line is named)" : "");
    wrap_message("simulated GPU: ", text);
}

/* What the machine says of an access that faulted. */
struct fault {
    bool is_store;
    const void *site;
};

#if defined(__x86_64__)
static struct fault fault_of(const ucontext_t *at) {
    enum { IS_STORE = 2 }; /* bit of the page fault's error code */
    return (struct fault){(at->uc_mcontext.gregs[REG_ERR] & IS_STORE) != 0,
                          (const void *)(uintptr_t)at->uc_mcontext.gregs[REG_RIP]};
}
#elif defined(__aarch64__)
/* The records behind the registers end with one of magic 0; esr_context has the syndrome register. */
static struct fault fault_of(const ucontext_t *at) {
    enum { IS_STORE = 1 << 6 }; /* WnR of a data abort */
    struct fault fault = {false, (const void *)(uintptr_t)at->uc_mcontext.pc};
    const uint8_t *record = at->uc_mcontext.__reserved, *end = record + sizeof at->uc_mcontext.__reserved;
    struct esr_context syndrome;
    for (; (size_t)(end - record) >= sizeof syndrome; record += syndrome.head.size) {
        memcpy(&syndrome, record, sizeof syndrome);
        if (syndrome.head.magic == ESR_MAGIC)
            fault.is_store = (syndrome.esr & IS_STORE) != 0;
        if (syndrome.head.magic == 0 || syndrome.head.size < sizeof syndrome.head ||
            syndrome.head.size > (size_t)(end - record))
            break;
    }
    return fault;
}
#endif

static void on_fault(int number, siginfo_t *info, void *context) {
    uint64_t address = (uintptr_t)info->si_addr;
    struct fault fault = fault_of(context);
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        uint64_t offset = address - w->address;
        if (address < w->address || offset >= w->pages * page_bytes() ||
            w->closed[offset / page_bytes()] == OPEN)
            continue;
        touch(w, offset, 1, fault.is_store, fault.site);
        return;
    }
    if (client_is_device_address(address))
        tell_device_pointer(address, fault.is_store, fault.site);
    /* Not a watched page: the program's earlier action handles the signal. */
    sigaction(number, &world.earlier, NULL);
}

void client_early_system_call(const void *buffer, size_t bytes, bool is_store) {
    uint64_t address = (uintptr_t)buffer;
    for (uint32_t i = 0; bytes > 0 && i < world.count; i++) {
        struct watched *w = &world.watched[i];
        uint64_t start = address > w->address ? address : w->address,
                 end = w->address + w->pages * page_bytes();
        if (bytes < end - address && address + bytes < end)
            end = address + bytes;
        bool any = false;
        for (uint64_t page = (start - w->address) / page_bytes();
             start < end && page * page_bytes() < end - w->address; page++)
            any = any || w->closed[page] != OPEN;
        if (any)
            touch(w, start - w->address, end - start, is_store, NULL);
    }
}

/* Installs the handler. False: the program handles SIGSEGV itself, and is not watched. */
static bool listen_for_faults(void) {
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER}, now;
    if (sigaction(SIGSEGV, NULL, &now) != 0)
        return false;
    if (world.installed)
        return now.sa_sigaction == on_fault;
    if (now.sa_handler != SIG_DFL || sigaction(SIGSEGV, &ours, &world.earlier) != 0)
        return false;
    return world.installed = true;
}

void client_early_listen(void) {
    (void)listen_for_faults(); /* a program with a handler of its own hears nothing of us */
}

/* Only single-threaded programs are watched: a page is opened for all threads. */
static bool is_on(void) {
    const char *check = getenv("CHECK"), *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    bool waits = blocking != NULL && strcmp(blocking, "1") == 0; /* on hardware each launch waits */
    return check != NULL && strcmp(check, "1") == 0 && !waits && __libc_single_threaded &&
           client_early_has_system_calls();
}

static struct watched *watched_at(uint64_t address) {
    for (uint32_t i = 0; i < world.count; i++)
        if (address - world.watched[i].address < world.watched[i].bytes)
            return &world.watched[i];
    return NULL;
}

static void forget(uint32_t i) {
    struct watched w = world.watched[i];
    world.watched[i] = world.watched[world.count - 1];
    world.count--;
    free(w.closed);
    free(w.wanted);
}

static void watch(const struct client_region *region) {
    struct watched w = {.address = region->address, .bytes = region->bytes};
    w.pages = (region->bytes + page_bytes() - 1) / page_bytes();
    if (region->address % page_bytes() != 0 || world.count == MOST_REGIONS)
        return;
    w.closed = calloc(w.pages, 1);
    w.wanted = calloc(w.pages, 1);
    world.watched[world.count] = w;
    world.count++;
    if (w.closed == NULL || w.wanted == NULL)
        forget(world.count - 1);
}

/* Lists the present regions, all open. */
static void follow(const struct client *client) {
    for (uint32_t i = world.count; i-- > 0;) {
        const struct client_region *region = client->regions;
        while (region != NULL && region->address != world.watched[i].address)
            region = region->next;
        if (region == NULL || region->bytes != world.watched[i].bytes)
            forget(i);
        else
            memset(world.watched[i].wanted, OPEN, world.watched[i].pages);
    }
    for (const struct client_region *region = client->regions; region != NULL; region = region->next)
        if (region->memory != PROTOCOL_REGISTERED && watched_at(region->address) == NULL)
            watch(region);
}

/* Asks simgpu which pages its work may still touch. */
static void ask(struct client *client) {
    struct request_none request = {{0}};
    struct reply_pending *pending = NULL;
    size_t bytes = 0;
    int descriptor = -1;
    follow(client);
    if (world.count == 0 || client_call_whole(client, PROTOCOL_PENDING, &request, sizeof request, NULL, 0,
                                              (void **)&pending, &bytes, &descriptor) != cudaSuccess)
        return;
    for (size_t i = 0; i < bytes / sizeof *pending; i++) {
        struct watched *w = watched_at(pending[i].address);
        uint64_t at = w != NULL ? pending[i].address - w->address : 0, last = at + pending[i].bytes - 1;
        for (uint64_t page = at / page_bytes(); w != NULL && page <= last / page_bytes() && page < w->pages;
             page++)
            if (w->wanted[page] != CLOSED)
                w->wanted[page] = pending[i].changes ? CLOSED : CLOSED_TO_STORES;
    }
    free(pending);
}

void client_early_open(void) {
    for (uint32_t i = 0; i < world.count; i++)
        open_pages(&world.watched[i], 0, world.watched[i].pages);
}

void client_early_close(struct client *client) {
    if (client->connection != CONNECTED || client->process != getpid() ||
        (!world.on && !(world.on = is_on())) || !__libc_single_threaded || !listen_for_faults())
        return;
    if (world.asks)
        ask(client);
    world.asks = false;
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        for (uint64_t page = 0, next; page < w->pages; page = next) {
            for (next = page + 1; next < w->pages && w->wanted[next] == w->wanted[page];)
                next++;
            if (w->wanted[page] != OPEN)
                set_pages(w, page, next, w->wanted[page]);
        }
    }
}

void client_early_tell(struct client *client, enum protocol_operation operation) {
    uint32_t touches = world.touches;
    if (operation == PROTOCOL_EARLY || operation == PROTOCOL_PENDING)
        return;
    world.asks = true;
    world.touches = 0;
    for (uint32_t i = 0; i < touches; i++)
        (void)CLIENT_CALL(client, PROTOCOL_EARLY, world.touched[i], NULL, 0);
}
