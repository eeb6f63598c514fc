/*
 * Submissions that attack: the compiler, the machine, the grader, the measurement. Each goes through
 * grade-job as any submission does and gets no points and its flag, or does no harm and is graded like an
 * honest one. Skipped where the sandbox cannot work. Fixtures bound themselves, so that a defence that fails fails
 * a test and not the machine.
 */
#include "support_job.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/stat.h>

/* name: an entry of a text in grader/job/tests/hostile/, or of common/lab/tests/wrong/gaussian_blur.txt. flag NULL: none.
 * why: "worthless" earns no points though it is right. seconds: what it may take to build or to run, where that limit is the one it meets. 0: more than any machine
 * needs, so that no verdict hangs on how fast this one is. */
struct fixture {
    const char *name, *outcome, *flag, *why;
    unsigned seconds;
};

static const char judged[] = "judged", failed[] = "failed", not_built[] = "build-failed";

// clang-format off
static const struct fixture fixtures[] = {
    /* while it is built */
    {"include_passwd",      not_built, "secret-file",  "the file is not in the sandbox", 0},
    {"include_environment", not_built, "secret-file",  "the file is not in the sandbox", 0},
    {"include_solution",    not_built, "secret-file",  "the file is not in the sandbox", 0},
    {"include_relative",    not_built, "secret-file",  "the file is not in the sandbox", 0},
    {"incbin",              not_built, "secret-file",  "the file is not in the sandbox", 0},
    {"incbin_solution",     not_built, "secret-file",  "the file is not in the sandbox", 0},
    {"include_by_macro",    not_built, "secret-file",  "what is opened counts, not what the text says", 0},
    {"include_step",        not_built, "secret-file",  "the file is not in the sandbox", 0},
    {"has_include",         not_built, "secret-file",  "what is opened counts, not what the text says", 0},
    {"quotes_sandbox",      not_built, NULL,           "an error like any other: the launcher has its own way to report", 0},
    {"quotes_limits",       not_built, NULL,           "an error like any other: limits are seen, not read", 0},
    {"macro_bomb",          not_built, "memory",       "the compiler's memory is limited", 0},
    {"template_bomb",       not_built, "memory",       "the compiler's memory is limited", 0},
    {"constexpr_endless",   not_built, "timeout",      "the compiler's time is limited", 4},
    {"template_endless",    not_built, NULL,           "the compiler gives up: an error like any other", 0},
    {"huge_object",         not_built, "build-size",   "the compiler's files are limited", 0},
    {"many_errors",         not_built, NULL,           "the first 64 KiB of messages are kept", 0},
    {"constructor",         failed,    "constructor",  "the object file is inspected", 0},
    {"constructor_named",   failed,    "constructor",  "the object file is inspected: entries are counted, names say nothing", 0},
    {"constructor_written", failed,    "constructor",  "the object file is inspected: entries are counted, names say nothing", 0},
    {"preinit",             failed,    "object",       "the object file is inspected", 0},
    {"ifunc",               failed,    "object",       "the object file is inspected", 0},
    {"override_main",       not_built, NULL,           "an error like any other: honest tests of one's own are left in", 0},
    {"override_libc",       failed,    "override",     "the object file is inspected", 0},
    {"override_event",      failed,    "override",     "the object file is inspected", 0},
    {"override_adapter",    failed,    "override",     "the object file is inspected", 0},
    {"override_weak",       failed,    "override",     "the object file is inspected", 0},
    {"override_unique",     failed,    "object",       "the object file is inspected: no such symbol can be made local", 0},
    {"cublas",              not_built, NULL,           "no such library is linked: an error like any other", 0},
    {"library_by_name",     not_built, NULL,           "no such library is linked: an error like any other", 0},
    /* while it runs: by the C library, seen in the object file; by itself, seen by the kernel's filter */
    {"fork",                failed,    "process",      "the object file is inspected", 0},
    {"fork_version",        failed,    "process",      "the object file is inspected: a version says nothing", 0},
    {"fork_raw",            failed,    "system-call",  "the system call filter", 0},
    {"thread",              failed,    "thread",       "the object file is inspected", 0},
    {"thread_raw",          failed,    "system-call",  "the system call filter", 0},
    {"system",              failed,    "process",      "the object file is inspected", 0},
    {"exec_raw",            failed,    "early-exit",   "what it becomes has no simulated GPU", 0},
    {"memory_shared",       failed,    "memory",       "the watch over all processes", 0},
    {"memory_heap",         failed,    "crash",        "no more than the limit is given", 0},
    {"memory_device",       failed,    "memory",       "the watch over all processes", 0},
    {"endless_host",        failed,    "timeout",      "the watch over all processes", 5},
    {"sleeps",              failed,    "timeout",      "the watch over all processes", 5},
    {"dozes",               failed,    "timeout",      "the sum of what it sleeps", 5},
    {"waits_for_nothing",   failed,    "timeout",      "the watch over all processes", 5},
    {"sleeps_and_computes", failed,    "timeout",      "the watch over all processes: a clock that counts sleep", 5},
    {"stops_itself",        failed,    "timeout",      "the watch over all processes: nobody continues it", 0},
    {"stops_its_group",     failed,    "timeout",      "the watch over all processes: nobody continues it", 0},
    {"stops_before_main",   failed,    "timeout",      "the watch over all processes: nobody continues it", 0},
    {"steps_back",          judged,    NULL,           "harmless: the system call filter refuses it", 0},
    {"huge_variable",       not_built, NULL,           "an error like any other: variables leave a program room", 0},
    {"huge_variable_of_the_host", not_built, NULL,     "an error like any other: variables leave a program room", 0},
    {"endless_kernel",      failed,    "timeout",      "the watch over all processes", 5},
    {"many_launches",       judged,    NULL,           "harmless: an entry for each kernel", 0},
    {"many_kernels",        failed,    "many-kernels", "a report has an end", 0},
    {"output_flood",        judged,    NULL,           "harmless: read and dropped, the first MiB is kept", 0},
    {"output_kernel",       judged,    NULL,           "harmless: read and dropped, the first MiB is kept", 0},
    {"big_file",            failed,    "crash",        "the size of files is limited (SIGXFSZ)", 0},
    {"many_files",          judged,    NULL,           "harmless: 16 MiB of scratch, the rest is read only", 0},
    {"network",             failed,    "network",      "the object file is inspected", 0},
    {"network_raw",         failed,    "system-call",  "the system call filter; there is no network either", 0},
    {"reads_secrets",       judged,    NULL,           "harmless: nothing of it is there", 0},
    {"reads_environment",   judged,    NULL,           "harmless: nothing of it is there", 0},
    {"becomes_reference",   failed,    "early-exit",   "starter and reference run in a sandbox of their own", 0},
    {"folded_branch",       judged,    NULL,           "worthless: code that is not in the machine code is timed by its counters", 0},
    {"line_marker",         failed,    NULL,           "refused at load: nvcc writes no such line", 0},
    {"launches_reference",  failed,    NULL,           "just wrong: starter and reference run in a sandbox of their own", 0},
    {"second_registration", failed,    "object",       "the object file is inspected", 0},
    {"says_sandbox",        failed,    NULL,           "it never began: the sandbox's trouble is told by the launcher, in a file", 0},
    {"says_sandbox_later",  failed,    "early-exit",   "the sandbox's trouble is told by the launcher, in a file", 0},
    {"exits",               failed,    "early-exit",   "the judge waits for answers, not for a status", 0},
    {"aborts",              failed,    "crash",        "the judge waits for answers, not for a status", 0},
    {"kills",               judged,    NULL,           "harmless: it is alone in its process name space", 0},
    {"signals_others",      judged,    NULL,           "harmless: it is alone in its process name space", 0},
    {"kills_itself",        failed,    "crash",        "the judge waits for answers, not for a status", 0},
    {"deep_stack",          failed,    "crash",        "the stack is limited", 0},
    {"writes_everywhere",   failed,    "result-channel", "a reply has a form and a number", 0},
    {"ptrace",              failed,    "trace",        "the object file is inspected", 0},
    {"ptrace_raw",          failed,    "system-call",  "the system call filter", 0},
    {"reads_processes",     failed,    "system-call",  "the system call filter", 0},
    {"namespaces",          failed,    "system-call",  "the system call filter", 0},
    {"io_uring",            failed,    "system-call",  "the system call filter", 0},
    {"hidden_memory",       failed,    "system-call",  "the system call filter", 0},
    {"loads_library",       judged,    NULL,           "harmless: no driver is there, nor a device for it", 0},
    {"patches_code",        failed,    "trace",        "the object file is inspected", 0},
    /* the measurement */
    {"other_stream",        judged,    NULL,           "harmless: the device is waited for, and all is counted", 0},
    {"forges_clock",        judged,    NULL,           "harmless: its clock is not asked", 0},
    {"skips_pixels",        failed,    NULL,           "just wrong: every pixel is compared", 0},
    {"diluted_loads",       judged,    NULL,           "worthless: sectors are held against pixels", 0},
    {"one_block",           judged,    NULL,           "worthless: the busiest SM stands for all, and slow kernels save nothing", 0},
    {"idle_blocks",         judged,    NULL,           "worthless: the busiest SM stands for all", 0},
    {"idle_warps",          judged,    NULL,           "worthless: a block is as long as its longest warp", 0},
    {"atomic_loads",        judged,    NULL,           "worthless: atomics queue, and count as loads", 0},
    {"warps_in_a_chain",    judged,    NULL,           "worthless: a block is as long as its longest chain of warps", 0},
    {"warps_at_mbarriers",  judged,    NULL,           "worthless: a block is as long as its longest chain of warps", 0},
    {"warps_at_a_lock",     judged,    NULL,           "worthless: no time is given to warps that spin", 0},
    {"blocks_at_a_counted_lock", judged, NULL,         "worthless: no time is given to blocks that spin", 0},
    {"warps_note_their_wait", judged,  NULL,           "worthless: what a warp stores while it waits is no progress", 0},
    {"blocks_note_their_wait", judged, NULL,           "worthless: what a block stores while it waits is no progress", 0},
    {"turns_beside_idle_blocks", judged, NULL,         "worthless: blocks that end at once shorten no chain", 0},
    {"naps",                judged,    NULL,           "worthless: every wave of blocks naps", 0},
    {"increment_one_bulk_copy", judged, NULL,          "worthless: a copy that is waited for takes its time", 0},
    {"fences",              judged,    NULL,           "worthless: a fence is waited for", 0},
    {"frees_each_time",     judged,    NULL,           "worthless: the GPU's idle time counts", 0},
    {"increment_bulk_waits", judged,   NULL,           "harmless: each store is waited for", 0},
    {"increment_store_read_on", failed, NULL,          "the simulated GPU stops it: races are looked for in timed calls, too", 0},
    {"increment_prefetches_all", judged, NULL,         "worthless: what no warp waits for is traffic, too", 0},
    {"increment_prefetches_lines", judged, NULL,       "worthless: what no warp waits for is traffic, too", 0},
    {"increment_few_registers", judged, NULL,          "worthless: spills are charged, and named", 0},
    {"code_function",       judged,    NULL,           "slow: lines of functions count where their code is", 0},
    {"code_function_pointer", judged,  NULL,           "slow: a call through a register goes to what its lines say", 0},
    {"code_one_line",       judged,    NULL,           "worthless: a line of several instructions ran as often as its busiest", 0},
    {"code_one_line_sums",  judged,    NULL,           "slow: a line of several instructions ran as often as its busiest", 0},
    {"code_cheap_neighbour", judged,   NULL,           "worthless: accesses of a line have their share of all of them", 0},
    {"code_merged_sides",   judged,    NULL,           "worthless: what the PTX did is charged to what ptxas made of it", 0},
    {"code_merged_cases",   judged,    NULL,           "worthless: what the PTX did is charged to what ptxas made of it", 0},
    {"code_merged_predicates", judged, NULL,           "worthless: what the PTX did is charged to what ptxas made of it", 0},
    {"code_merged_addresses", judged,  NULL,           "worthless: the costliest of what is left over is charged", 0},
    {"code_merged_stores",  judged,    NULL,           "worthless: what the PTX did is charged to what ptxas made of it", 0},
    {"code_comment",        judged,    NULL,           "slow: comments are no part of the text that is compared", 0},
    {"code_forged",         judged,    NULL,           "worthless: no machine code but the grader's compiler's is believed", 0},
    {"code_generic_banks",  judged,    NULL,           "worthless: banks are counted whatever the address says", 0},
    {"code_halves",         judged,    NULL,           "slow: the halves of a 64-bit operation are no copies of it", 0},
    {"code_recursion",      judged,    NULL,           "slow: lines of functions count where their code is", 0},
    {"constant_pointer",    failed,    NULL,           "the simulated GPU stops it: nothing else is constant memory", 0},
    {"constant_arithmetic", failed,    NULL,           "the simulated GPU stops it: nothing else is constant memory", 0},
    {"constant_large",      not_built, NULL,           "64 KB: an error like any other", 0},
    {"changes_input",       failed,    "input-changed", "inputs are compared, too", 0},
    {"outside_buffer",      failed,    NULL,           "the simulated GPU stops it: buffers have their exact size", 0},
    {"persisting_l2",       judged,    NULL,           "harmless: modelled calls start cold", 0},
    {"gemm_half",           failed,    NULL,           "just wrong: the tolerance is that of float", 0},
    {"gemm_nan",            failed,    NULL,           "just wrong: what is not within the tolerance is wrong", 0},
    /* what crosses between host and device, and what outlives a call */
    {"host_parameters",     failed,    "host-answer",  "parameters of kernels are counted", 0},
    {"host_shapes",         failed,    "host-answer",  "what a launch tells by itself is counted", 0},
    {"host_fills",          failed,    "host-answer",  "what a fill tells is counted", 0},
    {"host_module",         failed,    "host-answer",  "modules are counted once an input was seen", 0},
    {"host_managed",        failed,    "host-answer",  "what crosses in managed memory is counted", 0},
    {"host_managed_copy",   failed,    "host-answer",  "what crosses in managed memory is counted", 0},
    {"host_managed_variable", failed,  "host-answer",  "what crosses in managed memory is counted", 0},
    {"host_managed_rows",   failed,    "host-answer",  "what crosses in managed memory is counted", 0},
    {"host_mapped",         failed,    "host-answer",  "what kernels touch of the host's memory is counted", 0},
    {"host_registered",     failed,    "host-answer",  "what kernels touch of the host's memory is counted", 0},
    {"host_printf",         failed,    NULL,           "just wrong: what kernels print goes to the judge", 0},
    {"host_printf_buffer",  failed,    NULL,           "just wrong: what kernels print goes to the judge", 0},
    {"replay_hash",         judged,    NULL,           "harmless: no input comes twice", 0},
    {"replay_variable",     failed,    NULL,           "just wrong: where a call finds what the last one left, that is judged, too", 0},
    {"replay_pair",         failed,    NULL,           "just wrong: the second call of a pair has an input of its own", 0},
    {"pair_to_timed",       judged,    NULL,           "harmless: what a pair left is forgotten when it ends", 0},
    {"replay_heap",         failed,    "wrong-later",  "device malloc's memory is empty in every call", 0},
    /* what would have to be foreseen */
    {"gemm_makes_inputs",   failed,    NULL,           "just wrong: no element says anything of another", 0},
    {"gemm_next_inputs",    failed,    "wrong-later",  "no input says anything of the next", 0},
    {"increment_makes_inputs", failed, NULL,           "just wrong: no element says anything of another", 0},
    {"increment_samples",   failed,    NULL,           "just wrong: every element is compared", 0},
    {"increment_every_64th", failed,   NULL,           "just wrong: every element is compared", 0},
    {"increment_one_percent", failed,  NULL,           "just wrong: every element is compared", 0},
    {"contrast_known_levels", failed,  NULL,           "just wrong: both levels are drawn", 0},
    {"contrast_sampled_levels", failed, NULL,          "just wrong: each level is in one pixel, at a place that is drawn", 0},
    {"contrast_last_levels", failed,   "wrong-later",  "no picture's levels say anything of the next one's", 0},
    {"contrast_no_grid_wait", failed,  NULL,           "footprints: nothing orders the two kernels", 0},
    {"edge_every_other_row", failed,   NULL,           "just wrong: every pixel is compared", 0},
    {"edge_streams_no_event", failed,  NULL,           "footprints: nothing orders the kernels", 0},
    {"edge_keeps_planes",   failed,    "wrong-later",  "no input comes twice", 0},
    {"weighted_every_other_point", failed, NULL,       "just wrong: every sum is compared", 0},
    {"weighted_single",     failed,    NULL,           "just wrong: the tolerance is that of double", 0},
    {"weighted_keeps_sums", failed,    "wrong-later",  "no input comes twice", 0},
    {"weighted_merged_loads", judged,  NULL,           "worthless: what the PTX did is charged to what ptxas made of it", 0},
    {"weighted_merged_sums", judged,   NULL,           "worthless: what the PTX did is charged to what ptxas made of it", 0},
    {"weighted_merged_caches", judged, NULL,           "worthless: what the PTX did is charged to what ptxas made of it", 0},
    {"weighted_copied_one_by_one", judged, NULL,       "worthless: who awaits each copy waits for all of its time", 0},
    {"weighted_few_registers", judged, NULL,           "worthless: spills are charged, and named", 0},
    {"transpose_idle_tile", judged,    NULL,           "worthless: few passes count only beside whole sectors", 0},
    {"transpose_keeps_result", failed, "wrong-later",  "no input comes twice", 0},
    {"align_every_other_batch", failed, NULL,          "just wrong: every score is compared", 0},
    {"align_keeps_scores",  failed,    "wrong-later",  "no input comes twice", 0},
    /* what works in the host's memory: the GPU's work is repeated without the program */
    {"particles_on_host",   judged,    NULL,           "worthless: repeated without the host nothing comes of it", 0},
    {"particles_carries_answers", judged, NULL,        "worthless: other data have other answers", 0},
    {"particles_writes_over", judged,  NULL,           "worthless: repeated without the host nothing comes of it", 0},
    {"particles_skips_known", judged,  NULL,           "harmless: what its kernels take longer with other data is added", 0},
    {"particles_does_not_wait", judged, NULL,          "worthless: the run has to end when its work does", 0},
    {"particles_no_events", judged,    NULL,           "worthless: what may overlap is done in another order", 0},
    {"particles_one_event_missing", judged, NULL,      "worthless: what may overlap is done in another order", 0},
    {"particles_clock_back", judged,   NULL,           "harmless: no time is less than none", 0},
    {"particles_first_step_only", failed, NULL,        "just wrong: every element of every frame is compared", 0},
    {"particles_in_close",  failed,    NULL,           "just wrong: the results are what is there when the run ends", 0},
    {"particles_last_calls_frames", failed, "wrong-later", "no input comes twice", 0},
    {"particles_changes_field", failed, "input-changed", "inputs are compared, too", 0},
    {"address_order",       failed,    NULL,           "just wrong: the order of the buffers is drawn, and every call is judged", 0},
    {"address_distance",    failed,    "wrong-later",  "addresses are drawn, and every call is judged", 0},
    {"address_known",       failed,    NULL,           "just wrong: addresses are drawn", 0},
    {"hostile_answers",     failed,    "result-channel", "a reply has a form and a number", 0},
    {"hostile_cached_pointer", judged, NULL,           "harmless: no pair of pointers comes twice", 0},
    {"hostile_cached_size", failed,    "wrong-later",  "no input comes twice", 0},
    {"hostile_closes",      failed,    "result-channel", "the judge sees its end", 0},
    {"hostile_constructor", failed,       "constructor", "the object file is inspected", 0},
    {"hostile_exits",       failed,    "early-exit",   "the judge waits for answers, not for a status", 0},
    {"hostile_forged",      failed,    NULL,           "just wrong: what it can reach is not the answer", 0},
    {"hostile_frees",       failed,    "freed-buffer", "device memory is the judge's", 0},
    {"hostile_no_kernel",   failed,    NULL,           "just wrong: a copy is no blur", 0},
    {"hostile_overrides",   failed,    "override",     "the object file is inspected", 0},
    {"hostile_pinned",      failed,    "host-answer",  "what host and device share is counted", 0},
    {"hostile_resets",      failed,    "freed-buffer", "device memory is the judge's", 0},
    {"hostile_thread",      failed,    "thread",       "the object file is inspected", 0},
    {"hostile_wrong_later", failed,    "wrong-later",  "every call is judged", 0},
    {"on_cpu",              failed,    "host-answer",  "copies between host and device are counted", 0},
    {"on_host",             failed,    "crash",        "device memory is not the host's", 0},
    {"honest",              judged,    NULL,           "nothing to hold against it", 0},
};

