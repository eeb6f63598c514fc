/* fields.c: converts structures to JSON and back by their tables. */
#include "report/document/fields.h"

#include "report/document/kernel_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- members */

static void *place_of(const struct field *field, const void *object) {
    return (char *)object + field->offset;
}

static unsigned parts_of(const struct field *field) {
    return field->type == FIELD_OWNED ? 0 : field->repeat > 0 ? field->repeat : 1;
}

/* One element of a row that describes several. */
static struct field part_of(const struct field *field, unsigned index) {
    struct field part = *field;
    if (field->repeat > 0) {
        part.key = field->name((int)index);
        part.offset += index * field->size;
        part.known += field->known > 0 ? index : 0;
        part.repeat = 0;
    }
    return part;
}

static bool *known_of(const struct field *field, const void *object) {
    return field->known > 0 ? (bool *)((char *)object + field->known) : NULL;
}

static uint32_t *length_of(const struct field *field, const void *object) {
    return (uint32_t *)((char *)object + field->count);
}

static uint64_t count_at(const struct field *field, const void *object) {
    uint64_t value = 0;
    if (field->size == sizeof(uint32_t))
        value = *(const uint32_t *)place_of(field, object);
    else
        memcpy(&value, place_of(field, object), sizeof value);
    return value;
}

/* The elements of a list. */
static char *items_of(const struct field *field, const void *object) {
    void *place = place_of(field, object);
    return field->most > 0 ? place : *(char **)place;
}

static bool record_is_empty(const struct record *record, const void *object);

static bool is_empty(const struct field *field, const void *object) {
    const void *place = place_of(field, object);
    const bool *known = known_of(field, object);
    const double *number = place;
    if (known != NULL)
        return !*known;
    switch (field->type) {
    case FIELD_TEXT: return *(char *const *)place == NULL;
    case FIELD_SHORT: return *(const char *)place == '\0';
    case FIELD_COUNT: return count_at(field, object) < (field->least > 0 ? field->least : 1);
    case FIELD_INTEGER: return *(const int64_t *)place == 0;
    case FIELD_NUMBER: return !isfinite(*number);
    case FIELD_RANGE: return !isfinite(number[0]) || !isfinite(number[1]);
    case FIELD_ENUM: return *(const int *)place == 0;
    case FIELD_RECORD: return record_is_empty(field->record, place);
    case FIELD_LIST: return *length_of(field, object) == 0;
    case FIELD_BOOL:
    case FIELD_SHAPE:
    case FIELD_SCHEMA:
    case FIELD_OWNED: break;
    }
    return false;
}

static bool record_is_empty(const struct record *record, const void *object) {
    for (size_t i = 0; i < record->count; i++)
        for (unsigned k = 0; k < parts_of(&record->fields[i]); k++) {
            struct field field = part_of(&record->fields[i], k);
            if (!is_empty(&field, object))
                return false;
            if (!(field.flags & FIELD_OMIT))
                return true;
        }
    return true;
}

void *list_add(void **array, uint32_t *count, size_t size) {
    if ((*count & (*count - 1)) == 0) {
        void *larger = realloc(*array, (*count == 0 ? 1 : (size_t)*count * 2) * size);
        if (larger == NULL)
            return NULL;
        *array = larger;
    }
    return memset((char *)*array + (size_t)(*count)++ * size, 0, size);
}

void record_free(const struct record *record, void *object) {
    for (size_t i = 0; i < record->count; i++) {
        const struct field *field = &record->fields[i];
        void *place = place_of(field, object);
        if (field->type == FIELD_TEXT || field->type == FIELD_OWNED)
            free(*(void **)place);
        else if (field->type == FIELD_RECORD)
            record_free(field->record, place);
        else if (field->type == FIELD_LIST && items_of(field, object) != NULL)
            for (uint32_t k = 0; k < *length_of(field, object); k++)
                record_free(field->record, items_of(field, object) + k * field->record->size);
        if (field->type == FIELD_LIST && field->most == 0)
            free(*(void **)place);
    }
}

