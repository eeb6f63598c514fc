// Hostile: Computes all steps on the host, where time stands still, and launches a kernel that does nothing.
#include "particles_steps.h"

__global__ void nothing(void) {}

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    compute_on_host(lab.data.frames, lab.data.end);
    nothing<<<1, 1, 0, lab.compute>>>();
    CHECK(cudaStreamSynchronize(lab.compute));
}

extern "C" void particles_close(void) {
    close_lab();
}
