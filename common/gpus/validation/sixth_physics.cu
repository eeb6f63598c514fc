/* sixth_physics.cu: particles, waves, flows, fronts, elements, equations in time, and sequences of living things. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* How dense a fluid of particles is, and its pressure: a thread a particle, which looks at the 27 cells around its own. */
KERNEL sph_density(const float4 *__restrict__ place, const int *__restrict__ start, float2 *density, int n,
                   int cells, float reach) {
    int i = INDEX;
    if (i >= n)
        return;
    float4 own = place[i];
    int cx = (int)own.x, cy = (int)own.y, cz = (int)own.z;
    float square = reach * reach, sum = 0;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, cells - 1); z++)
        for (int y = max(cy - 1, 0); y <= min(cy + 1, cells - 1); y++) {
            int row = (z * cells + y) * cells;
            int end = start[row + min(cx + 1, cells - 1) + 1];
            for (int k = start[row + max(cx - 1, 0)]; k < end; k++) {
                float4 other = place[k];
                float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
                float left = square - (dx * dx + dy * dy + dz * dz);
                if (left > 0)
                    sum += other.w * left * left * left;
            }
        }
    float rho = 1.5666815f * sum / (square * square * square * square * reach);
    density[i] = make_float2(rho, fmaxf(0.0f, 20.0f * (rho - 1)));
}

/* Charges' near part after Ewald: all pairs by tiles of 64, what is beyond the cut is left out. Few blocks. */
KERNEL ewald_real(const float4 *charge, float4 *force, int n, float alpha, float cut) {
    __shared__ float4 tile[64];
    int i = INDEX;
    float4 own = charge[i], sum = make_float4(0, 0, 0, 0);
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = charge[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; k++) {
            float4 other = tile[k];
            float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
            dx -= rintf(dx), dy -= rintf(dy), dz -= rintf(dz);
            float square = dx * dx + dy * dy + dz * dz;
            if (square < cut * cut && first + k != i) {
                float inverse = rsqrtf(square), far = square * inverse, energy = erfcf(alpha * far) * inverse;
                float by = (energy + 1.1283792f * alpha * expf(-alpha * alpha * square)) * inverse * inverse;
                by *= own.w * other.w;
                sum.x += by * dx, sum.y += by * dy, sum.z += by * dz;
                sum.w += 0.5f * own.w * other.w * energy;
            }
        }
        __syncthreads();
    }
    force[i] = sum;
}

/* A wave in a volume, one step in time, fourth order in space: 32 x 4 x 4 threads and a tile two wider on all sides. */
KERNEL wave_volume(const float *now, const float *before, const float *speed, float *next, int width,
                   int height, int depth) {
    __shared__ float tile[8][8][36];
    int t = (threadIdx.z * 4 + threadIdx.y) * 32 + threadIdx.x;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 4, z0 = blockIdx.z * 4;
    for (int k = t; k < 8 * 8 * 36; k += 512) {
        int x = min(max(x0 + k % 36 - 2, 0), width - 1);
        int y = min(max(y0 + k / 36 % 8 - 2, 0), height - 1);
        int z = min(max(z0 + k / 288 - 2, 0), depth - 1);
        tile[k / 288][k / 36 % 8][k % 36] = now[(z * height + y) * width + x];
    }
    __syncthreads();
    int x = threadIdx.x + 2, y = threadIdx.y + 2, z = threadIdx.z + 2;
    float near = tile[z][y][x - 1] + tile[z][y][x + 1] + tile[z][y - 1][x] + tile[z][y + 1][x] +
                 tile[z - 1][y][x] + tile[z + 1][y][x];
    float far = tile[z][y][x - 2] + tile[z][y][x + 2] + tile[z][y - 2][x] + tile[z][y + 2][x] +
                tile[z - 2][y][x] + tile[z + 2][y][x];
    float own = tile[z][y][x], curve = 4.0f / 3.0f * near - far / 12.0f - 7.5f * own;
    int at = ((z0 + threadIdx.z) * height + y0 + threadIdx.y) * width + x0 + threadIdx.x;
    next[at] = 2 * own - before[at] + speed[at] * curve;
}

