/* plan_claims.h: whose the parts of a download are. */
#pragma once

#include "class/plan.h"

/* A submission, and whose it is, or may be. */
struct claim {
    const struct submission *submission;
    const struct roster_student *listed;
    const char *student;
    const struct roster_student *const *several; /* NULL: it is the student's alone */
};

/* ---- plan_groups.c: what one of a group hands in is the others', too */

/* A part of the download that has a group's name becomes its first member's. Then each member of the
 * roster's group who has nothing of one's own for a lab claims what the others have, but for --only. *claims may move.
 * False: out of memory. */
bool plan_share_groups(struct plan *plan, struct claim **claims, size_t *count);
/* A line for a human where Canvas's number is a student's and the name before it is not: in a group
 * assignment the name is the group's, the number one member's. False: there is none. */
bool plan_tells_group(const struct plan *plan, const struct claim *claim, char *line, size_t size);

/* ---- plan_ids.c: one student of two rosters, and two of one name */

/* Who is in the last roster by another id, with the same number, login or e-mail, gets the new id in the whole
 * gradebook. False and plan->error: the new id has grades of its own, or the gradebook failed. */
bool plan_renew_ids(struct plan *plan);
/* Refused: Moodle's worksheet without names, whose ids are those of one assignment, beside another lab. */
bool plan_ids_last(struct plan *plan);

/* ---- plan_gone.c */

/* Take out what this plan replaces; who had handed in is remembered meanwhile. */
bool plan_clear(struct plan *plan);
/* Another download, of some students or of nobody, or without their kernels, does not take from the others what they had
 * handed in. What two parts claim is told by itself. */
bool plan_check_gone(struct plan *plan);
