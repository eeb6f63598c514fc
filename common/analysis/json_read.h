/*
 * json_read.h: strict reading of a JSON object: every key fetched by name and type, unknown keys refused, and
 * the first error kept with the path of the value that is wrong ("runs[1].kernels[0].grid[2]"). Private to
 * this room.
 */
#ifndef ANALYSIS_JSON_READ_H
#define ANALYSIS_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_reader {
    char path[192];
    char *error; /* the first failure's one line; "" while all is well */
    size_t size;
    bool failed;
};

void json_reader_init(struct json_reader *reader, char *error, size_t size);
/* Keep "PATH.key: message" if it is the first failure. Always false. key may be NULL. */
bool json_fail(struct json_reader *reader, const char *key, const char *message);
/* Step into a part of the document; leave with json_leave(reader, mark). Returns the mark. */
size_t json_enter(struct json_reader *reader, const char *key);
size_t json_enter_item(struct json_reader *reader, const char *key, size_t index);
void json_leave(struct json_reader *reader, size_t mark);

/* Refuses keys that are not in `names` (NULL-terminated), and anything that is not an object. */
bool json_expect_keys(struct json_reader *reader, const json_t *object, const char *const *names);

/* object[key]; NULL after json_fail where there is none. */
const json_t *json_get(struct json_reader *reader, const json_t *object, const char *key);
/* Each fetches object[key]; on failure json_fail has been called and the result is a harmless value. */
const char *json_get_text(struct json_reader *reader, const json_t *object, const char *key);
char *json_get_copy(struct json_reader *reader, const json_t *object, const char *key, bool null_allowed);
void json_get_short(struct json_reader *reader, const json_t *object, const char *key, char *text,
                    size_t size);
uint64_t json_get_count(struct json_reader *reader, const json_t *object, const char *key, uint64_t maximum);
/* null reads as NAN where allowed. */
double json_get_number(struct json_reader *reader, const json_t *object, const char *key, bool null_allowed);
bool json_get_bool(struct json_reader *reader, const json_t *object, const char *key);
const json_t *json_get_object(struct json_reader *reader, const json_t *object, const char *key);
const json_t *json_get_array(struct json_reader *reader, const json_t *object, const char *key);
void json_get_shape(struct json_reader *reader, const json_t *object, const char *key, uint32_t shape[3]);

struct kernel_report;
/* kernel_report_from_json inside a larger document: errors carry the reader's path. */
bool kernel_report_read(struct kernel_report *report, const json_t *json, struct json_reader *reader);

/* A double as JSON: null when not finite, else rounded to REPORT_REAL_DIGITS so that every writer prints the
 * same. */
json_t *json_number(double value);
/* Text as JSON: null for NULL; bytes that are not UTF-8 (a compiler's message, a file name) become '?'. */
json_t *json_text(const char *text);

#endif
