// make lab4-sweep: increment an array: bandwidth against threads
// The lecture's experiment. How many bytes a second does that move, for words of 4, 8 and 16
// bytes, 1, 2 or 4 independent loads a thread, and different numbers of threads a multiprocessor?
//
// Blocks of 256 threads; each asks for so much shared memory that only the wished number of them fits.
// Prints a table and writes sweep.csv, a line a point, which sweep.gp draws.

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 256
#define MOST_ROUNDS 7
#define VARIANTS 9
#define COLUMNS 8

#define CHECK(call) check(call, #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "sweep.cu:%d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
}

__device__ static float plus_one_4(float v) {
    return v + 1;
}

__device__ static float2 plus_one_8(float2 v) {
    return make_float2(v.x + 1, v.y + 1);
}

__device__ static float4 plus_one_16(float4 v) {
    return make_float4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
}

// All loads of a thread come before its first store. The array is a multiple of what the grid takes.
#define KERNEL(bytes, word, loads)                                                                           \
    __global__ void increment_##bytes##_##loads(void *array) {                                               \
        word *x = (word *)array + (int64_t)blockIdx.x * BLOCK * (loads) + threadIdx.x, value[loads];         \
        _Pragma("unroll") for (int k = 0; k < (loads); k++) value[k] = x[k * BLOCK];                         \
        _Pragma("unroll") for (int k = 0; k < (loads); k++) x[k * BLOCK] = plus_one_##bytes(value[k]);       \
    }

KERNEL(4, float, 1)
KERNEL(4, float, 2)
KERNEL(4, float, 4)
KERNEL(8, float2, 1)
KERNEL(8, float2, 2)
KERNEL(8, float2, 4)
KERNEL(16, float4, 1)
KERNEL(16, float4, 2)
KERNEL(16, float4, 4)

struct variant {
    void (*kernel)(void *array);
    int bytes, loads;
};

static const struct variant variants[VARIANTS] = {
    {increment_4_1, 4, 1},   {increment_4_2, 4, 2},   {increment_4_4, 4, 4},
    {increment_8_1, 8, 1},   {increment_8_2, 8, 2},   {increment_8_4, 8, 4},
    {increment_16_1, 16, 1}, {increment_16_2, 16, 2}, {increment_16_4, 16, 4},
};

static const int blocks_per_sm[COLUMNS] = {1, 2, 3, 4, 5, 6, 7, 8};

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Shared memory of a block so that `blocks` fit an SM and no more; -1: a block cannot ask for so much.
static int shared_for(const struct cudaDeviceProp *gpu, const struct variant *v, int blocks) {
    int most = (int)gpu->sharedMemPerMultiprocessor / blocks - (int)gpu->reservedSharedMemPerBlock;
    int bytes = most / 256 * 256, fit = 0;
    if (bytes > (int)gpu->sharedMemPerBlockOptin)
        bytes = (int)gpu->sharedMemPerBlockOptin;
    CHECK(cudaFuncSetAttribute((const void *)v->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, (const void *)v->kernel, BLOCK, (size_t)bytes));
    return fit == blocks ? bytes : -1;
}

// Median time of `rounds` launches, in milliseconds.
static float measure(const struct variant *v, void *array, size_t bytes, int shared, int rounds) {
    float times[MOST_ROUNDS];
    unsigned blocks = (unsigned)(bytes / ((size_t)v->bytes * v->loads * BLOCK));
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int round = 0; round < rounds; round++) {
        CHECK(cudaEventRecord(start, 0));
        v->kernel<<<blocks, BLOCK, (size_t)shared>>>(array);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop, 0));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&times[round], start, stop));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    return times[rounds / 2];
}

// 10^9 bytes read and written a second, by variant and blocks an SM; 0: so many do not fit.
struct table {
    double gbs[VARIANTS][COLUMNS];
    int most_threads, columns; // that an SM can hold; of blocks_per_sm, how many it can hold
};

static void fill(struct table *table, const struct cudaDeviceProp *gpu, size_t bytes, int rounds) {
    void *array;
    int done = 0, last = -1;
    CHECK(cudaMalloc(&array, bytes));
    CHECK(cudaMemset(array, 0, bytes));
    for (int v = 0; v < VARIANTS; v++)
        for (int b = 0; b < table->columns; b++, done++) {
            int shared = shared_for(gpu, &variants[v], blocks_per_sm[b]);
            if (isatty(2) && done * 40 / (VARIANTS * table->columns) != last) {
                last = done * 40 / (VARIANTS * table->columns);
                fprintf(stderr, "\r[%.*s%*s]", last, "########################################", 40 - last,
                        "");
            }
            if (shared >= 0)
                table->gbs[v][b] =
                    rint(2e-5 * (double)bytes / (double)measure(&variants[v], array, bytes, shared, rounds)) /
                    10; // as sweep.csv has them
        }
    if (isatty(2))
        fprintf(stderr, "\r%44s\r", "");
    CHECK(cudaFree(array));
}

