/*
 * fields.h: a structure as a JSON object, by a table with a row for each field. The writer, the
 * strict reader and the freeing of memory follow from the table. Private to this room.
 *
 * The reader refuses an unknown key, a missing key, a wrong type and a value out of range. The
 * first error is kept, with the path of the value that is wrong: "runs[1].kernels[0].grid: expected
 * three numbers".
 */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct field_reader {
    char path[192];
    char *error; /* the first failure's one line; "" while all is well */
    size_t size;
    unsigned schema; /* of the document that is read */
    bool failed;
};

/* What a member is in C, and the value that counts as empty. */
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
    FIELD_LIST,    /* an array of structures: `most` in place, or with `most` 0 behind a pointer; none */
    FIELD_SCHEMA,  /* no member: the document's version */
    FIELD_OWNED    /* memory that is freed with the structure and is no part of the document */
};

enum field_flag {
    FIELD_NULL = 1,       /* an empty value is null */
    FIELD_OMIT = 2,       /* an empty value is left out */
    FIELD_YOUNG = 4,      /* always written; absent in reports of an older kit */
    FIELD_WITH_NEXT = 8,  /* there exactly when the next row's key is there */
    FIELD_WITH_LAST = 16, /* there exactly when the key of the row before is there */
    FIELD_KNOWN_LAST = 32 /* known only where the row before is, which has the same bool */
};

struct record;

struct field {
    const char *key; /* NULL: the object has no keys, it is this value */
    enum field_type type;
    size_t offset, size; /* of the member, or of one element where `repeat` is not 0 */
    unsigned flags;      /* enum field_flag */
    unsigned since;      /* the schema that brought the key; 0: the first */
    size_t known;        /* offset of a bool that says whether the value is known; 0: there is none */
    size_t count;        /* of a list: offset of its uint32_t length */
    unsigned least, most;
    unsigned repeat; /* the row stands for that many elements, with the keys name(0), name(1), ... */
    const char *(*name)(int index);
    const struct record *record; /* of a record or a list's elements */
};

struct record {
    const struct field *fields;
    size_t count, size; /* rows; bytes of the structure */
    /* What no row can say, once the structure is read; may be NULL. */
    void (*check)(void *object, struct field_reader *reader);
};

/* NULL: out of memory. */
json_t *record_to_json(const struct record *record, const void *object);
/* Fills a structure of zeros. Returns whether all was right; in any case record_free may be
 * called. */
bool record_from_json(const struct record *record, void *object, const json_t *json,
                      struct field_reader *reader);
/* Frees what the structure owns. */
void record_free(const struct record *record, void *object);

void field_reader_init(struct field_reader *reader, unsigned schema, char *error, size_t size);
/* Keeps "PATH.key: message" if it is the first failure. key may be NULL. */
void field_fail(struct field_reader *reader, const char *key, const char *message);

/* One more element, of zeros, of an array that grows by doubling. NULL: out of memory. */
void *list_add(void **array, uint32_t *count, size_t size);
/* The same with the item's values, of which the array becomes the owner. NULL: out of memory, or
 * a text of the item that is always written is NULL, which is what a strdup left; the item is
 * then freed. */
void *list_append(const struct record *record, void **array, uint32_t *count, void *item);

/* A row for a member of a structure; a row for several members that stand in an object of their
 * own. */
#define FIELD(structure_, name_, type_, member_, ...)                                                        \
    {                                                                                                        \
        .key = (name_), .type = FIELD_##type_, .offset = offsetof(struct structure_, member_),               \
        .size = sizeof(((struct structure_ *)0)->member_), __VA_ARGS__                                       \
    }
#define FIELD_GROUP(name_, record_, ...)                                                                     \
    { .key = (name_), .type = FIELD_RECORD, .record = &(record_), __VA_ARGS__ }
/* A row for a list behind `member_`; what else a row may say of its value. */
#define FIELD_LIST_OF(structure_, name_, member_, count_, record_, ...)                                      \
    FIELD(structure_, name_, LIST, member_, .count = offsetof(struct structure_, count_),                    \
          .record = &(record_), __VA_ARGS__)
#define FIELD_KNOWN(structure_, member_) .known = offsetof(struct structure_, member_)
#define FIELD_TEXTS(most_, name_) .most = (most_), .name = (name_)
#define FIELD_REPEAT(count_, name_) .repeat = (count_), .name = (name_)
/* The record of a table of rows. */
#define RECORD(rows_, structure_, ...)                                                                       \
    { .fields = (rows_), .count = sizeof(rows_) / sizeof *(rows_), .size = sizeof(structure_), __VA_ARGS__ }

/* ---- report_fields.c */

/* ---- report_fields.c: the tables of report.json */

extern const struct record report_record, kernel_record; /* struct report, struct kernel_report */
extern const struct record file_record, part_record, case_record, run_record, goal_record, flag_record,
    remark_record;

#endif
