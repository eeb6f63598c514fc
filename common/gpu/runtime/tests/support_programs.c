/* support_programs.c: runs a CUDA program on a simulated GPU and keeps what it printed. */
#include "gpu/runtime/tests/support_programs.h"
#include "base/file.h"
#include "base/test.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { FILE_LIMIT = 64 << 20 };

const char *build_directory(void) {
    static char path[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    assert_true(length > 0);
    path[length] = '\0';
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(path, '/');
        assert_non_null(slash);
        *slash = '\0';
    }
    return path;
}

static unsigned char *read_whole(const char *path, size_t *size) {
    char error[PATH_SIZE + 128];
    char *bytes = file_read(path, FILE_LIMIT, size, error, sizeof error);
    if (bytes == NULL)
        fail_msg("%s", error);
    return (unsigned char *)bytes;
}

unsigned char *read_test_file(const char *name, size_t *size) {
    /* the source tree is above the build folder: one level, or two for a build of its own kind */
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/../common/gpu/runtime/tests/%s", build_directory(), name));
    if (access(path, F_OK) != 0)
        assert_true(path_print(path, "%s/../../common/gpu/runtime/tests/%s", build_directory(), name));
    return read_whole(path, size);
}

unsigned char *read_fat_binary(const char *name, size_t *size) {
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/unpacked/seeds/runtime/fuzz_fatbin/%s.fatbin", build_directory(), name));
    return read_whole(path, size);
}

static void program_path(char path[PATH_SIZE], const char *name) {
    assert_true(path_print(path, "%s/tests/runtime/programs/%s", build_directory(), name));
}

bool have_program(const char *name) {
    char path[PATH_SIZE];
    program_path(path, name);
    if (access(path, X_OK) == 0)
        return true;
    printf("skipped: no CUDA compiler built %s\n", name);
    return false;
}

void start_program(struct running *running, const char *name, const char *argument,
                   const char *const environment[]) {
    /* The library path is all that a user sets. */
    enum { OWN = 8, SETTINGS = 8 };
    char path[PATH_SIZE], library[PATH_SIZE];
    const char *wrapper[OWN + SETTINGS + 1] = {"/usr/bin/env",  "-u", "SIMGPU_FD", "-u",
                                               "SIMGPU_REPORT", "-u", "GPU",       library};
    for (int i = 0; environment != NULL && environment[i] != NULL; i++) {
        assert_true(i < SETTINGS);
        wrapper[OWN + i] = environment[i];
    }
    program_path(path, name);
    assert_true(path_print(library, "LD_LIBRARY_PATH=%s/lib/cuda", build_directory()));
    const char *arguments[] = {path, argument, NULL};
    int input[2], output[2];
    assert_int_equal(pipe2(input, O_CLOEXEC), 0);
    assert_int_equal(pipe2(output, O_CLOEXEC), 0);
    struct child child = {.wrapper = wrapper,
                          .arguments = arguments,
                          .input = input[0],
                          .output = output[1],
                          .errors = output[1]};
    running->process = child_start(&child);
    assert_true(running->process > 0);
    close(input[0]);
    close(output[1]);
    running->input = input[1];
    running->output = output[0];
}

/* One read; 0 at the end of the output. The test fails after the deadline. */
static size_t read_some(struct running *running, char *bytes, size_t size, double deadline) {
    struct pollfd poll_output = {.fd = running->output, .events = POLLIN};
    double left = deadline - clock_seconds();
    int ready = left > 0 ? poll(&poll_output, 1, (int)(left * 1000)) : 0;
    if (ready == 0) {
        kill(running->process, SIGKILL);
        fail_msg("the program hangs");
    }
    ssize_t n = read(running->output, bytes, size);
    return n > 0 ? (size_t)n : 0;
}

void expect_line(struct running *running, const char *line, int seconds) {
    char text[256];
    size_t used = 0;
    double deadline = clock_seconds() + seconds;
    while (used + 1 < sizeof text && read_some(running, text + used, 1, deadline) == 1 && text[used] != '\n')
        used++;
    text[used] = '\0';
    assert_string_equal(text, line);
}

void finish_program(struct running *running, struct run *run, int seconds) {
    size_t used = 0, n;
    double deadline = clock_seconds() + seconds;
    while (used + 1 < sizeof run->output &&
           (n = read_some(running, run->output + used, sizeof run->output - 1 - used, deadline)) > 0)
        used += n;
    run->output[used] = '\0';
    while (waitpid(running->process, &run->status, 0) < 0)
        assert_int_equal(errno, EINTR);
    close(running->input);
    close(running->output);
}

void run_program(struct run *run, const char *name, const char *argument, const char *const environment[],
                 int seconds) {
    struct running running;
    start_program(&running, name, argument, environment);
    finish_program(&running, run, seconds);
}

void assert_exit(const struct run *run, int status) {
    if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != status)
        fail_msg("ended with %s %d:\n%s", WIFEXITED(run->status) ? "status" : "signal",
                 WIFEXITED(run->status) ? WEXITSTATUS(run->status) : WTERMSIG(run->status), run->output);
}

void assert_says(const struct run *run, const char *text) {
    if (strstr(run->output, text) == NULL)
        fail_msg("nothing of \"%s\" in:\n%s", text, run->output);
}

void temporary_file(char path[64]) {
    snprintf(path, 64, "/tmp/cudart-test-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
}

void run_kernels(struct ran *ran, const char *name, int seconds) {
    static struct run run;
    char path[64], setting[96], error[256], *text = NULL;
    size_t capacity = 0;
    temporary_file(path);
    snprintf(setting, sizeof setting, "SIMGPU_REPORT=%s", path);
    run_program(&run, name, NULL, (const char *const[]){setting, NULL}, seconds);
    assert_exit(&run, 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (getline(&text, &capacity, file) > 0) {
        json_t *line = json_loads(text, 0, NULL), *launch = json_object_get(line, "launch");
        if (launch != NULL) {
            assert_true(ran->count < sizeof ran->kernels / sizeof ran->kernels[0]);
            if (!kernel_report_from_json(&ran->kernels[ran->count++], launch, error, sizeof error))
                fail_msg("%s", error);
        }
        json_decref(line);
    }
    free(text);
    fclose(file);
    unlink(path);
}

const struct kernel_report *kernel_named(const struct ran *ran, const char *name) {
    for (uint32_t i = 0; i < ran->count; i++)
        if (strcmp(ran->kernels[i].name, name) == 0)
            return &ran->kernels[i];
    fail_msg("no kernel %s ran", name);
    return NULL;
}

void free_kernels(struct ran *ran) {
    for (uint32_t i = 0; i < ran->count; i++)
        kernel_report_free(&ran->kernels[i]);
}

bool process_lives(pid_t process) {
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    const char *state = strrchr(text, ')');
    return state != NULL && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
}
