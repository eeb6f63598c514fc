/* swaps.cu: sums of floats by compare-and-swap, which threads have to try again where they meet; and one swap, tried once. */
#include "check.h"

__global__ void add_by_swaps(float *sum, float mine) {
    unsigned *word = (unsigned *)sum, seen = *word, old;
    while ((old = atomicCAS(word, seen, __float_as_uint(__uint_as_float(seen) + mine))) != seen)
        seen = old;
}

__global__ void swap_once(unsigned *word) {
    atomicCAS(word, 0u, threadIdx.x);
}

int main(void) {
    float *sum;
    OK(cudaMalloc(&sum, 4));
    OK(cudaMemset(sum, 0, 4));
    add_by_swaps<<<4, 64>>>(sum, 1.0f);
    swap_once<<<4, 64>>>((unsigned *)sum);
    OK(cudaDeviceSynchronize());
    return 0;
}
