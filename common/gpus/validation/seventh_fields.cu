/* seventh_fields.cu: simulations: elements, diagonals, charges and particles in grids, neutrons, links of a lattice, orbits, shocks. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define ALL 0xffffffffu

struct vector {
    double x, y, z;
};
static __device__ vector minus(vector a, vector b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
static __device__ vector plus(vector a, vector b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
static __device__ double triple(vector a, vector b, vector c) {
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

/* Volumes of bricks that were bent: eight corners each by a list, in double precision, and how much they grew. */
KERNEL hexahedron_volumes(const double *__restrict__ x, const double *__restrict__ y,
                          const double *__restrict__ z, const int4 *corners, const double *before,
                          double *volume, double *growth, int elements) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= elements)
        return;
    int4 low = corners[2 * i], high = corners[2 * i + 1];
    int node[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    vector p[8];
    for (int k = 0; k < 8; k++)
        p[k] = {x[node[k]], y[node[k]], z[node[k]]};
    vector d60 = minus(p[6], p[0]);
    double sum = triple(plus(minus(p[3], p[1]), minus(p[7], p[2])), minus(p[6], p[3]), minus(p[2], p[0])) +
                 triple(plus(minus(p[4], p[3]), minus(p[5], p[7])), minus(p[6], p[4]), minus(p[7], p[0])) +
                 triple(plus(minus(p[1], p[4]), minus(p[2], p[5])), minus(p[6], p[1]), minus(p[5], p[0]));
    double far = sqrt(d60.x * d60.x + d60.y * d60.y + d60.z * d60.z), its = sum / 12;
    volume[i] = its;
    growth[i] = (its - before[i]) / (far * far * far);
}

/* A matrix of seven diagonals times a vector. */
KERNEL diagonals_product(const double *__restrict__ diagonal, const int *offset, int diagonals,
                         const double *__restrict__ x, double *y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        double sum = 0;
        for (int k = 0; k < diagonals; k++) {
            int column = i + offset[k];
            if (column >= 0 && column < n)
                sum += diagonal[(size_t)k * n + i] * x[column];
        }
        y[i] = sum;
    }
}

/* What each particle adds to the charge of the eight places of the grid around it; the particles are nearly in order. */
KERNEL charge_deposited(const float *px, const float *py, const float *pz, float charge, float *grid,
                        int size, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = px[i], y = py[i], z = pz[i];
    int a = (int)x, b = (int)y, c = (int)z;
    float u = x - a, v = y - b, w = z - c;
    float *to = grid + (c * size + b) * size + a;
    int row = size, plane = size * size;
    atomicAdd(to, charge * (1 - u) * (1 - v) * (1 - w));
    atomicAdd(to + 1, charge * u * (1 - v) * (1 - w));
    atomicAdd(to + row, charge * (1 - u) * v * (1 - w));
    atomicAdd(to + row + 1, charge * u * v * (1 - w));
    atomicAdd(to + plane, charge * (1 - u) * (1 - v) * w);
    atomicAdd(to + plane + 1, charge * u * (1 - v) * w);
    atomicAdd(to + plane + row, charge * (1 - u) * v * w);
    atomicAdd(to + plane + row + 1, charge * u * v * w);
}

/* Charged particles in electric and magnetic fields, after Boris: half a push, a turn, half a push. */
KERNEL boris_push(const float *p, const float *v, const float4 *__restrict__ electric,
                  const float4 *__restrict__ magnetic, float *new_p, float *new_v, float h, int size, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = p[i], y = p[n + i], z = p[2 * n + i];
    int cell = ((int)z * size + (int)y) * size + (int)x;
    float4 e = electric[cell], b = magnetic[cell];
    float u = v[i] + h * e.x, w = v[n + i] + h * e.y, q = v[2 * n + i] + h * e.z;
    float tx = h * b.x, ty = h * b.y, tz = h * b.z;
    float s = 2 / (1 + tx * tx + ty * ty + tz * tz);
    float ax = u + w * tz - q * ty, ay = w + q * tx - u * tz, az = q + u * ty - w * tx;
    u += s * (ay * tz - az * ty) + h * e.x;
    w += s * (az * tx - ax * tz) + h * e.y;
    q += s * (ax * ty - ay * tx) + h * e.z;
    float most = size - 1.01f;
    new_p[i] = fminf(fmaxf(x + 2 * h * u, 0.0f), most);
    new_p[n + i] = fminf(fmaxf(y + 2 * h * w, 0.0f), most);
    new_p[2 * n + i] = fminf(fmaxf(z + 2 * h * q, 0.0f), most);
    new_v[i] = u;
    new_v[n + i] = w;
    new_v[2 * n + i] = q;
}

