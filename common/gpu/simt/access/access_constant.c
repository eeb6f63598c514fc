/* access_constant.c: constant memory, a space of its own for a module's .const variables, 64 KB at
 * most (struct constant_bank). Each variable also lies in device memory, where the host writes it
 * and generic addresses (cvta) lead.
 *
 * The constant cache is not simulated. An access at an address known at load time is no request.
 * Any other access is one request, with a pass for each different address among the lanes: the
 * cache serves one word at a time. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/observe/observe.h"

#include <string.h>

/* A lane left the site's cached range: finds the variable or bank that holds its access. */
static bool find_constants(const struct window_header *window, struct site *site, uint64_t at,
                           uint32_t span) {
    const struct simt_module *module = window->code->module;
    uint64_t start, end;
    if (!simt_module_constants(module, at, &start, &end) || span > end - at)
        return false;
    const uint8_t *host = simt_host_pointer(module->device, start, end - start);
    if (host == NULL)
        return false;
    simt_segment_touch(simt_device_segment(module->device, start), &at, 1, span);
    *site = (struct site){.start = start,
                          .limit = end - start - span + 1,
                          .host_offset = (uint64_t)(uintptr_t)host - start,
                          .requests = site->requests,
                          .transactions = site->transactions,
                          .ideal = site->ideal,
                          .threads = site->threads,
                          .lines = site->lines};
    return true;
}

/* Number of different 64-byte lines of the constant cache. */
static uint32_t lines_of(const uint64_t *address, uint32_t mask) {
    enum { LINE_SHIFT = 6 };
    uint64_t line[SIMT_LANES] = {0};
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        line[i] = address[i] >> LINE_SHIFT;
    return simt_access_apart(line, mask);
}

void simt_access_load_constant(const struct simt_operation *operation, uint8_t *registers,
                               uint32_t *predicates, uint32_t mask) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    struct site *site = &window->sites[operation->site];
    uint32_t bytes = access_bytes(operation), count = access_count(operation), span = bytes * count;
    uint64_t address[SIMT_LANES], base = window->code->module->bank.base;
    access_addresses(operation, registers, address);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t at = address[lane] + base;
        bool aligned = address[lane] % span == 0;
        bool found = aligned && (at - site->start < site->limit || find_constants(window, site, at, span));
        const uint8_t *from =
            found ? (const uint8_t *)(uintptr_t)(site->host_offset + at)
                  : simt_access_stray(window, operation, lane, address[lane], span, false, PTX_CONST);
        address[lane] = at;
        for (uint32_t e = 0; e < count; e++)
            simt_access_load_element(operation, registers, lane, e, from + (size_t)bytes * e, bytes);
    }
    (void)trace_lanes(window, operation, address, mask, span, false);
    if (operation->immediate & ACCESS_FIXED)
        return;
    uint32_t apart = simt_access_apart(address, mask);
    count_request(site, (uint32_t)__builtin_popcount(mask), apart, lines_of(address, mask), 1);
    if (window->observer != NULL)
        simt_observe_request(window, site, address, mask, span);
}

/* ---- addresses */

static void move_addresses(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                           uint64_t distance) {
    uint8_t *to = registers + operation->destination[0];
    const uint8_t *from = registers + operation->source[0];
    uint32_t bytes = operation->instruction->type == PTX_U32 ? 4 : 8;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t value = 0;
        memcpy(&value, from + bytes * lane, bytes);
        value += distance;
        memcpy(to + bytes * lane, &value, bytes);
    }
}

void simt_access_constant_to_generic(const struct simt_operation *operation, uint8_t *registers,
                                     uint32_t *predicates, uint32_t mask) {
    (void)predicates;
    move_addresses(operation, registers, mask, window_header(registers)->code->module->bank.base);
}

void simt_access_generic_to_constant(const struct simt_operation *operation, uint8_t *registers,
                                     uint32_t *predicates, uint32_t mask) {
    (void)predicates;
    move_addresses(operation, registers, mask, 0 - window_header(registers)->code->module->bank.base);
}

void simt_access_is_space(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                          uint32_t mask) {
    const uint64_t *address = (const uint64_t *)(const void *)(registers + operation->source[0]);
    const struct simt_module *module = window_header(registers)->code->module;
    uint32_t result = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        enum ptx_space space = access_space(address[lane]);
        uint64_t start, end;
        if (space == PTX_GLOBAL && simt_module_constants(module, address[lane], &start, &end))
            space = PTX_CONST;
        result |= (uint32_t)(space == (enum ptx_space)operation->instruction->space) << lane;
    }
    uint32_t *to = &predicates[operation->destination[0]];
    *to = (*to & ~mask) | result;
}
