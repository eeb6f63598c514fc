// What lab 10's hostile submissions have in common: right steps on three streams, and the same on the host.
#include "lab10.h"
#include <string.h>

#define BLOCK 256
#ifndef WAIT
#define WAIT(stream, event) CHECK(cudaStreamWaitEvent(stream, event, 0))
#endif

static __device__ int cell_of(uint4 p, int width, int height) {
    return __umulhi(p.y, height) * width + __umulhi(p.x, width);
}

__global__ void deposit_kernel(const uint4 *particles, int count, int *density, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;
    atomicAdd(&density[cell_of(particles[i], width, height)], 1);
}

// A thread takes a cell out of the field's record and puts its density into the frame's: no conversion is left to the host.
__global__ void potential_kernel(const uint8_t *field, const int *density, int *potential, uint8_t *frame,
                                 int step, int width, int height) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;

    if (c >= width * height)
        return;

    int strip_cells = PARTICLES_STRIP_ROWS * width;
    int strip = c / strip_cells;
    int i = c - strip * strip_cells;
    size_t start = strip * PARTICLES_STRIP_BYTES(width);
    uint32_t raw = ((const uint16_t *)(field + start + PARTICLES_HEADER_BYTES))[i];
    int value = (int16_t)__byte_perm(raw, 0, 0x4401); // the high byte comes first in a record
    int particles = density[c];

    potential[c] = 16 * value + 64 * particles;
    ((uint16_t *)(frame + start + PARTICLES_HEADER_BYTES))[i] =
        (uint16_t)__byte_perm(min(particles, 65535), 0, 0x4401);
    if (i == 0)
        *(int4 *)(frame + start) =
            make_int4(step, strip, min(PARTICLES_STRIP_ROWS, height - strip * PARTICLES_STRIP_ROWS), width);
}

__global__ void push_kernel(uint4 *particles, int count, const int *potential, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    uint4 p = particles[i];
    int column = __umulhi(p.x, width);
    int row = __umulhi(p.y, height);
    int left = column > 0 ? column - 1 : width - 1;
    int right = column < width - 1 ? column + 1 : 0;
    int above = row > 0 ? row - 1 : height - 1;
    int below = row < height - 1 ? row + 1 : 0;

    p.z += 4u * (uint32_t)(potential[row * width + left] - potential[row * width + right]);
    p.w += 4u * (uint32_t)(potential[above * width + column] - potential[below * width + column]);
    p.z -= (uint32_t)((int)p.z >> 4);
    p.w -= (uint32_t)((int)p.w >> 4);
    p.x += p.z;
    p.y += p.w;
    particles[i] = p;
}

static int blocks(int threads) {
    return (threads + BLOCK - 1) / BLOCK;
}

static struct {
    struct particles_size size;
    struct particles_data data;
    uint4 *particles; // device memory
    int *density, *potential;
    uint8_t *field[2], *frame[2]; // records, which take turns
    cudaStream_t compute, forth, back;
    cudaEvent_t come[2], used[2]; // a field is there; it was read, so that another may come
    cudaEvent_t made[2],
        taken[2]; // a frame is complete; it is on the host, so that another may be made there
    cudaEvent_t begun;
} lab;

// Memory that stays where it is: the copy engines fetch from it and store to it themselves.
extern "C" void *particles_host_memory(size_t bytes) {
    void *memory = NULL;
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : NULL;
}

extern "C" void particles_host_free(void *memory) {
    CHECK(cudaFreeHost(memory));
}

// All steps, onto three streams; none of this waits.
static void queue_steps(void) {
    const int width = lab.size.width, height = lab.size.height, count = lab.size.count;
    const int cells = width * height;
    const size_t record = PARTICLES_RECORD_BYTES(width, height);

    CHECK(cudaEventRecord(lab.begun, lab.compute));
    CHECK(cudaStreamWaitEvent(lab.forth, lab.begun, 0));
    CHECK(cudaStreamWaitEvent(lab.back, lab.begun, 0));
    CHECK(cudaMemcpyAsync(lab.particles, lab.data.start, count * sizeof(uint4), cudaMemcpyHostToDevice,
                          lab.compute));
    for (int step = 0; step < lab.size.steps; step++) {
        const uint8_t *field = lab.data.field + step * record;
        uint8_t *frame = lab.data.frames + step * record;
        int turn = step % 2;

        if (step >= 2) // before that the place is free
            WAIT(lab.forth, lab.used[turn]);
        CHECK(cudaMemcpyAsync(lab.field[turn], field, record, cudaMemcpyHostToDevice, lab.forth));
        CHECK(cudaEventRecord(lab.come[turn], lab.forth));

        CHECK(cudaMemsetAsync(lab.density, 0, cells * sizeof(int), lab.compute));
        deposit_kernel<<<blocks(count), BLOCK, 0, lab.compute>>>(lab.particles, count, lab.density, width,
                                                                 height);
        WAIT(lab.compute, lab.come[turn]);
        if (step >= 2)
            WAIT(lab.compute, lab.taken[turn]);
        potential_kernel<<<blocks(cells), BLOCK, 0, lab.compute>>>(
            lab.field[turn], lab.density, lab.potential, lab.frame[turn], step, width, height);
        CHECK(cudaEventRecord(lab.used[turn], lab.compute));
        CHECK(cudaEventRecord(lab.made[turn], lab.compute));
        push_kernel<<<blocks(count), BLOCK, 0, lab.compute>>>(lab.particles, count, lab.potential, width,
                                                              height);

        WAIT(lab.back, lab.made[turn]);
        CHECK(cudaMemcpyAsync(frame, lab.frame[turn], record, cudaMemcpyDeviceToHost, lab.back));
        CHECK(cudaEventRecord(lab.taken[turn], lab.back));
    }
    CHECK(cudaMemcpyAsync(lab.data.end, lab.particles, count * sizeof(uint4), cudaMemcpyDeviceToHost,
                          lab.compute));
    CHECK(cudaEventRecord(lab.come[0], lab.forth));
    CHECK(cudaStreamWaitEvent(lab.compute, lab.come[0], 0));
    CHECK(cudaEventRecord(lab.taken[0], lab.back));
    CHECK(cudaStreamWaitEvent(lab.compute, lab.taken[0], 0));
}

