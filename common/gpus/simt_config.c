/* simt_config.c: the simulator's configuration from a model. */
#include "gpus/gpus.h"

void gpu_model_simt_config(const struct gpu_model *model, struct simt_config *config) {
    simt_config_default(config);
    config->sm_count = model->sm_count;
    config->shared_per_block = model->shared_per_block_optin;
    config->shared_per_block_static = model->shared_per_block;
    config->max_threads_per_block = model->max_threads_per_block;
    config->max_block[0] = config->max_block[1] = model->max_threads_per_block;
    config->max_block[2] = 64;
    config->max_grid[0] = 0x7fffffff; /* every compute capability from 3.0 on */
    config->max_grid[1] = config->max_grid[2] = 65535;
    config->registers_per_block = model->registers_per_block;
    config->memory_bytes = model->memory_bytes;
    config->l1_bytes = model->l1_bytes;
    config->l2_bytes = model->l2_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)model->l2_bytes;
    config->compute_major = model->compute_major;
    config->compute_minor = model->compute_minor;
    config->clock_khz = (uint32_t)(model->clock_mhz * 1000 + 0.5);
}
