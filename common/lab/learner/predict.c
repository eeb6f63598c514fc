/* predict.c: the keys of a lab, a prediction's text, and what came of it. */
#include "lab/learner/predict.h"

#include "base/file.h"
#include "base/ini.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEYS_MOST = 64 << 10 };

struct parser {
    struct predict_keys *keys;
    struct predict_key *key; /* of the section; NULL: none yet */
};

static bool section(struct ini *ini, const char *name) {
    static const char word[] = "predict ";
    struct parser *p = ini->context;
    if (strncmp(name, word, sizeof word - 1) != 0)
        return ini_refuse(ini, "unknown section [%s]: [predict KEY]", name);
    if (p->keys->count == REPORT_PREDICTIONS)
        return ini_refuse(ini, "more than %d predictions", REPORT_PREDICTIONS);
    p->key = &p->keys->keys[p->keys->count++];
    p->key->over = p->key->under = COUNTER_COUNT;
    p->key->tolerance = 0.1;
    name += sizeof word - 1;
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
        return ini_refuse(ini, "[predict KEY]: KEY is of small letters, digits and _");
    for (const struct predict_key *key = p->keys->keys; key < p->key; key++)
        if (strcmp(key->name, name) == 0)
            return ini_refuse(ini, "a second [predict %s]", name);
    return ini_text(ini, name, p->key->name, sizeof p->key->name);
}

static enum counter find_counter(const char *name, size_t length) {
    int i = 0;
    while (i < COUNTER_COUNT && (strlen(counter_name((enum counter)i)) != length ||
                                 strncmp(counter_name((enum counter)i), name, length) != 0))
        i++;
    return (enum counter)i;
}

static const struct {
    const char *name;
    enum predict_read read;
} readings[] = {{"limiter", PREDICT_LIMITER},
                {"speedup", PREDICT_SPEEDUP},
                {"occupancy", PREDICT_OCCUPANCY},
                {"share", PREDICT_SHARE},
                {"busy", PREDICT_BUSY}};

static bool take_read(struct ini *ini, struct predict_key *key, const char *value) {
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        if (strcmp(readings[i].name, value) == 0) {
            key->read = readings[i].read;
            return true;
        }
    size_t length = strcspn(value, " ");
    key->read = PREDICT_COUNTERS;
    key->over = find_counter(value, length);
    const char *rest = value + length + strspn(value + length, " /");
    if (*rest != '\0')
        key->under = find_counter(rest, strlen(rest));
    return (key->over != COUNTER_COUNT && (*rest == '\0' || key->under != COUNTER_COUNT)) ||
           ini_refuse(ini, "read is limiter, speedup, occupancy, share, busy, COUNTER or COUNTER / COUNTER");
}

static bool take_key(struct ini *ini, const char *name, const char *value) {
    struct parser *p = ini->context;
    struct predict_key *key = p->key;
    if (key == NULL)
        return ini_refuse(ini, "%s before the first [predict KEY]", name);
    if (strcmp(name, "question") == 0)
        return ini_text(ini, value, key->question, sizeof key->question);
    if (strcmp(name, "unit") == 0)
        return ini_text(ini, value, key->unit, sizeof key->unit);
    if (strcmp(name, "part") == 0)
        return ini_text(ini, value, key->part, sizeof key->part);
    if (strcmp(name, "read") == 0)
        return take_read(ini, key, value);
    if (strcmp(name, "tolerance") != 0)
        return ini_refuse(ini, "unknown key '%s'", name);
    if (!ini_number(ini, value, 0, 100, &key->tolerance, NULL))
        return false;
    key->tolerance /= 100;
    return true;
}

bool predict_parse(const char *text, size_t length, const char *name, struct predict_keys *keys, char *error,
                   size_t size) {
    struct parser parser = {.keys = keys};
    struct ini ini = {.file = name,
                      .error = error,
                      .error_size = size,
                      .context = &parser,
                      .section = section,
                      .key = take_key};
    memset(keys, 0, sizeof *keys);
    if (!ini_read(&ini, text, length))
        return false;
    for (unsigned i = 0; i < keys->count; i++) {
        const struct predict_key *key = &keys->keys[i];
        if (key->question[0] == '\0' || key->read == PREDICT_NOTHING)
            return ini_refuse(&ini, "[predict %s] has no question or nothing to read", key->name);
    }
    return true;
}

