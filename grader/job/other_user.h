/*
 * other_user.h: another user for a program that is not trusted, where the grader is root: then it can reach no process of
 * the grader's, of another job's or of anybody's. Without root it stays who it is. In both cases it keeps no capability,
 * but for one: the grader's folders are closed to other users, so file modes are not asked (CAP_DAC_OVERRIDE, which root
 * has in ordinary containers, too). What can be opened at all is Landlock's to say.
 */
#ifndef JOB_OTHER_USER_H
#define JOB_OTHER_USER_H

#include <stdbool.h>
#include <sys/types.h>

/* A user of nobody's for this process's programs; this one where there can be no other. Users from 61184 to 65519 are
 * those that systemd gives to services while they run, and are in no list. */
uid_t other_user_pick(void);
/* Become it, for good. False and errno. */
bool other_user_become(uid_t user);

#endif
