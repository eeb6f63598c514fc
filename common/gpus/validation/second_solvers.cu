/* second_solvers.cu: systems of equations, grids, graphs and clusters. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* All 27 points of a cube around each of a volume, weighted by how far off they are. */
KERNEL volume_27(const float *x, float *y, int edge, int height) {
    const float weights[4] = {0.4f, 0.05f, 0.02f, 0.0075f};
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
    if (i < 1 || j < 1 || k < 1 || i >= edge - 1 || j >= edge - 1 || k >= height - 1)
        return;
    float sum = 0;
#pragma unroll
    for (int dk = -1; dk <= 1; dk++)
#pragma unroll
        for (int dj = -1; dj <= 1; dj++)
#pragma unroll
            for (int di = -1; di <= 1; di++)
                sum += weights[dk * dk + dj * dj + di * di] * x[((k + dk) * edge + j + dj) * edge + i + di];
    y[(k * edge + j) * edge + i] = sum;
}

/* Half of the points of a plane, from the other half, in place; the largest change of all. */
KERNEL red_black(float *x, const float *right, uint32_t *largest, int width, int color) {
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((j + color) & 1);
    float change = 0;
    if (i < width - 1) {
        float *at = x + j * width + i;
        change = 0.25f * (at[-1] + at[1] + at[-width] + at[width] - right[j * width + i]) - *at;
        *at += 1.2f * change;
    }
    uint32_t most = __reduce_max_sync(ALL, __float_as_uint(fabsf(change)));
    if (threadIdx.x == 0)
        atomicMax(largest, most);
}

/* A few blocks that make a vector's length one over and over: ten barriers a round. */
KERNEL block_norms(const float *x, float *y, int rounds) {
    __shared__ float sums[512];
    int t = threadIdx.x;
    float value = x[INDEX];
    for (int k = 0; k < rounds; k++) {
        sums[t] = value * value;
        __syncthreads();
        for (int half = 256; half > 0; half /= 2) {
            if (t < half)
                sums[t] += sums[t + half];
            __syncthreads();
        }
        value = value * rsqrtf(sums[0]) + 0.01f * x[t + k];
        __syncthreads();
    }
    y[INDEX] = value;
}

/* The roots of matrices of 16 x 16, a block each. */
KERNEL cholesky_batch(const float *x, float *lower) {
    __shared__ float m[16][17];
    int column = threadIdx.x, row = threadIdx.y, first = blockIdx.x * 256;
    m[row][column] = x[first + max(row, column) * 16 + min(row, column)] + (row == column ? 16 : 0);
    for (int k = 0; k < 16; k++) {
        __syncthreads();
        if (row == k && column == k)
            m[k][k] = sqrtf(m[k][k]);
        __syncthreads();
        if (column == k && row > k)
            m[row][k] /= m[k][k];
        __syncthreads();
        if (column > k && row >= column)
            m[row][column] -= m[row][k] * m[column][k];
    }
    lower[first + row * 16 + column] = row >= column ? m[row][column] : 0;
}

/* Matrices of 8 x 8, one a thread, split into two triangles; more numbers than registers. */
KERNEL __launch_bounds__(128, 10) lu_batch(const float *x, float *y, int n) {
    int i = INDEX;
    float m[8][8];
#pragma unroll
    for (int k = 0; k < 64; k++)
        m[k / 8][k % 8] = x[k * n + i] + (k / 8 == k % 8 ? 8 : 0);
#pragma unroll
    for (int k = 0; k < 7; k++) {
        float by = 1 / m[k][k];
#pragma unroll
        for (int row = k + 1; row < 8; row++) {
            m[row][k] *= by;
#pragma unroll
            for (int column = k + 1; column < 8; column++)
                m[row][column] -= m[row][k] * m[k][column];
        }
    }
#pragma unroll
    for (int k = 0; k < 64; k++)
        y[k * n + i] = m[k / 8][k % 8];
}

/* A sparse matrix as triples in the order of rows, one a thread: a row's products are added within the warp first. */
KERNEL coo_segments(const uint32_t *row, const uint32_t *column, const float *value, const float *x,
                    float *y) {
    int i = INDEX, lane = threadIdx.x % 32;
    uint32_t mine = row[i];
    float sum = value[i] * x[column[i]];
    for (int step = 1; step < 32; step *= 2) {
        float other = __shfl_up_sync(ALL, sum, step);
        uint32_t its = __shfl_up_sync(ALL, mine, step);
        if (lane >= step && its == mine)
            sum += other;
    }
    uint32_t next = __shfl_down_sync(ALL, mine, 1);
    if (lane == 31 || next != mine)
        atomicAdd(&y[mine], sum);
}

/* A page's rank from the pages that link to it, few of many of which have many. */
KERNEL pagerank_pull(const uint32_t *start, const uint32_t *from, const uint32_t *links, const float *rank,
                     float *next, int pages) {
    int page = INDEX;
    float sum = 0;
    if (page >= pages)
        return;
    for (uint32_t k = start[page]; k < start[page + 1]; k++)
        sum += rank[from[k]] / links[from[k]];
    next[page] = 0.15f / pages + 0.85f * sum;
}

