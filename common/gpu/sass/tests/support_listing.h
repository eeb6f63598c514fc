/*
 * support_listing.h: what `nvdisasm -hex -c` prints of a cubin, instruction by instruction; and what it says of one, held against
 * our decoding of its bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct listed_instruction {
    uint32_t address;
    const char *text; /* "@!P0 LDG.E R0, desc[UR4][R2.64]" */
    uint8_t bytes[16];
    bool has_target; /* the text names a label of the same section */
    uint32_t target;
};

struct listing {
    size_t count;
    struct listed_instruction *instructions;
};

/* Reads a listing in place: `text` is cut into pieces and must live as long. False when memory is short. */
bool listing_read(struct listing *listing, char *text);
void listing_free(struct listing *listing);

/* NULL when our decoding says the same of the instruction; else what is different. */
const char *listing_difference(uint32_t architecture, const struct listed_instruction *listed);
