// findings.cu: kernels with one fault each, and beside each one that looks alike and has it not. The line a finding is to
// name ends in its kernel's name; test_findings_kernels.c says which finding. Each kernel runs once.
#include "check.h"

#define N (1 << 20)
#define WIDTH 1024
#define HEIGHT 1024

struct particle {
    float x, y, z, mass;
};

__constant__ float table[1024];

// ---- how the threads of a warp lie
__global__ void narrow_block(const unsigned char *in, unsigned char *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    for (int k = 0; k < 32; k++)
        sum += in[(y + k) * WIDTH + x]; // narrow_block
    out[y * WIDTH + x] = sum;
}
__global__ void wide_block(const unsigned char *in, unsigned char *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    for (int k = 0; k < 32; k++)
        sum += in[(y + k) * WIDTH + x];
    out[y * WIDTH + x] = sum;
}
__global__ void transposed(const float *in, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * HEIGHT + y] = in[x * HEIGHT + y] + 1; // transposed
}
__global__ void exchanged(const float *in, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float value = in[y * 512 + x];
    out[x * 512 + y] = value; // exchanged
}
__global__ void swapped(const unsigned char *in, unsigned char *out) {
    int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    for (int k = 0; k < 32; k++)
        sum += in[(y + k) * WIDTH + x]; // swapped
    out[y * WIDTH + x] = sum;
}
__global__ void chunks(const float *in, float *out) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < 32; i++)
        sum += in[first + i]; // chunks
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void interleaved(const float *in, float *out) {
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < 32; i++)
        sum += in[first + i * step];
    out[first] = sum;
}
__global__ void structures(const struct particle *p, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[i].x * p[i].mass; // structures
}
__global__ void whole_structures(const float4 *p, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 q = p[i];
    out[i] = q.x * q.w;
}
__global__ void strided(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * 8 % N]; // strided
}
__global__ void strided_store(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[(i & 0xffff) * 16 + (i >> 16)] = in[i]; // strided_store
}
__global__ void scattered(const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]]; // scattered
}
__global__ void misaligned(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 32; k++)
        sum += in[i + 1 + 8 * k]; // misaligned
    out[i] = sum;
}
__global__ void moving_window(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 32; k++)
        sum += in[i + k];
    out[i] = sum;
}
__global__ void narrow_loads(const unsigned char *in, unsigned char *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++)
        sum += in[i + 32 * k]; // narrow_loads
    out[i] = sum;
}
__global__ void wide_loads(const uchar4 *in, uchar4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++) {
        uchar4 four = in[i + 32 * k];
        sum += four.x + four.y + four.z + four.w;
    }
    out[i] = make_uchar4(sum, 1, 2, 3);
}

// ---- what is loaded again
__global__ void reload(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 64; k++) {
        sum = sum * in[i] + 1;         // reload
        asm volatile("" ::: "memory"); // as if something were stored
    }
    out[i] = sum;
}
__global__ void loaded_once(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i], sum = 0;
#pragma unroll 4
    for (int k = 0; k < 64; k++) {
        sum = sum * value + 1;
        asm volatile("" ::: "memory");
    }
    out[i] = sum;
}
__global__ void broadcast(const float *in, const float *weight, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i], sum = 0;
#pragma unroll 4
    for (int k = 0; k < 64; k++)
        sum += value * weight[k]; // broadcast
    out[i] = sum;
}
__global__ void several_results(const float *in, const float *weight, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value[16], sum[16] = {0};
    for (int r = 0; r < 16; r++)
        value[r] = in[i + r * (N / 16)];
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        float w = weight[k];
        for (int r = 0; r < 16; r++)
            sum[r] += value[r] * w;
    }
    for (int r = 0; r < 16; r++)
        out[i + r * (N / 16)] = sum[r];
}
__global__ void stencil(const float *in, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            sum += in[(y + dy) * WIDTH + x + dx]; // stencil
    out[y * WIDTH + x] = sum;
}
__global__ void tile(const float *in, float *out) { // all of `in` by every block
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 512; k++)
        sum += in[(k + threadIdx.x) & 255]; // tile
    out[i] = sum;
}
__global__ void matrix_product(const float *a, const float *b, float *c) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 64; k++)
        sum += a[row * WIDTH + k] * b[k * WIDTH + column]; // matrix_product
    c[row * WIDTH + column] = sum;
}

