// make lab7-bar: how far from the least that must be moved
// The Gaussian alone (7e) beside a plain copy of a picture of one byte a pixel; the whole pipeline (the reference)
// beside
// kernels that read the colours and write gray. Each alone, between events, caches cold, in turns, round by round.
//
// Prints a table and writes bar.csv. For Nsight Compute: bar-90 once 2560 1600 launches each of them once.

// The kernels are those of the ladder; what both files define has another name here.
#define gray_of step_gray_of
#define store_four step_store_four
#define blur_along step_blur_along
#define edge_pipeline step_edge_pipeline
#include "../steps/step-7e.cu"
#undef gray_of
#undef store_four
#undef blur_along
#undef edge_pipeline
enum { GAUSSIAN_STRIP = STRIP, GAUSSIAN_WARPS = WARPS };
#undef STRIP
#undef WARPS
#undef ALL
extern "C" void step_edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                                   cudaStream_t stream);
#include "../kernel.cu"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 256
#define MOST_ROUNDS 31
#define FLUSH_BYTES ((size_t)256 << 20)

#define CHECK(call) check(call, #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "bar.cu:%d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
}

// 16 bytes a thread.
__global__ void copy_kernel(const uint4 *src, uint4 *dst, int count) {
    int at = blockIdx.x * THREADS + threadIdx.x;
    if (at < count)
        dst[at] = src[at];
}

// 16 pixels a thread, four loads on their way at once.
__global__ void gray_wide_kernel(const uint4 *src, uint32_t *gray, int count) {
    int at = blockIdx.x * 4 * THREADS + threadIdx.x;
    uint4 four[4];
    for (int k = 0; k < 4; k++)
        if (at + k * THREADS < count)
            four[k] = src[at + k * THREADS];
    for (int k = 0; k < 4; k++)
        if (at + k * THREADS < count)
            gray[at + k * THREADS] = gray_of(four[k].x) >> 8 & 255 | gray_of(four[k].y) & 0xff00 |
                                     (gray_of(four[k].z) & 0xff00) << 8 | (gray_of(four[k].w) & 0xff00) << 16;
}

// Planes of one size; width * height is a multiple of 16, and width one of 8.
struct picture {
    int width, height;
    uint32_t *src;
    uint8_t *gray, *result;
};

static void run_copy(const struct picture *p) {
    int count = p->width * p->height / 16;
    copy_kernel<<<(count + THREADS - 1) / THREADS, THREADS>>>((const uint4 *)p->gray, (uint4 *)p->result,
                                                              count);
}

static void run_gray(const struct picture *p) {
    int pixels = p->width * p->height;
    gray_kernel<<<(pixels / 4 + THREADS - 1) / THREADS, THREADS>>>(p->src, p->result, pixels);
}

static void run_gray_wide(const struct picture *p) {
    int count = p->width * p->height / 4;
    gray_wide_kernel<<<(count + 4 * THREADS - 1) / (4 * THREADS), THREADS>>>((const uint4 *)p->src,
                                                                             (uint32_t *)p->result, count);
}

static void run_gaussian(const struct picture *p) {
    int rows = GAUSSIAN_WARPS * BLUR_ROWS;
    dim3 grid((p->width + GAUSSIAN_STRIP - 1) / GAUSSIAN_STRIP, (p->height + rows - 1) / rows);
    gaussian_kernel<<<grid, dim3(32, GAUSSIAN_WARPS)>>>(p->gray, p->result, p->width, p->height);
}

static void run_pipeline(const struct picture *p) {
    edge_pipeline((const uchar4 *)p->src, p->result, p->width, p->height, NULL, 0);
}

// A kernel and what it is held beside: the fastest of `count` kernels from `first` on.
enum { COPY, GAUSSIAN, GRAY, GRAY_WIDE, PIPELINE, KERNELS };
static const struct {
    const char *name;
    void (*run)(const struct picture *p);
    int first, count;
} kernels[KERNELS] = {{"copy, a byte a pixel", run_copy, 0, 0},
                      {"the Gaussian (7e)", run_gaussian, COPY, 1},
                      {"RGBA to gray, 4 a thread", run_gray, 0, 0},
                      {"RGBA to gray, 16 a thread", run_gray_wide, 0, 0},
                      {"the pipeline (reference)", run_pipeline, GRAY, 2}};

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

__global__ void fill_kernel(uint32_t *src, uint8_t *gray, int pixels) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= pixels)
        return;
    src[i] = (uint32_t)i * 2654435761u ^ (uint32_t)i >> 7;
    gray[i] = gray_of(src[i]) >> 8;
}

