/* test_contract_machine.c: compares fused operations with ptxas'. Random straight-line kernels are
 * compiled and disassembled, and the stored expressions compared with those of our program of the
 * same PTX. Skipped, with the reason, without nvcc or nvdisasm. RANDOM_SEED=n makes others. */
#include "base/test.h"

#include "support_expressions.h"
#include "support_parse.h"

enum { KERNELS = 120, INPUTS = 8, MOST_STEPS = 18, PATH_BYTES = 256, LINE_BYTES = 1024, SHOWN = 3 };

/* ---- random kernels */

struct random_text {
    char *text;
    size_t used, size;
};

static void add(struct random_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text->text + text->used, text->size - text->used, format, arguments);
    va_end(arguments);
    assert_true(written >= 0 && (size_t)written < text->size - text->used);
    text->used += (size_t)written;
}

/* xorshift64* */
static uint32_t draw(uint64_t *state, uint32_t below) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 0x2545f4914f6cdd1dU) >> 33) % below;
}

struct flavour {
    const char *type, *copied; /* of arithmetic; of loads, stores, copies and registers */
    uint32_t bytes;
    bool flushes, saturates;
};

/* Values: %v0 to %v7 are loaded, each step makes the next. */
struct draft {
    struct random_text *text;
    uint64_t *state;
    const struct flavour *flavour;
    uint32_t count; /* of values */
    uint32_t products[MOST_STEPS], product_count;
    bool read[INPUTS + MOST_STEPS];
    bool paired[INPUTS + MOST_STEPS][INPUTS + MOST_STEPS][2]; /* as factors, as terms */
};

static uint32_t draw_value(struct draft *draft) {
    if (draft->product_count > 0 && draw(draft->state, 10) < 4)
        return draft->products[draw(draft->state, draft->product_count)];
    return draw(draft->state, draft->count);
}

static const char *modifier(struct draft *draft, bool sum) {
    uint32_t drawn = draw(draft->state, 24);
    return drawn == 0                                       ? ".rn"
           : drawn == 1 && draft->flavour->flushes          ? ".ftz"
           : drawn == 2 && sum && draft->flavour->saturates ? ".sat"
                                                            : "";
}

/* A product or sum of two values that no earlier step has: ptxas and nvcc merge equal ones. */
static bool add_pair(struct draft *draft, bool sum) {
    uint32_t a = draw_value(draft), b = draw_value(draft);
    if (draft->paired[a][b][sum] || (sum && a == b))
        return false;
    draft->paired[a][b][sum] = draft->paired[b][a][sum] = true;
    draft->read[a] = draft->read[b] = true;
    const char *operation = !sum ? "mul" : draw(draft->state, 2) ? "add" : "sub";
    add(draft->text, "%s%s.%s %%v%u, %%v%u, %%v%u;\n", operation, modifier(draft, sum), draft->flavour->type,
        draft->count, a, b);
    if (!sum)
        draft->products[draft->product_count++] = draft->count;
    draft->count++;
    return true;
}

static void add_unary(struct draft *draft) {
    uint32_t a = draw_value(draft);
    bool copies = draw(draft->state, 2);
    draft->read[a] = true;
    add(draft->text, "%s.%s %%v%u, %%v%u;\n", copies ? "mov" : "neg",
        copies ? draft->flavour->copied : draft->flavour->type, draft->count, a);
    if (draw(draft->state, 2))
        draft->products[draft->product_count++] = draft->count;
    draft->count++;
}

static void add_kernel(struct random_text *text, uint64_t *state, const struct flavour *flavour,
                       uint32_t index) {
    struct draft draft = {.text = text, .state = state, .flavour = flavour, .count = INPUTS};
    uint32_t steps = 4 + draw(state, MOST_STEPS - 3), outputs = 0;
    add(text,
        ".visible .entry k%u(.param .u64 i, .param .u64 o)\n{\n.reg .b64 %%i, %%o;\n.reg .%s %%v<%d>;\n"
        "ld.param.u64 %%i, [i];\nld.param.u64 %%o, [o];\ncvta.to.global.u64 %%i, %%i;\n"
        "cvta.to.global.u64 %%o, %%o;\n",
        index, flavour->copied, INPUTS + MOST_STEPS);
    for (uint32_t i = 0; i < INPUTS; i++)
        add(text, "ld.global.nc.%s %%v%u, [%%i+%u];\n", flavour->copied, i, i * flavour->bytes);
    while (draft.count < INPUTS + steps) {
        uint32_t drawn = draw(state, 10);
        if (drawn == 0)
            add_unary(&draft);
        else
            add_pair(&draft, drawn > 4);
    }
    for (uint32_t i = INPUTS; i < draft.count; i++)
        if (!draft.read[i] || draw(state, 20) == 0)
            add(text, "st.global.%s [%%o+%u], %%v%u;\n", flavour->copied, outputs++ * flavour->bytes, i);
    add(text, "ret;\n}\n");
}

/* ---- the machine code */

