/* places.c: machine instruction, line of the PTX, source line. */
#include "gpu/runtime/binding/fill.h"

#include <stdlib.h>
#include <string.h>

static int by_line(const void *left, const void *right) {
    const struct binding_place *a = left, *b = right;
    int file = strcmp(a->file, b->file);
    if (file != 0 || a->line != b->line)
        return file != 0 ? file : a->line < b->line ? -1 : 1;
    return a->instruction < b->instruction ? -1 : a->instruction > b->instruction;
}

static struct binding_place place_of(const struct ptx_module *program,
                                     const struct ptx_instruction *instruction, uint32_t index) {
    bool header = instruction->outer_line != 0 && instruction->file != instruction->outer_file;
    uint32_t file = header ? instruction->outer_file : instruction->file;
    return (struct binding_place){.file = file < program->file_count ? program->files[file] : "",
                                  .line = header ? instruction->outer_line : instruction->line,
                                  .instruction = index};
}

/* Of each line of the PTX the instruction there; NULL: out of memory. */
static const struct ptx_instruction **by_ptx_line(const struct simt_result *result, uint32_t *count) {
    *count = binding_ptx_lines(result);
    const struct ptx_instruction **at = calloc(*count, sizeof(const struct ptx_instruction *));
    for (uint32_t i = 0; at != NULL && i < result->execution_count; i++)
        for (uint32_t line = result->executions[i].instruction->ptx_line;
             line <= result->executions[i].instruction->ptx_end; line++)
            at[line] = result->executions[i].instruction;
    return at;
}

struct binding_place *binding_places(const struct sass_kernel *kernel, const struct ptx_module *program,
                                     const struct simt_result *result) {
    uint32_t lines;
    const struct ptx_instruction **at = by_ptx_line(result, &lines);
    struct binding_place *places = calloc(kernel->count + 1u, sizeof *places);
    if (at == NULL || places == NULL) {
        free(at);
        free(places);
        return NULL;
    }
    for (uint32_t i = 0; i < kernel->count; i++) {
        uint32_t line = kernel->copies[i].line;
        bool known = line < lines && at[line] != NULL && at[line]->line != 0;
        places[i] = known ? place_of(program, at[line], i) : (struct binding_place){"", 0, i};
    }
    free(at);
    qsort(places, kernel->count, sizeof *places, by_line);
    return places;
}

uint32_t binding_places_alike(const struct binding_place *places, uint32_t count) {
    uint32_t same = 1;
    while (same < count && places[same].line == places->line && strcmp(places[same].file, places->file) == 0)
        same++;
    return same;
}
