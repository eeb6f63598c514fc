// step 10b: pinned memory
//
// Computes the particles of lab10.h, bit for bit.
// Changed  step 10a -> 10b: data and the host's working memory come from cudaMallocHost, where the copy engines reach
//           them. So copies are queued with cudaMemcpyAsync and run at the link's speed, and the host waits once a
//           step, before it converts what has come.
// Expect   copies several times as fast; what is left is the host's conversion.
// Run       make lab10-steps

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

__global__ void potential_kernel(const int *field, const int *density, int *potential, int cells) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;

    if (c >= cells)
        return;
    potential[c] = 16 * field[c] + 64 * density[c];
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
    int *field, *density, *potential;
    int *field_cells, *frame_cells; // pinned: a record as ints, one for each direction
    cudaStream_t stream;
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

    lab.size = *size;
    lab.data = *data;
    CHECK(cudaMalloc(&lab.particles, size->count * sizeof(uint4)));
    CHECK(cudaMalloc(&lab.field, cells * sizeof(int)));
    CHECK(cudaMalloc(&lab.density, cells * sizeof(int)));
    CHECK(cudaMalloc(&lab.potential, cells * sizeof(int)));
    CHECK(cudaMallocHost(&lab.field_cells, cells * sizeof(int)));
    CHECK(cudaMallocHost(&lab.frame_cells, cells * sizeof(int)));
    CHECK(cudaStreamCreate(&lab.stream));
}

// Rows of a strip: the last may have fewer.
static int rows_of(int strip) {
    int left = lab.size.height - strip * PARTICLES_STRIP_ROWS;
    return left < PARTICLES_STRIP_ROWS ? left : PARTICLES_STRIP_ROWS;
}

extern "C" void particles_run(void) {
    const int width = lab.size.width, height = lab.size.height, count = lab.size.count;
    const int cells = width * height;

    CHECK(cudaMemcpyAsync(lab.particles, lab.data.start, count * sizeof(uint4), cudaMemcpyHostToDevice,
                          lab.stream));
    for (int step = 0; step < lab.size.steps; step++) {
        const uint8_t *field = lab.data.field + step * PARTICLES_RECORD_BYTES(width, height);
        uint8_t *frame = lab.data.frames + step * PARTICLES_RECORD_BYTES(width, height);

        for (int strip = 0; strip < PARTICLES_STRIPS(height); strip++) {
            int first = strip * PARTICLES_STRIP_ROWS * width, some = rows_of(strip) * width;
            particles_strip_to_ints(field + strip * PARTICLES_STRIP_BYTES(width), lab.field_cells + first,
                                    some);
            CHECK(cudaMemcpyAsync(lab.field + first, lab.field_cells + first, some * sizeof(int),
                                  cudaMemcpyHostToDevice, lab.stream));
        }

        CHECK(cudaMemsetAsync(lab.density, 0, cells * sizeof(int), lab.stream));
        deposit_kernel<<<blocks(count), BLOCK, 0, lab.stream>>>(lab.particles, count, lab.density, width,
                                                                height);
        potential_kernel<<<blocks(cells), BLOCK, 0, lab.stream>>>(lab.field, lab.density, lab.potential,
                                                                  cells);
        push_kernel<<<blocks(count), BLOCK, 0, lab.stream>>>(lab.particles, count, lab.potential, width,
                                                             height);

        for (int strip = 0; strip < PARTICLES_STRIPS(height); strip++) {
            int first = strip * PARTICLES_STRIP_ROWS * width;
            CHECK(cudaMemcpyAsync(lab.frame_cells + first, lab.density + first,
                                  rows_of(strip) * width * sizeof(int), cudaMemcpyDeviceToHost, lab.stream));
        }
        CHECK(cudaStreamSynchronize(lab.stream)); // all copies have ended, those from field_cells too
        for (int strip = 0; strip < PARTICLES_STRIPS(height); strip++)
            particles_ints_to_strip(lab.frame_cells + strip * PARTICLES_STRIP_ROWS * width,
                                    frame + strip * PARTICLES_STRIP_BYTES(width), step, strip, rows_of(strip),
                                    width);
    }
    CHECK(cudaMemcpyAsync(lab.data.end, lab.particles, count * sizeof(uint4), cudaMemcpyDeviceToHost,
                          lab.stream));
    CHECK(cudaStreamSynchronize(lab.stream));
}

extern "C" void particles_close(void) {
    CHECK(cudaFree(lab.particles));
    CHECK(cudaFree(lab.field));
    CHECK(cudaFree(lab.density));
    CHECK(cudaFree(lab.potential));
    CHECK(cudaFreeHost(lab.field_cells));
    CHECK(cudaFreeHost(lab.frame_cells));
    CHECK(cudaStreamDestroy(lab.stream));
}