static __device__ float3 flow_x(float3 u) {
    float v = u.y / u.x;
    return make_float3(u.y, u.y * v + 4.905f * u.x * u.x, u.z * v);
}

/* What crosses an edge between two columns of water: their mean less what the fastest wave evens out. */
static __device__ float3 rusanov(float3 a, float3 b) {
    float fast = fmaxf(fabsf(a.y / a.x) + sqrtf(9.81f * a.x), fabsf(b.y / b.x) + sqrtf(9.81f * b.x));
    float3 f = flow_x(a), g = flow_x(b);
    return make_float3(0.5f * (f.x + g.x - fast * (b.x - a.x)), 0.5f * (f.y + g.y - fast * (b.y - a.y)),
                       0.5f * (f.z + g.z - fast * (b.z - a.z)));
}

/* Shallow water: height and two momenta, one step of finite volumes; a thread a column, all four edges anew. */
KERNEL shallow_water(const float *h, const float *hu, const float *hv, float *new_h, float *new_hu,
                     float *new_hv, int width, int height, float step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i == 0 || j == 0 || i >= width - 1 || j >= height - 1)
        return;
    int at = j * width + i, up = at - width, down = at + width;
    float3 own = make_float3(h[at], hu[at], hv[at]), turned = make_float3(own.x, own.z, own.y);
    float3 west = rusanov(make_float3(h[at - 1], hu[at - 1], hv[at - 1]), own);
    float3 east = rusanov(own, make_float3(h[at + 1], hu[at + 1], hv[at + 1]));
    float3 north = rusanov(make_float3(h[up], hv[up], hu[up]), turned);
    float3 south = rusanov(turned, make_float3(h[down], hv[down], hu[down]));
    new_h[at] = own.x - step * (east.x - west.x + south.x - north.x);
    new_hu[at] = own.y - step * (east.y - west.y + south.z - north.z);
    new_hv[at] = own.z - step * (east.z - west.z + south.y - north.y);
}

static __device__ double pressure_of(const double *u) {
    return 0.4 * (u[4] - 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
}

/* Gas through the faces of cells without order, in double precision: a thread a face, five sums in each of its two cells. */
KERNEL euler_fluxes(const int2 *face, const double *normal, const double *state, double *residual, int faces,
                    int cells) {
    int i = INDEX;
    if (i >= faces)
        return;
    int2 side = face[i];
    double n[3], u[2][5], speed[2], flow[5] = {}, fastest = 0;
    for (int k = 0; k < 3; k++)
        n[k] = normal[k * faces + i] - 0.5;
    double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 5; k++)
            u[s][k] = state[k * cells + (s == 0 ? side.x : side.y)];
        double p = pressure_of(u[s]);
        speed[s] = (u[s][1] * n[0] + u[s][2] * n[1] + u[s][3] * n[2]) / u[s][0];
        fastest = fmax(fastest, fabs(speed[s]) + area * sqrt(1.4 * p / u[s][0]));
        for (int k = 0; k < 5; k++)
            flow[k] += 0.5 * speed[s] * u[s][k];
        for (int k = 0; k < 3; k++)
            flow[k + 1] += 0.5 * p * n[k];
        flow[4] += 0.5 * p * speed[s];
    }
    for (int k = 0; k < 5; k++) {
        double through = flow[k] - 0.5 * fastest * (u[1][k] - u[0][k]);
        atomicAdd(&residual[k * cells + side.x], -through);
        atomicAdd(&residual[k * cells + side.y], through);
    }
}

