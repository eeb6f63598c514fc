/* fifth_suites.cu: what suites for heterogeneous machines ask: paths, speckles, alignments, particles, nets, clusters, trees,
 * hearts and gases. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* The cheapest ways down a wall, `height` rows at a time: a block knows 256 places, and fewer with each row. */
KERNEL pathfinder_rows(const int *wall, const int *before, int *after, int columns, int height) {
    __shared__ int previous[256], result[256];
    int t = threadIdx.x, x = (256 - 2 * height) * blockIdx.x - height + t;
    bool inside = x >= 0 && x < columns;
    previous[t] = inside ? before[x] : 1 << 30;
    __syncthreads();
    for (int i = 0; i < height; i++) {
        bool known = t > i && t < 255 - i && inside;
        if (known) {
            int best = min(previous[t], min(previous[t - 1], previous[t + 1]));
            result[t] = best + wall[i * columns + x];
        }
        __syncthreads();
        if (known)
            previous[t] = result[t];
        __syncthreads();
    }
    if (t >= height && t < 256 - height && inside)
        after[x] = previous[t];
}

/* How much a picture's speckles may flow to each side: differences to four neighbours, and one coefficient of them. */
KERNEL srad_coefficients(const float *picture, float *north, float *south, float *west, float *east,
                         float *flow, int rows, int columns, float noise) {
    int at = INDEX, i = at / columns, j = at % columns;
    if (i >= rows)
        return;
    float here = picture[at];
    float n = picture[i > 0 ? at - columns : at] - here;
    float s = picture[i < rows - 1 ? at + columns : at] - here;
    float w = picture[j > 0 ? at - 1 : at] - here, e = picture[j < columns - 1 ? at + 1 : at] - here;
    float slope = (n * n + s * s + w * w + e * e) / (here * here), bend = (n + s + w + e) / here;
    float top = 0.5f * slope - 0.0625f * bend * bend, bottom = 1 + 0.25f * bend;
    float varies = top / (bottom * bottom);
    float c = 1 / (1 + (varies - noise) / (noise * (1 + noise)));
    north[at] = n;
    south[at] = s;
    west[at] = w;
    east[at] = e;
    flow[at] = c < 0 ? 0.0f : c > 1 ? 1.0f : c;
}

/* A diagonal of tiles of tables that align two sequences each, many tables at once: 64 x 64 in shared memory, from corner to
 * corner. */
KERNEL needle_tiles(int *table, const signed char *alike, int size, int penalty) {
    __shared__ int score[65][65], like[64][64];
    int t = threadIdx.x, top = blockIdx.x * 64, left = size - 64 - top, wide = size + 1;
    int *own = table + (blockIdx.y * wide + top) * wide + left;
    const signed char *its = alike + (blockIdx.y * size + top) * size + left;
    for (int k = 0; k < 64; k++)
        like[k][t] = its[k * size + t];
    score[t + 1][0] = own[(t + 1) * wide];
    score[0][t + 1] = own[t + 1];
    if (t == 0)
        score[0][0] = own[0];
    __syncthreads();
    for (int m = 0; m < 127; m++) {
        int i = m - t;
        if (i >= 0 && i < 64) {
            int straight = score[i][t] + like[i][t];
            score[i + 1][t + 1] = max(straight, max(score[i + 1][t] - penalty, score[i][t + 1] - penalty));
        }
        __syncthreads();
    }
    for (int k = 0; k < 64; k++)
        own[(k + 1) * wide + t + 1] = score[k + 1][t + 1];
}

/* Potentials and forces between the particles of a box and of those around it, 64 each: a block a box, its neighbours come
 * through shared memory one after another. */
KERNEL lava_boxes(const float4 *place, const float *charge, float4 *force, int side, float by) {
    __shared__ float4 near[64];
    __shared__ float charges[64];
    int t = threadIdx.x, x = blockIdx.x, y = blockIdx.y, z = blockIdx.z, home = (z * side + y) * side + x;
    float4 me = place[64 * home + t], sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 27; k++) {
        int i = x + k % 3 - 1, j = y + k / 3 % 3 - 1, l = z + k / 9 - 1;
        if (i < 0 || j < 0 || l < 0 || i >= side || j >= side || l >= side)
            continue;
        int other = 64 * ((l * side + j) * side + i) + t;
        __syncthreads();
        near[t] = place[other];
        charges[t] = charge[other];
        __syncthreads();
        for (int n = 0; n < 64; n++) {
            float4 its = near[n];
            float dx = me.x - its.x, dy = me.y - its.y, dz = me.z - its.z;
            float v = expf(-by * (dx * dx + dy * dy + dz * dz)), push = 2 * v * charges[n];
            sum.x += push * dx;
            sum.y += push * dy;
            sum.z += push * dz;
            sum.w += charges[n] * v;
        }
    }
    force[64 * home + t] = sum;
}

