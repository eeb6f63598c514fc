/*
 * gradebook.h: OUT/gradebook.sqlite: the class, its submissions, the jobs, every attempt with its whole result, and the
 * grades. Every step is a transaction: after a kill at any moment the next run finds whole steps only.
 *
 *   settings     what is kept from run to run: the schema's number, the key, Slurm's job number
 *   students     id, name, email; in the last roster or not
 *   rosters      who was in the roster of each lab's last download, and with which extension
 *   submissions  one for each student and lab: what the last download had
 *   history      every kernel that a student handed in for a lab, with the prediction.txt beside it,
 *                in the order in which the grader saw them
 *   overrides    the instructor's word on a grade
 *   regrades     questions about a grade, and their answers
 *   jobs         one for each distinct kernel, lab, device, GPU, size, key, kit and limits: queued, running, done, trouble
 *   results      each attempt at a job, with a digest of its text
 *   grades       derived: made anew by every run
 */
#pragma once

#include "base/draw/draw.h"
#include "base/path.h"
#include "class/intake/roster.h"
#include "class/intake/submissions.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

enum { GRADE_NAME = 128, GRADE_FLAGS = 256, GRADE_MESSAGE = 1024, GRADE_SHA256 = 65 };

/* What one student gets for one lab. */
struct grade {
    char student[GRADE_NAME], name[GRADE_NAME], first[GRADE_NAME], last[GRADE_NAME], email[GRADE_NAME];
    char lab[16];
    char outcome[16]; /* of the job: "judged", "failed", "build-failed", "trouble"; "missing": nothing to
                         judge; "waiting": not judged yet; "absent": handed in by the roster, and not
                         in the download; "disputed": several parts of the download claim to be
                         the student's */
    double earned;    /* before what lateness costs */
    double points, max;
    bool passed;
    char flags[GRADE_FLAGS];       /* names, separated by a space */
    char message[GRADE_MESSAGE];   /* for the student, one line */
    char notes[GRADE_MESSAGE * 2]; /* what was ignored, for the student */
    char human[GRADE_MESSAGE];     /* why a person should look at it; "": no need */
    int64_t submitted, deadline;   /* seconds since 1970, 0: not known, none */
    unsigned late_days;
    double late_percent;
    unsigned free_days;               /* of the late ones, that cost nothing */
    bool excused;                     /* by the instructor: it counts for nothing */
    char override[GRADE_MESSAGE];     /* what the instructor changed, for the student; "": nothing */
    char regrades[GRADE_MESSAGE * 2]; /* questions and answers, for the student */
    char sha256[GRADE_SHA256];        /* of the kernel that counts */
    /* what was run, to find the results by */
    unsigned devices; /* POLICY_SIM | POLICY_CUDA */
    char gpu[32], size[32];
    char key_name[DRAW_NAME];
};

struct gradebook {
    sqlite3 *database;
    char folder[PATH_SIZE]; /* OUT */
    char error[TEXT_ERROR]; /* of the last call that returned false: one line */
};

/* One grader at a time for one OUT. Children that a grader was just starting when it ended hold
 * the lock for a moment: that long it is waited for. Its descriptor, to be closed; -1 and one
 * line: another grader is at work. (lock.c) */
int gradebook_lock(const char *folder, char *error, size_t size);

/* Open or make OUT/gradebook.sqlite. Refused: one with another kit's tables, whose grades stay; a damaged one, or an empty
 * one beside grades, because a new one would grade with other inputs. */
bool gradebook_open(struct gradebook *book, const char *folder);
void gradebook_close(struct gradebook *book);

bool gradebook_begin(struct gradebook *book);
bool gradebook_commit(struct gradebook *book);
void gradebook_rollback(struct gradebook *book);
/* Statements without results. */
bool gradebook_run(struct gradebook *book, const char *sql);
/* A prepared statement with its texts and numbers bound by `types`: s text (NULL: null), i int64_t, d double
 * (NAN: null). NULL on failure. The texts must live until it is finalized. */
sqlite3_stmt *gradebook_prepare(struct gradebook *book, const char *sql, const char *types, ...);
/* Prepare, run to the end, finalize. */
bool gradebook_do(struct gradebook *book, const char *sql, const char *types, ...);
/* Keeps SQLite's own words. Always false. */
bool gradebook_failed(struct gradebook *book);
/* A column as text, "" for null. */
const char *gradebook_text(sqlite3_stmt *statement, int column);

/* A setting into text; "" when there is none. */
bool gradebook_get(struct gradebook *book, const char *name, char *text, size_t size);
bool gradebook_set(struct gradebook *book, const char *name, const char *value);

bool gradebook_put_student(struct gradebook *book, const char *id, const char *name, const char *first,
                           const char *last, const char *email, bool in_roster, double extension_hours);
/* Make the last roster that of a lab. given: in this run, so it goes before the lab's own; whole: it is in place of that. */
bool gradebook_put_roster(struct gradebook *book, const char *lab, bool given, bool whole);
/* A student who is in no roster; a student of an earlier roster stays as that had it. */
bool gradebook_note_student(struct gradebook *book, const char *id, const char *name, const char *email);
/* student: the gradebook's id. human: why a person has to look at it, or "". */
bool gradebook_put_submission(struct gradebook *book, const char *student,
                              const struct submission *submission, int64_t submitted, const char *human);
/* What the student foretold of the newest kernel, for the caller to free; "": nothing. NULL and
 * book->error: the gradebook failed. */
char *gradebook_prediction(struct gradebook *book, const char *student, const char *lab);
/* Add a kernel and its prediction to a student's history of a lab, unless both are the last ones
 * there. A prediction that the same kernel lacks now stays. */
bool gradebook_put_history(struct gradebook *book, const char *student, const struct submission *submission,
                           int64_t submitted);
bool gradebook_put_grade(struct gradebook *book, const struct grade *grade);
/* Is it undecided: waiting, in trouble, absent, or disputed? Then there are no points, not 0. */
bool grade_is_open(const struct grade *grade);

/* Every grade in the order of student and lab. false ends the walk, which then fails. */
typedef bool gradebook_visitor(void *context, const struct grade *grade);
bool gradebook_each_grade(struct gradebook *book, gradebook_visitor *visit, void *context);
/* The same, of one student or of one lab alone; NULL: of all. */
bool gradebook_each_grade_of(struct gradebook *book, const char *student, const char *lab,
                             gradebook_visitor *visit, void *context);

/* The result of a kernel on a device: of the newest attempt without trouble that is not to be made again, for the caller to
 * free. NULL: there is none, or (book->error is not "") its digest is wrong. */
char *gradebook_result(struct gradebook *book, const char *sha256, const char *lab, const char *device,
                       const char *gpu, const char *size, const char *key_name);

/* What two runs over the same class must have in common, as text: no times of day, durations or counts of attempts. */
bool gradebook_dump(struct gradebook *book, FILE *to);

/* ---- how each lab was read, for the files that go back to its platform */

/* Keep the platform (the layout's title), and the roster's text; NULL: the old one. False: the gradebook failed. */
bool kept_put(struct gradebook *book, const char *lab, const char *layout, const char *roster);

/* Was the lab's last download of this platform? */
bool kept_layout_is(struct gradebook *book, const char *lab, const char *title);
/* The roster with which a lab was last read; lab NULL: the last of any lab. False: there is none (*error is empty), or it
 * cannot be read (*error says why). */
bool kept_roster(struct gradebook *book, const char *lab, struct roster *roster, char *error, size_t size);