/* Heat in tetrahedra: what each element's matrix makes of its four corners' values goes to the corners, by atomics. */
KERNEL tetrahedra_apply(const int4 *element, const float4 *node, float *y, int elements) {
    for (int i = INDEX; i < elements; i += gridDim.x * blockDim.x) {
        int4 corner = element[i];
        int at[4] = {corner.x, corner.y, corner.z, corner.w};
        float4 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = node[at[k]]; /* place, and value in w */
        float3 e[3], g[4];
        for (int k = 0; k < 3; k++)
            e[k] = make_float3(p[k + 1].x - p[0].x, p[k + 1].y - p[0].y, p[k + 1].z - p[0].z);
        for (int k = 0; k < 3; k++) {
            float3 a = e[(k + 1) % 3], b = e[(k + 2) % 3];
            g[k + 1] = make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        }
        float volume = e[0].x * g[1].x + e[0].y * g[1].y + e[0].z * g[1].z;
        float by = fabsf(volume) > 1e-6f ? 1 / (6 * fabsf(volume)) : 0;
        g[0] = make_float3(-g[1].x - g[2].x - g[3].x, -g[1].y - g[2].y - g[3].y, -g[1].z - g[2].z - g[3].z);
        float3 slope = make_float3(0, 0, 0);
        for (int k = 0; k < 4; k++)
            slope.x += p[k].w * g[k].x, slope.y += p[k].w * g[k].y, slope.z += p[k].w * g[k].z;
        for (int k = 0; k < 4; k++)
            atomicAdd(&y[at[k]], by * (slope.x * g[k].x + slope.y * g[k].y + slope.z * g[k].z));
    }
}

/* A pendulum that hangs from a pendulum: angles and their speeds. */
static __device__ float4 swing(float4 s) {
    float differ = s.x - s.y, sine, cosine;
    sincosf(differ, &sine, &cosine);
    float below = 2 - cosine * cosine, a = -s.w * s.w * sine - 2 * 9.81f * sinf(s.x),
          b = s.z * s.z * sine - 9.81f * sinf(s.y);
    return make_float4(s.z, s.w, (a - cosine * b) / below, (2 * b - cosine * a) / below);
}

static __device__ float4 moved(float4 s, float by, float4 d) {
    return make_float4(s.x + by * d.x, s.y + by * d.y, s.z + by * d.z, s.w + by * d.w);
}

/* Many such pendulums for a second, by Bogacki and Shampine: a step is as long as its error allows, so all need other
 * numbers of steps. */
KERNEL adaptive_pendulums(const float *begin, float4 *end, int *steps, int n, float allowed) {
    int i = INDEX, taken = 0;
    float4 s = make_float4(6 * begin[i] - 3, 6 * begin[n + i] - 3, 0, 0), k1 = swing(s);
    float time = 0, h = 0.01f;
    while (time < 1 && taken < 400) {
        h = fminf(h, 1 - time);
        float4 k2 = swing(moved(s, 0.5f * h, k1)), k3 = swing(moved(s, 0.75f * h, k2));
        float4 next = moved(moved(moved(s, h * 2 / 9, k1), h / 3, k2), h * 4 / 9, k3), k4 = swing(next);
        float4 off = moved(moved(moved(make_float4(0, 0, 0, 0), h * -5 / 72, k1), h / 12, k2), h / 9, k3);
        off = moved(off, -h / 8, k4);
        float error = fmaxf(fmaxf(fabsf(off.x), fabsf(off.y)), fmaxf(fabsf(off.z), fabsf(off.w)));
        if (error <= allowed) {
            time += h;
            s = next;
            k1 = k4;
        }
        h *= fminf(4.0f, fmaxf(0.2f, 0.9f * cbrtf(allowed / (error + 1e-12f))));
        taken++;
    }
    end[i] = s;
    steps[i] = taken;
}

/* How well two proteins match somewhere, after Smith, Waterman and Gotoh: a block a pair, a thread a letter of the query;
 * the table is filled slant by slant. */
