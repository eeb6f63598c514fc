/* Reading a lab's data file: [lab], perhaps [part NAME] sections, and one [goal NAME] section each;
 * `key = value` lines, ';' or '#' comments. */
#include "problems/lab.h"
#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAB_DATA_MOST = 1 << 20 };

static const char *const measure_names[MEASURE_COUNT] = {
    [MEASURE_SPEEDUP_SHARE] = "speedup_share", [MEASURE_SECTORS_PER_REQUEST] = "sectors_per_request",
    [MEASURE_LOADS_SAVED] = "loads_saved",     [MEASURE_SHARED_WAVEFRONTS] = "shared_wavefronts",
    [MEASURE_INSTRUCTIONS] = "instructions",   [MEASURE_LOADS] = "loads",
    [MEASURE_COPY_SHARE] = "copy_share",       [MEASURE_LOCAL] = "local_sectors",
};

struct parser {
    struct lab *lab;
    struct lab_goal *goal; /* the section we are in; all NULL and false: none yet */
    struct lab_part *part;
    bool in_lab;
    const char *name;
    unsigned line;
    char *error;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct parser *p, const char *format, ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(p->error, p->size, "%s:%u: %s", p->name, p->line, what);
    return false;
}

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

static bool parse_number(struct parser *p, const char *text, double low, double high, double *value,
                         const char **rest) {
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || errno != 0 || !(number >= low && number <= high))
        return refuse(p, "'%s' is not a number from %g to %g", text, low, high);
    *value = number;
    *rest = end;
    return true;
}

static bool whole_number(struct parser *p, const char *text, double low, double high, double *value) {
    const char *rest;
    if (!parse_number(p, text, low, high, value, &rest))
        return false;
    return *rest == '\0' || refuse(p, "'%s' follows the number", rest);
}

static bool parse_threshold(struct parser *p, const char *text, struct lab_threshold *threshold) {
    const char *rest;
    if (!parse_number(p, text, -1e12, 1e12, &threshold->zero, &rest) ||
        !whole_number(p, rest, -1e12, 1e12, &threshold->full))
        return false;
    return threshold->zero != threshold->full || refuse(p, "zero and full marks are the same value");
}

