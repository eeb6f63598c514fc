/* algorithms.cu: Thrust and CUB as the toolkit ships them: one algorithm of each kind of kernel that they launch.
 * From 9.0 on transform copies its input in bulk, and waits at an mbarrier. */
#include "check.h"

#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
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
    vector keys = d, values(COUNT);
    std::vector<int> sorted = h, places(COUNT);
    std::sort(sorted.begin(), sorted.end());
    std::iota(places.begin(), places.end(), 0);
    thrust::copy(places.begin(), places.end(), values.begin());
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return h[a] < h[b]; });
    CHECK(same(keys, sorted) && same(values, places));
    keys = d;
    thrust::stable_sort(keys.begin(), keys.end(), tens_less());
    sorted = h;
    std::stable_sort(sorted.begin(), sorted.end(), tens_less());
    CHECK(same(keys, sorted));
}

static void count(const std::vector<int> &h, const vector &d) {
    vector out(BINS);
    std::vector<int> bins(BINS);
    const int *in = thrust::raw_pointer_cast(d.data());
    int *to = thrust::raw_pointer_cast(out.data());
    void *memory = NULL;
    size_t bytes = 0;
    for (int call = 0; call < 2; call++) { /* the first only asks how much memory it takes */
        OK(cub::DeviceHistogram::HistogramEven(memory, bytes, in, to, BINS + 1, 0, (int)LARGEST, (int)COUNT));
        if (call == 0)
            OK(cudaMalloc(&memory, bytes));
    }
    OK(cudaFree(memory));
    for (int x : h)
        bins[x * BINS / LARGEST]++;
    CHECK(same(out, bins));
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
