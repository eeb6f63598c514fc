/* policy.c: the policy file's sections and keys, and what follows from them. */
#include "class/score/policy.h"

#include "base/file.h"
#include "base/ini.h"
#include "class/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POLICY_LIMIT = 1 << 20 };

/* A key of [class] and [lab3]: the field of the rules that it sets, and who reads it. */
struct key {
    const char *name;
    bool (*read)(struct ini *ini, const struct key *key, const char *text, void *field);
    size_t offset, size; /* of the field */
    double low, high;    /* of a number */
};

struct parser {
    struct policy *policy;
    struct policy_rules *rules; /* the section we are in */
    struct policy_goal *goal;
};

void policy_init(struct policy *policy) {
    *policy = (struct policy){.all = {.points = NAN,
                                      .pass = NAN,
                                      .late_percent_per_day = 10,
                                      .late_percent_at_most = 100,
                                      .late_days = NAN,
                                      .devices = POLICY_SIM,
                                      .gpu = POLICY_GPU,
                                      .build_seconds = 60,
                                      .run_seconds = NAN,
                                      .memory_mib = 4096,
                                      .flags_zero = "all",
                                      .alike_percent = 70,
                                      .starter_percent = 0,
                                      .reference_percent = 95,
                                      .weight = 1}};
}

/* ---- values */

static bool number(struct ini *ini, const struct key *key, const char *text, void *field) {
    return ini_number(ini, text, key->low, key->high, field, NULL);
}

static bool secret(struct ini *ini, const struct key *key, const char *text, void *field) {
    struct draw_key drawn;
    if (!draw_key_parse(&drawn, text))
        return ini_refuse(ini, "a key has 64 hexadecimal digits: openssl rand -hex 32 makes one");
    snprintf(field, key->size, "%s", text);
    return true;
}

static bool seed(struct ini *ini, const struct key *key, const char *text, void *field) {
    (void)key, (void)text, (void)field;
    return ini_refuse(
        ini, "a seed can be found by trying them all: leave it out, and a key is drawn and kept in the "
             "gradebook; or give key = 64 hexadecimal digits");
}

static bool moment(struct ini *ini, const struct key *key, const char *text, void *field) {
    (void)key;
    return text_parse_time(text, field) ||
           ini_refuse(ini, "'%.40s' is not a time such as 2026-03-01 23:59 +01:00", text);
}

/* Of two words; the second is true. */
static bool choice(struct ini *ini, const char *text, const char *no, const char *yes, bool *field) {
    *field = strcmp(text, yes) == 0;
    return *field || strcmp(text, no) == 0 || ini_refuse(ini, "'%.40s' is not %s or %s", text, no, yes);
}

static bool counts(struct ini *ini, const struct key *key, const char *text, void *field) {
    (void)key;
    return choice(ini, text, "last", "best", field);
}

static bool accept(struct ini *ini, const struct key *key, const char *text, void *field) {
    (void)key;
    return choice(ini, text, "kernel.cu", "single-cu", field);
}

static bool yes_or_no(struct ini *ini, const struct key *key, const char *text, void *field) {
    (void)key;
    return choice(ini, text, "no", "yes", field);
}

static bool devices(struct ini *ini, const struct key *key, const char *text, void *field) {
    unsigned *mask = field;
    (void)key;
    *mask = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, " ,\t");
        if (length == 3 && strncmp(text, "sim", 3) == 0)
            *mask |= POLICY_SIM;
        else if (length == 4 && strncmp(text, "cuda", 4) == 0)
            *mask |= POLICY_CUDA;
        else
            return ini_refuse(ini, "devices are sim, cuda, or both: '%.40s'", text);
        text += length;
        text += strspn(text, " ,\t");
    }
    return *mask != 0 || ini_refuse(ini, "devices are sim, cuda, or both");
}