static double best_of(const struct table *table) {
    double best = 0;
    for (int v = 0; v < VARIANTS; v++)
        for (int b = 0; b < COLUMNS; b++)
            best = table->gbs[v][b] > best ? table->gbs[v][b] : best;
    return best;
}

// Do two curves differ nowhere by more than a hundredth?
static int coincide(const struct table *table, int v, int w) {
    for (int b = 0; b < table->columns; b++)
        if (fabs(table->gbs[v][b] - table->gbs[w][b]) > 0.01 * table->gbs[v][b])
            return 0;
    return 1;
}

// Curves of as many bytes in flight that lie on one another: the picture shows one of them.
static void print_coinciding(const struct table *table) {
    int any = 0;
    for (int v = 0; v < VARIANTS; v++) {
        int bytes = variants[v].bytes * variants[v].loads, first = 1, others = 0;
        for (int w = 0; w < VARIANTS; w++)
            if (w != v && variants[w].bytes * variants[w].loads == bytes && coincide(table, v, w)) {
                first &= w > v;
                others++;
            }
        if (!first || others == 0)
            continue;
        if (!any)
            printf("\n  The same within 1 %%, one curve of the picture: as many bytes in flight a thread\n");
        any = 1;
        printf("  %2d bytes: %d B x %d", bytes, variants[v].bytes, variants[v].loads);
        for (int w = v + 1; w < VARIANTS; w++)
            if (variants[w].bytes * variants[w].loads == bytes && coincide(table, v, w))
                printf(", %d B x %d", variants[w].bytes, variants[w].loads);
        printf("\n");
    }
}

// A row a curve, a column a number of threads; what reaches 95 % of the best is green on a terminal.
static void print(const struct table *table) {
    double best = best_of(table);
    int colour = isatty(1) && getenv("NO_COLOR") == NULL;
    printf("  %-12s", "word x loads");
    for (int b = 0; b < table->columns; b++)
        printf("%7d", BLOCK * blocks_per_sm[b]);
    for (int v = 0; v < VARIANTS; v++) {
        char name[32];
        snprintf(name, sizeof name, "%d B x %d", variants[v].bytes, variants[v].loads);
        printf("\n  %-12s", name);
        for (int b = 0; b < table->columns; b++)
            printf("%s%7.0f%s", colour && table->gbs[v][b] >= 0.95 * best ? "\033[32m" : "", table->gbs[v][b],
                   colour ? "\033[0m" : "");
    }
    printf("\n\n  Fewest threads for 95 %% of the best, %.0f:\n", best);
    for (int v = 0; v < VARIANTS; v++) {
        int b = 0;
        double most = 0;
        for (int other = 0; other < table->columns; other++)
            most = table->gbs[v][other] > most ? table->gbs[v][other] : most;
        while (b < table->columns && table->gbs[v][b] < 0.95 * best)
            b++;
        if (b == table->columns) {
            printf("  %2d B x %d: with no number of them; at most %.0f %%\n", variants[v].bytes,
                   variants[v].loads, 100 * most / best);
            continue;
        }
        int threads = BLOCK * blocks_per_sm[b];
        printf("  %2d B x %d: %5d threads, %3.0f %% occupancy\n", variants[v].bytes, variants[v].loads,
               threads, 100.0 * threads / table->most_threads);
    }
    print_coinciding(table);
}

static int write_csv(const struct table *table, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return 0;
    fprintf(file, "word_bytes,loads,threads_per_sm,occupancy,gbs\n");
    for (int v = 0; v < VARIANTS; v++)
        for (int b = 0; b < COLUMNS; b++) {
            int threads = BLOCK * blocks_per_sm[b];
            if (table->gbs[v][b] > 0)
                fprintf(file, "%d,%d,%d,%.4f,%.1f\n", variants[v].bytes, variants[v].loads, threads,
                        (double)threads / table->most_threads, table->gbs[v][b]);
        }
    return fclose(file) == 0;
}

int main(int count, char **arguments) {
    // Beyond any L2; the simulator's times do not vary.
    int sim = count > 1 && strcmp(arguments[1], "sim") == 0, megabytes = sim ? 128 : 1024;
    struct cudaDeviceProp gpu;
    static struct table table;
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    table.most_threads = gpu.maxThreadsPerMultiProcessor;
    while (table.columns < COLUMNS && BLOCK * blocks_per_sm[table.columns] <= table.most_threads)
        table.columns++;
    printf("\nLab 4  Bandwidth against threads of a multiprocessor\n");
    printf("       %s, %s; 10^9 bytes a second, read and written\n\n", gpu.name,
           sim ? "modelled" : "measured");
    fill(&table, &gpu, (size_t)megabytes << 20, sim ? 1 : MOST_ROUNDS);
    print(&table);
    if (!write_csv(&table, "sweep.csv")) {
        fprintf(stderr, "sweep.csv cannot be written\n");
        return 1;
    }
    return 0;
}
