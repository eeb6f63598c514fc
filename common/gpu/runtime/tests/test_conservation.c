/*
 * test_conservation.c: what the machine code of random kernels is charged for reaches what their PTX did, by kind of access
 * and of arithmetic. Their accesses and sums stand on both sides of branches, under predicates, twice, or in a third of the
 * warps, and ptxas merges, predicates and drops as it likes. RANDOM_SEED=n makes others, CONSERVATION_KERNELS=n more.
 * Skipped without ptxas.
 */
#include "base/home.h"
#include "base/path.h"
#include "base/test.h"
#include "gpu/ptx/ptx.h"
#include "gpu/runtime/binding/fill.h"
#include "gpu/runtime/server/launch_report.h"

#include <math.h>

enum {
    KERNELS = 60,
    LINES = 4096,
    BLOCKS = 16,
    THREADS = 128,
    TRIPS = 8,
    BYTES = 1 << 22,
    TEXT_BYTES = 1 << 14, /* of a kernel's */
};

/* Difference between what is charged and what was asked for that is none. */
static const double tolerance = 0.02;

enum { IMAD_HI = 0x27 }; /* the low 9 bits of its opcode */

/* ---- random kernels */

struct text {
    char *text;
    size_t size, length;
    uint32_t line;  /* the next one's number, from 1 */
    uint64_t state; /* of the random numbers */
    bool *needless; /* lines whose instruction ptxas may leave out */
};

static uint32_t draw(struct text *text, uint32_t below) {
    text->state = text->state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(text->state >> 33) % below;
}

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *at = text->text + text->length;
    int length = vsnprintf(at, text->size - text->length, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < text->size - text->length);
    text->length += (size_t)length;
    for (; *at != '\0'; at++)
        text->line += *at == '\n';
}

#define CHAIN                                                                                                \
    "mul.hi.u32 %%w, %%w, 0x9E377;\nmul.hi.u32 %%w, %%w, 0x9E3779;\nmul.hi.u32 %%w, %%w, 0x9E37791;\n"       \
    "mul.hi.u32 %%w, %%w, 0x9E377913;\n"

/* What a statement does: %%x, %%v, %%dx are its results, the number is an offset of its own. */
static const char *const deeds[] = {
    "ld.global.f32 %%x, [%%ga+%u];\n",
    "ld.global.v2.f32 {%%x, %%v}, [%%ga+%u];\n",
    "ld.global.u8 %%w, [%%ga+%u];\n",
    "ld.shared.f32 %%x, [%%sa+%u];\n",
    "st.global.f32 [%%oa+%u], %%acc;\n",
    "st.shared.f32 [%%sa+%u], %%acc;\n",
    "red.global.add.u32 [%%oa+%u], %%w;\n",
    "red.shared.add.u32 [%%sa+%u], %%w;\n",
    "fma.rn.f32 %%x, %%acc, %%y, 0f3F8%05X;\n",
    "fma.rn.f64 %%dx, %%d, %%d, 0d3FF00000000%05X;\n",
    "mul.hi.u32 %%w, %%h, 0x9E3%05X;\n",
    "mul.hi.u32 %%w, %%h, 0x9E3%05X; mul.hi.u32 %%w, %%w, 0x9E377;\n",
    "mul.hi.u32 %%w, %%h, 0x9E3%05X; fma.rn.f32 %%x, %%acc, %%y, 0f3F812345; mul.hi.u32 %%w, %%w, 0x9E377;\n",
    "mul.hi.u32 %%w, %%h, 0x9E3%05X;\n" CHAIN CHAIN CHAIN,
    "mul.hi.u32 %%w, %%h, 0x9E3%05X;\nselp.b32 %%w, %%w, %%h, %%lane;\nmul.hi.u32 %%w, %%w, 0x9E377;\n",
    "fma.rn.f32 %%x, %%acc, %%y, 0f3F8%05X;\nselp.f32 %%x, %%x, %%y, %%lane;\nfma.rn.f32 %%x, %%x, %%y, 0f3F812345;\n",
};
enum {
    DEEDS = sizeof deeds / sizeof *deeds,
    SHARED_LOAD = 3,
    SHARED_STORE = 5,
    SUMS = 8 /* from there on */
};

static void add_deed(struct text *text, uint32_t deed, uint32_t offset) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    add(text, deeds[deed], offset);
#pragma GCC diagnostic pop
}