/* What the walls have to hold, on the second rung (SANDBOX=landlock): no lures are there, and no name spaces. What depends on
 * files, processes and system calls alone is tried in test_rung.c, without a compiler. */
static const struct fixture walls[] = {
    {"include_solution",    not_built, NULL,           "Landlock: the file cannot be opened", 0},
    {"has_include",         judged,    NULL,           "harmless: Landlock: no such file can be opened", 0},
    {"quotes_sandbox",      not_built, NULL,           "an error like any other: the launcher has its own way to report", 0},
    {"macro_bomb",          not_built, "memory",       "the compiler's memory is limited", 0},
    {"constexpr_endless",   not_built, "timeout",      "the compiler's time is limited", 4},
    {"huge_object",         not_built, "build-size",   "the compiler's files are limited", 0},
    {"fork_raw",            failed,    "system-call",  "the system call filter", 0},
    {"exec_raw",            failed,    "early-exit",   "what it becomes has no simulated GPU", 0},
    {"becomes_reference",   failed,    "early-exit",   "starter and reference run in a sandbox of their own", 0},
    {"memory_shared",       failed,    "memory",       "the watch over all processes", 0},
    {"endless_host",        failed,    "timeout",      "the watch over all processes", 5},
    {"stops_itself",        failed,    "timeout",      "the watch over all processes: nobody continues it", 0},
    {"steps_back",          judged,    NULL,           "harmless: the system call filter refuses it", 0},
    {"big_file",            judged,    NULL,           "harmless: no file can be made", 0},
    {"reads_secrets",       judged,    NULL,           "harmless: Landlock: none of it can be opened", 0},
    {"says_sandbox",        failed,    NULL,           "it never began: the sandbox's trouble is told by the launcher, in a file", 0},
    {"signals_others",      failed,    "system-call",  "the system call filter", 0},
    {"honest",              judged,    NULL,           "nothing to hold against it", 0},
};
// clang-format on
enum {
    FIXTURES = sizeof fixtures / sizeof *fixtures,
    WALLS = sizeof walls / sizeof *walls,
    ALL = FIXTURES + WALLS
};

