/*
 * The filter is a list, not of what is allowed (that differs from one C library to the next) but of what no
 * kernel.cu and no compiler needs. A forbidden call ends the process with SIGSYS: an attempt is seen, not
 * just refused.
 */
#include "job/rung.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    COMPILE = 1 << SANDBOX_COMPILE,
    PROGRAM = 1 << SANDBOX_PROGRAM,
    DEVICE = 1 << SANDBOX_DEVICE,
    CUDA = 1 << SANDBOX_CUDA,
    ALL = COMPILE | PROGRAM | DEVICE | CUDA
};

#define END SCMP_ACT_KILL_PROCESS
#define REFUSED SCMP_ACT_ERRNO(EPERM)
#define ABSENT SCMP_ACT_ERRNO(ENOSYS) /* the C library falls back to a call that can be judged */

/* Older versions of the library have no names for these. */
enum { FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466 };

/* For all arguments. Where a machine lacks a call, the call's SCMP_SYS is a negative number. */
struct rule {
    int call;
    unsigned roles;
    uint32_t action;
};

static const struct rule rules[] = {
    /* reaching into other processes */
    {SCMP_SYS(ptrace), ALL, END},
    {SCMP_SYS(process_vm_readv), ALL, END},
    {SCMP_SYS(process_vm_writev), ALL, END},
    {SCMP_SYS(kcmp), ALL, END},
    {SCMP_SYS(pidfd_getfd), ALL, END},
    /* the kernel's more dangerous corners */
    {SCMP_SYS(bpf), ALL, END},
    {SCMP_SYS(perf_event_open), ALL, END},
    {SCMP_SYS(userfaultfd), ALL, END},
    {SCMP_SYS(io_uring_setup), ALL, END},
    {SCMP_SYS(io_uring_enter), ALL, END},
    {SCMP_SYS(io_uring_register), ALL, END},
    {SCMP_SYS(add_key), ALL, END},
    {SCMP_SYS(request_key), ALL, END},
    {SCMP_SYS(keyctl), ALL, END},
    {SCMP_SYS(init_module), ALL, END},
    {SCMP_SYS(finit_module), ALL, END},
    {SCMP_SYS(delete_module), ALL, END},
    {SCMP_SYS(kexec_load), ALL, END},
    {SCMP_SYS(reboot), ALL, END},
    {SCMP_SYS(swapon), ALL, END},
    {SCMP_SYS(swapoff), ALL, END},
    {SCMP_SYS(acct), ALL, END},
    {SCMP_SYS(personality), ALL, END},
    /* another view of files, processes or the network */
    {SCMP_SYS(mount), ALL, END},
    {SCMP_SYS(umount2), ALL, END},
    {SCMP_SYS(pivot_root), ALL, END},
    {SCMP_SYS(chroot), ALL, END},
    {SCMP_SYS(unshare), ALL, END},
    {SCMP_SYS(setns), ALL, END},
    {SCMP_SYS(open_tree), ALL, END},
    {SCMP_SYS(move_mount), ALL, END},
    {SCMP_SYS(fsopen), ALL, END},
    {SCMP_SYS(fsmount), ALL, END},
    {SCMP_SYS(name_to_handle_at), ALL, END},
    {SCMP_SYS(open_by_handle_at), ALL, END},
    /* talking to anybody: what is needed is inherited */
    {SCMP_SYS(socket), COMPILE | PROGRAM | DEVICE, END},
    {SCMP_SYS(connect), PROGRAM | DEVICE, END},
    {SCMP_SYS(bind), PROGRAM | DEVICE, END},
    {SCMP_SYS(listen), PROGRAM | DEVICE, END},
    {SCMP_SYS(accept), PROGRAM | DEVICE, END},
    {SCMP_SYS(accept4), PROGRAM | DEVICE, END},
    /* memory that belongs to no process, so that no limit on processes bounds it */
    {SCMP_SYS(shmget), ALL, END},
    {SCMP_SYS(semget), ALL, END},
    {SCMP_SYS(msgget), ALL, END},
    {SCMP_SYS(mq_open), ALL, END},
    {SCMP_SYS(memfd_create), PROGRAM, END},
    {SCMP_SYS(memfd_secret), ALL, END},
    /* a place behind others in the queue for a processor, where waiting would be no time of its own (base/processor.h) */
    {SCMP_SYS(setpriority), COMPILE | PROGRAM | DEVICE, REFUSED},
    {SCMP_SYS(sched_setscheduler), COMPILE | PROGRAM | DEVICE, REFUSED},
    {SCMP_SYS(sched_setparam), COMPILE | PROGRAM | DEVICE, REFUSED},
    {SCMP_SYS(sched_setattr), COMPILE | PROGRAM | DEVICE, REFUSED},
    {SCMP_SYS(sched_setaffinity), COMPILE | PROGRAM | DEVICE, REFUSED},
    /* other processes and threads */
    {SCMP_SYS(fork), PROGRAM | DEVICE | CUDA, END},
    {SCMP_SYS(vfork), PROGRAM | DEVICE | CUDA, END},
    {SCMP_SYS(clone), PROGRAM, END},
    {SCMP_SYS(clone3), PROGRAM, END},
    /* its flags lie in memory, where a filter cannot look */
    {SCMP_SYS(clone3), COMPILE | DEVICE | CUDA, ABSENT},
};

