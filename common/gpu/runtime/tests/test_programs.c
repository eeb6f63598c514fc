/* test_programs.c: CUDA programs (tests/programs) against the library: each API group, faults, ways of
 * building, and what happens when one of the two processes is killed. */
#include "base/test.h"
#include "gpu/runtime/tests/support_programs.h"
#include "report/document/report.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { SECONDS = 3600 }; /* only a program that hangs needs them */

static struct run run;

/* A program that checks itself. */
static void self_check(const char *name, const char *argument) {
    if (!have_program(name))
        skip();
    run_program(&run, name, argument, NULL, SECONDS);
    assert_exit(&run, 0);
    assert_says(&run, "ok");
}

static void memory(void **state) {
    (void)state, self_check("memory", NULL);
}
static void int128(void **state) {
    (void)state, self_check("int128", NULL);
}
/* Products and sums are rounded once where the machine code does so: every bit of its results. */
static void contractions(void **state) {
    (void)state, self_check("contractions", NULL);
}
static void errors(void **state) {
    self_check("errors", NULL);
    assert_says(
        &run, "cudaIpcGetEventHandle is not simulated (cudaErrorNotSupported): processes can share data by");
    assert_says(&run, "32 x 33 x 1 is 1056 threads; at most 1024");
}
static void managed(void **state) {
    (void)state, self_check("managed", NULL);
}

static void older(void **state) {
    (void)state, self_check("older", NULL);
}

static const char *const checked[] = {"CHECK=1", NULL};

/* Run a program with CHECK=1; what it is told, or that nothing was found. */
static void check(const char *name, const char *argument, const char *says) {
    if (!have_program(name))
        skip();
    run_program(&run, name, argument, checked, SECONDS);
    assert_exit(&run, 0);
    assert_says(&run, "ok");
    assert_says(&run, says);
}

static void copies_beyond(void **state) {
    self_check("host", "beyond");
    assert_says(&run,
                "copy from cudaMalloc #2, which has 40000 bytes: 40000 bytes from byte 4 on end 4 beyond it");
    assert_says(&run,
                "memset of cudaMalloc #1, which has 20000 bytes: 20001 bytes from byte 0 on end 1 beyond it");
}

static void never_freed(void **state) {
    check("host", "freed", "check: nothing found");
    check("host", "reset", "check: nothing found");
    check("host", "leak",
          "check: never freed: cudaMalloc #2 (40000 bytes), cudaMallocHost #1 (20000 bytes). The end");
}

