// Hostile: Computes the first step, and shows it again for all others.
#include "particles_steps.h"

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    const int steps = lab.size.steps;
    const size_t record = PARTICLES_RECORD_BYTES(lab.size.width, lab.size.height);
    lab.size.steps = 1;
    queue_steps();
    CHECK(cudaStreamSynchronize(lab.compute));
    for (int step = 1; step < steps; step++)
        memcpy(lab.data.frames + step * record, lab.data.frames, record);
    lab.size.steps = steps;
}

extern "C" void particles_close(void) {
    close_lab();
}
