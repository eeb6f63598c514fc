/* Reading a lab's data file, [lab], perhaps [part NAME] sections, and one [goal NAME] section each; and finding it. */
#include "lab/problems/lab.h"
#include "base/file.h"
#include "base/ini.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAB_DATA_MOST = 1 << 20 };

static const struct {
    const char *name;
    bool timed;
} measures[MEASURE_COUNT] = {
#define MEASURE_ROW(identifier, name, timed) {name, timed},
    LAB_MEASURES(MEASURE_ROW)
#undef MEASURE_ROW
};

struct parser {
    struct lab *lab;
    struct lab_goal *goal; /* the section we are in; all NULL and false: none yet */
    struct lab_part *part;
    struct lab_step *step;
    bool in_lab;
};

static bool take_threshold(struct ini *ini, const char *text, struct lab_threshold *threshold) {
    const char *rest;
    if (!ini_number(ini, text, -1e12, 1e12, &threshold->zero, &rest) ||
        !ini_number(ini, rest, -1e12, 1e12, &threshold->full, NULL))
        return false;
    return threshold->zero != threshold->full || ini_refuse(ini, "zero and full marks are the same value");
}

static bool take_yes_or_no(struct ini *ini, const char *key, const char *value, bool *yes) {
    *yes = strcmp(value, "yes") == 0;
    return *yes || strcmp(value, "no") == 0 || ini_refuse(ini, "%s is yes or no", key);
}

/* width, height, cuda_width, cuda_height: NULL for any other key. */
static uint32_t *size_field(struct lab_part *part, const char *key) {
    return strcmp(key, "width") == 0         ? &part->width
           : strcmp(key, "height") == 0      ? &part->height
           : strcmp(key, "cuda_width") == 0  ? &part->cuda_width
           : strcmp(key, "cuda_height") == 0 ? &part->cuda_height
                                             : NULL;
}

static bool take_size(struct ini *ini, uint32_t *field, const char *value) {
    uint64_t number;
    if (!ini_count(ini, value, 1, IMAGE_MAX_SIDE, &number))
        return false;
    *field = (uint32_t)number;
    return true;
}

static bool lab_key(struct ini *ini, struct lab *lab, const char *key, const char *value) {
    uint64_t number;
    if (strcmp(key, "title") == 0)
        return ini_text(ini, value, lab->title, sizeof lab->title);
    if (strcmp(key, "problem") == 0) {
        lab->problem = problem_find(value);
        return lab->problem != NULL || ini_refuse(ini, "there is no problem '%s'", value);
    }
    if (strcmp(key, "flush_l2") == 0)
        return take_yes_or_no(ini, key, value, &lab->flush_l2);
    if (strcmp(key, "baseline") == 0)
        return ini_text(ini, value, lab->baseline, sizeof lab->baseline);
    if (strcmp(key, "beside") == 0)
        return ini_text(ini, value, lab->beside, sizeof lab->beside);
    if (strcmp(key, "further") == 0)
        return ini_text(ini, value, lab->further, sizeof lab->further);
    if (strcmp(key, "cuda_rounds") == 0) {
        if (!ini_count(ini, value, 1, 10000, &number))
            return false;
        lab->cuda_rounds = (unsigned)number;
        return true;
    }
    if (strcmp(key, "pass") == 0)
        return ini_number(ini, value, 0, 1000, &lab->pass, NULL);
    if (size_field(&lab->parts[0], key) == NULL)
        return ini_refuse(ini, "unknown key '%s'", key);
    if (lab->part_count > 0)
        return ini_refuse(ini, "a lab with parts has its sizes there, not in [lab]");
    return take_size(ini, size_field(&lab->parts[0], key), value); /* a lab without parts is one part */
}

static bool part_key(struct ini *ini, struct lab_part *part, const char *key, const char *value) {
    if (size_field(part, key) != NULL)
        return take_size(ini, size_field(part, key), value);
    if (strcmp(key, "title") == 0)
        return ini_text(ini, value, part->title, sizeof part->title);
    if (strcmp(key, "copy") == 0)
        return take_yes_or_no(ini, key, value, &part->copy);
    return ini_refuse(ini, "unknown key '%s'", key);
}