/* The host's touch of what a kernel or a copy may still be writing is told; every other is not. */
static void early_touches(void **state) {
    static const char *const right[] = {
        "synchronised",       "other",  "read-only",   "event",  "query",         "copy",
        "copy-async",         "pinned", "pinned-half", "system", "pinned-system", "pinned-source",
        "pinned-source-half", "signal"};
    static const struct {
        const char *what, *says;
    } wrong[] = {
        {"early-read", "check: the host reads byte 8000 of 20000 bytes of managed memory while count_up"},
        {"early-write", "check: the host writes byte 8000 of 20000 bytes of managed memory while count_up"},
        {"early-second", "check: the host reads byte 19996 of 20000 bytes of managed memory while count_up"},
        {"never", "check: the host reads byte 0 of 20000 bytes of managed memory while count_up"},
        {"pinned-early", "check: the host reads byte 19996 of 40000 bytes of pinned host memory while "
                         "the copy (default stream) may still be writing there"},
        {"system-early", "check: the host writes byte 0 of 20000 bytes of managed memory while count_up"},
        {"pinned-source-early",
         "check: the host writes byte 19996 of 40000 bytes of pinned host memory while "
         "the copy (default stream) may still be reading there"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        self_check("host", wrong[i].what); /* and nothing is different without */
        check("host", wrong[i].what, wrong[i].says);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        check("host", right[i], "check: nothing found");
    check("host", "handler", "ok");
    assert_null(strstr(run.output, "caught"));
}

/* Two pieces of work, or one and the host, that nothing orders: both are named. What the letters
 * do: order.cu. */
static void unordered_work(void **state) {
    static const char write[] =
        "nothing orders add_one at order.cu:44 (stream 2), which writes byte 0 of 65536 "
        "bytes of cudaMalloc #1, and ",
                      read[] = "take at order.cu:45 (stream 3)";
    static const struct {
        const char *what, *first, *second;
    } wrong[] = {
        {"w1 r2", write, read},
        {"e1 w1 v2 r2", write, read}, /* the event is recorded before its kernel */
        {"w1 e2 v2 r2", write, read}, /* and here on the wrong stream */
        {"w1 e1 v2 r2 w1", "nothing orders take at order.cu:45 (stream 3), which reads byte 0 of 65536 bytes",
         "and add_one at order.cu:44 (stream 2)"},
        {"w3 r0", write,
         "take at order.cu:45 (default stream), which uses it: give the one on the default stream the other's"},
        {"z2 t1", "nothing orders the memset at order.cu:47 (stream 2), which writes byte 0 of 4 bytes",
         "total at order.cu:46 (stream 3)"},
        {"w1 b2", write, "the copy at order.cu:48 (stream 3)"},
        {"b1 r2 s2 p0", "the host at order.cu:60 reads byte 20 of 65536 bytes of pinned host memory while ",
         "the copy at order.cu:48 (stream 2) may still be writing there"},
        {"(0 w1 r2 )0", write, read},
    };
    static const char *const right[] = {
        "w1 e1 v2 r2", "w1 e1 v2 r2 e2 v1 w1", "w1 r0 w2",    "t1 t2",    "l1 h2",
        "w3 s3 r0",    "w1 e1 q0 r2",          "b1 r2 s1 p0", "b1 f1 p0", "(0 w1 e1 v2 r2 )0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check("order", wrong[i].what, wrong[i].first);
        assert_says(&run, wrong[i].second);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        check("order", right[i], "check: nothing found");
    check("graphs", NULL, "check: never freed");
    assert_null(strstr(run.output, "nothing orders"));
}

/* Modelled times are the same on every run and with any number of host threads. */
static void streams(void **state) {
    static const char *const threads[] = {"SIMGPU_THREADS=1", NULL};
    static struct run first;
    self_check("streams", NULL);
    first = run;
    run_program(&run, "streams", NULL, threads, SECONDS);
    assert_string_equal(run.output, first.output);
}

static void graphs(void **state) {
    self_check("graphs", NULL);
    assert_says(&run, "memory is allocated or freed during a stream capture");
}

/* And with CHECK=1 nothing is said that the edges order. */
static void nodes(void **state) {
    self_check("nodes", NULL);
    assert_says(&run, "whose memory the last launch allocated and nothing has freed");
    check("nodes", NULL, "ok");
    assert_null(strstr(run.output, "nothing orders"));
}

static void launches(void **state) {
    self_check("launches", NULL);
    assert_says(&run, "between\nthread 0 of 2: hello 0.00\nthread 1 of 2: hello 0.50\nok\n");
}

/* Only the kernel that uses what is not simulated is refused; what it shares a file with runs. */
static void refused(void **state) {
    self_check("refused", NULL);
    assert_says(
        &run,
        "simulated GPU: kernel sparse uses sparse products of tensor cores (mma.sp::ordered_metadata.sync");
    assert_says(&run, "refused.cu:15), which are not simulated");
    assert_says(&run,
                "simulated GPU: kernel through_call<int> uses video instructions (vadd.s32.s32.s32.sat, ");
    assert_says(&run, "refused.cu:20), which are not simulated; use ordinary integer arithmetic");
    assert_says(&run, "a call through a pointer: function");
}

/* Launches that did not start are told again at a good end where the program has asked for no error since. */
static void unseen_refusals(void **state) {
    self_check("refused", "unseen");
    assert_says(&run,
                "2 launches, of sparse first, did not start (see above), and the program asked for no error");
    self_check("refused", "once");
    assert_says(&run, "the launch of through_call<int> did not start (see above)");
    self_check("refused", "seen");
    assert_null(strstr(run.output, "see above"));
    run_program(&run, "refused", "fails", NULL, SECONDS);
    assert_exit(&run, 3);
    assert_null(strstr(run.output, "see above"));
}

static void faults(void **state) {
    static const struct {
        const char *kind, *says;
    } kinds[] = {{"beyond", "index 100, and the last is 99"},
                 {"null", "a null pointer"},
                 {"host", "a host pointer"},
                 {"freed", "use after free"},
                 {"misaligned", "misaligned store of 4 bytes"},
                 {"assert", "assertion `x == 3` failed"},
                 {"trap", "trap"},
                 {"stack", "stack"}};
    static const char *const strict[] = {"STRICT=1", NULL};
    if (!have_program("faults"))
        skip();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        run_program(&run, "faults", kinds[i].kind, strict, SECONDS);
        assert_exit(&run, 0);
        assert_says(&run, kinds[i].says);
        assert_says(&run, "faults.cu:");
    }
}

/* Faults that depend on how the simulator is told to look. */
static void faults_by_setting(void **state) {
    static const char *const budget[] = {"SIMGPU_BUDGET=100000", NULL}, *const strict[] = {"STRICT=1", NULL},
                             *const races[] = {"RACES=1", NULL};
    static const struct {
        const char *kind;
        const char *const *environment;
        int status;
        const char *says;
    } cases[] = {{"endless", budget, 0, "endless"},
                 {"barrier", strict, 0, "barrier"},
                 {"barrier", NULL, 1, "remark: faults.cu:"},
                 {"beyond", NULL, 1, "gives cudaSuccess, not cudaErrorIllegalAddress"},
                 {"race", races, 0, "__syncthreads"},
                 {"race", NULL, 1, "remark: faults.cu:"},
                 {"race", strict, 1, "gives cudaSuccess, not cudaErrorLaunchFailure"}};
    if (!have_program("faults"))
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_program(&run, "faults", cases[i].kind, cases[i].environment, SECONDS);
        assert_exit(&run, cases[i].status);
        assert_says(&run, cases[i].says);
    }
}

/* Kernels that can never end: found soon, and said why. */
static void endless(void **state) {
    static const struct {
        const char *kind, *says;
    } kinds[] = {{"registers", "endless.cu:12: kernel registers, block (0,0,0), thread (0,0,0)"},
                 {"registers", "it reads no memory"},
                 {"not_advanced", "the 4 bytes of global memory that line 20 reads stay 0x0"},
                 {"flag", "1 thread repeats"},
                 {"lock_kept", "that line 32 reads stay 0x1"},
                 {"not_resident", "threads repeat"},
                 {"barrier_in_loop", "the 4 bytes of shared memory that line 51 reads stay 0x0"},
                 {"barrier_reduction", "96 threads repeat"},
                 {"others_wait", "96 threads repeat, 288 wait for others"},
                 {"one_block", "block (77,0,0)"},
                 {"stores_the_same", "that line 82 reads stay 0x0"},
                 {"sleeps", "32 threads repeat"},
                 {"bisection", "64 threads repeat"},
                 {"long_period", "it reads no memory"},
                 {"wait_for_each_other", "64 threads repeat"},
                 {"calls", "nothing that it reads changes"},
                 {"float_counter", "endless.cu:135"},
                 {"two_flags", "nothing that it reads changes"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        self_check("endless", kinds[i].kind);
        assert_says(&run, "this loop never ends");
        assert_says(&run, kinds[i].says);
    }
}

/* What repeats not stops at the budget. */
static void counts_away(void **state) {
    static const char *const budget[] = {"SIMGPU_BUDGET=10000000", NULL};
    if (!have_program("endless"))
        skip();
    run_program(&run, "endless", "counts_away", budget, SECONDS);
    assert_exit(&run, 0);
    assert_says(&run, "endless.cu:148: kernel counts_away, block (0,0,0), thread (0,0,0): the kernel "
                      "did not end within 10000000 warp instructions");
}

/* Grids that meet; the same launched otherwise, and a block that stays away. */
static void cooperative(void **state) {
    self_check("cooperative", NULL);
    assert_says(&run, "a cooperative grid of 265 blocks; 2 blocks fit on each of 132 SMs");
    self_check("cooperative", "ordinary");
    assert_says(&run, "cooperative.cu:100: kernel one_stays_away");
    assert_says(&run, "not launched with cudaLaunchCooperativeKernel");
    self_check("cooperative", "away");
    assert_says(&run, "cooperative.cu:100: kernel one_stays_away");
    assert_says(&run, "this loop never ends");
    assert_says(&run, "7 threads repeat, 441 wait for others");
}

/* Tiles of 64 threads and more, as they are compiled before and after they have shared memory of their own. */
static void groups_of_warps(void **state) {
    static const char *const programs[] = {"tiles", "tiles-80", "tiles-90"};
    static const char *const checks[] = {"CHECK=1", "RACES=1", NULL};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        self_check(programs[i], NULL);
        run_program(&run, programs[i], NULL, checks, SECONDS);
        assert_exit(&run, 0);
        assert_says(&run, "check: nothing found");
    }
}

/* wmma, ldmatrix and mma.sync; part of a warp. */
static void products(void **state) {
    static const char *const programs[] = {"products-80", "products-90"};
    static const char *const checks[] = {"CHECK=1", "RACES=1", NULL};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        self_check(programs[i], "part");
        assert_says(&run, "products.cu:58: kernel by_mma");
        assert_says(&run, "only 16 threads of the warp reach this instruction of tensor cores");
        run_program(&run, programs[i], NULL, checks, SECONDS);
        assert_exit(&run, 0);
        assert_says(&run, "check: nothing found");
    }
}

