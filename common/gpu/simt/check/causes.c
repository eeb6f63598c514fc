/* causes.c: why values are unknown: one entry for each instruction and kind, with its first
 * witness. An entry becomes a remark when such a value counts. */
#include "gpu/simt/check/checker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
    [CAUSE_UNWRITTEN] = "unwritten", [CAUSE_LANE] = "absent-lane", [CAUSE_RACE] = "race"};

static struct cause *add(struct checker *checker) {
    if (checker->cause_count >= checker->cause_capacity) {
        uint32_t capacity = checker->cause_capacity ? 2 * checker->cause_capacity : 16;
        struct cause *larger =
            capacity <= CAUSE_INDEX ? realloc(checker->causes, capacity * sizeof *larger) : NULL;
        if (larger == NULL)
            return NULL;
        checker->causes = larger;
        checker->cause_capacity = capacity;
    }
    return &checker->causes[checker->cause_count++];
}

static struct checker *create(void) {
    struct checker *checker = calloc(1, sizeof *checker);
    if (checker == NULL)
        return NULL;
    checker->cause_count = CAUSE_UNSET;
    checker->next_writer = CHECKER_FIRST_WRITER;
    struct cause *unset = add(checker);
    if (unset == NULL) {
        free(checker);
        return NULL;
    }
    *unset = (struct cause){.kind = CAUSE_UNWRITTEN};
    return checker;
}

bool simt_checker_ready(struct simt_device *device) {
    if (device->checker == NULL)
        device->checker = create();
    return device->checker != NULL;
}

void simt_checker_destroy(struct checker *checker) {
    if (checker == NULL)
        return;
    free(checker->causes);
    free(checker->events);
    free(checker->syncs);
    free(checker->releases);
    free(checker);
}

void simt_checker_judged(struct checker *checker, bool on) {
    if (checker != NULL)
        checker->judged = on;
}

void simt_checker_forget_segment(struct checker *checker) {
    if (checker != NULL)
        checker->segment = NULL;
}

void simt_checker_forget_instructions(struct checker *checker) {
    for (uint32_t i = 1; checker != NULL && i < checker->cause_count; i++)
        checker->causes[i].instruction = NULL;
}

static struct checker *checker_of(const struct witness *witness) {
    return witness->worker->launch->device->checker;
}

cause_id simt_cause_known(const struct witness *witness, enum cause_kind kind, uint32_t alike) {
    struct checker *checker = checker_of(witness);
    for (uint32_t i = 0; i < checker->cause_count; i++) {
        uint32_t at = i ? i : checker->last_cause; /* the last one again in most cases */
        if (at == 0)                               /* no cause, or no memory for it */
            continue;
        struct cause *cause = &checker->causes[at];
        if (cause->instruction != witness->instruction || cause->kind != kind || cause->alike != alike)
            continue;
        cause->met++;
        return checker->last_cause = at;
    }
    return 0;
}

cause_id simt_cause_meet(const struct witness *witness, enum cause_kind kind, uint32_t alike,
                         enum cause_copies copies, const char *format, ...) {
    struct checker *checker = checker_of(witness);
    const struct launch *launch = witness->worker->launch;
    const struct ptx_module *program = launch->module->program;
    const struct ptx_instruction *instruction = witness->instruction;
    const uint32_t *size = launch->shape->block;
    struct cause *cause = add(checker);
    if (cause == NULL)
        return 0;
    *cause = (struct cause){.instruction = instruction,
                            .kind = (uint8_t)kind,
                            .copies = (uint8_t)copies,
                            .alike = alike,
                            .met = 1};
    struct simt_remark *remark = &cause->remark;
    uint32_t thread = witness->warp->index * SIMT_LANES + witness->lane;
    remark->kind = kind_names[kind];
    snprintf(remark->kernel, sizeof remark->kernel, "%s", launch->code->function->name);
    if (instruction_file(instruction) < program->file_count)
        snprintf(remark->file, sizeof remark->file, "%s", program->files[instruction_file(instruction)]);
    remark->line = instruction_line(instruction);
    memcpy(remark->block, witness->warp->block->position, sizeof remark->block);
    remark->thread[0] = thread % size[0];
    remark->thread[1] = thread / size[0] % size[1];
    remark->thread[2] = thread / size[0] / size[1];
    int length = snprintf(remark->message, sizeof remark->message, "thread (%u,%u,%u) of block (%u,%u,%u) ",
                          remark->thread[0], remark->thread[1], remark->thread[2], remark->block[0],
                          remark->block[1], remark->block[2]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(remark->message + length, sizeof remark->message - (size_t)length, format, arguments);
    va_end(arguments);
    return checker->last_cause = checker->cause_count - 1;
}

cause_id simt_cause_used(const struct witness *witness, uint32_t lane, cause_id cause) {
    enum {
        REGISTER = 1
    }; /* among the causes "unwritten" of an instruction, which may load such bytes, too */
    struct witness of_lane = *witness;
    of_lane.lane = lane;
    if (cause != CAUSE_UNSET)
        return cause;
    cause = simt_cause_known(&of_lane, CAUSE_UNWRITTEN, REGISTER);
    return cause
               ? cause
               : simt_cause_meet(&of_lane, CAUSE_UNWRITTEN, REGISTER, COPIES_JUDGED,
                                 "uses a variable that it has not set: on a GPU its register holds what was "
                                 "left there");
}

enum cause_kind simt_cause_kind_of(const struct checker *checker, cause_id cause) {
    return (enum cause_kind)checker->causes[cause & CAUSE_INDEX].kind;
}

static void tell(struct simt_device *device, struct cause *cause, const char *how) {
    struct simt_remark remark = cause->remark;
    size_t length = strlen(remark.message);
    snprintf(remark.message + length, sizeof remark.message - length, "%s", how);
    remark.count = cause->met - cause->told;
    if (remark.count == 0)
        return; /* reported before */
    cause->told = cause->met;
    simt_device_remark(device, &remark);
}

void simt_cause_reached_host(struct simt_device *device, cause_id id) {
    struct cause *cause = &device->checker->causes[id & CAUSE_INDEX];
    if ((id & CAUSE_COMPUTED) || cause->copies >= (device->checker->judged ? COPIES_JUDGED : COPIES_ALWAYS))
        tell(device, cause, "; the result depends on it");
}

void simt_cause_is_address(const struct witness *witness, cause_id id) {
    struct simt_device *device = witness->worker->launch->device;
    struct cause *cause = &device->checker->causes[id & CAUSE_INDEX];
    char how[96];
    if (cause->kind == CAUSE_RACE || (id & CAUSE_CONTROL))
        return;
    snprintf(how, sizeof how, "; line %u uses it as an address or index",
             instruction_line(witness->instruction));
    tell(device, cause, how);
}
