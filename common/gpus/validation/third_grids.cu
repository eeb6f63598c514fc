/* third_grids.cu: pictures, planes and volumes: filters, waves, flows, heat, magnets, rays. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

__constant__ float weights[17];

/* Weights over 17 rows, the second half of a filter in two passes: 16 x 8 threads, eight results each, one under another. */
KERNEL separable_columns(const float *x, float *y, int width, int height) {
    __shared__ float tile[16][81]; /* a column lies together */
    int i = blockIdx.x * 16 + threadIdx.x, top = blockIdx.y * 64;
#pragma unroll
    for (int k = 0; k < 10; k++) {
        int row = threadIdx.y + 8 * k, from = top + row - 8;
        tile[threadIdx.x][row] = from >= 0 && from < height ? x[from * width + i] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float sum = 0;
#pragma unroll
        for (int m = 0; m < 17; m++)
            sum += weights[m] * tile[threadIdx.x][threadIdx.y + 8 * k + m];
        y[(top + threadIdx.y + 8 * k) * width + i] = sum;
    }
}

/* Means over 15 rows by a sum that a pixel enters and another leaves: a thread walks down a column. */
KERNEL box_columns(const float *x, float *y, int width, int rows) {
    int i = INDEX, first = blockIdx.y * rows + 7; /* x has seven more rows above and below */
    const float *at = x + first * width + i;
    float sum = 0;
    for (int k = -7; k < 7; k++)
        sum += at[k * width];
    for (int j = 0; j < rows; j++) {
        sum += at[7 * width];
        y[(first - 7 + j) * width + i] = sum * (1 / 15.0f);
        sum -= at[-7 * width];
        at += width;
    }
}

/* The sums along rows of bytes, for a table of sums over areas: a warp a row, four bytes a lane. */
KERNEL integral_rows(const uchar4 *x, uint4 *y, int fours) {
    int row = INDEX / 32, lane = threadIdx.x % 32;
    uint32_t before = 0;
    for (int i = lane; i < fours; i += 32) {
        uchar4 v = x[row * fours + i];
        uint32_t one = v.x, two = one + v.y, three = two + v.z, four = three + v.w, sum = four;
        for (int step = 1; step < 32; step *= 2) {
            uint32_t other = __shfl_up_sync(ALL, sum, step);
            sum += lane >= step ? other : 0;
        }
        uint32_t left = before + sum - four;
        y[row * fours + i] = make_uint4(left + one, left + two, left + three, left + four);
        before += __shfl_sync(ALL, sum, 31);
    }
}

/* Maxwell's equations on Yee's grid: the electric field from the magnetic one around it, three components each. */
KERNEL fdtd_electric(float *ex, float *ey, float *ez, const float *hx, const float *hy, const float *hz,
                     int width, int height, int depth, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z, plane = width * height;
    if (i == 0 || j == 0 || k == 0 || i >= width || j >= height || k >= depth)
        return;
    int at = k * plane + j * width + i;
    float x = hx[at], y = hy[at], z = hz[at];
    ex[at] += by * (z - hz[at - width] - y + hy[at - plane]);
    ey[at] += by * (x - hx[at - plane] - z + hz[at - 1]);
    ez[at] += by * (y - hy[at - 1] - x + hx[at - width]);
}

/* Lattice Boltzmann in 19 directions on 128 x 64 x 64 cells: what streams in relaxes, walls throw it back. */
KERNEL __launch_bounds__(128) boltzmann_d3q19(const float *from, const uint8_t *wall, float *to, float rate) {
    const int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    const int cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    const int cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    const int cells = 128 * 64 * 64;
    int at = INDEX;
    float f[19], mass = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int q = 0; q < 19; q++) {
        f[q] = from[q * cells + ((at - (cz[q] * 64 + cy[q]) * 128 - cx[q]) & (cells - 1))];
        mass += f[q];
        ux += cx[q] * f[q], uy += cy[q] * f[q], uz += cz[q] * f[q];
    }
    if (wall[at]) {
#pragma unroll
        for (int q = 0; q < 19; q++)
            to[(q == 0 ? 0 : q % 2 == 1 ? q + 1 : q - 1) * cells + at] = f[q];
        return;
    }
    ux /= mass, uy /= mass, uz /= mass;
    float square = 1 - 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int q = 0; q < 19; q++) {
        float along = 3 * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
        float share = q == 0 ? 1 / 3.0f : q < 7 ? 1 / 18.0f : 1 / 36.0f;
        float rest = share * mass * (square + along + 0.5f * along * along);
        to[q * cells + at] = f[q] + rate * (rest - f[q]);
    }
}

