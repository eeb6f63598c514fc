#include "class/policy.h"

#include "base/file.h"
#include "base/ini.h"
#include "class/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { POLICY_LIMIT = 1 << 20 };

enum key_kind { KEY_NUMBER, KEY_TIME, KEY_DEVICES, KEY_NAME, KEY_SIZE, KEY_SEED, KEY_FLAGS };

/* In the order of struct policy_rules: a field reaches up to the next. */
static const struct {
    const char *name;
    enum key_kind kind;
    size_t offset;
    double low, high;
} keys[] = {
    {"points", KEY_NUMBER, offsetof(struct policy_rules, points), 0, 100000},
    {"pass", KEY_NUMBER, offsetof(struct policy_rules, pass), 0, 100000},
    {"deadline", KEY_TIME, offsetof(struct policy_rules, deadline), 0, 0},
    {"grace_minutes", KEY_NUMBER, offsetof(struct policy_rules, grace_minutes), 0, 100000},
    {"late_percent_per_day", KEY_NUMBER, offsetof(struct policy_rules, late_percent_per_day), 0, 100},
    {"late_percent_at_most", KEY_NUMBER, offsetof(struct policy_rules, late_percent_at_most), 0, 100},
    {"late_days", KEY_NUMBER, offsetof(struct policy_rules, late_days), 0, 10000},
    {"devices", KEY_DEVICES, offsetof(struct policy_rules, devices), 0, 0},
    {"gpu", KEY_NAME, offsetof(struct policy_rules, gpu), 0, 0},
    {"size", KEY_SIZE, offsetof(struct policy_rules, size), 0, 0},
    {"seed", KEY_SEED, offsetof(struct policy_rules, seed), 0, 0},
    {"build_seconds", KEY_NUMBER, offsetof(struct policy_rules, build_seconds), 1, 3600},
    {"run_seconds", KEY_NUMBER, offsetof(struct policy_rules, run_seconds), 1, 3600},
    {"memory_mib", KEY_NUMBER, offsetof(struct policy_rules, memory_mib), 64, 1048576},
    {"flags_zero", KEY_FLAGS, offsetof(struct policy_rules, flags_zero), 0, 0},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

struct parser {
    struct policy *policy;
    struct policy_rules *rules; /* the section we are in */
    struct policy_goal *goal;
    const char *file;
    unsigned line;
    char *error;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct parser *p, const char *format, ...) {
    char raw[256], what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    text_clean(what, sizeof what, raw);
    snprintf(p->error, p->size, "%s:%u: %s", p->file, p->line, what);
    return false;
}

void policy_init(struct policy *policy) {
    *policy = (struct policy){.all = {.points = NAN,
                                      .pass = NAN,
                                      .late_percent_per_day = 10,
                                      .late_percent_at_most = 100,
                                      .late_days = NAN,
                                      .devices = POLICY_SIM,
                                      .gpu = "h200",
                                      .build_seconds = 60,
                                      .run_seconds = 60,
                                      .memory_mib = 4096,
                                      .flags_zero = "all"}};
}

static bool number(struct parser *p, const char *text, double low, double high, double *value,
                   const char **rest) {
    char *end;
    *value = strtod(text, &end);
    if (end == text || !(*value >= low && *value <= high))
        return refuse(p, "'%.40s' is not a number from %g to %g", text, low, high);
    *rest = end;
    return true;
}

static bool whole(struct parser *p, const char *text, double low, double high, double *value) {
    const char *rest = text;
    return number(p, text, low, high, value, &rest) &&
           (*rest == '\0' || refuse(p, "'%.40s' follows the number", rest));
}

static bool devices(struct parser *p, const char *text, unsigned *mask) {
    *mask = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, " ,\t");
        if (length == 3 && strncmp(text, "sim", 3) == 0)
            *mask |= POLICY_SIM;
        else if (length == 4 && strncmp(text, "cuda", 4) == 0)
            *mask |= POLICY_CUDA;
        else
            return refuse(p, "devices are sim, cuda, or both: '%.40s'", text);
        text += length;
        text += strspn(text, " ,\t");
    }
    return *mask != 0 || refuse(p, "devices are sim, cuda, or both");
}