/* What 16 inputs give to 16 hidden units: products with weights in shared memory, summed up as a tree. */
KERNEL backprop_forward(const float *input, const float *weights, float *partial) {
    __shared__ float given[16], product[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.x * 16 + ty) * 16 + tx;
    if (tx == 0)
        given[ty] = input[blockIdx.x * 16 + ty];
    __syncthreads();
    product[ty][tx] = weights[at];
    __syncthreads();
    product[ty][tx] *= given[ty];
    __syncthreads();
    for (int power = 2; power <= 16; power *= 2) {
        if (ty % power == 0)
            product[ty][tx] += product[ty + power / 2][tx];
        __syncthreads();
    }
    if (tx == 0)
        partial[blockIdx.x * 16 + ty] = product[0][ty];
}

/* What is saved if a point becomes a centre: for every point, to itself if it would move there, else to the centre it has. */
KERNEL streamcluster_gain(const float *coordinates, const float *weight, const float *cost, const int *centre,
                          const int *place_of, float *saved, uint8_t *moves, int n, int dimensions,
                          int candidate, int centres) {
    __shared__ float its[64];
    int i = INDEX;
    if (threadIdx.x < dimensions)
        its[threadIdx.x] = coordinates[threadIdx.x * n + candidate];
    __syncthreads();
    if (i >= n)
        return;
    float far = 0;
    for (int d = 0; d < dimensions; d++) {
        float by = coordinates[d * n + i] - its[d];
        far += by * by;
    }
    float would = far * weight[i], is = cost[i], *own = saved + i * (centres + 1);
    if (would < is) {
        moves[i] = 1;
        own[centres] = would - is;
    } else
        own[place_of[centre[i]]] += is - would;
}

/* Ranges looked up in a tree of nodes of 128 children: a block asks for one, each thread looks at a key of the node. */
KERNEL btree_ranges(const int *keys, const int *children, const int2 *asked, int2 *found, int levels) {
    __shared__ int low, high, begin, end;
    int t = threadIdx.x;
    int2 ask = asked[blockIdx.x];
    if (t == 0)
        low = high = begin = end = 0;
    __syncthreads();
    for (int level = 1; level < levels; level++) {
        const int *of_low = keys + 129 * low, *of_high = keys + 129 * high;
        int to_low = children[128 * low + t], to_high = children[128 * high + t];
        bool goes_low = of_low[t] <= ask.x && ask.x < of_low[t + 1];
        bool goes_high = of_high[t] <= ask.y && ask.y < of_high[t + 1];
        __syncthreads();
        if (goes_low)
            low = to_low;
        if (goes_high)
            high = to_high;
        __syncthreads();
    }
    if (keys[129 * low + t] == ask.x)
        begin = children[128 * low + t];
    if (keys[129 * high + t] == ask.y)
        end = children[128 * high + t];
    __syncthreads();
    if (t == 0)
        found[blockIdx.x] = make_int2(begin, end - begin + 1);
}

/* Particles drawn anew by their weights: each looks from the beginning for the first sum that is not below its number. */
KERNEL particles_drawn(const float *sums, const float *x, const float *y, float *to_x, float *to_y,
                       float first, int n) {
    int i = INDEX, found = n - 1;
    float wanted = first + (float)i / n;
    for (int k = 0; k < n; k++)
        if (sums[k] >= wanted) {
            found = k;
            break;
        }
    to_x[i] = x[found];
    to_y[i] = y[found];
}

/* How fast a gate opens, and closes, becomes where it will be after a step. */
static __device__ float gate(float is, float opens, float closes, float step) {
    float both = opens + closes, end = opens / both;
    return end - (end - is) * expf(-step * both);
}

static __device__ float linear_rate(float x, float by) {
    return fabsf(x) < 1e-3f ? by : x / (1 - expf(-x / by));
}

