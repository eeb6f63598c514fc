/*
 * fake_grade_job.c: a grade-job that compiles and runs nothing: what it answers depends on the
 * bytes of the kernel alone, so that the class around it can be tested quickly and in its worst
 * moments.
 *
 *   BUILD, WRONG, FLAG, TROUBLE   that outcome
 *   HALO                          wrong, and the cause is known
 *   SLOW                          answers after 50 ms
 *   GATE                          answers once the file that FAKE_GRADE_JOB_GATE names is there
 *   CRASH, HANG                   never answers
 *   SECOND                        crashes in its first attempt
 *   TIMEOUT                       fails for a limit of time
 *   BUSY                          does so in its first attempt; in a later one it is right where no other runs beside it, and in trouble
 *                                 else
 *   PRINTS 0123...                the fingerprints of its compiled code, up to the end of the line
 *   LARGE, STARVED                likewise, its first attempt fails for a limit of memory, or is in trouble
 * Anything else is right, with values of the goals drawn from its SHA-256. The lab's starter earns
 * nothing, its reference all; they leave no line in the trace, but one in TRACE.rehearsal. By size:
 * at 64x40 the reference is slower than the starter, at 64x41 the starter earns points, at 64x42
 * the reference is wrong.
 */
#include "base/file.h"
#include "base/home.h"
#include "class/intake/bundle.h"
#include "class/score/policy.h"
#include "lab/problems/lab.h"
#include "report/document/report.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct arguments {
    const char *lab, *kernel, *output, *device, *gpu, *size, *key;
};

static const char *value_of(int count, char **arguments, const char *name) {
    for (int i = 1; i + 1 < count; i++)
        if (strcmp(arguments[i], name) == 0)
            return arguments[i + 1];
    return NULL;
}

static bool has(const char *text, const char *word) {
    return strstr(text, word) != NULL;
}

/* A share from 0 to 1 out of two digits of the hash. */
static double share(const char *sha256, unsigned at) {
    char digits[3] = {sha256[at * 2 % 64], sha256[(at * 2 + 1) % 64], '\0'};
    return (double)strtoul(digits, NULL, 16) / 255;
}

/* Is this the kit's own file? */
static bool is_kits(const struct lab *lab, const char *root, const char *name, const char *text) {
    char path[PATH_SIZE], error[TEXT_ERROR];
    size_t length;
    const char *folder = strcmp(name, "starter.cu") == 0 ? "starters" : ".";
    bool one = lab->problem != NULL;
    char *own = !path_print(path, "%s/solutions/%s-%s/%s", root, lab->id, lab->topic, one ? name : folder)
                    ? NULL
                : one ? file_read(path, KERNEL_LIMIT, NULL, error, sizeof error)
                      : bundle_of_folder(path, &length, error, sizeof error);
    bool same = own != NULL && strcmp(own, text) == 0;
    free(own);
    return same;
}

/* How well a kernel does. */
struct quality {
    const char *sha256;
    double fixed;   /* share of every goal; below 0: drawn from the hash */
    double speedup; /* over the starter */
};

static double goal_share(const struct quality *quality, unsigned at) {
    return quality->fixed >= 0 ? quality->fixed : share(quality->sha256, at);
}

static bool has_size(const struct arguments *a, const char *size) {
    return a->size != NULL && strcmp(a->size, size) == 0;
}

/* secret: of a run with the grader's inputs, of whose kernels no student may see anything. */
static void add_run(struct report *report, const char *name, double time_us, double speedup, bool secret) {
    struct report_run *run = report_add_run(report, name);
    run->time_us = time_us;
    run->speedup = speedup;
    run->time_source = TIME_MODEL;
    struct kernel_report *kernel = report_run_add_kernel(run);
    kernel->name = strdup(secret ? "secret_kernel" : "blur");
    kernel->grid[0] = kernel->grid[1] = kernel->grid[2] = 1;
    kernel->block[0] = 256;
    kernel->block[1] = kernel->block[2] = 1;
    kernel->registers = 24;
    kernel->time_us = time_us;
    kernel->time_source = TIME_MODEL;
    kernel->limiter = GPU_L1;
    kernel->lines = calloc(2, sizeof *kernel->lines);
    kernel->line_count = 2;
    kernel->lines[0] = (struct kernel_line){.file = strdup("/work/kernel.cu"),
                                            .line = secret ? 77777 : 12,
                                            .kind = LINE_GLOBAL_LOAD,
                                            .requests = 1000,
                                            .transactions = 4800,
                                            .ideal = 1000,
                                            .threads = 32000};
    kernel->lines[1] = (struct kernel_line){.file = strdup("/work/kernel.cu"),
                                            .line = secret ? 77778 : 20,
                                            .kind = LINE_GLOBAL_STORE,
                                            .requests = 1000,
                                            .transactions = 4000,
                                            .ideal = 1000,
                                            .threads = 32000};
}

