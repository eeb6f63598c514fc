/* lane_groups.cu: votes, matches, reductions and shuffles of a warp whose lanes name the member
 * masks of several groups. On a real GPU it prints a hash of each over all groupings
 * (lane_groups_h200.csv, by record_results.sh). ../lane_groups.ptx is the same kernel in PTX. */
#include "recorded_results.h"

enum { LANES = RECORDED_LANES, GROUPINGS = RECORDED_GROUPINGS, FUNCTIONS = 16 };

/* out: for each function, for each grouping, for each lane. */
extern "C" __global__ void lane_groups(const uint32_t *masks, const uint32_t *values, uint64_t *out) {
    uint32_t at = blockIdx.x * LANES + threadIdx.x, mask = masks[at], value = values[at], result;
    int uni, agree;
    const uint32_t stride = GROUPINGS * LANES;
    out += at;
    __syncwarp();
    out[0 * stride] = __ballot_sync(mask, value & 1);
    out[1 * stride] = __any_sync(mask, value & 1);
    out[2 * stride] = __all_sync(mask, value & 1);
    asm volatile("{\n\t"
                 ".reg .pred p, q;\n\t"
                 "setp.ne.u32 p, %1, 0;\n\t"
                 "vote.sync.uni.pred q, p, %2;\n\t"
                 "selp.s32 %0, 1, 0, q;\n\t"
                 "}"
                 : "=r"(uni)
                 : "r"(value & 1), "r"(mask));
    out[3 * stride] = (uint32_t)uni;
    out[4 * stride] = __match_any_sync(mask, value);
    out[5 * stride] = __match_any_sync(mask, (unsigned long long)value << 32);
    out[6 * stride] = __match_all_sync(mask, value, &agree);
    out[7 * stride] = (uint32_t)agree;
    out[8 * stride] = __reduce_add_sync(mask, value);
    out[9 * stride] = __reduce_min_sync(mask, value);
    out[10 * stride] = __reduce_max_sync(mask, value);
    out[11 * stride] = (uint32_t)__reduce_min_sync(mask, (int)value);
    out[12 * stride] = (uint32_t)__reduce_max_sync(mask, (int)value);
    out[13 * stride] = __reduce_and_sync(mask, value);
    out[14 * stride] = __reduce_or_sync(mask, value);
    result = __reduce_xor_sync(mask, value);
    /* The value of the group's first lane. */
    out[15 * stride] = (uint64_t)__shfl_sync(mask, value, __ffs((int)mask) - 1) << 32 | result;
}

int main() {
    static const char *const functions[FUNCTIONS] = {
        "ballot",    "any",         "all",     "uni",         "match_any.b32", "match_any.b64",
        "match_all", "match_all|p", "add.u32", "min.u32",     "max.u32",       "min.s32",
        "max.s32",   "and.b32",     "or.b32",  "shfl,xor.b32"};
    static uint32_t masks[GROUPINGS * LANES], values[GROUPINGS * LANES];
    static uint64_t results[FUNCTIONS * GROUPINGS * LANES];
    recorded_groups(masks, values);
    uint32_t *mask, *value;
    uint64_t *out;
    RECORDED_CHECK(cudaMalloc(&mask, sizeof masks));
    RECORDED_CHECK(cudaMalloc(&value, sizeof values));
    RECORDED_CHECK(cudaMalloc(&out, sizeof results));
    RECORDED_CHECK(cudaMemcpy(mask, masks, sizeof masks, cudaMemcpyHostToDevice));
    RECORDED_CHECK(cudaMemcpy(value, values, sizeof values, cudaMemcpyHostToDevice));
    lane_groups<<<GROUPINGS, LANES>>>(mask, value, out);
    RECORDED_CHECK(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost));
    for (int i = 0; i < FUNCTIONS; i++)
        printf("%s,%016llx\n", functions[i],
               (unsigned long long)recorded_hash(results + i * GROUPINGS * LANES, GROUPINGS * LANES));
    return 0;
}
