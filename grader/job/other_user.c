/* other_user.c: the steps that leave root behind. */
#include "job/rung.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 61184, LAST = 65519 };

/* All capabilities gone but one; -1: that, too. */
static bool keep(int capability) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {{0}, {0}};
    if (capability >= 0) {
        uint32_t bit = CAP_TO_MASK((unsigned)capability);
        struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX((unsigned)capability)];
        set->effective = set->permitted = set->inheritable = bit;
    }
    return syscall(SYS_capset, &header, sets) == 0 &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
           (capability < 0 || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) == 0);
}

bool other_user_become(uid_t user) {
    if (user == geteuid())
        return keep(-1);
    /* Or access() would say that it may not what it may: gcc asks that of its TMPDIR. */
    return prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP) == 0 && setgroups(0, NULL) == 0 &&
           setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0 && keep(CAP_DAC_OVERRIDE);
}

/* A container may have root, and no other user. */
uid_t other_user_pick(void) {
    uid_t user = FIRST + (uid_t)getpid() % (LAST + 1 - FIRST);
    int status = 0;
    if (geteuid() != 0)
        return geteuid();
    pid_t child = fork();
    if (child == 0)
        _exit(other_user_become(user) && geteuid() == user ? 0 : 1);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? user : geteuid();
}
