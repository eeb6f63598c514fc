/* fourth_spaces.cu: places, boxes, surfaces, triangles, what is near, and where keys are kept. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* 21 bits, with two empty places behind each. */
static __host__ __device__ uint64_t spread(uint64_t x) {
    x = (x | x << 32) & 0x001f00000000ffffull;
    x = (x | x << 16) & 0x001f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

/* Where points lie on a curve that fills space: three numbers of 21 bits, their bits in turn. */
KERNEL morton_codes(const float4 *point, uint64_t *code) {
    float4 p = point[INDEX];
    uint32_t x = (uint32_t)(p.x * 2097151), y = (uint32_t)(p.y * 2097151), z = (uint32_t)(p.z * 2097151);
    code[INDEX] = spread(x) | spread(y) << 1 | spread(z) << 2;
}

/* When a ray meets a box, or 1e30. `by`: one over its direction. */
static __device__ float met(float3 from, float3 by, float4 low, float4 high, float far) {
    float a = (low.x - from.x) * by.x, b = (high.x - from.x) * by.x;
    float c = (low.y - from.y) * by.y, d = (high.y - from.y) * by.y;
    float e = (low.z - from.z) * by.z, f = (high.z - from.z) * by.z;
    float enter = fmaxf(fmaxf(fminf(a, b), fminf(c, d)), fmaxf(fminf(e, f), 0.0f));
    float leave = fminf(fminf(fmaxf(a, b), fmaxf(c, d)), fminf(fmaxf(e, f), far));
    return enter <= leave ? enter : 1e30f;
}

/* The nearest of 8192 balls along a ray, through a tree of boxes; what is left to look at stands on a stack. Node k has the
 * children 2 k and 2 k + 1, the last level's boxes hold a ball each. */
KERNEL boxes_of_rays(const float4 *low, const float4 *high, const float4 *ball, uint2 *hit, int width,
                     int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, depth = 0;
    float3 from = make_float3(16, 8, -20),
           way = make_float3(1.1f * i / width - 0.55f, 0.6f * j / height - 0.3f, 1);
    float length = rsqrtf(way.x * way.x + way.y * way.y + way.z * way.z), far = 1e29f;
    way = make_float3(way.x * length + 1e-6f, way.y * length + 1e-6f, way.z * length);
    float3 by = make_float3(1 / way.x, 1 / way.y, 1 / way.z);
    uint32_t stack[16], node = 1, found = 0;
    for (;;) {
        if (node >= 8192) {
            float4 b = ball[node - 8192];
            float x = b.x - from.x, y = b.y - from.y, z = b.z - from.z,
                  along = x * way.x + y * way.y + z * way.z;
            float root = along * along - (x * x + y * y + z * z) + b.w * b.w;
            float at = root > 0 ? along - sqrtf(root) : 1e30f;
            if (at < far)
                far = at, found = node;
        } else {
            uint32_t left = 2 * node, right = left + 1;
            float a = met(from, by, low[left], high[left], far),
                  b = met(from, by, low[right], high[right], far);
            if (fminf(a, b) < 1e30f) {
                node = a <= b ? left : right;
                if (fmaxf(a, b) < 1e30f)
                    stack[depth++] = a <= b ? right : left;
                continue;
            }
        }
        if (depth == 0)
            break;
        node = stack[--depth];
    }
    hit[j * width + i] = make_uint2(found, __float_as_uint(far));
}

__constant__ uint8_t edges_of[256];

/* Cubes of a volume by which of their corners are inside a surface, and how many edges it cuts: what a mesh needs room for. */
KERNEL cubes_classified(const float *x, uint8_t *kind, uint32_t *edges, int width, int height, float level) {
    __shared__ uint32_t of_warp[8];
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = blockIdx.z;
    int at = (k * height + j) * width + i;
    uint32_t corners = 0, count = 0;
    if (i < width - 1 && j < height - 1) {
#pragma unroll
        for (int c = 0; c < 8; c++)
            corners |= (uint32_t)(x[at + ((c >> 2) * height + (c >> 1 & 1)) * width + (c & 1)] > level) << c;
        count = edges_of[corners];
        kind[at] = (uint8_t)corners;
    }
    count = __reduce_add_sync(ALL, count);
    if (threadIdx.x == 0)
        of_warp[threadIdx.y] = count;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        for (int w = 1; w < 8; w++)
            count += of_warp[w];
        edges[(k * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = count;
    }
}

/* How far it is to a field of balls that melts into a ring and into the ground. */
static __device__ float distance_to(float x, float y, float z) {
    float u = x - 2 * rintf(0.5f * x), w = z - 2 * rintf(0.5f * z);
    float ball = sqrtf(u * u + y * y + w * w) - 0.5f, around = sqrtf(x * x + z * z) - 3;
    float ring = sqrtf(around * around + (y - 0.7f) * (y - 0.7f)) - 0.3f,
          ground = y + 0.4f + 0.1f * __sinf(2 * x);
    return -0.125f * __logf(__expf(-8 * ball) + __expf(-8 * ring) + __expf(-8 * ground));
}

/* A picture of that field: a ray goes on by the distance until it is there; then which way the surface looks. */
KERNEL distance_march(float4 *light, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    float dx = (float)i / width - 0.5f, dy = 0.2f - 0.6f * j / height, dz = 0.8f, far = 0, d = 1;
    float by = rsqrtf(dx * dx + dy * dy + dz * dz), x, y, z;
    dx *= by, dy *= by, dz *= by;
    int steps = 0;
    do {
        x = far * dx, y = 2.2f + far * dy, z = far * dz - 7;
        d = distance_to(x, y, z);
        far += 0.8f * d;
    } while (++steps < 96 && d > 0.002f && far < 30);
    float4 shade = make_float4(0, 0, far, (float)steps);
    if (d <= 0.002f) {
        float a = distance_to(x + 0.01f, y, z) - d, b = distance_to(x, y + 0.01f, z) - d;
        float c = distance_to(x, y, z + 0.01f) - d, size = rsqrtf(a * a + b * b + c * c);
        shade.x = fmaxf(0.0f, (0.5f * a + 0.8f * b - 0.33f * c) * size);
        shade.y = __powf(fmaxf(0.0f, shade.x), 20);
    }
    light[j * width + i] = shade;
}

/* Keys into a table with open places, and how often each came: a key takes the first place behind its own that is free. */
KERNEL hash_insert(const uint32_t *keys, uint32_t *table, uint32_t *counts, uint32_t *place, uint32_t mask) {
    uint32_t key = keys[INDEX], at = key * 2654435761u >> 7 & mask;
    for (;;) {
        uint32_t old = atomicCAS(&table[at], 0u, key);
        if (old == 0 || old == key)
            break;
        at = (at + 1) & mask;
    }
    atomicAdd(&counts[at], 1u);
    place[INDEX] = at;
}

static __host__ __device__ uint32_t bucket(uint32_t key, uint32_t which) {
    return (key ^ which * 0x5bd1e995u) * (which == 0 ? 0x9e3779b1u : 0x85ebca77u) >> 14;
}

/* Keys looked up in a table of buckets of four, of which each key has two. */
KERNEL buckets_of_four(const uint32_t *keys, const uint4 *held, const uint32_t *values, uint32_t *y) {
    uint32_t key = keys[INDEX], value = 0;
    for (uint32_t which = 0; which < 2; which++) {
        uint32_t at = bucket(key, which);
        uint4 four = held[at];
        int slot = four.x == key ? 0 : four.y == key ? 1 : four.z == key ? 2 : four.w == key ? 3 : 4;
        if (slot < 4) {
            value = values[4 * at + slot];
            break;
        }
    }
    y[INDEX] = value;
}

/* Which neighbours of a graph's outmost nodes are new: nodes of many neighbours get the whole warp, one after another, the
 * others a lane each. What is new goes to a list of the warp's, which begins where its first node's neighbours do. */
KERNEL frontier_grows(const uint32_t *frontier, const uint32_t *start, const uint32_t *neighbour,
                      const uint8_t *level, uint8_t *next, uint32_t *list, uint32_t *counts) {
    uint32_t lane = threadIdx.x % 32, node = frontier[INDEX], at = start[node], stop = start[node + 1], big;
    uint32_t end = __shfl_sync(ALL, at, 0), count = end;
    while ((big = __ballot_sync(ALL, stop - at >= 32)) != 0 || __any_sync(ALL, at < stop)) {
        uint32_t leader = big != 0 ? __ffs(big) - 1 : lane, first = __shfl_sync(ALL, at, leader);
        uint32_t here = big != 0 ? first + lane : at, other = 0;
        bool fresh = here < __shfl_sync(ALL, stop, leader);
        if (fresh) {
            other = neighbour[here];
            fresh = level[other] == 0;
        }
        uint32_t vote = __ballot_sync(ALL, fresh);
        if (fresh) {
            next[other] = 1;
            list[end + __popc(vote & ((1u << lane) - 1))] = other;
        }
        end += __popc(vote);
        if (lane == leader)
            at += big != 0 ? min(32u, stop - at) : at < stop;
    }
    if (lane == 0)
        counts[INDEX / 32] = end - count;
}

/* Forces between atoms in double precision: those of the 27 cells around, which hold some eight each, round the edges. */
KERNEL cell_forces(const double *x, const double *y, const double *z, const uint32_t *start, double *force,
                   double cut) {
    uint32_t i = blockIdx.x * 16 + threadIdx.x / 8, cx = i & 15, cy = i >> 4 & 15, cz = i >> 8,
             n = start[4096];
    for (uint32_t mine = start[i] + threadIdx.x % 8; mine < start[i + 1]; mine += 8) {
        double px = x[mine], py = y[mine], pz = z[mine], fx = 0, fy = 0, fz = 0;
        for (int c = 0; c < 27; c++) {
            uint32_t other =
                ((cz + c / 9 - 1) & 15) << 8 | ((cy + c / 3 % 3 - 1) & 15) << 4 | ((cx + c % 3 - 1) & 15);
            for (uint32_t k = start[other]; k < start[other + 1]; k++) {
                double dx = px - x[k], dy = py - y[k], dz = pz - z[k];
                dx -= 16 * rint(dx * 0.0625), dy -= 16 * rint(dy * 0.0625), dz -= 16 * rint(dz * 0.0625);
                double square = dx * dx + dy * dy + dz * dz;
                if (square < cut && k != mine) {
                    double inverse = 0.1 / square, sixth = inverse * inverse * inverse;
                    double push = inverse * sixth * (sixth - 0.5);
                    fx += push * dx, fy += push * dy, fz += push * dz;
                }
            }
        }
        force[mine] = fx, force[n + mine] = fy, force[2 * n + mine] = fz;
    }
}

/* Which of many vectors is nearest to one that is asked for: vectors are 16 bytes, each says which of 256 parts is near; how
 * far these are lies in shared memory. */
KERNEL nearest_codes(const uint4 *codes, const float *tables, unsigned long long *nearest, int n) {
    __shared__ float far[16][256];
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
        far[k / 256][k % 256] = tables[blockIdx.y * 4096 + k];
    __syncthreads();
    float least = 1e30f;
    uint32_t best = 0;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = codes[i];
        uint32_t words[4] = {v.x, v.y, v.z, v.w};
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 16; k++)
            sum += far[k][words[k / 4] >> 8 * (k % 4) & 255];
        if (sum < least)
            least = sum, best = i;
    }
    atomicMin(&nearest[blockIdx.y], (unsigned long long)__float_as_uint(least) << 32 | best);
}