static __device__ uint32_t root_of(const uint32_t *parent, uint32_t node) {
    uint32_t above = parent[node];
    while (above != node) {
        node = above;
        above = parent[node];
    }
    return node;
}

/* The roots of both ends of an edge; the larger one is hooked to the smaller. */
KERNEL component_hooks(const uint32_t *parent, const uint2 *edge, uint32_t *hook) {
    uint2 ends = edge[INDEX];
    uint32_t a = root_of(parent, ends.x), b = root_of(parent, ends.y);
    if (a != b)
        atomicMin(&hook[max(a, b)], min(a, b));
}

/* Systems of three diagonals and 256 unknowns, a block each: every equation loses its neighbours, ever farther ones. */
KERNEL cyclic_reduction(const float *x, float *y) {
    __shared__ float low[256], middle[256], high[256], right[256];
    int t = threadIdx.x, i = INDEX;
    float a = t > 0 ? x[i] : 0, b = 3 + x[i + 7], c = t < 255 ? x[i + 3] : 0, d = x[i + 5];
    for (int step = 1; step < 256; step *= 2) {
        low[t] = a, middle[t] = b, high[t] = c, right[t] = d;
        __syncthreads();
        float up = t >= step ? -a / middle[t - step] : 0, down = t + step < 256 ? -c / middle[t + step] : 0;
        if (t >= step) {
            a = up * low[t - step];
            b += up * high[t - step];
            d += up * right[t - step];
        }
        if (t + step < 256) {
            c = down * high[t + step];
            b += down * low[t + step];
            d += down * right[t + step];
        }
        __syncthreads();
    }
    y[i] = d / b;
}

/* A round of k-means: points of a plane go to the nearest of 32 centres, whose sums a block keeps in shared memory. */
KERNEL kmeans_sums(const float2 *point, const float2 *centre, float *sums, int n) {
    __shared__ float2 near[32];
    __shared__ float own[3][32];
    int t = threadIdx.x;
    if (t < 32) {
        near[t] = centre[t];
        own[0][t] = own[1][t] = own[2][t] = 0;
    }
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        float2 p = point[i];
        float least = 1e30f;
        int best = 0;
        for (int k = 0; k < 32; k++) {
            float dx = p.x - near[k].x, dy = p.y - near[k].y, far = dx * dx + dy * dy;
            if (far < least)
                least = far, best = k;
        }
        atomicAdd(&own[0][best], p.x);
        atomicAdd(&own[1][best], p.y);
        atomicAdd(&own[2][best], 1.0f);
    }
    __syncthreads();
    if (t < 96)
        atomicAdd(&sums[t], own[t / 32][t % 32]);
}

/* How many links lead to a page: to one of 64 of them fifty, to the others six. */
static uint32_t links_to(uint32_t page) {
    return mixed(page) % 64 == 0 ? 50 : 6;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const uint32_t n = 1 << 21, pages = 200000, nodes = 1 << 20;
    float *x = random_floats(4 * n), *y = zeros(4 * n);
    uint32_t links = 0, *to = (uint32_t *)y;
    uint32_t *start = filled<uint32_t>(pages + 1, [&](uint32_t i) {
        uint32_t before = links;
        links += links_to(i);
        return before;
    });
    uint32_t *from = random_words(links, pages);
    uint32_t *degree = filled<uint32_t>(pages, [](uint32_t i) { return 1 + mixed(i + 5) % 12; });
    /* rows of some ten elements */
    uint32_t row = 0;
    uint32_t *rows = filled<uint32_t>(n, [&](uint32_t i) { return row += mixed(i) % 10 == 0; });
    uint32_t *columns = random_words(n, n / 8);
    /* one node of eight is a root, the others hang below one of a smaller number */
    uint32_t *parent =
        filled<uint32_t>(nodes, [](uint32_t i) { return mixed(i) % 8 == 0 ? i : mixed(i + 1) % (i + 1); });
    uint32_t *edges = random_words(nodes, nodes);
    VALIDATE(volume_27, dim3(5, 20, 96), dim3(32, 8), x, y, 160, 96);
    VALIDATE(red_black, dim3(32, 254), dim3(32, 8), x + 2 * n, x, to, 2040, 1);
    VALIDATE(block_norms, 64, 512, x, y, 48);
    VALIDATE(cholesky_batch, 1536, dim3(16, 16), x, y);
    VALIDATE(lu_batch, 800, 128, x, y, 102400);
    VALIDATE(coo_segments, n / 256, 256, rows, columns, x, x + n, y);
    VALIDATE(pagerank_pull, (pages + 127) / 128, 128, start, from, degree, x, y, pages);
    VALIDATE(component_hooks, nodes / 2 / 128, 128, parent, (uint2 *)edges, to);
    VALIDATE(cyclic_reduction, 1100, 256, x, y);
    VALIDATE(kmeans_sums, 330, 192, (float2 *)x, (float2 *)x + n / 2, y, n / 4);
    return 0;
}
