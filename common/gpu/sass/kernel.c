/* kernel.c: instructions, lines and flow of one kernel. */
#include "gpu/sass/kernel.h"

#include "base/path.h"
#include "gpu/sass/cubin.h"
#include "gpu/sass/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JUMPS = 4096 };

/* CALL.REL through a register goes to a function of the same section (a pointer to it); CALL.ABS to the system's. */
static bool calls_by_register(const struct sass_instruction *instruction) {
    enum { FORM = 0x1ff, CALL_RELATIVE = 0x144 };
    return instruction->flow == SASS_CALL && !instruction->has_target &&
           (instruction->opcode & FORM) == CALL_RELATIVE;
}

static uint8_t step_kind(const struct sass_instruction *instruction) {
    switch (instruction->flow) {
    case SASS_BRANCH: return SASS_STEP_BRANCH;
    case SASS_INDIRECT: return SASS_STEP_INDIRECT;
    case SASS_CALL:
        return instruction->has_target || calls_by_register(instruction) ? SASS_STEP_CALL
                                                                         : SASS_STEP_CALL_FAR;
    case SASS_RETURN: return SASS_STEP_RETURN;
    case SASS_EXIT:
    case SASS_TRAP: return SASS_STEP_EXIT;
    default: break;
    }
    if (strcmp(instruction->mnemonic, "BSYNC") == 0)
        return SASS_STEP_RECONVERGE;
    return strcmp(instruction->mnemonic, "BSSY") == 0 ? SASS_STEP_MARK : SASS_STEP_NEXT;
}

static struct sass_step step_of(const struct sass_instruction *instruction, uint32_t count) {
    struct sass_step step = {step_kind(instruction), instruction->conditional, SASS_NOWHERE};
    uint32_t target = instruction->target / SASS_INSTRUCTION_BYTES;
    if (instruction->has_target && step.kind != SASS_STEP_RETURN && target < count)
        step.target = target;
    return step;
}

/* What keeps diverged threads together is the compiler's own, whatever line it gives it. */
static bool is_bare(const struct sass_instruction *instruction) {
    static const char *const names[] = {"BSSY", "BSYNC", "BREAK", "WARPSYNC", "NOP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(instruction->mnemonic, names[i]) == 0)
            return true;
    return false;
}

static uint8_t work_of(const struct sass_instruction *instruction) {
    if (is_bare(instruction))
        return SASS_WORK_NONE;
    switch (instruction->class) {
    case SASS_FLOAT: return SASS_WORK_FLOAT;
    case SASS_DOUBLE: return SASS_WORK_DOUBLE;
    case SASS_LOAD:
    case SASS_COPY: return SASS_WORK_LOAD;
    case SASS_STORE: return SASS_WORK_STORE;
    case SASS_ATOMIC: return SASS_WORK_ATOMIC;
    case SASS_WARP: return strcmp(instruction->mnemonic, "SHFL") == 0 ? SASS_WORK_SHUFFLE : SASS_WORK_OTHER;
    case SASS_BARRIER: return strcmp(instruction->mnemonic, "BAR") == 0 ? SASS_WORK_BARRIER : SASS_WORK_OTHER;
    default: return SASS_WORK_OTHER;
    }
}

/* Opcode, without how its operands are given, and the modifiers most instructions have in bits 72 to 79. */
static uint32_t signature_of(const struct sass_instruction *instruction, const uint8_t *code) {
    return (instruction->opcode & 0x1ffu) | (uint32_t)code[9] << 9;
}

static uint32_t word_at(const uint8_t *bytes, uint32_t index) {
    uint32_t word;
    memcpy(&word, bytes + sizeof word * (size_t)index, sizeof word);
    return word;
}

/* Indirect branches and calls; more than MAX_JUMPS are counted, not kept. */
struct jumps {
    struct sass_jump *jumps;
    uint32_t count;
};

static void add_jump(struct jumps *jumps, uint32_t from, uint32_t to) {
    if (jumps->count < MAX_JUMPS)
        jumps->jumps[jumps->count] = (struct sass_jump){from, to};
    jumps->count += jumps->count <= MAX_JUMPS;
}

/* The targets of indirect branches that the cubin lists. */
static void read_jumps(const struct cubin_kernel *from, struct jumps *jumps) {
    uint32_t words = from->branches_bytes / sizeof(uint32_t);
    for (uint32_t i = 0; words >= 3 && i <= words - 3;) {
        uint32_t branch = word_at(from->branches, i), targets = word_at(from->branches, i + 2);
        i += 3;
        for (uint32_t k = 0; k < targets && i < words; k++, i++)
            add_jump(jumps, branch / SASS_INSTRUCTION_BYTES,
                     word_at(from->branches, i) / SASS_INSTRUCTION_BYTES);
    }
}

/* A call through a register goes to any function of the kernel's section: the lines tell which. */
static void read_calls(const struct sass_kernel *kernel, const struct cubin *cubin,
                       const struct cubin_kernel *from, struct jumps *jumps) {
    struct elf elf;
    Elf64_Shdr section;
    Elf64_Sym symbol;
    uint32_t table;
    const char *name;
    bool any = false;
    for (uint32_t i = 0; i < kernel->count; i++)
        any = any || calls_by_register(&kernel->instructions[i]);
    if (!any || !elf_open(&elf, cubin->bytes, cubin->size) || !elf_find(&elf, ".symtab", &table, &section))
        return;
    for (uint64_t s = 0; elf_symbol(&elf, table, s, &symbol, &name) && jumps->count <= MAX_JUMPS; s++) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx != from->section ||
            symbol.st_value == 0 || symbol.st_value >= from->code_bytes)
            continue;
        for (uint32_t i = 0; i < kernel->count; i++)
            if (calls_by_register(&kernel->instructions[i]))
                add_jump(jumps, i, (uint32_t)(symbol.st_value / SASS_INSTRUCTION_BYTES));
    }
}