static bool size(struct ini *ini, const struct key *key, const char *text, void *field) {
    unsigned width, height;
    int used = 0;
    if (strlen(text) > 20 || sscanf(text, "%5ux%5u%n", &width, &height, &used) != 2 || text[used] != '\0' ||
        width == 0 || height == 0)
        return ini_refuse(ini, "'%.40s' is not a size such as 2560x1600", text);
    snprintf(field, key->size, "%ux%u", width, height);
    return true;
}

static bool names(struct ini *ini, const struct key *key, const char *text, void *field) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && strchr("-_ ,", text[i]) == NULL)
            return ini_refuse(ini, "'%.40s' is not a name", text);
    if (length == 0 || length >= key->size)
        return ini_refuse(ini, "a name of 1 to %zu characters is needed", key->size - 1);
    memcpy(field, text, length + 1);
    return true;
}

// clang-format off
#define FIELD(name) offsetof(struct policy_rules, name), sizeof((struct policy_rules *)0)->name
static const struct key keys[] = {
    {"points",               number,  FIELD(points),               0, 100000},
    {"pass",                 number,  FIELD(pass),                 0, 100000},
    {"deadline",             moment,  FIELD(deadline),             0, 0},
    {"grace_minutes",        number,  FIELD(grace_minutes),        0, 100000},
    {"late_percent_per_day", number,  FIELD(late_percent_per_day), 0, 100},
    {"late_percent_at_most", number,  FIELD(late_percent_at_most), 0, 100},
    {"late_days",            number,  FIELD(late_days),            0, 10000},
    {"free_late_days",       number,  FIELD(free_late_days),       0, 1000},
    {"counts",               counts,  FIELD(best),                 0, 0},
    {"accept",               accept,  FIELD(single_cu),            0, 0},
    {"weight",               number,  FIELD(weight),               0, 1000},
    {"prediction_points",    number,  FIELD(prediction_points),    0, 100000},
    {"file_times",           yes_or_no, FIELD(file_times),         0, 0},
    {"devices",              devices, FIELD(devices),              0, 0},
    {"gpu",                  names,   FIELD(gpu),                  0, 0},
    {"size",                 size,    FIELD(size),                 0, 0},
    {"key",                  secret,  FIELD(key),                  0, 0},
    {"seed",                 seed,    FIELD(key),                  0, 0},
    {"build_seconds",        number,  FIELD(build_seconds),        1, 3600},
    {"run_seconds",          number,  FIELD(run_seconds),          1, 3600},
    {"memory_mib",           number,  FIELD(memory_mib),           64, 1048576},
    {"flags_zero",           names,   FIELD(flags_zero),           0, 0},
    {"alike_percent",        number,  FIELD(alike_percent),        0, 100},
    {"starter_percent",      number,  FIELD(starter_percent),      0, 100},
    {"reference_percent",    number,  FIELD(reference_percent),    0, 100},
};
// clang-format on
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

/* ---- sections and their keys */

/* For what can only be looked at when the labs are known. */
static void note_line(const struct ini *ini, struct policy_rules *rules, const char *name) {
    if (strcmp(name, "points") == 0)
        rules->lines.points = ini->line;
    else if (strcmp(name, "pass") == 0)
        rules->lines.pass = ini->line;
    else if (strcmp(name, "flags_zero") == 0)
        rules->lines.flags_zero = ini->line;
    else if (strcmp(name, "gpu") == 0)
        rules->lines.gpu = ini->line;
}

static bool rule(struct ini *ini, const struct policy *policy, struct policy_rules *rules, const char *name,
                 const char *value) {
    for (unsigned k = 0; k < KEY_COUNT; k++) {
        if (strcmp(keys[k].name, name) != 0)
            continue;
        if (rules->given & 1U << k)
            return ini_refuse(ini, "%s is here twice", name);
        rules->given |= 1U << k;
        if (strcmp(name, "accept") == 0 && rules != &policy->all)
            return ini_refuse(ini, "accept is for the whole download: it belongs into [class]");
        if (strcmp(name, "free_late_days") == 0 && rules != &policy->all)
            return ini_refuse(ini, "free_late_days are a student's for all labs: it belongs into [class]");
        note_line(ini, rules, name);
        return keys[k].read(ini, &keys[k], value, (char *)rules + keys[k].offset);
    }
    return ini_refuse(ini, "unknown key '%.40s'", name);
}

