// Hostile: Fields come ahead without a look whether the one before was used.
#define WAIT(stream, event) ((stream) == lab.forth ? (void)0 : (void)cudaStreamWaitEvent(stream, event, 0))
#include "particles_steps.h"

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    queue_steps();
    CHECK(cudaStreamSynchronize(lab.compute));
}

extern "C" void particles_close(void) {
    close_lab();
}
