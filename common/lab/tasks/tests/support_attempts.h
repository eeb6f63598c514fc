/* support_attempts.h: tries solutions and wrong answers of lab 0; in several suites, each with tasks of its own, since every
 * try is a run of the compiler. */
#pragma once

/* The suite for the tasks first to last, from 1; its exit status. */
int attempts_run(const char *name, unsigned first, unsigned last);