static bool size_text(struct parser *p, const char *text, char *to) {
    unsigned width, height;
    int used = 0;
    if (strlen(text) > 20 || sscanf(text, "%5ux%5u%n", &width, &height, &used) != 2 || text[used] != '\0' ||
        width == 0 || height == 0)
        return refuse(p, "'%.40s' is not a size such as 2560x1600", text);
    snprintf(to, 32, "%ux%u", width, height);
    return true;
}

static bool name_text(struct parser *p, const char *text, char *to, size_t size) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && strchr("-_ ,", text[i]) == NULL)
            return refuse(p, "'%.40s' is not a name", text);
    if (length == 0 || length >= size)
        return refuse(p, "a name of 1 to %zu characters is needed", size - 1);
    memcpy(to, text, length + 1);
    return true;
}

static bool seed(struct parser *p, const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    unsigned long long read = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0 || read == 0 || read > UINT32_MAX)
        return refuse(p, "'%.40s' is not a whole number from 1 to 4294967295", text);
    *value = read;
    return true;
}

static bool rule(struct parser *p, const char *key, const char *value) {
    for (unsigned k = 0; k < KEY_COUNT; k++) {
        if (strcmp(keys[k].name, key) != 0)
            continue;
        void *field = (char *)p->rules + keys[k].offset;
        p->rules->given |= 1U << k;
        switch (keys[k].kind) {
        case KEY_NUMBER: return whole(p, value, keys[k].low, keys[k].high, field);
        case KEY_TIME:
            return text_parse_time(value, field) ||
                   refuse(p, "'%.40s' is not a time such as 2026-03-01 23:59 +01:00", value);
        case KEY_DEVICES: return devices(p, value, field);
        case KEY_NAME: return name_text(p, value, field, sizeof p->rules->gpu);
        case KEY_SIZE: return size_text(p, value, field);
        case KEY_SEED: return seed(p, value, field);
        case KEY_FLAGS: return name_text(p, value, field, sizeof p->rules->flags_zero);
        }
    }
    return refuse(p, "unknown key '%.40s'", key);
}

static bool threshold(struct parser *p, const char *text, struct lab_threshold *to, bool *has) {
    const char *rest = text;
    *has = true;
    return number(p, text, -1e12, 1e12, &to->zero, &rest) && whole(p, rest, -1e12, 1e12, &to->full) &&
           (to->zero != to->full || refuse(p, "zero and full marks are the same value"));
}

static bool goal_rule(struct parser *p, const char *key, const char *value) {
    if (strcmp(key, "points") == 0)
        return whole(p, value, 0, 1000, &p->goal->points);
    if (strcmp(key, "sim") == 0)
        return threshold(p, value, &p->goal->sim, &p->goal->has_sim);
    if (strcmp(key, "cuda") == 0)
        return threshold(p, value, &p->goal->cuda, &p->goal->has_cuda);
    return refuse(p, "unknown key '%.40s'", key);
}

