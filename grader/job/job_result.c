/* job_result.c: a result and its JSON. */
#include "job/job_result.h"
#include "base/file.h"
#include "job/job.h"
#include "prints/opcodes.h"
#include "report/document/flags.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void job_result_init(struct job_result *r, const struct settings *settings) {
    *r = (struct job_result){.settings = settings, .outcome = JOB_BUILD_FAILED};
}

void job_result_free(struct job_result *r) {
    if (r->have_report)
        report_free(&r->report);
    if (r->have_shown)
        report_free(&r->shown);
    r->have_report = r->have_shown = false;
    free(r->prints);
    r->prints = NULL;
}

void job_result_set(struct job_result *r, enum job_outcome outcome, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message, sizeof r->message, format, arguments);
    va_end(arguments);
    r->message[strcspn(r->message, "\r\n")] = '\0';
    /* "it does not end:" announced the next line, which is not here */
    for (size_t end = strlen(r->message); end > 0 && strchr(": ", r->message[end - 1]) != NULL; end--)
        r->message[end - 1] = '\0';
    r->outcome = outcome;
}

void job_result_detail(struct job_result *r, const char *text) {
    size_t length = strlen(text);
    if (length >= sizeof r->detail) {
        length = sizeof r->detail - 1;
        while (length > 0 && text[length - 1] != '\n')
            length--;
    }
    memcpy(r->detail, text, length);
    r->detail[length] = '\0';
}

void job_result_flag(struct job_result *r, const char *name, const char *message) {
    for (unsigned i = 0; i < r->flag_count; i++)
        if (strcmp(r->flags[i].name, name) == 0)
            return;
    if (r->flag_count == JOB_RESULT_FLAGS)
        return;
    snprintf(r->flags[r->flag_count].name, sizeof r->flags->name, "%s", name);
    snprintf(r->flags[r->flag_count++].message, sizeof r->flags->message, "%s", message);
}

void job_result_hide(struct job_result *r) {
    memcpy(r->staff_message, r->message, sizeof r->message);
    memcpy(r->staff_detail, r->detail, sizeof r->detail);
    r->message[0] = r->detail[0] = '\0';
}

void job_result_too_much(struct job_result *r) {
    job_result_set(
        r, JOB_FAILED,
        "your program made the judge itself too large or too slow: it launches, copies or prints far "
        "more than the lab needs.");
    r->detail[0] = '\0';
    job_result_flag(r, flag_name(FLAG_JUDGE_LIMIT), flag_meaning(FLAG_JUDGE_LIMIT));
}

bool job_result_prints(struct job_result *r, const char *path) {
    enum { MOST = 128 << 20 };
    size_t length;
    char error[256], *ptx = file_read(path, MOST, &length, error, sizeof error);
    if (ptx != NULL) {
        r->prints = opcodes_prints_text(ptx, length, JOB_RESULT_PRINTS);
        snprintf(error, sizeof error, "out of memory");
    }
    free(ptx);
    if (r->prints == NULL)
        job_result_set(r, JOB_TROUBLE, "%s", error);
    return r->prints != NULL;
}

/* Text that may hold anything (a compiler's words, a program's) as JSON: what is not printable ASCII or a
 * line's end becomes '?'. */
static json_t *text(const char *bytes) {
    char *copy = strdup(bytes);
    for (char *c = copy; c != NULL && *c != '\0'; c++)
        if (*c != '\n' && *c != '\t' && ((unsigned char)*c < ' ' || (unsigned char)*c > '~'))
            *c = '?';
    json_t *json = copy != NULL ? json_string(copy) : NULL;
    free(copy);
    return json;
}

static json_t *milliseconds(double seconds) {
    char rounded[32];
    snprintf(rounded, sizeof rounded, "%.3f", seconds);
    return json_real(strtod(rounded, NULL));
}

