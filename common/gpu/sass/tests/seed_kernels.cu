// Two kernels: a loop that ptxas unrolls, a switch by a jump table, a division with its slow path.
__global__ void sums(const float *a, float *b, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k * 32 + threadIdx.x];
    b[threadIdx.x] = sum / a[0];
}
__global__ void picks(const int *a, int *b, int n) {
    int y = 1;
    switch (a[threadIdx.x]) {
    case 0: y = a[1] * n; break;
    case 1:
        y = __popc(n);
        b[n] = 3;
        break;
    case 2: y = a[7] / n; break;
    case 3: y = a[2]; break;
    case 4: b[2 * n] = 1; break;
    case 5: y = __clz(n); break;
    }
    b[threadIdx.x] = y;
}
