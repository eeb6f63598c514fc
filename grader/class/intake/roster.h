/*
 * roster.h: the class list, a CSV file as learning platforms export it. The first row names the
 * columns; those known are used whatever their order, the others ignored:
 *
 *   who     student, student id, sid, id number, sis user id, sis login id, identifier, username, login,
 *           github_username, email, email address, id: the first of these that a row fills is the student in
 *           all exports; each of them finds the student of a submission
 *   name    name, full name, or first name and last name (surname)
 *   rules   extension_hours: hours added to the deadline; submitted: a time that replaces the submission's own;
 *           group, team, group name: what one of a group hands in is the others', too
 *
 * Two files of platforms are known by their columns, and are written again with the grades in them.
 * In Moodle's grading worksheet (ROSTER_MOODLE_TRANSLATED: in another language than English, which
 * is read and not written) the identifier belongs to one assignment, so it comes last of the columns
 * that name a student. In Canvas's gradebook Student is a name; its rows of points and of the test
 * student are skipped.
 *
 * Classroom 50's scores.csv has a row for each submission of a student, the newest first: the first
 * row is the student's. In its roster.csv who is staff by `role` is no student.
 *
 * Moodle's worksheet, Classroom 50's scores.csv, GitHub Classroom's and Gradescope's grades also
 * tell the time of a submission, and a status; an unreadable time is unknown. The file must be
 * UTF-8: in another encoding a name would be another name.
 */
#pragma once

#include "report/ncu/csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROSTER_TEXT = 128, ROSTER_ALIASES = 8 };

enum roster_kind {
    ROSTER_OWN,
    ROSTER_MOODLE_WORKSHEET,
    ROSTER_MOODLE_TRANSLATED,
    ROSTER_CANVAS_GRADEBOOK,
    ROSTER_CLASSROOM50_SCORES
};

struct roster_student {
    char id[ROSTER_TEXT];
    char first[ROSTER_TEXT], last[ROSTER_TEXT], name[ROSTER_TEXT], email[ROSTER_TEXT];
    uint32_t row; /* in the file's table */
    double extension_hours;
    int64_t submitted;       /* 0: none */
    bool time_unread;        /* the platform's time cannot be read */
    bool handed_in;          /* the platform's status says so, or there is a time */
    char group[ROSTER_TEXT]; /* "": none */
    char draft[48];          /* the platform's status, where it says that it is a draft; "" */
};

struct roster {
    struct roster_student *students;
    size_t count;
    enum roster_kind kind;
    char *source; /* the file's text */
    struct csv csv;
    int number_column; /* of the number by which the platform names a part of its download; -1: none */
    int aliases[ROSTER_ALIASES]; /* columns that identify a student */
    unsigned alias_count;
};

/* Any bytes are safe to pass. false and one line (file, row, what) on failure. */
bool roster_parse(struct roster *roster, const char *text, size_t length, const char *file, char *error,
                  size_t size);
bool roster_read(struct roster *roster, const char *path, char *error, size_t size);
void roster_free(struct roster *roster);

/* A submission's names, as its platform tells them. */
struct roster_query {
    bool by_number;     /* the id is the platform's number: if the file has these, no other column counts */
    const char *column; /* in which the file may have the platform's ids: then it counts alone. NULL: none */
    const char *id, *email, *name; /* "": not told */
};

/* Whose a submission is. Neither: nobody's. */
struct roster_match {
    const struct roster_student *student;
    const struct roster_student *several[2]; /* it may be either's, or a third one's: a person has to say */
};

/* The student with a submission's id, e-mail or name, case ignored ("Jane Doe", "Doe, Jane",
 * Canvas's "doejane"). Where one of them fits two rows, in whatever columns, or two of them fit
 * different rows, it is several students'. */
struct roster_match roster_match(const struct roster *roster, const struct roster_query *query);

/* Its student. NULL: nobody, or several. */
const struct roster_student *roster_find(const struct roster *roster, bool by_number, const char *id,
                                         const char *email, const char *name);

/* False and one line: a row has another row's id or e-mail in another column. */
bool roster_tell_apart(const struct roster *roster, const char *file, char *error, size_t size);

/* The text of a cell, cleaned; column -1: "". */
void roster_cell(const struct csv *csv, uint32_t row, int column, char text[ROSTER_TEXT]);

/* Is it how a platform may write the student's name, whole and of either order? */
bool roster_is_named(const struct roster_student *student, const char *name);

/* The student of exactly this id; NULL: none. */
const struct roster_student *roster_student(const struct roster *roster, const char *id);

/* The first column with one of these names, however they are written ("Email address", "email_address"); -1: none. NULL ends
 * the names, too. */
int roster_column(const struct csv *csv, const char *const *names, size_t count);

/* ---- worksheet_time.c: a time as Moodle's grading worksheet has it, in the language in which it was downloaded */

/* Seconds since 1970 of "Sunday, 1 March 2026, 4:24 PM" or "domingo, 1 de marzo de 2026, 16:24": day, month's name, year and
 * time, each once, in any order. Moodle writes no zone: it is this machine's (TZ). Any bytes are safe to pass. False: one is
 * missing, or the month is unknown. A month in figures is not read: 3/1 has two meanings. */
bool worksheet_time_parse(const char *text, int64_t *seconds);