/* Four steps of heat that spreads, in a tile whose border shrinks by one a step: 32 x 32 threads, 24 x 24 results. */
KERNEL heat_four_steps(const float *x, float *y, int width, int height) {
    __shared__ float tile[2][32][32];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 24 + tx - 4, j = blockIdx.y * 24 + ty - 4;
    tile[0][ty][tx] = x[min(max(j, 0), height - 1) * width + min(max(i, 0), width - 1)];
    __syncthreads();
#pragma unroll
    for (int step = 1; step <= 4; step++) {
        const float(*old)[32] = tile[(step - 1) % 2];
        if (tx >= step && ty >= step && tx < 32 - step && ty < 32 - step)
            tile[step % 2][ty][tx] =
                old[ty][tx] + 0.2f * (old[ty - 1][tx] + old[ty + 1][tx] + old[ty][tx - 1] + old[ty][tx + 1] -
                                      4 * old[ty][tx]);
        __syncthreads();
    }
    if (tx >= 4 && ty >= 4 && tx < 28 && ty < 28)
        y[j * width + i] = tile[0][ty][tx];
}

__constant__ float chances[5];

/* Half of the magnets of a plane, as of a chess board, turn over by chance, the less so the more neighbours agree. */
KERNEL ising_sweep(int8_t *spin, int width, int height, int color, uint32_t seed) {
    int half = width / 2, j = INDEX / half, i = 2 * (INDEX % half) + ((j + color) & 1);
    int8_t *row = spin + j * width;
    int around = row[i > 0 ? i - 1 : width - 1] + row[i < width - 1 ? i + 1 : 0] +
                 spin[(j > 0 ? j - 1 : height - 1) * width + i] +
                 spin[(j < height - 1 ? j + 1 : 0) * width + i];
    int mine = row[i];
    float chance = (mixed(INDEX ^ seed) >> 8) / 16777216.0f;
    row[i] = (int8_t)(chance < chances[(mine * around + 4) / 2] ? -mine : mine);
}

/* A camera's raw picture, of which a pixel is red, green or blue, gets all three: means of the neighbours. */
KERNEL bayer_to_rgb(const uint16_t *raw, uchar4 *rgb, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    const uint16_t *at = raw + (j + 1) * (width + 2) + i + 1; /* raw has a border of one */
    const uint16_t *above = at - width - 2, *below = at + width + 2;
    int red, green, blue, across = (at[-1] + at[1]) / 2, down = (above[0] + below[0]) / 2;
    if ((i + j) % 2 == 1) {
        green = at[0];
        red = j % 2 == 0 ? across : down;
        blue = j % 2 == 0 ? down : across;
    } else {
        int corners = (above[-1] + above[1] + below[-1] + below[1]) / 4;
        green = (across + down) / 2;
        red = j % 2 == 0 ? at[0] : corners;
        blue = j % 2 == 0 ? corners : at[0];
    }
    rgb[j * width + i] = make_uchar4(min(red / 16, 255), min(green / 16, 255), min(blue / 16, 255), 255);
}

/* A ray a pixel through 128 x 128 x 128 cells, cell by cell, to the first that is full. */
KERNEL voxel_rays(const uint8_t *full, float *far, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float direction[3] = {(x + 0.5f) / width - 0.4f, (y + 0.5f) / height - 0.6f, 0.7f}, next[3], each[3];
    int cell[3] = {50, 80, 0}, way[3];
    float length = rsqrtf(direction[0] * direction[0] + direction[1] * direction[1] + 0.49f), reached = 0;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        each[k] = fabsf(1 / (direction[k] * length));
        way[k] = direction[k] < 0 ? -1 : 1;
        next[k] = 0.5f * each[k];
    }
    while (((cell[0] | cell[1] | cell[2]) & ~127) == 0 && !full[(cell[2] * 128 + cell[1]) * 128 + cell[0]]) {
        reached = fminf(next[0], fminf(next[1], next[2]));
        if (next[0] == reached)
            next[0] += each[0], cell[0] += way[0];
        else if (next[1] == reached)
            next[1] += each[1], cell[1] += way[1];
        else
            next[2] += each[2], cell[2] += way[2];
    }
    far[y * width + x] = reached;
}