/* Triangles drawn where nothing nearer was drawn: a warp each, its lanes go over the box around it. */
KERNEL triangles_drawn(const int2 *corner, const uint32_t *depths, uint32_t *depth, int width) {
    int i = INDEX / 32, lane = threadIdx.x % 32;
    int2 a = corner[3 * i], b = corner[3 * i + 1], c = corner[3 * i + 2];
    int area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area <= 0)
        return;
    int left = min(a.x, min(b.x, c.x)), across = max(a.x, max(b.x, c.x)) - left + 1;
    int top = min(a.y, min(b.y, c.y)), size = across * (max(a.y, max(b.y, c.y)) - top + 1);
    float za = depths[3 * i], zb = depths[3 * i + 1], zc = depths[3 * i + 2], by = 1.0f / area;
    for (int k = lane; k < size; k += 32) {
        int x = left + k % across, y = top + k / across;
        int of_a = (c.x - b.x) * (y - b.y) - (c.y - b.y) * (x - b.x);
        int of_b = (a.x - c.x) * (y - c.y) - (a.y - c.y) * (x - c.x), of_c = area - of_a - of_b;
        if ((of_a | of_b | of_c) >= 0)
            atomicMin(&depth[y * width + x],
                      (uint32_t)((of_a * za + of_b * zb + of_c * zc) * by) << 8 | (i & 255));
    }
}

