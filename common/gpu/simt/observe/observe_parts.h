/* observe_parts.h: what observe.c records and observe_facts.c reads. Private to these two. */
#pragma once

#include "gpu/simt/observe/observe.h"

#include "gpu/simt/access/access.h"
#include "gpu/simt/control/launch.h"

enum {
    BLOCK_REQUESTS = 2048, /* most requests observed in one block */
    SET_SLOTS = 1 << 17,   /* twice what BLOCK_REQUESTS requests can fill */
    SHAPES = 4,            /* different shapes kept for each site */
    ARRAYS = 256           /* shared arrays of a program that are told apart */
};

/* How the lanes of one request lie. */
struct shape {
    uint32_t lanes; /* enum line_lanes */
    uint32_t group;
    int64_t stride, jump;
};

struct site_view {
    uint32_t requests, warp, in_warp, span;
    struct {
        struct shape shape;
        uint32_t count;
    } shapes[SHAPES];
    uint32_t shaped;            /* requests of at least two threads */
    uint32_t starts, unaligned; /* requests of neighbouring threads; those that start within a sector */
    uint64_t first;             /* an address of the site */
    uint64_t previous;          /* first lane's address in the warp's last request */
    int64_t step;
    uint32_t steps, same_steps;
    uint64_t corner[2]; /* first address of the first lane, in warp 0 and in the warp next in threadIdx.y */
    bool corner_known[2];
    uint64_t threads, apart;
    uint64_t first_time, again_request, again_thread, again_block, other_block;
    uint64_t own, foreign; /* loads of shared memory: stored by the thread itself, by others */
    uint64_t widened[SIMT_WIDENED], widened_requests; /* wavefronts of wider accesses to shared memory */
};

struct sample {
    uint32_t array, mask, span;
    bool store;
    uint32_t address[SIMT_LANES];
};

/* A hash set of 64-bit keys; 0: free. */
struct set {
    uint64_t *keys;
    uint32_t *request; /* that brought each key; NULL: not kept */
};

/* An element that a block loaded, and its first site. */
struct element {
    uint64_t key;
    uint32_t site;
};

struct padding {
    uint32_t row, pad;
    uint64_t passes, padded;
};

/* How often a branch is taken and diverges. */
struct branch_view {
    uint32_t taken, divergent, alike;
};

struct observer {
    uint64_t block;
    const struct simt_module *module;
    struct site *sites;
    struct site_view *views;
    struct branch_view *branches; /* by flat instruction */
    struct set elements, owners;
    struct element *loaded;
    uint32_t loaded_count;
    uint16_t *writers; /* of each word of shared memory: 1 + thread; 0: nobody */
    struct sample *samples;
    uint32_t sample_count, requests, warp, in_warp;
    bool missed_shared; /* some accesses to shared memory were not observed */
    uint32_t next_y;    /* warps from a thread to the next in threadIdx.y; 0: no whole number */
    struct padding paddings[ARRAYS];
};

/* Whether the set holds the key; *slot is its place, or the place for it. */
bool simt_observed_key(const struct set *set, uint64_t key, uint32_t *slot);
