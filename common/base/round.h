/* round.h: rounds sizes up to whole units. */
#ifndef BASE_ROUND_H
#define BASE_ROUND_H

#include <stdint.h>

/* The smallest multiple of `unit` that is at least value. */
static inline uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

#endif