static bool goal_part(struct ini *ini, const struct lab *lab, struct lab_goal *goal, const char *value) {
    for (unsigned i = 0; i < lab->part_count; i++)
        if (strcmp(lab->parts[i].name, value) == 0) {
            goal->part = i;
            return true;
        }
    return ini_refuse(ini, "there is no [part %s] above", value);
}

/* The measure that a text begins with; *rest: what follows it. */
static bool take_measure(struct ini *ini, const char *text, enum lab_measure *measure, const char **rest) {
    size_t length = strcspn(text, " \t");
    for (int m = 0; m < MEASURE_COUNT; m++)
        if (strlen(measures[m].name) == length && strncmp(measures[m].name, text, length) == 0) {
            *measure = (enum lab_measure)m;
            *rest = text + length + strspn(text + length, " \t");
            return true;
        }
    return ini_refuse(ini, "unknown measure '%.*s'", (int)length, text);
}

static bool goal_key(struct ini *ini, const struct lab *lab, struct lab_goal *goal, const char *key,
                     const char *value) {
    const char *rest;
    if (strcmp(key, "measure") == 0)
        return take_measure(ini, value, &goal->measure, &rest) &&
               (*rest == '\0' || ini_refuse(ini, "one measure, not '%s'", value));
    if (strcmp(key, "requires") == 0)
        return (goal->requires = take_measure(ini, value, &goal->required, &rest) &&
                                 ini_number(ini, rest, 0, 1e12, &goal->most, NULL));
    if (strcmp(key, "part") == 0)
        return goal_part(ini, lab, goal, value);
    if (strcmp(key, "points") == 0)
        return ini_number(ini, value, 0, 1000, &goal->points, NULL);
    if (strcmp(key, "sim") == 0)
        return take_threshold(ini, value, &goal->sim);
    if (strcmp(key, "cuda") == 0)
        return take_threshold(ini, value, &goal->cuda);
    return ini_refuse(ini, "unknown key '%s'", key);
}

/* "at most 0.5", "at least 6" */
static bool take_bound(struct ini *ini, const char *text, struct lab_bound *bound) {
    static const char *const words[] = {"at most ", "at least "};
    for (int i = 0; i < 2; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0) {
            bound->at_least = i == 1;
            return ini_number(ini, text + strlen(words[i]), -1e12, 1e12, &bound->value, NULL);
        }
    return ini_refuse(ini, "a step is reached at most or at least at a value: \"at most 0.5\"");
}

static bool step_key(struct ini *ini, struct lab_step *step, const char *key, const char *value) {
    const char *rest;
    if (strcmp(key, "measure") == 0)
        return take_measure(ini, value, &step->measure, &rest) &&
               (*rest == '\0' || ini_refuse(ini, "one measure, not '%s'", value));
    if (strcmp(key, "points") == 0)
        return ini_number(ini, value, 0, 1000, &step->points, NULL);
    if (strcmp(key, "sim") == 0)
        return take_bound(ini, value, &step->sim);
    if (strcmp(key, "cuda") == 0)
        return take_bound(ini, value, &step->cuda);
    return ini_refuse(ini, "unknown key '%s'", key);
}