static void add_needless(struct text *text, uint32_t deed, uint32_t offset) {
    uint32_t first = text->line;
    add_deed(text, deed, offset);
    for (uint32_t line = first; line < text->line; line++)
        text->needless[line] = true;
}

enum form {
    PLAIN,
    BOTH_SIDES, /* of a branch that all threads take alike */
    BOTH_PREDICATES,
    THREE_SIDES,
    TWO_OFFSETS,    /* on either side of a branch that some warps take: nothing to merge */
    SIDES_OF_WARPS, /* of a branch that some warps take */
    SIDES_OF_LANES, /* of a branch that some threads of each warp take */
    TWICE,
    ODD_SIDE,    /* both sides do it, one does more */
    OWN_ADDRESS, /* both sides, written differently */
    SOME_WARPS,
    SOME_BOTH, /* both sides, in some warps */
    FORMS
};

/* Both sides of a branch by predicate `by`, which leaves at label `end`. */
static void add_sides(struct text *text, const char *by, uint32_t deed, uint32_t here, uint32_t there,
                      uint32_t label, bool needless) {
    add(text, "@%%%s bra A%u;\n", by, label);
    needless ? add_needless(text, deed, here) : add_deed(text, deed, here);
    add(text, "bra B%u;\nA%u:\n", label, label);
    needless ? add_needless(text, deed, there) : add_deed(text, deed, there);
    add(text, "B%u:\n", label);
}

static void add_statement(struct text *text, uint32_t kernel, uint32_t number) {
    enum form form = (enum form)draw(text, FORMS);
    uint32_t deed = draw(text, DEEDS), label = kernel * 100 + number, at = 64 * number;
    const char *by = draw(text, 2) ? "yes" : "no";
    switch (form) {
    case BOTH_SIDES: add_sides(text, by, deed, at, at, label, false); break;
    case TWO_OFFSETS: add_sides(text, "warp", deed, at, at + 32, label, false); break;
    case SIDES_OF_WARPS: add_sides(text, "warp", deed, at, at, label, false); break;
    case SIDES_OF_LANES:
        /* for all threads at once it is one sum, and may be one wavefront */
        add_sides(text, "lane", deed, at, at, label,
                  deed >= SUMS || deed == SHARED_LOAD || deed == SHARED_STORE);
        break;
    case BOTH_PREDICATES:
        add(text, "@%%%s ", by);
        add_deed(text, deed, at);
        add(text, "@!%%%s ", by);
        deed >= SUMS ? add_needless(text, deed, at) : add_deed(text, deed, at);
        break;
    case THREE_SIDES:
        add(text, "@%%%s bra C%u;\n", by, label);
        add_sides(text, "yes", deed, at, at, label, false);
        add(text, "bra D%u;\nC%u:\n", label, label);
        add_deed(text, deed, at);
        add(text, "D%u:\n", label);
        break;
    case TWICE:
        deed = deed > SUMS + 2 ? SUMS : deed; /* half of a kernel's sums may not be missing */
        add_deed(text, deed, at);
        add_needless(text, deed, at);
        break;
    case ODD_SIDE:
        add(text, "@%%%s bra A%u;\n", by, label);
        add_deed(text, deed, at);
        add(text, "add.u32 %%w, %%w, 3;\nbra B%u;\nA%u:\n", label, label);
        add_deed(text, deed, at);
        add(text, "B%u:\n", label);
        break;
    case OWN_ADDRESS:
        add(text, "@%%%s bra A%u;\nadd.s64 %%t, %%ga, %u;\nld.global.f32 %%x, [%%t+-4];\n", by, label,
            at + 4);
        add(text, "bra B%u;\nA%u:\nld.global.f32 %%x, [%%ga+%u];\nB%u:\n", label, label, at, label);
        break;
    case SOME_WARPS:
        add(text, "@%%warp bra A%u;\n", label);
        add_deed(text, deed, at);
        add(text, "A%u:\n", label);
        break;
    case SOME_BOTH:
        add(text, "@%%warp bra C%u;\n", label);
        add_sides(text, by, deed, at, at, label, false);
        add(text, "C%u:\n", label);
        break;
    default: add_deed(text, deed, at); break;
    }
    add(text, "add.f32 %%acc, %%acc, %%x;\nadd.f32 %%y, %%y, %%v;\nadd.f64 %%d, %%d, %%dx;\n"
              "xor.b32 %%h, %%h, %%w;\n");
}

