// make lab9-tail: time against work: waves of blocks, what a second costs
// The starter and the reference, with more and more batches, from a quarter of a wave of blocks to several. Batches of equal
// length show the steps; with uneven ones, as the lab has them, blocks end at different times.
//
// Prints a table and writes tail.csv, a line a point, which tail.gp draws.

// Both kernels are those of the ladder; only their names differ here.
#define edge starter_edge
#define edges starter_edges
#define letter_of starter_letter_of
#define align_kernel starter_kernel
#define smith_waterman starter
#include "../starter.cu"
#undef edge
#undef edges
#undef letter_of
#undef align_kernel
#undef smith_waterman
#define edge reference_edge
#define edges reference_edges
#define letter_of reference_letter_of
#define align_kernel reference_kernel
#define smith_waterman reference
extern "C" void reference(const uint8_t *letters, const struct sw_batch *batches, int count, int longest_a,
                          int longest_b, struct sw_scoring scoring, uint32_t *scores, cudaStream_t stream);
#include "../kernel.cu"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ROUNDS 7
#define MOST_POINTS 32
#define LONGEST_B 30
#define KERNELS 2

#define CHECK(call) check(call, #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "tail.cu:%d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
}

typedef void align_function(const uint8_t *letters, const struct sw_batch *batches, int count, int longest_a,
                            int longest_b, struct sw_scoring scoring, uint32_t *scores, cudaStream_t stream);

static const struct {
    const char *name;
    align_function *call;
    const void *kernel;
    size_t shared; // bytes that the call asks for
} kernels[KERNELS] = {{"starter", starter, (const void *)starter_kernel, 0},
                      {"reference", reference, (const void *)reference_kernel,
                       sizeof(struct reference_edge) * SW_PAIRS *LONGEST_B}};

// What one set of points is measured on.
struct work {
    const char *lengths;
    int longest_a, points, step; // batches of a point: its number, from 1 on, times step
    uint8_t *letters;
    struct sw_batch *batches;
    uint32_t *scores[KERNELS];
};

static unsigned long long state = 9;

// A number below `below`: the same ones in every run.
static int draw(int below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned long long)below);
}

static int length(const struct work *work, int longest) {
    return strcmp(work->lengths, "equal") == 0 ? longest : longest / 2 + draw(longest - longest / 2 + 1);
}

static void fill(struct work *work) {
    int most = work->points * work->step, row = 0;
    struct sw_batch *batches = (struct sw_batch *)malloc(most * sizeof *batches);
    for (int i = 0; i < most; i++) {
        batches[i].length_a = length(work, work->longest_a);
        batches[i].length_b = length(work, LONGEST_B);
        batches[i].at_a = row;
        batches[i].at_b = row + batches[i].length_a;
        row = batches[i].at_b + batches[i].length_b;
    }
    size_t bytes = (size_t)SW_PAIRS * row;
    uint8_t *letters = (uint8_t *)malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        letters[i] = draw(4);
    CHECK(cudaMalloc((void **)&work->letters, bytes));
    CHECK(cudaMalloc((void **)&work->batches, most * sizeof *batches));
    CHECK(cudaMemcpy(work->letters, letters, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(work->batches, batches, most * sizeof *batches, cudaMemcpyHostToDevice));
    for (int k = 0; k < KERNELS; k++)
        CHECK(cudaMalloc((void **)&work->scores[k], most * SW_PAIRS * sizeof(uint32_t)));
    free(letters);
    free(batches);
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Median time of `rounds` calls, in microseconds.
static float measure(const struct work *work, int kernel, int count, int rounds) {
    const struct sw_scoring scoring = {5, 4, 8, 2};
    float times[MOST_ROUNDS];
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int round = 0; round < rounds; round++) {
        CHECK(cudaEventRecord(start, 0));
        kernels[kernel].call(work->letters, work->batches, count, work->longest_a, LONGEST_B, scoring,
                             work->scores[kernel], 0);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop, 0));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&times[round], start, stop));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    return times[rounds / 2] * 1000;
}