/* From a fine grid to one of half its size: the mean of 27 places, those in the middle count more. */
KERNEL grid_restricted(const float *__restrict__ fine, float *coarse, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z, many = 2 * size;
    if (i >= size || j >= size || k >= size)
        return;
    float sum = 0;
    if (i > 0 && j > 0 && k > 0) {
#pragma unroll
        for (int c = -1; c <= 1; c++)
#pragma unroll
            for (int b = -1; b <= 1; b++) {
                const float *row = fine + ((size_t)(2 * k + c) * many + 2 * j + b) * many + 2 * i;
                sum += (2 - abs(c)) * (2 - abs(b)) * (row[-1] + 2 * row[0] + row[1]);
            }
        sum /= 64;
    }
    coarse[((size_t)k * size + j) * size + i] = sum;
}

/* One sweep of Jacobi's for Poisson's equation, and the sum of the squares of what is still wrong. */
KERNEL poisson_sweep(const float *__restrict__ u, const float *__restrict__ f, float *next, double *wrong,
                     int width, int height, float cell) {
    __shared__ float sums[8];
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    float square = 0;
    if (i < width && j < height) {
        int at = j * width + i;
        float old = u[at], now = old;
        if (i > 0 && j > 0 && i < width - 1 && j < height - 1) {
            now = 0.25f * (u[at - 1] + u[at + 1] + u[at - width] + u[at + width] + cell * f[at]);
            square = (now - old) * (now - old);
        }
        next[at] = now;
    }
    for (int step = 16; step > 0; step /= 2)
        square += __shfl_down_sync(ALL, square, step);
    if (threadIdx.x == 0)
        sums[threadIdx.y] = square;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        float sum = 0;
        for (int k = 0; k < 8; k++)
            sum += sums[k];
        atomicAdd(wrong, (double)sum);
    }
}

/* How likely a neutron reacts: in each nuclide of a material, the energy is searched for and five figures lie between. */
KERNEL cross_sections(const double *energies, const double *__restrict__ figures, const int *first,
                      const int *nuclides, const double *share, double *result, int points, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t r = mixed(i + 12345), chance = mixed(r) % 100;
    double energy = (r >> 1) / 2147483648.0, sum[5] = {};
    int material = chance < 14 ? 0 : 1 + (int)(chance % 11);
    for (int k = first[material]; k < first[material + 1]; k++) {
        const double *grid = energies + (size_t)nuclides[k] * points;
        int low = 0, high = points - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (grid[middle] > energy)
                high = middle;
            else
                low = middle;
        }
        double part = (energy - grid[low]) / (grid[low + 1] - grid[low]);
        const double *at = figures + ((size_t)nuclides[k] * points + low) * 5;
        for (int m = 0; m < 5; m++)
            sum[m] += share[k] * (at[m] + part * (at[m + 5] - at[m]));
    }
    for (int m = 0; m < 5; m++)
        result[(size_t)m * n + i] = sum[m];
}

/* Products of complex matrices of 3 x 3, one at each link of a lattice; entries of all links lie side by side. */
KERNEL su3_links(const float2 *__restrict__ a, const float2 *__restrict__ b, float2 *c, int links) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= links)
        return;
    float2 right[9];
    for (int k = 0; k < 9; k++)
        right[k] = b[(size_t)k * links + i];
    for (int row = 0; row < 3; row++) {
        float2 left[3];
        for (int k = 0; k < 3; k++)
            left[k] = a[(size_t)(3 * row + k) * links + i];
        for (int column = 0; column < 3; column++) {
            float2 sum = make_float2(0, 0);
            for (int k = 0; k < 3; k++) {
                float2 u = left[k], v = right[3 * k + column];
                sum.x += u.x * v.x - u.y * v.y;
                sum.y += u.x * v.y + u.y * v.x;
            }
            c[(size_t)(3 * row + column) * links + i] = sum;
        }
    }
}

/* Where planets are on their ellipses: Kepler's equation by Newton's method, until it changes no more. */
KERNEL kepler_newton(const float *eccentricity, const float *anomaly, double2 *place, double tolerance,
                     int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double e = 0.97 * eccentricity[i], mean = 6.283185307179586 * anomaly[i];
        double angle = e < 0.8 ? mean : 3.141592653589793, sine, cosine;
        for (int round = 0; round < 30; round++) {
            sincos(angle, &sine, &cosine);
            double change = (angle - e * sine - mean) / (1 - e * cosine);
            angle -= change;
            if (fabs(change) < tolerance)
                break;
        }
        sincos(angle, &sine, &cosine);
        place[i] = make_double2(cosine - e, sqrt(1 - e * e) * sine);
    }
}

/* The value at a border by three parabolas, each of which counts the less the more it bends. */
static __device__ float weno5(float a, float b, float c, float d, float e) {
    float p = a - 2 * b + c, q = b - 2 * c + d, r = c - 2 * d + e;
    float s = a - 4 * b + 3 * c, t = b - d, u = 3 * c - 4 * d + e;
    float bend0 = 1.0833333f * p * p + 0.25f * s * s, bend1 = 1.0833333f * q * q + 0.25f * t * t;
    float bend2 = 1.0833333f * r * r + 0.25f * u * u, tiny = 1e-6f;
    float w0 = 0.1f / ((tiny + bend0) * (tiny + bend0)), w1 = 0.6f / ((tiny + bend1) * (tiny + bend1));
    float w2 = 0.3f / ((tiny + bend2) * (tiny + bend2));
    return (w0 * (2 * a - 7 * b + 11 * c) + w1 * (-b + 5 * c + 2 * d) + w2 * (2 * c + 5 * d - e)) /
           (6 * (w0 + w1 + w2));
}