// ---- shared memory
__global__ void bank_column(const float *in, float *out) {
    __shared__ float square[32][32];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    square[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += square[threadIdx.x][(threadIdx.y + k) & 31]; // bank_column
    out[i] = sum;
}
__global__ void bank_padded(const float *in, float *out) {
    __shared__ float square[32][33];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    square[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += square[threadIdx.x][(threadIdx.y + k) & 31];
    out[i] = sum;
}
__global__ void few_fill(const float *in, float *out) {
    __shared__ float row[256];
    if (threadIdx.x == 0)
        for (int k = 0; k < 256; k++)
            row[k] = in[blockIdx.x * 256 + k]; // few_fill
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = row[255 - threadIdx.x];
}
__global__ void all_fill(const float *in, float *out) { // a border, a tree, and an epilogue by one thread
    __shared__ float row[258];
    int i = blockIdx.x * 256 + threadIdx.x;
    row[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0) {
        row[0] = in[i];
        row[257] = in[i + 256];
    }
    __syncthreads();
    float sum = row[threadIdx.x] + row[threadIdx.x + 2];
    __syncthreads();
    row[threadIdx.x] = sum;
    for (int s = 128; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s)
            row[threadIdx.x] += row[threadIdx.x + s];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = row[0];
}
__global__ void bank_stride(const float *in, float *out) {
    __shared__ float pairs[512];
    int i = blockIdx.x * 256 + threadIdx.x;
    pairs[threadIdx.x] = in[i];
    pairs[threadIdx.x + 256] = in[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += pairs[(2 * threadIdx.x + 32 * k) & 511]; // bank_stride
    out[i] = sum;
}
__global__ void bank_wide(const float4 *in, float4 *out) {
    __shared__ float4 wide[32][32];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    wide[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 16; k++) {
        float4 one = wide[threadIdx.x][(threadIdx.y + k) & 31]; // bank_wide
        sum = make_float4(sum.x + one.x, sum.y + one.y, sum.z + one.z, sum.w + one.w);
    }
    out[i] = sum;
}
__global__ void private_shared(const float *in, float *out) {
    __shared__ volatile float mine[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    mine[threadIdx.x] = 0;
    for (int k = 0; k < 16; k++)
        mine[threadIdx.x] += in[i] * k; // private_shared
    out[i] = mine[threadIdx.x];
}
__global__ void barriers(const float *in, float *out) {
    __shared__ volatile float turn[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    turn[threadIdx.x] = in[i];
    for (int k = 1; k < 128; k++) {
        __syncthreads(); // barriers
        turn[(threadIdx.x + k) & 255] = k;
    }
    __syncthreads();
    out[i] = turn[threadIdx.x];
}

// ---- idle threads
__global__ void parity(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    if (threadIdx.x % 2) { // parity
#pragma unroll 1
        for (int k = 0; k < 64; k++)
            value = value * 0.5f + k;
    } else {
#pragma unroll 1
        for (int k = 0; k < 64; k++)
            value = value * value - k;
    }
    out[i] = value;
}
__global__ void by_data(const float *in, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    if (index[i] & 64) { // by_data
#pragma unroll 1
        for (int k = 0; k < 64; k++)
            value = value * 0.5f + k;
    } else {
#pragma unroll 1
        for (int k = 0; k < 64; k++)
            value = value * value - k;
    }
    out[i] = value;
}
__global__ void whole_warps(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    if (threadIdx.x / 32 % 2) {
#pragma unroll 1
        for (int k = 0; k < 64; k++)
            value = value * 0.5f + k;
    } else {
#pragma unroll 1
        for (int k = 0; k < 64; k++)
            value = value * value - k;
    }
    out[i] = value;
}
__global__ void partial_warps(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    for (int k = 0; k < 512; k++)
        value = value * value - k;
    out[i] = value;
}

__global__ void full_warps(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    for (int k = 0; k < 512; k++)
        value = value * value - k;
    out[i] = value;
}

// ---- registers and arithmetic
__global__ void local_array(const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own[64];
    for (int k = 0; k < 64; k++)
        own[k] = k * i;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 64; k++)
        sum += own[index[k] & 63]; // local_array
    out[i] = sum;
}
__global__ void register_array(const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own[16], sum = 0;
    for (int k = 0; k < 16; k++)
        own[k] = k * i;
    for (int k = 0; k < 16; k++)
        sum += own[15 - k] * index[0];
    out[i] = sum;
}
__global__ void accident(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll 1
    for (int k = 0; k < 32; k++)
        value = value * 0.7 + 1.3; // accident
    out[i] = value;
}
__global__ void meant(const double *in, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double value = in[i];
#pragma unroll 4
    for (int k = 0; k < 128; k++)
        value = value * 0.7 + 1.3;
    out[i] = value;
}
__global__ void single(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll 1
    for (int k = 0; k < 32; k++)
        value = value * 0.7f + 1.3f;
    out[i] = value;
}
__global__ void division(const int *in, int *out, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i], sum = 0;
#pragma unroll 4
    for (int k = 0; k < 32; k++)
        sum += (x + k) % width; // division
    out[i] = sum;
}
__global__ void division_constant(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i], sum = 0;
#pragma unroll 4
    for (int k = 0; k < 32; k++)
        sum += (x + k) % 64;
    out[i] = sum;
}
__global__ void wide_integers(const int *in, int *out, long long rows, long long pitch) {
    long long i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    int sum = 0;
#pragma unroll 1
    for (long long k = 0; k < rows; k++) {
        at = at * pitch + k < rows ? at + 1 : 0; // wide_integers
        sum += in[at];
    }
    out[i] = sum;
}
__global__ void special(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    for (int k = 0; k < 32; k++)
        value = __sinf(value); // special
    out[i] = value;
}
__global__ void conversions(const unsigned char *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 32; k++)
        sum += (float)(value ^ __float2int_rn(sum)); // conversions
    out[i] = sum;
}

// ---- atomics, constants
__global__ void one_address(const float *in, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(count + (__float_as_int(in[i]) & 1), 1); // one_address
}
__global__ void one_a_block(const float *in, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int right = __syncthreads_count(in[i] > 0);
    if (threadIdx.x == 0)
        atomicAdd(count, right);
}
__global__ void spread(const float *in, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&count[i], (int)in[i]); // spread
}
__global__ void constant_divergent(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll 4
    for (int k = 0; k < 32; k++)
        value += table[(threadIdx.x + k) & 1023]; // constant_divergent
    out[i] = value;
}
__global__ void constant_uniform(const float *in, float *out, int first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll 4
    for (int k = 0; k < 32; k++)
        value += table[(first + k) & 1023];
    out[i] = value;
}

