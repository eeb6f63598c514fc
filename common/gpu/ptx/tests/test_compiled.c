/* test_compiled.c: compilers' PTX. common/archives/compiled-ptx.tar.xz has that of nvcc 13.0
 * (sm_75, sm_90) and 11.8 (sm_52). If there is an nvcc, it compiles the same sources with other
 * options. */
#include "base/test.h"
#include "check_module.h"
#include "support_parse.h"
#include <dirent.h>
#include <time.h>

/* Seconds of processor time. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static struct ptx_module *parse_file(const char *path) {
    size_t length;
    struct ptx_error error;
    FREED char *text = read_text(path, &length);
    if (text == NULL)
        fail_msg("cannot read %s", path);
    struct ptx_module *module = text != NULL ? ptx_parse(text, length, &error) : NULL;
    if (module == NULL)
        fail_msg("%s: %s", path, error.message);
    const char *wrong = module != NULL ? check_module(module) : "no program";
    if (wrong != NULL)
        fail_msg("%s: %s", path, wrong);
    return module;
}

/* ---- slots of the register file, against the most that are live at once */

static void step_back(const struct ptx_function *function, uint32_t i, bool *live) {
    const struct ptx_instruction *instruction = &function->instructions[i];
    const struct ptx_operand *operands = &function->operands[instruction->operand];
    for (uint32_t o = 0; o < (uint32_t)instruction->destinations + instruction->sources; o++) {
        bool written = o < instruction->destinations;
        if (operands[o].kind != PTX_OPERAND_REGISTER &&
            (operands[o].kind != PTX_OPERAND_ADDRESS || operands[o].slot < 0))
            continue;
        if (written && instruction->guard >= 0)
            continue;
        for (int32_t s = operands[o].slot; s <= operands[o].slot + (operands[o].width == 8); s++)
            live[s] = !written;
    }
}

static uint32_t most_live(const struct ptx_function *function) {
    uint32_t count = function->instruction_count, slots = function->slots, most = 0;
    FREED bool *live_in = calloc((size_t)(count + 1) * slots + 1, 1);
    assert_non_null(live_in);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count; i-- > 0;) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            FREED bool *live = calloc(slots + 1, 1);
            assert_non_null(live);
            bool stops = instruction->guard < 0 &&
                         (instruction->opcode == PTX_RET || instruction->opcode == PTX_EXIT ||
                          instruction->opcode == PTX_TRAP || instruction->opcode == PTX_BRA);
            for (uint32_t s = 0; s < slots; s++)
                live[s] =
                    (!stops && live_in[(size_t)(i + 1) * slots + s]) ||
                    (instruction->opcode == PTX_BRA && live_in[(size_t)instruction->target * slots + s]);
            uint32_t together = 0;
            for (uint32_t s = 0; s < slots; s++)
                together += live[s];
            most = together > most ? together : most;
            step_back(function, i, live);
            if (memcmp(live, live_in + (size_t)i * slots, slots) != 0) {
                memcpy(live_in + (size_t)i * slots, live, slots);
                changed = true;
            }
        }
    }
    return most;
}

static void register_files_are_small(void **state) {
    struct ptx_module *module = parse_file(compiled_path("gaussian.sm_75.ptx"));
    const struct ptx_function *gaussian = &module->functions[ptx_find_function(module, "gaussian")];
    print_message("gaussian: %u slots, %u live at once; %u predicates\n", gaussian->slots,
                  most_live(gaussian), gaussian->predicates);
    assert_true(gaussian->slots <= most_live(gaussian) + 3);
    assert_true(gaussian->slots <= 24);
    assert_true(gaussian->predicates <= 4);
    ptx_module_free(module);
    uint32_t slots = 0, live = 0;
    static const char *const files[] = {"arithmetic", "floats", "control", "memory",
                                        "atomics",    "warps",  "half"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.sm_75.ptx", files[i]);
        module = parse_file(compiled_path(name));
        for (uint32_t f = 0; f < module->function_count; f++) {
            slots += module->functions[f].slots;
            live += most_live(&module->functions[f]);
        }
        ptx_module_free(module);
    }
    print_message("all: %u slots, %u live at once\n", slots, live);
    assert_true(slots * 100 <= live * 115);
}

/* ---- the files */

static void all_files_are_read(void **state) {
    DIR *directory = opendir(compiled_path(""));
    if (directory == NULL)
        fail_msg("run the tests by make, in the project's root: %s is not there", compiled_path(""));
    int files = 0;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".ptx") != 0)
            continue;
        ptx_module_free(parse_file(compiled_path(entry->d_name)));
        files++;
    }
    assert_true(files >= 15);
    if (directory != NULL)
        closedir(directory);
}