/* A bench for each rung; the fixtures are the first one's, the walls the second's. */
static struct bench benches[2];

static const struct fixture *fixture_at(unsigned i, struct bench **bench) {
    *bench = &benches[i >= FIXTURES];
    return i < FIXTURES ? &fixtures[i] : &walls[i - FIXTURES];
}

/* ---- all jobs, one on each core, and one more: some of them wait until a limit ends them */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned next;

/* Which lab a fixture is a submission of, by the function that its name begins with; else the first. */
static const struct lab_of {
    const char *start, *lab, *size;
} labs_of[] = {
    {"gemm", "lab6", "96x96"},       {"increment", "lab4", "1024x520"}, /* 2^27 multiply-adds and more */
    {"contrast", "lab5", "640x420"}, {"edge", "lab7", "640x420"},       {"weighted", "lab8", "256x64"},
    {"align", "lab9", "96x64"},      {"particles", "lab10", "64x64"},   {"transpose", "lab12", "1088x1056"},
    {"", "lab1", "640x420"}};

static void run_job(const struct bench *bench, const struct fixture *fixture) {
    char kernel[PATH_SIZE], seconds[16];
    const struct lab_of *of = labs_of;
    while (strncmp(fixture->name, of->start, strlen(of->start)) != 0)
        of++;
    const char *arguments[] = {"--lab",
                               of->lab,
                               "--kernel",
                               kernel,
                               "--size",
                               of->size,
                               "--seed",
                               "7",
                               "--memory-mib",
                               "640",
                               fixture->outcome == failed ? "--run-seconds" : "--build-seconds",
                               seconds,
                               NULL};
    snprintf(seconds, sizeof seconds, "%u", fixture->seconds);
    if (fixture->seconds == 0)
        arguments[10] = NULL;
    if (path_print(kernel, "%s/kernels/%s.cu", benches[0].folder, fixture->name))
        bench_grade(bench, fixture->name, arguments);
}

