/*
 * shared.c: memory of both sides while a judge is there: managed, pinned, registered.
 *
 * Without a judge device and host use the same pages. With one the device has pages of its own, and the two are made
 * equal before a launch and after it; so whatever one side gets of the other's is seen here, sector by sector, whatever
 * else the host does meanwhile:
 *   - what the host wrote and a kernel touched has crossed to the device;
 *   - what a kernel changed is the host's to see.
 * Scratch memory that only kernels touch crosses nothing. When the call ends the device forgets all of it, and where
 * kernels wrote what may follow from an input the host finds what it had written itself.
 */
#include "gpu/runtime/judge/judge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORD = 8, SECTOR = 32, PIECE = 4096 }; /* bytes */

struct judge_exchange {
    uint8_t *device, *own;       /* what the device sees; what the host wrote last: `mapped` bytes each */
    struct simt_sectors watched; /* touched by the launch that runs */
    uint8_t *fresh, *changed;    /* bits: the host wrote, no kernel has touched it; a kernel changed it */
    bool initialised;            /* what a module wrote there is the host's to see */
    int backing; /* the host's pages as a file, whose holes nobody has touched; -1: all are there */
};

static bool get_bit(const uint8_t *bits, uint64_t i) {
    return bits[i / 8] >> i % 8 & 1;
}

static void set_bit(uint8_t *bits, uint64_t i, bool on) {
    bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1u << i % 8)) | (unsigned)on << i % 8);
}

/* The next set bit from `from` on, which is taken out; UINT64_MAX: none is. Bits that nobody has set cost no memory. */
static uint64_t take_bit(uint8_t *bits, uint64_t bytes, uint64_t from) {
    uint64_t at = from / 8, word;
    while (at < bytes && bits[at] == 0) {
        bool whole = at % sizeof word == 0 && bytes - at >= sizeof word;
        if (whole)
            memcpy(&word, bits + at, sizeof word);
        at += whole && word == 0 ? sizeof word : 1;
    }
    if (at >= bytes)
        return UINT64_MAX;
    unsigned bit = (unsigned)__builtin_ctz(bits[at]);
    bits[at] &= (uint8_t)(bits[at] - 1);
    return 8 * at + bit;
}

static uint64_t sectors_of(const struct server_region *region) {
    return (region->bytes + SECTOR - 1) / SECTOR;
}

static uint64_t bitmap_bytes(const struct server_region *region) {
    return sectors_of(region) / 8 + 1;
}

/* Bytes of a sector: the last may be cut off. */
static uint64_t sector_bytes(const struct server_region *region, uint64_t sector) {
    uint64_t left = region->bytes - sector * SECTOR;
    return left < SECTOR ? left : SECTOR;
}

/* The region's first byte, in pages that begin with the one it starts in. */
static uint8_t *start_in(const struct server_region *region, void *pages) {
    return (uint8_t *)pages + region->address % page_bytes();
}

/* Zeros that cost nothing until they are written. NULL: there is no room. */
static void *own_pages(uint64_t bytes) {
    void *pages =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

static void free_pages(void *pages, uint64_t bytes) {
    if (pages != NULL)
        munmap(pages, bytes);
}

void *judge_shared_open(struct server_region *region) {
    struct judge_exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange == NULL)
        return NULL;
    region->exchange = exchange;
    exchange->device = own_pages(region->mapped);
    exchange->own = own_pages(region->mapped);
    exchange->watched.touched = own_pages(bitmap_bytes(region));
    exchange->fresh = own_pages(bitmap_bytes(region));
    exchange->changed = own_pages(bitmap_bytes(region));
    /* Registered memory may have other memory's pages at its ends. */
    exchange->backing = region->memory != PROTOCOL_REGISTERED ? dup(region->descriptor) : -1;
    if (exchange->device == NULL || exchange->own == NULL || exchange->watched.touched == NULL ||
        exchange->fresh == NULL || exchange->changed == NULL) {
        judge_shared_close(region);
        return NULL;
    }
    return exchange->device;
}

void judge_shared_watch(struct judge *judge, struct server_region *region) {
    if (region->exchange != NULL)
        simt_watch_sectors(judge->server->device, region->address, &region->exchange->watched);
}

void judge_shared_close(struct server_region *region) {
    struct judge_exchange *exchange = region->exchange;
    if (exchange == NULL)
        return;
    free_pages(exchange->device, region->mapped);
    free_pages(exchange->own, region->mapped);
    free_pages(exchange->watched.touched, bitmap_bytes(region));
    free_pages(exchange->fresh, bitmap_bytes(region));
    free_pages(exchange->changed, bitmap_bytes(region));
    if (exchange->backing >= 0)
        close(exchange->backing);
    free(exchange);
    region->exchange = NULL;
}