static bool take_section(struct ini *ini, const char *name) {
    struct parser *p = ini->context;
    struct lab *lab = p->lab;
    p->in_lab = strcmp(name, "lab") == 0;
    p->goal = NULL;
    p->part = NULL;
    p->step = NULL;
    if (p->in_lab)
        return true;
    if (strncmp(name, "part ", 5) == 0) {
        if (lab->part_count == LAB_PARTS)
            return ini_refuse(ini, "more than %d parts", LAB_PARTS);
        if (lab->part_count == 0 && lab->parts[0].width + lab->parts[0].cuda_width > 0)
            return ini_refuse(ini, "a lab with parts has its sizes there, not in [lab]");
        p->part = &lab->parts[lab->part_count++];
        return ini_text(ini, name + 5 + strspn(name + 5, " \t"), p->part->name, sizeof p->part->name);
    }
    if (strncmp(name, "step ", 5) == 0) {
        if (lab->step_count == LAB_STEPS)
            return ini_refuse(ini, "more than %d steps", LAB_STEPS);
        p->step = &lab->steps[lab->step_count++];
        p->step->measure = MEASURE_COUNT;
        p->step->sim.value = p->step->cuda.value = (double)NAN;
        return ini_text(ini, name + 5 + strspn(name + 5, " \t"), p->step->title, sizeof p->step->title);
    }
    if (strncmp(name, "goal ", 5) != 0)
        return ini_refuse(ini, "unknown section [%s]: [lab], [part NAME], [goal NAME] or [step TITLE]", name);
    if (lab->goal_count == LAB_GOALS)
        return ini_refuse(ini, "more than %d goals", LAB_GOALS);
    p->goal = &lab->goals[lab->goal_count++];
    p->goal->measure = MEASURE_COUNT;
    return ini_text(ini, name + 5 + strspn(name + 5, " \t"), p->goal->name, sizeof p->goal->name);
}

static bool take_key(struct ini *ini, const char *key, const char *value) {
    struct parser *p = ini->context;
    return p->in_lab         ? lab_key(ini, p->lab, key, value)
           : p->part != NULL ? part_key(ini, p->part, key, value)
           : p->goal != NULL ? goal_key(ini, p->lab, p->goal, key, value)
           : p->step != NULL ? step_key(ini, p->step, key, value)
                             : ini_refuse(ini, "key '%s' before any [section]", key);
}

static bool check_complete(struct ini *ini, struct lab *lab) {
    if (lab->problem == NULL || lab->title[0] == '\0' || lab->goal_count == 0)
        return ini_refuse(ini, "title, problem and at least one goal are needed");
    lab->part_count = lab->part_count > 0 ? lab->part_count : 1;
    if (lab->part_count > lab->problem->part_count)
        return ini_refuse(ini, "problem %s has %u part%s", lab->problem->function, lab->problem->part_count,
                          lab->problem->part_count == 1 ? "" : "s");
    for (unsigned i = 0; i < lab->part_count; i++) {
        const struct lab_part *part = &lab->parts[i];
        if (part->width == 0 || part->height == 0)
            return ini_refuse(ini, "title, problem, width, height and at least one goal are needed");
        if ((part->cuda_width == 0) != (part->cuda_height == 0))
            return ini_refuse(ini, "cuda_width and cuda_height come together");
    }
    if (lab->step_count > 0 && lab->part_count > 1)
        return ini_refuse(ini, "a lab of several parts has no steps");
    for (unsigned i = 0; i < lab->step_count; i++)
        if (lab->steps[i].measure == MEASURE_COUNT || isnan(lab->steps[i].sim.value) ||
            isnan(lab->steps[i].cuda.value))
            return ini_refuse(ini, "[step %s] needs measure, sim and cuda", lab->steps[i].title);
    for (unsigned i = 0; i < lab->goal_count; i++) {
        struct lab_goal *goal = &lab->goals[i];
        if (goal->measure == MEASURE_COUNT || goal->points <= 0 || goal->sim.zero == goal->sim.full ||
            goal->cuda.zero == goal->cuda.full)
            return ini_refuse(ini, "[goal %s] needs measure, points, sim and cuda", goal->name);
    }
    double total = lab_points_most(lab);
    return lab->pass <= total || ini_refuse(ini, "the pass mark is above the %g points there are", total);
}

bool lab_parse(const char *text, size_t length, const char *name, struct lab *lab, char *error, size_t size) {
    *lab = (struct lab){0};
    struct parser parser = {.lab = lab};
    struct ini ini = {.file = name,
                      .error = error,
                      .error_size = size,
                      .context = &parser,
                      .section = take_section,
                      .key = take_key};
    return ini_read(&ini, text, length) && check_complete(&ini, lab);
}

const char *lab_measure_name(enum lab_measure measure) {
    return measures[measure].name;
}

bool lab_measure_is_timed(enum lab_measure measure) {
    return measures[measure].timed;
}

