/*
 * early.c: with CHECK=1, the host's use of memory before the work that writes it was waited for. Work runs when it is
 * given, so here the host sees what is there; on a GPU it may see what was there before.
 *
 * Managed memory is compared before and after a launch; pages that the kernel changed, and pages that an asynchronous
 * copy filled, are closed to the host until any call that waits, frees or asks. A touch of a closed page comes as
 * SIGSEGV: the page is opened, and the touch counts where the very bytes were written by that work. A kernel that may
 * tell the host something while it runs (volatile accesses, fences) closes nothing. The limits: a system call that is
 * given a closed page fails with EFAULT where a plain access would be noted; a program with a handler of its own for
 * SIGSEGV is not watched.
 */
#include "cudart/client/early.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <ucontext.h>

enum { PAGE = 4096, WORD = 4, MOST_REGIONS = 64, MOST_TOUCHES = 16 };
#define MOST_BYTES ((uint64_t)256 << 20) /* of memory that is watched: each is kept twice */

/* Memory of both sides that is watched. */
struct watched {
    uint64_t address, bytes, pages;
    uint8_t *before; /* what was there before the launch */
    uint8_t *words;  /* a bit for each word: written by work that was not waited for */
    uint8_t *closed; /* a byte for each page */
    uint32_t kernel; /* the last that wrote; EARLY_COPY */
    bool any;        /* a word is marked */
};

/* The signal handler's world: it takes no lock, and looks at nothing else. */
static struct {
    bool installed, on;
    struct sigaction earlier;
    volatile uint32_t count;
    struct watched watched[MOST_REGIONS];
    volatile uint32_t touches;
    struct request_early touched[MOST_TOUCHES];
} world;

static void set_page(struct watched *w, uint64_t page, bool closed) {
    mprotect((void *)(uintptr_t)(w->address + page * PAGE), PAGE,
             closed ? PROT_NONE : PROT_READ | PROT_WRITE);
    w->closed[page] = closed;
}

static bool marked(const struct watched *w, uint64_t word) {
    return w->words[word / 8] >> (word % 8) & 1;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    enum { IS_STORE = 2 };
    uint64_t address = (uintptr_t)info->si_addr;
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        uint64_t offset = address - w->address;
        if (address < w->address || offset >= w->pages * PAGE || !w->closed[offset / PAGE])
            continue;
        set_page(w, offset / PAGE, false);
        if (offset >= w->bytes || !marked(w, offset / WORD))
            return;
        if (world.touches < MOST_TOUCHES) {
            const ucontext_t *at = context;
            world.touched[world.touches++] = (struct request_early){
                .address = address,
                .kernel = w->kernel,
                .is_store = (at->uc_mcontext.gregs[REG_ERR] & IS_STORE) != 0,
            };
        }
        for (uint64_t page = 0; page < w->pages; page++) /* told once */
            if (w->closed[page])
                set_page(w, page, false);
        return;
    }
    /* Not ours: as if we had never been. */
    sigaction(number, &world.earlier, NULL);
}

/* Whether faults come to us. A program that wants them itself gets them, and is not watched. */
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

/* What another thread writes would be taken for the kernel's: only programs of one thread are watched. */
static bool is_on(void) {
    const char *check = getenv("CHECK"), *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    bool waits = blocking != NULL && strcmp(blocking, "1") == 0; /* for each launch, on hardware */
    return check != NULL && strcmp(check, "1") == 0 && !waits && __libc_single_threaded;
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
    w.closed = calloc(w.pages, 1);
    if (w.before == NULL || w.words == NULL || w.closed == NULL) {
        free(w.before);
        free(w.words);
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
    free(w.closed);
}

/* The regions as they are now, all open. */
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

void early_open(struct client *client) {
    (void)client;
    for (uint32_t i = 0; i < world.count; i++)
        for (uint64_t page = 0; page < world.watched[i].pages; page++)
            if (world.watched[i].closed[page])
                set_page(&world.watched[i], page, false);
}

void early_close(struct client *client) {
    (void)client;
    if (!world.on || !__libc_single_threaded || !listen_for_faults())
        return;
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        for (uint64_t page = 0; w->any && page < w->pages; page++) {
            uint64_t byte = page * (PAGE / WORD / 8), end = w->bytes / WORD / 8 + 1;
            bool any = false;
            for (uint64_t k = byte; k < byte + PAGE / WORD / 8 && k < end; k++)
                any = any || w->words[k] != 0;
            if (any)
                set_page(w, page, true);
        }
    }
}

void early_waited(struct client *client) {
    early_open(client);
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        if (w->any)
            memset(w->words, 0, w->bytes / WORD / 8 + 1);
        w->any = false;
    }
    uint32_t touches = world.touches;
    for (uint32_t i = 0; i < touches; i++)
        (void)CLIENT_CALL(client, PROTOCOL_EARLY, world.touched[i], NULL, 0);
    world.touches = 0;
}

void early_before_launch(struct client *client) {
    if (!world.on && !(world.on = is_on() && listen_for_faults()))
        return;
    early_open(client);
    follow(client);
    for (uint32_t i = 0; i < world.count; i++)
        memcpy(world.watched[i].before, (const void *)(uintptr_t)world.watched[i].address,
               world.watched[i].bytes);
}

void early_after_launch(struct client *client, uint32_t kernel) {
    if (!world.on || !__libc_single_threaded)
        return;
    for (uint32_t i = 0; i < world.count; i++) {
        struct watched *w = &world.watched[i];
        const uint8_t *now = (const uint8_t *)(uintptr_t)w->address;
        struct client_region *region = client_region_at(client, w->address);
        /* Pinned memory may be a mailbox between a kernel that runs and the host. */
        if (region == NULL || region->memory != PROTOCOL_MANAGED || memcmp(now, w->before, w->bytes) == 0)
            continue;
        for (uint64_t word = 0; word < w->bytes / WORD; word++)
            if (memcmp(now + word * WORD, w->before + word * WORD, WORD) != 0)
                w->words[word / 8] |= (uint8_t)(1u << word % 8);
        w->kernel = kernel;
        w->any = true;
    }
    early_close(client);
}

void early_copied(struct client *client, uint64_t to, uint64_t bytes) {
    if (!world.on && !(world.on = is_on() && listen_for_faults()))
        return;
    follow(client);
    struct watched *w = watched_at(to);
    if (w != NULL && bytes <= w->bytes - (to - w->address)) {
        uint64_t first = (to - w->address + WORD - 1) / WORD, end = (to - w->address + bytes) / WORD;
        for (uint64_t word = first; word < end; word++)
            w->words[word / 8] |= (uint8_t)(1u << word % 8);
        w->kernel = EARLY_COPY;
        w->any = w->any || first < end;
    }
    early_close(client);
}
