/* eighth_worlds.cu: cloth, arms, maps, places of robots, lands and their rivers, boards, sand, mazes, and boxes that meet. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* A cloth's step: twelve springs at each knot, straight, slanting and two knots long, then its way by Verlet. */
KERNEL cloth_step(const float4 *now, const float4 *before, float4 *next, int width, int height) {
    const int dx[12] = {1, -1, 0, 0, 1, -1, 1, -1, 2, -2, 0, 0},
              dy[12] = {0, 0, 1, -1, 1, 1, -1, -1, 0, 0, 2, -2};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float4 p = now[y * width + x], old = before[y * width + x];
    float3 force = make_float3(0, -9.81f, 0);
#pragma unroll
    for (int k = 0; k < 12; k++) {
        int u = x + dx[k], v = y + dy[k];
        if (u < 0 || v < 0 || u >= width || v >= height)
            continue;
        float4 q = now[v * width + u];
        float rest = k < 4 ? 1.0f : k < 8 ? 1.4142135f : 2.0f, a = q.x - p.x, b = q.y - p.y, c = q.z - p.z;
        float pull = 40.0f * (1 - rest * rsqrtf(a * a + b * b + c * c + 1e-12f));
        force.x += pull * a, force.y += pull * b, force.z += pull * c;
    }
    float by = p.w * 1e-4f; /* w: one over its mass, 0 where the cloth is held */
    next[y * width + x] = make_float4(p.x + (p.w > 0 ? 0.99f * (p.x - old.x) : 0) + by * force.x,
                                      p.y + (p.w > 0 ? 0.99f * (p.y - old.y) : 0) + by * force.y,
                                      p.z + (p.w > 0 ? 0.99f * (p.z - old.z) : 0) + by * force.z, p.w);
}

