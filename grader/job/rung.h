/* rung.h: the two ways to a sandbox (sandbox_run), and what they are made of. Limits and environment are set before a way is
 * called. */
#pragma once

#include "job/sandbox.h"

#include <stdbool.h>
#include <sys/types.h>

/* As sandbox_run. */
int rung_bubblewrap(const struct sandbox *sandbox, char **program, char *error, size_t size);
int rung_landlock(const struct sandbox *sandbox, char **program, char *error, size_t size);

/* In the launcher, once the program is a process of its own: close the descriptors that the program has been given, so that
 * the other side sees when the program closes them. Standard error and `kept` stay open. Returns kept's new number; -1
 * and a message on failure. */
int rung_let_go(int kept, char *error, size_t size);

/* ---- landlock.c: a list of the files that a process may open, held by the kernel (Landlock, Linux 5.13; its
 * Documentation/userspace-api/landlock.rst). A file that is not on the list can be neither read, written, made, moved nor
 * removed, whatever the user. That it exists, its size and its times can still be seen. */

/* Version of Landlock's interface in this kernel; 0: none, switched off or forbidden. */
int landlock_version(void);

/* The files of a sandbox, as a descriptor for landlock_enter; -1 and a line on failure. A version newer than this file
 * knows forbids no more than the last one that it knows. */
int landlock_files(const struct sandbox *sandbox, char *error, size_t size);

/* From here on this process and its descendants can open no other file. no_new_privs must be set. False and errno on
 * failure. */
bool landlock_enter(int files);

/* ---- system_calls.c: which system calls a role may not make, as a seccomp filter */

/* A descriptor from which bwrap --seccomp reads the role's filter; -1 and errno on failure. */
int system_calls_filter(enum sandbox_role role);

/* Forbid this process, which is in no name space of its own, the role's calls and those that reach other processes.
 * no_new_privs must be set. False and errno on failure. */
bool system_calls_forbid(enum sandbox_role role);

/* ---- other_user.c: another user for an untrusted program, where the grader is root. That user can reach no process of anybody's.
 * Without root the program stays who it is. In both cases it keeps no capability but one, CAP_DAC_OVERRIDE, which root
 * has in ordinary containers too: the grader's folders are closed to other users, so file modes are not asked. Landlock
 * decides what can be opened. */

/* An unused user for this process's programs, from 61184 to 65519 (systemd's range for running services, which no list
 * has); the present user if there can be no other. */
uid_t other_user_pick(void);
/* Become that user, for good. False and errno on failure. */
bool other_user_become(uid_t user);
