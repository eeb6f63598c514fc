/*
 * fuzz_decode.c: any bytes as instructions of every generation: no fault, and what is said stays within its bounds.
 */
#include <stdlib.h>

#include "gpu/sass/instruction.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hold(bool right) {
    if (!right) {
        abort();
    }
}

static void hold_registers(struct sass_registers registers) {
    hold(registers.first + registers.count <= 255);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint32_t architectures[] = {70, 75, 80, 86, 89, 90, 100, 103, 110, 120, 121};
    for (size_t at = 0; at + SASS_INSTRUCTION_BYTES <= size; at += SASS_INSTRUCTION_BYTES) {
        for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++) {
            struct sass_instruction out;
            bool known = sass_decode(architectures[i], data + at, (uint32_t)at, &out);
            hold(out.mnemonic != NULL && (out.class != SASS_UNKNOWN) == known);
            hold(out.class < SASS_CLASSES && out.pipe < SASS_PIPES && out.space < SASS_SPACES &&
                 out.flow < SASS_FLOWS);
            hold(out.read_count <= SASS_MAX_READS && out.uniform_read_count <= SASS_MAX_READS);
            hold(out.schedule.stall < 16 && out.schedule.write_barrier < 8 && out.schedule.wait_mask < 64);
            hold_registers(out.write);
            hold_registers(out.second_write);
            hold_registers(out.uniform_write);
            for (int read = 0; read < out.read_count; read++) {
                hold_registers(out.read[read]);
            }
        }
    }
    return 0;
}