/* In a lab of several parts each prediction is of one of them, in others of none. */
static bool parts_fit(const struct lab *lab, const struct predict_keys *keys, const char *path, char *error,
                      size_t size) {
    for (unsigned i = 0; i < keys->count; i++) {
        unsigned part = 0;
        while (part < lab->part_count && strcmp(lab->parts[part].name, keys->keys[i].part) != 0)
            part++;
        if (part == lab->part_count)
            return fails(error, size, "%s: [predict %s]: %s has no part '%s'", path, keys->keys[i].name,
                         lab->id, keys->keys[i].part);
    }
    return true;
}

bool predict_load(const struct settings *s, struct predict_keys *keys, char *error, size_t size) {
    char path[PATH_SIZE];
    memset(keys, 0, sizeof *keys);
    path_print(path, "%s/labs/%s-%s/predict.ini", s->root, s->lab.id, s->lab.topic);
    if (access(path, F_OK) != 0)
        return true;
    size_t length;
    char *text = file_read(path, KEYS_MOST, &length, error, size);
    bool right = text != NULL && predict_parse(text, length, path, keys, error, size) &&
                 parts_fit(&s->lab, keys, path, error, size);
    free(text);
    return right;
}

bool predict_is_word(const struct predict_key *key) {
    return key->read == PREDICT_LIMITER;
}

/* Always false: what may be predicted, in one line. */
static bool refuse(const struct predict_keys *keys, const char *what, const char *text, char *error,
                   size_t size) {
    int at = snprintf(error, size, "%s '%.40s'; the keys are", what, text);
    for (unsigned i = 0; i < keys->count && at > 0 && (size_t)at < size; i++)
        at += snprintf(error + at, size - (size_t)at, "%s %s=%s", i > 0 ? "," : "", keys->keys[i].name,
                       predict_is_word(&keys->keys[i]) ? "NAME" : "NUMBER");
    return false;
}

/* A limiter by the name that a report has for it. */
static bool is_unit(const char *text) {
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        if (strcmp(gpu_unit_name((enum gpu_unit)unit), text) == 0)
            return true;
    return false;
}

/* Takes the blanks around each '=' out. */
static void join_pairs(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == '=')
            while (to > text && (to[-1] == ' ' || to[-1] == '\t'))
                to--;
        *to++ = *from;
        if (*from == '=')
            from += strspn(from + 1, " \t");
    }
    *to = '\0';
}

/* What is wrong about a word of a prediction, in one line into error. False: nothing is. */
static bool is_wrong(const struct predict_keys *keys, const struct predict_key *key, const char *word,
                     const char *value, char *error, size_t size) {
    char *end;
    if (value == NULL)
        return !refuse(keys, "no '=' behind", word, error, size);
    if (key == NULL)
        return !refuse(keys, "unknown key", word, error, size);
    if (!predict_is_word(key)) {
        double number = strtod(value, &end);
        bool right = *value != '\0' && strspn(value, "0123456789.eE+-") == strlen(value) && *end == '\0' &&
                     isfinite(number);
        return !right && !refuse(keys, "no number:", value, error, size);
    }
    if (is_unit(value))
        return false;
    int at = snprintf(error, size, "no limit is named '%.40s'; the limits are", value);
    for (int unit = 0; unit < GPU_UNIT_COUNT && at > 0 && (size_t)at < size; unit++)
        at += snprintf(error + at, size - (size_t)at, "%s %s", unit > 0 ? "," : "",
                       gpu_unit_name((enum gpu_unit)unit));
    return true;
}

bool predict_take(const struct predict_keys *keys, const char *text, struct report *report, char *error,
                  size_t size) {
    char copy[SETTINGS_PREDICT], more[512] = "", *rest = NULL;
    bool right = true;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    join_pairs(copy);
    report->prediction_count = 0;
    for (char *word = strtok_r(copy, " \t\n", &rest); word != NULL; word = strtok_r(NULL, " \t\n", &rest)) {
        char *value = strchr(word, '=');
        if (value != NULL)
            *value++ = '\0';
        const struct predict_key *key = NULL;
        for (unsigned k = 0; k < keys->count && key == NULL; k++)
            key = strcmp(keys->keys[k].name, word) == 0 ? &keys->keys[k] : NULL;
        if (is_wrong(keys, key, word, value, right ? error : more, right ? size : sizeof more)) {
            right = false;
            continue;
        }
        uint32_t at = 0;
        while (at < report->prediction_count && strcmp(report->predictions[at].key, key->name) != 0)
            at++; /* what is said twice counts as said last */
        struct report_prediction *p = &report->predictions[at];
        report->prediction_count += at == report->prediction_count;
        *p = (struct report_prediction){.tolerance = predict_is_word(key) ? 0 : key->tolerance};
        snprintf(p->key, sizeof p->key, "%s", key->name);
        snprintf(p->unit, sizeof p->unit, "%s", key->unit);
        snprintf(p->predicted, sizeof p->predicted, "%.*s", (int)sizeof p->predicted - 1, value);
    }
    return right;
}

