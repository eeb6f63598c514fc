/* algorithms.cu: Thrust and CUB as the toolkit ships them: one algorithm of each kind of kernel that they launch.
 * From 9.0 on transform copies its input in bulk, and waits at an mbarrier. */
#include "check.h"

#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <numeric>
#include <vector>

using vector = thrust::device_vector<int>;

enum { COUNT = 20011, BINS = 10, LARGEST = 1000 };

struct is_odd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct tens_less {
    __host__ __device__ bool operator()(int x, int y) const { return x / 10 < y / 10; }
};

static bool same(const vector &got, const std::vector<int> &expected) {
    std::vector<int> here(expected.size());
    thrust::copy(got.begin(), got.begin() + expected.size(), here.begin());
    return here == expected;
}

static void map_and_fold(const std::vector<int> &h, const vector &d) {
    vector out(COUNT);
    std::vector<int> expected(COUNT);
    thrust::transform(d.begin(), d.end(), d.begin(), out.begin(), thrust::plus<int>());
    std::transform(h.begin(), h.end(), h.begin(), expected.begin(), std::plus<int>());
    CHECK(same(out, expected));
    thrust::transform(d.begin() + 3, d.end(), d.begin(), out.begin() + 1, thrust::plus<int>()); /* odd places */
    CHECK(out[1] == h[3] + h[0] && out[COUNT - 3] == h[COUNT - 1] + h[COUNT - 4]);
    CHECK(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
    thrust::inclusive_scan(d.begin(), d.end(), out.begin());
    std::partial_sum(h.begin(), h.end(), expected.begin());
    CHECK(same(out, expected));
    expected.clear();
    std::copy_if(h.begin(), h.end(), std::back_inserter(expected), is_odd());
    auto end = thrust::copy_if(d.begin(), d.end(), out.begin(), is_odd());
    CHECK((size_t)(end - out.begin()) == expected.size() && same(out, expected));
}

static void order(const std::vector<int> &h, const vector &d) {
    vector keys = d, values(COUNT), both(2 * COUNT);
    std::vector<int> sorted = h, places(COUNT), merged(2 * COUNT);
    std::sort(sorted.begin(), sorted.end());
    std::iota(places.begin(), places.end(), 0);
    thrust::copy(places.begin(), places.end(), values.begin());
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return h[a] < h[b]; });
    CHECK(same(keys, sorted) && same(values, places));
    thrust::merge(keys.begin(), keys.end(), keys.begin(), keys.end(), both.begin());
    std::merge(sorted.begin(), sorted.end(), sorted.begin(), sorted.end(), merged.begin());
    CHECK(same(both, merged));
    thrust::lower_bound(keys.begin(), keys.end(), d.begin(), d.end(), values.begin());
    for (int i = 0; i < COUNT; i++)
        places[i] = (int)(std::lower_bound(sorted.begin(), sorted.end(), h[i]) - sorted.begin());
    CHECK(same(values, places));
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), keys.begin(), both.begin(), values.begin());
    CHECK(ends.first - both.begin() == LARGEST);
    keys = d;
    thrust::stable_sort(keys.begin(), keys.end(), tens_less());
    sorted = h;
    std::stable_sort(sorted.begin(), sorted.end(), tens_less());
    CHECK(same(keys, sorted));
}

/* A call of CUB's: once for its memory's size, once to run. */
#define TWICE(call)                                                                                          \
    do {                                                                                                     \
        void *memory = NULL;                                                                                 \
        size_t bytes = 0;                                                                                    \
        OK(call);                                                                                            \
        OK(cudaMalloc(&memory, bytes));                                                                      \
        OK(call);                                                                                            \
        OK(cudaFree(memory));                                                                                \
    } while (0)

static void count(const std::vector<int> &h, const vector &d) {
    enum { PIECE = 97, PIECES = COUNT / PIECE };
    vector out(COUNT), starts(PIECES + 1);
    std::vector<int> bins(BINS), sums(PIECES);
    const int *in = thrust::raw_pointer_cast(d.data()), *from = thrust::raw_pointer_cast(starts.data());
    int *to = thrust::raw_pointer_cast(out.data());
    TWICE(cub::DeviceHistogram::HistogramEven(memory, bytes, in, to, BINS + 1, 0, (int)LARGEST, (int)COUNT));
    for (int x : h)
        bins[x * BINS / LARGEST]++;
    CHECK(same(out, bins));
    for (int i = 0; i <= PIECES; i++)
        starts[i] = PIECE * i;
    TWICE(cub::DeviceSegmentedReduce::Sum(memory, bytes, in, to, (int)PIECES, from, from + 1));
    for (int i = 0; i < PIECES * PIECE; i++)
        sums[i / PIECE] += h[i];
    CHECK(same(out, sums));
}

int main() {
    std::vector<int> h(COUNT);
    for (int i = 0; i < COUNT; i++)
        h[i] = (int)((long long)i * 7919 % LARGEST);
    vector d = h;
    map_and_fold(h, d);
    order(h, d);
    count(h, d);
    printf("ok\n");
    return 0;
}
