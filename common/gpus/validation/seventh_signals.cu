/* seventh_signals.cu: pulsars, tomographs, wavelets, spectra, corners, lenses, motion, noise, prices and what options say of them. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__constant__ float delays[256];
__constant__ float2 turns[180];

/* A pulsar's flashes come later at low frequencies: sums of all channels for many delays, a thread a time and delay. */
KERNEL dedispersed(const float *__restrict__ power, float *sums, int channels, int samples, int times) {
    int t = INDEX, trial = blockIdx.y;
    if (t >= times)
        return;
    float sum = 0;
#pragma unroll 4
    for (int c = 0; c < channels; c++)
        sum += power[(size_t)c * samples + t + (int)(delays[c] * trial)];
    sums[(size_t)trial * times + t] = sum;
}

/* A slice of a body from its shadows: a thread a pixel, a place between two detectors for each of 180 angles. */
KERNEL ct_backprojected(const float *__restrict__ shadows, float *slice, int size, int detectors) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    float x = i - 0.5f * (size - 1), y = j - 0.5f * (size - 1), sum = 0;
    for (int k = 0; k < 180; k++) {
        float at = x * turns[k].x + y * turns[k].y + 0.5f * (detectors - 1);
        int left = (int)floorf(at);
        if (left < 0 || left >= detectors - 1)
            continue;
        const float *shadow = shadows + k * detectors + left;
        float part = at - left;
        sum += (1 - part) * shadow[0] + part * shadow[1];
    }
    slice[j * size + i] = sum * (3.14159265f / 180);
}

/* A wavelet of whole numbers along rows, 5 and 3 long: a block 1024 of a row, first what differs, then the means. */
KERNEL wavelet_rows(const int *__restrict__ x, int *y, int width) {
    __shared__ int even[514], odd[514];
    int t = threadIdx.x, begin = blockIdx.x * 1024;
    const int *row = x + (size_t)blockIdx.y * width;
    for (int k = t; k < 514; k += 256) {
        int at = begin + 2 * (k - 1), last = width - 2;
        at = at < 0 ? 0 : at > last ? last : at;
        int2 pair = *(const int2 *)(row + at);
        even[k] = pair.x;
        odd[k] = pair.y;
    }
    __syncthreads();
    for (int k = t; k < 513; k += 256)
        odd[k] -= (even[k] + even[k + 1]) >> 1;
    __syncthreads();
    int *low = y + (size_t)blockIdx.y * width + begin / 2, *high = low + width / 2;
    for (int k = t; k < 512; k += 256) {
        low[k] = even[k + 1] + ((odd[k] + odd[k + 1] + 2) >> 2);
        high[k] = odd[k + 1];
    }
}

/* Where a picture moved to: its spectrum times the other's, turned back, all of the same length. */
KERNEL phases_crossed(const float2 *a, const float2 *b, float2 *product, int n) {
    int i = INDEX;
    if (i < n) {
        float2 u = a[i], v = b[i];
        float re = u.x * v.x + u.y * v.y, im = u.y * v.x - u.x * v.y;
        float by = rsqrtf(re * re + im * im + 1e-20f);
        product[i] = make_float2(re * by, im * by);
    }
}

/* Corners: nine places in a row, of sixteen on a circle, that are all lighter than the middle, or all darker. */
KERNEL fast_segments(const uint8_t *__restrict__ x, uint8_t *score, int width, int height, int least) {
    const int right[16] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1};
    const int down[16] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    int its = 0;
    if (i >= 3 && j >= 3 && i < width - 3 && j < height - 3) {
        const uint8_t *at = x + (size_t)j * width + i;
        int middle = *at, north = at[-3 * width] - middle, south = at[3 * width] - middle;
        if (abs(north) > least || abs(south) > least) {
            uint32_t light = 0, dark = 0;
#pragma unroll
            for (int k = 0; k < 16; k++) {
                int v = at[down[k] * width + right[k]] - middle;
                light |= (uint32_t)(v > least) << k;
                dark |= (uint32_t)(v < -least) << k;
                its += abs(v);
            }
            light |= light << 16;
            dark |= dark << 16;
            bool corner = false;
            for (int k = 0; k < 16; k++)
                corner = corner || (light >> k & 0x1ff) == 0x1ff || (dark >> k & 0x1ff) == 0x1ff;
            its = corner ? its / 16 : 0;
        }
    }
    score[(size_t)j * width + i] = (uint8_t)its;
}

