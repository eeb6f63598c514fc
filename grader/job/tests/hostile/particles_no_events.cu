// Hostile: Three streams that wait for nothing: all of it overlaps, in time, and is right where work is done in the order it is given.
#define WAIT(stream, event) (void)(event)
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