void *list_append(const struct record *record, void **array, uint32_t *count, void *item) {
    bool whole = true;
    for (size_t i = 0; i < record->count; i++)
        whole = whole && (record->fields[i].type != FIELD_TEXT || record->fields[i].flags != 0 ||
                          !is_empty(&record->fields[i], item));
    void *added = whole ? list_add(array, count, record->size) : NULL;
    if (added == NULL)
        record_free(record, item);
    return added != NULL ? memcpy(added, item, record->size) : NULL;
}

/* ---- writing */

/* Rounds, so that every writer prints the same digits. */
static json_t *number_to_json(double value) {
    if (!isfinite(value))
        return json_null();
    char text[40];
    snprintf(text, sizeof text, "%.*g", REPORT_REAL_DIGITS, value);
    return json_real(strtod(text, NULL));
}

/* Bytes that are not UTF-8 (in a compiler's message, a file name) become '?'. */
static json_t *text_to_json(const char *text) {
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

static json_t *list_to_json(const struct field *field, const void *object) {
    json_t *json = json_array();
    for (uint32_t i = 0; json != NULL && i < *length_of(field, object); i++)
        if (json_array_append_new(json, record_to_json(field->record, items_of(field, object) +
                                                                          i * field->record->size)) != 0) {
            json_decref(json);
            return NULL;
        }
    return json;
}

static json_t *value_to_json(const struct field *field, const void *object) {
    const void *place = place_of(field, object);
    const double *number = place;
    const uint32_t *shape = place;
    if ((field->flags & FIELD_NULL) && is_empty(field, object))
        return json_null();
    switch (field->type) {
    case FIELD_TEXT: return text_to_json(*(char *const *)place != NULL ? *(char *const *)place : "");
    case FIELD_SHORT: return text_to_json(place);
    case FIELD_COUNT: return json_integer((json_int_t)count_at(field, object));
    case FIELD_INTEGER: return json_integer((json_int_t) * (const int64_t *)place);
    case FIELD_NUMBER: return number_to_json(*number);
    case FIELD_RANGE: return json_pack("[o, o]", number_to_json(number[0]), number_to_json(number[1]));
    case FIELD_BOOL: return json_boolean(*(const bool *)place);
    case FIELD_ENUM: return json_string(field->name(*(const int *)place));
    case FIELD_SHAPE:
        return json_pack("[I, I, I]", (json_int_t)shape[0], (json_int_t)shape[1], (json_int_t)shape[2]);
    case FIELD_RECORD: return record_to_json(field->record, place);
    case FIELD_LIST: return list_to_json(field, object);
    case FIELD_SCHEMA: return json_integer(REPORT_SCHEMA);
    case FIELD_OWNED: break;
    }
    return NULL;
}

/* The row whose key is present exactly when this row's key is; NULL: none. */
static const struct field *companion_of(const struct field *row) {
    return row->flags & FIELD_WITH_NEXT ? row + 1 : row->flags & FIELD_WITH_LAST ? row - 1 : NULL;
}

json_t *record_to_json(const struct record *record, const void *object) {
    if (record->fields->key == NULL && record->fields->repeat == 0)
        return value_to_json(record->fields, object);
    json_t *json = json_object();
    int failed = json == NULL;
    for (size_t i = 0; i < record->count; i++)
        for (unsigned k = 0; k < parts_of(&record->fields[i]); k++) {
            struct field field = part_of(&record->fields[i], k);
            const struct field *other = companion_of(&record->fields[i]);
            if (!(field.flags & FIELD_OMIT) || !is_empty(&field, object) ||
                (other != NULL && !is_empty(other, object)))
                failed |= json_object_set_new(json, field.key, value_to_json(&field, object));
        }
    if (!failed)
        return json;
    json_decref(json);
    return NULL;
}

/* ---- reading */

void field_reader_init(struct field_reader *reader, unsigned schema, char *error, size_t size) {
    *reader = (struct field_reader){.schema = schema, .error = error, .size = size};
    if (size > 0)
        error[0] = '\0';
}

void field_fail(struct field_reader *reader, const char *key, const char *message) {
    if (!reader->failed)
        snprintf(reader->error, reader->size, "%s%s%s: %s", reader->path,
                 key != NULL && *reader->path != '\0' ? "." : "", key != NULL ? key : "", message);
    for (char *c = reader->error; !reader->failed && reader->size > 0 && *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) /* unknown keys may have any characters */
            *c = '?';
    reader->failed = true;
}

/* Enters a part of the document. Returns the mark for leave(). */
static size_t enter(struct field_reader *reader, const char *key, const char *index) {
    size_t mark = strlen(reader->path);
    snprintf(reader->path + mark, sizeof reader->path - mark, "%s%s%s", mark > 0 ? "." : "", key, index);
    return mark;
}

static void leave(struct field_reader *reader, size_t mark) {
    reader->path[mark] = '\0';
}

static bool has_key(const struct record *record, const char *key) {
    for (size_t i = 0; i < record->count; i++)
        for (unsigned k = 0; k < parts_of(&record->fields[i]); k++)
            if (strcmp(part_of(&record->fields[i], k).key, key) == 0)
                return true;
    return false;
}

static void read_count(const struct field *field, void *object, const json_t *json, const char *key,
                       struct field_reader *reader) {
    uint64_t most = field->size == sizeof(uint32_t) ? UINT32_MAX : INT64_MAX;
    if (!json_is_integer(json) || json_integer_value(json) < 0) {
        field_fail(reader, key, "expected a whole number, 0 or more");
        return;
    }
    uint64_t value = (uint64_t)json_integer_value(json);
    uint32_t narrow = (uint32_t)value;
    if (value > most)
        field_fail(reader, key, "number too large");
    else if (field->size == sizeof narrow)
        memcpy(place_of(field, object), &narrow, sizeof narrow);
    else
        memcpy(place_of(field, object), &value, sizeof value);
}

static void read_text(const struct field *field, void *object, const json_t *json,
                      struct field_reader *reader) {
    const char *text = json_string_value(json);
    void *place = place_of(field, object);
    int value = 0;
    if (text == NULL) {
        field_fail(reader, field->key, "expected text");
    } else if (field->type == FIELD_TEXT) {
        if ((*(char **)place = strdup(text)) == NULL)
            field_fail(reader, field->key, "out of memory");
    } else if (field->type == FIELD_SHORT) {
        if ((size_t)snprintf(place, field->size, "%s", text) >= field->size)
            field_fail(reader, field->key, "text too long");
    } else {
        while (value < (int)field->most &&
               (field->name(value) == NULL || strcmp(field->name(value), text) != 0))
            value++;
        if (value == (int)field->most)
            field_fail(reader, field->key, "not a word that is known here");
        memcpy(place, &value, sizeof value);
    }
}

/* Reads two or three numbers. */
static void read_numbers(const struct field *field, void *object, const json_t *json,
                         struct field_reader *reader) {
    bool shape = field->type == FIELD_SHAPE;
    size_t count = shape ? 3 : 2;
    bool right = json_is_array(json) && json_array_size(json) == count;
    if (!right)
        field_fail(reader, field->key, shape ? "expected three numbers" : "expected two numbers or null");
    for (size_t i = 0; i < count && right; i++) {
        const json_t *item = json_array_get(json, i);
        struct field part = {.offset = field->offset + i * field->size / count, .size = field->size / count};
        if (shape)
            read_count(&part, object, item, field->key, reader);
        else if (json_is_number(item))
            *(double *)place_of(&part, object) = json_number_value(item);
        else
            field_fail(reader, field->key, "expected two numbers or null");
    }
}

static void read_list(const struct field *field, void *object, const json_t *json,
                      struct field_reader *reader) {
    char message[64];
    snprintf(message, sizeof message,
             field->most > 0 ? "expected an array of %u at most" : "expected an array", field->most);
    if (!json_is_array(json) || (field->most > 0 && json_array_size(json) > field->most))
        field_fail(reader, field->key, message);
    for (size_t i = 0; i < json_array_size(json) && !reader->failed; i++) {
        char index[24];
        snprintf(index, sizeof index, "[%zu]", i);
        uint32_t *length = length_of(field, object);
        void *item = field->most > 0
                         ? items_of(field, object) + (*length)++ * field->record->size
                         : list_add((void **)place_of(field, object), length, field->record->size);
        size_t mark = enter(reader, field->key, index);
        if (item == NULL)
            field_fail(reader, NULL, "out of memory");
        else
            record_from_json(field->record, item, json_array_get(json, i), reader);
        leave(reader, mark);
    }
}

static void read_record(const struct field *field, void *object, const json_t *json,
                        struct field_reader *reader) {
    const struct field *first = field->record->fields;
    size_t mark = enter(reader, field->key, "");
    record_from_json(field->record, place_of(field, object), json, reader);
    if (!reader->failed && (field->flags & (FIELD_OMIT | FIELD_NULL)) && is_empty(field, object))
        field_fail(reader, first->key, "expected more than nothing");
    leave(reader, mark);
}

static void read_value(const struct field *field, void *object, const json_t *json,
                       struct field_reader *reader) {
    bool *known = known_of(field, object), may_be_null = field->flags & FIELD_NULL;
    double *number = place_of(field, object);
    bool null = may_be_null && json_is_null(json);
    if (field->type == FIELD_NUMBER)
        *number = NAN;
    else if (field->type == FIELD_RANGE)
        number[0] = number[1] = NAN;
    if (known != NULL)
        *known = json != NULL && !null && (!(field->flags & FIELD_KNOWN_LAST) || *known);
    if (json == NULL || null)
        return;
    switch (field->type) {
    case FIELD_TEXT:
    case FIELD_SHORT:
    case FIELD_ENUM: read_text(field, object, json, reader); break;
    case FIELD_COUNT: read_count(field, object, json, field->key, reader); break;
    case FIELD_INTEGER:
        if (json_is_integer(json))
            *(int64_t *)place_of(field, object) = json_integer_value(json);
        else
            field_fail(reader, field->key, "expected a whole number");
        break;
    case FIELD_NUMBER:
        if (json_is_number(json))
            *number = json_number_value(json);
        else
            field_fail(reader, field->key, may_be_null ? "expected a number or null" : "expected a number");
        break;
    case FIELD_RANGE:
    case FIELD_SHAPE: read_numbers(field, object, json, reader); break;
    case FIELD_BOOL:
        *(bool *)place_of(field, object) = json_is_true(json);
        if (!json_is_boolean(json))
            field_fail(reader, field->key, "expected true or false");
        break;
    case FIELD_RECORD: read_record(field, object, json, reader); break;
    case FIELD_LIST: read_list(field, object, json, reader); break;
    case FIELD_SCHEMA:
    case FIELD_OWNED: break;
    }
}

static void read_field(const struct field *row, unsigned part, void *object, const json_t *json,
                       struct field_reader *reader) {
    struct field field = part_of(row, part);
    const struct field *other = companion_of(row);
    const json_t *value = json_object_get(json, field.key);
    bool younger = field.since > reader->schema, absent = value == NULL;
    if (younger && !absent)
        field_fail(reader, field.key, "not a key of schema 1");
    else if (absent && !younger &&
             (!(field.flags & (FIELD_OMIT | FIELD_YOUNG)) ||
              (other != NULL && json_object_get(json, other->key) != NULL)))
        field_fail(reader, field.key, "missing");
    else if (!absent || field.known == 0)
        read_value(&field, object, value, reader);
}

bool record_from_json(const struct record *record, void *object, const json_t *json,
                      struct field_reader *reader) {
    const char *key;
    json_t *value;
    if (record->fields->key == NULL && record->fields->repeat == 0) {
        read_value(record->fields, object, json, reader);
        return !reader->failed;
    }
    if (!json_is_object(json))
        field_fail(reader, NULL, "expected an object");
    else
        json_object_foreach((json_t *)json, key, value) if (!has_key(record, key)) {
            char message[96];
            snprintf(message, sizeof message, "unknown key \"%.40s\"", key);
            field_fail(reader, NULL, message);
        }
    for (size_t i = 0; i < record->count; i++)
        for (unsigned k = 0; k < parts_of(&record->fields[i]) && !reader->failed; k++)
            read_field(&record->fields[i], k, object, json, reader);
    if (!reader->failed && record->check != NULL)
        record->check(object, reader);
    return !reader->failed;
}
