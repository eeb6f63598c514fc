/* Lab 10: the functions to write, and what the data look like. Particles drift in a box of width * height cells, pushed by
 * a field that an instrument delivers step by step, and by their own crowd; what an observer gets is how many particles
 * each cell holds at each step. Field and frames are files of records: that is why the host's memory is in every step. */
#ifndef LAB10_H
#define LAB10_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A record, one for each step, is cut into strips of 32 rows; each begins with a header of 16 bytes, four little-endian
 * 32-bit words: step, strip, rows in this strip (the last may have fewer), width. Then its cells, row by row, each a
 * 16-bit number, the high byte first. Strips lie PARTICLES_STRIP_BYTES apart; what is between the last cell of a strip and
 * the next strip means nothing. */
#define PARTICLES_STRIP_ROWS 32
#define PARTICLES_HEADER_BYTES 16
#define PARTICLES_STRIPS(height) (((height) + PARTICLES_STRIP_ROWS - 1) / PARTICLES_STRIP_ROWS)
#define PARTICLES_STRIP_BYTES(width)                                                                         \
    ((PARTICLES_HEADER_BYTES + (size_t)(width)*PARTICLES_STRIP_ROWS * 2 + 15) / 16 * 16)
#define PARTICLES_RECORD_BYTES(width, height) (PARTICLES_STRIPS(height) * PARTICLES_STRIP_BYTES(width))

struct particles_size {
    int width, height; /* cells, each 1 to 4096 */
    int steps;         /* 1 or more */
    int count;         /* particles, 1 or more */
};

/* Host memory, from particles_host_memory. A particle is a uint4: .x and .y its place as a fraction of the box, in units
 * of 2^-32, so that whoever leaves at one side comes in at the other; .z and .w its speed in these units a step, signed. */
struct particles_data {
    const uint4 *start;   /* count particles before the first step */
    const uint8_t *field; /* steps records: what pushes, signed 16-bit numbers */
    uint8_t *frames; /* steps records to write, headers too: how many particles a cell holds, 65535 at most */
    uint4 *end;      /* count particles after the last step */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Where the data shall lie: as malloc and free. NULL: there is no memory. Not timed. */
void *particles_host_memory(size_t bytes);
void particles_host_free(void *memory);

/* Before a run: allocate what it needs. The data's addresses are those of the run; what stands there now means nothing.
 * Not timed. */
void particles_open(const struct particles_size *size, const struct particles_data *data);

/* All steps. When it returns, frames and end must be complete. This is what is timed. In step s, with c a particle's cell
 * (column x * width / 2^32, row y * height / 2^32, rounded down):
 *
 *   density[c]   = particles in cell c, which is frame s
 *   potential[c] = 16 * field[s][c] + 64 * density[c]
 *   a particle   : speed_x += 4 * (potential[left of c] - potential[right of c]),
 *                  speed_y += 4 * (potential[above c] - potential[below c]); beyond the last column comes the first
 *                  speed -= speed >> 4 (each; rounded down), then place += speed
 *
 * All in 32 bits, where what overflows is lost. Everything is a whole number, so every order of adding up gives the same:
 * the result is compared bit for bit. */
void particles_run(void);

/* After a run: free it. Not timed. */
void particles_close(void);

/* Work of the host's own that takes this long on the machine with the H200: nothing happens, but where the GPU is simulated
 * its timeline waits so long. Without such a call the simulator takes your loops on the host to be free. */
void particles_host_worked(const char *what, double nanoseconds);

#ifdef __cplusplus
}
#endif

/* Host: the cells of a strip as ints, and back. On the host of an H200 0.19 and 0.47 ns a cell, measured with all data in its
 * caches; what is told here is a quarter more, fitted on step 10b, where they are not. */
static inline void particles_strip_to_ints(const uint8_t *strip, int *cells, int count) {
    const uint8_t *bytes = strip + PARTICLES_HEADER_BYTES;
    for (int i = 0; i < count; i++)
        cells[i] = (int16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    particles_host_worked("strip to ints", 0.24 * count);
}

static inline void particles_ints_to_strip(const int *cells, uint8_t *strip, int step, int number, int rows,
                                           int width) {
    int header[4] = {step, number, rows, width};
    uint8_t *bytes = strip + PARTICLES_HEADER_BYTES;
    for (int i = 0; i < PARTICLES_HEADER_BYTES; i++)
        strip[i] = (uint8_t)(header[i / 4] >> i % 4 * 8);
    for (int i = 0; i < rows * width; i++) {
        int value = cells[i] > 65535 ? 65535 : cells[i];
        bytes[2 * i] = (uint8_t)(value >> 8);
        bytes[2 * i + 1] = (uint8_t)value;
    }
    particles_host_worked("ints to strip", 0.59 * rows * width);
}

/* Of a call of the runtime that fails: say so and end. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t check_error = (call);                                                                    \
        if (check_error != cudaSuccess) {                                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(check_error));  \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