static json_t *document(const struct job_result *r) {
    static const char *const outcomes[] = {"trouble", "build-failed", "failed", "judged"};
    const struct settings *s = r->settings;
    json_t *json = json_object(), *flags = json_array(), *seconds = json_object();
    char size[32], drawn[SETTINGS_KEY_NAME];
    snprintf(size, sizeof size, "%ux%u", s->width, s->height);
    settings_key_name(s, drawn);
    bool right =
        json_object_set_new(json, "schema", json_integer(JOB_SCHEMA)) == 0 &&
        json_object_set_new(json, "lab", json_string(s->lab.id)) == 0 &&
        json_object_set_new(json, "kernel_sha256", json_string(r->kernel_sha256)) == 0 &&
        json_object_set_new(json, "kit", json_string(r->kit)) == 0 &&
        json_object_set_new(json, "device", json_string(s->device == DEVICE_CUDA ? "cuda" : "sim")) == 0 &&
        json_object_set_new(json, "gpu", json_string(s->gpu)) == 0 &&
        json_object_set_new(json, "drawn", json_string(drawn)) == 0 &&
        json_object_set_new(json, "size", s->sized ? json_string(size) : json_null()) == 0 &&
        json_object_set_new(json, "outcome", json_string(outcomes[r->outcome])) == 0 &&
        json_object_set_new(json, "message", text(r->message)) == 0 &&
        json_object_set_new(json, "detail", text(r->detail)) == 0 &&
        json_object_set_new(json, "staff",
                            json_pack("{s:o, s:o}", "message", text(r->staff_message), "detail",
                                      text(r->staff_detail))) == 0 &&
        json_object_set_new(json, "shown", r->have_shown ? report_to_json(&r->shown) : json_null()) == 0;
    right = right && json_object_set_new(json, "prints",
                                         r->prints != NULL ? json_string(r->prints) : json_null()) == 0;
    for (unsigned i = 0; right && i < r->flag_count; i++)
        right = json_array_append_new(flags, json_pack("{ss ss}", "name", r->flags[i].name, "message",
                                                       r->flags[i].message)) == 0;
    right =
        right && json_object_set(json, "flags", flags) == 0 &&
        json_object_set_new(json, "report", r->have_report ? report_to_json(&r->report) : json_null()) == 0 &&
        json_object_set_new(seconds, "build", milliseconds(r->build_seconds)) == 0 &&
        json_object_set_new(seconds, "run", milliseconds(r->run_seconds)) == 0 &&
        json_object_set(json, "seconds", seconds) == 0;
    json_decref(flags);
    json_decref(seconds);
    if (right)
        return json;
    json_decref(json);
    return NULL;
}

enum { FORMAT = JSON_INDENT(1) | REPORT_JSON_FLAGS };

static json_t *renamed(json_t *value, const struct kit_names *names) {
    char *copy = json_is_string(value) ? kit_names_replace(names, json_string_value(value)) : NULL;
    json_t *json = copy != NULL ? json_string(copy) : NULL;
    free(copy);
    return json;
}

/* A program can print what its sandbox cannot rename. The depth is that of the document. */
static void rename_files(json_t *json, const struct kit_names *names) {
    const char *key;
    size_t i;
    json_t *value, *better;
    json_object_foreach(json, key, value) {
        better = renamed(value, names);
        if (better != NULL)
            json_object_set_new(json, key, better);
        else
            rename_files(value, names);
    }
    json_array_foreach(json, i, value) {
        better = renamed(value, names);
        if (better != NULL)
            json_array_set_new(json, i, better);
        else
            rename_files(value, names);
    }
}

/* The same without what made it large. */
static json_t *smaller_document(const struct job_result *r) {
    struct job_result *smaller = malloc(sizeof *smaller);
    json_t *json = NULL;
    if (smaller == NULL)
        return NULL;
    *smaller = *r;
    smaller->have_report = smaller->have_shown = false; /* they stay the other's */
    job_result_too_much(smaller);
    json = document(smaller);
    free(smaller);
    return json;
}

bool job_result_write(const struct job_result *r, const char *folder, const char *name, char *error,
                      size_t size) {
    struct file_output output;
    json_t *json = document(r);
    if (json != NULL && json_dumpb(json, NULL, 0, FORMAT) > JOB_RESULT_BYTES) {
        json_decref(json);
        json = smaller_document(r);
    }
    if (json == NULL)
        return fails(error, size, "%s/%s: out of memory", folder, name);
    if (r->names != NULL && r->outcome != JOB_TROUBLE)
        rename_files(json, r->names);
    bool right = file_begin(&output, folder, name, error, size);
    if (right) {
        /* on the disk before it is seen: a result that is there has to stay */
        right = json_dumpf(json, output.file, FORMAT) == 0 && fputc('\n', output.file) == '\n' &&
                fflush(output.file) == 0 && fsync(fileno(output.file)) == 0;
        if (!right)
            snprintf(error, size, "cannot write %s: %s", output.path, strerror(errno));
        if (right)
            right = file_end(&output, error, size);
        else
            file_discard(&output);
    }
    json_decref(json);
    return right;
}
