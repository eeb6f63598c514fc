/* sixth_pictures.cu: what games and cameras do: smaller pictures, bones, particles, triangles, light, tones, corners, depth. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* The next smaller picture of a row of such: the mean of four pixels. */
KERNEL mip_level(const uchar4 *x, uchar4 *y, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    const uchar4 *from = x + (size_t)2 * j * 2 * width + 2 * i;
    uchar4 a = from[0], b = from[1], c = from[2 * width], d = from[2 * width + 1];
    y[j * width + i] =
        make_uchar4((uint8_t)((a.x + b.x + c.x + d.x + 2) / 4), (uint8_t)((a.y + b.y + c.y + d.y + 2) / 4),
                    (uint8_t)((a.z + b.z + c.z + d.z + 2) / 4), (uint8_t)((a.w + b.w + c.w + d.w + 2) / 4));
}

static __device__ float dot(float4 row, float3 v, float w) {
    return row.x * v.x + row.y * v.y + row.z * v.z + row.w * w;
}

/* Corners of a figure that follow its bones: four bones and weights each, 3 x 4 matrices from memory. */
KERNEL skinned_vertices(const float3 *place, const float3 *normal, const uchar4 *bones, const float4 *weights,
                        const float4 *__restrict__ matrix, float3 *new_place, float3 *new_normal, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    float3 p = place[i], m = normal[i];
    uchar4 bone = bones[i];
    float4 weight = weights[i], rows[3];
    int index[4] = {bone.x, bone.y, bone.z, bone.w};
    float share[4] = {weight.x, weight.y, weight.z, weight.w};
    for (int r = 0; r < 3; r++)
        rows[r] = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < 3; r++) {
            float4 v = matrix[3 * index[k] + r];
            rows[r].x += share[k] * v.x, rows[r].y += share[k] * v.y;
            rows[r].z += share[k] * v.z, rows[r].w += share[k] * v.w;
        }
    new_place[i] = make_float3(dot(rows[0], p, 1), dot(rows[1], p, 1), dot(rows[2], p, 1));
    float3 turned = make_float3(dot(rows[0], m, 0), dot(rows[1], m, 0), dot(rows[2], m, 0));
    float by = rsqrtf(turned.x * turned.x + turned.y * turned.y + turned.z * turned.z + 1e-12f);
    new_normal[i] = make_float3(turned.x * by, turned.y * by, turned.z * by);
}

/* Sparks: they fall, are dragged along, bounce off the ground, and begin anew when their life is over. */
KERNEL spark_step(const float4 *place, const float4 *speed, float4 *new_place, float4 *new_speed, float step,
                  uint32_t frame) {
    int i = INDEX;
    float4 p = place[i], v = speed[i];
    p.w -= step; /* what is left of its life */
    if (p.w <= 0) {
        uint32_t r = mixed(i ^ frame * 0x9e3779b9u);
        float turn = (r & 0xffff) * (6.2831853f / 65536), up = (r >> 16) / 65536.0f, s, c;
        __sincosf(turn, &s, &c);
        p = make_float4(0, 0.1f, 0, 1 + up);
        v = make_float4(2 * c * (1 - up), 4 + 3 * up, 2 * s * (1 - up), v.w);
    } else {
        float wind = __sinf(0.7f * p.x + 0.01f * frame) * __cosf(0.5f * p.z);
        float fast = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z), drag = 1 - 0.1f * step * fast;
        v.x = (v.x + wind * step) * drag;
        v.y = (v.y - 9.81f * step) * drag;
        v.z *= drag;
        p.x += v.x * step, p.y += v.y * step, p.z += v.z * step;
        if (p.y < 0) {
            p.y = -p.y * 0.5f;
            v.y = -v.y * 0.5f;
            v.x *= 0.8f, v.z *= 0.8f;
        }
    }
    new_place[i] = p;
    new_speed[i] = v;
}

