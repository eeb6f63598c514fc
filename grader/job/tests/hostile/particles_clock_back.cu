// Hostile: Tells of host work that takes less than no time, of events long ago, and of one between that never was.
#include "particles_steps.h"

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    cudaEvent_t first;
    CHECK(cudaEventCreate(&first));
    particles_host_worked("less than nothing", -1e9);
    particles_host_worked("not a number", 0.0 / 0.0);
    cudaGetLastError();
    queue_steps();
    CHECK(cudaEventRecord(first, lab.compute));
    CHECK(cudaStreamSynchronize(lab.compute));
    CHECK(cudaEventDestroy(first));
}

extern "C" void particles_close(void) {
    close_lab();
}