/* Barrier objects, pipelines, bulk copies, clusters; Thrust and CUB. No false alarm. */
static void barriers(void **state) {
    static const struct {
        const char *program, *argument;
    } runs[] = {{"barriers-80", "80"}, {"barriers-90", NULL}};
    static const char *const checks[] = {"CHECK=1", "RACES=1", NULL};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        self_check(runs[i].program, runs[i].argument);
        run_program(&run, runs[i].program, runs[i].argument, checks, SECONDS);
        assert_exit(&run, 0);
        assert_says(&run, "check: nothing found");
    }
    self_check("algorithms-90", NULL);
}

static void patient(void **state) {
    (void)state, self_check("patient", NULL);
}

static void device_pointer_on_the_host(void **state) {
    if (!have_program("faults"))
        skip();
    run_program(&run, "faults", "dereference", NULL, SECONDS);
    assert_true(WIFSIGNALED(run.status));
    assert_int_equal(WTERMSIG(run.status), SIGSEGV);
    assert_says(
        &run,
        "simulated GPU: faults.cu:83: the host reads byte 0 of the 400 bytes of cudaMalloc #1: a device");
    run_program(&run, "tiny", "dereference", NULL, SECONDS);
    assert_says(&run, "simulated GPU: the host reads byte 0 of the 4 bytes of cudaMalloc #1: a device");
    assert_says(&run, "(built with nvcc -g, its line is named)");
}

