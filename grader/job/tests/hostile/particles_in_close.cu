// Hostile: Computes when nobody looks at the clock any more.
#include "particles_steps.h"

__global__ void nothing(void) {}

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    nothing<<<1, 1, 0, lab.compute>>>();
    CHECK(cudaStreamSynchronize(lab.compute));
}

extern "C" void particles_close(void) {
    queue_steps();
    CHECK(cudaStreamSynchronize(lab.compute));
    close_lab();
}
