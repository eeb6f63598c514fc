/*
 * attempts.c: one thing that a program in a sandbox must not do, by name: attempts NAME FILE. Exit status: 0 it could be
 * done, else errno; a system call filter's end shows as the signal. Each is harmless where it succeeds, so that a wall that
 * is missing fails a test and not the machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static long signal_parent(const char *file) {
    (void)file;
    return kill(getppid(), SIGCONT);
}

static long signal_all(const char *file) {
    (void)file;
    return kill(-1, 0);
}

static long signal_thread(const char *file) {
    (void)file;
    return syscall(SYS_tgkill, getppid(), getppid(), SIGCONT);
}

static long signal_queued(const char *file) {
    (void)file;
    siginfo_t info = {.si_code = SI_QUEUE};
    return syscall(SYS_rt_sigqueueinfo, getppid(), SIGCONT, &info);
}

static long signal_by_descriptor(const char *file) {
    (void)file;
    return fcntl(STDOUT_FILENO, F_SETOWN, getppid());
}

static long signal_self(const char *file) {
    (void)file;
    signal(SIGUSR1, SIG_IGN);
    return kill(getpid(), SIGUSR1) == 0 && raise(SIGUSR1) == 0 ? 0 : -1;
}

static long limits_of_parent(const char *file) {
    (void)file;
    struct rlimit limit;
    return prlimit(getppid(), RLIMIT_CORE, NULL, &limit);
}

static long limits_of_self(const char *file) {
    (void)file;
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 && setrlimit(RLIMIT_CORE, &limit) == 0 ? 0 : -1;
}

static long others_priority(const char *file) {
    (void)file;
    return setpriority(PRIO_USER, 0, getpriority(PRIO_PROCESS, 0));
}

static long own_priority(const char *file) {
    (void)file;
    return setpriority(PRIO_PROCESS, 0, 19);
}

static long own_scheduler(const char *file) {
    (void)file;
    const struct sched_param none = {.sched_priority = 0};
    return sched_setscheduler(0, SCHED_IDLE, &none);
}

static long own_processors(const char *file) {
    (void)file;
    cpu_set_t all;
    return sched_getaffinity(0, sizeof all, &all) == 0 ? sched_setaffinity(0, sizeof all, &all) : -1;
}

static long change_mode(const char *file) {
    return chmod(file, 0600);
}

static long change_times(const char *file) {
    return utimensat(AT_FDCWD, file, NULL, 0);
}

static long change_attribute(const char *file) {
    return syscall(SYS_setxattr, file, "user.x", "1", 1, 0);
}

static long truncate_by_name(const char *file) {
    return truncate(file, 0);
}

static long truncate_by_reading(const char *file) {
    return open(file, O_RDONLY | O_TRUNC);
}

static long truncate_by_neither(const char *file) {
    return open(file, O_ACCMODE | O_TRUNC);
}

static long open_by_structure(const char *file) {
    struct {
        uint64_t flags, mode, resolve;
    } how = {.flags = O_RDONLY | O_TRUNC};
    return syscall(437, AT_FDCWD, file, &how, sizeof how);
}

static long read_file(const char *file) {
    return open(file, O_RDONLY);
}

static long write_file(const char *file) {
    return open(file, O_WRONLY);
}

static long remove_file(const char *file) {
    return unlink(file);
}

static long make_file(const char *file) {
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.new", file);
    return open(beside, O_WRONLY | O_CREAT, 0600);
}

static long move_file(const char *file) {
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.new", file);
    return rename(file, beside);
}

static long run_file(const char *file) {
    (void)file;
    execl("/bin/true", "true", (char *)NULL);
    return -1;
}

static long network(const char *file) {
    (void)file;
    return socket(AF_INET, SOCK_STREAM, 0);
}

static long socket_in_files(const char *file) {
    (void)file;
    return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long trace(const char *file) {
    (void)file;
    return ptrace(PTRACE_SEIZE, getppid(), 0, 0);
}

static long watch_files(const char *file) {
    (void)file;
    return inotify_init1(0);
}

static long shared_memory(const char *file) {
    (void)file;
    return shmctl(0, IPC_RMID, NULL);
}

static long process(const char *file) {
    (void)file;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child;
}

static void *nothing(void *context) {
    return context;
}

static long thread(const char *file) {
    pthread_t thread;
    (void)file;
    errno = pthread_create(&thread, NULL, nothing, NULL);
    return errno == 0 && pthread_join(thread, NULL) == 0 ? 0 : -1;
}

static long name_space(const char *file) {
    (void)file;
    return syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */);
}

static long ring(const char *file) {
    char parameters[120] = "";
    (void)file;
    return syscall(425 /* io_uring_setup */, 8, parameters);
}

static long memory_of_no_process(const char *file) {
    (void)file;
    return syscall(SYS_memfd_create, "hidden", 0);
}

static long read_process(const char *file) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    (void)file;
    return syscall(SYS_process_vm_readv, getppid(), &here, 1, &there, 1, 0);
}

/* As many as there can be, up to a number that no limit of ours is near; they wait, and are left behind. */
static long processes(const char *file) {
    enum { MANY = 600 };
    (void)file;
    for (int i = 0; i < MANY; i++) {
        pid_t child = fork();
        if (child < 0)
            return -1;
        for (unsigned waits = 600; child == 0 && waits > 0; waits--)
            sleep(1);
        if (child == 0)
            _exit(0);
    }
    return 0;
}

static long is_root(const char *file) {
    (void)file;
    errno = EACCES;
    return getuid() == 0 ? 0 : -1;
}

static const struct {
    const char *name;
    long (*attempt)(const char *file);
} attempts[] = {{"signal_parent", signal_parent},
                {"signal_all", signal_all},
                {"signal_thread", signal_thread},
                {"signal_queued", signal_queued},
                {"signal_by_descriptor", signal_by_descriptor},
                {"signal_self", signal_self},
                {"limits_of_parent", limits_of_parent},
                {"limits_of_self", limits_of_self},
                {"others_priority", others_priority},
                {"own_priority", own_priority},
                {"own_scheduler", own_scheduler},
                {"own_processors", own_processors},
                {"change_mode", change_mode},
                {"change_times", change_times},
                {"change_attribute", change_attribute},
                {"truncate_by_name", truncate_by_name},
                {"truncate_by_reading", truncate_by_reading},
                {"truncate_by_neither", truncate_by_neither},
                {"open_by_structure", open_by_structure},
                {"read_file", read_file},
                {"write_file", write_file},
                {"remove_file", remove_file},
                {"make_file", make_file},
                {"move_file", move_file},
                {"run_file", run_file},
                {"network", network},
                {"socket_in_files", socket_in_files},
                {"trace", trace},
                {"watch_files", watch_files},
                {"shared_memory", shared_memory},
                {"process", process},
                {"thread", thread},
                {"name_space", name_space},
                {"ring", ring},
                {"memory_of_no_process", memory_of_no_process},
                {"read_process", read_process},
                {"processes", processes},
                {"is_root", is_root}};

int main(int count, char **arguments) {
    for (size_t i = 0; count == 3 && i < sizeof attempts / sizeof *attempts; i++)
        if (strcmp(arguments[1], attempts[i].name) == 0)
            return attempts[i].attempt(arguments[2]) >= 0 ? 0 : errno;
    fprintf(stderr, "usage: attempts NAME FILE\n");
    return 125;
}