/* The cosine transform of eight numbers that lie `step` apart, by what mirrored ones have in common. */
static __device__ void cosines(float *v, int step) {
    const float c1 = 0.98078528f, c2 = 0.92387953f, c3 = 0.83146961f, c4 = 0.70710678f, c5 = 0.55557023f,
                c6 = 0.38268343f, c7 = 0.19509032f;
    float a0 = v[0] + v[7 * step], a1 = v[step] + v[6 * step], a2 = v[2 * step] + v[5 * step],
          a3 = v[3 * step] + v[4 * step], b0 = v[0] - v[7 * step], b1 = v[step] - v[6 * step],
          b2 = v[2 * step] - v[5 * step], b3 = v[3 * step] - v[4 * step];
    v[0] = c4 * (a0 + a1 + a2 + a3);
    v[4 * step] = c4 * (a0 - a1 - a2 + a3);
    v[2 * step] = c2 * (a0 - a3) + c6 * (a1 - a2);
    v[6 * step] = c6 * (a0 - a3) - c2 * (a1 - a2);
    v[step] = c1 * b0 + c3 * b1 + c5 * b2 + c7 * b3;
    v[3 * step] = c3 * b0 - c7 * b1 - c1 * b2 - c5 * b3;
    v[5 * step] = c5 * b0 - c1 * b1 + c7 * b2 + c3 * b3;
    v[7 * step] = c7 * b0 - c5 * b1 + c3 * b2 - c1 * b3;
}

/* 8 x 8 pixels a thread, as of a JPEG picture: transformed across and down in registers, then made coarse. */
KERNEL __launch_bounds__(64, 8) dct_blocks(const float4 *x, short4 *y, int fours, float quality) {
    int across = blockIdx.x * blockDim.x + threadIdx.x, at = blockIdx.y * 8 * fours + 2 * across;
    float v[64];
#pragma unroll
    for (int k = 0; k < 16; k++) {
        float4 four = x[at + k / 2 * fours + k % 2];
        v[4 * k] = four.x, v[4 * k + 1] = four.y, v[4 * k + 2] = four.z, v[4 * k + 3] = four.w;
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        cosines(v + 8 * k, 1);
#pragma unroll
    for (int k = 0; k < 8; k++)
        cosines(v + k, 8);
#pragma unroll
    for (int k = 0; k < 64; k++)
        v[k] = rintf(v[k] * quality / (8 + 3 * (k / 8 + k % 8)));
#pragma unroll
    for (int k = 0; k < 16; k++)
        y[at + k / 2 * fours + k % 2] =
            make_short4((short)v[4 * k], (short)v[4 * k + 1], (short)v[4 * k + 2], (short)v[4 * k + 3]);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int cells = 128 * 64 * 64, points = 192 * 160 * 96, pixels = 4096 * 2560;
    float *x = random_floats(pixels), *y = zeros(6144 * 2048), host[17];
    float *magnetic = random_floats(3 * points), *electric = zeros(3 * points);
    uint8_t *bytes = filled<uint8_t>(6144 * 2048, mixed);
    uint8_t *wall = filled<uint8_t>(cells, [](uint32_t i) { return mixed(i / 64) % 10 == 0; });
    uint8_t *full = filled<uint8_t>(1 << 21, [](uint32_t i) { return mixed(i) % 160 == 0; });
    int8_t *spin = filled<int8_t>(2048 * 4096, [](uint32_t i) { return mixed(i) % 3 > 0 ? 1 : -1; });
    uint16_t *raw = filled<uint16_t>(2562 * 1602, [](uint32_t i) { return mixed(i) % 4096; });
    for (int k = 0; k < 17; k++)
        host[k] = 1.0f / (17 + 2 * abs(k - 8));
    check(cudaMemcpyToSymbol(weights, host, sizeof host), "cudaMemcpyToSymbol");
    const float turning[5] = {1, 1, 0.5f, 0.17f, 0.03f};
    check(cudaMemcpyToSymbol(chances, turning, sizeof turning), "cudaMemcpyToSymbol");
    VALIDATE(separable_columns, dim3(160, 50), dim3(16, 8), x, y, 2560, 3200);
    VALIDATE(box_columns, dim3(36, 6), 64, x, y, 2304, 400);
    VALIDATE(integral_rows, 6144 / 4, 128, (uchar4 *)bytes, (uint4 *)y, 512);
    VALIDATE(fdtd_electric, dim3(6, 40, 48), dim3(32, 4, 2), electric, electric + points,
             electric + 2 * points, magnetic, magnetic + points, magnetic + 2 * points, 192, 160, 96, 0.5f);
    VALIDATE(boltzmann_d3q19, cells / 128, 128, x, wall, y, 1.2f);
    VALIDATE(heat_four_steps, dim3(80, 45), dim3(32, 32), x, y, 1920, 1080);
    VALIDATE(ising_sweep, 2048 * 4096 / 2 / 64, 64, spin, 4096, 2048, 0, 4711);
    VALIDATE(bayer_to_rgb, dim3(320, 200), dim3(8, 8), raw, (uchar4 *)y, 2560, 1600);
    VALIDATE(voxel_rays, dim3(40, 60), dim3(16, 8), full, y, 640, 480);
    VALIDATE(dct_blocks, dim3(8, 320), 64, (float4 *)x, (short4 *)y, 1024, 200.0f);
    return 0;
}