/* The same program, as different compilers' options leave it. */
static void ways_of_building(void **state) {
    static const char *const variants[] = {"tiny",       "tiny-all",     "tiny-speed",
                                           "tiny-plain", "tiny-several", "tiny-ptx"};
    if (!have_program("tiny"))
        skip();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (have_program(variants[i])) /* a toolkit may lack an option */
            self_check(variants[i], NULL);
    self_check("tiny-ptx", NULL);
    assert_says(&run, "estimated"); /* there is no machine code */
}

static void host_threads(void **state) {
    self_check("tiny", "threads");
    self_check("tiny-threads", "threads"); /* a default stream per thread */
}

/* A program that cannot run says why at its first launch, and goes on. */
static void no_ptx(void **state) {
    if (!have_program("tiny-machine"))
        skip();
    run_program(&run, "tiny-machine", NULL, NULL, SECONDS);
    assert_exit(&run, 1);
    assert_says(&run, "no PTX, machine code for sm_90, and the simulated GPU (compute capability 9.0) runs");
    assert_says(&run, "gives cudaErrorNoKernelImageForDevice");
}

/* What asks for the driver is told so once, again at a good end; whoever holds a runtime of its own is told how to build. */
static void driver_api(void **state) {
    static const char *const modes[] = {"init", "entry"};
    if (!have_program("driver"))
        skip();
    for (int i = 0; i < 2; i++) {
        run_program(&run, "driver", modes[i], NULL, SECONDS);
        assert_exit(&run, 0);
        assert_says(&run, "ok\n");
        const char *said = strstr(run.output, "simulated GPU: the driver API (");
        assert_non_null(said);
        assert_null(strstr(said + 1, "simulated GPU: the driver API ("));
        assert_says(&run, "simulated GPU: driver called the driver API, which failed (see above)");
    }
    run_program(&run, "driver", "fail", NULL, SECONDS); /* it says itself that something is wrong */
    assert_exit(&run, 3);
    assert_null(strstr(run.output, "see above"));
    run_program(&run, "driver", "unused", NULL, SECONDS);
    assert_exit(&run, 0);
    assert_null(strstr(run.output, "simulated GPU"));
}