/* Cells of a nerve by Hodgkin and Huxley: a voltage and three gates, a cell a thread, many small steps. */
KERNEL nerve_cells(float4 *cell, const float *current, int steps, float step) {
    float4 c = cell[INDEX];
    float given = current[INDEX];
    for (int k = 0; k < steps; k++) {
        float v = c.x;
        c.y = gate(c.y, 0.1f * linear_rate(v + 40, 10), 4 * expf(-(v + 65) / 18), step);
        c.z = gate(c.z, 0.07f * expf(-(v + 65) / 20), 1 / (1 + expf(-(v + 35) / 10)), step);
        c.w = gate(c.w, 0.01f * linear_rate(v + 55, 10), 0.125f * expf(-(v + 65) / 80), step);
        float sodium = 120 * c.y * c.y * c.y * c.z * (v - 50), square = c.w * c.w;
        float potassium = 36 * square * square * (v + 77), leak = 0.3f * (v + 54.387f);
        c.x = v + step * (given - sodium - potassium - leak);
    }
    cell[INDEX] = c;
}

struct gas {
    float density, x, y, z, energy, pressure, speed;
};

static __device__ gas gas_of(const float *variables, int i, int n) {
    gas g = {variables[i],
             variables[n + i],
             variables[2 * n + i],
             variables[3 * n + i],
             variables[4 * n + i],
             0,
             0};
    float by = 1 / g.density;
    g.x *= by, g.y *= by, g.z *= by;
    g.pressure = 0.4f * (g.energy - 0.5f * g.density * (g.x * g.x + g.y * g.y + g.z * g.z));
    g.speed = sqrtf(1.4f * g.pressure * by);
    return g;
}