static void add_kernel(struct text *text, uint32_t kernel) {
    uint32_t stride = 4u << draw(text, 4), statements = 1 + draw(text, 6);
    add(text, ".visible .entry k%u(.param .u64 in, .param .u64 out, .param .u32 n) {\n", kernel);
    add(text,
        ".reg .pred %%yes, %%no, %%warp, %%lane, %%again;\n.reg .b32 %%i, %%k, %%n, %%o, %%h, %%w, %%sa;\n"
        ".reg .b64 %%in, %%out, %%ga, %%oa, %%t, %%wide;\n.reg .f32 %%acc, %%x, %%y, %%v;\n"
        ".reg .f64 %%d, %%dx;\n.shared .align 16 .b8 s%u[8192];\n",
        kernel);
    add(text, "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\nld.param.u32 %%n, [n];\n"
              "cvta.to.global.u64 %%in, %%in;\ncvta.to.global.u64 %%out, %%out;\n"
              "mov.u32 %%i, %%ctaid.x;\nmov.u32 %%k, %%ntid.x;\nmov.u32 %%o, %%tid.x;\n"
              "mad.lo.u32 %%i, %%i, %%k, %%o;\nsetp.gt.u32 %%yes, %%n, 3;\nsetp.gt.u32 %%no, %%n, 3000;\n"
              "and.b32 %%w, %%o, 32;\nsetp.eq.u32 %%warp, %%w, 0;\nand.b32 %%w, %%o, 1;\n"
              "setp.eq.u32 %%lane, %%w, 0;\ncvt.rn.f32.u32 %%acc, %%i;\ncvt.f64.f32 %%d, %%acc;\n"
              "mov.u32 %%h, %%i;\nmov.u32 %%k, 0;\n");
    for (int i = 0; i < 4; i++) { /* where each is overwritten it is not loaded */
        text->needless[text->line] = true;
        add(text, "ld.global.f%u %%%s, [%%in+%u];\n", i < 3 ? 32 : 64,
            i == 0   ? "x"
            : i == 1 ? "y"
            : i == 2 ? "v"
                     : "dx",
            32 * i);
    }
    add(text,
        "L%u:\n%smad.lo.u32 %%o, %%k, 4096, %%i;\nmul.lo.u32 %%o, %%o, %u;\nand.b32 %%o, %%o, 0x1FFFF8;\n"
        "cvt.u64.u32 %%wide, %%o;\nadd.u64 %%ga, %%in, %%wide;\nadd.u64 %%oa, %%out, %%wide;\n"
        "and.b32 %%o, %%o, 4088;\nmov.u32 %%sa, s%u;\nadd.u32 %%sa, %%sa, %%o;\n"
        "xor.b32 %%h, %%h, %%o;\n", /* else a kernel without accesses has dead code there */
        kernel, draw(text, 2) ? ".pragma \"nounroll\";\n" : "", stride, kernel);
    for (uint32_t s = 1; s <= statements; s++)
        add_statement(text, kernel, s);
    add(text, "add.u32 %%k, %%k, 1;\nsetp.lt.u32 %%again, %%k, %s;\n@%%again bra L%u;\n",
        draw(text, 2) ? "%n" : "8", kernel);
    add(text, "mul.lo.u32 %%i, %%i, 4;\ncvt.u64.u32 %%wide, %%i;\nadd.u64 %%t, %%out, %%wide;\n"
              "cvt.rn.f32.f64 %%v, %%d;\nadd.f32 %%acc, %%acc, %%v;\nadd.f32 %%acc, %%acc, %%y;\n"
              "cvt.rn.f32.u32 %%v, %%h;\nadd.f32 %%acc, %%acc, %%v;\nst.global.f32 [%%t], %%acc;\nret;\n}\n");
}

/* ---- what they did, and what they are charged for */

enum measure {
    GLOBAL_LOADS,
    GLOBAL_STORES,
    ON_SHARED_LOADS,
    ON_SHARED_STORES,
    GLOBAL_ATOMICS,
    SHARED_ATOMICS,
    SINGLE,
    DOUBLE,
    INTEGER,
    MEASURES
};
static const char *const measures[MEASURES] = {"sectors loaded",
                                               "sectors stored",
                                               "wavefronts of shared loads",
                                               "wavefronts of shared stores",
                                               "sectors of atomics",
                                               "passes of shared atomics",
                                               "float sums",
                                               "double sums",
                                               "upper halves of products"};

