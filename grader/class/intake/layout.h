/*
 * layout.h: how learning platforms name what their students handed in. The first part of each path
 * (after a folder around everything) names a student:
 *
 *   plain          NAME/..., NAME.zip, NAME.tar.gz
 *   Gradescope     submission_123/... beside submission_metadata.yml: whose it is, when it came
 *   Moodle         Jane Doe_123_assignsubmission_file_/..., or so begins a file's name
 *   Canvas         doejane_123_456_kernel.cu, doejane_LATE_123_456_kernel-1.cu
 *   Classroom 50   CLASSROOM-ASSIGNMENT-username/..., each a clone, in a folder of that beginning
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYOUT_NAME = 128 }; /* bytes of an id or a name; a part with a longer one is not graded */
/* Gradescope's file with the owners of the submissions. */
#define LAYOUT_LIST "submission_metadata.yml"
/* Classroom 50's file with a line for each submission: a roster (roster.h), and nobody's
 * submission. */
#define LAYOUT_SCORES "scores.csv"

/* The first parts of all paths, each name once; the second parts, while all paths have one first
 * part. */
struct layout_names {
    struct layout_list {
        struct layout_part {
            char *name;
            bool folder;
        } * parts;
        size_t count, room;
    } tops, seconds;
};

/* Note a path of the download. False: out of memory. */
bool layout_note(struct layout_names *names, const char *path, bool folder);
void layout_free(struct layout_names *names);

/* What the first part of a path says. */
struct layout_student {
    char id[LAYOUT_NAME];   /* what the platform calls the student */
    char name[LAYOUT_NAME]; /* "" where it is not told */
    const char *file;       /* within the part: the student's own name of a file, behind the platform's */
    bool late;              /* the platform says so */
    uint64_t order;         /* of several files of a student, the later the larger; 0: unknown */
};

/* Counts of a download's first parts, to find its platform. What lies within a student's part is
 * not counted. */
struct layout_census {
    const char *title;     /* the download's own name */
    size_t files, folders; /* first parts */
    size_t read;           /* first parts that this layout can read */
    bool list;             /* LAYOUT_LIST is there */
};

/* A platform: a row of the table in layout.c. */
struct layout {
    const char *title; /* "Moodle" */
    /* As layout_read. */
    bool (*read)(const char *part, bool folder, const char *common, struct layout_student *student);
    bool (*detect)(const struct layout_census *census);
    bool has_list;               /* LAYOUT_LIST has the owners */
    bool numbers_files;          /* kernel-1.cu is a kernel.cu */
    bool begins_with_assignment; /* all its folders do, and the download's own name: layout_common */
    bool by_number;              /* a student is a number, and may have several parts of one name */
    const char *column;          /* of the roster, that has the platform's ids; NULL: any may */
};

/* The platforms, from 0; NULL: there are no more. */
const struct layout *layout_platform(unsigned index);

/* The layout of a download called `title` ("lab1-submissions"), an archive or not. *wrapper: all
 * lies in one folder that is no student's, so the first part of each path is to be dropped.
 * common: what all of a layout's folders begin with, "" for nothing. Sorts the names. NULL and
 * one line: two layouts fit. */
const struct layout *layout_detect(struct layout_names *names, const char *title, bool archive, bool *wrapper,
                                   char common[LAYOUT_NAME], char *error, size_t size);

/* The layout of a download that is one student's. */
const struct layout *layout_whole(void);

/* What a first part says. False: this part names no student, or more than one. */
bool layout_read(const struct layout *layout, const char *part, bool folder, const char *common,
                 struct layout_student *student);

/* Is this file the platform's own, which it puts into a student's part? `path`: within that
 * part. */
bool layout_is_platforms(const struct layout *layout, const char *path);
/* Is this file a kernel.cu? Platforms add a number: kernel-1.cu (Canvas). */
bool layout_is_kernel(const struct layout *layout, const char *file);
/* The lab that a part of a path names: "lab3" for lab3, lab3-float-fma, Lab_3, "lab 3"; false: none. */
bool layout_lab(const char *part, size_t length, char lab[16]);
/* The lab that a word of CLASSROOM-ASSIGNMENT- names; false: none. */
bool layout_lab_in(const char *common, char lab[16]);

/* ---- gradescope_metadata.c: submission_metadata.yml */

struct gradescope_submitter {
    char *folder;             /* "submission_123" */
    char *name, *sid, *email; /* "" where the file does not say */
    int64_t created;          /* 0: not said */
};

struct gradescope_metadata {
    struct gradescope_submitter *items; /* a group's submission has several */
    size_t count;
};

/* Any bytes are safe to pass; unknown lines are skipped. False: out of memory. */
bool gradescope_metadata_parse(struct gradescope_metadata *metadata, const char *text, size_t length);
void gradescope_metadata_free(struct gradescope_metadata *metadata);
