__global__ void kernel() {
    int x = 1; // a remark
    if (x)
        x = 2;
}
