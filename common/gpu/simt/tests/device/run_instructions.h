/* run_instructions.h: runs a list of instructions on a real GPU. */
#pragma once

#include "instructions.h"

#include <cuda.h>

#define DRIVER_CHECK(call)                                                                                   \
    do {                                                                                                     \
        CUresult driver_error = (call);                                                                      \
        const char *driver_text = "unknown error";                                                           \
        if (driver_error != CUDA_SUCCESS) {                                                                  \
            cuGetErrorString(driver_error, &driver_text);                                                    \
            fprintf(stderr, "%s: %s\n", #call, driver_text);                                                 \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

enum { RUN_AT_ONCE = 64, RUN_TEXT_BYTES = 4096 };

/* Calls `say` with each instruction and its INSTRUCTION_SETS results. */
static void run_instructions(const struct instruction_list *list,
                             void (*say)(const struct instruction *instruction, const uint64_t *results)) {
    static char text[RUN_AT_ONCE * RUN_TEXT_BYTES];
    static uint64_t operands[INSTRUCTION_SETS * INSTRUCTION_OPERANDS], results[INSTRUCTION_SETS];
    uint64_t *in, *out;
    RECORDED_CHECK(cudaMalloc(&in, sizeof operands));
    RECORDED_CHECK(cudaMalloc(&out, sizeof results));
    for (size_t first = 0; first < list->count; first += RUN_AT_ONCE) {
        size_t end = first + RUN_AT_ONCE < list->count ? first + RUN_AT_ONCE : list->count;
        int length = snprintf(text, sizeof text, ".version 8.1\n.target sm_90\n.address_size 64\n");
        char name[32];
        for (size_t i = first; i < end; i++) {
            snprintf(name, sizeof name, "k%zu", i);
            length += instruction_print(&list->items[i], name, text + length, sizeof text - (size_t)length);
        }
        CUmodule module;
        DRIVER_CHECK(cuModuleLoadData(&module, text));
        for (size_t i = first; i < end; i++) {
            CUfunction function;
            void *parameters[] = {&in, &out};
            snprintf(name, sizeof name, "k%zu", i);
            instruction_operands(&list->items[i], operands);
            RECORDED_CHECK(cudaMemcpy(in, operands, sizeof operands, cudaMemcpyHostToDevice));
            RECORDED_CHECK(cudaMemset(out, 0, sizeof results));
            DRIVER_CHECK(cuModuleGetFunction(&function, module, name));
            DRIVER_CHECK(cuLaunchKernel(function, INSTRUCTION_SETS / INSTRUCTION_BLOCK, 1, 1,
                                        INSTRUCTION_BLOCK, 1, 1, 0, NULL, parameters, NULL));
            RECORDED_CHECK(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost));
            say(&list->items[i], results);
        }
        DRIVER_CHECK(cuModuleUnload(module));
    }
}