static double counters_of(const struct predict_key *key, const struct report_run *run) {
    uint64_t over, under = 1;
    if (!report_run_counter(run, key->over, &over) ||
        (key->under != COUNTER_COUNT && !report_run_counter(run, key->under, &under)) || under == 0)
        return (double)NAN;
    return (double)over / (double)under;
}

static void measure(const struct predict_key *key, const struct report_run *run, char text[24],
                    double *value) {
    uint32_t top;
    const struct kernel_report *longest =
        run_top_kernels(run, &top, 1) == 1 ? &run->kernels[top] : NULL; /* NULL: no kernel ran */
    *value = (double)NAN;
    text[0] = '\0';
    switch (key->read) {
    case PREDICT_LIMITER:
        if (longest != NULL)
            snprintf(text, 24, "%s", gpu_unit_name(longest->limiter));
        return;
    case PREDICT_SPEEDUP: *value = run->speedup; break;
    case PREDICT_OCCUPANCY: *value = longest != NULL ? longest->occupancy_theoretical * 100 : *value; break;
    case PREDICT_SHARE:
        *value = longest != NULL ? longest->time_us / run_kernels_us(run) * 100 : *value;
        break;
    case PREDICT_BUSY: *value = longest != NULL ? run_kernels_us(run) / run->time_us * 100 : *value; break;
    case PREDICT_COUNTERS: *value = counters_of(key, run); break;
    case PREDICT_NOTHING: break;
    }
    if (isfinite(*value))
        snprintf(text, 24, fabs(*value) < 10000 || fabs(*value) >= 1e12 ? "%.4g" : "%.0f", *value);
}

void predict_judge(const struct predict_keys *keys, struct report *report) {
    for (uint32_t i = 0; i < report->prediction_count; i++) {
        struct report_prediction *p = &report->predictions[i];
        double value;
        unsigned k = 0;
        while (k < keys->count && strcmp(keys->keys[k].name, p->key) != 0)
            k++;
        const struct report_run *run =
            k < keys->count ? report_find_part_run(report, keys->keys[k].part, RUN_YOURS) : NULL;
        if (run == NULL)
            continue;
        measure(&keys->keys[k], run, p->measured, &value);
        p->right = predict_is_word(&keys->keys[k])
                       ? p->measured[0] != '\0' && strcmp(p->measured, p->predicted) == 0
                       : fabs(strtod(p->predicted, NULL) - value) <= p->tolerance * fabs(value) * (1 + 1e-9);
    }
}

static void kept_file(const struct settings *s, char path[PATH_SIZE]) {
    path_print(path, "%s/labs/%s-%s/.prediction", s->keep, s->lab.id, s->lab.topic);
}

bool predict_keep(const struct settings *s, const char *text, char *error, size_t size) {
    char path[PATH_SIZE];
    kept_file(s, path);
    return file_write(path, text, strlen(text), error, size);
}

/* source: where the text stands, for the message. */
static bool take_from(const char *source, const struct predict_keys *keys, const char *text,
                      struct report *report, char *error, size_t size) {
    char why[SETTINGS_ERROR];
    bool right = predict_take(keys, text, report, why, sizeof why);
    if (!right)
        snprintf(error, size, "%.200s: %.700s", source, why);
    return right;
}

bool predict_begin(const struct settings *s, struct predict_keys *keys, struct report *report, char *error,
                   size_t size) {
    char path[PATH_SIZE];
    if (!predict_load(s, keys, error, size))
        return false;
    if (s->predict[0] != '\0') {
        if (keys->count == 0)
            return fails(error, size, "%s asks for no prediction: leave PREDICT out", s->lab.id);
        if (!take_from("PREDICT", keys, s->predict, report, error, size))
            return false;
        return predict_keep(s, s->predict, error, size);
    }
    kept_file(s, path);
    if (access(path, F_OK) != 0)
        return true;
    char *text = file_read(path, SETTINGS_PREDICT - 1, NULL, error, size);
    bool right = text != NULL && take_from(path, keys, text, report, error, size);
    free(text);
    if (!right)
        (void)unlink(path); /* damaged, or of another kit: said once */
    return right;
}

void predict_end(const struct settings *s, const struct predict_keys *keys, struct report *report) {
    char path[PATH_SIZE];
    if (report->prediction_count == 0 || report->failure_stage != STAGE_NONE)
        return;
    predict_judge(keys, report);
    kept_file(s, path);
    (void)unlink(path);
}
