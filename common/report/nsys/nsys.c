/* nsys.c: reads the export. nsys makes a table only if something of its kind happened, so a missing
 * table means nothing. A missing column, or one without numbers, means another kind of file:
 * refused. */
#include "report/nsys/nsys.h"

#include "base/path.h"
#include "base/span_kinds.h"

#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 20, NO_CORRELATION = -1, STEPS_EACH = 1000000, MOST_STEPS = 200 };

struct entry {
    enum span_kind kind;
    char name[NSYS_NAME];
    int64_t begin, end; /* ns */
    int64_t correlation;
};

struct reader {
    sqlite3 *database;
    struct nsys_recording *to;
    struct entry *list;
    uint32_t count, room;
    uint64_t devices; /* a bit for each */
    unsigned steps;
    const char *path;
    char *error;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...) {
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (char *c = what; *c != '\0'; c++) /* SQLite quotes names, which may hold anything */
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return fails(r->error, r->size, "%s: %s", r->path, what);
}

/* ---- SQLite */

/* Stops a statement that takes too long for an export. */
static int count_steps(void *data) {
    struct reader *r = data;
    return ++r->steps > MOST_STEPS;
}

static bool open_database(struct reader *r) {
    if (access(r->path, R_OK) != 0) /* else SQLite says "unable to open database file" */
        return refuse(r, "cannot be read");
    if (sqlite3_open_v2(r->path, &r->database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        return refuse(r, "%s", r->database != NULL ? sqlite3_errmsg(r->database) : "out of memory");
    /* The file may come from anybody. */
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_progress_handler(r->database, STEPS_EACH, count_steps, r);
    int status = sqlite3_exec(r->database, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    if (status == SQLITE_NOTADB)
        return refuse(r, "not an export to SQLite: nsys export --type sqlite makes one of an .nsys-rep");
    return status == SQLITE_OK || refuse(r, "%s", sqlite3_errmsg(r->database));
}

static bool has_table(struct reader *r, const char *table, bool *has) {
    sqlite3_stmt *statement = NULL;
    *has = false;
    bool right =
        sqlite3_prepare_v2(r->database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", -1,
                           &statement, NULL) == SQLITE_OK &&
        sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC) == SQLITE_OK;
    int status = right ? sqlite3_step(statement) : SQLITE_ERROR;
    *has = status == SQLITE_ROW;
    right = status == SQLITE_ROW || status == SQLITE_DONE || refuse(r, "%s", sqlite3_errmsg(r->database));
    sqlite3_finalize(statement);
    return right;
}

/* Reads one text; "": there is none. */
static void read_text(struct reader *r, const char *sql, char text[NSYS_NAME]) {
    sqlite3_stmt *statement = NULL;
    text[0] = '\0';
    if (sqlite3_prepare_v2(r->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) == SQLITE_TEXT)
        snprintf(text, NSYS_NAME, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

/* ---- kinds and names of entries */

/* SPAN_KIND_COUNT: it is not drawn. */
static enum span_kind copy_kind(int64_t kind) {
    switch (kind) { /* CUpti_ActivityMemcpyKind; the export's ENUM_CUDA_MEMCPY_OPER has the same numbers */
    case 1:         /* host to device */
    case 3:         /* to an array */
    case 11: return SPAN_KIND_TO_DEVICE; /* of managed memory */
    case 2:
    case 4:
    case 12: return SPAN_KIND_FROM_DEVICE;
    case 5: /* between device memory and arrays, devices */
    case 6:
    case 7:
    case 8:
    case 10:
    case 13: return SPAN_KIND_IN_DEVICE;
    default: return SPAN_KIND_COUNT;
    }
}

/* Turns "cudaLaunchKernel_v7000" into the simulator's name; functions of the driver get the
 * runtime's names. */
static void name_call(char name[NSYS_NAME]) {
    static const struct {
        const char *begins, *word;
    } words[] = {{"LaunchKernel", "LAUNCH"},
                 {"LaunchCooperative", "LAUNCH"},
                 {"GraphLaunch", "GRAPH"},
                 {"Memcpy", "COPY"},
                 {"Memset", "FILL"},
                 {"EventRecord", "EVENT_RECORD"},
                 {"StreamWaitEvent", "STREAM_WAIT"}};
    char *version = strstr(name, "_v");
    if (version != NULL && strspn(version + 2, "0123456789") == strlen(version + 2))
        *version = '\0';
    const char *verb = strncmp(name, "cuda", 4) == 0 ? name + 4 : strncmp(name, "cu", 2) == 0 ? name + 2 : "";
    size_t length = strlen(verb), ends = strlen("Synchronize");
    const char *word =
        length >= ends && strcmp(verb + length - ends, "Synchronize") == 0 ? "SYNCHRONISE" : NULL;
    for (size_t i = 0; word == NULL && i < sizeof words / sizeof *words; i++)
        if (strncmp(verb, words[i].begins, strlen(words[i].begins)) == 0)
            word = words[i].word;
    if (word != NULL)
        snprintf(name, NSYS_NAME, "%s", word);
}

/* ---- the entries */

enum { KIND_HOST, KIND_KERNEL, KIND_COPY, KIND_FILL, KIND_GRAPH, KINDS };

/* Each query gives start, end, correlation, name or kind, device. [] always quotes a name; "" would
 * be a text if there were no such column. */
static const struct {
    const char *table, *sql;
} tables[KINDS] = {
    [KIND_HOST] =
        {"CUPTI_ACTIVITY_KIND_RUNTIME",
         "SELECT t.[start], t.[end], t.[correlationId], s.[value], 0 FROM CUPTI_ACTIVITY_KIND_RUNTIME t "
         "LEFT JOIN StringIds s ON s.[id] = t.[nameId]"},
    [KIND_KERNEL] = {"CUPTI_ACTIVITY_KIND_KERNEL",
                     "SELECT t.[start], t.[end], t.[correlationId], s.[value], t.[deviceId] FROM "
                     "CUPTI_ACTIVITY_KIND_KERNEL t LEFT JOIN StringIds s ON s.[id] = t.[shortName]"},
    [KIND_COPY] = {"CUPTI_ACTIVITY_KIND_MEMCPY",
                   "SELECT t.[start], t.[end], t.[correlationId], t.[copyKind], t.[deviceId], t.[srcKind], "
                   "t.[dstKind] FROM CUPTI_ACTIVITY_KIND_MEMCPY t"},
    [KIND_FILL] =
        {"CUPTI_ACTIVITY_KIND_MEMSET",
         "SELECT t.[start], t.[end], t.[correlationId], 0, t.[deviceId] FROM CUPTI_ACTIVITY_KIND_MEMSET t"},
    [KIND_GRAPH] = {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                    "SELECT t.[start], t.[end], t.[correlationId], 0, t.[deviceId] FROM "
                    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE t"},
};

static struct entry *new_entry(struct reader *r) {
    if (r->count == r->room) {
        uint32_t room = r->room > 0 ? 2 * r->room : 1024;
        struct entry *list = realloc(r->list, room * sizeof *list);
        if (list == NULL) {
            refuse(r, "out of memory");
            return NULL;
        }
        r->list = list;
        r->room = room;
    }
    return &r->list[r->count];
}

static void take_name(struct entry *entry, sqlite3_stmt *row) {
    const char *name = (const char *)sqlite3_column_text(row, 3);
    snprintf(entry->name, sizeof entry->name, "%s", name != NULL ? name : "");
    for (char *c = entry->name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
}

/* Describes an entry. False: it is not drawn. */
static bool describe(struct reader *r, int kind, sqlite3_stmt *row, struct entry *entry) {
    static const enum span_kind kinds[KINDS] = {SPAN_KIND_HOST, SPAN_KIND_KERNEL, SPAN_KIND_COUNT,
                                                SPAN_KIND_FILL, SPAN_KIND_GRAPH};
    enum { PAGEABLE = 0 }; /* ENUM_CUDA_MEM_KIND */
    entry->kind = kinds[kind];
    entry->name[0] = '\0';
    if (kind == KIND_COPY) {
        entry->kind = copy_kind(sqlite3_column_int64(row, 3));
        if (entry->kind == SPAN_KIND_COUNT) {
            r->to->other_copies++;
            return false;
        }
        int host = entry->kind == SPAN_KIND_TO_DEVICE ? 5 : entry->kind == SPAN_KIND_FROM_DEVICE ? 6 : 0;
        if (host != 0 && sqlite3_column_type(row, host) == SQLITE_INTEGER &&
            sqlite3_column_int64(row, host) == PAGEABLE)
            strcpy(entry->name, "pageable");
    } else if (kind == KIND_HOST || kind == KIND_KERNEL)
        take_name(entry, row);
    if (kind == KIND_HOST)
        name_call(entry->name);
    else
        r->devices |= (uint64_t)1 << (sqlite3_column_int64(row, 4) & 63);
    r->to->graphs += kind == KIND_GRAPH;
    return true;
}

static bool read_row(struct reader *r, int kind, sqlite3_stmt *row) {
    if (r->count >= MOST)
        return refuse(r, "more than %d entries: record a shorter run", MOST);
    if (sqlite3_column_type(row, 0) != SQLITE_INTEGER)
        return refuse(r, "%s: a start is no number", tables[kind].table);
    struct entry *entry = new_entry(r);
    if (entry == NULL)
        return false;
    entry->begin = sqlite3_column_int64(row, 0);
    entry->end = sqlite3_column_int64(row, 1);
    entry->correlation =
        sqlite3_column_type(row, 2) == SQLITE_INTEGER ? sqlite3_column_int64(row, 2) : NO_CORRELATION;
    if (sqlite3_column_type(row, 1) != SQLITE_INTEGER || entry->begin < 0 || entry->end < entry->begin)
        r->to->unended++;
    else
        r->count += describe(r, kind, row, entry);
    return true;
}

static bool read_table(struct reader *r, int kind, unsigned *found) {
    bool has;
    sqlite3_stmt *statement = NULL;
    if (!has_table(r, tables[kind].table, &has) || !has)
        return !has;
    ++*found;
    if (sqlite3_prepare_v2(r->database, tables[kind].sql, -1, &statement, NULL) != SQLITE_OK)
        return refuse(r, "an export of another form than this reads: %s: %s", tables[kind].table,
                      sqlite3_errmsg(r->database));
    int status;
    bool right = true;
    while (right && (status = sqlite3_step(statement)) == SQLITE_ROW)
        right = read_row(r, kind, statement);
    if (right && status != SQLITE_DONE)
        right = refuse(r, "%s: %s", tables[kind].table, sqlite3_errmsg(r->database));
    sqlite3_finalize(statement);
    return right;
}

/* ---- the run */

static bool is_host(const struct entry *entry) {
    return entry->kind == SPAN_KIND_HOST;
}

static int by_begin(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    return a->begin != b->begin ? (a->begin > b->begin) - (a->begin < b->begin)
                                : (a->end > b->end) - (a->end < b->end);
}

/* The run begins with the call that asks for the GPU's first work, and ends with the last call that
 * began before that work ended. So allocating, loading and freeing are outside. */
static bool cut_to_run(struct reader *r) {
    const struct entry *first = NULL;
    int64_t begin = INT64_MAX, end = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct entry *entry = &r->list[i];
        if (is_host(entry))
            continue;
        first = first == NULL ? entry : first;
        end = entry->end > end ? entry->end : end;
    }
    if (first == NULL)
        return refuse(r, "it holds no work of a GPU's");
    begin = first->begin;
    r->to->first_us = (double)begin / 1e3;
    r->to->last_us = (double)end / 1e3;
    for (uint32_t i = 0; i < r->count; i++)
        if (is_host(&r->list[i]) && first->correlation != NO_CORRELATION &&
            r->list[i].correlation == first->correlation && r->list[i].begin < begin)
            begin = r->list[i].begin;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->list[i].begin >= begin && (!is_host(&r->list[i]) || r->list[i].begin < end))
            r->list[kept++] = r->list[i];
    r->count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        r->list[i].begin -= begin;
        r->list[i].end -= begin;
    }
    r->to->first_us -= (double)begin / 1e3;
    r->to->last_us -= (double)begin / 1e3;
    return true;
}

static bool tell(struct reader *r) {
    r->to->spans = json_array();
    bool right = r->to->spans != NULL;
    for (uint32_t i = 0; right && i < r->count; i++) {
        const struct entry *entry = &r->list[i];
        right = json_array_append_new(r->to->spans,
                                      json_pack("{s:s, s:s, s:f, s:f}", "kind", span_kind_name(entry->kind),
                                                "name", entry->name, "begin_us", (double)entry->begin / 1e3,
                                                "time_us", (double)(entry->end - entry->begin) / 1e3)) == 0;
    }
    return right || refuse(r, "out of memory");
}

bool nsys_read(struct nsys_recording *recording, const char *path, char *error, size_t size) {
    struct reader r = {.to = recording, .path = path, .error = error, .size = size};
    unsigned found = 0;
    *recording = (struct nsys_recording){0};
    bool right = open_database(&r);
    for (int kind = 0; right && kind < KINDS; kind++)
        right = read_table(&r, kind, &found);
    if (right && found == 0)
        right =
            refuse(&r, "no export of Nsight Systems, or one without CUDA: nsys profile -t cuda records it");
    if (right) {
        read_text(&r, "SELECT [name] FROM TARGET_INFO_GPU", recording->gpu);
        read_text(&r, "SELECT [value] FROM META_DATA_EXPORT WHERE [name] = 'EXPORT_PRODUCT_VERSION'",
                  recording->version);
        for (uint64_t bits = r.devices; bits != 0; bits &= bits - 1)
            recording->devices++;
        if (r.count > 0)
            qsort(r.list, r.count, sizeof *r.list, by_begin);
        right = cut_to_run(&r) && tell(&r);
    }
    sqlite3_close(r.database);
    free(r.list);
    if (!right)
        nsys_free(recording);
    return right;
}

void nsys_free(struct nsys_recording *recording) {
    json_decref(recording->spans);
    *recording = (struct nsys_recording){0};
}

/* ---- remarks */

__attribute__((format(printf, 3, 4))) static void say(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (length + 1 < size)
        vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void nsys_remarks(const struct nsys_recording *recording, char *text, size_t size) {
    text[0] = '\0';
    if (recording->graphs > 0)
        say(text, size,
            "%u graph%s told in one: what is in %s, and when, was not recorded; nsys profile "
            "--cuda-graph-trace=node records it. ",
            recording->graphs, recording->graphs > 1 ? "s are" : " is",
            recording->graphs > 1 ? "them" : "it");
    if (recording->devices > 1)
        say(text, size, "%u GPUs worked; they share the rows. ", recording->devices);
    if (recording->other_copies > 0)
        say(text, size, "%u cop%s no GPU's, or of a kind that is not known, and left out. ",
            recording->other_copies, recording->other_copies > 1 ? "ies are" : "y is");
    if (recording->unended > 0)
        say(text, size, "%u entr%s no end and %s left out. ", recording->unended,
            recording->unended > 1 ? "ies have" : "y has", recording->unended > 1 ? "are" : "is");
    size_t length = strlen(text);
    if (length > 0)
        text[length - 1] = '\0';
}
