/* eighth_markets.cu: prices by chance and on grids, debts, books of orders, bars, ranks, and where customers are. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

static __device__ float chance(uint32_t &state) {
    state = state * 1664525u + 1013904223u;
    return ((state >> 8) + 0.5f) / 16777216.0f;
}

/* Shares whose restlessness is by chance too, after Heston: a path a thread, mean of what options pay by block. */
KERNEL heston_paths(float *paid, int steps, float strike) {
    __shared__ float sums[4];
    uint32_t state = mixed(INDEX + 1);
    float price = 0, variance = 0.04f, step = 1.0f / steps, root = sqrtf(step);
    for (int k = 0; k < steps; k++) {
        float radius = sqrtf(-2 * __logf(chance(state))), sine, cosine;
        __sincosf(6.2831853f * chance(state), &sine, &cosine);
        float a = radius * cosine, b = -0.7f * a + 0.71414284f * radius * sine;
        float v = fmaxf(variance, 0.0f), spread = sqrtf(v) * root;
        price += (0.02f - 0.5f * v) * step + spread * a;
        variance += 1.5f * (0.04f - v) * step + 0.3f * spread * b;
    }
    float sum = fmaxf(expf(price) - strike, 0.0f);
    for (int k = 16; k > 0; k /= 2)
        sum += __shfl_down_sync(ALL, sum, k);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        paid[blockIdx.x] = (sums[0] + sums[1] + sums[2] + sums[3]) / 128;
}

/* Options that may be used early, on a grid of 512 prices in shared memory, step by step: a block an option. */
KERNEL early_exercise(const float *strike, const float *restless, float *value, int steps) {
    __shared__ float grid[2][514];
    int t = threadIdx.x;
    float k = 80 + 40 * strike[blockIdx.x], sigma = 0.2f + 0.2f * restless[blockIdx.x], pays[2];
    for (int h = 0; h < 2; h++) {
        pays[h] = fmaxf(k - 0.5f * (t + 256 * h), 0.0f);
        grid[0][1 + t + 256 * h] = pays[h];
    }
    if (t < 2)
        grid[t][0] = k + 0.5f, grid[t][513] = 0;
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        const float *old = grid[s & 1];
        float *next = grid[s & 1 ^ 1];
        for (int h = 0; h < 2; h++) {
            int j = t + 256 * h;
            float wide = 0.5f * sigma * sigma * j * j, drift = 0.5f * 0.03f * j, step = 2e-5f;
            float moved = old[j + 1] + step * ((wide - drift) * old[j] - (2 * wide + 0.03f) * old[j + 1] +
                                               (wide + drift) * old[j + 2]);
            next[j + 1] = fmaxf(moved, pays[h]);
        }
        __syncthreads();
    }
    for (int h = 0; h < 2; h++)
        value[blockIdx.x * 512 + t + 256 * h] = grid[steps & 1][1 + t + 256 * h];
}

__constant__ float2 debtors[128]; /* below what a debtor fails, and what is lost then */

/* Who fails to pay, where all fortunes hang together: a normal number a debtor, a run a thread; how often how much is lost. */
KERNEL defaults_together(int *lost, int runs, float together) {
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    float own = sqrtf(1 - together * together);
    for (int i = INDEX; i < runs; i += gridDim.x * blockDim.x) {
        uint32_t state = mixed(i + 99);
        float common = together * normcdfinvf(chance(state)), sum = 0;
        for (int k = 0; k < 125; k++) {
            float2 it = debtors[k];
            if (common + own * normcdfinvf(chance(state)) < it.x)
                sum += it.y;
        }
        atomicAdd(&counts[min((int)sum, 255)], 1);
    }
    __syncthreads();
    if (counts[threadIdx.x])
        atomicAdd(&lost[threadIdx.x], counts[threadIdx.x]);
}