static void static_runtime(void **state) {
    if (!have_program("tiny-static"))
        skip();
    run_program(&run, "tiny-static", NULL, NULL, SECONDS);
    assert_exit(&run, 1);
    assert_says(&run, "tiny-static brings its own copy of the CUDA runtime");
    assert_says(&run, "nvcc -cudart shared");
}

/* Files compiled with -rdc=true, in the ways such a program is linked. */
static void separate_compilation(void **state) {
    static const char *const programs[] = {"tiny-separate", "linked", "linked-debug", "linked-several",
                                           "linked-archive"};
    if (!have_program("linked"))
        skip();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (have_program(programs[i]))
            self_check(programs[i], NULL);
    run_program(&run, "linked", "stray", (const char *const[]){"STRICT=1", NULL}, SECONDS);
    assert_exit(&run, 0); /* lines are those of the file that holds them */
    assert_says(&run, "linked_part.cu:29: kernel strays, ");
    self_check("nested", NULL);
    assert_says(&run, "kernel outer uses dynamic parallelism (");
    assert_says(&run, "nested.cu:8), which is not simulated; launch the inner kernel from the host");
    if (!have_program("linked-machine"))
        return;
    run_program(&run, "linked-machine", NULL, NULL,
                SECONDS); /* its managed variable is nowhere: it crashes */
    assert_says(&run, "no PTX, machine code for sm_90");
}

static void models(void **state) {
    static const char *const t4[] = {"GPU=t4", NULL}, *const none[] = {"GPU=abacus", NULL},
                             *const hidden[] = {"CUDA_VISIBLE_DEVICES=", NULL};
    if (!have_program("tiny"))
        skip();
    run_program(&run, "tiny", NULL, t4, SECONDS);
    assert_exit(&run, 0);
    run_program(&run, "tiny", NULL, none, SECONDS);
    assert_exit(&run, 1);
    assert_says(&run, "abacus");
    assert_says(&run, "gives cudaErrorInitializationError");
    run_program(&run, "tiny", NULL, hidden, SECONDS);
    assert_says(&run, "gives cudaErrorNoDevice");
}

