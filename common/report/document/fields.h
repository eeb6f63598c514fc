/* fields.h: a structure as a JSON object, by a table with a row for each field. Writing, strict
 * reading and freeing follow the table. Private.
 *
 * The reader refuses an unknown key, a missing key, a wrong type and a value out of range. The
 * first error is kept, with the path of the wrong value: "runs[1].kernels[0].grid: expected three
 * numbers". */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct field_reader {
    char path[192];
    char *error; /* the first error's line; "": none */
    size_t size;
    unsigned schema; /* of the document that is read */
    bool failed;
};

/* A member's type in C; behind the semicolon, the value that counts as empty. */
enum field_type {
    FIELD_TEXT,    /* char *, owned; NULL */
    FIELD_SHORT,   /* char[]; "" */
    FIELD_COUNT,   /* uint32_t or uint64_t; less than `least`, or 0 */
    FIELD_INTEGER, /* 64 bits, read and written as signed; 0 */
    FIELD_NUMBER,  /* double; NAN */
    FIELD_RANGE,   /* double[2], two numbers; either is NAN */
    FIELD_BOOL,    /* never */
    FIELD_ENUM,    /* `most` values with the texts name(value), null where name gives NULL; 0 */
    FIELD_SHAPE,   /* uint32_t[3]; never */
    FIELD_RECORD,  /* a structure; its first field that is always written is empty, or all are */
    FIELD_LIST,    /* an array of structures: `most` in place, or behind a pointer if `most` is 0; none */
    FIELD_SCHEMA,  /* no member: the document's version */
    FIELD_OWNED    /* memory that is freed with the structure; not in the document */
};

enum field_flag {
    FIELD_NULL = 1,       /* an empty value is null */
    FIELD_OMIT = 2,       /* an empty value is left out */
    FIELD_YOUNG = 4,      /* always written; absent in reports of older kits */
    FIELD_WITH_NEXT = 8,  /* present exactly when the next row's key is */
    FIELD_WITH_LAST = 16, /* present exactly when the preceding row's key is */
    FIELD_KNOWN_LAST = 32 /* known only if the preceding row is; both have the same `known` */
};

struct record;

struct field {
    const char *key; /* NULL: the object is this value, without keys */
    enum field_type type;
    size_t offset, size; /* of the member; of one element if `repeat` is not 0 */
    unsigned flags;      /* enum field_flag */
    unsigned since;      /* schema that introduced the key; 0: the first */
    size_t known;        /* offset of a bool: whether the value is known; 0: none */
    size_t count;        /* list: offset of its uint32_t length */
    unsigned least, most;
    unsigned repeat; /* elements that the row describes, keys name(0), name(1), ...; 0: a member */
    const char *(*name)(int index);
    const struct record *record; /* of a record, or of a list's elements */
};

struct record {
    const struct field *fields;
    size_t count, size; /* rows; bytes of the structure */
    /* Checks what rows cannot express, after reading; may be NULL. */
    void (*check)(void *object, struct field_reader *reader);
};

/* NULL: out of memory. */
json_t *record_to_json(const struct record *record, const void *object);
/* Fills a structure of zeros. Returns whether all was right. record_free may follow in any case. */
bool record_from_json(const struct record *record, void *object, const json_t *json,
                      struct field_reader *reader);
/* Frees what the structure owns. */
void record_free(const struct record *record, void *object);

void field_reader_init(struct field_reader *reader, unsigned schema, char *error, size_t size);
/* Keeps "PATH.key: message" if it is the first error. key may be NULL. */
void field_fail(struct field_reader *reader, const char *key, const char *message);

/* Appends an element of zeros to an array that grows by doubling. NULL: out of memory. */
void *list_add(void **array, uint32_t *count, size_t size);
/* Appends the item, which the array then owns. NULL: out of memory, or a text of the item that is
 * always written is NULL (a failed strdup); the item is then freed. */
void *list_append(const struct record *record, void **array, uint32_t *count, void *item);

/* FIELD: a row for a member. FIELD_GROUP: a row for members that form an object. */
#define FIELD(structure_, name_, type_, member_, ...)                                                        \
    {                                                                                                        \
        .key = (name_), .type = FIELD_##type_, .offset = offsetof(struct structure_, member_),               \
        .size = sizeof(((struct structure_ *)0)->member_), __VA_ARGS__                                       \
    }
#define FIELD_GROUP(name_, record_, ...)                                                                     \
    { .key = (name_), .type = FIELD_RECORD, .record = &(record_), __VA_ARGS__ }
/* A row for a list behind `member_`. */
#define FIELD_LIST_OF(structure_, name_, member_, count_, record_, ...)                                      \
    FIELD(structure_, name_, LIST, member_, .count = offsetof(struct structure_, count_),                    \
          .record = &(record_), __VA_ARGS__)
#define FIELD_KNOWN(structure_, member_) .known = offsetof(struct structure_, member_)
#define FIELD_TEXTS(most_, name_) .most = (most_), .name = (name_)
#define FIELD_REPEAT(count_, name_) .repeat = (count_), .name = (name_)
/* Makes the record of a table of rows. */
#define RECORD(rows_, structure_, ...)                                                                       \
    { .fields = (rows_), .count = sizeof(rows_) / sizeof *(rows_), .size = sizeof(structure_), __VA_ARGS__ }

/* ---- report_fields.c: the tables of report.json */

extern const struct record report_record, kernel_record; /* struct report, struct kernel_report */
extern const struct record file_record, part_record, case_record, run_record, goal_record, flag_record,
    remark_record;