/* Where there are no name spaces, other processes, their files and what the system keeps for all are in reach by number or
 * by name; Landlock looks at files that are opened, made, moved or removed, and at nothing else. */
static const struct rule shared_rules[] = {
    /* a compiler needs no signals */
    {SCMP_SYS(kill), COMPILE, REFUSED},
    {SCMP_SYS(tgkill), COMPILE, REFUSED},
    {SCMP_SYS(tkill), COMPILE, REFUSED},
    {SCMP_SYS(rt_sigqueueinfo), COMPILE, REFUSED},
    {SCMP_SYS(rt_tgsigqueueinfo), COMPILE, REFUSED},
    {SCMP_SYS(pidfd_send_signal), ALL, END},
    /* others' limits, processors and place in the queue */
    {SCMP_SYS(setpriority), CUDA, REFUSED},
    {SCMP_SYS(ioprio_set), ALL, REFUSED},
    {SCMP_SYS(migrate_pages), ALL, REFUSED},
    {SCMP_SYS(move_pages), ALL, REFUSED},
    {SCMP_SYS(process_madvise), ALL, REFUSED},
    /* memory and messages that have a number for all */
    {SCMP_SYS(shmat), ALL, END},
    {SCMP_SYS(shmctl), ALL, END},
    {SCMP_SYS(semop), ALL, END},
    {SCMP_SYS(semtimedop), ALL, END},
    {SCMP_SYS(semctl), ALL, END},
    {SCMP_SYS(msgsnd), ALL, END},
    {SCMP_SYS(msgrcv), ALL, END},
    {SCMP_SYS(msgctl), ALL, END},
    {SCMP_SYS(mq_unlink), ALL, END},
    /* what a file is, where no open is needed for it; and watching others open theirs */
    {SCMP_SYS(chmod), ALL, REFUSED},
    {SCMP_SYS(chown), ALL, REFUSED},
    {SCMP_SYS(lchown), ALL, REFUSED},
    {SCMP_SYS(utime), ALL, REFUSED},
    {SCMP_SYS(utimes), ALL, REFUSED},
    {SCMP_SYS(futimesat), ALL, REFUSED},
    {SCMP_SYS(inotify_init), ALL, END},
    {SCMP_SYS(fchmod), ALL, REFUSED},
    {SCMP_SYS(fchmodat), ALL, REFUSED},
    {FCHMODAT2, ALL, REFUSED},
    {SCMP_SYS(fchown), ALL, REFUSED},
    {SCMP_SYS(fchownat), ALL, REFUSED},
    {SCMP_SYS(utimensat), ALL, REFUSED},
    {SCMP_SYS(setxattr), ALL, REFUSED},
    {SCMP_SYS(lsetxattr), ALL, REFUSED},
    {SCMP_SYS(fsetxattr), ALL, REFUSED},
    {SETXATTRAT, ALL, REFUSED},
    {SCMP_SYS(removexattr), ALL, REFUSED},
    {SCMP_SYS(lremovexattr), ALL, REFUSED},
    {SCMP_SYS(fremovexattr), ALL, REFUSED},
    {REMOVEXATTRAT, ALL, REFUSED},
    {SCMP_SYS(inotify_init1), ALL, END},
    {SCMP_SYS(fanotify_init), ALL, END},
    /* Landlock before Linux 6.2 does not look at truncation */
    {SCMP_SYS(truncate), ALL, REFUSED},
    {SCMP_SYS(openat2), ALL, ABSENT}, /* its flags lie in memory */
    {SCMP_SYS(mount_setattr), ALL, END},
    {SCMP_SYS(fspick), ALL, END},
    {SCMP_SYS(fsconfig), ALL, END},
};

