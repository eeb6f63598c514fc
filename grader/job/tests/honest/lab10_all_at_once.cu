// All fields in one copy before the first step, all frames in one after the last.

#include "lab10.h"

#define BLOCK 256

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
    uint4 *particles;
    int *density, *potential;
    uint8_t *fields, *frames;
} lab;

static size_t record_bytes(void) {
    return PARTICLES_RECORD_BYTES(lab.size.width, lab.size.height);
}

extern "C" void *particles_host_memory(size_t bytes) {
    void *memory = NULL;
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : NULL;
}

extern "C" void particles_host_free(void *memory) {
    CHECK(cudaFreeHost(memory));
}

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    size_t cells = (size_t)size->width * size->height;

    lab.size = *size;
    lab.data = *data;
    CHECK(cudaMalloc(&lab.particles, size->count * sizeof(uint4)));
    CHECK(cudaMalloc(&lab.density, cells * sizeof(int)));
    CHECK(cudaMalloc(&lab.potential, cells * sizeof(int)));
    CHECK(cudaMalloc(&lab.fields, size->steps * record_bytes()));
    CHECK(cudaMalloc(&lab.frames, size->steps * record_bytes()));
}

extern "C" void particles_run(void) {
    const int width = lab.size.width, height = lab.size.height, count = lab.size.count;
    const int cells = width * height;
    const size_t record = record_bytes(), particle_bytes = count * sizeof(uint4);
    const size_t records = lab.size.steps * record;

    CHECK(cudaMemcpyAsync(lab.particles, lab.data.start, particle_bytes, cudaMemcpyHostToDevice, 0));
    CHECK(cudaMemcpyAsync(lab.fields, lab.data.field, records, cudaMemcpyHostToDevice, 0));
    for (int step = 0; step < lab.size.steps; step++) {
        CHECK(cudaMemsetAsync(lab.density, 0, cells * sizeof(int), 0));
        deposit_kernel<<<blocks(count), BLOCK>>>(lab.particles, count, lab.density, width, height);
        potential_kernel<<<blocks(cells), BLOCK>>>(lab.fields + step * record, lab.density, lab.potential, lab.frames + step * record, step, width,
                                                      height);
        push_kernel<<<blocks(count), BLOCK>>>(lab.particles, count, lab.potential, width, height);
    }
    CHECK(cudaMemcpyAsync(lab.data.frames, lab.frames, records, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaMemcpyAsync(lab.data.end, lab.particles, particle_bytes, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));
}

extern "C" void particles_close(void) {
    CHECK(cudaFree(lab.particles));
    CHECK(cudaFree(lab.density));
    CHECK(cudaFree(lab.potential));
    CHECK(cudaFree(lab.fields));
    CHECK(cudaFree(lab.frames));
}
