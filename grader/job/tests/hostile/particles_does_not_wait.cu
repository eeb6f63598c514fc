// Hostile: Queues all work and returns: what is timed is the queueing.
#include "particles_steps.h"

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    queue_steps();
}

extern "C" void particles_close(void) {
    close_lab();
}