static bool is_lab(const char *text, size_t length) {
    if (length < 4 || length > 8 || strncmp(text, "lab", 3) != 0)
        return false;
    for (size_t i = 3; i < length; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return true;
}

static bool section(struct parser *p, const char *name) {
    struct policy *policy = p->policy;
    size_t length = strcspn(name, " ");
    p->rules = NULL;
    p->goal = NULL;
    if (strcmp(name, "class") == 0) {
        p->rules = &policy->all;
        return true;
    }
    if (!is_lab(name, length))
        return refuse(p, "unknown section [%.40s]: [class], [lab3] or [lab3 goal NAME]", name);
    if (name[length] == '\0') {
        for (unsigned i = 0; i < policy->lab_count; i++)
            if (strcmp(policy->labs[i].lab, name) == 0)
                return refuse(p, "[%s] is here twice", name);
        if (policy->lab_count == POLICY_LABS)
            return refuse(p, "more than %d labs", POLICY_LABS);
        snprintf(policy->labs[policy->lab_count].lab, 16, "%s", name);
        p->rules = &policy->labs[policy->lab_count++].rules;
        return true;
    }
    const char *goal = name + length + strspn(name + length, " ");
    if (strncmp(goal, "goal ", 5) != 0)
        return refuse(p, "unknown section [%.40s]: [class], [lab3] or [lab3 goal NAME]", name);
    goal += 5 + strspn(goal + 5, " ");
    if (*goal == '\0' || strlen(goal) >= sizeof p->goal->name)
        return refuse(p, "a goal's name has 1 to %zu characters", sizeof p->goal->name - 1);
    if (policy->goal_count == POLICY_GOALS)
        return refuse(p, "more than %d goals", POLICY_GOALS);
    p->goal = &policy->goals[policy->goal_count++];
    *p->goal = (struct policy_goal){.points = NAN};
    snprintf(p->goal->lab, sizeof p->goal->lab, "%.*s", (int)length, name);
    snprintf(p->goal->name, sizeof p->goal->name, "%s", goal);
    return true;
}

static bool line(struct parser *p, char *text) {
    text[strcspn(text, ";#")] = '\0';
    text = ini_trim(text);
    size_t length = strlen(text);
    if (length == 0)
        return true;
    if (*text == '[') {
        if (text[length - 1] != ']')
            return refuse(p, "a section ends with ]");
        text[length - 1] = '\0';
        return section(p, ini_trim(text + 1));
    }
    char *equals = strchr(text, '=');
    if (equals == NULL)
        return refuse(p, "neither [section] nor key = value");
    *equals = '\0';
    const char *key = ini_trim(text), *value = ini_trim(equals + 1);
    if (p->rules == NULL && p->goal == NULL)
        return refuse(p, "key '%.40s' before any [section]", key);
    return p->goal != NULL ? goal_rule(p, key, value) : rule(p, key, value);
}

bool policy_parse(struct policy *policy, const char *text, size_t length, const char *file, char *error,
                  size_t size) {
    struct parser p = {.policy = policy, .file = file, .error = error, .size = size};
    policy_init(policy);
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t span = end != NULL ? (size_t)(end - text) - at : length - at;
        char copy[512];
        p.line++;
        if (span >= sizeof copy || memchr(text + at, '\0', span) != NULL)
            return refuse(&p, "the line is too long or not text");
        memcpy(copy, text + at, span);
        copy[span] = '\0';
        if (!line(&p, copy))
            return false;
        at += span + 1;
    }
    return true;
}

bool policy_read(struct policy *policy, const char *path, char *error, size_t size) {
    size_t length;
    char *text = file_read(path, POLICY_LIMIT, &length, error, size);
    if (text == NULL)
        return false;
    bool fine = policy_parse(policy, text, length, path, error, size);
    free(text);
    return fine;
}

void policy_rules(const struct policy *policy, const char *lab, struct policy_rules *rules) {
    *rules = policy->all;
    for (unsigned i = 0; i < policy->lab_count; i++) {
        if (strcmp(policy->labs[i].lab, lab) != 0)
            continue;
        const struct policy_rules *own = &policy->labs[i].rules;
        for (unsigned k = 0; k < KEY_COUNT; k++) {
            size_t end = k + 1 < KEY_COUNT ? keys[k + 1].offset : offsetof(struct policy_rules, given);
            if (own->given & (1U << k))
                memcpy((char *)rules + keys[k].offset, (const char *)own + keys[k].offset,
                       end - keys[k].offset);
        }
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

double policy_late_percent(const struct policy_rules *rules, int64_t submitted, double extension_hours,
                           unsigned *days) {
    *days = 0;
    if (rules->deadline == 0 || submitted == 0)
        return 0;
    double late = (double)(submitted - rules->deadline) - rules->grace_minutes * 60 - extension_hours * 3600;
    if (!(late > 0))
        return 0;
    double begun = ceil(late / 86400);
    *days = (unsigned)fmin(begun, 1e6);
    if (begun > rules->late_days) /* never for NAN */
        return 100;
    return fmin(begun * rules->late_percent_per_day, rules->late_percent_at_most);
}