/* Every third bit of a number, from the one of `first` on. */
static uint32_t every_third(uint32_t i, uint32_t first) {
    uint32_t bits = 0;
    for (uint32_t k = 0; 3 * k + first < 32; k++)
        bits |= (i >> (3 * k + first) & 1) << k;
    return bits;
}

/* Balls in the order of a curve through 32 x 16 x 16 places, and the boxes around them, from the last level up. */
static void fill_boxes(float4 *low, float4 *high, float4 *ball) {
    for (uint32_t i = 0; i < 8192; i++) {
        float r = 0.1f + (mixed(i) >> 8) / 67108864.0f;
        float4 b = make_float4(every_third(i, 0) + (mixed(i + 1) >> 8) / 16777216.0f,
                               every_third(i, 1) + (mixed(i + 2) >> 8) / 16777216.0f,
                               every_third(i, 2) + (mixed(i + 3) >> 8) / 16777216.0f, r);
        ball[i] = b;
        low[8192 + i] = make_float4(b.x - r, b.y - r, b.z - r, 0);
        high[8192 + i] = make_float4(b.x + r, b.y + r, b.z + r, 0);
    }
    for (uint32_t i = 8191; i > 0; i--) {
        float4 a = low[2 * i], b = low[2 * i + 1], c = high[2 * i], d = high[2 * i + 1];
        low[i] = make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), 0);
        high[i] = make_float4(fmaxf(c.x, d.x), fmaxf(c.y, d.y), fmaxf(c.z, d.z), 0);
    }
}