/* Of an execution; MEASURES: none. */
static enum measure measure_of(const struct ptx_instruction *in) {
    switch (binding_ptx_kind(in)) {
    case LOADS: return GLOBAL_LOADS;
    case STORES: return GLOBAL_STORES;
    case SHARED_LOADS: return ON_SHARED_LOADS;
    case SHARED_STORES: return ON_SHARED_STORES;
    case ATOMICS: return in->space == PTX_SHARED ? SHARED_ATOMICS : GLOBAL_ATOMICS;
    default: break;
    }
    uint8_t class = ptx_nature(in)->class;
    if (in->opcode == PTX_MUL && in->type == PTX_U32 && in->form == PTX_HI)
        return INTEGER;
    bool sum = class == PTX_CLASS_SUM || class == PTX_CLASS_FUSED;
    return sum && in->type == PTX_F32 ? SINGLE : sum && in->type == PTX_F64 ? DOUBLE : MEASURES;
}

/* least: without what ptxas may leave out. */
static void ask(const struct simt_result *result, const bool *needless, double most[MEASURES],
                double least[MEASURES]) {
    for (uint32_t i = 0; i < result->execution_count; i++) {
        const struct simt_execution *one = &result->executions[i];
        enum measure measure = measure_of(one->instruction);
        if (measure == MEASURES)
            continue;
        double took = measure >= SINGLE           ? (double)one->runs
                      : measure == SHARED_ATOMICS ? (double)one->lines
                                                  : (double)one->transactions;
        most[measure] += took;
        least[measure] += needless[one->instruction->ptx_line] ? 0 : took;
    }
}

static void charge(const struct gpu_code *code, const struct sass_kernel *kernel, double charged[MEASURES]) {
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++) {
            const struct gpu_instruction *in = &code->instructions[i];
            double runs = code->blocks[b].runs, active = runs * in->active_share;
            switch ((enum gpu_access)in->access) {
            case GPU_ACCESS_GLOBAL:
                charged[in->store ? GLOBAL_STORES : GLOBAL_LOADS] += active * in->sectors;
                break;
            case GPU_ACCESS_SHARED:
                charged[in->store ? ON_SHARED_STORES : ON_SHARED_LOADS] += active * in->wavefronts;
                break;
            case GPU_ACCESS_ATOMIC: charged[GLOBAL_ATOMICS] += active * in->sectors; break;
            case GPU_ACCESS_SHARED_ATOMIC: charged[SHARED_ATOMICS] += active * in->wavefronts; break;
            default: break;
            }
            charged[SINGLE] += kernel->copies[i].work == SASS_WORK_FLOAT ? runs : 0;
            charged[INTEGER] += (kernel->instructions[i].opcode & 0x1ff) == IMAD_HI ? runs : 0;
            charged[DOUBLE] += kernel->copies[i].work == SASS_WORK_DOUBLE ? runs : 0;
        }
}

/* Shows what differs; accesses are charged once, sums may be made under predicates too. */
static bool holds(const char *name, const double most[MEASURES], const double least[MEASURES],
                  const double charged[MEASURES]) {
    bool right = true;
    for (int m = 0; m < MEASURES; m++) {
        bool reached = charged[m] >= least[m] * (1 - tolerance),
             once = m >= SINGLE || charged[m] <= most[m] * (1 + tolerance);
        if (!reached || !once)
            print_message("%s: %s: %.0f to %.0f asked for, %.0f charged\n", name, measures[m], least[m],
                          most[m], charged[m]);
        right = right && reached && once;
    }
    return right;
}

/* ---- */

static char ptxas_path[PATH_SIZE];

static bool find_ptxas(void) {
    char error[256], command[PATH_SIZE];
    struct home home;
    assert_true(home_find(&home, error, sizeof error));
    assert_true(path_print(command, "%s/common/tools/find-cuda tool ptxas 2>/dev/null", home.root));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    ptxas_path[fread(ptxas_path, 1, sizeof ptxas_path - 1, pipe)] = '\0';
    ptxas_path[strcspn(ptxas_path, "\n")] = '\0';
    return pclose(pipe) == 0 && ptxas_path[0] != '\0';
}

struct scene {
    struct gpu_model model;
    struct ptx_module *program;
    struct simt_device *device;
    struct simt_module *module;
    struct binding binding;
    struct text text;
    struct {
        uint64_t in, out;
        uint32_t n;
    } parameters;
};

