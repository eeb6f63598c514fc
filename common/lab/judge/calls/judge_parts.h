/* judge_parts.h: a judge from the inside. Private to judge*.c. */
#ifndef LAB_JUDGE_PARTS_H
#define LAB_JUDGE_PARTS_H

#include "lab/judge/calls/judge.h"

enum { JUDGE_CASES = 256 }; /* of a problem and drawn, at most */

/* Case `index`: the problem's own, or one that is drawn; `time` 1: the same once more, with another input. */
void judge_get_case(const struct settings *settings, unsigned index, unsigned time, struct problem_case *c);

/* Cases whose remarks are wanted, and that may be called again, take no more. */
enum { JUDGE_SMALL = 1 << 20 };

/* judge_again.c: the function is called a second time and finds what it left the first time, as in any program that calls
 * it twice. Which cases that is done with: small ones of different sizes, of those the smallest, where two draws give two
 * inputs; when grading also some that are drawn. again[i]: case i. */
void judge_choose_again(const struct settings *settings, bool again[JUDGE_CASES]);

/* The second call: of the first one's sizes, its pattern and levels drawn. The name says what it is. */
void judge_get_second(const struct settings *settings, unsigned index, const struct problem_case *first,
                      struct problem_case *second);

/* A case that is wrong when it is called for the second time. */
struct judge_second {
    const struct trial *first, *second;
    const struct trial_options *first_options, *second_options;
};
/* Whether it is right when it is a program's first call. If so, where what it finds is at fault, in *diagnosis: what that
 * is, proven by having it forgotten; *flag FLAG_WRONG_LATER, when grading, where device memory is not. */
bool judge_explain_again(const struct settings *settings, const char *program,
                         const struct judge_second *calls, struct diagnosis *diagnosis, enum flag *flag);

/* What is told where a case is right when it comes first. */
#define JUDGE_RIGHT_ALONE                                                                                    \
    "Alone, as a program's first call, this case is right: something is kept from call to call, e.g. in a "  \
    "static variable or in memory that is allocated once."

#endif