static bool threshold(struct ini *ini, const char *text, struct lab_threshold *to, bool *has) {
    const char *rest;
    if (*has)
        return ini_refuse(ini, "the thresholds are here twice");
    *has = true;
    return ini_number(ini, text, -1e12, 1e12, &to->zero, &rest) &&
           ini_number(ini, rest, -1e12, 1e12, &to->full, NULL) &&
           (to->zero != to->full || ini_refuse(ini, "zero and full marks are the same value"));
}

static bool goal_rule(struct ini *ini, struct policy_goal *goal, const char *name, const char *value) {
    if (strcmp(name, "points") == 0)
        return isnan(goal->points) ? ini_number(ini, value, 0, 1000, &goal->points, NULL)
                                   : ini_refuse(ini, "points is here twice");
    if (strcmp(name, "sim") == 0)
        return threshold(ini, value, &goal->sim, &goal->has_sim);
    if (strcmp(name, "cuda") == 0)
        return threshold(ini, value, &goal->cuda, &goal->has_cuda);
    return ini_refuse(ini, "unknown key '%.40s'", name);
}

static bool take_key(struct ini *ini, const char *name, const char *value) {
    struct parser *p = ini->context;
    if (p->rules == NULL && p->goal == NULL)
        return ini_refuse(ini, "key '%.40s' before any [section]", name);
    return p->goal != NULL ? goal_rule(ini, p->goal, name, value)
                           : rule(ini, p->policy, p->rules, name, value);
}

static bool is_lab(const char *text, size_t length) {
    return length >= 4 && length <= 8 && strncmp(text, "lab", 3) == 0 &&
           strspn(text + 3, "0123456789") == length - 3;
}

static bool lab_section(struct ini *ini, const char *lab) {
    struct parser *p = ini->context;
    struct policy *policy = p->policy;
    for (unsigned i = 0; i < policy->lab_count; i++)
        if (strcmp(policy->labs[i].lab, lab) == 0)
            return ini_refuse(ini, "[%s] is here twice", lab);
    if (policy->lab_count == POLICY_LABS)
        return ini_refuse(ini, "more than %d labs", POLICY_LABS);
    snprintf(policy->labs[policy->lab_count].lab, sizeof policy->labs->lab, "%s", lab);
    p->rules = &policy->labs[policy->lab_count++].rules;
    p->rules->lines.section = ini->line;
    return true;
}

static bool goal_section(struct ini *ini, const char *lab, size_t length, const char *name) {
    struct parser *p = ini->context;
    struct policy *policy = p->policy;
    if (*name == '\0' || strlen(name) >= sizeof p->goal->name)
        return ini_refuse(ini, "a goal's name has 1 to %zu characters", sizeof p->goal->name - 1);
    if (policy->goal_count == POLICY_GOALS)
        return ini_refuse(ini, "more than %d goals", POLICY_GOALS);
    for (unsigned i = 0; i < policy->goal_count; i++)
        if (strncmp(policy->goals[i].lab, lab, length) == 0 && policy->goals[i].lab[length] == '\0' &&
            strcmp(policy->goals[i].name, name) == 0)
            return ini_refuse(ini, "[%.*s goal %s] is here twice", (int)length, lab, name);
    p->goal = &policy->goals[policy->goal_count++];
    *p->goal = (struct policy_goal){.points = NAN, .line = ini->line};
    snprintf(p->goal->lab, sizeof p->goal->lab, "%.*s", (int)length, lab);
    snprintf(p->goal->name, sizeof p->goal->name, "%s", name);
    return true;
}

