/* spins.cu: kernels whose blocks or warps wait for one another by spinning, named waits_*, and others that are like them and
 * wait for nobody. */
#include "check.h"

enum { BLOCKS = 300, THREADS = 64 };

/* A block adds to the sum of the one before. */
__global__ void waits_for_a_flag(volatile int *sums, volatile int *flags) {
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x + 1 < gridDim.x) {
            while (flags[blockIdx.x + 1] == 0)
                ;
            __threadfence();
            before = sums[blockIdx.x + 1];
        }
        sums[blockIdx.x] = before + 1;
        __threadfence();
        flags[blockIdx.x] = 1;
    }
}

/* The same with a pause that grows. */
__global__ void waits_with_pauses(volatile int *sums, int *flags) {
    if (threadIdx.x == 0) {
        int before = 0;
        unsigned pause = 8;
        if (blockIdx.x + 1 < gridDim.x) {
            while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {
                __nanosleep(pause);
                pause = pause < 256 ? 2 * pause : pause;
            }
            __threadfence();
            before = sums[blockIdx.x + 1];
        }
        sums[blockIdx.x] = before + 1;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}

/* Goes on with its work where it can, and looks again where it cannot, in one loop. */
__global__ void waits_amid_work(volatile int *starts, int *sorted, int count) {
    int step = gridDim.x * blockDim.x;
    int k = count - 1 - (int)((gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x);
    while (k >= 0) {
        int parent = k + (int)blockDim.x < count ? k + (int)blockDim.x : -1,
            start = parent < 0 ? 0 : starts[parent];
        if (start >= 0) {
            sorted[k] = start + 1;
            __threadfence();
            starts[k] = start + 1;
            k -= step;
        }
    }
}

/* Only one block at a time holds the lock. */
__global__ void waits_for_a_lock(int *lock, volatile int *sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        int old = *sum;
        for (int i = 0; i < 50; i++)
            old = old * 3 % 1000003;
        *sum = *sum + 1 + (old == -1);
        __threadfence();
        atomicExch(lock, 0);
    }
}

/* It may be there already, but who knows that of a GPU. */
__global__ void waits_for_what_is_there(volatile int *flag, int *out) {
    while (*flag == 0)
        ;
    out[blockIdx.x * blockDim.x + threadIdx.x] = *flag;
}

/* Looks once, and need not go into its loop if the flag is there. */
__global__ void waits_if_it_must(volatile int *flag, int *out) {
    int seen = *flag;
    if (seen == 0) {
        int pause = 20;
        do {
            __nanosleep(pause);
            pause = 2 * pause % 1000;
            seen = *flag;
        } while (seen == 0);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

/* A block that counts how often it has looked, at a word that may lie in L2. */
__global__ void waits_for_some_time(const int *flag, int *out) {
    for (unsigned tries = 0; tries < 4000000000U && __ldcg(flag) == 0; tries++)
        ;
    out[blockIdx.x * blockDim.x + threadIdx.x] = *flag;
}

/* What is added is 0, as only the host knows. */
__global__ void waits_by_adding_nothing(int *turn, int nothing, volatile int *sum) {
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, nothing) < (int)blockIdx.x)
            ;
        *sum = *sum + 1;
        __threadfence();
        atomicAdd(turn, 1);
    }
}

/* One warp of the block at a time. */
__global__ void waits_for_a_warp(int *sum) {
    __shared__ int lock, count;
    if (threadIdx.x == 0)
        lock = count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        count++;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    sum[blockIdx.x] = count;
}

/* The same by a flag; while a warp waits it notes in shared memory that it does, as often as it does. */
__global__ void waits_and_notes(int *sum) {
    __shared__ volatile int turn, notes[THREADS / 32];
    __shared__ int looks;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        turn = looks = 0;
    __syncthreads();
    while (turn != warp) {
        notes[warp] = turn;
        notes[atomicAdd(&looks, 1) % 2] = 1;
    }
    __syncwarp();
    turn = warp + 1;
    __syncthreads();
    sum[blockIdx.x] = turn + 0 * notes[warp];
}

static __device__ __noinline__ int look(const volatile int *flag) {
    return *flag;
}

/* The look is a function's. */
__global__ void waits_by_a_function(const int *flag, int *out) {
    unsigned tries = 0;
    while (look(flag) == 0)
        tries++;
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1 + 0 * tries;
}

/* ---- not one of these waits */

/* A function that looks; the loop ends by itself. */
__global__ void looks_by_a_function(const int *flag, int *out, int count) {
    for (int i = 0; i < count; i++)
        out[blockIdx.x * blockDim.x + threadIdx.x] = look(flag) + i;
}

/* Warps take places until none is left, and work at each. */
__global__ void takes_while_some_are_left(int *next, volatile int *left, int *out, const int *in) {
    while (*left > 0) {
        int i = atomicAdd(next, 1);
        out[i] = in[i];
        if (i >= 1000)
            break;
    }
}

/* The new value is made of the old one: who fails has been overtaken, and has not waited. */
__global__ void adds_what_it_reads_again(int *sum) {
    int old;
    do
        old = *(volatile int *)sum;
    while (atomicCAS(sum, old, old + 1) != old);
}