static struct picture make_picture(int width, int height) {
    struct picture p = {width, height};
    size_t pixels = (size_t)width * height;
    CHECK(cudaMalloc((void **)&p.src, pixels * sizeof *p.src));
    CHECK(cudaMalloc((void **)&p.gray, pixels));
    CHECK(cudaMalloc((void **)&p.result, pixels));
    fill_kernel<<<(unsigned)((pixels + THREADS - 1) / THREADS), THREADS>>>(p.src, p.gray, (int)pixels);
    CHECK(cudaDeviceSynchronize());
    return p;
}

static void free_picture(struct picture *p) {
    CHECK(cudaFree(p->src));
    CHECK(cudaFree(p->gray));
    CHECK(cudaFree(p->result));
}

__global__ void compare_kernel(const uint8_t *a, const uint8_t *b, int pixels, int *different) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < pixels && a[i] != b[i])
        atomicAdd(different, 1);
}

// The copy and gray must be the gray picture; the others are judged by make lab7-steps.
static void look_at(const struct picture *p, int kernel, int *different) {
    int pixels = p->width * p->height, count = 0;
    if (kernel != COPY && kernel != GRAY && kernel != GRAY_WIDE)
        return;
    CHECK(cudaMemset(p->result, 0xa5, pixels));
    CHECK(cudaMemset(different, 0, sizeof *different));
    kernels[kernel].run(p);
    compare_kernel<<<(pixels + THREADS - 1) / THREADS, THREADS>>>(p->gray, p->result, pixels, different);
    CHECK(cudaMemcpy(&count, different, sizeof count, cudaMemcpyDeviceToHost));
    if (count > 0) {
        fprintf(stderr, "bar.cu: %s: %d pixels differ\n", kernels[kernel].name, count);
        exit(1);
    }
}

// Medians in microseconds. L2 is emptied before each launch by writing other memory.
static void measure(const struct picture *p, int rounds, void *flush, double us[KERNELS]) {
    static float times[KERNELS][MOST_ROUNDS];
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < KERNELS; k++) {
            CHECK(cudaMemset(flush, round, FLUSH_BYTES));
            CHECK(cudaEventRecord(start, 0));
            kernels[k].run(p);
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(stop, 0));
            CHECK(cudaEventSynchronize(stop));
            CHECK(cudaEventElapsedTime(&times[k][round], start, stop));
        }
    for (int k = 0; k < KERNELS; k++) {
        qsort(times[k], (size_t)rounds, sizeof times[k][0], ascending);
        us[k] = 1000.0 * (double)times[k][rounds / 2];
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
}

static void show(int width, int height, const double us[KERNELS], FILE *csv) {
    printf("\n  %d x %d\n", width, height);
    for (int k = 0; k < KERNELS; k++) {
        double least = 0;
        for (int i = kernels[k].first; i < kernels[k].first + kernels[k].count; i++)
            least = least == 0 || us[i] < least ? us[i] : least;
        printf("    %-26s %9.2f us", kernels[k].name, us[k]);
        if (least > 0)
            printf("  %.2f times the least for its bytes", us[k] / least);
        printf("\n");
        fprintf(csv, "%d,%d,\"%s\",%.3f,%.3f\n", width, height, kernels[k].name, us[k],
                least > 0 ? us[k] / least : 0.0);
    }
}

static int once(int width, int height) {
    struct picture p = make_picture(width, height);
    for (int k = 0; k < KERNELS; k++)
        kernels[k].run(&p);
    CHECK(cudaDeviceSynchronize());
    free_picture(&p);
    return 0;
}

int main(int count, char **arguments) {
    static const int sizes[][2] = {{2560, 1600}, {16384, 8192}};
    int sim = count > 1 && strcmp(arguments[1], "sim") == 0;
    if (count == 4 && strcmp(arguments[1], "once") == 0 && atoi(arguments[2]) > 0 && atoi(arguments[3]) > 0)
        return once(atoi(arguments[2]) / 16 * 16, atoi(arguments[3]));
    struct cudaDeviceProp gpu;
    FILE *csv = fopen("bar.csv", "w");
    void *flush;
    int *different;
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    CHECK(cudaMalloc(&flush, FLUSH_BYTES));
    CHECK(cudaMalloc((void **)&different, sizeof *different));
    if (csv == NULL) {
        fprintf(stderr, "bar.csv cannot be written\n");
        return 1;
    }
    printf("\nLab 7  What must be moved, and what is done with it\n       %s, %s\n", gpu.name,
           sim ? "modelled" : "measured");
    fprintf(csv, "width,height,kernel,time_us,times_the_least\n");
    for (int i = 0; i < (sim ? 1 : 2); i++) { // the large one takes minutes to simulate
        struct picture p = make_picture(sizes[i][0], sizes[i][1]);
        double us[KERNELS];
        for (int k = 0; k < KERNELS; k++)
            look_at(&p, k, different);
        measure(&p, sim ? 1 : MOST_ROUNDS, flush, us);
        show(p.width, p.height, us, csv);
        free_picture(&p);
    }
    return fclose(csv) == 0 ? 0 : 1;
}
