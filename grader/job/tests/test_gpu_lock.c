/* One job at a time on a GPU: the lock is had, waited for, given up and let go by whoever dies with it. No GPU is needed:
 * a name is one. */
#include "base/clock.h"
#include "base/file.h"
#include "base/test.h"
#include "job/gpu_lock.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[] = "/tmp/test_gpu_lock.XXXXXX";
static char error[512];

static int set_up(void **state) {
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return 0;
}

static int take(const char *name, double seconds) {
    return gpu_lock_take(folder, name, seconds, error, sizeof error);
}

/* A process that has the lock, when this returns. */
static pid_t hold(const char *name) {
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        alarm(600);
        if (take(name, 0) < 0 || write(ready[1], "", 1) != 1)
            _exit(1);
        pause();
        _exit(0);
    }
    assert_true(process > 0);
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return process;
}

static void end(pid_t process, int signal) {
    kill(process, signal);
    assert_int_equal(waitpid(process, NULL, 0), process);
}

/* While one has it, another waits as long as it said, and says so; a GPU of another name is free. */
static void one_at_a_time(void **state) {
    pid_t other = hold("0000-1b-00-0");
    double before = clock_seconds();
    assert_int_equal(take("0000-1b-00-0", 0.3), -1);
    assert_true(clock_seconds() - before >= 0.3);
    assert_non_null(strstr(error, "another job has had the GPU for "));
    int file = take("0000-2b-00-0", 0);
    assert_true(file >= 0);
    close(file);
    end(other, SIGTERM);
}

/* It goes on with the next however its holder ends. */
static void death_lets_go(void **state) {
    for (int i = 0; i < 2; i++) {
        pid_t other = hold("gpu");
        assert_int_equal(take("gpu", 0), -1);
        end(other, i == 0 ? SIGKILL : SIGINT);
        int file = take("gpu", 600);
        assert_true(file >= 0);
        close(file);
    }
}

/* Many at once come in turns, and all of them come. */
static void all_get_their_turn(void **state) {
    enum { MANY = 6 };
    pid_t process[MANY];
    char path[128];
    snprintf(path, sizeof path, "%s/inside", folder);
    for (int i = 0; i < MANY; i++) {
        fflush(NULL);
        process[i] = fork();
        if (process[i] != 0)
            continue;
        int file = take("gpu", 600);
        if (file < 0 || mkdir(path, 0700) != 0) /* somebody else is inside */
            _exit(1);
        usleep(20000);
        _exit(rmdir(path) == 0 ? 0 : 2);
    }
    for (int i = 0; i < MANY; i++) {
        int status = -1;
        assert_int_equal(waitpid(process[i], &status, 0), process[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

/* Who cannot write the file can lock it; a link or a folder in its place is none. */
static void what_lies_there(void **state) {
    char path[128];
    snprintf(path, sizeof path, "%s/gpu-performance-labs-mine.lock", folder);
    int file = take("mine", 0);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(chmod(path, 0444), 0);
    file = take("mine", 0);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/dev/null", path), 0);
    assert_int_equal(take("mine", 0), -1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(take("mine", 0), -1);
    assert_non_null(strstr(error, "is to be a file"));
    assert_int_equal(gpu_lock_take("/nowhere", "mine", 0, error, sizeof error), -1);
}

/* Without a driver all share one; with one, it is a name that a file may have. */
static void names(void **state) {
    char name[GPU_LOCK_NAME];
    gpu_lock_name(name);
    assert_true(strlen(name) > 0 && strspn(name, "0123456789abcdefABCDEF-gpu") == strlen(name));
    assert_int_equal(setenv("GPU_LOCKS", folder, 1), 0);
    assert_string_equal(gpu_lock_folder(), folder);
    assert_int_equal(unsetenv("GPU_LOCKS"), 0);
    assert_int_equal(access(gpu_lock_folder(), W_OK), 0);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(one_at_a_time), UNIT(death_lets_go), UNIT(all_get_their_turn),
              UNIT(what_lies_there), UNIT(names))
