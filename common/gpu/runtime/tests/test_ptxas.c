/* test_ptxas.c: ptxas as a program that is run: what it is asked, how it may fail, what is kept. A script stands for it. */
#include "base/test.h"
#include "gpu/runtime/binding/ptxas.h"

#include "base/child.h"
#include "base/file.h"
#include "gpu/runtime/protocol.h"
#include "gpu/runtime/tests/support_judge.h"
#include "gpu/runtime/tests/support_programs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/test_ptxas.XXXXXX", program[64], runs[64], error[192];
static struct ptxas ptxas;
static const struct ptxas_options plain;

/* What it answers when asked for its version, and how it compiles; every compilation leaves a line in a file. */
static void write_script(const char *version, const char *compiles) {
    char text[1024], why[256];
    snprintf(text, sizeof text,
             "#!/bin/sh\nif [ \"$1\" = --version ]; then %s; exit 0; fi\necho \"$*\" >>%s\n%s\n", version,
             runs, compiles);
    assert_true(file_write(program, text, strlen(text), why, sizeof why));
    assert_int_equal(chmod(program, 0755), 0);
}

static int set_up(void **state) {
    strcpy(folder, "/tmp/test_ptxas.XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/ptxas", folder);
    snprintf(runs, sizeof runs, "%s/runs", folder);
    ptxas_init(&ptxas, program);
    path_print(ptxas.cache, "%s/cache/deep", folder);
    write_script("echo release 1", "cat /proc/self/fd/3 >/proc/self/fd/4");
    error[0] = '\0';
    return 0;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return 0;
}

/* How often it compiled; text becomes its last command line. */
static unsigned compilations(char text[256]) {
    char line[256];
    unsigned count = 0;
    FILE *file = fopen(runs, "r");
    text[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        strcpy(text, line);
        count++;
    }
    if (file != NULL)
        fclose(file);
    return count;
}

static void expect_made(const char *text, uint32_t architecture, const struct ptxas_options *options) {
    size_t size = 0;
    char *made = ptxas_make(&ptxas, text, strlen(text), architecture, options, &size, error, sizeof error);
    if (made == NULL)
        fail_msg("%s", error);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(made, text, size);
    free(made);
}

static void expect_none(const char *why) {
    size_t size = 0;
    assert_null(ptxas_make(&ptxas, "text", 4, 90, &plain, &size, error, sizeof error));
    assert_string_equal(error, why);
}

static void what_it_is_asked(void **state) {
    const struct ptxas_options options = {.registers = 32, .level = '1', .apart = true, .specific = true};
    char asked[256];
    write_script("echo release 1", "cat /proc/self/fd/3 >/proc/self/fd/4; [ \"$(env | grep -c HOME)\" = 0 ]");
    expect_made("text", 90, &plain);
    assert_int_equal(compilations(asked), 1);
    assert_string_equal(asked, "-arch=sm_90 -lineinfo -fmad=true -o /proc/self/fd/4 /proc/self/fd/3\n");
    expect_made("text", 90, &options);
    assert_int_equal(compilations(asked), 2);
    assert_string_equal(asked, "-arch=sm_90a -lineinfo -O1 -fmad=false -maxrregcount=32 -o /proc/self/fd/4 "
                               "/proc/self/fd/3\n");
}

