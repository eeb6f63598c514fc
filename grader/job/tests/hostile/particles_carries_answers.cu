// Hostile: Computes all steps on the host, carries the answers to the GPU, and has kernels' copies bring them back.
#include "particles_steps.h"

static uint8_t *frames, *device_frames;
static uint4 *end;

__global__ void carry(uint8_t *bytes, size_t count) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        bytes[i] = (uint8_t)(bytes[i] ^ 0);
}

static size_t frame_bytes(void) {
    return lab.size.steps * PARTICLES_RECORD_BYTES(lab.size.width, lab.size.height);
}

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
    CHECK(cudaMallocHost(&frames, frame_bytes()));
    CHECK(cudaMallocHost(&end, size->count * sizeof(uint4)));
    CHECK(cudaMalloc(&device_frames, frame_bytes()));
}

extern "C" void particles_run(void) {
    size_t bytes = frame_bytes();
    compute_on_host(frames, end);
    CHECK(cudaMemcpyAsync(device_frames, frames, bytes, cudaMemcpyHostToDevice, lab.compute));
    CHECK(cudaMemcpyAsync(lab.particles, end, lab.size.count * sizeof(uint4), cudaMemcpyHostToDevice,
                          lab.compute));
    carry<<<(int)((bytes + 255) / 256), 256, 0, lab.compute>>>(device_frames, bytes);
    CHECK(cudaMemcpyAsync(lab.data.frames, device_frames, bytes, cudaMemcpyDeviceToHost, lab.compute));
    CHECK(cudaMemcpyAsync(lab.data.end, lab.particles, lab.size.count * sizeof(uint4), cudaMemcpyDeviceToHost,
                          lab.compute));
    CHECK(cudaStreamSynchronize(lab.compute));
}

extern "C" void particles_close(void) {
    CHECK(cudaFreeHost(frames));
    CHECK(cudaFreeHost(end));
    CHECK(cudaFree(device_frames));
    close_lab();
}