/* One line per launch or fault, each whole. */
static void launch_report(void **state) {
    char path[64], setting[128], line[65536];
    if (!have_program("tiny"))
        skip();
    temporary_file(path);
    snprintf(setting, sizeof setting, "SIMGPU_REPORT=%s", path);
    const char *const environment[] = {setting, NULL};
    run_program(&run, "tiny", NULL, environment, SECONDS);
    run_program(&run, "faults", "null", environment, SECONDS);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static const char *const lines[] = {
        "{\"fill\":{\"bytes\":4,\"time_us\":",
        "{\"launch\":{\"name\":\"add\",\"grid\":[2,1,1],\"block\":[32,1,1]",
        "{\"copy\":{\"direction\":\"DtoH\",\"bytes\":4,\"time_us\":",
        "{\"fill\":{\"bytes\":400,",
        "{\"fault\":{",
        "{\"launch\":{\"name\":\"store\"", /* after the reset */
        "{\"copy\":{\"direction\":\"DtoH\",\"bytes\":4,\"time_us\":",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        if (strncmp(line, lines[i], strlen(lines[i])) != 0)
            fail_msg("line %zu is %s", i, line);
        assert_string_equal(line + strlen(line) - 3, "}}\n");
        if (i == 4) {
            assert_non_null(strstr(line, "\"cuda_error\":700"));
            assert_non_null(strstr(line, "\"kernel\":\"store\""));
        }
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    unlink(path);
}

/* Whether every launch of a program says how many machine instructions it executed. */
static bool knows_machine_instructions(const char *program) {
    char path[64], setting[128];
    static char line[65536];
    static const char counter[] = "\"inst_executed\":";
    uint32_t known = 0, launches = 0;
    temporary_file(path);
    snprintf(setting, sizeof setting, "SIMGPU_REPORT=%s", path);
    run_program(&run, program, NULL, (const char *const[]){setting, "GPU=h200", NULL}, SECONDS);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *at = strstr(line, counter);
        launches += at != NULL;
        known += at != NULL && strtoull(at + sizeof counter - 1, NULL, 10) > 0;
    }
    fclose(file);
    unlink(path);
    assert_true(launches > 0);
    assert_true(known == 0 || known == launches);
    return known > 0;
}

/* They are the chip's own: machine code for an older one says nothing of it, and without lines there is no telling. */
static void machine_instructions(void **state) {
    if (!have_program("tiles-90") || !have_program("tiny"))
        skip();
    assert_true(knows_machine_instructions("tiles-90"));
    assert_false(knows_machine_instructions("tiny"));
}

