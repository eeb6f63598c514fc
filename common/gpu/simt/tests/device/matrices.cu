/* matrices.cu: prints a hash of a real GPU's results for each instruction of matrices.h
 * (matrices_h200.csv, by record_results.sh). MATRICES=FILE: writes all results, as
 * ../test_matrices.c writes the simulator's, to find differences. */
#include "matrices.h"
#include "run_instructions.h"

int main() {
    static struct matrix_form items[MATRIX_MOST];
    static uint8_t operands[MATRIX_TRIALS * MATRIX_BYTES];
    static uint64_t results[MATRIX_TRIALS * MATRIX_BYTES / 8];
    static char text[MATRIX_TEXT];
    struct matrix_list list = {items, 0};
    const char *path = getenv("MATRICES");
    FILE *dump = path != NULL ? fopen(path, "wb") : NULL;
    uint64_t *in, *out;
    matrix_list_all(&list);
    RECORDED_CHECK(cudaMalloc(&in, sizeof operands));
    RECORDED_CHECK(cudaMalloc(&out, sizeof results));
    for (size_t i = 0; i < list.count; i++) {
        CUmodule module;
        CUfunction function;
        void *parameters[] = {&in, &out};
        size_t words = (size_t)items[i].trials * MATRIX_BYTES / 8;
        matrix_operands(&items[i], operands);
        matrix_print(&items[i], text);
        if (getenv("MATRICES_TEXT") != NULL) {
            printf("%s\n", text);
            continue;
        }
        CUresult loaded = cuModuleLoadData(&module, text);
        if (loaded != CUDA_SUCCESS) {
            printf("%s,refused\n", items[i].text);
            continue;
        }
        RECORDED_CHECK(cudaMemcpy(in, operands, sizeof operands, cudaMemcpyHostToDevice));
        RECORDED_CHECK(cudaMemset(out, 0, sizeof results));
        DRIVER_CHECK(cuModuleGetFunction(&function, module, "k"));
        DRIVER_CHECK(
            cuLaunchKernel(function, (unsigned)items[i].trials, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
        RECORDED_CHECK(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost));
        printf("%s,%016llx\n", items[i].text, (unsigned long long)recorded_hash(results, words));
        if (dump != NULL && fwrite(results, 8, words, dump) != words)
            return 1;
        DRIVER_CHECK(cuModuleUnload(module));
    }
    return dump != NULL && fclose(dump) ? 1 : 0;
}