/* All output of a command, or NULL. */
static char *output_of(const char *command) {
    FILE *pipe = popen(command, "r");
    size_t size = 0, room = 1 << 22;
    char *text = malloc(room);
    assert_non_null(pipe);
    assert_non_null(text);
    for (size_t got = 1; got != 0; size += got)
        got = fread(text + size, 1, room - size - 1, pipe);
    text[size] = '\0';
    assert_true(size < room - 1);
    if (pclose(pipe) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static bool find_program(const char *command, char *path, size_t size) {
    FREED char *found = output_of(command);
    snprintf(path, size, "%.*s", found == NULL ? 0 : (int)strcspn(found, "\n"), found == NULL ? "" : found);
    return *path != '\0';
}

static char *disassembly_of(const char *nvdisasm, const char *text, const char *architecture) {
    char folder[] = "/tmp/test_contract.XXXXXX", command[LINE_BYTES], ptx[PATH_BYTES], cubin[PATH_BYTES];
    assert_non_null(mkdtemp(folder));
    snprintf(ptx, sizeof ptx, "%s/k.ptx", folder);
    snprintf(cubin, sizeof cubin, "%s/k.cubin", folder);
    FILE *file = fopen(ptx, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command,
             "common/tools/nvcc -O3 -lineinfo -cubin -arch=sm_%s -o %s %s 2>&1 && '%s' -c %s", architecture,
             cubin, ptx, nvdisasm, cubin);
    char *listing = output_of(command);
    unlink(ptx);
    unlink(cubin);
    rmdir(folder);
    return listing;
}

/* The lines of kernel `index`, up to the next function's; NULL: none. */
static char *part_of(const char *listing, uint32_t index) {
    char head[64];
    snprintf(head, sizeof head, "\n.text.k%u:\n", index);
    const char *start = strstr(listing, head);
    if (start == NULL)
        return NULL;
    start += strlen(head);
    const char *end = strstr(start, "\n.text.");
    return strndup(start, end == NULL ? strlen(start) : (size_t)(end - start));
}

/* ---- the comparison */

static uint32_t differences_of(struct expressions *all, bool show, const struct ptx_function *function,
                               char *code, uint32_t bytes) {
    struct expression ours[EXPRESSION_OUTPUTS], theirs[EXPRESSION_OUTPUTS];
    uint32_t differences = 0;
    for (uint32_t i = 0; i < EXPRESSION_OUTPUTS; i++)
        ours[i] = theirs[i] = (struct expression){-1, false};
    all->count = 0;
    assert_true(expressions_of_program(all, function, bytes, ours));
    assert_true(expressions_of_listing(all, code, bytes, theirs));
    assert_true(ours[0].node >= 0);
    for (uint32_t i = 0; i < EXPRESSION_OUTPUTS; i++) {
        char here[512], there[512];
        if (ours[i].node == theirs[i].node && ours[i].negated == theirs[i].negated)
            continue;
        expression_print(all, ours[i], here, sizeof here);
        expression_print(all, theirs[i], there, sizeof there);
        if (differences++ == 0 && show)
            print_message("%s, output %u:\n  here    %s\n  machine %s\n", function->name, i, here, there);
    }
    return differences;
}

static void compare(const char *nvdisasm, const struct flavour *flavour, const char *architecture) {
    const char *chosen = getenv("RANDOM_SEED");
    uint64_t state = 0x9e3779b97f4a7c15U + (chosen != NULL ? strtoull(chosen, NULL, 10) : 1) * 0x100000001b3U;
    struct random_text text = {.size = 1 << 20};
    text.text = malloc(text.size);
    FREED struct expressions *all = malloc(sizeof *all);
    assert_non_null(text.text);
    assert_non_null(all);
    add(&text, ".version 7.8\n.target sm_%s\n.address_size 64\n", architecture);
    for (uint32_t i = 0; i < KERNELS; i++)
        add_kernel(&text, &state, flavour, i);
    FREED char *listing = disassembly_of(nvdisasm, text.text, architecture);
    assert_non_null(listing);
    struct ptx_module *module = parse(text.text);
    uint32_t fused = 0, wrong = 0;
    assert_int_equal(module->function_count, KERNELS);
    for (uint32_t i = 0; i < KERNELS; i++) {
        FREED char *code = part_of(listing, i);
        assert_non_null(code);
        wrong += differences_of(all, wrong < SHOWN, &module->functions[i], code, flavour->bytes) > 0;
        for (uint32_t n = 0; n < module->functions[i].instruction_count; n++)
            fused += module->functions[i].instructions[n].opcode == PTX_FMA;
    }
    print_message("%s for sm_%s: %d kernels, %u operations fused, %u kernels differ\n", flavour->type,
                  architecture, KERNELS, fused, wrong);
    assert_true(fused > KERNELS / 2);
    assert_int_equal(wrong, 0);
    ptx_module_free(module);
    free(text.text);
}

static void what_is_fused_is_what_ptxas_fuses(void **state) {
    char nvdisasm[PATH_BYTES], nvcc[PATH_BYTES];
    if (!find_program("common/tools/find-cuda nvcc 2>/dev/null", nvcc, sizeof nvcc) ||
        !find_program("common/tools/find-cuda tool nvdisasm 2>/dev/null", nvdisasm, sizeof nvdisasm)) {
        print_message("there is no nvcc, or no nvdisasm, to compare with: make setup DEV=1 brings them\n");
        skip();
    }
    static const struct flavour floats = {"f32", "f32", 4, true, true},
                                doubles = {"f64", "f64", 8, false, false},
                                pairs = {"f16x2", "b32", 4, false, false},
                                others = {"bf16x2", "b32", 4, false, false};
    compare(nvdisasm, &floats, "75");
    compare(nvdisasm, &floats, "90");
    compare(nvdisasm, &doubles, "80");
    compare(nvdisasm, &pairs, "80");
    compare(nvdisasm, &others, "90");
}

TESTS(UNIT(what_is_fused_is_what_ptxas_fuses))
