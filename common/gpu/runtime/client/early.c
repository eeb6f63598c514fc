/* early.c: with CHECK=1, finds host accesses to memory before the host has waited for the work that
 * writes or reads it. Here work runs when it is issued, so the host sees the result; on a GPU it may
 * not. These pages are closed to the host until a call that waits, frees or asks:
 * - pages of managed memory that a kernel changed, by a comparison before and after the launch;
 * - pages of pinned memory that an asynchronous copy filled;
 * - to stores only, pages of pinned memory that such a copy reads.
 *
 * An access to a closed page comes as SIGSEGV. The page is opened, and the access counts if it
 * touches the very bytes of that work. A kernel that may signal the host while it runs (volatile
 * accesses, fences) closes nothing, and opens what earlier copies read. System calls get their pages
 * opened first (system_calls.c). A program with a SIGSEGV handler of its own, or with system calls
 * that system_calls.c lacks, is not watched.
 *
 * The same handler, without CHECK=1 too, says what allocation a device pointer leads into that the
 * host dereferences. The program then ends as on a GPU. */
#include "gpu/runtime/client/client.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, WORD = 4, MOST_REGIONS = 64, MOST_TOUCHES = 16, MOST_ALLOCATIONS = 1024 };
enum closed { OPEN, CLOSED_TO_STORES, CLOSED };
#define MOST_BYTES ((uint64_t)256 << 20) /* most memory that is watched, which is kept twice */

/* Watched memory that host and device share. */
struct watched {
    uint64_t address, bytes, pages;
    uint8_t *before;  /* its contents before the launch */
    uint8_t *words;   /* a bit for each word: written by work that the host has not waited for */
    uint8_t *sources; /* likewise: read by such a copy */
    uint8_t *closed;  /* enum closed of each page */
    uint32_t kernel;  /* the last that wrote; or EARLY_COPY */
    bool any;         /* a word is marked */
};

/* The signal handler's state: the handler takes no lock and reads nothing else. */
static struct {
    bool installed, on;
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
    mprotect((void *)(uintptr_t)(w->address + first * PAGE), (end - first) * PAGE, protections[closed]);
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

static bool marked(const uint8_t *words, uint64_t word) {
    return words[word / 8] >> (word % 8) & 1;
}

/* The host accesses these bytes of the region, whose pages are opened. Reported once. */
static void touch(struct watched *w, uint64_t offset, uint64_t bytes, bool is_store) {
    uint64_t end = offset + bytes < w->bytes ? offset + bytes : w->bytes;
    open_pages(w, offset / PAGE, (offset + bytes - 1) / PAGE + 1);
    for (uint64_t word = offset / WORD; w->any && word * WORD < end; word++) {
        bool written = marked(w->words, word);
        if (!written && !(is_store && marked(w->sources, word)))
            continue;
        if (world.touches < MOST_TOUCHES)
            world.touched[world.touches++] = (struct request_early){
                .address = w->address + (word * WORD > offset ? word * WORD : offset),
                .kernel = written ? w->kernel : EARLY_COPY_FROM,
                .is_store = is_store,
            };
        open_pages(w, 0, w->pages);
        return;
    }
}

void client_early_allocated(uint64_t address, uint64_t bytes) {
    world.allocations[++world.allocated % MOST_ALLOCATIONS].address = address;
    world.allocations[world.allocated % MOST_ALLOCATIONS].bytes = bytes;
}

static void tell_device_pointer(uint64_t address, bool is_store) {
    char text[320], place[128] = "device memory";
    for (uint32_t i = world.allocated; i > 0 && i + MOST_ALLOCATIONS > world.allocated; i--) {
        uint64_t offset = address - world.allocations[i % MOST_ALLOCATIONS].address,
                 bytes = world.allocations[i % MOST_ALLOCATIONS].bytes;
        if (offset < bytes) {
            snprintf(place, sizeof place, "byte %" PRIu64 " of the %" PRIu64 " bytes of cudaMalloc #%" PRIu32,
                     offset, bytes, i);
            break;
        }
    }
    int length =
        snprintf(text, sizeof text,
                 "simulated GPU: the host %s %s: a device pointer is for kernels; copy the data with "
                 "cudaMemcpy, or use cudaMallocManaged\n",
                 is_store ? "writes" : "reads", place);
    (void)!write(STDERR_FILENO, text, (size_t)length); /* the program ends, heard or not */
}

static void on_fault(int number, siginfo_t *info, void *context) {
    enum { IS_STORE = 2 };
    uint64_t address = (uintptr_t)info->si_addr;
    const ucontext_t *at = context;
    bool is_store = (at->uc_mcontext.gregs[REG_ERR] & IS_STORE) != 0;
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        uint64_t offset = address - w->address;
        if (address < w->address || offset >= w->pages * PAGE || w->closed[offset / PAGE] == OPEN)
            continue;
        touch(w, offset, 1, is_store);
        return;
    }
    if (client_is_device_address(address))
        tell_device_pointer(address, is_store);
    /* Not a watched page: the program's earlier action handles the signal. */
    sigaction(number, &world.earlier, NULL);
}