/* How restless a market thinks a share is, from an option's price: Newton's method, until it fits. */
KERNEL implied_volatility(const float *price, const float *strike, const float *years, float *volatility,
                          float rate, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    float k = strike[i], t = years[i], goal = price[i], root = sqrtf(t), paid = k * expf(-rate * t);
    float v = 0.5f, along = logf(100 / k) + rate * t;
    for (int round = 0; round < 25; round++) {
        float d1 = (along + 0.5f * v * v * t) / (v * root), d2 = d1 - v * root;
        float worth = 100 * normcdff(d1) - paid * normcdff(d2);
        float slope = 100 * root * 0.39894228f * expf(-0.5f * d1 * d1), wrong = worth - goal;
        if (fabsf(wrong) < 1e-3f)
            break;
        v -= wrong / fmaxf(slope, 1e-2f);
        v = fminf(fmaxf(v, 0.01f), 4.0f);
    }
    volatility[i] = v;
}

/* Mean of the last twenty prices, and two deviations above and below it: a row of prices a share, a piece of it a block. */
KERNEL moving_bands(const float *__restrict__ price, float *middle, float *upper, float *lower, int days) {
    __shared__ float near[275];
    int first = blockIdx.x * 256, t = threadIdx.x;
    const float *row = price + (size_t)blockIdx.y * days;
    for (int k = t; k < 275; k += 256) {
        int day = first + k - 19;
        near[k] = day >= 0 && day < days ? row[day] : row[0];
    }
    __syncthreads();
    if (first + t >= days)
        return;
    float sum = 0, squares = 0;
    for (int k = 0; k < 20; k++)
        sum += near[t + k];
    float mean = sum / 20;
    for (int k = 0; k < 20; k++)
        squares += (near[t + k] - mean) * (near[t + k] - mean);
    float off = 2 * sqrtf(squares / 20);
    size_t at = (size_t)blockIdx.y * days + first + t;
    middle[at] = mean;
    upper[at] = mean + off;
    lower[at] = mean - off;
}

static __device__ float4 as_floats(uchar4 v) {
    return make_float4(v.x, v.y, v.z, v.w);
}
static __device__ float4 mix(float4 a, float4 b, float t) {
    return make_float4(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z),
                       a.w + t * (b.w - a.w));
}

/* A picture as it would be without the bends of its lens, between four pixels each. */
KERNEL lens_undistorted(const uchar4 *__restrict__ x, uchar4 *y, int width, int height, float k1, float k2,
                        float focus) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    float u = (i - 0.5f * width) / focus, v = (j - 0.5f * height) / focus, r = u * u + v * v;
    float bend = 1 + r * (k1 + r * k2);
    u = u * bend * focus + 0.5f * width;
    v = v * bend * focus + 0.5f * height;
    int left = (int)floorf(u), top = (int)floorf(v);
    uchar4 result = make_uchar4(0, 0, 0, 255);
    if (left >= 0 && top >= 0 && left < width - 1 && top < height - 1) {
        const uchar4 *at = x + (size_t)top * width + left;
        float4 above = mix(as_floats(at[0]), as_floats(at[1]), u - left);
        float4 below = mix(as_floats(at[width]), as_floats(at[width + 1]), u - left);
        float4 its = mix(above, below, v - top);
        result = make_uchar4((uint8_t)(its.x + 0.5f), (uint8_t)(its.y + 0.5f), (uint8_t)(its.z + 0.5f), 255);
    }
    y[(size_t)j * width + i] = result;
}

/* Noise away by places that look alike: pieces of 3 x 3 in a field of 9 x 9, all from shared memory. */
KERNEL nonlocal_means(const float *x, float *y, int size, float by) {
    __shared__ float tile[26][27];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 16 - 5, top = blockIdx.y * 16 - 5;
    for (int k = ty * 16 + tx; k < 26 * 26; k += 256) {
        int row = min(max(top + k / 26, 0), size - 1), column = min(max(left + k % 26, 0), size - 1);
        tile[k / 26][k % 26] = x[row * size + column];
    }
    __syncthreads();
    float mine[3][3], sum = 0, weights = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            mine[r][c] = tile[ty + 4 + r][tx + 4 + c];
    for (int down = 0; down < 9; down++)
        for (int right = 0; right < 9; right++) {
            float far = 0;
#pragma unroll
            for (int r = 0; r < 3; r++)
#pragma unroll
                for (int c = 0; c < 3; c++) {
                    float off = tile[ty + down + r][tx + right + c] - mine[r][c];
                    far += off * off;
                }
            float weight = __expf(-far * by);
            sum += weight * tile[ty + down + 1][tx + right + 1];
            weights += weight;
        }
    y[(top + 5 + ty) * size + left + 5 + tx] = sum / weights;
}

