// Hostile: The GPU's work is for show: the host writes its own answers over what comes back.
#include "particles_steps.h"

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    const size_t record = PARTICLES_RECORD_BYTES(lab.size.width, lab.size.height);
    CHECK(cudaMemcpyAsync(lab.particles, lab.data.start, lab.size.count * sizeof(uint4),
                          cudaMemcpyHostToDevice, lab.compute));
    for (int step = 0; step < lab.size.steps; step++) {
        CHECK(cudaMemcpyAsync(lab.field[0], lab.data.field + step * record, record, cudaMemcpyHostToDevice,
                              lab.compute));
        deposit_kernel<<<1, 32, 0, lab.compute>>>(lab.particles, 1, lab.density, lab.size.width,
                                                  lab.size.height);
        CHECK(cudaMemcpyAsync(lab.data.frames + step * record, lab.frame[0], record, cudaMemcpyDeviceToHost,
                              lab.compute));
    }
    CHECK(cudaStreamSynchronize(lab.compute));
    compute_on_host(lab.data.frames, lab.data.end);
}

extern "C" void particles_close(void) {
    close_lab();
}
