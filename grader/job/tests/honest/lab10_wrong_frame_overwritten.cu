/* Wrong: a frame is written again while the copy of it, two steps ago, may still be under way. */
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
    uint4 *particles; // device memory
    int *density, *potential;
    uint8_t *field, *frame[2]; // records; the frames take turns
    cudaStream_t compute, back;
    cudaEvent_t made[2],
        taken[2]; // a frame is complete; it is on the host, so that another may be made there
} lab;

// Memory that stays where it is: the copy engines fetch from it and store to it themselves.
extern "C" void *particles_host_memory(size_t bytes) {
    void *memory = NULL;
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : NULL;
}

extern "C" void particles_host_free(void *memory) {
    CHECK(cudaFreeHost(memory));
}

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    size_t cells = (size_t)size->width * size->height;
    size_t record = PARTICLES_RECORD_BYTES(size->width, size->height);

    lab.size = *size;
    lab.data = *data;
    CHECK(cudaMalloc(&lab.particles, size->count * sizeof(uint4)));
    CHECK(cudaMalloc(&lab.density, cells * sizeof(int)));
    CHECK(cudaMalloc(&lab.potential, cells * sizeof(int)));
    CHECK(cudaMalloc(&lab.field, record));
    CHECK(cudaStreamCreate(&lab.compute));
    CHECK(cudaStreamCreate(&lab.back));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMalloc(&lab.frame[i], record));
        CHECK(cudaEventCreateWithFlags(&lab.made[i], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&lab.taken[i], cudaEventDisableTiming));
    }
}

extern "C" void particles_run(void) {
    const int width = lab.size.width, height = lab.size.height, count = lab.size.count;
    const int cells = width * height;
    const size_t record = PARTICLES_RECORD_BYTES(width, height);

    CHECK(cudaMemcpyAsync(lab.particles, lab.data.start, count * sizeof(uint4), cudaMemcpyHostToDevice,
                          lab.compute));
    for (int step = 0; step < lab.size.steps; step++) {
        const uint8_t *field = lab.data.field + step * record;
        uint8_t *frame = lab.data.frames + step * record;
        int turn = step % 2;

        CHECK(cudaMemcpyAsync(lab.field, field, record, cudaMemcpyHostToDevice, lab.compute));
        CHECK(cudaMemsetAsync(lab.density, 0, cells * sizeof(int), lab.compute));
        deposit_kernel<<<blocks(count), BLOCK, 0, lab.compute>>>(lab.particles, count, lab.density, width,
                                                                 height);
        potential_kernel<<<blocks(cells), BLOCK, 0, lab.compute>>>(lab.field, lab.density, lab.potential,
                                                                   lab.frame[turn], step, width, height);
        CHECK(cudaEventRecord(lab.made[turn], lab.compute));
        push_kernel<<<blocks(count), BLOCK, 0, lab.compute>>>(lab.particles, count, lab.potential, width,
                                                              height);

        CHECK(cudaStreamWaitEvent(lab.back, lab.made[turn], 0));
        CHECK(cudaMemcpyAsync(frame, lab.frame[turn], record, cudaMemcpyDeviceToHost, lab.back));
        CHECK(cudaEventRecord(lab.taken[turn], lab.back));
    }
    CHECK(cudaMemcpyAsync(lab.data.end, lab.particles, count * sizeof(uint4), cudaMemcpyDeviceToHost,
                          lab.compute));
    CHECK(cudaStreamSynchronize(lab.back));
    CHECK(cudaStreamSynchronize(lab.compute));
}

extern "C" void particles_close(void) {
    CHECK(cudaFree(lab.particles));
    CHECK(cudaFree(lab.density));
    CHECK(cudaFree(lab.potential));
    CHECK(cudaFree(lab.field));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaFree(lab.frame[i]));
        CHECK(cudaEventDestroy(lab.made[i]));
        CHECK(cudaEventDestroy(lab.taken[i]));
    }
    CHECK(cudaStreamDestroy(lab.compute));
    CHECK(cudaStreamDestroy(lab.back));
}
