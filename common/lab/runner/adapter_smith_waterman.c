/* Lab 9. */
#include "adapter.h"
#include "lab/problems/smith_waterman.h"

/* As labs/lab9-instruction-cache/lab9.h has it. */
struct sw_scoring {
    int match, mismatch, open, extend;
};

void smith_waterman(const uint8_t *letters, const struct sw_batch *batches, int count, int longest_a,
                    int longest_b, struct sw_scoring scoring, uint32_t *scores, struct CUstream_st *stream);

const char adapter_function[] = "smith_waterman";

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    struct sw_scoring scoring = {(int)size[SW_MATCH], (int)size[SW_MISMATCH], (int)size[SW_OPEN],
                                 (int)size[SW_EXTEND]};
    smith_waterman(buffer[SW_LETTERS], buffer[SW_BATCHES], (int)size[SW_COUNT], (int)size[SW_LONGEST_A],
                   (int)size[SW_LONGEST_B], scoring, buffer[SW_SCORES], stream);
}