// Both kernels must say the same of every pair of the largest point.
static int same_scores(const struct work *work) {
    size_t bytes = (size_t)work->points * work->step * SW_PAIRS * sizeof(uint32_t);
    uint32_t *scores[KERNELS];
    for (int k = 0; k < KERNELS; k++) {
        scores[k] = (uint32_t *)malloc(bytes);
        CHECK(cudaMemcpy(scores[k], work->scores[k], bytes, cudaMemcpyDeviceToHost));
    }
    int same = memcmp(scores[0], scores[1], bytes) == 0;
    for (int k = 0; k < KERNELS; k++)
        free(scores[k]);
    return same;
}

// A line of the table: the time of each kernel, its waves, and the time for a thousand batches.
static void run(struct work *work, const int wave[KERNELS], int rounds, FILE *csv) {
    float times[KERNELS][MOST_POINTS + 1];
    fill(work);
    printf("  %s lengths, up to %d x %d\n  %8s", work->lengths, work->longest_a, LONGEST_B, "batches");
    for (int k = 0; k < KERNELS; k++)
        printf("   %9s: us   waves   us/1000", kernels[k].name);
    printf("\n");
    for (int point = 1; point <= work->points; point++) {
        int count = point * work->step;
        printf("  %8d", count);
        for (int k = 0; k < KERNELS; k++) {
            float us = measure(work, k, count, rounds);
            printf("   %13.1f   %5.2f   %7.2f", us, (double)count / wave[k], us * 1000 / count);
            times[k][point] = us;
        }
        printf("\n");
        fflush(stdout);
    }
    printf("\n");
    for (int k = 0; k < KERNELS; k++) // a curve after the other, as tail.gp wants them
        for (int point = 1; point <= work->points; point++) {
            int count = point * work->step;
            fprintf(csv, "%s,%s,%d,%.4f,%.3f\n", kernels[k].name, work->lengths, count,
                    (double)count / wave[k], times[k][point]);
        }
    if (!same_scores(work)) {
        fprintf(stderr, "tail.cu: the kernels' scores differ\n");
        exit(1);
    }
    CHECK(cudaFree(work->letters));
    CHECK(cudaFree(work->batches));
    for (int k = 0; k < KERNELS; k++)
        CHECK(cudaFree(work->scores[k]));
}

int main(int count, char **arguments) {
    int sim = count > 1 && strcmp(arguments[1], "sim") == 0, wave[KERNELS];
    struct cudaDeviceProp gpu;
    FILE *csv = fopen("tail.csv", "w");
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    if (csv == NULL) {
        fprintf(stderr, "tail.csv cannot be written\n");
        return 1;
    }
    for (int k = 0; k < KERNELS; k++) {
        int blocks = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels[k].kernel, SW_PAIRS,
                                                            kernels[k].shared));
        wave[k] = blocks * gpu.multiProcessorCount;
    }
    printf(
        "\nLab 9  Time against work\n       %s, %s\n       a wave of the starter is %d blocks, of the reference %d\n\n",
        gpu.name, sim ? "modelled" : "measured", wave[0], wave[1]);
    fprintf(csv, "kernel,lengths,batches,waves,time_us\n");
    // Of a wave of the starter a quarter, on a real GPU an eighth; simulated sequences are short.
    struct work equal = {"equal", sim ? 32 : 60, sim ? 12 : 32, wave[0] / (sim ? 4 : 8)};
    struct work uneven = {"uneven", 60, sim ? 6 : 32, wave[0] / (sim ? 2 : 4)};
    run(&equal, wave, sim ? 1 : MOST_ROUNDS, csv);
    run(&uneven, wave, sim ? 1 : MOST_ROUNDS, csv);
    return fclose(csv) == 0 ? 0 : 1;
}