void client_early_system_call(const void *buffer, size_t bytes, bool is_store) {
    uint64_t address = (uintptr_t)buffer;
    for (uint32_t i = 0; bytes > 0 && i < world.count; i++) {
        struct watched *w = &world.watched[i];
        uint64_t start = address > w->address ? address : w->address, end = w->address + w->pages * PAGE;
        if (bytes < end - address && address + bytes < end)
            end = address + bytes;
        bool any = false;
        for (uint64_t page = (start - w->address) / PAGE; start < end && page * PAGE < end - w->address;
             page++)
            any = any || w->closed[page] != OPEN;
        if (any)
            touch(w, start - w->address, end - start, is_store);
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

/* Only single-threaded programs are watched: other threads' stores would look like the kernel's. */
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

static void watch(const struct client_region *region, uint64_t *left) {
    struct watched w = {.address = region->address, .bytes = region->bytes};
    w.pages = (region->bytes + PAGE - 1) / PAGE;
    if (region->address % PAGE != 0 || region->bytes > *left || world.count == MOST_REGIONS)
        return;
    w.before = malloc(w.bytes);
    w.words = calloc(w.bytes / WORD / 8 + 1, 1);
    w.sources = calloc(w.bytes / WORD / 8 + 1, 1);
    w.closed = calloc(w.pages, 1);
    if (w.before == NULL || w.words == NULL || w.sources == NULL || w.closed == NULL) {
        free(w.before);
        free(w.words);
        free(w.sources);
        free(w.closed);
        return;
    }
    *left -= w.bytes;
    world.watched[world.count] = w;
    world.count++;
}

static void forget(uint32_t i) {
    struct watched w = world.watched[i];
    world.watched[i] = world.watched[world.count - 1];
    world.count--;
    free(w.before);
    free(w.words);
    free(w.sources);
    free(w.closed);
}

/* Lists the present regions, all open. */
static void follow(const struct client *client) {
    uint64_t left = MOST_BYTES;
    for (uint32_t i = world.count; i-- > 0;) {
        const struct client_region *region = client->regions;
        while (region != NULL && region->address != world.watched[i].address)
            region = region->next;
        if (region == NULL || region->bytes != world.watched[i].bytes)
            forget(i);
        else
            left -= left < world.watched[i].bytes ? left : world.watched[i].bytes;
    }
    for (const struct client_region *region = client->regions; region != NULL; region = region->next)
        if (region->memory != PROTOCOL_REGISTERED && watched_at(region->address) == NULL)
            watch(region, &left);
}

void client_early_open(struct client *client) {
    (void)client;
    for (uint32_t i = 0; i < world.count; i++)
        open_pages(&world.watched[i], 0, world.watched[i].pages);
}

/* How a page must be closed, by the marks of its words. */
static enum closed wanted(const struct watched *w, uint64_t page) {
    uint64_t byte = page * (PAGE / WORD / 8), end = w->bytes / WORD / 8 + 1;
    enum closed closed = OPEN;
    for (uint64_t k = byte; k < byte + PAGE / WORD / 8 && k < end; k++) {
        if (w->words[k] != 0)
            return CLOSED;
        if (w->sources[k] != 0)
            closed = CLOSED_TO_STORES;
    }
    return closed;
}

void client_early_close(struct client *client) {
    (void)client;
    if (!world.on || !__libc_single_threaded || !listen_for_faults())
        return;
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        for (uint64_t page = 0, next; w->any && page < w->pages; page = next) {
            enum closed closed = wanted(w, page);
            for (next = page + 1; next < w->pages && wanted(w, next) == closed;)
                next++;
            if (closed != OPEN)
                set_pages(w, page, next, closed);
        }
    }
}

void client_early_waited(struct client *client) {
    client_early_open(client);
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        if (w->any) {
            memset(w->words, 0, w->bytes / WORD / 8 + 1);
            memset(w->sources, 0, w->bytes / WORD / 8 + 1);
        }
        w->any = false;
    }
    uint32_t touches = world.touches;
    for (uint32_t i = 0; i < touches; i++)
        (void)CLIENT_CALL(client, PROTOCOL_EARLY, world.touched[i], NULL, 0);
    world.touches = 0;
}