static bool copy_text(struct parser *p, char *to, size_t size, const char *text) {
    if (*text == '\0' || strlen(text) >= size)
        return refuse(p, "a text of 1 to %zu characters is needed", size - 1);
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static bool yes_or_no(struct parser *p, const char *key, const char *value, bool *yes) {
    *yes = strcmp(value, "yes") == 0;
    return *yes || strcmp(value, "no") == 0 || refuse(p, "%s is yes or no", key);
}

/* width, height, cuda_width, cuda_height: NULL for any other key. */
static uint32_t *size_field(struct lab_part *part, const char *key) {
    return strcmp(key, "width") == 0         ? &part->width
           : strcmp(key, "height") == 0      ? &part->height
           : strcmp(key, "cuda_width") == 0  ? &part->cuda_width
           : strcmp(key, "cuda_height") == 0 ? &part->cuda_height
                                             : NULL;
}

static bool size_key(struct parser *p, uint32_t *field, const char *value) {
    double number;
    if (!whole_number(p, value, 1, IMAGE_MAX_SIDE, &number))
        return false;
    *field = (uint32_t)number;
    return true;
}

static bool lab_key(struct parser *p, const char *key, const char *value) {
    struct lab *lab = p->lab;
    double number;
    if (strcmp(key, "title") == 0)
        return copy_text(p, lab->title, sizeof lab->title, value);
    if (strcmp(key, "problem") == 0) {
        lab->problem = problem_find(value);
        return lab->problem != NULL || refuse(p, "there is no problem '%s'", value);
    }
    if (strcmp(key, "flush_l2") == 0)
        return yes_or_no(p, key, value, &lab->flush_l2);
    if (strcmp(key, "baseline") == 0)
        return copy_text(p, lab->baseline, sizeof lab->baseline, value);
    if (strcmp(key, "beside") == 0)
        return copy_text(p, lab->beside, sizeof lab->beside, value);
    if (size_field(&lab->parts[0], key) != NULL) /* a lab without parts is one part */
        return size_key(p, size_field(&lab->parts[0], key), value);
    if (strcmp(key, "cuda_rounds") == 0) {
        if (!whole_number(p, value, 1, 10000, &number))
            return false;
        lab->cuda_rounds = (unsigned)number;
        return true;
    }
    if (strcmp(key, "pass") == 0)
        return whole_number(p, value, 0, 1000, &lab->pass);
    return refuse(p, "unknown key '%s'", key);
}

static bool part_key(struct parser *p, const char *key, const char *value) {
    if (size_field(p->part, key) != NULL)
        return size_key(p, size_field(p->part, key), value);
    if (strcmp(key, "title") == 0)
        return copy_text(p, p->part->title, sizeof p->part->title, value);
    if (strcmp(key, "copy") == 0)
        return yes_or_no(p, key, value, &p->part->copy);
    return refuse(p, "unknown key '%s'", key);
}

static bool goal_part(struct parser *p, const char *value) {
    for (unsigned i = 0; i < p->lab->part_count; i++)
        if (strcmp(p->lab->parts[i].name, value) == 0) {
            p->goal->part = i;
            return true;
        }
    return refuse(p, "there is no [part %s] above", value);
}

static bool goal_key(struct parser *p, const char *key, const char *value) {
    if (strcmp(key, "measure") == 0) {
        for (int m = 0; m < MEASURE_COUNT; m++)
            if (strcmp(measure_names[m], value) == 0) {
                p->goal->measure = (enum lab_measure)m;
                return true;
            }
        return refuse(p, "unknown measure '%s'", value);
    }
    if (strcmp(key, "part") == 0)
        return goal_part(p, value);
    if (strcmp(key, "points") == 0)
        return whole_number(p, value, 0, 1000, &p->goal->points);
    if (strcmp(key, "sim") == 0)
        return parse_threshold(p, value, &p->goal->sim);
    if (strcmp(key, "cuda") == 0)
        return parse_threshold(p, value, &p->goal->cuda);
    return refuse(p, "unknown key '%s'", key);
}

static bool parse_section(struct parser *p, char *name) {
    p->in_lab = strcmp(name, "lab") == 0;
    p->goal = NULL;
    p->part = NULL;
    if (p->in_lab)
        return true;
    if (strncmp(name, "part ", 5) == 0) {
        if (p->lab->part_count == LAB_PARTS)
            return refuse(p, "more than %d parts", LAB_PARTS);
        p->part = &p->lab->parts[p->lab->part_count++];
        return copy_text(p, p->part->name, sizeof p->part->name, trim(name + 5));
    }
    if (strncmp(name, "goal ", 5) != 0)
        return refuse(p, "unknown section [%s]: [lab], [part NAME] or [goal NAME]", name);
    if (p->lab->goal_count == LAB_GOALS)
        return refuse(p, "more than %d goals", LAB_GOALS);
    p->goal = &p->lab->goals[p->lab->goal_count++];
    p->goal->measure = MEASURE_COUNT;
    return copy_text(p, p->goal->name, sizeof p->goal->name, trim(name + 5));
}

static bool parse_line(struct parser *p, char *line) {
    line[strcspn(line, ";#")] = '\0';
    line = trim(line);
    if (*line == '\0')
        return true;
    size_t length = strlen(line);
    if (*line == '[') {
        if (line[length - 1] != ']')
            return refuse(p, "a section ends with ]");
        line[length - 1] = '\0';
        return parse_section(p, trim(line + 1));
    }
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return refuse(p, "neither [section] nor key = value");
    *equals = '\0';
    const char *key = trim(line), *value = trim(equals + 1);
    if (!p->in_lab && p->goal == NULL && p->part == NULL)
        return refuse(p, "key '%s' before any [section]", key);
    return p->in_lab         ? lab_key(p, key, value)
           : p->part != NULL ? part_key(p, key, value)
                             : goal_key(p, key, value);
}

static bool check_complete(struct parser *p) {
    struct lab *lab = p->lab;
    if (lab->problem == NULL || lab->title[0] == '\0' || lab->goal_count == 0)
        return refuse(p, "title, problem and at least one goal are needed");
    if (lab->part_count > 0 && lab->problem->timed_part == NULL)
        return refuse(p, "the problem has no parts");
    lab->part_count = lab->part_count > 0 ? lab->part_count : 1;
    for (unsigned i = 0; i < lab->part_count; i++) {
        const struct lab_part *part = &lab->parts[i];
        if (part->width == 0 || part->height == 0)
            return refuse(p, "title, problem, width, height and at least one goal are needed");
        if ((part->cuda_width == 0) != (part->cuda_height == 0))
            return refuse(p, "cuda_width and cuda_height come together");
    }
    lab->width = lab->parts[0].width;
    lab->height = lab->parts[0].height;
    lab->cuda_width = lab->parts[0].cuda_width;
    lab->cuda_height = lab->parts[0].cuda_height;
    double total = 0;
    for (unsigned i = 0; i < lab->goal_count; i++) {
        struct lab_goal *goal = &lab->goals[i];
        if (goal->measure == MEASURE_COUNT || goal->points <= 0 || goal->sim.zero == goal->sim.full ||
            goal->cuda.zero == goal->cuda.full)
            return refuse(p, "[goal %s] needs measure, points, sim and cuda", goal->name);
        total += goal->points;
    }
    return lab->pass <= total || refuse(p, "the pass mark is above the %g points there are", total);
}

bool lab_parse(const char *text, size_t length, const char *name, struct lab *lab, char *error, size_t size) {
    *lab = (struct lab){0};
    struct parser p = {.lab = lab, .name = name, .error = error, .size = size};
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t span = end != NULL ? (size_t)(end - text) - at : length - at;
        char line[512];
        p.line++;
        if (span >= sizeof line || memchr(text + at, '\0', span) != NULL)
            return refuse(&p, "the line is too long or not text");
        memcpy(line, text + at, span);
        line[span] = '\0';
        if (!parse_line(&p, line))
            return false;
        at += span + 1;
    }
    return check_complete(&p);
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

double lab_points(const struct lab_threshold *threshold, double value, double max) {
    double share = (value - threshold->zero) / (threshold->full - threshold->zero);
    if (!(share > 0)) /* NAN too */
        return 0;
    return share >= 1 ? max : share * max;
}