static json_t *judged(const struct arguments *a, const struct lab *lab, const struct quality *quality) {
    struct report report;
    double total = 0, max = 0;
    report_init(&report, lab->id, lab->title);
    report_set_device(&report, strcmp(a->device, "sim") == 0 ? DEVICE_SIM : DEVICE_CUDA, "NVIDIA H200",
                      "h200", "13.0");
    report.problem.width = lab->parts[0].width;
    report.problem.height = lab->parts[0].height;
    report_add_case(&report, "secret case 17 x 3", true, "");
    add_run(&report, "starter", 100, 1, true);
    add_run(&report, "yours", 100 / quality->speedup, quality->speedup, true);
    add_run(&report, "reference", 50, 2, true);
    for (unsigned i = 0; i < lab->goal_count; i++) {
        const struct lab_goal *goal = &lab->goals[i];
        double value = goal->sim.zero + (goal->sim.full - goal->sim.zero) * goal_share(quality, i);
        double points = lab_points(&goal->sim, value, goal->points);
        report_add_goal(&report, goal->name, value, goal->sim.zero, goal->sim.full, points, goal->points);
        report.goals[i].measure = strdup(lab_measure_name(goal->measure));
        total += points;
        max += goal->points;
    }
    report.score_points = total;
    report.score_max = max;
    report.score_passed = total >= lab->pass;
    json_t *json = report_to_json(&report);
    report_free(&report);
    return json;
}

/* The same kernels with inputs that everybody has. */
static json_t *shown(const struct arguments *a, const struct lab *lab, const char *sha256) {
    struct report report;
    report_init(&report, lab->id, lab->title);
    report_set_device(&report, strcmp(a->device, "sim") == 0 ? DEVICE_SIM : DEVICE_CUDA, "NVIDIA H200",
                      "h200", "13.0");
    add_run(&report, "yours", 100 / (1 + share(sha256, 9)), 1, false);
    json_t *json = report_to_json(&report);
    report_free(&report);
    return json;
}

static bool is_first(const struct arguments *a) {
    return has(a->output + strlen(a->output) - 2, "-1");
}

/* What happens before there is a result. */
static void behave(const struct arguments *a, const char *text, const char *sha256, bool kits) {
    const char *trace = getenv("FAKE_GRADE_JOB_TRACE"); /* a line for each run */
    char path[PATH_SIZE];
    FILE *log =
        trace != NULL && path_print(path, "%s%s", trace, kits ? ".rehearsal" : "") ? fopen(path, "a") : NULL;
    if (log != NULL) {
        fprintf(log, "%s\n", sha256);
        fclose(log);
    }
    if (has(text, "SLOW"))
        usleep(50000);
    const char *gate = getenv("FAKE_GRADE_JOB_GATE");
    while (has(text, "GATE") && gate != NULL && access(gate, F_OK) != 0)
        usleep(5000);
    if (has(text, "HANG"))
        pause();
    if (has(text, "CRASH") || (has(text, "SECOND") && is_first(a)))
        abort();
}

