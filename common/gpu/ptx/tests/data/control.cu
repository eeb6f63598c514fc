// Loops, early returns, switches, calls, recursion, function pointers, printf, assert, malloc.
#include <assert.h>
#include <stdio.h>

__device__ __noinline__ int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}
__device__ __noinline__ int even(int n);
__device__ __noinline__ int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}
__device__ __noinline__ int even(int n) {
    return n == 0 ? 1 : odd(n - 1);
}

struct point {
    float x, y, z;
};
__device__ __noinline__ struct point scale(struct point p, float f) {
    p.x *= f;
    p.y *= f;
    p.z *= f;
    return p;
}

typedef int (*operation)(int, int);
__device__ int plus(int a, int b) {
    return a + b;
}
__device__ int times(int a, int b) {
    return a * b;
}
__device__ operation operations[2] = {plus, times};

extern "C" __global__ void loops(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int s = 0;
    for (int j = 0; j < n; j++) {
        if (a[j] == 3)
            continue;
        if (a[j] > 100)
            break;
        for (int k = j; k < n; k += 2) {
            s += a[k];
            if (s > 1000)
                return;
        }
    }
    do
        s = s * 3 + 1;
    while (s & 1);
    a[i] = s;
}

extern "C" __global__ void switches(int *a, int n) {
    int i = threadIdx.x;
    switch (a[i]) {
    case 0: a[i] = n; break;
    case 1: a[i] += n * 3; break;
    case 2: a[i] -= 7; /* fall through */
    case 3: a[i] /= 3; break;
    case 4: a[i + 1] = 2; break;
    case 5: a[i] ^= n; break;
    case 6: a[i] <<= 3; break;
    case 7: a[i] = a[i + 5]; break;
    default: a[i] = -1;
    }
}

extern "C" __global__ void calls(int *a, struct point *p, int n) {
    int i = threadIdx.x;
    a[i] = factorial(n) + even(n) + operations[n & 1](a[i], n);
    p[i] = scale(p[i], 2.0f);
}

extern "C" __global__ void talks(int *a, double d, const char *s) {
    printf("thread %d of %s: %f\n", threadIdx.x, s, d);
    assert(a[0] == 3);
    int *m = (int *)malloc(64);
    if (m) {
        m[0] = a[1];
        a[2] = m[0];
        free(m);
    }
    if (a[3])
        __trap();
}

extern "C" __global__ void __launch_bounds__(256, 2) bounded(float *a) {
    a[threadIdx.x] *= 2.0f;
}

extern "C" __global__ void endless(volatile int *a) {
    for (;;)
        a[threadIdx.x]++;
}

extern "C" __global__ void empty(void) {}
