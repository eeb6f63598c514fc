/* support_intake.h: a download as the intake reads it, and what it took of whom. */
#pragma once

#include "support_class.h"

#include "class/intake/submissions.h"

/* What was read last. */
extern struct submissions taken;
/* Reads a folder or archive of the class's folder as lab 1's download. */
void intake(const char *name);
/* The same with these options, whose store is the class's own. */
void intake_with(const char *name, struct submissions_options options);
/* Whether it can be read; else the reason is in `error`. */
bool intake_reads(const char *name, struct submissions_options options);
/* The submission of this claim, else of this student; there has to be one. */
const struct submission *of(const char *who);
/* One of the submissions of this claim or student has a kernel of this text. */
void assert_kernel(const char *who, const char *text);
/* Nothing was taken, and the problem has these words. */
void assert_problem(const char *who, const char *words);
void assert_notes(const char *who, const char *words);
/* So many lines are told of what is nobody's, and one has these words. */
void assert_strays(size_t count, const char *words);
/* What stands in the kernel that was taken; NULL: none was. */
char *kernel_of(const struct submission *submission);