/* For calls with (lower 32 bits of the argument & mask) == value. shared: only where there are no name spaces. */
static const struct {
    int call;
    unsigned roles;
    bool shared;
    uint32_t action;
    unsigned argument;
    uint32_t mask, value;
} conditional[] = {
    /* a thread, but no process */
    {SCMP_SYS(clone), DEVICE | CUDA, false, END, 0, CLONE_THREAD, 0},
    /* a process, but no name spaces */
    {SCMP_SYS(clone), COMPILE, false, END, 0, CLONE_NEWNS, CLONE_NEWNS},
    {SCMP_SYS(clone), COMPILE, false, END, 0, CLONE_NEWCGROUP, CLONE_NEWCGROUP},
    {SCMP_SYS(clone), COMPILE, false, END, 0, CLONE_NEWUTS, CLONE_NEWUTS},
    {SCMP_SYS(clone), COMPILE, false, END, 0, CLONE_NEWIPC, CLONE_NEWIPC},
    {SCMP_SYS(clone), COMPILE, false, END, 0, CLONE_NEWUSER, CLONE_NEWUSER},
    {SCMP_SYS(clone), COMPILE, false, END, 0, CLONE_NEWPID, CLONE_NEWPID},
    {SCMP_SYS(clone), COMPILE, false, END, 0, CLONE_NEWNET, CLONE_NEWNET},
    /* signals that the system sends to whom a descriptor names */
    {SCMP_SYS(fcntl), ALL, true, END, 1, ~0U, F_SETOWN},
    {SCMP_SYS(fcntl), ALL, true, END, 1, ~0U, F_SETOWN_EX},
    {SCMP_SYS(fcntl), ALL, true, END, 1, ~0U, F_SETSIG},
    {SCMP_SYS(ioctl), ALL, true, END, 1, ~0U, FIOSETOWN},
    {SCMP_SYS(ioctl), ALL, true, END, 1, ~0U, SIOCSPGRP},
    {SCMP_SYS(ioctl), ALL, true, END, 1, ~0U, TIOCSTI},
    /* Landlock before Linux 6.2 does not look at truncation by an open that neither reads nor writes */
    {SCMP_SYS(open), ALL, true, REFUSED, 1, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY},
    {SCMP_SYS(open), ALL, true, REFUSED, 1, O_TRUNC | O_ACCMODE, O_TRUNC | O_ACCMODE},
    {SCMP_SYS(openat), ALL, true, REFUSED, 2, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY},
    {SCMP_SYS(openat), ALL, true, REFUSED, 2, O_TRUNC | O_ACCMODE, O_TRUNC | O_ACCMODE},
};