static __device__ float3 minus(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static __device__ float dot(float3 a, float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static __device__ float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* The nearest triangle along each ray, after Moeller and Trumbore, all of them tried: 64 at a time in shared memory. */
KERNEL triangles_of_rays(const float3 *corner, int triangles, float2 *hit, int width, int height) {
    __shared__ float3 tile[192];
    int t = threadIdx.y * blockDim.x + threadIdx.x, best = -1;
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    float3 from = make_float3(0.5f, 0.5f, -1.5f),
           way = make_float3((float)i / width - 0.5f, (float)j / height - 0.5f, 1);
    float nearest = 1e30f;
    for (int first = 0; first < triangles; first += 64) {
        for (int k = t; k < 192; k += 64)
            tile[k] = corner[3 * first + k];
        __syncthreads();
        for (int k = 0; k < 64; k++) {
            float3 a = tile[3 * k], e = minus(tile[3 * k + 1], a), f = minus(tile[3 * k + 2], a);
            float3 p = cross(way, f);
            float area = dot(e, p);
            if (fabsf(area) < 1e-9f)
                continue;
            float by = 1 / area;
            float3 s = minus(from, a);
            float u = dot(s, p) * by;
            if (u < 0 || u > 1)
                continue;
            float3 q = cross(s, e);
            float v = dot(way, q) * by, far = dot(f, q) * by;
            if (v >= 0 && u + v <= 1 && far > 0 && far < nearest)
                nearest = far, best = first + k;
        }
        __syncthreads();
    }
    hit[j * width + i] = make_float2(nearest, __int_as_float(best));
}

__constant__ float4 balls[16];  /* place and size */
__constant__ float4 colors[16]; /* and in w how it shines by itself */

static __device__ float random01(uint32_t *state) {
    *state = *state * 747796405u + 2891336453u;
    uint32_t word = (*state >> ((*state >> 28) + 4) ^ *state) * 277803737u;
    return (float)((word >> 22 ^ word) >> 8) / 16777216.0f;
}

/* Light that comes to each pixel by ways of up to five bounces between sixteen balls, four ways a pixel. */
KERNEL light_paths(float4 *light, int width, int height, uint32_t seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    uint32_t state = mixed(j * width + i + seed);
    float3 sum = make_float3(0, 0, 0);
    for (int sample = 0; sample < 4; sample++) {
        float3 from = make_float3(0, 1, -6), through = make_float3(1, 1, 1);
        float3 way = make_float3((i + random01(&state)) / width - 0.5f,
                                 0.3f - 0.6f * (j + random01(&state)) / height, 1);
        for (int bounce = 0; bounce < 5; bounce++) {
            float length = rsqrtf(dot(way, way)), nearest = 1e20f;
            way = make_float3(way.x * length, way.y * length, way.z * length);
            int which = -1;
            for (int k = 0; k < 16; k++) {
                float3 to = make_float3(balls[k].x - from.x, balls[k].y - from.y, balls[k].z - from.z);
                float along = dot(to, way), root = along * along - dot(to, to) + balls[k].w * balls[k].w;
                float far = root > 0 ? along - sqrtf(root) : -1;
                if (far > 1e-3f && far < nearest)
                    nearest = far, which = k;
            }
            float shine = which < 0 ? 0.3f + 0.3f * fmaxf(way.y, 0.0f) : colors[which].w;
            sum.x += through.x * shine, sum.y += through.y * shine, sum.z += through.z * shine;
            if (which < 0)
                break;
            from = make_float3(from.x + nearest * way.x, from.y + nearest * way.y, from.z + nearest * way.z);
            through.x *= colors[which].x, through.y *= colors[which].y, through.z *= colors[which].z;
            float z = 2 * random01(&state) - 1, turn = 6.2831853f * random01(&state), r = sqrtf(1 - z * z), s,
                  c;
            __sincosf(turn, &s, &c);
            float inverse = 1 / balls[which].w;
            way = make_float3((from.x - balls[which].x) * inverse + 0.99f * r * c,
                              (from.y - balls[which].y) * inverse + 0.99f * r * s,
                              (from.z - balls[which].z) * inverse + 0.99f * z);
        }
    }
    light[j * width + i] = make_float4(sum.x / 4, sum.y / 4, sum.z / 4, 1);
}

static __device__ float filmic(float x) {
    float y = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
    return __saturatef(y);
}

template <class F> static __device__ uint8_t displayed(float x, F curve) {
    float y = curve(x);
    y = y <= 0.0031308f ? 12.92f * y : 1.055f * powf(y, 1 / 2.4f) - 0.055f;
    return (uint8_t)(y * 255 + 0.5f);
}

/* Light as it is becomes bytes as a screen shows them. */
KERNEL tone_mapped(const float4 *light, uchar4 *pixel, float exposure, int n) {
    int i = INDEX;
    if (i < n) {
        float4 v = light[i];
        pixel[i] = make_uchar4(displayed(v.x * exposure, filmic), displayed(v.y * exposure, filmic),
                               displayed(v.z * exposure, filmic), 255);
    }
}

/* How much of the sky a pixel sees: sixteen places around it, turned by chance, of which those in front hide some. */
KERNEL ambient_occlusion(const float *__restrict__ depth, float *open, int width, int height, float reach) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    float own = depth[j * width + i], hidden = 0, pixels = reach * height / own;
    float turn = (mixed(j * width + i) & 1023) * (6.2831853f / 1024);
    for (int k = 0; k < 16; k++) {
        float s, c, far = pixels * (k + 0.5f) / 16;
        __sincosf(turn + 2.3999632f * k, &s, &c);
        int x = min(max(i + (int)(far * c), 0), width - 1), y = min(max(j + (int)(far * s), 0), height - 1);
        float differ = own - depth[y * width + x];
        if (differ > 0.01f)
            hidden += __saturatef(reach / differ);
    }
    open[j * width + i] = 1 - hidden / 16;
}

/* Corners of a picture after Harris: slopes in a tile, their products summed over 5 x 5; 16 x 16 threads. */
KERNEL harris_corners(const uint8_t *x, float *y, int width, int height) {
    __shared__ float pixel[22][23];
    __shared__ float2 slope[20][21];
    int t = threadIdx.y * 16 + threadIdx.x, left = blockIdx.x * 16 - 3, top = blockIdx.y * 16 - 3;
    for (int k = t; k < 22 * 22; k += 256) {
        int column = min(max(left + k % 22, 0), width - 1), row = min(max(top + k / 22, 0), height - 1);
        pixel[k / 22][k % 22] = x[row * width + column] / 255.0f;
    }
    __syncthreads();
    for (int k = t; k < 400; k += 256) {
        int c = k % 20 + 1, r = k / 20 + 1;
        float a = pixel[r - 1][c - 1], b = pixel[r - 1][c + 1], d = pixel[r + 1][c - 1],
              e = pixel[r + 1][c + 1];
        slope[r - 1][c - 1] = make_float2(b + e - a - d + 2 * (pixel[r][c + 1] - pixel[r][c - 1]),
                                          d + e - a - b + 2 * (pixel[r + 1][c] - pixel[r - 1][c]));
    }
    __syncthreads();
    float xx = 0, xy = 0, yy = 0;
#pragma unroll
    for (int r = 0; r < 5; r++)
#pragma unroll
        for (int c = 0; c < 5; c++) {
            float2 s = slope[threadIdx.y + r][threadIdx.x + c];
            xx += s.x * s.x, xy += s.x * s.y, yy += s.y * s.y;
        }
    int column = left + 3 + threadIdx.x, row = top + 3 + threadIdx.y;
    if (column < width && row < height)
        y[row * width + column] = xx * yy - xy * xy - 0.05f * (xx + yy) * (xx + yy);
}

/* Triangles drawn tile by tile: a block owns 16 x 16 pixels, looks which of 256 triangles' boxes meet them, keeps a list of
 * these in shared memory, and each thread tries its pixel against the list. */
KERNEL tiles_drawn(const float2 *corner, const float *depth, int triangles, uint32_t *pixel, int width) {
    __shared__ int list[256], length;
    int t = threadIdx.y * 16 + threadIdx.x, best = -1;
    float left = blockIdx.x * 16, top = blockIdx.y * 16, nearest = 1e30f;
    float x = left + threadIdx.x + 0.5f, y = top + threadIdx.y + 0.5f;
    for (int first = 0; first < triangles; first += 256) {
        if (t == 0)
            length = 0;
        __syncthreads();
        if (first + t < triangles) {
            float2 a = corner[3 * (first + t)], b = corner[3 * (first + t) + 1],
                   c = corner[3 * (first + t) + 2];
            if (fminf(a.x, fminf(b.x, c.x)) < left + 16 && fmaxf(a.x, fmaxf(b.x, c.x)) > left &&
                fminf(a.y, fminf(b.y, c.y)) < top + 16 && fmaxf(a.y, fmaxf(b.y, c.y)) > top)
                list[atomicAdd(&length, 1)] = first + t;
        }
        __syncthreads();
        for (int k = 0; k < length; k++) {
            int which = list[k];
            float2 a = corner[3 * which], b = corner[3 * which + 1], c = corner[3 * which + 2];
            float u = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
            float v = (c.x - b.x) * (y - b.y) - (c.y - b.y) * (x - b.x);
            float w = (a.x - c.x) * (y - c.y) - (a.y - c.y) * (x - c.x);
            if (u >= 0 && v >= 0 && w >= 0 && depth[which] < nearest)
                nearest = depth[which], best = which;
        }
        __syncthreads();
    }
    pixel[(blockIdx.y * 16 + threadIdx.y) * width + blockIdx.x * 16 + threadIdx.x] = best + 1;
}

/* A picture of depths becomes part of a volume of distances: a thread a column of voxels, which are seen through the
 * camera; a mean of what was seen so far, in pairs of short numbers. */
KERNEL depth_fused(short2 *volume, const float *__restrict__ depth, int size, int width, int height,
                   float focus, float band) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    float x = (i + 0.5f) / size - 0.5f, y = (j + 0.5f) / size - 0.5f;
    for (int k = 0; k < size; k++) {
        float z = 0.6f + (k + 0.5f) / size, by = focus / z;
        int u = __float2int_rn(x * by + 0.5f * width), v = __float2int_rn(y * by + 0.5f * height);
        if (u < 0 || v < 0 || u >= width || v >= height)
            continue;
        float seen = depth[v * width + u], differ = seen - z;
        if (seen <= 0 || differ < -band)
            continue;
        short2 *voxel = &volume[((size_t)k * size + j) * size + i];
        short2 old = *voxel;
        float now = fminf(1.0f, differ / band), mean = (old.x / 32767.0f * old.y + now) / (old.y + 1);
        *voxel = make_short2((short)__float2int_rz(mean * 32767), (short)min(old.y + 1, 64));
    }
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22, vertices = 1 << 21, triangles = 320, drawn = 1500;
    float *x = random_floats(4 * n), *y = zeros(8 * n);
    uint32_t *words = filled<uint32_t>(4 * n, mixed);
    uchar4 *bones = (uchar4 *)filled<uint32_t>(vertices, [](uint32_t i) {
        return (i / 200 + (mixed(i) & 0x03030303)) % 60 * 0x01010101u % 0x40404040u & 0x3f3f3f3fu;
    });
    float3 *corner = filled<float3>(3 * triangles, [](uint32_t i) {
        auto at = [=](uint32_t k) {
            return (mixed(i / 3 * 3 + k) >> 8) / 16777216.0f +
                   0.15f * (mixed(i * 3 + k + 5) >> 8) / 16777216.0f;
        };
        return make_float3(at(0), at(1), at(2));
    });
    float2 *flat = filled<float2>(3 * drawn, [](uint32_t i) {
        float size = 10 + mixed(i / 3) % 60, turn = 2.0943951f * (i % 3) + (mixed(i / 3 + 9) & 7);
        return make_float2(mixed(i / 3 + 1) % 640 + size * cosf(turn),
                           mixed(i / 3 + 2) % 480 + size * sinf(turn));
    });
    float *depth = filled<float>(1280 * 720, [](uint32_t i) {
        int a = i % 1280, b = i / 1280;
        return 0.8f + 0.001f * b * 0.5f + ((a / 40 + b / 40) % 3) * 0.08f + (mixed(i) & 255) * 1e-5f;
    });
    static float4 host_balls[16], host_colors[16];
    for (uint32_t k = 0; k < 16; k++) {
        host_balls[k] = make_float4(k % 4 * 1.6f - 2.4f, k / 4 % 2 * 1.2f + 0.2f, k / 8 * 2.0f,
                                    0.4f + mixed(k) % 5 * 0.08f);
        host_colors[k] =
            make_float4(0.5f + k % 2 * 0.4f, 0.5f + k % 3 * 0.2f, 0.8f, k % 5 == 0 ? 2.0f : 0.0f);
    }
    host_balls[15] = make_float4(0, -1000.3f, 0, 1000);
    check(cudaMemcpyToSymbol(balls, host_balls, sizeof host_balls), "cudaMemcpyToSymbol");
    check(cudaMemcpyToSymbol(colors, host_colors, sizeof host_colors), "cudaMemcpyToSymbol");
    short2 *volume = (short2 *)allocated(sizeof(short2) << 24);
    VALIDATE(mip_level, dim3(64, 256), dim3(32, 8), (uchar4 *)words, (uchar4 *)y, 2048, 2048);
    VALIDATE(skinned_vertices, vertices / 256, 256, (float3 *)x, (float3 *)x + vertices, bones, (float4 *)x,
             (float4 *)x + n / 2, (float3 *)y, (float3 *)y + vertices, vertices);
    VALIDATE(spark_step, n / 2 / 128, 128, (float4 *)x, (float4 *)x + n / 2, (float4 *)y, (float4 *)y + n / 2,
             0.016f, 7);
    VALIDATE(triangles_of_rays, dim3(40, 30), dim3(8, 8), corner, triangles, (float2 *)y, 320, 240);
    VALIDATE(light_paths, dim3(12, 27), dim3(32, 8), (float4 *)y, 384, 216, 99);
    VALIDATE(tone_mapped, (2560 * 1440 + 511) / 512, 512, (float4 *)x, (uchar4 *)y, 1.7f, 2560 * 1440);
    VALIDATE(ambient_occlusion, dim3(80, 45), dim3(16, 16), depth, y, 1280, 720, 0.03f);
    VALIDATE(harris_corners, dim3(120, 68), dim3(16, 16), (uint8_t *)words, y, 1920, 1080);
    VALIDATE(tiles_drawn, dim3(40, 30), dim3(16, 16), flat, x, drawn, (uint32_t *)y, 640);
    VALIDATE(depth_fused, dim3(8, 32), dim3(32, 8), volume, depth, 256, 1280, 720, 700.0f, 0.05f);
    return 0;
}
