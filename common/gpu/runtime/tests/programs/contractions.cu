/*
 * contractions.cu: how products and sums are rounded: each form as one writes it, beside the same with every operation and its
 * rounding spelled out, as machine code for an NVIDIA GPU has it. Bits must be equal. With an argument every form is
 * printed with a hash of its results, to compare one GPU with another.
 */
#pragma nv_diag_suppress 177, 550 /* not every form uses every variable */
#include "check.h"
#include <cuda_fp16.h>
#include <stdint.h>

enum { THREADS = 256, INPUTS = 6, OUTPUTS = 2 };

/* One name for each type's operations with a rounding of their own. */
__device__ float fused(float a, float b, float c) {
    return __fmaf_rn(a, b, c);
}
__device__ double fused(double a, double b, double c) {
    return __fma_rn(a, b, c);
}
__device__ __half fused(__half a, __half b, __half c) {
    return __hfma(a, b, c);
}
__device__ __half2 fused(__half2 a, __half2 b, __half2 c) {
    return __hfma2(a, b, c);
}
__device__ float product(float a, float b) {
    return __fmul_rn(a, b);
}
__device__ double product(double a, double b) {
    return __dmul_rn(a, b);
}
__device__ __half product(__half a, __half b) {
    return __hmul_rn(a, b);
}
__device__ __half2 product(__half2 a, __half2 b) {
    return __hmul2_rn(a, b);
}
__device__ float sum(float a, float b) {
    return __fadd_rn(a, b);
}
__device__ double sum(double a, double b) {
    return __dadd_rn(a, b);
}
__device__ __half sum(__half a, __half b) {
    return __hadd_rn(a, b);
}
__device__ __half2 sum(__half2 a, __half2 b) {
    return __hadd2_rn(a, b);
}

// clang-format off
/* X(name, as one writes it, as it is rounded): of a to f to r and s, by way of p and q. */
#define FORMS(X)                                                                                             \
    X(add, r = a * b + c, r = fused(a, b, c))                                                                \
    X(subtract, r = a * b - c, r = fused(a, b, -c))                                                          \
    X(take_away, r = c - a * b, r = fused(-a, b, c))                                                         \
    X(negated, r = -(a * b) - c, r = fused(-a, b, -c))                                                       \
    X(negated_factor, r = (-a) * b + c, r = fused(-a, b, c))                                                 \
    X(negated_twice, r = c - -(a * b), r = fused(a, b, c))                                                   \
    X(negated_after, r = -(c - a * b), r = -fused(-a, b, c))                                                 \
    X(square, r = c - a * a, r = fused(-a, a, c))                                                            \
    X(squares, r = a * a - b * b, r = fused(a, a, -product(b, b)))                                           \
    X(products, r = a * b - c * d, r = fused(a, b, -product(c, d)))                                          \
    X(three, r = e * f - (a * b - c * d), r = fused(e, f, -fused(a, b, -product(c, d))))                     \
    X(same, p = a * b; r = p - p * c, p = product(a, b); r = fused(-p, c, p))                                \
    X(read_twice, p = a * b; r = p - c; s = d - p, r = fused(a, b, -c); s = fused(-a, b, d))                 \
    X(kept, p = a * b; r = p - c; s = p, s = product(a, b); r = sum(s, -c))                                  \
    X(multiplied, p = a * b; r = p - c; s = p * d, p = product(a, b); r = sum(p, -c); s = product(p, d))     \
    X(doubled, p = a * b; r = p - c; s = p + p, p = product(a, b); r = sum(p, -c); s = sum(p, p))            \
    X(compared, p = a * b; r = p - c; s = p > a ? b : c, p = product(a, b); r = sum(p, -c);                  \
      s = p > a ? b : c)                                                                                     \
    X(differences, p = a * b; q = c * d; r = p - q; s = q - p, q = product(c, d); r = fused(a, b, -q);       \
      s = fused(-a, b, q))                                                                                   \
    X(one_reader_first, p = a * b; q = c * d; r = p - q; s = p - e, p = product(a, b); r = fused(-c, d, p);  \
      s = sum(p, -e))                                                                                        \
    X(horner, r = ((a * b - c) * b - d) * b - e, r = fused(fused(fused(a, b, -c), b, -d), b, -e))            \
    X(eliminate, p = a - b * c; r = d - p * e; s = p, p = fused(-b, c, a); r = fused(-p, e, d); s = p)       \
    X(spelled_product, r = product(a, b) - c, r = sum(product(a, b), -c))                                    \
    X(spelled_sum, r = sum(a * b, -c), r = sum(product(a, b), -c))                                           \
    X(then_add, r = (c - a * b) + d, r = sum(fused(-a, b, c), d))                                            \
    X(repeated, r = a; for (int i = 0; i < trips; i++) r = b - r * c,                                        \
      r = a; for (int i = 0; i < trips; i++) r = fused(-r, c, b))                                            \
    X(hoisted, r = a; for (int i = 0; i < trips; i++) r = r - b * c,                                         \
      r = a; for (int i = 0; i < trips; i++) r = sum(r, -product(b, c)))                                     \
    X(powers, r = a; p = b; for (int i = 0; i < trips; i++) { p = p * c; r = r - p; },                       \
      r = a; p = b; for (int i = 0; i < trips; i++) { p = product(p, c); r = sum(r, -p); })
