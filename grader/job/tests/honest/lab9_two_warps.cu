// Two warps a block, which share nothing but the block; strips of 8 letters; the compiler unrolls as it likes.
#include "lab9.h"

#define ROWS 8
#define WARPS 2

__global__ void align(const uint8_t *letters, const struct sw_batch *batches, int count,
                      struct sw_scoring scoring, uint32_t *scores) {
    extern __shared__ short2 edges[];
    int lane = threadIdx.x, k = blockIdx.x * WARPS + threadIdx.y;

    if (k >= count)
        return;

    struct sw_batch batch = batches[k];
    short2 *edge = edges + threadIdx.y * SW_PAIRS + lane;
    const uint8_t *a = letters + SW_PAIRS * batch.at_a + lane;
    const uint8_t *b = letters + SW_PAIRS * batch.at_b + lane;
    uint32_t best = 0;

    for (int j = 0; j < batch.length_b; j++)
        edge[j * WARPS * SW_PAIRS] = make_short2(0, 0);
    for (int first = 0; first < batch.length_a; first += ROWS) {
        int letter[ROWS], h[ROWS], e[ROWS], corner = 0;
        for (int r = 0; r < ROWS; r++) {
            letter[r] = first + r < batch.length_a ? a[SW_PAIRS * (first + r)] : 255;
            h[r] = e[r] = 0;
        }
        for (int j = 0; j < batch.length_b; j++) {
            short2 *own = &edge[j * WARPS * SW_PAIRS];
            int up = own->x, f = own->y, diagonal = corner, other = b[SW_PAIRS * j];
            corner = up;
            for (int r = 0; r < ROWS; r++) {
                bool same = letter[r] == other && other < SW_KNOWN;
                f = max(up - scoring.open, f - scoring.extend);
                e[r] = max(h[r] - scoring.open, e[r] - scoring.extend);
                up = max(max(diagonal + (same ? scoring.match : -scoring.mismatch), 0), max(e[r], f));
                diagonal = h[r];
                h[r] = up;
                best = max(best, up);
            }
            *own = make_short2(up, f);
        }
    }
    scores[k * SW_PAIRS + lane] = best;
}

extern "C" void smith_waterman(const uint8_t *letters, const struct sw_batch *batches, int count,
                               int longest_a, int longest_b, struct sw_scoring scoring, uint32_t *scores,
                               cudaStream_t stream) {
    dim3 block(SW_PAIRS, WARPS);
    size_t shared = sizeof(short2) * WARPS * SW_PAIRS * longest_b;

    (void)longest_a;
    align<<<(count + WARPS - 1) / WARPS, block, shared, stream>>>(letters, batches, count, scoring, scores);
}