/* Forty rates that drift by one another, a path a thread in memory of its own; what a swap of them is worth. */
KERNEL libor_paths(const float *__restrict__ spread, float *worth, int paths) {
    int i = INDEX;
    float rate[40], quarter = 0.25f;
    uint32_t state = mixed(i + 7);
    if (i >= paths)
        return;
    for (int k = 0; k < 40; k++)
        rate[k] = 0.05f;
    for (int now = 0; now < 20; now++) {
        float drift = 0, pushed = 0.5f * 3.4641016f * (chance(state) - 0.5f);
        for (int k = now + 1; k < 40; k++) {
            float s = spread[k - now - 1], by = quarter * s;
            drift += by * rate[k] / (1 + quarter * rate[k]);
            rate[k] *= __expf(by * (drift - 0.5f * s) + s * pushed);
        }
    }
    float bond = 1, sum = 0;
    for (int k = 20; k < 40; k++) {
        bond /= 1 + quarter * rate[k];
        sum += bond * quarter * (rate[k] - 0.05f);
    }
    worth[i] = sum;
}

/* Orders meet: a market a thread, whose book of 64 prices lies in shared memory, what is offered above 0, what is asked
 * for below. An order takes the best first; what is left of it waits. */
KERNEL orders_matched(const uint32_t *orders, int *traded, int *paid, int markets, int count) {
    __shared__ short book[64][64];
    int t = threadIdx.x, market = blockIdx.x * 64 + t, lowest = 64, highest = -1, amount = 0, money = 0;
    for (int p = 0; p < 64; p++)
        book[p][t] = 0;
    for (int k = 0; k < count; k++) {
        uint32_t order = orders[(size_t)k * markets + market];
        int price = order & 63, left = 1 + (order >> 6 & 15);
        bool buys = order >> 10 & 1;
        while (left > 0 && (buys ? lowest <= price : highest >= price)) {
            int at = buys ? lowest : highest, there = abs(book[at][t]), taken = min(left, there);
            book[at][t] -= (short)(buys ? taken : -taken);
            left -= taken;
            amount += taken;
            money += taken * at;
            if (taken == there && buys)
                for (lowest++; lowest < 64 && book[lowest][t] <= 0; lowest++)
                    ;
            else if (taken == there)
                for (highest--; highest >= 0 && book[highest][t] >= 0; highest--)
                    ;
        }
        if (left > 0) {
            book[price][t] += (short)(buys ? -left : left);
            if (buys)
                highest = max(highest, price);
            else
                lowest = min(lowest, price);
        }
    }
    traded[market] = amount;
    paid[market] = money;
}

__constant__ uint32_t directions[16][20];

/* Points that fill a cube of 16 dimensions evenly, after Sobol, each from its number's Gray code; a function's mean. */
KERNEL sobol_points(double *sum, int n) {
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint32_t gray = i ^ i >> 1;
        float product = 1;
        for (int d = 0; d < 16; d++) {
            uint32_t x = 0;
            for (uint32_t rest = gray; rest != 0; rest &= rest - 1)
                x ^= directions[d][__ffs((int)rest) - 1];
            product *= (fabsf(4 * (x * 2.3283064e-10f) - 2) + d) / (1 + d);
        }
        for (int k = 16; k > 0; k /= 2)
            product += __shfl_xor_sync(ALL, product, k);
        if (threadIdx.x % 32 == 0)
            atomicAdd(sum, (double)product);
    }
}

/* First, highest, lowest and last price of each stretch of trades, how much was traded and its mean price: a warp a
 * stretch. */
KERNEL trades_to_bars(const float *price, const float *volume, const int *begin, float4 *bar, float2 *mean,
                      int bars) {
    int i = INDEX / 32, lane = threadIdx.x % 32;
    if (i >= bars)
        return;
    int from = begin[i], to = begin[i + 1];
    float high = 0, low = 3e38f, amount = 0, money = 0;
    for (int k = from + lane; k < to; k += 32) {
        float p = price[k], v = volume[k];
        high = fmaxf(high, p);
        low = fminf(low, p);
        amount += v;
        money += p * v;
    }
    for (int k = 16; k > 0; k /= 2) {
        high = fmaxf(high, __shfl_xor_sync(ALL, high, k));
        low = fminf(low, __shfl_xor_sync(ALL, low, k));
        amount += __shfl_xor_sync(ALL, amount, k);
        money += __shfl_xor_sync(ALL, money, k);
    }
    if (lane == 0) {
        bar[i] = make_float4(price[from], high, low, price[to - 1]);
        mean[i] = make_float2(amount, money / amount);
    }
}

