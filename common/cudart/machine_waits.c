/* machine_waits.c: what warps waited for, by machine instruction, as a report has it: by source line. */
#include "cudart/machine.h"

#include <stdlib.h>
#include <string.h>

/* What goes before one machine instruction, and the source line it is of. */
struct place {
    const char *file;
    uint32_t line;
    const double *waits;
};

static int by_line(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    int file = strcmp(a->file, b->file);
    return file != 0 ? file : a->line < b->line ? -1 : a->line > b->line;
}

/* As the lines of a report: what stands in a header is told of the line that calls it. */
static struct place place_of(const struct ptx_module *program, const struct ptx_instruction *instruction) {
    bool header = instruction->outer_line != 0 && instruction->file != instruction->outer_file;
    uint32_t file = header ? instruction->outer_file : instruction->file;
    return (struct place){.file = file < program->file_count ? program->files[file] : "",
                          .line = header ? instruction->outer_line : instruction->line};
}

/* Of each line of the PTX the instruction there; NULL: out of memory. */
static const struct ptx_instruction **by_ptx_line(const struct simt_result *result, uint32_t *count) {
    *count = machine_ptx_lines(result);
    const struct ptx_instruction **at = calloc(*count, sizeof(const struct ptx_instruction *));
    for (uint32_t i = 0; at != NULL && i < result->execution_count; i++)
        at[result->executions[i].instruction->ptx_line] = result->executions[i].instruction;
    return at;
}

/* Machine instructions whose source line is known, by line. */
static uint32_t find_places(const struct sass_kernel *kernel, const struct ptx_module *program,
                            const struct simt_result *result, const struct gpu_code *code,
                            struct place *places) {
    uint32_t lines, count = 0;
    const struct ptx_instruction **at = by_ptx_line(result, &lines);
    for (uint32_t i = 0; at != NULL && i < kernel->count && i < code->instruction_count; i++) {
        uint32_t line = kernel->copies[i].line;
        if (line >= lines || at[line] == NULL || at[line]->line == 0)
            continue;
        places[count] = place_of(program, at[line]);
        places[count++].waits = &code->waits[(size_t)i * GPU_STALL_COUNT];
    }
    free(at);
    if (count > 1)
        qsort(places, count, sizeof *places, by_line);
    return count;
}

static bool add_line(struct kernel_waits *waits, const struct place *place,
                     const double sums[GPU_STALL_COUNT], double all) {
    double line = 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        line += sums[i];
    enum gpu_stall top = gpu_stall_top(sums);
    if (line <= 0)
        return true;
    struct kernel_wait *to = &waits->lines[waits->count];
    *to = (struct kernel_wait){.file = strdup(place->file),
                               .line = place->line,
                               .share = line / all,
                               .stall = top == GPU_STALL_COUNT ? GPU_STALL_SELECTED : top,
                               .stall_share = top == GPU_STALL_COUNT ? 0 : sums[top] / all};
    waits->count += to->file != NULL;
    return to->file != NULL;
}

bool machine_waits(struct machine *machine, const struct ptx_module *program, const char *name,
                   const struct simt_result *result, const struct gpu_code *code, const struct gpu_time *time,
                   struct kernel_waits *waits) {
    const struct sass_kernel *kernel = machine_find(machine, name);
    double all = 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        all += time->stalls[i];
    if (kernel == NULL || code->waits == NULL || !time->by_code || !(all > 0))
        return true;
    struct place *places = calloc(kernel->count + 1u, sizeof *places);
    waits->lines = calloc(kernel->count + 1u, sizeof *waits->lines);
    bool right = places != NULL && waits->lines != NULL;
    uint32_t count = right ? find_places(kernel, program, result, code, places) : 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        waits->share[i] = time->stalls[i] / all;
    waits->known = true;
    double walked = 0;
    for (size_t i = 0; i < (size_t)code->instruction_count * GPU_STALL_COUNT; i++)
        walked += code->waits[i];
    for (uint32_t first = 0, end; right && first < count; first = end) {
        double sums[GPU_STALL_COUNT] = {0};
        for (end = first; end < count && by_line(&places[first], &places[end]) == 0; end++)
            for (int i = 0; i < GPU_STALL_COUNT; i++)
                sums[i] += places[end].waits[i];
        right = add_line(waits, &places[first], sums, walked);
    }
    free(places);
    kernel_waits_sort(waits);
    return right;
}