// ---- the launch
__global__ void small_grid(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll 1
    for (int k = 0; k < 4096; k++)
        value = value * value + 1;
    out[i] = value;
}
__global__ void tail(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll 1
    for (int k = 0; k < 256; k++)
        value = value * value + 1;
    out[i] = value;
}
__global__ void whole_waves(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll 1
    for (int k = 0; k < 256; k++)
        value = value * value + 1;
    out[i] = value;
}
__global__ void big_shared(const float *in, float *out) {
    extern __shared__ float room[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    room[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = room[threadIdx.x ^ 1];
}

int main(void) {
    float *in, *out;
    int *index, *host = (int *)malloc(N * sizeof(int));
    OK(cudaMalloc(&in, 17 * (size_t)N * sizeof(float)));
    OK(cudaMalloc(&out, 17 * (size_t)N * sizeof(float)));
    OK(cudaMalloc(&index, N * sizeof(int)));
    OK(cudaMemset(in, 0, 17 * (size_t)N * sizeof(float)));
    OK(cudaMemset(out, 0, 17 * (size_t)N * sizeof(float)));
    for (int i = 0; i < N; i++)
        host[i] = (int)(i * 2654435761u % N);
    OK(cudaMemcpy(index, host, N * sizeof(int), cudaMemcpyHostToDevice));
    free(host);
    const int blocks = N / 256;
    dim3 narrow(8, 8), narrow_grid(WIDTH / 8, HEIGHT / 8), wide(32, 8), wide_grid(WIDTH / 32, HEIGHT / 8);
    narrow_block<<<narrow_grid, narrow>>>((const unsigned char *)in, (unsigned char *)out);
    wide_block<<<dim3(WIDTH / 32, HEIGHT / 2), dim3(32, 2)>>>((const unsigned char *)in,
                                                              (unsigned char *)out);
    transposed<<<wide_grid, wide>>>(in, out);
    exchanged<<<dim3(16, 64), wide>>>(in, out);
    swapped<<<narrow_grid, narrow>>>((const unsigned char *)in, (unsigned char *)out);
    chunks<<<blocks / 32, 256>>>(in, out);
    interleaved<<<blocks / 32, 256>>>(in, out);
    structures<<<blocks, 256>>>((const struct particle *)in, out);
    whole_structures<<<blocks, 256>>>((const float4 *)in, out);
    strided<<<blocks, 256>>>(in, out);
    strided_store<<<blocks, 256>>>(in, out);
    scattered<<<blocks, 256>>>(index, in, out);
    misaligned<<<blocks, 256>>>(in, out);
    moving_window<<<blocks, 256>>>(in, out);
    narrow_loads<<<blocks, 256>>>((const unsigned char *)in, (unsigned char *)out);
    wide_loads<<<blocks, 256>>>((const uchar4 *)in, (uchar4 *)out);
    reload<<<blocks, 256>>>(in, out);
    loaded_once<<<blocks, 256>>>(in, out);
    broadcast<<<blocks, 256>>>(in, out, out + N);
    several_results<<<blocks / 16, 256>>>(in, out, out + N);
    stencil<<<dim3(WIDTH / 32, HEIGHT / 16 - 1), dim3(32, 16)>>>(in, out);
    tile<<<blocks, 256>>>(in, out);
    matrix_product<<<dim3(WIDTH / 32, HEIGHT / 32), dim3(32, 32)>>>(in, in + N, out);
    bank_column<<<N / 1024, dim3(32, 32)>>>(in, out);
    bank_padded<<<N / 1024, dim3(32, 32)>>>(in, out);
    few_fill<<<blocks, 256>>>(in, out);
    all_fill<<<blocks - 1, 256>>>(in, out);
    bank_stride<<<blocks, 256>>>(in, out);
    bank_wide<<<N / 1024, dim3(32, 32)>>>((const float4 *)in, (float4 *)out);
    private_shared<<<blocks, 256>>>(in, out);
    barriers<<<blocks, 256>>>(in, out);
    parity<<<blocks, 256>>>(in, out);
    by_data<<<blocks, 256>>>(in, index, out);
    whole_warps<<<blocks, 256>>>(in, out);
    partial_warps<<<N / 128, 80>>>(in, out);
    full_warps<<<N / 256, 96>>>(in, out);
    local_array<<<blocks, 256>>>(index, out);
    register_array<<<blocks, 256>>>(index, out);
    accident<<<blocks, 256>>>(in, out);
    meant<<<blocks, 256>>>((const double *)in, (double *)out);
    single<<<blocks, 256>>>(in, out);
    division<<<blocks, 256>>>(index, (int *)out, 7);
    division_constant<<<blocks, 256>>>(index, (int *)out);
    wide_integers<<<blocks, 256>>>(index, (int *)out, 32, 1);
    special<<<blocks, 256>>>(in, out);
    conversions<<<blocks, 256>>>((const unsigned char *)in, out);
    one_address<<<blocks, 256>>>(in, (int *)out);
    one_a_block<<<blocks, 256>>>(in, (int *)out);
    spread<<<blocks, 256>>>(in, (int *)out);
    constant_divergent<<<blocks, 256>>>(in, out);
    constant_uniform<<<blocks, 256>>>(in, out, 5);
    small_grid<<<32, 256>>>(in, out);
    tail<<<132 * 8 + 100, 256>>>(in, out);
    whole_waves<<<132 * 16, 256>>>(in, out);
    big_shared<<<blocks, 256, 40000>>>(in, out);
    OK(cudaDeviceSynchronize());
    puts("ok");
    return 0;
}
