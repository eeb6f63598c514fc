/*
 * The filter is a list, not of what is allowed (that differs from one C library to the next) but of what no
 * kernel.cu and no compiler needs. A forbidden call ends the process with SIGSYS: an attempt is seen, not
 * just refused.
 */
#include "job/system_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#else
#error "no system call table for this machine"
#endif

enum action {
    KILL,         /* whatever its arguments */
    ABSENT,       /* ENOSYS: the C library falls back to a call that can be judged */
    THREADS_ONLY, /* clone: a thread, but no process */
    NO_NAMESPACES /* clone: a process, but no namespaces */
};

enum {
    COMPILE = 1 << SANDBOX_COMPILE,
    PROGRAM = 1 << SANDBOX_PROGRAM,
    DEVICE = 1 << SANDBOX_DEVICE,
    CUDA = 1 << SANDBOX_CUDA,
    ALL = COMPILE | PROGRAM | DEVICE | CUDA
};

static const struct {
    int call;
    unsigned roles;
    enum action action;
} rules[] = {
    /* reaching into other processes */
    {SYS_ptrace, ALL, KILL},
    {SYS_process_vm_readv, ALL, KILL},
    {SYS_process_vm_writev, ALL, KILL},
    {SYS_kcmp, ALL, KILL},
#ifdef SYS_pidfd_getfd
    {SYS_pidfd_getfd, ALL, KILL},
#endif
    /* the kernel's more dangerous corners */
    {SYS_bpf, ALL, KILL},
    {SYS_perf_event_open, ALL, KILL},
    {SYS_userfaultfd, ALL, KILL},
#ifdef SYS_io_uring_setup
    {SYS_io_uring_setup, ALL, KILL},
    {SYS_io_uring_enter, ALL, KILL},
    {SYS_io_uring_register, ALL, KILL},
#endif
    {SYS_add_key, ALL, KILL},
    {SYS_request_key, ALL, KILL},
    {SYS_keyctl, ALL, KILL},
    {SYS_init_module, ALL, KILL},
    {SYS_finit_module, ALL, KILL},
    {SYS_delete_module, ALL, KILL},
    {SYS_kexec_load, ALL, KILL},
    {SYS_reboot, ALL, KILL},
    {SYS_swapon, ALL, KILL},
    {SYS_swapoff, ALL, KILL},
    {SYS_acct, ALL, KILL},
    {SYS_personality, ALL, KILL},
    /* another view of files, processes or the network */
    {SYS_mount, ALL, KILL},
    {SYS_umount2, ALL, KILL},
    {SYS_pivot_root, ALL, KILL},
    {SYS_chroot, ALL, KILL},
    {SYS_unshare, ALL, KILL},
    {SYS_setns, ALL, KILL},
#ifdef SYS_open_tree
    {SYS_open_tree, ALL, KILL},
    {SYS_move_mount, ALL, KILL},
    {SYS_fsopen, ALL, KILL},
    {SYS_fsmount, ALL, KILL},
#endif
    {SYS_name_to_handle_at, ALL, KILL},
    {SYS_open_by_handle_at, ALL, KILL},
    /* talking to anybody: what is needed is inherited */
    {SYS_socket, COMPILE | PROGRAM | DEVICE, KILL},
    {SYS_connect, PROGRAM | DEVICE, KILL},
    {SYS_bind, PROGRAM | DEVICE, KILL},
    {SYS_listen, PROGRAM | DEVICE, KILL},
    {SYS_accept, PROGRAM | DEVICE, KILL},
    {SYS_accept4, PROGRAM | DEVICE, KILL},
    /* memory that belongs to no process, so that no limit on processes bounds it */
    {SYS_shmget, ALL, KILL},
    {SYS_semget, ALL, KILL},
    {SYS_msgget, ALL, KILL},
    {SYS_mq_open, ALL, KILL},
    {SYS_memfd_create, PROGRAM, KILL},
#ifdef SYS_memfd_secret
    {SYS_memfd_secret, ALL, KILL},
#endif
/* other processes and threads */
#ifdef SYS_fork
    {SYS_fork, PROGRAM | DEVICE | CUDA, KILL},
    {SYS_vfork, PROGRAM | DEVICE | CUDA, KILL},
#endif
    {SYS_clone, PROGRAM, KILL},
    {SYS_clone, DEVICE | CUDA, THREADS_ONLY},
    {SYS_clone, COMPILE, NO_NAMESPACES},
#ifdef SYS_clone3
    {SYS_clone3, PROGRAM, KILL},
    {SYS_clone3, COMPILE | DEVICE | CUDA, ABSENT}, /* its flags lie in memory, where a filter cannot look */
#endif
};

enum {
    RULES = sizeof rules / sizeof *rules,
    INSTRUCTIONS_A_RULE = 4,
    INSTRUCTIONS = 8 + INSTRUCTIONS_A_RULE * RULES
};

#define NAMESPACES                                                                                           \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |            \
     CLONE_NEWNET)

#define LOAD(field)                                                                                          \
    (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define RETURN(value) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, (value))
#define JUMP(comparison, value, when_true, when_false)                                                       \
    (struct sock_filter) BPF_JUMP(BPF_JMP | (comparison) | BPF_K, (value), (when_true), (when_false))

static unsigned write_filter(enum sandbox_role role, struct sock_filter at[INSTRUCTIONS]) {
    unsigned n = 0;
    at[n++] = LOAD(arch);
    at[n++] = JUMP(BPF_JEQ, MACHINE, 1, 0);
    at[n++] = RETURN(SECCOMP_RET_KILL_PROCESS); /* 32-bit calls have other numbers */
    at[n++] = LOAD(nr);
#ifdef __x86_64__
    at[n++] = JUMP(BPF_JGE, 0x40000000u, 0, 1); /* so have those of the x32 interface */
    at[n++] = RETURN(SECCOMP_RET_KILL_PROCESS);
#endif
    for (unsigned r = 0; r < RULES; r++) {
        if ((rules[r].roles & 1u << role) == 0)
            continue;
        uint32_t call = (uint32_t)rules[r].call;
        switch (rules[r].action) {
        case KILL:
        case ABSENT:
            at[n++] = JUMP(BPF_JEQ, call, 0, 1);
            at[n++] = RETURN(rules[r].action == KILL ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | ENOSYS);
            break;
        case THREADS_ONLY:
        case NO_NAMESPACES: /* the last rule that looks at this call: what passes is allowed */
            at[n++] = JUMP(BPF_JEQ, call, 0, 4);
            at[n++] = LOAD(args[0]);
            at[n++] = rules[r].action == THREADS_ONLY ? JUMP(BPF_JSET, CLONE_THREAD, 0, 1)
                                                      : JUMP(BPF_JSET, NAMESPACES, 1, 0);
            at[n++] = RETURN(SECCOMP_RET_ALLOW);
            at[n++] = RETURN(SECCOMP_RET_KILL_PROCESS);
            break;
        }
    }
    at[n++] = RETURN(SECCOMP_RET_ALLOW);
    return n;
}

int system_calls_filter(enum sandbox_role role) {
    struct sock_filter filter[INSTRUCTIONS + INSTRUCTIONS_A_RULE];
    size_t bytes = write_filter(role, filter) * sizeof *filter;
    int file = memfd_create("system-calls", 0);
    if (file < 0)
        return -1;
    if (write(file, filter, bytes) == (ssize_t)bytes && lseek(file, 0, SEEK_SET) == 0)
        return file;
    close(file);
    return -1;
}