/* Entries as their source says. */
static void entries_are_as_written(void **state) {
    static const struct {
        const char *file, *entry;
        uint32_t parameters, parameter_bytes, shared_bytes, local_bytes;
        bool barrier, calls, recursion, dynamic;
    } cases[] = {
        {"gaussian.sm_75.ptx", "gaussian", 4, 24, 14 * 38 * 4, 0, true, false, false, false},
        {"control.sm_75.ptx", "loops", 2, 12, 0, 0, false, false, false, false},
        {"control.sm_75.ptx", "calls", 3, 20, 0, 0, false, true, true, false},
        {"control.sm_52.ptx", "calls", 3, 20, 0, 0, false, true, true, false},
        {"control.sm_75.ptx", "bounded", 1, 8, 0, 0, false, false, false, false},
        {"memory.sm_75.ptx", "spaces", 4, 32, 4 * 16 * 17 + 4 * 16 + 32 * 4, 0, true, false, false, true},
        {"memory.sm_52.ptx", "generic", 2, 12, 256, 256, true, true, false, false},
        {"memory.sm_75.ptx", "big_parameter", 4, 64, 0, 0, false, false, false, false},
        {"async.sm_90.ptx", "copies", 3, 24, 64 * 16 + 64 * 4, 0, true, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_module *module = parse_file(compiled_path(cases[i].file));
        int index = ptx_find_function(module, cases[i].entry);
        assert_true(index >= 0);
        const struct ptx_function *entry = &module->functions[index];
        if (entry->shared_bytes != cases[i].shared_bytes ||
            entry->parameter_bytes != cases[i].parameter_bytes)
            fail_msg("%s of %s: %u shared and %u parameter bytes", cases[i].entry, cases[i].file,
                     entry->shared_bytes, entry->parameter_bytes);
        assert_int_equal(entry->parameter_count, cases[i].parameters);
        assert_true(entry->local_bytes >= cases[i].local_bytes);
        assert_int_equal(entry->uses_barrier, cases[i].barrier);
        assert_int_equal(entry->uses_calls, cases[i].calls);
        assert_int_equal(entry->uses_recursion, cases[i].recursion);
        assert_int_equal(entry->uses_dynamic_shared, cases[i].dynamic);
        if (strcmp(cases[i].entry, "bounded") == 0) {
            assert_int_equal(entry->max_threads[0], 256);
            assert_int_equal(entry->min_blocks, 2);
        }
        ptx_module_free(module);
    }
}

static void initialised_data_is_as_written(void **state) {
    struct ptx_module *module = parse_file(compiled_path("memory.sm_75.ptx"));
    const struct ptx_symbol *table = &module->symbols[ptx_find_symbol(module, "table")];
    static const int16_t rows[4][8] = {{1, -2, 3}, {4}, {5, 6}};
    assert_int_equal(table->size, sizeof rows);
    assert_memory_equal(table->initial, rows, sizeof rows);
    const struct ptx_symbol *pointers = &module->symbols[ptx_find_symbol(module, "pointers")];
    assert_int_equal(pointers->relocation_count, 2);
    assert_int_equal(pointers->relocations[1].symbol, ptx_find_symbol(module, "matrix"));
    assert_int_equal(pointers->relocations[1].addend, 5 * 8);
    const struct ptx_symbol *initial = &module->symbols[ptx_find_symbol(module, "initial")];
    struct {
        char c;
        double d;
        short s[3];
        float f;
    } mixed;
    assert_int_equal(initial->size, sizeof mixed);
    memcpy(&mixed, initial->initial, sizeof mixed);
    assert_true(mixed.c == 'x' && mixed.d == 2.5 && mixed.s[2] == 3 && mixed.f == 4.0f);
    ptx_module_free(module);
}

/* Well under 5 ms of processor time for 800 lines: the best of several, as caches are shared. */
static void reading_is_fast(void **state) {
    if (getenv("SANITIZED") != NULL)
        return; /* a sanitised build is slow */
    size_t length;
    FREED char *text = read_text(compiled_path("memory.sm_75.ptx"), &length);
    assert_non_null(text);
    uint32_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    double best = 1e9;
    for (int turn = 0; turn < 20; turn++) {
        struct ptx_error error;
        double start = now();
        struct ptx_module *module = ptx_parse(text, length, &error);
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        assert_non_null(module);
        ptx_module_free(module);
    }
    print_message("%u lines in %.3f ms\n", lines, best * 1e3);
    assert_true(best * 800 / lines <
                5e-3 * (getenv("VALGRIND_LIB") != NULL || getenv("LD_PRELOAD") != NULL ? 100 : 1));
}

static void what_nvcc_writes_today(void **state) {
    char nvcc[512] = "";
    FILE *find = popen("common/tools/find-cuda nvcc 2>/dev/null", "r");
    if (find != NULL) {
        if (fgets(nvcc, sizeof nvcc, find) == NULL)
            *nvcc = '\0';
        pclose(find);
    }
    nvcc[strcspn(nvcc, "\n")] = '\0';
    if (!*nvcc) {
        print_message("skipped: there is no nvcc\n");
        skip();
    }
    static const char *const options[] = {"-arch=compute_80 -lineinfo -O3", "-arch=compute_75 -G",
                                          "-arch=compute_90 -use_fast_math"};
    char output[] = "/tmp/test_compiled.XXXXXX";
    int descriptor = mkstemp(output);
    assert_true(descriptor >= 0);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char command[1536];
        snprintf(command, sizeof command, "'%s' -ptx %s -o %s '%s' 2>&1", nvcc, options[i], output,
                 compiled_path("everything.cu"));
        assert_int_equal(system(command), 0);
        ptx_module_free(parse_file(output));
    }
    close(descriptor);
    remove(output);
}

TESTS(UNIT(all_files_are_read), UNIT(entries_are_as_written), UNIT(initialised_data_is_as_written),
      UNIT(register_files_are_small), UNIT(reading_is_fast), UNIT(what_nvcc_writes_today))