/* Warps that meet in every trip read what they wrote before. */
__global__ void shrinks_together(int *out, int count) {
    __shared__ volatile int left;
    if (threadIdx.x == 0)
        left = count;
    __syncthreads();
    while (left > 1) {
        __syncthreads();
        if (threadIdx.x == 0)
            left = left / 2;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = left;
}

__global__ void takes_some_from_a_queue(int *next, int each, int *out, int count) {
    for (int i; (i = atomicAdd(next, each)) < count;)
        out[i] = i;
}

__global__ void looks_for_a_word(volatile int *words, int *at, int count) {
    for (int i = 0; i < count; i++)
        if (words[i] == 7) {
            at[blockIdx.x * blockDim.x + threadIdx.x] = i;
            break;
        }
}

__global__ void adds_by_swaps(unsigned long long *sum) {
    unsigned long long old = *(volatile unsigned long long *)sum, assumed;
    do {
        assumed = old;
        old = atomicCAS(sum, assumed, assumed + 1);
    } while (old != assumed);
}

__global__ void takes_from_a_queue(int *next, int *out, int count) {
    for (int i; (i = atomicAdd(next, 1)) < count;)
        out[i] = i;
}

__global__ void reads_it_again(volatile int *word, int *out, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        if (*word == 7)
            sum += i;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void need_not_wait(volatile int *flag, int *out, int waits) {
    if (waits)
        while (*flag == 0)
            ;
    out[blockIdx.x * blockDim.x + threadIdx.x] = *flag;
}

static int host[BLOCKS * THREADS];

int main() {
    int *a, *b;
    size_t bytes = sizeof host;
    OK(cudaMalloc(&a, bytes));
    OK(cudaMalloc(&b, bytes));
    auto clear = [&](int to) {
        OK(cudaMemset(a, to, bytes));
        OK(cudaMemset(b, 0, bytes));
    };
    auto first = [&](int *from) {
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(host, from, bytes, cudaMemcpyDeviceToHost));
        return host[0];
    };
    clear(0);
    waits_for_a_flag<<<BLOCKS, THREADS>>>(a, b);
    CHECK(first(a) == BLOCKS);
    clear(0);
    waits_with_pauses<<<BLOCKS, THREADS>>>(a, b);
    CHECK(first(a) == BLOCKS);
    clear(0xff);
    waits_amid_work<<<8, THREADS>>>(a, b, 8 * THREADS * 4);
    CHECK(first(b) == 32); /* blocks behind it, four rounds of eight */
    clear(0);
    waits_for_a_lock<<<BLOCKS, THREADS>>>(a, b);
    CHECK(first(b) == BLOCKS);

    clear(0);
    waits_by_adding_nothing<<<BLOCKS, THREADS>>>(a, 0, b);
    CHECK(first(b) == BLOCKS);
    waits_for_a_warp<<<BLOCKS, THREADS>>>(b);
    CHECK(first(b) == THREADS / 32);
    waits_and_notes<<<BLOCKS, THREADS>>>(b);
    CHECK(first(b) == THREADS / 32);

    clear(0);
    adds_what_it_reads_again<<<BLOCKS, THREADS>>>(a);
    CHECK(first(a) == BLOCKS * THREADS);
    shrinks_together<<<BLOCKS, THREADS>>>(b, 100);
    CHECK(first(b) == 1);
    clear(0);
    takes_some_from_a_queue<<<BLOCKS, THREADS>>>(a, 1, b, BLOCKS * THREADS);
    CHECK(first(b) == 0 && host[BLOCKS * THREADS - 1] == BLOCKS * THREADS - 1);
    clear(0);
    adds_by_swaps<<<BLOCKS, THREADS>>>((unsigned long long *)a);
    CHECK(first(a) == BLOCKS * THREADS);
    clear(0);
    takes_from_a_queue<<<BLOCKS, THREADS>>>(a, b, BLOCKS * THREADS);
    CHECK(first(b) == 0 && host[BLOCKS * THREADS - 1] == BLOCKS * THREADS - 1);
    clear(0);
    int seven = 7;
    OK(cudaMemcpy(a, &seven, sizeof seven, cudaMemcpyHostToDevice));
    reads_it_again<<<BLOCKS, THREADS>>>(a, b, 100);
    CHECK(first(b) == 4950);
    need_not_wait<<<BLOCKS, THREADS>>>(a, b, 0);
    CHECK(first(b) == 7);
    waits_for_what_is_there<<<1, THREADS>>>(a, b); /* no other block */
    CHECK(first(b) == 7);
    waits_for_what_is_there<<<BLOCKS, THREADS>>>(a, b);
    CHECK(first(b) == 7);
    waits_if_it_must<<<BLOCKS, THREADS>>>(a, b);
    CHECK(first(b) == 7);
    waits_for_some_time<<<BLOCKS, THREADS>>>(a, b);
    CHECK(first(b) == 7);
    looks_for_a_word<<<BLOCKS, THREADS>>>(a, b, 100);
    CHECK(first(b) == 0);
    waits_by_a_function<<<BLOCKS, THREADS>>>(a, b);
    CHECK(first(b) == 1);
    looks_by_a_function<<<BLOCKS, THREADS>>>(a, b, 100);
    CHECK(first(b) == 7 + 99);
    clear(0);
    OK(cudaMemcpy(a + 1, &seven, sizeof seven, cudaMemcpyHostToDevice));
    takes_while_some_are_left<<<8, THREADS>>>(a, a + 1, b, a + 1);
    CHECK(first(b) == 7);
    return 0;
}
