/* round.h: rounds sizes up to whole units. */
#pragma once

#include <stdint.h>

/* The smallest multiple of `unit` that is at least value. */
static inline uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}