static void open_scene(struct scene *scene) {
    char why[512] = "";
    struct ptx_error error = {0};
    struct simt_config config;
    struct ptxas ptxas;
    assert_true(gpu_model_load(NULL, "h200", &scene->model, why, sizeof why));
    scene->program = ptx_parse(scene->text.text, scene->text.length, &error);
    if (scene->program == NULL)
        fail_msg("%s", error.message);
    simulation_config(&scene->model, &config);
    scene->device = simt_device_create(&config);
    assert_non_null(scene->device);
    scene->module = simt_module_load(scene->device, scene->program, why, sizeof why);
    if (scene->module == NULL)
        fail_msg("%s", why);
    assert_int_equal(simt_allocate(scene->device, BYTES, &scene->parameters.in), SIMT_OK);
    assert_int_equal(simt_allocate(scene->device, BYTES, &scene->parameters.out), SIMT_OK);
    simt_fill(scene->device, scene->parameters.in, 0x3f, 1, BYTES);
    simt_fill(scene->device, scene->parameters.out, 0, 1, BYTES);
    scene->parameters.n = TRIPS;
    char *copy = malloc(scene->text.length + 1);
    assert_non_null(copy);
    memcpy(copy, scene->text.text, scene->text.length + 1);
    binding_take(&scene->binding, NULL, &(struct cubin){0}, copy, scene->text.length,
                 &(struct ptxas_options){0}, scene->model.compute_major);
    ptxas_init(&ptxas, ptxas_path);
    ptxas.cache[0] = '\0';
    ptxas.seconds = ptxas.quiet_seconds = 3600; /* only a ptxas that hangs needs them */
    if (binding_make(&scene->binding, "k0", &ptxas, 90))
        fail_msg("%s", scene->binding.why);
}

static void close_scene(struct scene *scene) {
    binding_free(&scene->binding);
    simt_module_unload(scene->device, scene->module);
    simt_device_destroy(scene->device);
    ptx_module_free(scene->program);
    free(scene->text.text);
    free(scene->text.needless);
}

static bool check(struct scene *scene, uint32_t number) {
    char name[16], why[256] = "";
    snprintf(name, sizeof name, "k%u", number);
    struct simt_launch launch = {.kernel = simt_module_kernel(scene->module, name),
                                 .grid = {BLOCKS, 1, 1},
                                 .block = {THREADS, 1, 1},
                                 .resident_blocks = 8,
                                 .parameters = &scene->parameters};
    struct simt_result result = {0};
    struct gpu_code code;
    bool made;
    double most[MEASURES] = {0}, least[MEASURES] = {0}, charged[MEASURES] = {0};
    assert_non_null(launch.kernel);
    if (simt_run(scene->device, &launch, &result) != SIMT_OK)
        fail_msg("%s: %s", name, result.fault.message);
    bool right = binding_code(&scene->binding, scene->program, &scene->model, &launch, &result, NULL, &code,
                              &made, why, sizeof why);
    if (right) {
        ask(&result, scene->text.needless, most, least);
        charge(&code, binding_find(&scene->binding, name), charged);
        right = holds(name, most, least, charged);
        gpu_code_free(&code);
    } else {
        print_message("%s: %s\n", name, why);
    }
    simt_result_free(&result);
    return right;
}

static void charges_reach_what_the_ptx_did(void **state) {
    if (!find_ptxas()) {
        print_message("skipped: no ptxas\n");
        skip();
    }
    const char *seed = getenv("RANDOM_SEED"), *more = getenv("CONSERVATION_KERNELS"), *show = getenv("SHOW");
    uint32_t kernels = more != NULL ? (uint32_t)strtoul(more, NULL, 10) : KERNELS, wrong = 0;
    static struct scene scene;
    struct text *text = &scene.text;
    text->state = 0x9e3779b97f4a7c15U + (seed != NULL ? strtoull(seed, NULL, 10) : 1) * 0x100000001b3U;
    text->size = (size_t)(kernels + 1) * TEXT_BYTES;
    text->text = malloc(text->size);
    text->needless = calloc((size_t)(kernels + 1) * LINES, sizeof *text->needless);
    text->line = 1;
    assert_non_null(text->text);
    assert_non_null(text->needless);
    add(text, ".version 8.0\n.target sm_90\n.address_size 64\n");
    for (uint32_t k = 0; k < kernels; k++)
        add_kernel(text, k);
    if (show != NULL)
        puts(text->text);
    open_scene(&scene);
    for (uint32_t k = 0; k < kernels; k++)
        wrong += !check(&scene, k);
    close_scene(&scene);
    print_message("%u kernels, %u of which are charged for something else than they did\n", kernels, wrong);
    assert_true(kernels > 0);
    assert_int_equal(wrong, 0);
}

TESTS(UNIT(charges_reach_what_the_ptx_did))