/* Instructions, and what they are copies of. */
static bool read_code(struct sass_kernel *kernel, const struct cubin *cubin, const struct cubin_kernel *from,
                      const uint32_t *lines, char *error, size_t error_size) {
    for (uint32_t i = 0; i < kernel->count; i++) {
        const uint8_t *code = from->code + (size_t)i * SASS_INSTRUCTION_BYTES;
        struct sass_instruction *instruction = &kernel->instructions[i];
        if (!sass_decode(cubin->architecture, code, i * SASS_INSTRUCTION_BYTES, instruction))
            return fails(error, error_size, "machine code: the opcode 0x%03x at 0x%x is not known",
                         instruction->opcode, i * SASS_INSTRUCTION_BYTES);
        /* what no thread ever executes, as before an asynchronous copy, is a copy of nothing */
        bool never = instruction->guard == SASS_ALWAYS && instruction->guard_negated;
        kernel->copies[i] = (struct sass_copy){never ? 0 : lines[i], signature_of(instruction, code),
                                               never ? SASS_WORK_NONE : work_of(instruction),
                                               instruction->guard != SASS_ALWAYS};
    }
    return true;
}

static bool read_graph(struct sass_kernel *kernel, const struct cubin *cubin, const struct cubin_kernel *from,
                       char *error, size_t error_size) {
    struct sass_step *steps = calloc(kernel->count, sizeof *steps);
    struct jumps jumps = {calloc(MAX_JUMPS, sizeof *jumps.jumps), 0};
    bool right = steps != NULL && jumps.jumps != NULL;
    for (uint32_t i = 0; right && i < kernel->count; i++)
        steps[i] = step_of(&kernel->instructions[i], kernel->count);
    if (right) {
        read_jumps(from, &jumps);
        read_calls(kernel, cubin, from, &jumps);
    }
    bool few = jumps.count <= MAX_JUMPS;
    right = right && few && sass_graph_build(&kernel->graph, steps, kernel->count, jumps.jumps, jumps.count);
    if (!right)
        snprintf(error, error_size, "machine code: %s",
                 few ? "out of memory" : "its branches lead to too many places");
    free(steps);
    free(jumps.jumps);
    return right;
}

bool sass_kernel_read(struct sass_kernel *kernel, const struct cubin *cubin, const struct cubin_kernel *from,
                      const char *text, size_t length, char *error, size_t error_size) {
    uint64_t count = from->code_bytes / SASS_INSTRUCTION_BYTES;
    *kernel = (struct sass_kernel){0};
    if (count == 0 || count > SASS_MAX_INSTRUCTIONS || from->code == NULL)
        return fails(error, error_size, "machine code: the kernel %s", count ? "is too large" : "has none");
    if (!sass_knows(cubin->architecture))
        return fails(error, error_size, "machine code: that of sm_%u is not read", cubin->architecture);
    kernel->count = (uint32_t)count;
    kernel->instructions = calloc(count, sizeof *kernel->instructions);
    kernel->copies = calloc(count, sizeof *kernel->copies);
    uint32_t *lines = calloc(count, sizeof *lines);
    bool right = kernel->instructions != NULL && kernel->copies != NULL && lines != NULL;
    if (!right)
        snprintf(error, error_size, "machine code: out of memory");
    right = right && sass_read_lines(cubin, from, kernel->count, lines, error, error_size);
    if (right && !sass_lines_in(cubin, text, length, lines, kernel->count)) {
        snprintf(error, error_size, "machine code: it was not made of the PTX that is run");
        right = false;
    }
    right = right && read_code(kernel, cubin, from, lines, error, error_size) &&
            read_graph(kernel, cubin, from, error, error_size);
    free(lines);
    if (!right)
        sass_kernel_free(kernel);
    return right;
}

void sass_kernel_free(struct sass_kernel *kernel) {
    free(kernel->instructions);
    free(kernel->copies);
    sass_graph_free(&kernel->graph);
    *kernel = (struct sass_kernel){0};
}