void client_early_before_launch(struct client *client) {
    if (!world.on && !(world.on = is_on() && listen_for_faults()))
        return;
    client_early_open(client);
    follow(client);
    for (uint32_t i = 0; i < world.count; i++)
        memcpy(world.watched[i].before, (const void *)(uintptr_t)world.watched[i].address,
               world.watched[i].bytes);
}

void client_early_after_launch(struct client *client, uint32_t kernel) {
    if (!world.on || !__libc_single_threaded)
        return;
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        const uint8_t *now = (const uint8_t *)(uintptr_t)w->address;
        struct client_region *region = client_region_at(client, w->address);
        /* Pinned memory may be a mailbox between the host and a running kernel. */
        if (region == NULL || region->memory != PROTOCOL_MANAGED || memcmp(now, w->before, w->bytes) == 0)
            continue;
        for (uint64_t word = 0; word < w->bytes / WORD; word++)
            if (memcmp(now + word * WORD, w->before + word * WORD, WORD) != 0)
                w->words[word / 8] |= (uint8_t)(1u << word % 8);
        w->kernel = kernel;
        w->any = true;
    }
    client_early_close(client);
}

/* Marks the whole words that an asynchronous copy fills or reads. */
static void mark(const struct client *client, uint64_t address, uint64_t bytes, bool source) {
    if (!world.on && !(world.on = is_on() && listen_for_faults()))
        return;
    follow(client);
    struct watched *w = watched_at(address);
    if (w == NULL || bytes > w->bytes - (address - w->address))
        return;
    uint64_t first = (address - w->address + WORD - 1) / WORD, end = (address - w->address + bytes) / WORD;
    uint8_t *words = source ? w->sources : w->words;
    for (uint64_t word = first; word < end; word++)
        words[word / 8] |= (uint8_t)(1u << word % 8);
    if (!source)
        w->kernel = EARLY_COPY;
    w->any = w->any || first < end;
}

void client_early_copied(struct client *client, uint64_t to, uint64_t bytes) {
    mark(client, to, bytes, false);
    client_early_close(client);
}

void client_early_copied_from(struct client *client, uint64_t from, uint64_t bytes) {
    mark(client, from, bytes, true);
    client_early_close(client);
}

void client_early_may_hear(struct client *client) {
    client_early_open(client);
    for (uint32_t i = 0; i < world.count; i++)
        if (world.watched[i].any)
            memset(world.watched[i].sources, 0, world.watched[i].bytes / WORD / 8 + 1);
    client_early_close(client);
}