/* The number of some rank in each row of 4096: digit by digit from above, by counts in shared memory; a block a row. */
KERNEL rank_selected(const uint32_t *x, uint32_t *result, int rank) {
    __shared__ int counts[256], warps[8], chosen[2];
    uint32_t mine[16], prefix = 0;
    int t = threadIdx.x;
    for (int k = 0; k < 16; k++)
        mine[k] = x[(size_t)blockIdx.x * 4096 + k * 256 + t];
    for (int shift = 24; shift >= 0; shift -= 8) {
        counts[t] = 0;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            if (shift == 24 || mine[k] >> (shift + 8) == prefix)
                atomicAdd(&counts[mine[k] >> shift & 255], 1);
        __syncthreads();
        int own = counts[t], sum = own;
        for (int k = 1; k < 32; k *= 2) {
            int other = __shfl_up_sync(ALL, sum, k);
            sum += t % 32 >= k ? other : 0;
        }
        if (t % 32 == 31)
            warps[t / 32] = sum;
        __syncthreads();
        for (int k = 0; k < t / 32; k++)
            sum += warps[k];
        if (sum > rank && sum - own <= rank)
            chosen[0] = t, chosen[1] = sum - own;
        __syncthreads();
        prefix = prefix << 8 | chosen[0];
        rank -= chosen[1];
    }
    if (t == 0)
        result[blockIdx.x] = prefix;
}

/* The nearest of some hundred stores for each customer, along the globe: sines and cosines of stores in shared memory. */
KERNEL stores_nearest(const float2 *customer, const float2 *store, int *nearest, float *way, int customers,
                      int stores) {
    __shared__ float4 place[200];
    for (int k = threadIdx.x; k < stores; k += blockDim.x) {
        float2 s = store[k];
        place[k] = make_float4(s.x, s.y, cosf(s.x), 0);
    }
    __syncthreads();
    int i = INDEX, best = 0;
    if (i >= customers)
        return;
    float2 own = customer[i];
    float level = cosf(own.x), least = 4;
    for (int k = 0; k < stores; k++) {
        float4 s = place[k];
        float a = sinf(0.5f * (s.x - own.x)), b = sinf(0.5f * (s.y - own.y));
        float angle = 2 * asinf(fminf(sqrtf(a * a + level * s.z * b * b), 1.0f));
        if (angle < least)
            least = angle, best = k;
    }
    nearest[i] = best;
    way[i] = 6371.0f * least;
}

