__global__ void kernel() {
    int x = 1; // a remark
    if (x)
        x = 2;
}
        for (int i = 0; i < some_very_long_bound && another_very_long_bound > i; i += a_step_of_some_length)