/* Keys go to the emptier one of their two buckets; those that find both full are left out. */
static void fill_buckets(uint32_t *held, uint32_t keys) {
    for (uint32_t k = 0; k < keys; k++) {
        uint32_t key = mixed(k) | 1, *a = held + 4 * bucket(key, 0), *b = held + 4 * bucket(key, 1), of_a = 0,
                 of_b = 0;
        while (of_a < 4 && a[of_a] != 0)
            of_a++;
        while (of_b < 4 && b[of_b] != 0)
            of_b++;
        if (of_a <= of_b && of_a < 4)
            a[of_a] = key;
        else if (of_b < 4)
            b[of_b] = key;
    }
}

/* How many of a cube's twelve edges have one end inside. */
static uint32_t edges_cut(uint32_t corners) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < 8; c++)
        for (uint32_t axis = 1; axis < 8; axis *= 2)
            count += (c & axis) == 0 && (corners >> c & 1) != (corners >> (c | axis) & 1);
    return count;
}

static uint32_t degree_of(uint32_t node) {
    return 3 + 200 / (1 + mixed(node) % 64);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const uint32_t n = 1 << 22, nodes = 1 << 20, width = 256, height = 192, depth = 128, atoms = 8 * 4096;
    float *x = random_floats(4 * n), *y = zeros(4 * n);
    uint32_t *to = (uint32_t *)y, *words = random_words(n, 3 << 20);
    static float4 low[16384], high[16384], ball[8192];
    static uint32_t held[1 << 20];
    static uint8_t cut[256];
    fill_boxes(low, high, ball);
    fill_buckets(held, 600000);
    for (uint32_t i = 0; i < 256; i++)
        cut[i] = (uint8_t)edges_cut(i);
    check(cudaMemcpyToSymbol(edges_of, cut, sizeof cut), "cudaMemcpyToSymbol");
    float4 *boxes_low = filled<float4>(16384, [](uint32_t i) { return low[i]; });
    float4 *boxes_high = filled<float4>(16384, [](uint32_t i) { return high[i]; });
    float4 *balls = filled<float4>(8192, [](uint32_t i) { return ball[i]; });
    /* sheets that wave, and some noise */
    float *volume = filled<float>(width * height * depth, [=](uint32_t i) {
        int a = i % width % 64, b = i / width % height % 48, c = i / width / height % 32;
        return abs(a - 32) * 0.03f + abs(b - 24) * 0.02f + abs(c - 16) * 0.04f + mixed(i) % 100 * 0.001f;
    });
    uint32_t *keys = filled<uint32_t>(n / 2, [](uint32_t i) { return mixed(mixed(i) % (n / 2) + 1); });
    uint32_t *table = (uint32_t *)allocated(2 * n), *counts = (uint32_t *)allocated(2 * n);
    uint4 *buckets = (uint4 *)filled<uint32_t>(1 << 20, [](uint32_t i) { return held[i]; });
    /* of the keys that are asked for, two of three are there */
    uint32_t *asked = filled<uint32_t>(n, [](uint32_t i) { return mixed(mixed(i) % 900000) | 1; });
    uint32_t edges = 0;
    uint32_t *start = filled<uint32_t>(nodes + 1, [&](uint32_t i) {
        uint32_t first = edges;
        edges += i < nodes ? degree_of(i) : 0;
        return first;
    });
    uint32_t *neighbour = random_words(edges, nodes), *list = (uint32_t *)allocated(4 * (size_t)edges);
    uint32_t *frontier = filled<uint32_t>(nodes / 4, [](uint32_t i) { return 4 * i + mixed(i) % 4; });
    uint8_t *level = filled<uint8_t>(nodes, [](uint32_t i) { return mixed(i + 6) % 3 == 0; });
    /* atoms of a cell of 4096: between five and eleven, eight on average */
    uint32_t before = 0, cell = 0, given = 0;
    auto held_by = [](uint32_t i) { return i % 2 == 0 ? 8 + mixed(i / 2) % 4 : 8 - mixed(i / 2) % 4; };
    uint32_t *first = filled<uint32_t>(4097, [&](uint32_t i) {
        uint32_t its = before;
        before += i < 4096 ? held_by(i) : 0;
        return its;
    });
    static uint32_t cell_of[8 * 4096];
    for (uint32_t i = 0; i < atoms; i++) {
        while (given == held_by(cell))
            cell++, given = 0;
        given++;
        cell_of[i] = cell;
    }
    double *place[3], *force = (double *)allocated(3 * atoms * sizeof(double));
    for (uint32_t axis = 0; axis < 3; axis++)
        place[axis] = filled<double>(atoms, [=](uint32_t i) {
            return (cell_of[i] >> 4 * axis & 15) + (mixed(3 * i + axis) + 0.5) / 4294967296.0;
        });
    uint4 *codes = (uint4 *)filled<uint32_t>(n, mixed);
    unsigned long long *nearest = filled<unsigned long long>(4, [](uint32_t) { return ~0ull; });
    const uint32_t triangles = 12288;
    int2 *corner = filled<int2>(3 * triangles, [](uint32_t i) {
        uint32_t size = 8 + mixed(i / 3) % 57, k = i % 3; /* one corner at each side of a box */
        return make_int2((int)(mixed(i / 3 + 1) % 960 + (k == 1 ? size - 1 : mixed(i) % (size / 2))),
                         (int)(mixed(i / 3 + 2) % 700 + (k == 2 ? size - 1 : mixed(i + 3) % (size / 2))));
    });
    uint32_t *depths = random_words(3 * triangles, 1 << 23);
    uint32_t *nearer = filled<uint32_t>(1024 * 768, [](uint32_t) { return ~0u; });
    VALIDATE(morton_codes, n / 128, 128, (float4 *)x, (uint64_t *)y);
    VALIDATE(boxes_of_rays, dim3(80, 45), dim3(8, 8), boxes_low, boxes_high, balls, (uint2 *)y, 640, 360);
    VALIDATE(cubes_classified, dim3(8, 24, 127), dim3(32, 8), volume, (uint8_t *)y, to + n, width, height,
             0.8f);
    VALIDATE(distance_march, dim3(50, 56), dim3(16, 8), (float4 *)y, 800, 448);
    VALIDATE(hash_insert, n / 2 / 256, 256, keys, table, counts, to, n / 2 - 1);
    VALIDATE(buckets_of_four, n / 96, 96, asked, buckets, words, to);
    VALIDATE(frontier_grows, nodes / 4 / 128, 128, frontier, start, neighbour, level, (uint8_t *)y, list,
             to + n);
    VALIDATE(cell_forces, 256, 128, place[0], place[1], place[2], first, force, 0.8);
    VALIDATE(nearest_codes, dim3(132, 4), 256, codes, x, nearest, n / 4);
    VALIDATE(triangles_drawn, triangles / 2, 64, corner, depths, nearer, 1024);
    return 0;
}
