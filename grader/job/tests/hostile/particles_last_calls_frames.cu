// Hostile: Keeps what it computed, and gives it again in later calls of the same size.
#include "particles_steps.h"

static uint8_t *kept;
static struct particles_size kept_size;

extern "C" void particles_open(const struct particles_size *size, const struct particles_data *data) {
    open_lab(size, data);
}

extern "C" void particles_run(void) {
    size_t bytes = lab.size.steps * PARTICLES_RECORD_BYTES(lab.size.width, lab.size.height);
    size_t end = lab.size.count * sizeof(uint4);
    if (kept != NULL && memcmp(&kept_size, &lab.size, sizeof kept_size) == 0) {
        deposit_kernel<<<1, 32, 0, lab.compute>>>(lab.particles, 0, lab.density, 1, 1);
        memcpy(lab.data.frames, kept, bytes);
        memcpy(lab.data.end, kept + bytes, end);
        return;
    }
    queue_steps();
    CHECK(cudaStreamSynchronize(lab.compute));
    free(kept);
    kept = (uint8_t *)malloc(bytes + end);
    kept_size = lab.size;
    memcpy(kept, lab.data.frames, bytes);
    memcpy(kept + bytes, lab.data.end, end);
}

extern "C" void particles_close(void) {
    close_lab();
}