// clang-format on

#define TYPES(X, name, one, other)                                                                           \
    X(float, name, one, other)                                                                               \
    X(double, name, one, other)                                                                              \
    X(__half, name, one, other)                                                                              \
    X(__half2, name, one, other)

/* The two ways of a form are two kernels: else the compiler could use the results of one for the other. */
#define KERNEL(type, name, way, statements)                                                                  \
    __global__ void name##_##way(const type *in, type *out, int trips) {                                     \
        const type *mine = in + threadIdx.x * INPUTS;                                                        \
        type a = mine[0], b = mine[1], c = mine[2], d = mine[3], e = mine[4], f = mine[5];                   \
        type r = a, s = b, p = a, q = b;                                                                     \
        statements;                                                                                          \
        out[threadIdx.x * OUTPUTS] = r;                                                                      \
        out[threadIdx.x * OUTPUTS + 1] = s;                                                                  \
    }

#define KERNELS(type, name, one, other)                                                                      \
    KERNEL(type, name, written, one)                                                                         \
    KERNEL(type, name, rounded, other)
#define FORM_KERNELS(name, one, other) TYPES(KERNELS, name, one, other)
FORMS(FORM_KERNELS)

/* Numbers between 1 and 2 with a sign: products and sums of them are hardly ever exact. */
static void fill(float *numbers, size_t count) {
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (1.0f + (float)(state >> 9) / (float)(1 << 23)) * (state & 256 ? -1.0f : 1.0f);
    }
}

static void convert(const float *from, float *to) {
    *to = *from;
}
static void convert(const float *from, double *to) {
    *to = *from + *from * 0x1p-29;
}
static void convert(const float *from, __half *to) {
    *to = __float2half(*from);
}
static void convert(const float *from, __half2 *to) {
    *to = __floats2half2_rn(*from, *from * -0.75f);
}

/* FNV-1a */
static uint64_t hash(const void *bytes, size_t size) {
    uint64_t value = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        value = (value ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return value;
}

/* A form of a type: its two kernels run on the same inputs. True when every bit is equal. */
typedef void way(const void *in, void *out);
static bool agree(const char *type, const char *name, way *written, way *rounded, const void *in, size_t size,
                  bool list) {
    static double results[2][THREADS * OUTPUTS];
    void *out;
    OK(cudaMalloc(&out, size));
    written(in, out);
    OK(cudaMemcpy(results[0], out, size, cudaMemcpyDeviceToHost));
    rounded(in, out);
    OK(cudaMemcpy(results[1], out, size, cudaMemcpyDeviceToHost));
    OK(cudaFree(out));
    bool equal = memcmp(results[0], results[1], size) == 0;
    if (list || !equal)
        printf("%-8s %-18s %016llx%s\n", type, name, (unsigned long long)hash(results[0], size),
               equal ? "" : "  is rounded otherwise");
    return equal;
}

#define LAUNCH(type, name, way)                                                                              \
    static void launch_##name##_##way##_##type(const void *in, void *out) {                                  \
        name##_##way<<<1, THREADS>>>((const type *)in, (type *)out, 7);                                      \
    }
#define LAUNCHES(type, name, one, other)                                                                     \
    LAUNCH(type, name, written)                                                                              \
    LAUNCH(type, name, rounded)
#define FORM_LAUNCHES(name, one, other) TYPES(LAUNCHES, name, one, other)
FORMS(FORM_LAUNCHES)

struct form {
    const char *of, *name;
    way *written, *rounded;
    size_t bytes;
};
#define ROW(type, name, one, other)                                                                          \
    {#type, #name, launch_##name##_written_##type, launch_##name##_rounded_##type, sizeof(type)},
#define FORM_ROWS(name, one, other) TYPES(ROW, name, one, other)
static const struct form forms[] = {FORMS(FORM_ROWS)};

#define INPUT(type)                                                                                          \
    do {                                                                                                     \
        static type converted[THREADS * INPUTS];                                                             \
        for (int i = 0; i < THREADS * INPUTS; i++)                                                           \
            convert(&numbers[i], &converted[i]);                                                             \
        void *in;                                                                                            \
        OK(cudaMalloc(&in, sizeof converted));                                                               \
        OK(cudaMemcpy(in, converted, sizeof converted, cudaMemcpyHostToDevice));                             \
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)                                            \
            if (strcmp(forms[i].of, #type) == 0)                                                             \
                right &= agree(forms[i].of, forms[i].name, forms[i].written, forms[i].rounded, in,           \
                               THREADS * OUTPUTS * forms[i].bytes, list);                                    \
        OK(cudaFree(in));                                                                                    \
    } while (0)

int main(int count, char **arguments) {
    (void)arguments;
    static float numbers[THREADS * INPUTS];
    bool list = count > 1, right = true;
    fill(numbers, THREADS * INPUTS);
    INPUT(float);
    INPUT(double);
    INPUT(__half);
    INPUT(__half2);
    CHECK(right);
    OK(cudaDeviceSynchronize());
    printf("ok\n");
    return 0;
}
