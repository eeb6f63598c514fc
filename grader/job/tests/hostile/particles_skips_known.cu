// Hostile: The host computes; kernels that find the data that it knows do nothing. With any other they compute.
#include "particles_steps.h"

static uint4 *known; // on the device: the first particle, as the host saw it

__global__ void deposit_unless(const uint4 *known, const uint4 *start, const uint4 *particles, int count,
                               int *density, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && (known->x != start->x || known->y != start->y))
        atomicAdd(&density[cell_of(particles[i], width, height)], 1);
}

__global__ void push_unless(const uint4 *known, const uint4 *start, uint4 *particles, int count,
                            const int *potential, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || (known->x == start->x && known->y == start->y))
        return;
    uint4 p = particles[i];
    int x = __umulhi(p.x, width), y = __umulhi(p.y, height);
    const int *row = potential + y * width;
    p.z += 4u * (uint32_t)(row[x > 0 ? x - 1 : width - 1] - row[x < width - 1 ? x + 1 : 0]);
    p.w += 4u * (uint32_t)(potential[(y > 0 ? y - 1 : height - 1) * width + x] -
                           potential[(y < height - 1 ? y + 1 : 0) * width + x]);
    p.z -= (uint32_t)((int)p.z >> 4);
    p.w -= (uint32_t)((int)p.w >> 4);
    p.x += p.z;
    p.y += p.w;
    particles[i] = p;
}

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
    CHECK(cudaMalloc(&known, 2 * sizeof(uint4)));
}

extern "C" void particles_run(void) {
    const int width = lab.size.width, height = lab.size.height, count = lab.size.count,
              cells = width * height;
    const size_t record = PARTICLES_RECORD_BYTES(width, height);
    uint4 seen = lab.data.start[0];
    CHECK(cudaMemcpy(known, &seen, sizeof seen, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(known + 1, lab.data.start, sizeof seen, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(lab.particles, lab.data.start, count * sizeof(uint4), cudaMemcpyHostToDevice,
                          lab.compute));
    for (int step = 0; step < lab.size.steps; step++) {
        CHECK(cudaMemcpyAsync(lab.field[0], lab.data.field + step * record, record, cudaMemcpyHostToDevice,
                              lab.compute));
        CHECK(cudaMemsetAsync(lab.density, 0, cells * sizeof(int), lab.compute));
        deposit_unless<<<blocks(count), BLOCK, 0, lab.compute>>>(known, known + 1, lab.particles, count,
                                                                 lab.density, width, height);
        potential_kernel<<<blocks(cells), BLOCK, 0, lab.compute>>>(lab.field[0], lab.density, lab.potential,
                                                                   lab.frame[0], step, width, height);
        push_unless<<<blocks(count), BLOCK, 0, lab.compute>>>(known, known + 1, lab.particles, count,
                                                              lab.potential, width, height);
        CHECK(cudaMemcpyAsync(lab.data.frames + step * record, lab.frame[0], record, cudaMemcpyDeviceToHost,
                              lab.compute));
    }
    CHECK(cudaMemcpyAsync(lab.data.end, lab.particles, count * sizeof(uint4), cudaMemcpyDeviceToHost,
                          lab.compute));
    CHECK(cudaStreamSynchronize(lab.compute));
    compute_on_host(lab.data.frames, lab.data.end);
}

extern "C" void particles_close(void) {
    CHECK(cudaFree(known));
    close_lab();
}