/* Burgers' equation with shocks: what flows through each border, from the left and from the right. */
KERNEL weno_fluxes(const float *__restrict__ u, float *flux, float fastest, int width, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= rows)
        return;
    const float *row = u + (size_t)j * width;
    float right[6], left[6];
#pragma unroll
    for (int k = 0; k < 6; k++) {
        int at = i + k - 2;
        at = at < 0 ? at + width : at >= width ? at - width : at;
        float v = row[at], f = 0.5f * v * v;
        right[k] = 0.5f * (f + fastest * v);
        left[k] = 0.5f * (f - fastest * v);
    }
    flux[(size_t)j * width + i] = weno5(right[0], right[1], right[2], right[3], right[4]) +
                                  weno5(left[5], left[4], left[3], left[2], left[1]);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int side = 120, nodes = (side + 1) * (side + 1) * (side + 1), elements = side * side * side;
    const int particles = 1 << 20, movers = 3000000, n = 1 << 24, unknowns = 4000000, links = 1000000;
    const int nuclides = 68, points = 2000, lookups = 100000;
    float *x = random_floats((size_t)36 * links), *y = zeros(n);
    double *wide = filled<double>((size_t)7 * unknowns, [](uint32_t i) { return mixed(i) / 4294967296.0; });
    double *z = (double *)allocated((size_t)unknowns * 3 * sizeof(double));
    double *place[3];
    for (int k = 0; k < 3; k++)
        place[k] = filled<double>(nodes, [=](uint32_t i) {
            uint32_t along[3] = {i % (side + 1), i / (side + 1) % (side + 1), i / (side + 1) / (side + 1)};
            return along[k] + 0.3 * (mixed(3 * i + k) / 4294967296.0);
        });
    int *corners = filled<int>((size_t)8 * elements, [](uint32_t i) {
        const int up[8] = {0, 1, 1, 0, 0, 1, 1, 0}, across[8] = {0, 0, 1, 1, 0, 0, 1, 1};
        int e = i / 8, k = i % 8;
        return ((e / (side * side) + k / 4) * (side + 1) + e / side % side + across[k]) * (side + 1) +
               e % side + up[k];
    });
    int *offset = filled<int>(7, [](uint32_t i) {
        const int its[7] = {-40000, -200, -1, 0, 1, 200, 40000};
        return its[i];
    });
    float *near[3];
    for (int k = 0; k < 3; k++)
        near[k] = filled<float>(particles, [=](uint32_t i) {
            uint32_t along[3] = {i % 101, i / 101 % 101, i / (101 * 101)};
            return along[k] + 4 * (mixed(3 * i + k) >> 8) / 16777216.0f;
        });
    float *cells =
        filled<float>((size_t)3 * movers, [](uint32_t i) { return 63 * (mixed(i) >> 8) / 16777216.0f; });
    const int has[12] = {34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};
    int *first = filled<int>(13, [&](uint32_t i) {
        int sum = 0;
        for (uint32_t k = 0; k < i; k++)
            sum += has[k];
        return sum;
    });
    int *which = (int *)random_words(197, nuclides);
    double *energies = filled<double>((size_t)nuclides * points, [](uint32_t i) {
        return (i % points + 0.9 * mixed(i) / 4294967296.0) * (i % points != 0) / (points - 1.0);
    });
    VALIDATE(hexahedron_volumes, (elements + 127) / 128, 128, place[0], place[1], place[2], (int4 *)corners,
             wide, z, z + unknowns, elements);
    VALIDATE(diagonals_product, 1320, 256, wide, offset, 7, wide + unknowns, z, unknowns);
    VALIDATE(charge_deposited, particles / 256, 256, near[0], near[1], near[2], 0.01f, y, 128, particles);
    VALIDATE(boris_push, (movers + 191) / 192, 192, cells, x, (float4 *)x, (float4 *)x + (1 << 20),
             (float *)z, (float *)z + 3 * movers, 0.05f, 64, movers);
    VALIDATE(grid_restricted, dim3(4, 32, 32), dim3(32, 4, 4), x, y, 128);
    VALIDATE(poisson_sweep, dim3(128, 500), dim3(32, 8), x, x, y, z + 3 * unknowns - 1, 4090, 4000, 0.01f);
    VALIDATE(cross_sections, (lookups + 255) / 256, 256, energies, wide, first, which, wide, z, points,
             lookups);
    VALIDATE(su3_links, (links + 127) / 128, 128, (float2 *)x, (float2 *)x + 9 * links, (float2 *)z, links);
    VALIDATE(kepler_newton, 600, 128, x, x + (1 << 22), (double2 *)z, 1e-12, 600000);
    VALIDATE(weno_fluxes, dim3(8, 2048), 256, x, y, 1.0f, 2048, 2048);
    return 0;
}