/* ---- from the host */

/* What the host has written in one piece, to the device. The piece is read once: it may change meanwhile. */
static void take_piece(struct server_region *region, uint64_t offset, uint64_t bytes) {
    struct judge_exchange *exchange = region->exchange;
    uint8_t now[PIECE], *device = start_in(region, exchange->device) + offset,
                        *own = start_in(region, exchange->own) + offset;
    memcpy(now, start_in(region, region->host) + offset, bytes);
    if (memcmp(now, device, bytes) == 0)
        return;
    for (uint64_t at = 0; at < bytes;) {
        uint64_t sector = (offset + at) / SECTOR, end = (sector + 1) * SECTOR - offset;
        end = end < bytes ? end : bytes;
        if (memcmp(now + at, device + at, end - at) != 0) {
            /* Word by word: a byte that comes out the same is of a word that the host wrote. */
            for (uint64_t i = at, word; i < end; i += word) {
                word = end - i < WORD ? end - i : WORD;
                if (memcmp(now + i, device + i, word) != 0)
                    memcpy(own + i, now + i, word);
            }
            memcpy(device + at, now + at, end - at);
            set_bit(exchange->fresh, sector, true);
        }
        at = end;
    }
}

/* The next bytes from offset on that are no hole, up to *end; region->bytes: there are none. */
static uint64_t next_bytes(const struct server_region *region, uint64_t offset, uint64_t *end) {
    uint64_t before = region->address % page_bytes();
    *end = region->bytes;
    if (region->exchange->backing < 0)
        return offset;
    off_t data = lseek(region->exchange->backing, (off_t)(before + offset), SEEK_DATA);
    if (data < 0)
        return region->bytes;
    off_t hole = lseek(region->exchange->backing, data, SEEK_HOLE);
    if (hole >= 0 && (uint64_t)hole - before < *end)
        *end = (uint64_t)hole - before;
    return (uint64_t)data > before + offset ? (uint64_t)data - before : offset;
}

static void take(struct server_region *region, uint64_t offset, uint64_t bytes) {
    uint64_t end = offset + bytes, hole;
    while (offset < end && (offset = next_bytes(region, offset, &hole)) < end) {
        hole = hole < end ? hole : end;
        while (offset < hole) {
            uint64_t next = (offset / PIECE + 1) * PIECE;
            next = next < hole ? next : hole;
            take_piece(region, offset, next - offset);
            offset = next;
        }
    }
}

/* ---- from the device */

/* A sector that the device has changed, to the host. Whether it differed. */
static bool give(struct server_region *region, uint64_t sector) {
    uint8_t *host = start_in(region, region->host) + sector * SECTOR,
            *device = start_in(region, region->exchange->device) + sector * SECTOR;
    uint64_t bytes = sector_bytes(region, sector);
    if (memcmp(host, device, bytes) == 0)
        return false;
    memcpy(host, device, bytes);
    return true;
}

/* ---- a launch */

void judge_shared_before_launch(struct judge *judge) {
    for (struct server_region *region = judge->server->regions; region != NULL; region = region->next)
        if (region->exchange != NULL)
            take(region, 0, region->bytes);
}

/* The device has changed a sector. What follows from no input is kept as the host's own is. */
static void note_change(struct server_region *region, uint64_t sector, bool derived) {
    struct judge_exchange *exchange = region->exchange;
    if (derived)
        set_bit(exchange->changed, sector, true);
    else
        memcpy(start_in(region, exchange->own) + sector * SECTOR,
               start_in(region, exchange->device) + sector * SECTOR, sector_bytes(region, sector));
}

static void leave(struct server_region *region, bool derived, struct judge_crossing *crossing) {
    struct judge_exchange *exchange = region->exchange;
    uint64_t to_device = 0, sector = 0;
    while ((sector = take_bit(exchange->watched.touched, bitmap_bytes(region), sector)) != UINT64_MAX) {
        to_device += get_bit(exchange->fresh, sector);
        set_bit(exchange->fresh, sector, false);
        if (give(region, sector)) {
            note_change(region, sector, derived);
            crossing->changed += SECTOR;
            crossing->returned += region->memory == PROTOCOL_MANAGED ? SECTOR : 0;
        }
    }
    crossing->to_device += SECTOR * to_device;
    /* Managed pages move once; others stay with the host, and every access goes there. */
    if (region->memory == PROTOCOL_MANAGED)
        crossing->moved += SECTOR * to_device;
    else
        crossing->accessed += SECTOR * exchange->watched.asked;
    exchange->watched.asked = 0;
}

