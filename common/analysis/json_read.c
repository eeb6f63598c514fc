/* json_read.c: values by name and type; the first that is wrong is told with its path. */
#include "analysis/json_read.h"

#include "analysis/kernel_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_reader_init(struct json_reader *reader, char *error, size_t size) {
    *reader = (struct json_reader){.error = error, .size = size};
    if (size > 0)
        error[0] = '\0';
}

bool json_fail(struct json_reader *reader, const char *key, const char *message) {
    if (!reader->failed)
        snprintf(reader->error, reader->size, "%s%s%s: %s", reader->path,
                 key != NULL && *reader->path != '\0' ? "." : "", key != NULL ? key : "", message);
    for (char *c = reader->error; !reader->failed && reader->size > 0 && *c != '\0'; c++)
        if ((unsigned char)*c < ' ' ||
            *c == 0x7f) /* an unknown key has any characters: one line all the same */
            *c = '?';
    reader->failed = true;
    return false;
}

size_t json_enter(struct json_reader *reader, const char *key) {
    size_t mark = strlen(reader->path);
    snprintf(reader->path + mark, sizeof reader->path - mark, "%s%s", mark > 0 ? "." : "", key);
    return mark;
}

size_t json_enter_item(struct json_reader *reader, const char *key, size_t index) {
    size_t mark = strlen(reader->path);
    snprintf(reader->path + mark, sizeof reader->path - mark, "%s%s[%zu]", mark > 0 ? "." : "", key, index);
    return mark;
}

void json_leave(struct json_reader *reader, size_t mark) {
    reader->path[mark] = '\0';
}

bool json_expect_keys(struct json_reader *reader, const json_t *object, const char *const *names) {
    if (!json_is_object(object))
        return json_fail(reader, NULL, "expected an object");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        size_t i = 0;
        while (names[i] != NULL && strcmp(names[i], key) != 0)
            i++;
        if (names[i] == NULL) {
            char message[96];
            snprintf(message, sizeof message, "unknown key \"%.40s\"", key);
            return json_fail(reader, NULL, message);
        }
    }
    return true;
}

const json_t *json_get(struct json_reader *reader, const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        json_fail(reader, key, "missing");
    return value;
}

const char *json_get_text(struct json_reader *reader, const json_t *object, const char *key) {
    const json_t *value = json_get(reader, object, key);
    if (value != NULL && !json_is_string(value))
        json_fail(reader, key, "expected text");
    return json_is_string(value) ? json_string_value(value) : "";
}

char *json_get_copy(struct json_reader *reader, const json_t *object, const char *key, bool null_allowed) {
    if (null_allowed && json_is_null(json_object_get(object, key)))
        return NULL;
    char *copy = strdup(json_get_text(reader, object, key));
    if (copy == NULL)
        json_fail(reader, key, "out of memory");
    return copy;
}

void json_get_short(struct json_reader *reader, const json_t *object, const char *key, char *text,
                    size_t size) {
    const char *value = json_get_text(reader, object, key);
    if ((size_t)snprintf(text, size, "%s", value) >= size)
        json_fail(reader, key, "text too long");
}

static uint64_t count_of(struct json_reader *reader, const json_t *value, const char *key, uint64_t maximum) {
    if (value == NULL)
        return 0;
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        json_fail(reader, key, "expected a whole number, 0 or more");
        return 0;
    }
    uint64_t count = (uint64_t)json_integer_value(value);
    if (count > maximum) {
        json_fail(reader, key, "number too large");
        return 0;
    }
    return count;
}

uint64_t json_get_count(struct json_reader *reader, const json_t *object, const char *key, uint64_t maximum) {
    return count_of(reader, json_get(reader, object, key), key, maximum);
}

double json_get_number(struct json_reader *reader, const json_t *object, const char *key, bool null_allowed) {
    const json_t *value = json_get(reader, object, key);
    if (value == NULL || (null_allowed && json_is_null(value)))
        return NAN;
    if (!json_is_number(value)) {
        json_fail(reader, key, null_allowed ? "expected a number or null" : "expected a number");
        return NAN;
    }
    return json_number_value(value);
}

bool json_get_bool(struct json_reader *reader, const json_t *object, const char *key) {
    const json_t *value = json_get(reader, object, key);
    if (value != NULL && !json_is_boolean(value))
        json_fail(reader, key, "expected true or false");
    return json_is_true(value);
}

const json_t *json_get_object(struct json_reader *reader, const json_t *object, const char *key) {
    const json_t *value = json_get(reader, object, key);
    if (value != NULL && !json_is_object(value))
        json_fail(reader, key, "expected an object");
    return json_is_object(value) ? value : NULL;
}

const json_t *json_get_array(struct json_reader *reader, const json_t *object, const char *key) {
    const json_t *value = json_get(reader, object, key);
    if (value != NULL && !json_is_array(value))
        json_fail(reader, key, "expected an array");
    return json_is_array(value) ? value : NULL;
}

void json_get_shape(struct json_reader *reader, const json_t *object, const char *key, uint32_t shape[3]) {
    const json_t *array = json_get_array(reader, object, key);
    if (array == NULL)
        return;
    if (json_array_size(array) != 3) {
        json_fail(reader, key, "expected three numbers");
        return;
    }
    for (size_t i = 0; i < 3; i++)
        shape[i] = (uint32_t)count_of(reader, json_array_get(array, i), key, UINT32_MAX);
}

json_t *json_number(double value) {
    if (!isfinite(value))
        return json_null();
    char text[40];
    snprintf(text, sizeof text, "%.*g", REPORT_REAL_DIGITS, value);
    return json_real(strtod(text, NULL));
}

json_t *json_text(const char *text) {
    if (text == NULL)
        return json_null();
    json_t *json = json_string(text);
    if (json != NULL)
        return json;
    char *copy = strdup(text);
    if (copy == NULL)
        return NULL;
    for (unsigned char *byte = (unsigned char *)copy; *byte != '\0'; byte++)
        if (*byte >= 0x80)
            *byte = '?';
    json = json_string(copy);
    free(copy);
    return json;
}