/* [class], [lab3] or [lab3 goal NAME] */
static bool take_section(struct ini *ini, const char *name) {
    struct parser *p = ini->context;
    size_t length = strcspn(name, " ");
    const char *rest = name + length + strspn(name + length, " ");
    p->rules = strcmp(name, "class") == 0 ? &p->policy->all : NULL;
    p->goal = NULL;
    if (p->rules != NULL) {
        if (p->policy->has_all)
            return ini_refuse(ini, "[class] is here twice");
        return p->policy->has_all = true;
    }
    if (is_lab(name, length) && *rest == '\0')
        return lab_section(ini, name);
    if (is_lab(name, length) && strncmp(rest, "goal ", 5) == 0)
        return goal_section(ini, name, length, rest + 5 + strspn(rest + 5, " "));
    return ini_refuse(ini, "unknown section [%.40s]: [class], [lab3] or [lab3 goal NAME]", name);
}

bool policy_parse(struct policy *policy, const char *text, size_t length, const char *file, char *error,
                  size_t error_size) {
    struct parser parser = {.policy = policy};
    struct ini ini = {.file = file,
                      .error = error,
                      .error_size = error_size,
                      .context = &parser,
                      .section = take_section,
                      .key = take_key};
    policy_init(policy);
    return ini_read(&ini, text, length);
}

bool policy_read(struct policy *policy, const char *path, char *error, size_t error_size) {
    size_t length;
    char *text = file_read(path, POLICY_LIMIT, &length, error, error_size);
    bool right = text != NULL && policy_parse(policy, text, length, path, error, error_size);
    free(text);
    return right;
}

/* ---- what follows */

void policy_rules(const struct policy *policy, const char *lab, struct policy_rules *rules) {
    *rules = policy->all;
    for (unsigned i = 0; i < policy->lab_count; i++) {
        const struct policy_rules *own = &policy->labs[i].rules;
        for (unsigned k = 0; k < KEY_COUNT && strcmp(policy->labs[i].lab, lab) == 0; k++)
            if (own->given & (1U << k))
                memcpy((char *)rules + keys[k].offset, (const char *)own + keys[k].offset, keys[k].size);
    }
}

const struct policy_goal *policy_goal(const struct policy *policy, const char *lab, const char *name) {
    for (unsigned i = policy->goal_count; i-- > 0;)
        if (strcmp(policy->goals[i].lab, lab) == 0 && strcmp(policy->goals[i].name, name) == 0)
            return &policy->goals[i];
    return NULL;
}

bool policy_flag_zero(const struct policy_rules *rules, const char *flag) {
    size_t length = strlen(flag);
    if (strcmp(rules->flags_zero, "all") == 0)
        return true;
    for (const char *at = rules->flags_zero; *at != '\0';) {
        size_t span = strcspn(at, " ,");
        if (span == length && strncmp(at, flag, length) == 0)
            return true;
        at += span;
        at += strspn(at, " ,");
    }
    return false;
}

double policy_run_seconds(const struct policy_rules *rules, unsigned device) {
    return isfinite(rules->run_seconds) ? rules->run_seconds : device == POLICY_CUDA ? 600 : 60;
}

unsigned policy_late_days(const struct policy_rules *rules, int64_t submitted, double extension_hours) {
    if (rules->deadline == 0 || submitted == 0)
        return 0;
    double late = (double)(submitted - rules->deadline) - rules->grace_minutes * 60 - extension_hours * 3600;
    return late > 0 ? (unsigned)fmin(ceil(late / 86400), 1e6) : 0;
}

double policy_late_percent(const struct policy_rules *rules, unsigned days, unsigned free_days) {
    if (days == 0)
        return 0;
    if (days > rules->late_days) /* never for NAN */
        return 100;
    return fmin((days - free_days) * rules->late_percent_per_day, rules->late_percent_at_most);
}