KERNEL smith_waterman(const uint8_t *query, const uint8_t *subject, const int8_t *worth, int *best,
                      int length) {
    __shared__ int8_t table[24 * 24];
    __shared__ short high[2][129], gap[2][129];
    __shared__ int most[4];
    int t = threadIdx.x, score = 0, left = 0, across = 0, corner = 0;
    const uint8_t *its = subject + (size_t)blockIdx.x * length;
    for (int k = t; k < 24 * 24; k += 128)
        table[k] = worth[k];
    for (int k = t; k < 258; k += 128)
        high[k / 129][k % 129] = gap[k / 129][k % 129] = 0;
    int letter = query[blockIdx.x * 128 + t] * 24;
    __syncthreads();
    for (int slant = 0; slant < length + 127; slant++) {
        int column = slant - t, to = slant & 1;
        if (column >= 0 && column < length) {
            int above = high[to ^ 1][t], down = max(gap[to ^ 1][t] - 1, above - 11);
            across = max(across - 1, left - 11);
            int value = max(max(0, corner + table[letter + its[column]]), max(down, across));
            corner = above;
            left = value;
            high[to][t + 1] = (short)value;
            gap[to][t + 1] = (short)down;
            score = max(score, value);
        }
        __syncthreads();
    }
    score = __reduce_max_sync(ALL, score);
    if (t % 32 == 0)
        most[t / 32] = score;
    __syncthreads();
    if (t == 0)
        best[blockIdx.x] = max(max(most[0], most[1]), max(most[2], most[3]));
}

/* How often each word of 12 letters A, C, G, T occurs in reads, or its mirror image if that is smaller: a thread 32 places. */
KERNEL kmer_counts(const uint8_t *text, uint32_t *counts, int n) {
    int first = INDEX * 32;
    uint32_t forward = 0, back = 0, valid = 0;
    for (int k = first; k < min(first + 32 + 11, n); k++) {
        uint8_t c = text[k];
        uint32_t code = (c >> 1 ^ c >> 2) & 3; /* A 0, C 1, G 2, T 3 */
        valid = c == 'N' ? 0 : valid + 1;
        forward = (forward << 2 | code) & 0xffffff;
        back = back >> 2 | (3 - code) << 22;
        if (k >= first + 11 && valid >= 12)
            atomicAdd(&counts[min(forward, back)], 1u);
    }
}

static __device__ float upwind(float back, float ahead, bool grows) {
    float a = grows ? fmaxf(back, 0.0f) : fminf(back, 0.0f);
    float b = grows ? fminf(ahead, 0.0f) : fmaxf(ahead, 0.0f);
    return fmaxf(a * a, b * b);
}

