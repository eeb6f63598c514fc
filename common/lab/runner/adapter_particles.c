/* Lab 10: works in the host's memory. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "adapter.h"
#include "lab/problems/particles.h"

#include <dlfcn.h>

/* As labs/lab10-transfers-streams/lab10.h has them; a particle is a uint4 there. */
struct particles_size {
    int width, height, steps, count;
};
struct particles_data {
    const void *start;
    const uint8_t *field;
    uint8_t *frames;
    void *end;
};
void *particles_host_memory(size_t bytes);
void particles_host_free(void *memory);
void particles_open(const struct particles_size *size, const struct particles_data *data);
void particles_run(void);
void particles_close(void);

const char adapter_function[] = "particles_run";

/* A problem of the host's memory has this in place of adapter_call. */
void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    (void)buffer, (void)size, (void)stream;
}

static void open_run(void *const buffer[], const int64_t size[]) {
    const struct particles_size sizes = {(int)size[PARTICLES_WIDTH], (int)size[PARTICLES_HEIGHT],
                                         (int)size[PARTICLES_STEPS], (int)size[PARTICLES_COUNT]};
    const struct particles_data data = {buffer[PARTICLES_START], buffer[PARTICLES_FIELD],
                                        buffer[PARTICLES_FRAMES], buffer[PARTICLES_END]};
    particles_open(&sizes, &data);
}

const struct adapter_host adapter_host = {.allocate = particles_host_memory,
                                          .release = particles_host_free,
                                          .open = open_run,
                                          .run = particles_run,
                                          .close = particles_close};

/* Our libcudart has a function for it; on a real GPU time passes by itself. */
void particles_host_worked(const char *what, double nanoseconds);
void particles_host_worked(const char *what, double nanoseconds) {
    typedef void host_work(const char *what, double microseconds);
    host_work *work = (host_work *)dlsym(RTLD_DEFAULT, "simulated_host_work");
    if (work != NULL)
        work(what, nanoseconds / 1e3);
}
