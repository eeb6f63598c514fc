/* predict.c: the keys of a lab, a prediction's text, and what came of it. */
#include "harness/predict.h"

#include "base/file.h"
#include "base/ini.h"

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
    return ini_text(ini, name + sizeof word - 1, p->key->name, sizeof p->key->name);
}

static enum counter find_counter(const char *name, size_t length) {
    int i = 0;
    while (i < COUNTER_COUNT && (strlen(counter_name((enum counter)i)) != length ||
                                 strncmp(counter_name((enum counter)i), name, length) != 0))
        i++;
    return (enum counter)i;
}

static bool take_read(struct ini *ini, struct predict_key *key, const char *value) {
    key->word = strcmp(value, "limiter") == 0;
    key->speedup = strcmp(value, "speedup") == 0;
    if (key->word || key->speedup)
        return true;
    size_t length = strcspn(value, " ");
    key->over = find_counter(value, length);
    const char *rest = value + length + strspn(value + length, " /");
    if (*rest != '\0')
        key->under = find_counter(rest, strlen(rest));
    return (key->over != COUNTER_COUNT && (*rest == '\0' || key->under != COUNTER_COUNT)) ||
           ini_refuse(ini, "read is limiter, speedup, COUNTER or COUNTER / COUNTER");
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
        if (key->question[0] == '\0' || !(key->word || key->speedup || key->over != COUNTER_COUNT))
            return ini_refuse(&ini, "[predict %s] has no question or nothing to read", key->name);
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
    bool right = text != NULL && predict_parse(text, length, path, keys, error, size);
    free(text);
    return right;
}

/* Always false: what may be foretold, in one line. */
static bool refuse(const struct predict_keys *keys, const char *what, const char *text, char *error,
                   size_t size) {
    int at = snprintf(error, size, "%s '%.40s' in PREDICT; the keys are", what, text);
    for (unsigned i = 0; i < keys->count && at > 0 && (size_t)at < size; i++)
        at += snprintf(error + at, size - (size_t)at, "%s %s=%s", i > 0 ? "," : "", keys->keys[i].name,
                       keys->keys[i].word ? "NAME" : "NUMBER");
    return false;
}

/* A limiter by the name that a report has for it. */
static bool is_unit(const char *text) {
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        if (strcmp(gpu_unit_name((enum gpu_unit)unit), text) == 0)
            return true;
    return false;
}

bool predict_take(const struct predict_keys *keys, const char *text, struct report *report, char *error,
                  size_t size) {
    char copy[SETTINGS_PREDICT], *rest = NULL, *end;
    snprintf(copy, sizeof copy, "%s", text);
    report->prediction_count = 0;
    for (char *word = strtok_r(copy, " \t\n", &rest); word != NULL; word = strtok_r(NULL, " \t\n", &rest)) {
        char *value = strchr(word, '=');
        if (value != NULL)
            *value++ = '\0';
        unsigned k = 0;
        while (k < keys->count && strcmp(keys->keys[k].name, word) != 0)
            k++;
        if (value == NULL || k == keys->count)
            return refuse(keys, "unknown key", word, error, size);
        const struct predict_key *key = &keys->keys[k];
        double number = strtod(value, &end);
        if (key->word ? !is_unit(value)
                      : *value == '\0' || strspn(value, "0123456789.eE+-") != strlen(value) || *end != '\0' ||
                            !isfinite(number))
            return refuse(keys, key->word ? "no unit is named" : "no number:", value, error, size);
        uint32_t at = 0;
        while (at < report->prediction_count && strcmp(report->predictions[at].key, key->name) != 0)
            at++; /* what is said twice counts as said last */
        struct report_prediction *p = &report->predictions[at];
        report->prediction_count += at == report->prediction_count;
        *p = (struct report_prediction){.tolerance = key->word ? 0 : key->tolerance};
        snprintf(p->key, sizeof p->key, "%s", key->name);
        snprintf(p->unit, sizeof p->unit, "%s", key->unit);
        snprintf(p->predicted, sizeof p->predicted, "%.*s", (int)sizeof p->predicted - 1, value);
    }
    return true;
}

static void measure(const struct predict_key *key, const struct report_run *run, char text[24],
                    double *value) {
    uint64_t over, under = 1;
    uint32_t top;
    *value = (double)NAN;
    text[0] = '\0';
    if (key->word && run_top_kernels(run, &top, 1) == 1)
        snprintf(text, 24, "%s", run->kernels[top].limiter);
    if (key->word)
        return;
    if (key->speedup)
        *value = run->speedup;
    else if (report_run_counter(run, key->over, &over) &&
             (key->under == COUNTER_COUNT || report_run_counter(run, key->under, &under)) && under != 0)
        *value = (double)over / (double)under;
    if (isfinite(*value))
        snprintf(text, 24, "%.4g", *value);
}

void predict_judge(const struct predict_keys *keys, struct report *report) {
    const struct report_run *run = report_find_run(report, "yours");
    for (uint32_t i = 0; run != NULL && i < report->prediction_count; i++) {
        struct report_prediction *p = &report->predictions[i];
        double value;
        unsigned k = 0;
        while (k < keys->count && strcmp(keys->keys[k].name, p->key) != 0)
            k++;
        if (k == keys->count)
            continue;
        measure(&keys->keys[k], run, p->measured, &value);
        p->right = keys->keys[k].word
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

bool predict_begin(const struct settings *s, struct predict_keys *keys, struct report *report, char *error,
                   size_t size) {
    char path[PATH_SIZE];
    if (!predict_load(s, keys, error, size))
        return false;
    if (s->predict[0] != '\0') {
        if (keys->count == 0) {
            snprintf(error, size, "%s asks for no prediction: leave PREDICT out", s->lab.id);
            return false;
        }
        if (!predict_take(keys, s->predict, report, error, size))
            return false;
        return predict_keep(s, s->predict, error, size);
    }
    kept_file(s, path);
    if (access(path, F_OK) != 0)
        return true;
    char *text = file_read(path, SETTINGS_PREDICT - 1, NULL, error, size);
    bool right = text != NULL && predict_take(keys, text, report, error, size);
    free(text);
    if (!right)
        (void)unlink(path); /* damaged, or of another kit: said once */
    return right;
}

void predict_end(const struct settings *s, const struct predict_keys *keys, struct report *report) {
    char path[PATH_SIZE];
    if (report->prediction_count == 0 || report->failure_stage != NULL)
        return;
    predict_judge(keys, report);
    kept_file(s, path);
    (void)unlink(path);
}