/* As CUDA 11.8 to 13 leave them in a fat binary; what else stands there is passed over. */
static void options_of_a_program(void **state) {
    static const struct {
        const char *text;
        struct ptxas_options options;
    } cases[] = {
        {"", {0}},
        {"-O1 --fmad=false -dlcm=cg  -maxrregcount=32 ", {.registers = 32, .level = '1', .apart = true}},
        {"--maxrregcount 64 -fmad true", {.registers = 64}},
        {"-maxrregcount=999 -O9 -Ofc", {0}},
        {"--compile-only -o /etc/passwd -maxrregcount", {0}},
        {"-g --dont-merge-basicblocks --return-at-end ", {.debug = true}},
        {"-fmad", {0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptxas_options options;
        ptxas_read_options(cases[i].text, strlen(cases[i].text), &options);
        assert_int_equal(options.registers, cases[i].options.registers);
        assert_int_equal(options.level, cases[i].options.level);
        assert_int_equal(options.apart, cases[i].options.apart);
        assert_int_equal(options.debug, cases[i].options.debug);
        assert_false(options.specific);
    }
}

static void it_is_not_there(void **state) {
    ptxas.program = "/nowhere/ptxas";
    expect_none("no ptxas was found");
    ptxas.program = "no-such-ptxas";
    expect_none("no ptxas was found");
    ptxas.program = folder; /* nothing that can be run */
    expect_none("no ptxas was found");
}

/* Its first error, without characters that a terminal would obey. */
static void it_fails(void **state) {
    char asked[256];
    write_script(
        "echo 1",
        "echo 'ptxas info : hm'; printf 'ptxas /proc/self/fd/3, line 7; error   : a \\033[31mb\\n'; exit 255");
    expect_none("ptxas: line 7; error   : a ?[31mb");
    expect_none("ptxas: line 7; error   : a ?[31mb"); /* nothing of it is kept */
    assert_int_equal(compilations(asked), 2);
    write_script("echo 1", "exit 3");
    expect_none("ptxas ended with status 3");
    write_script("echo 1", "kill -SEGV $$");
    expect_none("ptxas was ended by signal 11");
    write_script("exit 4", "exit 3");
    expect_none("ptxas ended with status 4");
}

static void it_hangs(void **state) {
    ptxas.seconds = ptxas.quiet_seconds = 0.25;
    write_script("echo 1", "sleep 1000 & sleep 1000");
    expect_none("ptxas was not done after 0.25 s");
    write_script("sleep 1000", "exit 0");
    expect_none("ptxas was not done after 0.25 s");
}

/* Whoever waits is told what for. */
static void it_takes_long(void **state) {
    char path[PATH_SIZE], text[256];
    int end = child_end(getpid());
    if (end < 0)
        skip(); /* a kernel before 5.3, or valgrind: nothing tells when it ends, and nothing is said */
    close(end);
    path_print(path, "%s/said", folder);
    int said = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), own = dup(STDERR_FILENO);
    assert_true(said >= 0 && own >= 0);
    ptxas.quiet_seconds = 0.25;
    write_script("echo 1", "sleep 1; cat /proc/self/fd/3 >/proc/self/fd/4");
    dup2(said, STDERR_FILENO);
    expect_made("text", 90, &plain);
    expect_made("text", 90, &plain); /* kept */
    dup2(own, STDERR_FILENO);
    ssize_t length = pread(said, text, sizeof text - 1, 0);
    assert_true(length > 0);
    text[length] = '\0';
    close(said);
    close(own);
    assert_non_null(strstr(text, "waiting for ptxas"));
}

static void it_makes_too_much(void **state) {
    ptxas.output_bytes = 1 << 16;
    write_script("echo 1", "exec head -c 1000000 /dev/zero >/proc/self/fd/4");
    expect_none("ptxas was ended by signal 25");
    ptxas.memory_bytes = UINT64_C(1) << 30;
    write_script("echo 1", "[ $(ulimit -v) = 1048576 ] && exit 9");
    expect_none("ptxas ended with status 9");
}

/* Asked once for a text, a chip, options and a version. */
static void what_was_made_is_kept(void **state) {
    const struct ptxas_options other = {.registers = 32};
    char asked[256];
    for (int i = 0; i < 3; i++)
        expect_made("text", 90, &plain);
    assert_int_equal(compilations(asked), 1);
    expect_made("text2", 90, &plain);
    expect_made("text", 80, &plain);
    expect_made("text", 90, &other);
    assert_int_equal(compilations(asked), 4);
    expect_made("text", 90, &plain);
    assert_int_equal(compilations(asked), 4);
    write_script("echo release 2", "cat /proc/self/fd/3 >/proc/self/fd/4");
    expect_made("text", 90, &plain);
    assert_int_equal(compilations(asked), 5);
    strcpy(ptxas.cache, "");
    expect_made("text", 90, &plain);
    expect_made("text", 90, &plain);
    assert_int_equal(compilations(asked), 7);
    path_print(ptxas.cache, "%s/no/folder", program); /* cannot be made: it is done without */
    expect_made("text", 90, &plain);
    assert_int_equal(compilations(asked), 8);
}

/* The only file of the cache, shorter or other than it was. */
static void a_damaged_file_is_made_anew(void **state) {
    char asked[256], path[PATH_SIZE] = "";
    for (unsigned i = 1; i <= 3; i++) {
        expect_made("text", 90, &plain);
        assert_int_equal(compilations(asked), i);
        DIR *cache = opendir(ptxas.cache);
        assert_non_null(cache);
        for (const struct dirent *entry; (entry = readdir(cache)) != NULL;)
            if (entry->d_name[0] != '.')
                assert_true(path_join(path, ptxas.cache, entry->d_name));
        closedir(cache);
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        fputc('X', file);
        fclose(file);
        if (i == 2)
            assert_int_equal(truncate(path, 7), 0);
    }
}

static bool is_kept(const char *key) {
    size_t size;
    void *bytes = ptxas_cache_find(ptxas.cache, key, 1 << 20, &size);
    free(bytes);
    return bytes != NULL;
}

/* What was used longest ago goes first; what is not ours stays, and what nobody ended goes. */
static void the_cache_is_bounded(void **state) {
    enum { KEYS = 4, BYTES = 1000 };
    char keys[KEYS][65], bytes[BYTES] = "", path[PATH_SIZE];
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    for (int i = 0; i < KEYS; i++) {
        memset(keys[i], 'a' + i, 64);
        keys[i][64] = '\0';
    }
    for (int i = 0; i < KEYS - 1; i++) {
        ptxas_cache_keep(ptxas.cache, keys[i], bytes, BYTES, 100 * BYTES);
        path_print(path, "%s/%s.cubin", ptxas.cache, keys[i]);
        times[1].tv_sec = 1000 + i;
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    assert_true(is_kept(keys[0])); /* and is used now */
    char mine[PATH_SIZE], undone[PATH_SIZE];
    path_print(mine, "%s/notes.cubin", ptxas.cache);
    path_print(undone, "%s/%s.cubin.part.abcdef", ptxas.cache, keys[0]);
    assert_true(file_write(mine, bytes, BYTES, error, sizeof error));
    assert_true(file_write(undone, bytes, BYTES, error, sizeof error));
    assert_int_equal(utimensat(AT_FDCWD, undone, times, 0), 0);
    ptxas_cache_keep(ptxas.cache, keys[3], bytes, BYTES, 3 * BYTES);
    assert_true(is_kept(keys[0]));
    assert_false(is_kept(keys[1]));
    assert_false(is_kept(keys[2]));
    assert_true(is_kept(keys[3]));
    assert_int_equal(access(mine, F_OK), 0);
    assert_int_equal(access(undone, F_OK), -1);
}

static void where_it_is_kept(void **state) {
    setenv("HOME", "/home/someone", 1);
    setenv("XDG_CACHE_HOME", "/var/cache/mine", 1);
    ptxas_init(&ptxas, program);
    assert_string_equal(ptxas.cache, "/var/cache/mine/gpu-performance-labs/ptxas");
    setenv("XDG_CACHE_HOME", "relative", 1);
    ptxas_init(&ptxas, program);
    assert_string_equal(ptxas.cache, "/home/someone/.cache/gpu-performance-labs/ptxas");
    unsetenv("HOME");
    ptxas_init(&ptxas, program);
    assert_string_equal(ptxas.cache, "");
}

/* A program's kernel is looked up: how often that had it compiled. */
static unsigned compilations_of_a_program(void **state, bool alone) {
    static const char kernel[] = "bounded"; /* of which the program has machine code for another chip */
    struct request_module module = {0};
    struct reply_value id;
    size_t bytes;
    char asked[256];
    uint8_t name[sizeof(struct request_id) + sizeof kernel - 1];
    unsigned char *fatbin = read_fat_binary("zstd", &bytes), *request = malloc(sizeof module + bytes);
    assert_non_null(request);
    memcpy(request, &module, sizeof module);
    memcpy(request + sizeof module, fatbin, bytes);
    judged.ptxas = program;
    judged.alone = alone;
    assert_int_equal(judged_start(state), 0);
    judged_greet();
    assert_int_equal(
        judged_ask(PROTOCOL_MODULE_LOAD, request, (uint32_t)(sizeof module + bytes), &id, sizeof id), 0);
    memcpy(name, &(struct request_id){(uint32_t)id.value}, sizeof(struct request_id));
    memcpy(name + sizeof(struct request_id), kernel, sizeof kernel - 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(judged_ask(PROTOCOL_KERNEL, name, sizeof name, NULL, 0), 0);
    assert_int_equal(judged_stop(state), 0);
    judged.ptxas = NULL;
    judged.alone = false;
    free(request);
    free(fatbin);
    return compilations(asked);
}

/* A program that is judged has none run on its text, whatever simgpu was told; nor does simgpu take both. */
static void not_for_a_judge(void **state) {
    char command[PATH_SIZE], text[256];
    assert_int_equal(judged_load_model(state), 0);
    assert_int_equal(compilations_of_a_program(state, false), 0);
    assert_int_equal(compilations_of_a_program(state, true), 1);
    assert_true(path_print(command, "%s/bin/simgpu --fd 0 --memory-fd 1 --ptxas %s 2>&1", build_directory(),
                           program));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 256); /* exit status 1 */
    assert_string_equal(text, "simgpu: --ptxas is not for programs that are judged (--memory-fd)\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
TESTS(TEST(what_it_is_asked), TEST(options_of_a_program), TEST(it_is_not_there), TEST(it_fails),
      TEST(it_hangs), TEST(it_takes_long), TEST(it_makes_too_much), TEST(what_was_made_is_kept),
      TEST(a_damaged_file_is_made_anew), TEST(the_cache_is_bounded), TEST(where_it_is_kept),
      TEST(not_for_a_judge))