/* Flows of mass, momentum and energy between the elements of a mesh and their four neighbours, walls and the open. */
KERNEL euler_flux(const int *neighbour, const float *normals, const float *variables, float *fluxes, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    gas a = gas_of(variables, i, n);
    float mass = 0, mx = 0, my = 0, mz = 0, energy = 0;
    for (int k = 0; k < 4; k++) {
        int other = neighbour[k * n + i];
        float nx = normals[3 * k * n + i], ny = normals[(3 * k + 1) * n + i],
              nz = normals[(3 * k + 2) * n + i];
        if (other == -1) { /* a wall only pushes */
            mx += nx * a.pressure, my += ny * a.pressure, mz += nz * a.pressure;
            continue;
        }
        gas b = {1.4f, 1.2f, 0, 0, 3.508f, 1, 1};
        if (other >= 0)
            b = gas_of(variables, other, n);
        float area = sqrtf(nx * nx + ny * ny + nz * nz);
        float fade = 0.1f * area * (sqrtf(a.x * a.x + a.y * a.y + a.z * a.z) + a.speed + b.speed);
        float from_a = 0.5f * (nx * a.x + ny * a.y + nz * a.z),
              from_b = 0.5f * (nx * b.x + ny * b.y + nz * b.z), push = 0.5f * (a.pressure + b.pressure);
        float ma = a.density * (from_a + fade), mb = b.density * (from_b - fade);
        mass += ma + mb;
        mx += ma * a.x + mb * b.x + nx * push;
        my += ma * a.y + mb * b.y + ny * push;
        mz += ma * a.z + mb * b.z + nz * push;
        energy += from_a * (a.energy + a.pressure) + from_b * (b.energy + b.pressure) +
                  fade * (a.energy - b.energy);
    }
    fluxes[i] = mass;
    fluxes[n + i] = mx;
    fluxes[2 * n + i] = my;
    fluxes[3 * n + i] = mz;
    fluxes[4 * n + i] = energy;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int columns = 1 << 20, height = 20, picture = 2048, tables = 256, size = 512, side = 8;
    const int inputs = 1 << 19, points = 1 << 19, dimensions = 32, centres = 10;
    const int nodes = 1 + 128 + 128 * 128, queries = 32768;
    const int particles = 12288, cells = 1 << 16, elements = 3 << 18;
    size_t many = (size_t)1 << 22;
    float *x = random_floats(4 * many), *y = zeros(5 * many), *numbers = random_floats(1 << 20);
    int *wall = (int *)random_words((size_t)columns * height, 10), *row = (int *)random_words(columns, 100);
    float *bright = filled<float>(many, [](uint32_t i) { return 0.3f + mixed(i) % 1000 * 0.0007f; });
    size_t wide = size + 1;
    /* the border of a tile's diagonal is what gaps cost */
    int *table = filled<int>(tables * wide * wide, [=](uint32_t i) {
        uint32_t at = i % (wide * wide);
        return -2 * (int)(at / wide + at % wide) + (int)(mixed(i) % 5);
    });
    signed char *alike = filled<signed char>((size_t)tables * size * size,
                                             [](uint32_t i) { return (int)(mixed(i) % 15) - 5; });
    float4 *places = filled<float4>(64 * side * side * side, [](uint32_t i) {
        uint32_t box = i / 64;
        return make_float4(box % 8 + mixed(i) / 4294967296.0f, box / 8 % 8 + mixed(i + 1) / 4294967296.0f,
                           box / 64 + mixed(i + 2) / 4294967296.0f, 0);
    });
    int *own = (int *)random_words(points, centres),
        *place_of = filled<int>(centres, [](uint32_t i) { return i; });
    float *cost = filled<float>(points, [](uint32_t i) { return 0.2f + mixed(i) % 1000 * 0.0016f; });
    float *saved = zeros((size_t)points * (centres + 1));
    uint8_t *moves = (uint8_t *)allocated(points);
    /* the keys are the even numbers; a node has 128, and the first of the next */
    int *keys = filled<int>((size_t)nodes * 129, [](uint32_t i) {
        uint32_t node = i / 129, k = i % 129;
        uint32_t by = node == 0 ? 1 << 14 : node < 129 ? 1 << 7 : 1;
        uint32_t first = node == 0 ? 0 : node < 129 ? (node - 1) << 14 : (node - 129) << 7;
        return 2 * (first + k * by);
    });
    int *children = filled<int>((size_t)nodes * 128, [](uint32_t i) {
        return i < 128 ? 1 + i : i < 129 * 128 ? 1 + i : i - 129 * 128;
    });
    int2 *asked = filled<int2>(queries, [](uint32_t i) {
        int from = 2 * (int)(mixed(i) % (1 << 21)), to = from + 2 * (int)(mixed(i + 1) % 1000);
        return make_int2(from, to < 1 << 22 ? to : (1 << 22) - 2);
    });
    double before = 0, all = 0;
    for (uint32_t i = 0; i < (uint32_t)particles; i++)
        all += 1 + mixed(i) % 16;
    float *sums = filled<float>(particles, [&](uint32_t i) {
        before += 1 + mixed(i) % 16;
        return before / all;
    });
    float4 *cell = filled<float4>(
        cells, [](uint32_t i) { return make_float4(-65 + mixed(i) % 100 * 0.1f, 0.053f, 0.596f, 0.318f); });
    float *current = filled<float>(cells, [](uint32_t i) { return mixed(i) % 200 * 0.1f; });
    /* a mesh that was numbered well, with some walls and some of the open at its sides */
    int *neighbour = filled<int>(4 * elements, [=](uint32_t i) {
        const int step[] = {-1, 1, -887, 887};
        int k = i / elements,
            other = (int)(i % elements) + step[k] + (int)(mixed(i) % 8 == 0 ? mixed(i + 1) % 64 : 0);
        return mixed(i + 2) % 100 == 0          ? -1 - (int)(mixed(i) % 2)
               : other < 0 || other >= elements ? -2
                                                : other;
    });
    float *normals =
        filled<float>(12 * elements, [](uint32_t i) { return (int)(mixed(i) % 200 - 100) / 5000.0f; });
    float *variables = filled<float>(5 * elements, [=](uint32_t i) {
        const float mean[] = {1.4f, 1.2f, 0.1f, 0.1f, 3.5f};
        return mean[i / elements] + mixed(i) % 100 * 0.001f;
    });
    VALIDATE(pathfinder_rows, (columns + 215) / 216, 256, wall, row, (int *)y, columns, height);
    VALIDATE(srad_coefficients, many / 512, 512, bright, y, y + many, y + 2 * many, y + 3 * many,
             y + 4 * many, picture, picture, 0.05f);
    VALIDATE(needle_tiles, dim3(size / 64, tables), 64, table, alike, size, 2);
    VALIDATE(lava_boxes, dim3(side, side, side), 64, places, numbers, (float4 *)y, side, 0.5f);
    VALIDATE(backprop_forward, inputs / 16, dim3(16, 16), numbers, x, y);
    VALIDATE(streamcluster_gain, points / 512, 512, x, numbers, cost, own, place_of, saved, moves, points,
             dimensions, 77, centres);
    VALIDATE(btree_ranges, queries, 128, keys, children, asked, (int2 *)y, 3);
    VALIDATE(particles_drawn, particles / 128, 128, sums, numbers, numbers + particles, y, y + particles,
             0.5f / particles, particles);
    VALIDATE(nerve_cells, cells / 128, 128, cell, current, 40, 0.02f);
    VALIDATE(euler_flux, elements / 192, 192, neighbour, normals, variables, y, elements);
    return 0;
}