static void open_lab(const struct particles_size *size, const struct particles_data *data) {
    size_t cells = (size_t)size->width * size->height;
    size_t record = PARTICLES_RECORD_BYTES(size->width, size->height);

    lab.size = *size;
    lab.data = *data;
    CHECK(cudaMalloc(&lab.particles, size->count * sizeof(uint4)));
    CHECK(cudaMalloc(&lab.density, cells * sizeof(int)));
    CHECK(cudaMalloc(&lab.potential, cells * sizeof(int)));
    CHECK(cudaStreamCreate(&lab.compute));
    CHECK(cudaStreamCreate(&lab.forth));
    CHECK(cudaStreamCreate(&lab.back));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMalloc(&lab.field[i], record));
        CHECK(cudaMalloc(&lab.frame[i], record));
        CHECK(cudaEventCreateWithFlags(&lab.come[i], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&lab.used[i], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&lab.made[i], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&lab.taken[i], cudaEventDisableTiming));
    }
    CHECK(cudaEventCreateWithFlags(&lab.begun, cudaEventDisableTiming));
}

static void close_lab(void) {
    CHECK(cudaEventDestroy(lab.begun));
    CHECK(cudaFree(lab.particles));
    CHECK(cudaFree(lab.density));
    CHECK(cudaFree(lab.potential));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaFree(lab.field[i]));
        CHECK(cudaFree(lab.frame[i]));
        CHECK(cudaEventDestroy(lab.come[i]));
        CHECK(cudaEventDestroy(lab.used[i]));
        CHECK(cudaEventDestroy(lab.made[i]));
        CHECK(cudaEventDestroy(lab.taken[i]));
    }
    CHECK(cudaStreamDestroy(lab.compute));
    CHECK(cudaStreamDestroy(lab.forth));
    CHECK(cudaStreamDestroy(lab.back));
}

static uint32_t pushed(uint32_t speed, uint32_t force) {
    speed += 4 * force;
    return speed - (uint32_t)((int32_t)speed >> 4);
}

// All steps on the host, into frames and end.
static void compute_on_host(uint8_t *frames, uint4 *end) {
    const int width = lab.size.width, height = lab.size.height;
    int *density = (int *)malloc((size_t)width * height * sizeof(int));
    uint32_t *potential = (uint32_t *)malloc((size_t)width * height * sizeof(uint32_t));
    memcpy(end, lab.data.start, lab.size.count * sizeof(uint4));
    for (int step = 0; step < lab.size.steps; step++) {
        const uint8_t *field = lab.data.field + step * PARTICLES_RECORD_BYTES(width, height);
        uint8_t *frame = frames + step * PARTICLES_RECORD_BYTES(width, height);
        memset(density, 0, (size_t)width * height * sizeof(int));
        for (int i = 0; i < lab.size.count; i++)
            density[(int)((uint64_t)end[i].y * height >> 32) * width +
                    (int)((uint64_t)end[i].x * width >> 32)]++;
        for (int strip = 0; strip < PARTICLES_STRIPS(height); strip++) {
            int first = strip * PARTICLES_STRIP_ROWS;
            int rows = height - first < PARTICLES_STRIP_ROWS ? height - first : PARTICLES_STRIP_ROWS;
            const uint8_t *from = field + strip * PARTICLES_STRIP_BYTES(width) + PARTICLES_HEADER_BYTES;
            uint8_t *to = frame + strip * PARTICLES_STRIP_BYTES(width);
            const int header[4] = {step, strip, rows, width};
            memcpy(to, header, sizeof header);
            for (int i = 0; i < rows * width; i++) {
                int own = density[first * width + i], shown = own < 65535 ? own : 65535;
                potential[first * width + i] =
                    16u * (uint32_t)(int16_t)(from[2 * i] << 8 | from[2 * i + 1]) + 64u * own;
                to[PARTICLES_HEADER_BYTES + 2 * i] = (uint8_t)(shown >> 8);
                to[PARTICLES_HEADER_BYTES + 2 * i + 1] = (uint8_t)shown;
            }
        }
        for (int i = 0; i < lab.size.count; i++) {
            uint4 *p = &end[i];
            int x = (int)((uint64_t)p->x * width >> 32), y = (int)((uint64_t)p->y * height >> 32);
            const uint32_t *row = potential + y * width;
            p->z = pushed(p->z, row[(x + width - 1) % width] - row[(x + 1) % width]);
            p->w = pushed(p->w, potential[(y + height - 1) % height * width + x] -
                                    potential[(y + 1) % height * width + x]);
            p->x += p->z;
            p->y += p->w;
        }
    }
    free(density);
    free(potential);
}
