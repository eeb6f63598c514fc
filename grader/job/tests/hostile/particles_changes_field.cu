// Hostile: Sets the field to nothing, for the next steps are easier then.
#include "particles_steps.h"

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    queue_steps();
    CHECK(cudaStreamSynchronize(lab.compute));
    memset((void *)lab.data.field, 0, PARTICLES_RECORD_BYTES(lab.size.width, lab.size.height));
}

extern "C" void particles_close(void) {
    close_lab();
}