/* Each run holds a lock beside the trace, until it ends: a shared one, or one that nobody else holds. */
static bool is_alone(bool wanted) {
    char path[PATH_SIZE];
    const char *trace = getenv("FAKE_GRADE_JOB_TRACE");
    if (trace == NULL || !path_print(path, "%s.lock", trace))
        return true;
    int lock = open(path, O_RDWR | O_CREAT, 0600); /* closed by the end of the process */
    return lock < 0 || flock(lock, wanted ? LOCK_EX | LOCK_NB : LOCK_SH) == 0;
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "--kit") == 0) {
        puts("fake-1");
        return 0;
    }
    if (count > 1 && strcmp(arguments[1], "--try-sandbox") == 0) {
        const char *none = getenv("FAKE_GRADE_JOB_NO_SANDBOX");
        puts(none != NULL ? none : "bubblewrap: as ever");
        return none != NULL;
    }
    struct arguments a = {value_of(count, arguments, "--lab"),    value_of(count, arguments, "--kernel"),
                          value_of(count, arguments, "--output"), value_of(count, arguments, "--device"),
                          value_of(count, arguments, "--gpu"),    value_of(count, arguments, "--size"),
                          value_of(count, arguments, "--key")};
    struct home home;
    struct lab lab;
    char error[TEXT_ERROR], sha256[KERNEL_SHA256];
    size_t length;
    if (a.lab == NULL || a.kernel == NULL || a.output == NULL || a.device == NULL || a.gpu == NULL ||
        a.key == NULL || !home_find(&home, error, sizeof error) ||
        !policy_lab(home.root, a.lab, &lab, error, sizeof error))
        return 2;
    if (lab.problem == NULL)
        lab.goals[0].sim.full = 1;
    /* The inputs of a real one follow from the key; here its name alone. */
    struct draw_key key;
    char drawn[DRAW_NAME], *hexadecimal = file_read(a.key, DRAW_KEY_TEXT, &length, error, sizeof error);
    if (hexadecimal == NULL || length != DRAW_KEY_TEXT)
        return 2;
    hexadecimal[DRAW_KEY_TEXT - 1] = '\0';
    if (!draw_key_parse(&key, hexadecimal))
        return 2;
    draw_key_name(&key, drawn);
    free(hexadecimal);
    char *text = file_read(a.kernel, KERNEL_LIMIT, &length, error, sizeof error);
    if (text == NULL)
        return 2;
    kernel_sha256((const uint8_t *)text, length, sha256);
    bool crowded = has(text, "BUSY") || has(text, "LARGE") || has(text, "STARVED"),
         first = crowded && is_first(&a), large = has(text, "LARGE") && first,
         late = has(text, "TIMEOUT") || (has(text, "BUSY") && first), starved = has(text, "STARVED") && first;
    bool alone = is_alone(crowded && !first);
    bool starter = is_kits(&lab, home.root, "starter.cu", text),
         reference = is_kits(&lab, home.root, "kernel.cu", text);
    behave(&a, text, sha256, starter || reference);
    size_t mark = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* no compiler minds it */
    char bare[KERNEL_SHA256];
    kernel_sha256((const uint8_t *)text + mark, length - mark, bare);
    struct quality quality = {.sha256 = bare, .fixed = -1, .speedup = 1 + share(bare, 9)};
    if (starter)
        quality =
            (struct quality){.sha256 = sha256, .fixed = has_size(&a, "64x41") ? 0.075 : 0, .speedup = 1};
    if (reference)
        quality = (struct quality){.sha256 = sha256,
                                   .fixed = has_size(&a, "64x40") ? 0 : 1,
                                   .speedup = has_size(&a, "64x40") ? 0.89 : 2};

    const char *outcome = starter || (reference && !has_size(&a, "64x42")) ? "judged"
                          : reference                                      ? "failed"
                          : has(text, "BUILD")                             ? "build-failed"
                          : has(text, "TROUBLE") || starved || !alone      ? "trouble"
                          : has(text, "WRONG") || has(text, "HALO") || has(text, "FLAG") || late || large
                              ? "failed"
                              : "judged";
    bool right = strcmp(outcome, "judged") == 0;
    json_t *flags = json_array();
    if (has(text, "FLAG"))
        json_array_append_new(flags, json_pack("{s:s, s:s}", "name", "host-answer", "message",
                                               "moved the problem to the host, or an answer from there"));
    if (late)
        json_array_append_new(flags,
                              json_pack("{s:s, s:s}", "name", "timeout", "message", "did not end in time"));
    if (large)
        json_array_append_new(
            flags, json_pack("{s:s, s:s}", "name", "memory", "message", "used more memory than is allowed"));
    static const char halo[] =
        "3 of 49 cases are wrong; e.g. 1 x 1. In all 3 cases that fail, your result is exactly what comes out when "
        "column 0 of the source counts as outside. A pixel is inside where u >= 0 and u < width.";
    json_t *json = json_pack(
        "{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:{s:s, s:s}, s:o, s:o, s:o, s:{s:f, s:f}}",
        "schema", 1, "lab", a.lab, "kernel_sha256", sha256, "kit", "fake-1", "device", a.device, "gpu", a.gpu,
        "drawn", drawn, "size", a.size != NULL ? json_string(a.size) : json_null(), "outcome", outcome,
        "message",
        right               ? ""
        : has(text, "HALO") ? halo
                            : "It computes something else: <b>1 of 49</b> cases.",
        "detail", right ? "" : "7 x 1: pixel (3, 0) is wrong.\nThe line after <it>.", "staff", "message",
        right ? "" : "secret message", "detail", right ? "" : "secret pixel 77779 at 0x7f0012345678", "flags",
        flags, "shown", right ? shown(&a, &lab, sha256) : json_null(), "report",
        right ? judged(&a, &lab, &quality) : json_null(), "seconds", "build", (double)getpid(), "run", 0.5);
    const char *prints = strstr(text, "PRINTS ");
    if (prints != NULL)
        json_object_set_new(json, "prints", json_stringn(prints + 7, strspn(prints + 7, "0123456789abcdef")));
    struct file_output output;
    if (json == NULL || !file_begin(&output, a.output, "result.json", error, sizeof error) ||
        json_dumpf(json, output.file, REPORT_JSON_FLAGS) != 0 || !file_end(&output, error, sizeof error))
        return 1;
    json_decref(json);
    free(text);
    return 0;
}