/* A front's distances made such again, one step after Godunov: which neighbours count depends on the sign. */
KERNEL level_set_step(const float *d, float *y, int3 size, float step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= size.x || j >= size.y || k >= size.z)
        return;
    int row = size.x, plane = size.x * size.y, at = k * plane + j * row + i;
    float own = d[at];
    float west = i > 0 ? own - d[at - 1] : 0, east = i < size.x - 1 ? d[at + 1] - own : 0;
    float north = j > 0 ? own - d[at - row] : 0, south = j < size.y - 1 ? d[at + row] - own : 0;
    float below = k > 0 ? own - d[at - plane] : 0, above = k < size.z - 1 ? d[at + plane] - own : 0;
    bool grows = own > 0;
    float slope =
        sqrtf(upwind(west, east, grows) + upwind(north, south, grows) + upwind(below, above, grows));
    y[at] = own - step * own * rsqrtf(own * own + 1) * (slope - 1);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22, cells = 24, particles = cells * cells * cells * 6, faces = 600000;
    const int nodes = 1 << 17, elements = 1200000, pairs = 300, length = 400;
    float *x = random_floats(4 * n), *y = zeros(4 * n), *flow = zeros(3 * n);
    /* six in each cell, in the order of the cells */
    float4 *particle = filled<float4>(particles, [=](uint32_t i) {
        uint32_t c = i / 6;
        auto within = [=](uint32_t k) { return (mixed(3 * i + k) >> 9) / 8388608.0f; };
        return make_float4(c % cells + within(0), c / cells % cells + within(1),
                           c / cells / cells + within(2), 0.16f);
    });
    int *start = filled<int>(cells * cells * cells + 1, [](uint32_t i) { return 6 * i; });
    float4 *charge = filled<float4>(2048, [](uint32_t i) {
        return make_float4((mixed(i) >> 9) / 8388608.0f, (mixed(i + 1) >> 9) / 8388608.0f,
                           (mixed(i + 2) >> 9) / 8388608.0f, i % 2 ? 1.0f : -1.0f);
    });
    float *water = filled<float>(n, [](uint32_t i) { return 1 + (mixed(i / 64) % 100) * 0.002f; });
    const int volumes = 200000;
    /* numbered along a curve of neighbours, as a good mesh is */
    int2 *face = filled<int2>(faces, [=](uint32_t i) {
        uint32_t a = i / 3, b = (a + (i % 3 == 0 ? 1 : i % 3 == 1 ? 46 : 2116)) % volumes;
        return make_int2((int)a, (int)b);
    });
    double *normal = filled<double>(3 * faces, [](uint32_t i) { return mixed(i) / 4294967296.0; });
    double *state = filled<double>(5 * volumes, [=](uint32_t i) {
        return (i < volumes ? 1.0 : i < 4 * volumes ? 0.0 : 2.5) + 0.1 * (mixed(i) / 4294967296.0);
    });
    double *residual = (double *)allocated(5 * volumes * sizeof(double));
    int4 *element = filled<int4>(elements, [=](uint32_t i) {
        uint32_t base = (uint32_t)((uint64_t)i * (nodes - 4096) / elements);
        return make_int4((int)base, (int)(base + 1 + mixed(i) % 60), (int)(base + 64 + mixed(i + 1) % 60),
                         (int)(base + 2048 + mixed(i + 2) % 60));
    });
    uint8_t *protein =
        filled<uint8_t>(pairs * (128 + length), [](uint32_t i) { return (uint8_t)(mixed(i) % 20); });
    int8_t *worth = filled<int8_t>(24 * 24, [](uint32_t i) {
        return (int8_t)(i % 25 == 0 ? 4 + mixed(i) % 6 : (int)(mixed(i / 24 + i % 24) % 5) - 4);
    });
    uint32_t *kmers = (uint32_t *)allocated((size_t)4 << 24);
    uint8_t *reads = filled<uint8_t>(
        n, [](uint32_t i) { return (uint8_t)(mixed(i) % 500 == 0 ? 'N' : "ACGT"[mixed(i) % 4]); });
    VALIDATE(sph_density, (particles + 127) / 128, 128, particle, start, (float2 *)y, particles, cells, 1.0f);
    VALIDATE(ewald_real, 32, 64, charge, (float4 *)y, 2048, 6.0f, 0.4f);
    VALIDATE(wave_volume, dim3(6, 40, 32), dim3(32, 4, 4), x, x + n, x + 2 * n, y, 192, 160, 128);
    VALIDATE(shallow_water, dim3(32, 192), dim3(64, 8), water, flow, flow + n, y, y + n, y + 2 * n, 2048,
             1536, 0.02f);
    VALIDATE(euler_fluxes, (faces + 191) / 192, 192, face, normal, state, residual, faces, volumes);
    VALIDATE(tetrahedra_apply, 660, 128, element, (float4 *)x, flow + 2 * n, elements);
    VALIDATE(adaptive_pendulums, 512, 64, x, (float4 *)y, (int *)y + n, 512 * 64, 1e-4f);
    VALIDATE(smith_waterman, pairs, 128, protein, protein + pairs * 128, worth, (int *)y, length);
    VALIDATE(kmer_counts, n / 32 / 128, 128, reads, kmers, n);
    VALIDATE(level_set_step, dim3(50, 50, 25), dim3(4, 4, 8), x, y, make_int3(200, 200, 200), 0.3f);
    return 0;
}