/* Where there are no name spaces: for calls whose first argument is another process. or_0: 0 is the process itself, too. */
static const struct {
    int call;
    unsigned roles;
    uint32_t action;
    bool or_0;
} own_only[] = {
    /* signals: a program's own are its own business */
    {SCMP_SYS(kill), PROGRAM | DEVICE | CUDA, END, false},
    {SCMP_SYS(tgkill), PROGRAM | DEVICE | CUDA, END, false},
    {SCMP_SYS(rt_sigqueueinfo), PROGRAM | DEVICE | CUDA, END, false},
    {SCMP_SYS(rt_tgsigqueueinfo), PROGRAM | DEVICE | CUDA, END, false},
    {SCMP_SYS(tkill), PROGRAM | DEVICE | CUDA, END, false},
    /* others' limits, processors and place in the queue */
    {SCMP_SYS(prlimit64), ALL, REFUSED, true},
    {SCMP_SYS(sched_setaffinity), CUDA, REFUSED, true},
    {SCMP_SYS(sched_setscheduler), CUDA, REFUSED, true},
    {SCMP_SYS(sched_setparam), CUDA, REFUSED, true},
    {SCMP_SYS(sched_setattr), CUDA, REFUSED, true},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* 0, or what went wrong, negative: so are all results below. */
static int add_rules(scmp_filter_ctx filter, enum sandbox_role role, const struct rule *rule, size_t count) {
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        if ((rule[i].roles & 1u << role) != 0)
            result = seccomp_rule_add(filter, rule[i].action, rule[i].call, 0);
    return result;
}

static int add_where(scmp_filter_ctx filter, uint32_t action, int call, unsigned argument, uint32_t mask,
                     uint32_t value) {
    return seccomp_rule_add(filter, action, call, 1, SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value));
}

/* A rule compares an argument once, and for "not equal" all 64 bits, where the kernel looks at 32. So each bit in which another
 * number can differ from own has a rule. or_0: the number either has own's lowest bit, so it is not 0, and another bit
 * differs from own; or has not, so it is not own, and another bit is set. */
static int add_others(scmp_filter_ctx filter, uint32_t action, int call, uint32_t own, bool or_0) {
    uint32_t lowest = or_0 ? own & -own : 0;
    int result = 0;
    for (uint32_t bit = 1; bit != 0 && result == 0; bit <<= 1) {
        if (bit == lowest)
            continue;
        result = add_where(filter, action, call, 0, lowest | bit, lowest | (~own & bit));
        if (or_0 && result == 0)
            result = add_where(filter, action, call, 0, lowest | bit, bit);
    }
    return result;
}

/* own: the process that the filter is for; 0 in name spaces of its own. */
static int fill(scmp_filter_ctx filter, enum sandbox_role role, uint32_t own) {
    /* Calls of another machine's interface (32 bits, x32) have other numbers. Call -1 is nobody's: the library lets it pass, to
     * ENOSYS. */
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, END);
    if (result == 0)
        result = add_rules(filter, role, rules, COUNT(rules));
    for (size_t i = 0; i < COUNT(conditional) && result == 0; i++)
        if ((conditional[i].roles & 1u << role) != 0 && (own != 0 || !conditional[i].shared))
            result = add_where(filter, conditional[i].action, conditional[i].call, conditional[i].argument,
                               conditional[i].mask, conditional[i].value);
    if (own == 0 || result != 0)
        return result;
    result = add_rules(filter, role, shared_rules, COUNT(shared_rules));
    for (size_t i = 0; i < COUNT(own_only) && result == 0; i++)
        if ((own_only[i].roles & 1u << role) != 0)
            result = add_others(filter, own_only[i].action, own_only[i].call, own, own_only[i].or_0);
    return result;
}

/* A descriptor of the filter, from its beginning. -1 and errno: there can be none. */
static int make(enum sandbox_role role, uint32_t own) {
    /* Level 3 can end a process. Some kernels can, and do not answer when they are asked for it. */
    int result = seccomp_api_set(3), file = memfd_create("system-calls", 0);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (file < 0)
        result = -errno;
    else if (filter == NULL)
        result = -ENOMEM;
    if (result == 0)
        result = fill(filter, role, own);
    if (result == 0)
        result = seccomp_export_bpf(filter, file);
    if (result == 0 && lseek(file, 0, SEEK_SET) < 0)
        result = -errno;
    seccomp_release(filter);
    if (result == 0)
        return file;
    if (file >= 0)
        close(file);
    errno = -result;
    return -1;
}

int system_calls_filter(enum sandbox_role role) {
    return make(role, 0);
}

bool system_calls_forbid(enum sandbox_role role) {
    int file = make(role, (uint32_t)getpid());
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return false;
    struct sock_fprog program = {.len = (unsigned short)((size_t)status.st_size / sizeof(struct sock_filter)),
                                 .filter =
                                     mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0)};
    close(file);
    return program.filter != MAP_FAILED && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
