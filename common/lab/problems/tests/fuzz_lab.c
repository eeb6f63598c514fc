/* Any bytes as a lab's data file. */
#include "lab/problems/lab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct lab lab;
    char error[256];
    (void)lab_parse((const char *)data, size, "fuzz.ini", &lab, error, sizeof error);
    return 0;
}