/* Which region a point is in: first its box, then how many of its border's lines lie to the right; double precision. */
KERNEL points_in_regions(const double2 *point, const double2 *low, const double2 *high, const int *begin,
                         const double2 *corner, int *region, int points, int regions) {
    int i = INDEX;
    if (i >= points)
        return;
    double2 p = point[i];
    int found = -1;
    for (int r = 0; r < regions && found < 0; r++) {
        double2 l = low[r], h = high[r];
        if (p.x < l.x || p.y < l.y || p.x > h.x || p.y > h.y)
            continue;
        bool inside = false;
        int end = begin[r + 1];
        double2 last = corner[end - 1];
        for (int k = begin[r]; k < end; k++) {
            double2 c = corner[k];
            if ((c.y > p.y) != (last.y > p.y) && p.x < (last.x - c.x) * (p.y - c.y) / (last.y - c.y) + c.x)
                inside = !inside;
            last = c;
        }
        if (inside)
            found = r;
    }
    region[i] = found;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 23, options = 264, runs = 1 << 16, paths = 1 << 14, markets = 8448, orders = 200;
    const int bars = 120000, rows = 1500, customers = 60000, stores = 200, points = 130000, regions = 96;
    float2 debtor[128];
    uint32_t direction[16][20];
    for (uint32_t i = 0; i < 128; i++)
        debtor[i] = make_float2(-2.3f + 1e-2f * (mixed(i) % 100), 0.5f + 0.01f * (mixed(i + 1) % 200));
    for (uint32_t i = 0; i < 320; i++) /* a one in its own place, anything above it */
        direction[i / 20][i % 20] = (mixed(i) | 1u) << (31 - i % 20);
    check(cudaMemcpyToSymbol(debtors, debtor, sizeof debtor), "cudaMemcpyToSymbol");
    check(cudaMemcpyToSymbol(directions, direction, sizeof direction), "cudaMemcpyToSymbol");
    float *x = random_floats(n), *y = zeros(n);
    int *lost = (int *)allocated(1024), *places = (int *)allocated(1 << 20);
    double *sum = (double *)allocated(8);
    float *spread = filled<float>(40, [](uint32_t i) { return 0.15f + 0.002f * (mixed(i) % 30); });
    uint32_t *words = filled<uint32_t>(n, [](uint32_t i) { return mixed(i + 5); });
    float *price = filled<float>(n, [](uint32_t i) { return 50 + mixed(i) % 1000 * 0.01f; });
    int *begin = filled<int>(bars + 1, [](uint32_t i) { return i * 69 + (i > 0 ? mixed(i) % 60 : 0); });
    float2 *customer = filled<float2>(customers, [](uint32_t i) {
        return make_float2(mixed(i) * 4e-10f - 0.8f, mixed(i + customers) * 1.4e-9f - 3.0f);
    });
    float2 *store = filled<float2>(stores, [](uint32_t i) {
        return make_float2(mixed(i + 9) * 4e-10f - 0.8f, mixed(i + 5000) * 1.4e-9f - 3.0f);
    });
    double2 *point = filled<double2>(points, [](uint32_t i) {
        return make_double2(mixed(i) / 4294967296.0 * 12, mixed(i + points) / 4294967296.0 * 8);
    });
    /* Stars of 12 to 75 points, a field each. */
    auto first = [](uint32_t r) { return r * 40 + (r > 0 && r < regions ? mixed(r) % 28 : 0); };
    int *corners = filled<int>(regions + 1, first);
    double2 *corner = filled<double2>(regions * 40, [=](uint32_t i) {
        uint32_t r = i / 40 + 1;
        while (r > 0 && first(r) > i)
            r--;
        double angle = 6.283185307 * (i - first(r)) / (first(r + 1) - first(r));
        double wide = 0.25 + 0.25 * (mixed(i) / 4294967296.0);
        return make_double2(r % 12 + 0.5 + wide * cos(angle), r / 12 + 0.5 + wide * sin(angle));
    });
    double2 *low = filled<double2>(regions, [](uint32_t r) { return make_double2(r % 12, r / 12); });
    double2 *high = filled<double2>(regions, [](uint32_t r) { return make_double2(r % 12 + 1, r / 12 + 1); });
    VALIDATE(heston_paths, 512, 128, y, 96, 1.0f);
    VALIDATE(early_exercise, options, 256, x, x + 1000, y, 300);
    VALIDATE(defaults_together, 264, 256, lost, runs, 0.4f);
    VALIDATE(libor_paths, paths / 128, 128, spread, y, paths);
    VALIDATE(orders_matched, markets / 64, 64, words, (int *)y, (int *)y + markets, markets, orders);
    VALIDATE(sobol_points, 528, 256, sum, 528 * 256 * 2);
    VALIDATE(trades_to_bars, bars / 8, 256, price, x, begin, (float4 *)y, (float2 *)(y + 4 * bars), bars);
    VALIDATE(rank_selected, rows, 256, words, (uint32_t *)y, 2048);
    VALIDATE(stores_nearest, (customers + 127) / 128, 128, customer, store, places, y, customers, stores);
    VALIDATE(points_in_regions, (points + 191) / 192, 192, point, low, high, corners, corner, (int *)y,
             points, regions);
    return 0;
}