/* 12 of a folder "lab12-TOPIC", and *topic where its topic begins; 0 for any other name. */
static unsigned folder_number(const char *name, const char **topic) {
    char *end;
    if (strncmp(name, "lab", 3) != 0 || !isdigit((unsigned char)name[3]))
        return 0;
    unsigned long number = strtoul(name + 3, &end, 10);
    *topic = end + 1;
    return *end == '-' && number < 10000 ? (unsigned)number : 0;
}

static bool has_data(const char *labs, const char *folder) {
    char path[PATH_SIZE];
    return path_print(path, "%s/%s/lab.ini", labs, folder) && access(path, F_OK) == 0;
}

unsigned lab_numbers(const char *root, unsigned numbers[LABS_MOST]) {
    char labs[PATH_SIZE];
    const char *topic;
    unsigned count = 0;
    DIR *folder = path_join(labs, root, "labs") ? opendir(labs) : NULL;
    for (struct dirent *entry; folder != NULL && count < LABS_MOST && (entry = readdir(folder)) != NULL;) {
        unsigned number = folder_number(entry->d_name, &topic), at = count;
        if (number == 0 || !has_data(labs, entry->d_name))
            continue;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
        count++;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

/* The topic of the lab's folder. False and a message: there is no such lab. */
static bool find_topic(const char *labs, const char *id, char topic[LAB_TOPIC], char *error, size_t size) {
    const char *begin;
    bool found = false;
    DIR *folder = opendir(labs);
    for (struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;) {
        found = folder_number(entry->d_name, &begin) != 0 && strncmp(entry->d_name, id, strlen(id)) == 0 &&
                entry->d_name[strlen(id)] == '-' && strlen(begin) < LAB_TOPIC &&
                has_data(labs, entry->d_name);
        if (found)
            strcpy(topic, begin);
    }
    if (folder != NULL)
        closedir(folder);
    if (!found)
        snprintf(error, size, "there is no %s: no folder %s/%s-... with a lab.ini", id, labs, id);
    return found;
}

bool lab_load(const char *root, const char *id, struct lab *lab, char *error, size_t size) {
    char labs[PATH_SIZE], path[PATH_SIZE], topic[LAB_TOPIC];
    const char *digits = id + (strncmp(id, "lab", 3) == 0 ? 3 : strlen(id));
    size_t length = strlen(id);
    *lab = (struct lab){0};
    if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0' || length >= sizeof lab->id) {
        snprintf(error, size, "'%s' is not a lab: lab1, lab2, ...", id);
        return false;
    }
    if (!path_join(labs, root, "labs") || !find_topic(labs, id, topic, error, size))
        return false;
    path_print(path, "%s/%s-%s/lab.ini", labs, id, topic);
    char *text = file_read(path, LAB_DATA_MOST, &length, error, size);
    bool right = text != NULL && lab_parse(text, length, path, lab, error, size);
    free(text);
    snprintf(lab->id, sizeof lab->id, "%s", id);
    strcpy(lab->topic, topic);
    return right;
}

const char *lab_baseline(const struct lab *lab) {
    return lab->baseline[0] != '\0' ? "baseline" : "starter";
}

double lab_step_points(const struct lab *lab, unsigned reached) {
    double total = 0;
    for (unsigned i = 0; i < reached && i < lab->step_count; i++)
        total += lab->steps[i].points;
    return total;
}

double lab_points_most(const struct lab *lab) {
    double total = lab_step_points(lab, lab->step_count);
    for (unsigned i = 0; i < lab->goal_count; i++)
        total += lab->goals[i].points;
    return total;
}

bool lab_reached(const struct lab_bound *bound, double value) {
    return bound->at_least ? value >= bound->value : value <= bound->value;
}

double lab_points(const struct lab_threshold *threshold, double value, double max) {
    double share = (value - threshold->zero) / (threshold->full - threshold->zero);
    if (!(share > 0)) /* NAN too */
        return 0;
    return share >= 1 ? max : share * max;
}

double lab_points_in_doubt(const struct lab_threshold *threshold, double value, double share, double max) {
    struct lab_threshold sure = *threshold;
    if (sure.zero * (1 + share) < sure.full)
        sure.full /= 1 + share;
    return lab_points(&sure, value, max);
}