struct judge_crossing judge_shared_after_launch(struct judge *judge, bool derived) {
    struct judge_crossing crossing = {0};
    for (struct server_region *region = judge->server->regions; region != NULL; region = region->next)
        if (region->exchange != NULL)
            leave(region, derived, &crossing);
    return crossing;
}

/* ---- copies and fills */

/* The region of a range. False: it is not all in one that is looked after. */
static bool find(struct judge *judge, struct server_range range, struct server_region **region,
                 uint64_t *offset) {
    uint64_t address = range.address, bytes = range.bytes;
    *region = address && bytes ? server_region_at(judge->server, address) : NULL;
    *offset = *region != NULL ? address - (*region)->address : 0;
    return *region != NULL && (*region)->exchange != NULL && bytes <= (*region)->bytes - *offset;
}

uint64_t judge_shared_before_copy(struct judge *judge, struct server_range range, bool read) {
    struct server_region *region;
    uint64_t offset, fresh = 0;
    if (!find(judge, range, &region, &offset))
        return 0;
    take(region, offset, range.bytes);
    for (uint64_t sector = offset / SECTOR; read && sector <= (offset + range.bytes - 1) / SECTOR; sector++) {
        fresh += get_bit(region->exchange->fresh, sector);
        set_bit(region->exchange->fresh, sector, false);
    }
    return SECTOR * fresh;
}

uint64_t judge_shared_after_copy(struct judge *judge, struct server_range range, enum judge_writer writer) {
    bool by_host = writer != JUDGE_DEVICE_WROTE;
    struct server_region *region;
    uint64_t offset, changed = 0;
    if (!find(judge, range, &region, &offset))
        return 0;
    struct judge_exchange *exchange = region->exchange;
    for (uint64_t sector = offset / SECTOR; sector <= (offset + range.bytes - 1) / SECTOR; sector++) {
        if (give(region, sector)) {
            changed++;
            set_bit(exchange->changed, sector, get_bit(exchange->changed, sector) || !by_host);
        }
        if (writer == JUDGE_HOST_WROTE)
            set_bit(exchange->fresh, sector, true);
    }
    if (by_host)
        memcpy(start_in(region, exchange->own) + offset, start_in(region, exchange->device) + offset,
               range.bytes);
    return SECTOR * changed;
}

void judge_shared_initialised(struct judge *judge) {
    for (struct server_region *region = judge->server->regions; region != NULL; region = region->next)
        if (region->exchange != NULL && !region->exchange->initialised) {
            region->exchange->initialised = true;
            if (region->memory == PROTOCOL_MANAGED)
                (void)judge_shared_after_copy(judge, (struct server_range){region->address, region->bytes},
                                              JUDGE_HOST_SENT);
        }
}

/* The host finds what it had written itself, the device nothing. */
static void forget(struct server_region *region) {
    struct judge_exchange *exchange = region->exchange;
    take(region, 0, region->bytes); /* what the host wrote last */
    uint64_t sector = 0;
    while ((sector = take_bit(exchange->changed, bitmap_bytes(region), sector)) != UINT64_MAX)
        memcpy(start_in(region, region->host) + sector * SECTOR,
               start_in(region, exchange->own) + sector * SECTOR, sector_bytes(region, sector));
    for (sector = 0; sector != UINT64_MAX;)
        sector = take_bit(exchange->fresh, bitmap_bytes(region), sector);
    if (madvise(exchange->device, region->mapped, MADV_DONTNEED) != 0)
        memset(exchange->device, 0, region->mapped);
}

void judge_shared_end_call(struct judge *judge) {
    for (struct server_region *region = judge->server->regions; region != NULL; region = region->next)
        if (region->exchange != NULL)
            forget(region);
}

static bool is_changed(const struct server_region *region) {
    const uint8_t *changed = region->exchange != NULL ? region->exchange->changed : NULL;
    for (uint64_t i = 0; changed != NULL && i < bitmap_bytes(region); i++)
        if (changed[i] != 0)
            return true;
    return false;
}

unsigned judge_shared_left(const struct judge *judge, unsigned most, uint64_t address[], const char *what[]) {
    unsigned count = 0;
    for (const struct server_region *region = judge->server->regions; region != NULL && count < most;
         region = region->next)
        if (is_changed(region)) {
            what[count] = region->memory == PROTOCOL_MANAGED ? "managed memory" : "pinned or mapped memory";
            address[count++] = region->address;
        }
    return count;
}

void judge_shared_forget(struct judge *judge, uint64_t address) {
    struct server_region *region = server_region_at(judge->server, address);
    if (region != NULL && region->exchange != NULL)
        forget(region);
}
