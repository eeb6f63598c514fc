/* support_platforms.h: a class whose files go back to a learning platform, and these files read as the platform's import reads them. */
#pragma once

#include "support_class.h"

#include "report/ncu/csv.h"

/* policy.ini of 100 points a lab. */
void platform_policy(void);
/* Grade it with roster and policy: it has to end with this status. */
void platform_grade(int status, const char *lab);

/* out/NAME, until the next one is read. */
const struct csv *platform_csv(const char *name);
/* The cell of a column in the row whose first column (of that name) is this. */
const char *platform_cell_of(const struct csv *csv, const char *key_column, const char *key,
                             const char *column);
/* The points of grades.csv, the gradebook's own list. */
void assert_points(const char *student, const char *lab, const char *points);

enum { MEMBERS = 16 };
/* What an archive holds. */
struct members {
    char *path[MEMBERS], *text[MEMBERS];
    unsigned count;
};
struct members members_read(const char *name);
void members_free(struct members *members);
const char *members_text(const struct members *members, const char *path);