/* A step towards how a picture moves, after Horn and Schunck: means of eight neighbours, then what the slopes ask for. */
KERNEL flow_relaxed(const float *__restrict__ u, const float *__restrict__ v, const float *dx,
                    const float *dy, const float *dt, float *new_u, float *new_v, int width, int height,
                    float smooth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    int at = j * width + i, west = i > 0 ? -1 : 0, east = i < width - 1;
    int north = j > 0 ? -width : 0, south = j < height - 1 ? width : 0;
    const float *p = u + at, *q = v + at;
    float mean_u = (p[west] + p[east] + p[north] + p[south]) / 6 +
                   (p[north + west] + p[north + east] + p[south + west] + p[south + east]) / 12;
    float mean_v = (q[west] + q[east] + q[north] + q[south]) / 6 +
                   (q[north + west] + q[north + east] + q[south + west] + q[south + east]) / 12;
    float a = dx[at], b = dy[at];
    float by = (a * mean_u + b * mean_v + dt[at]) / (smooth + a * a + b * b);
    new_u[at] = mean_u - a * by;
    new_v[at] = mean_v - b * by;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 25, samples = 14336, times = 12000, options = 800000, days = 4000, shares = 2000;
    float *x = random_floats(n), *y = zeros(n);
    float channels[256];
    for (int c = 0; c < 256; c++) {
        float frequency = 1200.0f + c; /* MHz */
        channels[c] = 70 * (1456.0f * 1456.0f / (frequency * frequency) - 1);
    }
    check(cudaMemcpyToSymbol(delays, channels, sizeof channels), "cudaMemcpyToSymbol");
    float2 angles[180];
    for (int k = 0; k < 180; k++)
        angles[k] = make_float2(cosf(k * 3.14159265f / 180), sinf(k * 3.14159265f / 180));
    check(cudaMemcpyToSymbol(turns, angles, sizeof angles), "cudaMemcpyToSymbol");
    int *pixels = filled<int>(n / 2, [](uint32_t i) { return 1000 + i % 4096 / 8 + mixed(i) % 16; });
    /* Squares of 20 x 20 of several greys, with a little noise. */
    uint8_t *grey = filled<uint8_t>(3840 * 2160, [](uint32_t i) {
        return 20 + mixed(i / 3840 / 20 * 192 + i % 3840 / 20) % 200 + mixed(i) % 8;
    });
    uint8_t *colors = filled<uint8_t>(4 * 3840 * 2160, [](uint32_t i) { return mixed(i / 16) % 256; });
    float *strike = filled<float>(options, [](uint32_t i) { return 80.0f + mixed(i) % 40; });
    float *years = filled<float>(options, [](uint32_t i) { return 0.25f + mixed(i + 1) % 200 / 100.0f; });
    float *paid = filled<float>(options, [](uint32_t i) {
        float k = 80.0f + mixed(i) % 40, t = 0.25f + mixed(i + 1) % 200 / 100.0f;
        float v = 0.1f + mixed(i + 2) % 500 / 1000.0f, root = sqrtf(t), sooner = k * expf(-0.03f * t);
        float d1 = (logf(100 / k) + (0.03f + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
        return 50 * erfcf(-d1 * 0.70710678f) - 0.5f * sooner * erfcf(-d2 * 0.70710678f);
    });
    VALIDATE(dedispersed, dim3((times + 255) / 256, 64), 256, x, y, 256, samples, times);
    VALIDATE(ct_backprojected, dim3(32, 32), dim3(16, 16), x, y, 512, 768);
    VALIDATE(wavelet_rows, dim3(4, 4096), 256, pixels, (int *)y, 4096);
    VALIDATE(phases_crossed, 8000000 / 128, 128, (float2 *)x, (float2 *)x + 8000000, (float2 *)y, 8000000);
    VALIDATE(fast_segments, dim3(120, 270), dim3(32, 8), grey, (uint8_t *)y, 3840, 2160, 25);
    VALIDATE(implied_volatility, options / 64, 64, paid, strike, years, y, 0.03f, options);
    VALIDATE(moving_bands, dim3((days + 255) / 256, shares), 256, x, y, y + 8000000, y + 16000000, days);
    VALIDATE(lens_undistorted, dim3(120, 135), dim3(32, 16), (uchar4 *)colors, (uchar4 *)y, 3840, 2160,
             -0.12f, 0.03f, 2000.0f);
    VALIDATE(nonlocal_means, dim3(32, 32), dim3(16, 16), x, y, 512, 2.0f);
    VALIDATE(flow_relaxed, dim3(32, 512), dim3(64, 4), x, x + (1 << 22), x + (2 << 22), x + (3 << 22),
             x + (4 << 22), y, y + (1 << 22), 2048, 2048, 0.1f);
    return 0;
}
