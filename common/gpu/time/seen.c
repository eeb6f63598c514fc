/* seen.c: times of launches that were modelled before. */
#include "gpu/time/code.h"
#include "gpu/time/gpus.h"

#include <stdlib.h>
#include <string.h>

static size_t waits_bytes(const struct gpu_launch *launch) {
    const struct gpu_code *code = launch->code;
    return code != NULL && code->waits != NULL
               ? (size_t)code->instruction_count * GPU_STALL_COUNT * sizeof *code->waits
               : 0;
}

/* All that the time follows from: structures as they are, what they point to behind them. */
static void describe(const struct gpu_model *model, const struct gpu_launch *launch, struct memo_key *key) {
    struct gpu_launch plain = *launch;
    plain.counters = NULL;
    plain.sms = NULL;
    plain.code = NULL;
    memo_key_add(key, model, sizeof *model);
    memo_key_add(key, &plain, sizeof plain);
    memo_key_add(key, launch->counters, sizeof *launch->counters);
    memo_key_add(key, launch->sms, launch->sm_count * sizeof *launch->sms);
    if (launch->code == NULL)
        return;
    struct gpu_code code = *launch->code;
    bool waits = code.waits != NULL;
    memo_key_add(key, code.instructions, code.instruction_count * sizeof *code.instructions);
    memo_key_add(key, code.blocks, code.block_count * sizeof *code.blocks);
    memo_key_add(key, code.edges, code.edge_count * sizeof *code.edges);
    code.instructions = NULL;
    code.blocks = NULL;
    code.edges = NULL;
    code.waits = NULL;
    memo_key_add(key, &code, sizeof code);
    memo_key_add(key, &waits, sizeof waits);
}

static void keep(struct memo *seen, const struct memo_key *key, const struct gpu_launch *launch,
                 const struct gpu_time *time) {
    size_t waits = waits_bytes(launch);
    unsigned char *value = malloc(sizeof *time + waits);
    if (value == NULL)
        return;
    memcpy(value, time, sizeof *time);
    if (waits > 0)
        memcpy(value + sizeof *time, launch->code->waits, waits);
    memo_keep(seen, key, value, sizeof *time + waits);
    free(value);
}

void gpu_time_seen(const struct gpu_model *model, const struct gpu_launch *launch, struct memo *seen,
                   struct gpu_time *time) {
    struct memo_key key = {0};
    size_t waits = waits_bytes(launch), bytes = 0;
    describe(model, launch, &key);
    const unsigned char *found = memo_find(seen, &key, &bytes);
    if (found != NULL && bytes == sizeof *time + waits) {
        memcpy(time, found, sizeof *time);
        if (waits > 0)
            memcpy(launch->code->waits, found + sizeof *time, waits);
    } else {
        gpu_time_model(model, launch, time);
        keep(seen, &key, launch, time);
    }
    memo_key_free(&key);
}
