// Runs a step of lab 10 once, as record-timeline asks: built together with the step's file, STEP.
#include STEP

enum { SIDE = 512, STEPS = 24 };

// What looks random and is the same each time.
static uint32_t scatter(uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

int main(void) {
    const struct particles_size size = {SIDE, SIDE, STEPS, SIDE * SIDE};
    const size_t records = STEPS * PARTICLES_RECORD_BYTES(SIDE, SIDE), all = size.count * sizeof(uint4);
    uint4 *start = (uint4 *)particles_host_memory(all), *end = (uint4 *)particles_host_memory(all);
    uint8_t *field = (uint8_t *)particles_host_memory(records);
    uint8_t *frames = (uint8_t *)particles_host_memory(records);
    const struct particles_data data = {start, field, frames, end};

    if (start == NULL || end == NULL || field == NULL || frames == NULL) {
        fprintf(stderr, "timeline-main: no host memory\n");
        return 1;
    }
    for (int i = 0; i < size.count; i++)
        start[i] = make_uint4(scatter(2 * i), scatter(2 * i + 1), 0, 0);
    for (size_t i = 0; i < records; i++)
        field[i] = (uint8_t)scatter((uint32_t)i);
    particles_open(&size, &data);
    particles_run();
    particles_close();
    particles_host_free(start);
    particles_host_free(end);
    particles_host_free(field);
    particles_host_free(frames);
    return 0;
}