/* test_hostile NAME ...: these alone; without, all. */
static char **wanted;

static bool is_wanted(const char *name) {
    bool any = wanted != NULL && wanted[0] != NULL, found = !any;
    for (char **at = wanted; any && *at != NULL; at++)
        found = found || strcmp(*at, name) == 0;
    return found;
}

static void *work(void *context) {
    (void)context;
    for (;;) {
        pthread_mutex_lock(&mutex);
        unsigned mine = next++;
        pthread_mutex_unlock(&mutex);
        if (mine >= ALL)
            return NULL;
        struct bench *bench;
        const struct fixture *fixture = fixture_at(mine, &bench);
        if (bench->why_not[0] == '\0' && is_wanted(fixture->name))
            run_job(bench, fixture);
    }
}

static int set_up(void **state) {
    pthread_t threads[BENCH_WORKERS_MOST + 1];
    unsigned workers = bench_workers() + 1;
    if (bench_open(&benches[0], "bubblewrap", true) != 0 || bench_open(&benches[1], "landlock", true) != 0 ||
        !bench_expand(&benches[0], "kernels",
                      "grader/job/tests/hostile/*.txt common/lab/tests/wrong/gaussian_blur.txt"))
        return -1;
    for (unsigned i = 0; i < workers; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return -1;
    for (unsigned i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int tear_down(void **state) {
    return bench_close(&benches[0]) | bench_close(&benches[1]);
}

/* ---- what came of it */

static bool has_flag(const json_t *result, const char *name) {
    size_t i;
    json_t *flag;
    json_array_foreach(json_object_get(result, "flags"), i, flag) {
        if (strcmp(json_string_value(json_object_get(flag, "name")), name) == 0)
            return true;
    }
    return false;
}

/* However much a submission does, there is little to tell of it. */
static void test_size(const struct bench *bench, const char *name) {
    enum { MOST = 1 << 20 };
    char path[PATH_SIZE];
    struct stat status;
    assert_true(path_print(path, "%s/%s/result.json", bench->folder, name));
    assert_int_equal(stat(path, &status), 0);
    if (status.st_size > MOST)
        fail_msg("%s: a result of %lld bytes", name, (long long)status.st_size);
}

/* What it hid is charged: its time, slower than the starter's, earns nothing, its counters part of their points at most. */
static bool is_slow(const json_t *report) {
    const json_t *score = json_object_get(report, "score"), *goals = json_object_get(report, "goals");
    size_t i;
    json_t *goal;
    json_array_foreach(goals, i, goal) {
        bool timed = strcmp(json_string_value(json_object_get(goal, "measure")), "speedup_share") == 0;
        if (timed ? json_number_value(json_object_get(goal, "points")) > 0
                  : json_object_get(goal, "barred") == NULL)
            return false;
    }
    return json_array_size(goals) > 0 && !json_is_true(json_object_get(score, "passed"));
}

static void test_fixture(void **state) {
    struct bench *bench;
    const struct fixture *fixture = fixture_at(*(const unsigned *)*state, &bench);
    if (!is_wanted(fixture->name))
        skip();
    bench_need_isolation(bench);
    json_auto_t *result = bench_result(bench, fixture->name);
    const char *outcome = json_string_value(json_object_get(result, "outcome"));
    json_t *flags = json_object_get(result, "flags");
    double points = json_number_value(
        json_object_get(json_object_get(json_object_get(result, "report"), "score"), "points"));
    FREED char *flag_text = json_dumps(flags, 0);
    bool right =
        strcmp(outcome, fixture->outcome) == 0 &&
        (fixture->flag != NULL ? has_flag(result, fixture->flag) : json_array_size(flags) == 0) &&
        (fixture->outcome == judged || points == 0) &&
        (strncmp(fixture->why, "worthless", strlen("worthless")) != 0 || points == 0) &&
        (strncmp(fixture->why, "slow", strlen("slow")) != 0 || is_slow(json_object_get(result, "report"))) &&
        /* a limit is named, not taken for an error in the text */
        strcmp(json_string_value(json_object_get(result, "message")), "kernel.cu does not compile") != 0;
    if (!right)
        fail_msg("%s: expected %s, flag %s (%s); got %s, %.0f points, flags %s\n%s\n%s", fixture->name,
                 fixture->outcome, fixture->flag != NULL ? fixture->flag : "none", fixture->why, outcome,
                 points, flag_text, json_string_value(json_object_get(result, "message")),
                 json_string_value(json_object_get(result, "detail")));
    test_size(bench, fixture->name);
}

/* Nothing of the fixtures lives on. */
static void test_nothing_left(void **state) {
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        char path[300], line[4096] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = fopen(path, "r");
        size_t length = file != NULL ? fread(line, 1, sizeof line - 1, file) : 0;
        if (file != NULL)
            fclose(file);
        for (size_t i = 0; i < length; i++)
            line[i] = line[i] == '\0' ? ' ' : line[i];
        if (strstr(line, benches[0].folder) != NULL || strstr(line, benches[1].folder) != NULL)
            fail_msg("process %s is still there: %s", entry->d_name, line);
    }
    closedir(processes);
}

int main(int count, char **arguments) {
    wanted = arguments + (count > 0);
    static struct CMUnitTest tests[ALL + 1];
    static unsigned numbers[ALL];
    static char names[ALL][64];
    for (unsigned i = 0; i < ALL; i++) {
        struct bench *bench;
        const struct fixture *fixture = fixture_at(i, &bench);
        numbers[i] = i;
        snprintf(names[i], sizeof names[i], "%s%s", fixture->name, i < FIXTURES ? "" : " (landlock)");
        tests[i] = (struct CMUnitTest){names[i], test_fixture, NULL, NULL, &numbers[i]};
    }
    tests[ALL] = (struct CMUnitTest){"test_nothing_left", test_nothing_left, NULL, NULL, NULL};
    return _cmocka_run_group_tests("hostile", tests, ALL + 1, set_up, tear_down);
}