/* What a kernel spills is known from its machine code; an array that lies in local memory is no spill. */
static void spills(void **state) {
    static const char *const kernels[] = {"\"name\":\"plain\"", "\"name\":\"array\"", "\"name\":\"spilled\"",
                                          "\"name\":\"both\""};
    char path[64], setting[128];
    static char line[65536];
    if (!have_program("spills"))
        skip();
    temporary_file(path);
    snprintf(setting, sizeof setting, "SIMGPU_REPORT=%s", path);
    const char *const environment[] = {setting, NULL};
    run_program(&run, "spills", NULL, environment, SECONDS);
    assert_exit(&run, 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (unsigned kernel = 0; kernel < 4; kernel++) {
        const char *spilled = NULL;
        while (spilled == NULL && fgets(line, sizeof line, file) != NULL)
            spilled = strstr(line, "\"spill_bytes\":");
        assert_non_null(spilled);
        assert_non_null(strstr(line, kernels[kernel]));
        long bytes = strtol(spilled + strlen("\"spill_bytes\":"), NULL, 10);
        if ((bytes > 0) != (kernel >= 2))
            fail_msg("%s: %ld bytes", kernels[kernel], bytes);
    }
    fclose(file);
    unlink(path);
}

/* Pairs of kernels, the second far slower on an H200: by this at least here, too, and no more. */
static void queues(void **state) {
    static const struct {
        const char *kernel;
        double least, most; /* times */
    } pairs[] = {{"add_integers", 30, 1000}, {"add_floats", 60, 3000}, {"add_shared", 20, 40},
                 {"read_constants", 20, 40}, {"copy", 8, 60},          {"copy_by", 8, 60},
                 {"copy_by_warps", 2, 20},   {"polynomials", 10, 100}};
    char path[64], setting[128];
    static char line[65536];
    if (!have_program("queues"))
        skip();
    temporary_file(path);
    snprintf(setting, sizeof setting, "SIMGPU_REPORT=%s", path);
    const char *const environment[] = {setting, NULL};
    run_program(&run, "queues", NULL, environment, SECONDS);
    assert_exit(&run, 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++) {
        double us[2] = {0};
        for (int second = 0; second < 2; second++) {
            const char *time = NULL;
            while (time == NULL && fgets(line, sizeof line, file) != NULL)
                time = strncmp(line, "{\"launch\"", 9) == 0 ? strstr(line, "\"time_us\":") : NULL;
            assert_non_null(time);
            assert_non_null(strstr(line, pairs[pair].kernel));
            us[second] = strtod(time + strlen("\"time_us\":"), NULL);
        }
        if (!(us[1] > pairs[pair].least * us[0] && us[1] < pairs[pair].most * us[0]))
            fail_msg("%s: %.1f and %.1f us", pairs[pair].kernel, us[0], us[1]);
    }
    fclose(file);
    unlink(path);
}

/* The report of a whole program: every launch in order, in the schema that the rest of the kit reads. */
static void report_document(void **state) {
    static const char *const kernels[] = {"take", "take", "take", "take", "tile<256, float>", "greet"};
    char launches[64], document[64], setting[128], command[9000], error[512];
    struct report report;
    if (!have_program("launches"))
        skip();
    temporary_file(launches);
    temporary_file(document);
    snprintf(setting, sizeof setting, "SIMGPU_REPORT=%s", launches);
    const char *const environment[] = {setting, NULL};
    run_program(&run, "launches", NULL, environment, SECONDS);
    assert_exit(&run, 0);
    snprintf(command, sizeof command,
             "%s/bin/run-report %s --program launches --status 0 --toolkit 13.0 --output %s",
             build_directory(), launches, document);
    assert_int_equal(system(command), 0);
    if (!report_read(&report, document, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(report.run_count, 1);
    assert_int_equal(report.runs[0].kernel_count, sizeof kernels / sizeof *kernels);
    double time = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        assert_string_equal(report.runs[0].kernels[i].name, kernels[i]);
        time += report.runs[0].kernels[i].time_us;
    }
    assert_float_equal(report.runs[0].time_us, time, time / 1000);
    assert_int_equal(report.failure_stage, STAGE_NONE); /* its launches that were refused it expected */
    report_free(&report);

    /* A fault is the report's failure. */
    unlink(launches);
    run_program(&run, "faults", "null", environment, SECONDS);
    assert_int_equal(system(command), 0);
    assert_true(report_read(&report, document, error, sizeof error));
    assert_int_equal(report.failure_stage, STAGE_FAULT);
    assert_non_null(strstr(report.failure_message, "null pointer"));
    report_free(&report);

    /* A line that is none is named. */
    FILE *file = fopen(launches, "w");
    assert_non_null(file);
    fputs("{\"launch\": 3}\n", file);
    fclose(file);
    assert_int_not_equal(system(strcat(command, " 2>/dev/null")), 0);
    unlink(launches);
    unlink(document);
}

/* A program that launches without end has a report with an end: each of the first, then an entry for a kernel. */
static void report_of_many(void **state) {
    enum { MANY = 2500, APART = 1000 };
    char launches[64], document[64], setting[128], command[9000], line[65536], error[512];
    struct report report;
    if (!have_program("tiny"))
        skip();
    temporary_file(launches);
    temporary_file(document);
    snprintf(setting, sizeof setting, "SIMGPU_REPORT=%s", launches);
    run_program(&run, "tiny", NULL, (const char *const[]){setting, NULL}, SECONDS);
    FILE *file = fopen(launches, "r");
    assert_non_null(file);
    do
        assert_non_null(fgets(line, sizeof line, file));
    while (strncmp(line, "{\"launch\"", 9) != 0);
    fclose(file);
    file = fopen(launches, "w");
    assert_non_null(file);
    for (int i = 0; i < MANY; i++)
        fputs(line, file);
    fclose(file);
    snprintf(command, sizeof command, "%s/bin/run-report %s --program many --status 0 --output %s",
             build_directory(), launches, document);
    assert_int_equal(system(command), 0);
    if (!report_read(&report, document, error, sizeof error))
        fail_msg("%s", error);
    const struct report_run *many = &report.runs[0];
    assert_int_equal(many->kernel_count, APART + 1);
    assert_int_equal(run_launches(many), MANY);
    assert_int_equal(many->kernels[APART].launches, MANY - APART);
    assert_float_equal(many->time_us, MANY * many->kernels[0].time_us, many->time_us / 1000);
    assert_string_equal(many->note,
                        "the first 1000 launches one by one, 1500 more as an entry for each kernel");
    report_free(&report);
    unlink(launches);
    unlink(document);
}

/* A simgpu of which the test learns the process: a script that writes its number and becomes simgpu. */
static void write_starter(char script[64], char numbers[64]) {
    temporary_file(script);
    temporary_file(numbers);
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho $$ > %s\nexec %s/bin/simgpu \"$@\"\n", numbers, build_directory());
    fclose(file);
    assert_int_equal(chmod(script, 0700), 0);
}

static pid_t read_number(const char *path) {
    char text[32] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    pid_t number = (pid_t)strtol(text, NULL, 10);
    assert_true(number > 1);
    return number;
}

static void start_ready(struct running *running, const char *mode, pid_t *simgpu) {
    char script[64], numbers[64], setting[128];
    write_starter(script, numbers);
    snprintf(setting, sizeof setting, "SIMGPU=%s", script);
    const char *const environment[] = {setting, NULL};
    start_program(running, "tiny", mode, environment);
    expect_line(running, "ready", SECONDS);
    *simgpu = read_number(numbers);
    assert_true(process_lives(*simgpu));
    unlink(script);
    unlink(numbers);
}

static void assert_gone(pid_t process) {
    for (int i = 0; i < SECONDS * 100 && process_lives(process); i++)
        usleep(10000);
    assert_false(process_lives(process));
}

static void simgpu_killed(void **state) {
    struct running running;
    pid_t simgpu;
    if (!have_program("tiny"))
        skip();
    start_ready(&running, "wait", &simgpu);
    kill(simgpu, SIGKILL);
    assert_gone(simgpu);
    assert_int_equal(write(running.input, "go\n", 3), 3);
    finish_program(&running, &run, SECONDS);
    assert_exit(&run, 1);
    assert_says(&run, "simgpu) is gone");
    assert_says(&run, "gives cudaErrorDevicesUnavailable");
}

static void simgpu_killed_in_a_launch(void **state) {
    struct running running;
    pid_t simgpu;
    if (!have_program("tiny"))
        skip();
    start_ready(&running, "hang", &simgpu);
    usleep(300000);
    kill(simgpu, SIGKILL);
    finish_program(&running, &run, SECONDS);
    assert_exit(&run, 1);
    assert_says(&run, "gives cudaErrorDevicesUnavailable");
}

static void program_ends(void **state) {
    static const char *const modes[] = {"wait", "hang"};
    if (!have_program("tiny"))
        skip();
    for (int i = 0; i < 2; i++) { /* idle, and in the middle of a launch that would not end */
        struct running running;
        pid_t simgpu;
        start_ready(&running, modes[i], &simgpu);
        kill(running.process, SIGKILL);
        finish_program(&running, &run, SECONDS);
        assert_gone(simgpu);
    }
}

TESTS(UNIT(memory), UNIT(int128), UNIT(contractions), UNIT(errors), UNIT(managed), UNIT(copies_beyond),
      UNIT(never_freed), UNIT(early_touches), UNIT(unordered_work), UNIT(streams), UNIT(graphs),
      UNIT(launches), UNIT(refused), UNIT(unseen_refusals), UNIT(faults), UNIT(faults_by_setting),
      UNIT(endless), UNIT(counts_away), UNIT(patient), UNIT(cooperative), UNIT(barriers),
      UNIT(groups_of_warps), UNIT(products), UNIT(device_pointer_on_the_host), UNIT(ways_of_building),
      UNIT(host_threads), UNIT(no_ptx), UNIT(driver_api), UNIT(static_runtime), UNIT(separate_compilation),
      UNIT(models), UNIT(launch_report), UNIT(spills), UNIT(machine_instructions), UNIT(queues),
      UNIT(report_document), UNIT(report_of_many), UNIT(simgpu_killed), UNIT(simgpu_killed_in_a_launch),
      UNIT(program_ends), UNIT(older), UNIT(nodes))