/* Arms of eight joints reach for a place, from the last joint to the first, each turning the tip there; until it is near. */
KERNEL arms_reach(const float2 *goal, float *angle, int *rounds, int arms) {
    int i = INDEX, round = 0;
    if (i >= arms)
        return;
    float2 to = goal[i], at[9];
    for (int k = 0; k < 9; k++)
        at[k] = make_float2(k, 0);
    for (; round < 40; round++) {
        float dx = at[8].x - to.x, dy = at[8].y - to.y;
        if (dx * dx + dy * dy < 1e-4f)
            break;
#pragma unroll
        for (int k = 7; k >= 0; k--) {
            float ax = at[8].x - at[k].x, ay = at[8].y - at[k].y, bx = to.x - at[k].x, by = to.y - at[k].y;
            float c = ax * bx + ay * by, s = ax * by - ay * bx, r = rsqrtf(c * c + s * s + 1e-12f);
            c *= r, s *= r;
#pragma unroll
            for (int m = k + 1; m < 9; m++) {
                float x = at[m].x - at[k].x, y = at[m].y - at[k].y;
                at[m] = make_float2(at[k].x + c * x - s * y, at[k].y + s * x + c * y);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        angle[k * arms + i] = atan2f(at[k + 1].y - at[k].y, at[k + 1].x - at[k].x);
    rounds[i] = round;
}

/* Beams of a robot's scans enter a map: cells on the way are free by one more, those at the end taken; after Bresenham. */
KERNEL beams_mapped(const int4 *beam, int *map, int beams, int width) {
    int i = INDEX;
    if (i >= beams)
        return;
    int4 b = beam[i];
    int dx = abs(b.z - b.x), dy = -abs(b.w - b.y), sx = b.x < b.z ? 1 : -1, sy = b.y < b.w ? 1 : -1;
    int error = dx + dy, x = b.x, y = b.y;
    while (x != b.z || y != b.w) {
        atomicAdd(&map[y * width + x], -1);
        int twice = 2 * error;
        if (twice >= dy)
            error += dy, x += sx;
        if (twice <= dx)
            error += dx, y += sy;
    }
    atomicAdd(&map[y * width + x], 4);
}

/* How well each guess of a robot's place fits what it sees: a warp a guess, 180 beams' ends looked up in a map of odds. */
KERNEL guesses_weighed(const float4 *guess, const float2 *beam, const float *__restrict__ field,
                       float *weight, int guesses, int width) {
    __shared__ float2 ends[180];
    for (int k = threadIdx.x; k < 180; k += blockDim.x)
        ends[k] = beam[k];
    __syncthreads();
    int lane = threadIdx.x % 32;
    for (int i = INDEX / 32; i < guesses; i += gridDim.x * blockDim.x / 32) {
        float4 g = guess[i]; /* place, cosine and sine */
        float sum = 0;
        for (int k = lane; k < 180; k += 32) {
            float2 e = ends[k];
            int x = (int)floorf(g.x + g.z * e.x - g.w * e.y), y = (int)floorf(g.y + g.w * e.x + g.z * e.y);
            bool on = x >= 0 && y >= 0 && x < width && y < width;
            sum += on ? __logf(0.05f + field[y * width + x]) : -3.0f;
        }
        for (int k = 16; k > 0; k /= 2)
            sum += __shfl_xor_sync(ALL, sum, k);
        if (lane == 0)
            weight[i] = __expf(0.05f * sum);
    }
}

static __device__ float sloped(int hash, float x, float y) {
    float u = hash & 1 ? x : -x, v = hash & 2 ? y : -y;
    return hash & 4 ? u + v : hash & 8 ? 1.4142135f * u : 1.4142135f * v;
}

/* A land by Perlin's noise: eight layers, each of half the size of the one before; the table lies in shared memory. */
KERNEL land_of_noise(const uint8_t *order, float *land, int width, float size) {
    __shared__ uint8_t table[512];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    for (int k = t; k < 512; k += blockDim.x * blockDim.y)
        table[k] = order[k & 255];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    float x = i * size, y = j * size, high = 0, share = 0.5f;
    for (int k = 0; k < 8; k++) {
        float fx = floorf(x), fy = floorf(y), u = x - fx, v = y - fy;
        int a = (int)fx & 255, b = (int)fy & 255;
        int left = table[a] + b, right = table[a + 1] + b;
        float su = u * u * u * (u * (u * 6 - 15) + 10), sv = v * v * v * (v * (v * 6 - 15) + 10);
        float n00 = sloped(table[left & 511], u, v), n10 = sloped(table[right & 511], u - 1, v);
        float n01 = sloped(table[left + 1 & 511], u, v - 1),
              n11 = sloped(table[right + 1 & 511], u - 1, v - 1);
        float upper = n00 + su * (n10 - n00), lower = n01 + su * (n11 - n01);
        high += share * (upper + sv * (lower - upper));
        x *= 2, y *= 2, share *= 0.5f;
    }
    land[j * width + i] = high;
}

/* Drops of rain run down a land, take soil along and leave it where they slow down; what changes is summed beside it. */
KERNEL drops_erode(const float *land, float *change, int drops, int width, int steps) {
    int i = INDEX;
    if (i >= drops)
        return;
    float x = 1 + mixed(2 * i) % ((width - 3) * 16) / 16.0f,
          y = 1 + mixed(2 * i + 1) % ((width - 3) * 16) / 16.0f;
    float vx = 0, vy = 0, water = 1, soil = 0;
    for (int k = 0; k < steps; k++) {
        int a = (int)x, b = (int)y, at = b * width + a;
        float u = x - a, v = y - b, h00 = land[at], h10 = land[at + 1], h01 = land[at + width],
              h11 = land[at + width + 1];
        float gx = (h10 - h00) * (1 - v) + (h11 - h01) * v, gy = (h01 - h00) * (1 - u) + (h11 - h10) * u;
        vx = 0.7f * vx - 0.3f * gx, vy = 0.7f * vy - 0.3f * gy;
        float speed = sqrtf(vx * vx + vy * vy);
        if (speed < 1e-6f)
            break;
        float carries = fmaxf(0.01f, speed) * water, moves = 0.3f * (carries - soil);
        soil += moves;
        atomicAdd(&change[at], -moves * (1 - u) * (1 - v));
        atomicAdd(&change[at + 1], -moves * u * (1 - v));
        atomicAdd(&change[at + width], -moves * (1 - u) * v);
        atomicAdd(&change[at + width + 1], -moves * u * v);
        x += vx / speed, y += vy / speed, water *= 0.98f;
        if (x < 1 || y < 1 || x >= width - 2 || y >= width - 2)
            break;
    }
}

static __device__ uint64_t stepped(uint64_t x, int way) {
    const uint64_t left = 0xfefefefefefefefe, right = 0x7f7f7f7f7f7f7f7f;
    switch (way) {
    case 0: return x << 1 & left;
    case 1: return x >> 1 & right;
    case 2: return x << 8;
    case 3: return x >> 8;
    case 4: return x << 9 & left;
    case 5: return x >> 9 & right;
    case 6: return x << 7 & right;
    default: return x >> 7 & left;
    }
}

/* Where a player may put a stone: behind a row of the other's. */
static __device__ uint64_t moves_of(uint64_t mine, uint64_t other) {
    uint64_t moves = 0;
#pragma unroll
    for (int way = 0; way < 8; way++) {
        uint64_t row = stepped(mine, way) & other;
#pragma unroll
        for (int k = 0; k < 5; k++)
            row |= stepped(row, way) & other;
        moves |= stepped(row, way) & ~(mine | other);
    }
    return moves;
}

/* The best move at Reversi, a board of 64 bits twice a thread: the one that leaves the other player the fewest moves. */
KERNEL reversi_moves(const uint64_t *boards, int *best, int n) {
    int i = INDEX, fewest = 99, chosen = -1;
    if (i >= n)
        return;
    uint64_t mine = boards[i], other = boards[n + i] & ~mine;
    for (uint64_t rest = moves_of(mine, other); rest != 0; rest &= rest - 1) {
        uint64_t stone = rest & (0 - rest), turned = 0;
#pragma unroll
        for (int way = 0; way < 8; way++) {
            uint64_t row = 0, at = stepped(stone, way);
            while (at & other)
                row |= at, at = stepped(at, way);
            if (at & mine)
                turned |= row;
        }
        int left = __popcll(moves_of(other & ~turned, mine | stone | turned));
        if (left < fewest)
            fewest = left, chosen = __ffsll((long long)stone) - 1;
    }
    best[i] = chosen;
}

/* Sand, water and stone fall: blocks of 2 x 2 cells change by themselves, next time those between; heavier ones go down. */
KERNEL sand_falls(const uchar2 *cells, uchar2 *next, int pairs, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= pairs || y >= height)
        return;
    uchar2 up = cells[(size_t)y * pairs + x], down = cells[(size_t)(y + 1) * pairs + x];
    uint8_t a = up.x, b = up.y, c = down.x, d = down.y, kept; /* 0 air, 1 water, 2 sand, 3 stone */
    if (a > c && a != 3)
        kept = a, a = c, c = kept;
    if (b > d && b != 3)
        kept = b, b = d, d = kept;
    if (a > d && a != 3 && b < 3)
        kept = a, a = d, d = kept;
    if (b > c && b != 3 && a < 3)
        kept = b, b = c, c = kept;
    if (c == 1 && d == 0 && mixed(y * pairs + x) % 2)
        c = 0, d = 1;
    next[(size_t)y * pairs + x] = make_uchar2(a, b);
    next[(size_t)(y + 1) * pairs + x] = make_uchar2(c, d);
}

/* What each cell of a maze is worth to one who looks for a treasure, after Bellman: a block a maze of 64 x 64, round by
 * round in shared memory. */
KERNEL maze_values(const uint8_t *wall, float *value, int rounds) {
    __shared__ float worth[2][66 * 66];
    int t = threadIdx.x;
    const uint8_t *its = wall + (size_t)blockIdx.x * 4096;
    for (int k = t; k < 66 * 66; k += 512)
        worth[0][k] = worth[1][k] = 0;
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        const float *old = worth[round & 1];
        for (int k = t; k < 4096; k += 512) {
            int at = (k / 64 + 1) * 66 + k % 64 + 1, kind = its[k];
            float w = old[at - 66], e = old[at + 66], s = old[at - 1], n = old[at + 1];
            float best = fmaxf(fmaxf(0.8f * w + 0.1f * (s + n), 0.8f * e + 0.1f * (s + n)),
                               fmaxf(0.8f * s + 0.1f * (w + e), 0.8f * n + 0.1f * (w + e)));
            worth[round & 1 ^ 1][at] = kind == 1 ? 0 : kind == 2 ? 100 : 0.97f * best - 0.04f;
        }
        __syncthreads();
    }
    for (int k = t; k < 4096; k += 512)
        value[(size_t)blockIdx.x * 4096 + k] = worth[rounds & 1][(k / 64 + 1) * 66 + k % 64 + 1];
}

struct Box {
    float place[3], half[3], axis[3][3];
};

/* Do two boxes that lie anyhow meet? Fifteen directions in which there may be a gap; most pairs have one early. */
KERNEL boxes_meet(const Box *boxes, const int2 *pair, int *direction, int pairs) {
    int i = INDEX;
    if (i >= pairs)
        return;
    const Box a = boxes[pair[i].x], b = boxes[pair[i].y];
    float turn[3][3], flat[3][3], t[3];
    int gap = -1;
    for (int k = 0; k < 3; k++) {
        t[k] = 0;
        for (int m = 0; m < 3; m++) {
            t[k] += (b.place[m] - a.place[m]) * a.axis[k][m];
            turn[k][m] =
                a.axis[k][0] * b.axis[m][0] + a.axis[k][1] * b.axis[m][1] + a.axis[k][2] * b.axis[m][2];
            flat[k][m] = fabsf(turn[k][m]) + 1e-6f;
        }
    }
    for (int k = 0; k < 3 && gap < 0; k++)
        if (fabsf(t[k]) >
            a.half[k] + b.half[0] * flat[k][0] + b.half[1] * flat[k][1] + b.half[2] * flat[k][2])
            gap = k;
    for (int m = 0; m < 3 && gap < 0; m++)
        if (fabsf(t[0] * turn[0][m] + t[1] * turn[1][m] + t[2] * turn[2][m]) >
            b.half[m] + a.half[0] * flat[0][m] + a.half[1] * flat[1][m] + a.half[2] * flat[2][m])
            gap = 3 + m;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int u = k / 3, v = k % 3, u1 = (u + 1) % 3, u2 = (u + 2) % 3, v1 = (v + 1) % 3, v2 = (v + 2) % 3;
        float reach = a.half[u1] * flat[u2][v] + a.half[u2] * flat[u1][v] + b.half[v1] * flat[u][v2] +
                      b.half[v2] * flat[u][v1];
        if (gap < 0 && fabsf(t[u2] * turn[u1][v] - t[u1] * turn[u2][v]) > reach)
            gap = 6 + k;
    }
    direction[i] = gap;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22, arms = 30000, beams = 40000, width = 1024, guesses = 20000, boards = 60000;
    const int mazes = 128, boxes = 50000, pairs = 1000000;
    float *x = random_floats(n), *y = zeros(4 * n), *change = zeros(width * width);
    auto knot = [](uint32_t i) {
        return make_float4(i % 1000 + mixed(i) * 1e-10f, i / 1000 + mixed(i + 1) * 1e-10f,
                           mixed(i + 2) * 1e-10f, i < 1000 ? 0.0f : 1.0f);
    };
    float4 *now = filled<float4>(1000 * 1000, knot), *before = filled<float4>(1000 * 1000, knot);
    float2 *goal = filled<float2>(arms, [](uint32_t i) {
        return make_float2(mixed(i) % 1000 * 0.011f - 5.5f, mixed(i + arms) % 1000 * 0.011f - 5.5f);
    });
    /* 180 beams from each of some places, up to 200 cells long. */
    int4 *beam = filled<int4>(beams, [=](uint32_t i) {
        int a = 220 + mixed(i / 180) % 580, b = 220 + mixed(i / 180 + 7) % 580;
        float far = 60.0f + mixed(i / 9) % 140, angle = 0.034906585f * (i % 180);
        return make_int4(a, b, a + (int)(far * cosf(angle)), b + (int)(far * sinf(angle)));
    });
    int *map = (int *)allocated(width * width * 4);
    float4 *guess = filled<float4>(guesses, [](uint32_t i) {
        float angle = 0.5f + mixed(i) % 1000 * 2e-4f;
        return make_float4(480 + mixed(i + 1) % 1000 * 0.08f, 490 + mixed(i + 2) % 1000 * 0.08f, cosf(angle),
                           sinf(angle));
    });
    float2 *end = filled<float2>(180, [](uint32_t i) {
        float far = 40 + mixed(i / 5) % 500;
        return make_float2(far * cosf(0.034906585f * i), far * sinf(0.034906585f * i));
    });
    uint8_t *order = filled<uint8_t>(256, [](uint32_t i) { return i * 167 + 13; });
    float *land = filled<float>(width * width, [](uint32_t i) {
        float a = i % 1024 * 0.02f, b = i / 1024 * 0.02f;
        return 20 * sinf(a) * cosf(1.3f * b) + 5 * sinf(3 * a + b) + mixed(i) * 2e-11f;
    });
    uint64_t *board = filled<uint64_t>(2 * boards, [](uint32_t i) {
        return (uint64_t)(mixed(i) & mixed(i + 100000)) << 32 | (mixed(i + 200000) & mixed(i + 300000));
    });
    uint8_t *cells = filled<uint8_t>((size_t)4 * n, [](uint32_t i) {
        uint32_t chance = mixed(i) % 16;
        return chance < 8 ? 0 : chance < 11 ? 1 : chance < 15 ? 2 : 3;
    });
    uint8_t *wall = filled<uint8_t>(mazes * 4096, [](uint32_t i) {
        uint32_t chance = mixed(i) % 512;
        return chance == 0 ? 2 : chance < 130 ? 1 : 0;
    });
    Box *box = filled<Box>(boxes, [](uint32_t i) {
        Box b;
        float q[4], length = 0;
        for (uint32_t k = 0; k < 4; k++)
            q[k] = mixed(4 * i + k) / 4294967296.0f - 0.5f, length += q[k] * q[k];
        for (int k = 0; k < 3; k++) {
            b.place[k] = mixed(3 * i + k + 1000000) / 4294967296.0f * 4;
            b.half[k] = 0.2f + mixed(3 * i + k + 2000000) / 4294967296.0f;
            int l = (k + 1) % 3, m = (k + 2) % 3;
            b.axis[k][k] = 1 - 2 * (q[l] * q[l] + q[m] * q[m]) / length;
            b.axis[k][l] = 2 * (q[k] * q[l] + q[3] * q[m]) / length;
            b.axis[k][m] = 2 * (q[k] * q[m] - q[3] * q[l]) / length;
        }
        return b;
    });
    int2 *pair = filled<int2>(
        pairs, [](uint32_t i) { return make_int2(i / 20, (i / 20 + 1 + mixed(i) % 300) % boxes); });
    VALIDATE(cloth_step, dim3(16, 125), dim3(64, 8), now, before, (float4 *)y, 1000, 1000);
    VALIDATE(arms_reach, (arms + 63) / 64, 64, goal, y, (int *)y + 8 * arms, arms);
    VALIDATE(beams_mapped, (beams + 127) / 128, 128, beam, map, beams, width);
    VALIDATE(guesses_weighed, 264, 256, guess, end, x, y, guesses, width);
    VALIDATE(land_of_noise, dim3(32, 128), dim3(32, 8), order, y, width, 0.01f);
    VALIDATE(drops_erode, 512, 128, land, change, 512 * 128, width, 40);
    VALIDATE(reversi_moves, (boards + 127) / 128, 128, board, (int *)y, boards);
    VALIDATE(sand_falls, dim3(2048 / 128, 4096 / 2 / 2), dim3(128, 2), (uchar2 *)cells, (uchar2 *)y, 2048,
             4096);
    VALIDATE(maze_values, mazes, 512, wall, y, 40);
    VALIDATE(boxes_meet, (pairs + 255) / 256, 256, box, pair, (int *)y, pairs);
    return 0;
}
