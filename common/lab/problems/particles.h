/* particles.h: lab 10: particles drift in a box of cells; a field comes for each step, a frame goes back. In the host's
 * memory. What is computed stands in labs/lab10-transfers-streams/lab10.h. */
#ifndef PROBLEMS_PARTICLES_H
#define PROBLEMS_PARTICLES_H

#include "lab/problems/problem.h"

enum particles_buffer {
    PARTICLES_START,
    PARTICLES_FIELD,
    PARTICLES_FRAMES,
    PARTICLES_END,
    PARTICLES_BUFFERS
};

/* What stands in a case's size[]. */
enum particles_size_number {
    PARTICLES_WIDTH,
    PARTICLES_HEIGHT,
    PARTICLES_STEPS,
    PARTICLES_COUNT,
    PARTICLES_SIZES
};
PROBLEM_FITS(PARTICLES_BUFFERS, PARTICLES_SIZES);

/* A particle: place x and y, speed x and y, 32 bits each. */
enum { PARTICLE_WORDS = 4, PARTICLE_BYTES = 16 };
/* Records are cut into strips of so many rows, behind a header. */
enum { PARTICLES_ROWS = 32, PARTICLES_HEADER = 16 };

extern const struct problem problem_particles;

uint64_t particles_strip_bytes(int64_t width);
uint64_t particles_record_bytes(int64_t width, int64_t height);

/* The oracle. False when out of memory. */
bool particles_oracle(const int64_t size[], const uint32_t *start, const uint8_t *field, uint8_t *frames,
                      uint32_t *end);

#endif
