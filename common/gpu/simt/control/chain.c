/* chain.c: see chain.h. */
#include "gpu/simt/control/warp.h"

static uint64_t length(const struct chain *chain) {
    return chain->instructions + CHAIN_COPY * chain->copies + chain->slept_ns / CHAIN_NS;
}

struct chain simt_chain_of(const struct warp *warp, uint64_t within) {
    return (struct chain){warp->waited.instructions + warp->instructions + within, warp->waited.copies,
                          warp->waited.slept_ns + warp->slept_ns};
}

void simt_chain_join(struct chain *latest, const struct chain *other) {
    if (length(other) > length(latest))
        *latest = *other;
}

void simt_chain_wait(struct warp *warp, uint64_t within, const struct chain *until) {
    struct chain now = simt_chain_of(warp, within);
    if (length(until) <= length(&now))
        return;
    warp->waited.instructions +=
        until->instructions - now.instructions; /* below 0, too: the way there is another */
    warp->waited.copies = until->copies;
    warp->waited.slept_ns += until->slept_ns - now.slept_ns;
}
